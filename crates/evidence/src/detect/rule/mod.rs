//! What a rule is: which events it looks at, how many of them in which order make it fire, and what follows.

mod condition;
mod proof;
mod reading;
mod subject;
mod summary;

use serde::{Deserialize, Serialize};

use crate::identity::words;

pub use condition::{Condition, Names, Phrases};
pub use proof::{RuleTest, TestEvent};
pub use reading::{Problem, read_rule};
pub(crate) use subject::Subject;
pub use summary::Summary;

/// How bad it is when a rule fires. Ordered: what is worse is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is wrong, but somebody may want to know.
    Info,
    /// Worth a look some day.
    Low,
    /// Worth a look.
    Medium,
    /// Worth a look soon.
    High,
    /// Worth a look at once.
    Critical,
}

words!(Severity as "AlertSeverity", "a severity",
    Info => "info", Low => "low", Medium => "medium", High => "high", Critical => "critical");

/// What stops an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Response {
    /// All its calls are denied.
    Freeze,
    /// All its calls are denied, and it is taken for an attacker's.
    Quarantine,
    /// A person must agree to each of its calls.
    ForceApproval,
}

words!(Response as "RuleResponse", "a response", Freeze => "freeze", Quarantine => "quarantine", ForceApproval => "force_approval");

/// Whose events are counted together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Per {
    /// Those of one agent.
    #[default]
    Agent,
    /// Those of all agents of the tenant.
    Tenant,
}

words!(Per as "CountedPer", "what events can be counted for", Agent => "agent", Tenant => "tenant");

/// A part of an event that others are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// The agent.
    Agent,
    /// The tool.
    Tool,
    /// The action.
    Action,
    /// The target.
    Resource,
    /// The run.
    Run,
}

words!(Field as "EventField", "a part of an event",
    Agent => "agent", Tool => "tool", Action => "action", Resource => "resource", Run => "run");

/// A detection rule that was read and found right.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = DetectionRule)]
pub struct Rule {
    /// Names the rule; a tenant's rule with the key of a built-in one takes its place.
    pub rule_key: String,
    /// What it finds, in one line.
    pub name: String,
    /// Why that matters.
    pub description: String,
    /// Whether it takes part.
    pub enabled: bool,
    /// How bad it is.
    pub severity: Severity,
    /// How bad it is from certain risk scores on, lowest score first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub severity_by_score: Vec<ScoreStep>,
    /// Which events it looks at.
    #[schema(value_type = Object)]
    pub condition: Condition,
    /// How many events make it fire.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
    /// Which events, one after the other, make it fire.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub sequence: Option<Sequence>,
    /// What must not have been seen before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Field>>)]
    pub first_seen: Option<FirstSeen>,
    /// How far from the usual makes it fire.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// The kind of incident that it opens; without one it only alerts.
    pub incident: Option<String>,
    /// For so long after it was opened an open incident takes in what follows. Without an incident: so long after an alert
    /// the rule is silent about the same agent.
    pub dedup_seconds: u32,
    /// What to do about the agent.
    pub respond: Option<Response>,
    /// What to tell people.
    #[schema(value_type = String)]
    pub summary: Summary,
    /// What proves the rule.
    #[serde(skip)]
    pub tests: Vec<RuleTest>,
}

/// From this score on it is as bad as this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct ScoreStep {
    /// The score.
    pub at_least: u8,
    /// How bad it is from there on.
    pub severity: Severity,
}

/// So many events within a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = EventCount)]
pub struct Count {
    /// How many.
    pub at_least: usize,
    /// Within how many seconds.
    pub within_seconds: u32,
    /// Whose.
    #[serde(default)]
    pub per: Per,
}

/// Events one after the other within a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sequence {
    /// What each of them is.
    pub steps: Vec<Condition>,
    /// Within how many seconds.
    pub within_seconds: u32,
    /// What they must have in common, besides the agent.
    #[serde(default)]
    pub same: Vec<Field>,
}

/// Parts of an event that, together, were not seen before.
pub type FirstSeen = Vec<Field>;

/// More events in this hour than is usual for the agent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(as = EventRate)]
pub struct Rate {
    /// By how many standard deviations it must be above the mean.
    pub deviations: f64,
    /// From how many days the mean is taken.
    pub days: u32,
    /// From how many hours, at least. Hours in which nothing happened don't count.
    pub hours: u32,
}

impl Default for Rate {
    fn default() -> Self {
        Self { deviations: 3.0, days: 7, hours: 24 }
    }
}

/// What makes a rule fire, besides its condition.
#[derive(Debug, Clone, Copy)]
pub enum Shape<'r> {
    /// Nothing: every event does.
    Single,
    /// So many events within a time.
    Count(&'r Count),
    /// Events one after the other.
    Sequence(&'r Sequence),
    /// Something that was not seen before.
    FirstSeen(&'r [Field]),
    /// More than usual.
    Rate(&'r Rate),
}

impl Rule {
    /// What makes it fire. A rule has at most one such part; reading sees to that.
    #[must_use]
    pub fn shape(&self) -> Shape<'_> {
        match (&self.count, &self.sequence, &self.first_seen, &self.rate) {
            (Some(count), ..) => Shape::Count(count),
            (_, Some(sequence), ..) => Shape::Sequence(sequence),
            (_, _, Some(fields), _) => Shape::FirstSeen(fields),
            (_, _, _, Some(rate)) => Shape::Rate(rate),
            _ => Shape::Single,
        }
    }

    /// Whether the rule looks at an event at all. Whether it fires depends on the events before, too.
    #[must_use]
    pub fn accepts(&self, event: &crate::event::Event) -> bool {
        self.concerns(&Subject::new(event))
    }

    pub(crate) fn concerns(&self, subject: &Subject<'_>) -> bool {
        self.condition.holds(subject)
            && self.sequence.as_ref().is_none_or(|sequence| sequence.steps.iter().any(|step| step.holds(subject)))
    }

    /// How bad an event with this score is.
    pub(crate) fn severity_at(&self, score: u8) -> Severity {
        let reached = self.severity_by_score.iter().rev().find(|step| score >= step.at_least);
        reached.map_or(self.severity, |step| step.severity)
    }

    /// How far back the rule must remember, in seconds, to go on as if it had never forgotten. Twice its window: what fires
    /// depends on the events of one window, and whether it goes on with an earlier storm on those of the window before.
    /// What was seen before, and what is usual, is remembered for longer.
    #[must_use]
    pub fn memory_seconds(&self) -> u32 {
        let window = match self.shape() {
            Shape::Count(count) => count.within_seconds,
            Shape::Sequence(sequence) => sequence.within_seconds,
            Shape::Single | Shape::FirstSeen(_) | Shape::Rate(_) => 0,
        };
        window.saturating_mul(2).max(self.silence_seconds())
    }

    /// For how long an alert silences the rule.
    pub(crate) fn silence_seconds(&self) -> u32 {
        if self.incident.is_some() { 0 } else { self.dedup_seconds }
    }
}
