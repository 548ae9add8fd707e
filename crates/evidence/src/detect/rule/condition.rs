//! Which events a rule looks at.

use std::fmt;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use tracehound_model::TrustLevel;

use super::subject::{Subject, words_of};
use crate::detect::limits;

/// What must be true of an event: everything that is written. An empty condition is true of every event.
///
/// Deciding takes time in proportion to the entries that are written, whatever happened before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Condition {
    /// The kind is one of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_type: Option<Names>,
    /// The decision is one of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Names>,
    /// The tool is one of these, in upper or lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<Names>,
    /// The action is one of these, in upper or lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Names>,
    /// The cause of the call is trusted to one of these levels.
    #[serde(alias = "context_trust", skip_serializing_if = "Option::is_none")]
    pub trust: Option<Vec<TrustLevel>>,
    /// Whether the call changes anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutating: Option<bool>,
    /// The risk score is this or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_risk_score: Option<u8>,
    /// The risk score is this or less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_risk_score: Option<u8>,
    /// One of these policies decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched_policy: Option<Names>,
    /// The name of a policy that decided contains one of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched_policy_contains: Option<Names>,
    /// The code of the reason is one of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Names>,
    /// The action's name has one of these words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action_words: Option<Phrases>,
    /// This is not true of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not: Option<Box<Condition>>,
}

impl Condition {
    pub(crate) fn holds(&self, subject: &Subject<'_>) -> bool {
        let event = subject.event;
        let is_among = |names: &Option<Names>, value: Option<&str>| names.as_ref().is_none_or(|names| names.has(value));
        let is_called = |names: &Option<Names>, value: Option<&str>| names.as_ref().is_none_or(|it| it.has_name(value));
        is_among(&self.event_type, Some(&event.kind))
            && is_among(&self.decision, event.decision.as_deref())
            && self.mutating.is_none_or(|mutating| mutating == event.mutates_state)
            && self.min_risk_score.is_none_or(|least| event.risk_score >= least)
            && self.max_risk_score.is_none_or(|most| event.risk_score <= most)
            && self.trust.as_ref().is_none_or(|levels| event.root_trust_level.is_some_and(|it| levels.contains(&it)))
            && is_among(&self.code, Some(&event.code))
            && is_called(&self.tool, event.tool.as_deref())
            && is_called(&self.action, event.action.as_deref())
            && self.holds_for_policies(&event.matched_policies)
            && self.action_words.as_ref().is_none_or(|phrases| phrases.stand_in(subject.action_words()))
            && self.not.as_ref().is_none_or(|not| !not.holds(subject))
    }

    fn holds_for_policies(&self, policies: &[String]) -> bool {
        let exact = |names: &Names| policies.iter().any(|policy| names.has(Some(policy)));
        let part = |names: &Names| policies.iter().any(|policy| names.0.iter().any(|it| policy.contains(it)));
        self.matched_policy.as_ref().is_none_or(exact) && self.matched_policy_contains.as_ref().is_none_or(part)
    }
}

/// One or more names. In a file it is one text or a list of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Names(pub(super) Vec<String>);

impl Names {
    fn has(&self, value: Option<&str>) -> bool {
        value.is_some_and(|value| self.0.iter().any(|name| name == value))
    }

    fn has_name(&self, value: Option<&str>) -> bool {
        value.is_some_and(|value| self.0.iter().any(|name| name.eq_ignore_ascii_case(value)))
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NamesVisitor).map(Self)
    }
}

/// Words, or several words in a row, that an action's name may have. Parts of words don't count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Phrases {
    written: Vec<String>,
    #[serde(skip)]
    words: Vec<Vec<String>>,
}

impl Phrases {
    fn stand_in(&self, words: &[String]) -> bool {
        let starts =
            |from: usize| words.get(from..).is_some_and(|rest| self.words.iter().any(|it| rest.starts_with(it)));
        (0..words.len()).any(starts)
    }
}

impl<'de> Deserialize<'de> for Phrases {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = deserializer.deserialize_any(NamesVisitor)?;
        let words: Vec<_> = written.iter().map(|phrase| words_of(phrase)).collect();
        match words.iter().any(Vec::is_empty) {
            true => Err(de::Error::custom("an entry of `action_words` has no letter or digit")),
            false => Ok(Self { written, words }),
        }
    }
}

/// Reads one text or a list, within the limits.
struct NamesVisitor;

impl<'de> Visitor<'de> for NamesVisitor {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of texts")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(vec![entry(text.to_owned())?])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = list.next_element::<String>()? {
            if names.len() >= limits::ENTRIES {
                return Err(de::Error::custom(format_args!("a list has at most {} entries", limits::ENTRIES)));
            }
            names.push(entry(name)?);
        }
        if names.is_empty() {
            return Err(de::Error::custom("an empty list matches nothing; leave the field out to match everything"));
        }
        Ok(names)
    }
}

fn entry<E: de::Error>(text: String) -> Result<String, E> {
    if text.trim().is_empty() {
        return Err(E::custom("an entry is blank"));
    }
    if text.len() > limits::ENTRY_BYTES {
        return Err(E::custom(format_args!("an entry has at most {} bytes", limits::ENTRY_BYTES)));
    }
    Ok(text)
}
