//! From answers to a verdict: which request comes next, whether all matched, what was learnt.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tracehound_model::NodeKind;

use super::path::{self, JsonPath};
use super::response::Response;
use super::template::{Captured, Filled};
use super::types::{Capture, Fingerprint, Matcher, Probe, Request, StatusRange, Wanted};
use crate::limits;

/// What is known about a request.
#[derive(Debug, Clone, Copy)]
pub enum Known<'r> {
    /// It was answered.
    Answered(&'r Response),
    /// It was made, and there is no answer.
    Failed,
}

/// How far a fingerprint has come.
#[derive(Debug, PartialEq)]
pub enum Step<'f> {
    /// It needs to know the answer to this.
    Ask(&'f Request),
    /// The service is not one of those that it recognises.
    Missed,
    /// The service is.
    Matched(Recognised),
}

/// A service that a fingerprint recognised.
#[derive(Debug, Clone, PartialEq)]
pub struct Recognised {
    /// The id of the rule.
    pub rule: String,
    /// The kind of service.
    pub kind: NodeKind,
    /// How many probes the rule has.
    pub probes: usize,
    /// What was learnt.
    pub properties: BTreeMap<String, Value>,
    /// The keys of properties in which a placeholder is left, because nothing was captured for it.
    pub unresolved: BTreeSet<String>,
}

/// Where a fingerprint missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Miss {
    /// Which probe, from 0.
    pub probe: usize,
    /// Which of its matchers, from 0; `None` when there was no answer.
    pub matcher: Option<usize>,
}

enum Look<'f> {
    Ask(&'f Request),
    Missed(Miss),
    Matched(BTreeMap<String, Captured>),
}

impl Fingerprint {
    /// The next step, given what is known so far. A fingerprint asks for one answer after the other and for none after a
    /// miss, so whoever answers each question once comes to an end.
    pub fn step<'f, 'r>(&'f self, known: impl Fn(&Request) -> Option<Known<'r>>) -> Step<'f> {
        match self.look(known) {
            Look::Ask(request) => Step::Ask(request),
            Look::Missed(_) => Step::Missed,
            Look::Matched(captured) => Step::Matched(self.recognised(&captured)),
        }
    }

    /// Where it missed, if it did.
    pub fn miss<'r>(&self, known: impl Fn(&Request) -> Option<Known<'r>>) -> Option<Miss> {
        match self.look(known) {
            Look::Missed(miss) => Some(miss),
            Look::Ask(_) | Look::Matched(_) => None,
        }
    }

    fn look<'f, 'r>(&'f self, known: impl Fn(&Request) -> Option<Known<'r>>) -> Look<'f> {
        let mut captured = BTreeMap::new();
        for (index, probe) in self.probes.iter().enumerate() {
            let response = match known(&probe.request) {
                None => return Look::Ask(&probe.request),
                Some(Known::Failed) => return Look::Missed(Miss { probe: index, matcher: None }),
                Some(Known::Answered(response)) => response,
            };
            if let Some(matcher) = probe.matchers.iter().position(|matcher| !matcher.holds(response)) {
                return Look::Missed(Miss { probe: index, matcher: Some(matcher) });
            }
            captured.extend(probe.take(response));
        }
        Look::Matched(captured)
    }

    fn recognised(&self, captured: &BTreeMap<String, Captured>) -> Recognised {
        let used: BTreeSet<&str> = self.properties.values().flat_map(super::Template::captures).collect();
        let unused = captured.iter().filter(|(name, _)| !used.contains(name.as_str()));
        let mut properties: BTreeMap<String, Value> =
            unused.map(|(name, captured)| (name.clone(), captured.value(name))).collect();
        let mut unresolved = BTreeSet::new();
        for (key, template) in &self.properties {
            let Filled { value, is_resolved } = template.fill(key, captured);
            if !is_resolved {
                unresolved.insert(key.clone());
            }
            properties.insert(key.clone(), value);
        }
        Recognised { rule: self.id.clone(), kind: self.kind, probes: self.probes.len(), properties, unresolved }
    }
}

