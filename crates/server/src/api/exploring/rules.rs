//! The rules in force, with how well they do.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use tracehound_model::Standard;
use tracehound_rules::any_rule::AnyRule;
use tracehound_rules::ledger::{Figure, Score, builtin_figures};
use tracehound_rules::library::{Entry, Origin};
use tracehound_rules::rule::{Matcher, Rule, RuleSeverity};

use super::within;
use crate::App;
use crate::api::Paging;
use crate::body::{Asked, Path};
use crate::problem::Problem;

/// Rules on a page.
const MOST: usize = 1_000;
/// Rules on a page if nobody says how many.
const USUAL: usize = 500;

/// Some of the rules.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct RulePage {
    /// By id.
    pub(crate) items: Vec<RuleRow>,
    /// On all pages.
    pub(crate) total: usize,
    /// Where the next page begins.
    pub(crate) next_cursor: Option<String>,
}

/// A rule in a list.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct RuleRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: u32,
    pub(crate) enabled: bool,
    /// How bad a match is; to recognise a service is worth knowing, no more.
    pub(crate) severity: RuleSeverityName,
    pub(crate) kind: RuleKind,
    /// Whose it is.
    pub(crate) origin: RuleOrigin,
    /// The entries of OWASP's lists that a match falls under, by their ids.
    pub(crate) owasp: Vec<String>,
    /// The techniques of MITRE ATLAS that a match falls under, by their ids.
    pub(crate) atlas: Vec<String>,
    pub(crate) tags: Vec<String>,
    /// What sort of matcher decides: `keyword`, `regex`, `score`, `model` and so on; `probe` for services.
    pub(crate) matcher: String,
    /// Which texts of which nodes are read; the kind of service for what recognises one.
    pub(crate) targets: Vec<String>,
    /// How it did on labelled records; null if nobody measured it as it is.
    pub(crate) ledger: Option<RuleLedger>,
}

/// What a rule is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RuleKind {
    /// It says what is suspicious in a text.
    Detection,
    /// It says by which answers a service is recognised.
    Fingerprint,
}

/// Whose a rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RuleOrigin {
    /// It is part of the product.
    Builtin,
    /// It is a file of the user's.
    File,
    /// It is a file of the user's in the place of a built-in rule.
    Override,
}

/// How bad a match is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RuleSeverityName {
    Info,
    Low,
    Medium,
    High,
    Critical,
}

/// How a rule did on labelled records. Rules share the work: one that finds a single sort of attack is not meant to find all,
/// so its recall alone says little.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct RuleLedger {
    /// The share of its matches that were right.
    pub(crate) precision: Option<f64>,
    /// The share of the records to be found that it matches.
    pub(crate) recall: Option<f64>,
    /// Records to be found that it matches.
    pub(crate) matched_hostile: usize,
    /// Records to be found that it matches and no other rule does.
    pub(crate) matched_alone: usize,
    /// Records to be found.
    pub(crate) hostile: usize,
    /// Harmless records that it matches.
    pub(crate) matched_benign: usize,
    /// Harmless records.
    pub(crate) benign: usize,
}

/// How a rule did in a task.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct TaskFigures {
    /// What was to be found where.
    pub(crate) task: String,
    pub(crate) figures: RuleLedger,
}

/// A rule with all that it says.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct RuleDetail {
    #[serde(flatten)]
    pub(crate) row: RuleRow,
    pub(crate) description: String,
    /// What to do about a match.
    pub(crate) remediation: Option<String>,
    /// The file: its name and, as YAML, what is in it. Built-in rules ship without their tests.
    pub(crate) file: String,
    pub(crate) source: String,
    /// The figures task by task.
    pub(crate) tasks: Vec<TaskFigures>,
    /// The examples in the file. Those of built-in rules look like attacks and are left out of the product.
    pub(crate) tests: Vec<RuleExample>,
}

/// An example of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct RuleExample {
    /// The text; none for what recognises a service by its answers.
    pub(crate) input: Option<String>,
    pub(crate) should_match: bool,
    pub(crate) description: String,
}

pub(crate) async fn list(State(app): State<App>, Asked(paging): Asked<Paging>) -> Result<Json<RulePage>, Problem> {
    let entries = app.estates().library()?.entries();
    let limit = within(paging.limit, USUAL, MOST, "limit")?;
    // By id, so that a rule that comes or goes puts no other out of its place.
    let start = paging.cursor.map_or(0, |last| entries.partition_point(|entry| entry.rule.id() <= last.as_str()));
    let rest = entries.get(start..).unwrap_or_default();
    let page = rest.get(..limit).unwrap_or(rest);
    let next_cursor = page.last().filter(|_| page.len() < rest.len()).map(|entry| entry.rule.id().to_owned());
    Ok(Json(RulePage { items: page.iter().map(RuleRow::from).collect(), total: entries.len(), next_cursor }))
}

