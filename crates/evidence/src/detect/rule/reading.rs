//! Reads a rule from YAML, strictly: what is not known, stands twice or can't be right is refused, with its place.
//!
//! Anchors, aliases and further documents are not accepted, so nothing is ever expanded.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde_saphyr::{
    DuplicateKeyPolicy, Location, MergeKeyPolicy, Options, Spanned, UserMessageFormatter, budget, options,
};
use tracehound_model::Verdict;

use super::condition::Names;
use super::{Condition, Count, Field, Per, Rate, Response, Rule, RuleTest, ScoreStep, Sequence, Severity, Summary};
use crate::detect::limits;
use crate::event;

/// What is wrong with a rule, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Problem {}

impl Problem {
    fn at(place: Location, message: impl Into<String>) -> Self {
        // A place that is not known is shown as the start.
        Self { line: place.line().max(1), column: place.column().max(1), message: message.into() }
    }
}

/// Reads a rule.
///
/// # Errors
///
/// The first thing that is wrong with it. A rule that is read may still fail its own tests: see
/// [`Rule::failed_tests`].
pub fn read_rule(text: &str) -> Result<Rule, Problem> {
    if text.len() > limits::FILE_BYTES {
        let message = format!("a detection rule may have at most {} KiB", limits::FILE_BYTES >> 10);
        return Err(Problem { line: 1, column: 1, message });
    }
    let raw: RawRule = serde_saphyr::from_str_with_options(text, strict())
        .map_err(|error| Problem::at(error.location().unwrap_or(Location::UNKNOWN), in_words(&error)))?;
    raw.check()
}

/// What the parser says, without the place, which is told apart, and without the names of number types.
fn in_words(error: &serde_saphyr::Error) -> String {
    let message = error.without_snippet().render_with_formatter(&UserMessageFormatter);
    let message = message.split(" at line ").next().unwrap_or_default();
    match message.strip_prefix("invalid ") {
        Some("u8" | "u32" | "u64" | "f64" | "usize") => "a number that is not too large is expected here".to_owned(),
        _ => message.to_owned(),
    }
}

fn strict() -> Options {
    options! {
        budget: budget! {
            max_depth: limits::YAML_DEPTH,
            max_nodes: limits::YAML_NODES,
            max_documents: 1,
            max_aliases: 0,
            max_anchors: 0,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        reject_unsupported_tags: true,
        with_snippet: false,
    }
}

/// A rule as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    rule_key: Spanned<String>,
    name: Spanned<String>,
    #[serde(default)]
    description: Option<Spanned<String>>,
    #[serde(default = "yes")]
    enabled: bool,
    severity: Severity,
    #[serde(default)]
    severity_by_score: Option<Spanned<BTreeMap<Severity, u8>>>,
    #[serde(default)]
    condition: Option<Spanned<Condition>>,
    #[serde(default)]
    count: Option<Spanned<Count>>,
    #[serde(default)]
    sequence: Option<Spanned<Sequence>>,
    #[serde(default)]
    first_seen: Option<Spanned<Vec<Field>>>,
    #[serde(default)]
    rate: Option<Spanned<Rate>>,
    #[serde(default)]
    incident: Option<Spanned<String>>,
    #[serde(default)]
    dedup_seconds: Option<Spanned<u32>>,
    #[serde(default)]
    respond: Option<Spanned<String>>,
    #[serde(default)]
    summary: Option<Spanned<String>>,
    #[serde(default)]
    tests: Vec<Spanned<RuleTest>>,
}

fn yes() -> bool {
    true
}

/// How long an open incident takes in what follows, unless the rule says otherwise: an hour.
const INCIDENT_DEDUP_SECONDS: u32 = 3_600;

impl RawRule {
    fn check(self) -> Result<Rule, Problem> {
        self.check_one_shape()?;
        check_key("rule_key", &self.rule_key)?;
        check_length("name", &self.name, limits::NAME_BYTES)?;
        for (field, text) in [("description", &self.description), ("summary", &self.summary)] {
            text.as_ref().map_or(Ok(()), |text| check_length(field, text, limits::PROSE_BYTES))?;
        }
        self.incident.as_ref().map_or(Ok(()), |kind| check_key("incident", kind))?;
        self.condition.as_ref().map_or(Ok(()), |it| check_condition(&it.value, it.referenced))?;
        self.count.as_ref().map_or(Ok(()), check_count)?;
        self.sequence.as_ref().map_or(Ok(()), check_sequence)?;
        self.first_seen
            .as_ref()
            .map_or(Ok(()), |fields| check_fields("first_seen", &fields.value, fields.referenced))?;
        self.rate.as_ref().map_or(Ok(()), check_rate)?;
        self.check_tests()?;
        let respond = self.response()?;
        let dedup_seconds = self.dedup()?;
        let summary = match &self.summary {
            Some(text) => Summary::parse(&text.value).map_err(|message| Problem::at(text.referenced, message))?,
            None => Summary::plain(&self.name.value),
        };
        Ok(Rule {
            severity_by_score: self.score_steps()?,
            rule_key: self.rule_key.value,
            name: self.name.value,
            description: self.description.map(|it| it.value).unwrap_or_default(),
            enabled: self.enabled,
            severity: self.severity,
            condition: self.condition.map(|it| it.value).unwrap_or_default(),
            count: self.count.map(|it| it.value),
            sequence: self.sequence.map(|it| it.value),
            first_seen: self.first_seen.map(|it| it.value),
            rate: self.rate.map(|it| it.value),
            incident: self.incident.map(|it| it.value),
            dedup_seconds,
            respond,
            summary,
            tests: self.tests.into_iter().map(|it| it.value).collect(),
        })
    }