impl Probe {
    fn take(&self, response: &Response) -> Vec<(String, Captured)> {
        let taken = self.captures.iter().map(|(name, capture)| (name, capture.take(response)));
        taken.filter_map(|(name, taken)| taken.map(|taken| (name.clone(), taken))).collect()
    }
}

impl Matcher {
    /// Whether it holds of an answer.
    #[must_use]
    pub fn holds(&self, response: &Response) -> bool {
        match self {
            Self::Status(StatusRange { first, last }) => (*first..=*last).contains(&response.status()),
            Self::HeaderContains { name, value, case_insensitive } => {
                response.header(name).any(|found| contains(found, value, *case_insensitive))
            }
            Self::HeaderMatches { name, pattern } => response.header(name).any(|found| pattern.is_in(found)),
            Self::BodyEquals(value) => !response.is_cut() && response.body().trim() == value.trim(),
            Self::BodyContains { value, case_insensitive } => contains(response.body(), value, *case_insensitive),
            Self::BodyMatches(pattern) => pattern.is_in(response.body()),
            Self::Json { path, wanted } => response.json().is_some_and(|json| {
                let found = path.find(json);
                match wanted {
                    Wanted::There => found.is_some(),
                    Wanted::Absent => found.is_none(),
                    Wanted::Equal(text) => found.is_some_and(|found| path::text(found) == *text),
                    Wanted::Matching(pattern) => found.is_some_and(|found| pattern.is_in(&path::text(found))),
                }
            }),
        }
    }
}

fn contains(text: &str, part: &str, case_insensitive: bool) -> bool {
    if case_insensitive { text.to_lowercase().contains(&part.to_lowercase()) } else { text.contains(part) }
}

impl Capture {
    fn take(&self, response: &Response) -> Option<Captured> {
        match self {
            Self::Value(path) => response.json().and_then(|json| value(path, json)),
            Self::Keys { path, pattern } => {
                let object = path.find(response.json()?)?.as_object()?;
                let keys: BTreeSet<&str> = object.keys().filter_map(|key| pattern.first(key)).collect();
                Some(Captured::List(bounded_list(keys.into_iter())))
            }
            Self::Header { name, pattern } => {
                response.header(name).find_map(|found| pattern.first(found)).map(|found| Captured::Text(bounded(found)))
            }
            Self::Body(pattern) => pattern.first(response.body()).map(|found| Captured::Text(bounded(found))),
        }
    }
}

fn value(path: &JsonPath, json: &Value) -> Option<Captured> {
    if let Some(count) = path.count(json) {
        return Some(Captured::Count(count));
    }
    let found = path.find(json)?;
    let text = bounded(&path::text(found));
    let entries: Option<Vec<&str>> = found.as_array().and_then(|items| items.iter().map(Value::as_str).collect());
    Some(match entries {
        Some(entries) => Captured::Array { json: text, entries: bounded_list(entries.into_iter()) },
        None => Captured::Text(text),
    })
}

/// A text that is not too long, or its beginning with a mark.
fn bounded(text: &str) -> String {
    if text.len() <= limits::CAPTURE_BYTES {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(limits::CAPTURE_BYTES);
    format!("{}…", text.get(..end).unwrap_or_default())
}

/// A list that is not too long, or its beginning with an entry that counts the rest.
fn bounded_list<'t>(entries: impl ExactSizeIterator<Item = &'t str>) -> Vec<String> {
    let rest = entries.len().saturating_sub(limits::CAPTURE_ENTRIES);
    let mut list: Vec<String> = entries.take(limits::CAPTURE_ENTRIES).map(bounded).collect();
    if rest > 0 {
        list.push(format!("… and {rest} more"));
    }
    list
}
