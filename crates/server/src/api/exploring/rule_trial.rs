//! What the rules say of a text that somebody tries. Nothing is stored.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tracehound_analyze::naming::node_kind;
use tracehound_model::NodeKind;
use tracehound_rules::builtin_vocabulary;
use tracehound_rules::engine::{Engine, Field, Match, Scratch};
use tracehound_rules::normalise::Normaliser;
use tracehound_rules::rule::{Rule, Target};

use crate::App;
use crate::body::Body;
use crate::problem::Problem;

/// The longest text.
const LONGEST: usize = 64 << 10;
/// Characters of a match that are told.
const EXCERPT: usize = 200;

/// A text to be tried.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TriedText {
    /// The text, of at most 64 KiB.
    text: String,
    /// The kind of node that it would stand on, by its name or as rules say it (`tool`); any if nothing is said.
    #[serde(default)]
    kind: Option<String>,
    /// The property that it would be, such as `description`; any that a rule reads if nothing is said.
    #[serde(default)]
    field: Option<String>,
}

/// What the rules say.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct TextTrial {
    /// The rules that match, by id.
    pub(crate) matches: Vec<RuleMatch>,
    /// Which texts of which nodes it was taken for.
    pub(crate) targets: Vec<String>,
    /// The text as rules read it, with what was hidden or encoded in it, if that differs from what was given.
    pub(crate) folded: Option<String>,
}

/// A rule that matches.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct RuleMatch {
    /// Its id.
    pub(crate) rule: String,
    pub(crate) name: String,
    pub(crate) severity: String,
    /// What the text would have to be for it to match.
    pub(crate) targets: Vec<String>,
    /// Where, each place once.
    pub(crate) spans: Vec<TextSpan>,
    /// Why, in words.
    pub(crate) reason: String,
    /// Whether it matches in more places than are told.
    pub(crate) has_more: bool,
}

/// A place in the text, counted in UTF-16 code units as browsers do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct TextSpan {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// What stands there.
    pub(crate) excerpt: String,
}

pub(crate) async fn try_text(State(app): State<App>, Body(tried): Body<TriedText>) -> Result<Json<TextTrial>, Problem> {
    if tried.text.len() > LONGEST {
        let detail = format!("a text of at most {LONGEST} bytes can be tried; this one has {}", tried.text.len());
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "text_too_long", detail));
    }
    let worked = tokio::task::spawn_blocking(move || {
        let engine = app.estates().engine()?;
        let (kind, field) = meant(engine, tried.kind.as_deref(), tried.field.as_deref())?;
        let targets = targets(engine, kind, field);
        if targets.is_empty() {
            return Err(not_read());
        }
        Ok(Json(trial(engine, &tried.text, &targets)))
    });
    let gone = || Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the text could not be tried");
    worked.await.unwrap_or_else(|_| Err(gone()))
}

/// What the text is meant to be. A word alone may also be a property that rules read on any kind.
fn meant<'t>(
    engine: &Engine,
    kind: Option<&'t str>,
    field: Option<&'t str>,
) -> Result<(Option<NodeKind>, Option<&'t str>), Problem> {
    let Some(word) = kind else { return Ok((None, field)) };
    if let Some(kind) = Target::kind_called(word) {
        return Ok((Some(kind), field));
    }
    let is_property = || engine.rules().iter().flat_map(|rule| &rule.scope.targets).any(|it| it.property == word);
    if field.is_none() && is_property() {
        return Ok((None, Some(word)));
    }
    Err(node_kind(word).map_or_else(|unknown| Problem::invalid("bad_kind", unknown.to_string()), |_| not_read()))
}

fn not_read() -> Problem {
    Problem::invalid("not_read", "no rule reads such a text")
}