    fn check_one_shape(&self) -> Result<(), Problem> {
        let shapes = [
            self.count.as_ref().map(|it| it.referenced),
            self.sequence.as_ref().map(|it| it.referenced),
            self.first_seen.as_ref().map(|it| it.referenced),
            self.rate.as_ref().map(|it| it.referenced),
        ];
        let mut written: Vec<_> = shapes.into_iter().flatten().collect();
        written.sort_by_key(|place| (place.line(), place.column()));
        match written.get(1).copied() {
            Some(second) => {
                Err(Problem::at(second, "a rule has one of `count`, `sequence`, `first_seen` and `rate`, not several"))
            }
            None if self.condition.is_none() && self.sequence.is_none() => {
                let place = self.rule_key.referenced;
                Err(Problem::at(place, "the rule has no `condition`; write `condition: {}` to look at every event"))
            }
            None => Ok(()),
        }
    }

    fn score_steps(&self) -> Result<Vec<ScoreStep>, Problem> {
        let Some(steps) = &self.severity_by_score else { return Ok(Vec::new()) };
        // The map is in the order of severities, so the scores must rise as well.
        let ordered: Vec<_> =
            steps.value.iter().map(|(&severity, &at_least)| ScoreStep { at_least, severity }).collect();
        let rise = ordered.iter().zip(ordered.iter().skip(1)).all(|(low, high)| low.at_least < high.at_least);
        let is_sound =
            rise && ordered.iter().all(|step| step.severity > self.severity && (1..=100).contains(&step.at_least));
        match is_sound {
            true => Ok(ordered),
            false => Err(Problem::at(
                steps.referenced,
                "`severity_by_score` names severities above `severity`, each from a higher score (1 to 100) on",
            )),
        }
    }

    fn response(&self) -> Result<Option<Response>, Problem> {
        let Some(written) = self.respond.as_ref().filter(|it| it.value != "none") else { return Ok(None) };
        let response = Response::from_name(&written.value).ok_or_else(|| {
            Problem::at(written.referenced, "`respond` is `freeze`, `quarantine`, `force_approval` or `none`")
        })?;
        if self.count.as_ref().is_some_and(|count| count.value.per == Per::Tenant) {
            let message = "a rule that counts the events of a whole tenant knows no agent to respond to";
            return Err(Problem::at(written.referenced, message));
        }
        Ok(Some(response))
    }

    fn dedup(&self) -> Result<u32, Problem> {
        let (usual, most) = match self.incident {
            Some(_) => (INCIDENT_DEDUP_SECONDS, limits::INCIDENT_SECONDS),
            None => (0, limits::WINDOW_SECONDS),
        };
        match &self.dedup_seconds {
            Some(seconds) if seconds.value > most => {
                Err(Problem::at(seconds.referenced, format!("`dedup_seconds` is at most {most} here")))
            }
            Some(seconds) => Ok(seconds.value),
            None => Ok(usual),
        }
    }

    fn check_tests(&self) -> Result<(), Problem> {
        if let Some(beyond) = self.tests.get(limits::TESTS) {
            return Err(Problem::at(beyond.referenced, format!("a rule has at most {} tests", limits::TESTS)));
        }
        for test in &self.tests {
            test.value.check().map_err(|message| Problem::at(test.referenced, message))?;
        }
        Ok(())
    }
}

fn check_key(field: &str, key: &Spanned<String>) -> Result<(), Problem> {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-');
    let length = key.value.len();
    match (3..=limits::KEY_BYTES).contains(&length) && key.value.bytes().all(is_part) {
        true => Ok(()),
        false => {
            let message = format!("`{field}` is 3 to {} of a-z, 0-9, `_` and `-`", limits::KEY_BYTES);
            Err(Problem::at(key.referenced, message))
        }
    }
}

