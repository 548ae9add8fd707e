//! What is said when a rule fires.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::memory::hour_of;
use super::rule::{Response, Rule, Severity, Shape, Subject};
use crate::Moment;
use crate::event::Event;

/// An event that a firing rests on, and the decision that it tells of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Source {
    /// The event.
    pub event_id: String,
    /// The decision, if it is the event of one.
    pub decision_id: Option<String>,
}

/// A rule fired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fired {
    /// The rule.
    pub rule_key: String,
    /// What the rule finds.
    pub name: String,
    /// How bad it is.
    pub severity: Severity,
    /// Whose it is.
    pub tenant_id: String,
    /// The agent that it is about; a whole tenant's events are about none.
    pub agent_id: Option<String>,
    /// When: the time of the event that made the rule fire.
    pub at: Moment,
    /// What to tell people.
    pub summary: String,
    /// What it rests on, oldest first.
    pub sources: Vec<Source>,
    /// How many events it rests on, with those that were told before.
    pub count: u64,
    /// Whether it is more of what was told before. It belongs to an incident, but is no further alert.
    pub continues: bool,
    /// The kind of incident that it belongs to.
    pub incident: Option<String>,
    /// For how many seconds an open incident takes it in.
    pub dedup_seconds: u32,
    /// What to do about the agent.
    pub respond: Option<Response>,
    /// What the rule tells once and never again, as a hash: what was new, or the hour that was unusual. Whoever forgets
    /// can find out from it that it was told before.
    pub once: Option<String>,
    pub(super) around_count: Vec<String>,
}

/// What a rule's memory found.
pub(super) struct Hit {
    pub(super) count: u64,
    pub(super) sources: Vec<Kept>,
    pub(super) continues: bool,
}

impl Hit {
    /// One event is enough.
    pub(super) fn single(kept: Kept) -> Self {
        Self { count: 1, sources: vec![kept], continues: false }
    }
}

impl Fired {
    pub(super) fn new(rule: &Rule, subject: &Subject<'_>, agent_id: Option<String>, hit: Hit) -> Self {
        let event = subject.event;
        let around_count = rule.summary.around_count(event);
        Self {
            rule_key: rule.rule_key.clone(),
            name: rule.name.clone(),
            severity: rule.severity_at(event.risk_score),
            tenant_id: event.tenant_id.clone(),
            agent_id,
            at: event.occurred_at,
            summary: around_count.join(&hit.count.to_string()),
            sources: hit.sources.iter().map(Kept::source).collect(),
            count: hit.count,
            continues: hit.continues,
            incident: rule.incident.clone(),
            dedup_seconds: rule.dedup_seconds,
            respond: rule.respond,
            once: once(rule, subject),
            around_count,
        }
    }

    /// The summary as it reads when it rests on so many events.
    #[must_use]
    pub fn summary_for(&self, count: u64) -> String {
        self.around_count.join(&count.to_string())
    }
}

/// What is told once and never again, as a hash.
fn once(rule: &Rule, subject: &Subject<'_>) -> Option<String> {
    let event = subject.event;
    let text = match rule.shape() {
        Shape::FirstSeen(fields) => format!("{fields:?}\n{}", subject.joined(fields)?),
        Shape::Rate(_) => format!("{}\n{}", hour_of(event.occurred_at.micros()), event.agent_id.as_deref()?),
        Shape::Single | Shape::Count(_) | Shape::Sequence(_) => return None,
    };
    Some(crate::receipt::sha256(&text).hex())
}

/// An event as it is remembered: when it was and how to find it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) at: i64,
    event: Id,
    decision: Option<Id>,
}

impl Kept {
    pub(super) fn new(event: &Event) -> Self {
        Self {
            at: event.occurred_at.micros(),
            event: Id::new(&event.event_id),
            decision: event.evidence.decision_id.as_deref().map(Id::new),
        }
    }

    fn source(&self) -> Source {
        Source { event_id: self.event.text(), decision_id: self.decision.as_ref().map(Id::text) }
    }
}

/// An id. Nearly all are UUIDs, which take a quarter of the memory when they are not kept as text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Id {
    Uuid([u8; 16]),
    Text(Box<str>),
}

impl Id {
    fn new(text: &str) -> Self {
        let mut buffer = Uuid::encode_buffer();
        match Uuid::try_parse(text) {
            Ok(id) if *id.hyphenated().encode_lower(&mut buffer) == *text => Self::Uuid(id.into_bytes()),
            _ => Self::Text(text.into()),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Uuid(bytes) => Uuid::from_bytes(*bytes).hyphenated().to_string(),
            Self::Text(text) => text.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_back_as_they_were_written() {
        for text in ["0198c7d0-0000-7000-8000-000000000001", "0198C7D0-0000-7000-8000-000000000001", "event-1", ""] {
            assert_eq!(Id::new(text).text(), text);
        }
    }
}