/// What the text may be: every kind and property that a rule reads, but for those that are not asked for.
fn targets(engine: &Engine, kind: Option<NodeKind>, field: Option<&str>) -> BTreeSet<(NodeKind, String)> {
    let enabled = engine.rules().iter().filter(|rule| rule.enabled);
    let mut all = BTreeSet::new();
    for target in enabled.flat_map(|rule| &rule.scope.targets) {
        if field.is_some_and(|field| field != target.property) {
            continue;
        }
        let own = kind.unwrap_or_else(|| target.example_kind());
        if target.covers(own, &target.property) && engine.reads(own.collector(), own, &target.property) {
            all.insert((own, target.property.clone()));
        }
    }
    all
}

/// What is known of a rule that matched.
#[derive(Default)]
struct Heard {
    targets: Vec<String>,
    spans: BTreeSet<(usize, usize)>,
    reason: Option<String>,
    has_more: bool,
}

fn trial(engine: &Engine, text: &str, targets: &BTreeSet<(NodeKind, String)>) -> TextTrial {
    let normalised = Normaliser::new(builtin_vocabulary()).normalise(text);
    let mut scratch = Scratch::default();
    let mut heard: BTreeMap<usize, Heard> = BTreeMap::new();
    for (kind, property) in targets {
        let field = Field { collector: kind.collector(), kind: *kind, property, name: "", source: text };
        for found in engine.evaluate(&mut scratch, &field, &normalised).matches {
            hear(heard.entry(found.rule).or_default(), &found, &told_target(*kind, property));
        }
    }
    let places = places(text, heard.values().flat_map(|heard| &heard.spans));
    let matches = heard.into_iter().filter_map(|(rule, heard)| {
        let rule = engine.rules().get(rule)?;
        Some(matched(rule, heard, text, &places))
    });
    let folded = normalised.text();
    TextTrial {
        matches: matches.collect(),
        targets: targets.iter().map(|(kind, property)| told_target(*kind, property)).collect(),
        folded: (folded != text).then(|| folded.to_owned()),
    }
}

fn hear(heard: &mut Heard, found: &Match, target: &str) {
    if heard.targets.last().is_none_or(|last| last != target) {
        heard.targets.push(target.to_owned());
    }
    heard.spans.insert((found.span.start, found.span.end));
    heard.reason.get_or_insert_with(|| found.reason.to_string());
    heard.has_more |= found.has_more;
}

fn matched(rule: &Rule, heard: Heard, text: &str, places: &BTreeMap<usize, usize>) -> RuleMatch {
    let place = |at: usize| places.get(&at).copied().unwrap_or(0);
    let span = |(start, end): &(usize, usize)| TextSpan {
        start: place(*start),
        end: place(*end),
        excerpt: shortened(text, *start..*end),
    };
    RuleMatch {
        rule: rule.id.clone(),
        name: rule.name.clone(),
        severity: rule.severity.name().to_owned(),
        targets: heard.targets,
        spans: heard.spans.iter().map(span).collect(),
        reason: heard.reason.unwrap_or_default(),
        has_more: heard.has_more,
    }
}

fn told_target(kind: NodeKind, property: &str) -> String {
    Target { kind: Some(kind), property: property.to_owned() }.to_string()
}

fn shortened(text: &str, span: Range<usize>) -> String {
    let whole = text.get(span).unwrap_or_default();
    match whole.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", whole.get(..end).unwrap_or_default()),
        None => whole.to_owned(),
    }
}

/// The number of UTF-16 code units before some bytes of a text, in one pass over it.
fn places<'s>(text: &str, spans: impl Iterator<Item = &'s (usize, usize)>) -> BTreeMap<usize, usize> {
    let wanted: BTreeSet<usize> = spans.flat_map(|(start, end)| [*start, *end]).collect();
    let (mut units, mut from) = (0, 0);
    let mut found = BTreeMap::new();
    for at in wanted {
        units += text.get(from..at).unwrap_or_default().chars().map(char::len_utf16).sum::<usize>();
        from = at;
        found.insert(at, units);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_as_browsers_count_them() {
        let text = "aä😀b";
        let end = text.len();
        let counted = places(text, [(0, 1), (1, 3), (3, 7), (7, end)].iter());
        assert_eq!(counted, BTreeMap::from([(0, 0), (1, 1), (3, 2), (7, 4), (end, 5)]));
    }
}