fn check_length(field: &str, text: &Spanned<String>, most: usize) -> Result<(), Problem> {
    if text.value.trim().is_empty() {
        return Err(Problem::at(text.referenced, format!("`{field}` is blank")));
    }
    if text.value.len() > most {
        return Err(Problem::at(text.referenced, format!("`{field}` is longer than {most} bytes")));
    }
    Ok(())
}

fn check_seconds(seconds: u32, place: Location) -> Result<(), Problem> {
    match (1..=limits::WINDOW_SECONDS).contains(&seconds) {
        true => Ok(()),
        false => Err(Problem::at(place, format!("`within_seconds` is 1 to {}", limits::WINDOW_SECONDS))),
    }
}

fn check_count(count: &Spanned<Count>) -> Result<(), Problem> {
    check_seconds(count.value.within_seconds, count.referenced)?;
    match (2..=limits::COUNT).contains(&count.value.at_least) {
        true => Ok(()),
        false => Err(Problem::at(count.referenced, format!("`at_least` is 2 to {}", limits::COUNT))),
    }
}

fn check_sequence(sequence: &Spanned<Sequence>) -> Result<(), Problem> {
    let place = sequence.referenced;
    check_seconds(sequence.value.within_seconds, place)?;
    if !(2..=limits::STEPS).contains(&sequence.value.steps.len()) {
        return Err(Problem::at(place, format!("a sequence has 2 to {} steps", limits::STEPS)));
    }
    if sequence.value.same.len() > Field::ALL.len() {
        return Err(Problem::at(place, "`same` names a field twice"));
    }
    sequence.value.steps.iter().try_for_each(|step| check_condition(step, place))
}

fn check_fields(name: &str, fields: &[Field], place: Location) -> Result<(), Problem> {
    match (1..=Field::ALL.len()).contains(&fields.len()) {
        true => Ok(()),
        false => Err(Problem::at(place, format!("`{name}` names one or more different fields"))),
    }
}

fn check_rate(rate: &Spanned<Rate>) -> Result<(), Problem> {
    let Rate { deviations, days, hours } = rate.value;
    let is_sound = (0.5..=100.0).contains(&deviations)
        && (1..=limits::RATE_DAYS).contains(&days)
        && (2..=days.saturating_mul(24)).contains(&hours);
    match is_sound {
        true => Ok(()),
        false => Err(Problem::at(
            rate.referenced,
            "`deviations` is 0.5 to 100, `days` 1 to 7, and `hours` 2 to as many as the days have",
        )),
    }
}

/// The kinds of events that a rule may ask for.
const EVENT_TYPES: [&str; 8] = [
    event::AUTHORIZE_DECISION,
    event::AGENT_QUARANTINED,
    event::AGENT_RISK_ESCALATED,
    event::REPLAY_ATTEMPT,
    event::MCP_MANIFEST_DRIFT,
    event::CONTAINMENT,
    event::APPROVAL,
    event::CHAIN_BROKEN,
];

/// What events call a decision, besides the verdicts.
const OTHER_DECISIONS: [&str; 7] = ["flag", "approved", "rejected", "edited", "consumed", "expired", "refused"];

/// Refuses what could never be true of an event: such a rule would be silent for ever and nobody would know.
fn check_condition(condition: &Condition, place: Location) -> Result<(), Problem> {
    let unknown = |names: &Option<Names>, known: &dyn Fn(&str) -> bool| {
        names.as_ref().and_then(|names| names.0.iter().find(|name| !known(name)).cloned())
    };
    if let Some(kind) = unknown(&condition.event_type, &|name| EVENT_TYPES.contains(&name)) {
        let all = EVENT_TYPES.map(|name| format!("`{name}`")).join(", ");
        return Err(Problem::at(place, format!("`{kind}` is no type of event that rules look at: there are {all}")));
    }
    let is_decision = |name: &str| Verdict::from_name(name).is_some() || OTHER_DECISIONS.contains(&name);
    if let Some(decision) = unknown(&condition.decision, &is_decision) {
        let all = Verdict::ALL.iter().map(|it| it.name()).chain(OTHER_DECISIONS).collect::<Vec<_>>().join("`, `");
        return Err(Problem::at(place, format!("`{decision}` is no decision: there are `{all}`")));
    }
    if condition.trust.as_ref().is_some_and(Vec::is_empty) {
        return Err(Problem::at(place, "an empty list matches nothing; leave `trust` out to match every level"));
    }
    let (least, most) = (condition.min_risk_score.unwrap_or(0), condition.max_risk_score.unwrap_or(100));
    if least > most || most > 100 {
        return Err(Problem::at(place, "risk scores are 0 to 100, and `min_risk_score` is not above `max_risk_score`"));
    }
    condition.not.as_ref().map_or(Ok(()), |not| check_condition(not, place))
}