pub(crate) async fn show(State(app): State<App>, Path(id): Path<String>) -> Result<Json<RuleDetail>, Problem> {
    let entry = app.estates().library()?.find(&id).ok_or_else(|| Problem::unknown("Rule"))?;
    Ok(Json(RuleDetail {
        row: RuleRow::from(entry),
        description: entry.rule.description().to_owned(),
        remediation: entry.rule.detection().and_then(|rule| rule.remediation.clone()),
        file: entry.file.name.clone(),
        source: entry.file.text.clone(),
        tasks: measured(entry).iter().filter_map(task).collect(),
        tests: examples(&entry.rule),
    }))
}

fn examples(rule: &AnyRule) -> Vec<RuleExample> {
    let example = |input: Option<&String>, should_match: bool, description: &String| RuleExample {
        input: input.cloned(),
        should_match,
        description: description.clone(),
    };
    match rule {
        AnyRule::Detection(rule) => {
            let tests = rule.tests.iter();
            tests.map(|test| example(Some(&test.input), test.should_match, &test.description)).collect()
        }
        AnyRule::Fingerprint(rule) => {
            rule.tests.iter().map(|test| example(None, test.should_match, &test.description)).collect()
        }
    }
}

impl From<&Entry> for RuleRow {
    fn from(entry: &Entry) -> Self {
        let detection = entry.rule.detection();
        let ids = |of: fn(&Rule) -> &Vec<Standard>| {
            detection.map(of).into_iter().flatten().map(|standard| standard.id.clone()).collect()
        };
        let targets = match &entry.rule {
            AnyRule::Detection(rule) => rule.scope.targets.iter().map(ToString::to_string).collect(),
            AnyRule::Fingerprint(rule) => vec![rule.kind.name().to_owned()],
        };
        Self {
            id: entry.rule.id().to_owned(),
            name: entry.rule.name().to_owned(),
            version: entry.rule.version(),
            enabled: entry.rule.is_enabled(),
            severity: detection.map_or(RuleSeverityName::Info, |rule| severity(rule.severity)),
            kind: if detection.is_some() { RuleKind::Detection } else { RuleKind::Fingerprint },
            origin: match entry.origin {
                Origin::Builtin => RuleOrigin::Builtin,
                Origin::File => RuleOrigin::File,
                Origin::Override => RuleOrigin::Override,
            },
            owasp: ids(|rule| &rule.owasp),
            atlas: ids(|rule| &rule.atlas),
            tags: detection.map(|rule| rule.tags.clone()).unwrap_or_default(),
            matcher: detection.map_or("probe", |rule| matcher(&rule.matcher)).to_owned(),
            targets,
            ledger: RuleLedger::of(&measured(entry)),
        }
    }
}

/// The figures of a rule; they are those of the rules as they ship.
fn measured(entry: &Entry) -> Vec<Figure> {
    let shipped = entry.rule.detection().filter(|_| entry.origin == Origin::Builtin);
    shipped.map(builtin_figures).unwrap_or_default()
}

fn task(figure: &Figure) -> Option<TaskFigures> {
    let figures = RuleLedger::of(std::slice::from_ref(figure))?;
    Some(TaskFigures { task: figure.task.to_owned(), figures })
}

const fn severity(severity: RuleSeverity) -> RuleSeverityName {
    match severity {
        RuleSeverity::Info => RuleSeverityName::Info,
        RuleSeverity::Low => RuleSeverityName::Low,
        RuleSeverity::Medium => RuleSeverityName::Medium,
        RuleSeverity::High => RuleSeverityName::High,
        RuleSeverity::Critical => RuleSeverityName::Critical,
    }
}

const fn matcher(matcher: &Matcher) -> &'static str {
    match matcher {
        Matcher::Keyword { .. } => "keyword",
        Matcher::Prefix { .. } => "prefix",
        Matcher::Regex { .. } => "regex",
        Matcher::Entropy { .. } => "entropy",
        Matcher::Compound { .. } => "compound",
        Matcher::Score { .. } => "score",
        Matcher::Model { .. } => "model",
    }
}

impl RuleLedger {
    /// The figures of several tasks together; none if nobody measured anything.
    fn of(figures: &[Figure]) -> Option<Self> {
        let sum = |of: fn(&Figure) -> usize| figures.iter().map(of).sum::<usize>();
        let all = Score {
            found: sum(|figure| figure.score.found),
            of: sum(|figure| figure.score.of),
            false_alarms: sum(|figure| figure.score.false_alarms),
            among: sum(|figure| figure.score.among),
        };
        (!figures.is_empty()).then(|| Self {
            precision: all.precision(),
            recall: all.recall(),
            matched_hostile: all.found,
            matched_alone: sum(|figure| figure.alone),
            hostile: all.of,
            matched_benign: all.false_alarms,
            benign: all.among,
        })
    }
}
