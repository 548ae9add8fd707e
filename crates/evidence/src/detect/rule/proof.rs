//! A rule's own tests: short lists of events, and whether the rule fires.

use std::sync::Arc;

use serde::Deserialize;
use tracehound_model::{TrustLevel, Verdict};

use super::Rule;
use crate::Moment;
use crate::detect::{Detector, limits};
use crate::event::{AUTHORIZE_DECISION, Event, Proof};

/// Some events, and whether the rule fires.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleTest {
    /// What it shows.
    pub description: String,
    /// What happens. The order is that of the times.
    pub events: Vec<TestEvent>,
    /// Whether the rule fires.
    pub fires: bool,
}

/// An event of a test. What is left out is usual: an allowed call of the same agent, tool and action, a second later.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TestEvent {
    /// When, in seconds from the start of the test. Left out: a second after what stands before.
    pub at: Option<f64>,
    /// How many times it happens.
    pub repeat: u32,
    /// How many seconds apart.
    pub every: f64,
    /// The kind of event.
    pub event_type: String,
    /// The agent.
    pub agent: String,
    /// The decision.
    pub decision: String,
    /// The tool.
    pub tool: String,
    /// The action.
    pub action: String,
    /// The target.
    pub resource: Option<String>,
    /// The run.
    pub run: Option<String>,
    /// How far the cause is trusted.
    pub trust: Option<TrustLevel>,
    /// Whether the call changes anything.
    pub mutating: bool,
    /// The risk score.
    pub risk_score: u8,
    /// The policies that decided.
    pub policies: Vec<String>,
    /// The code of the reason.
    pub code: String,
    /// The reason.
    pub reason: String,
}

impl Default for TestEvent {
    fn default() -> Self {
        Self {
            at: None,
            repeat: 1,
            every: 1.0,
            event_type: AUTHORIZE_DECISION.to_owned(),
            agent: "agent".to_owned(),
            decision: Verdict::Allow.name().to_owned(),
            tool: "tool".to_owned(),
            action: "run".to_owned(),
            resource: None,
            run: None,
            trust: None,
            mutating: false,
            risk_score: 0,
            policies: Vec::new(),
            code: String::new(),
            reason: String::new(),
        }
    }
}

/// When every test starts: 2026-01-01, for no other reason than that it is the same each time.
const START_MICROS: i64 = 1_767_225_600_000_000;

/// The longest test, in seconds: what is usual is taken from seven days.
const LONGEST_SECONDS: f64 = 30.0 * 86_400.0;

impl Rule {
    /// The descriptions of the tests that come out differently than they say. A rule that can't prove itself should
    /// not be used.
    ///
    /// Takes time in proportion to the events of the tests, of which there are at most
    /// [`limits::TESTS`] × [`limits::TEST_EVENTS`].
    #[must_use]
    pub fn failed_tests(&self) -> Vec<String> {
        let rule = Arc::new(Self { enabled: true, ..self.clone() });
        let fires = |test: &RuleTest| {
            let mut detector = Detector::new([Arc::clone(&rule)]);
            let fired = test.expanded().into_iter().map(|event| detector.observe(&event).fired.len());
            // All events are observed, so that a test takes the same path whatever it expects.
            fired.sum::<usize>() > 0
        };
        let failed = self.tests.iter().filter(|test| fires(test) != test.fires);
        failed.map(|test| test.description.clone()).collect()
    }
}

impl RuleTest {
    /// What is wrong with the test itself.
    pub(super) fn check(&self) -> Result<(), String> {
        let events: usize = self.events.iter().map(|event| event.repeat as usize).sum();
        let is_time = |seconds: f64| (0.0..=LONGEST_SECONDS).contains(&seconds);
        if events == 0 || events > limits::TEST_EVENTS {
            return Err(format!("a test has 1 to {} events", limits::TEST_EVENTS));
        }
        if !self.events.iter().all(|it| it.at.is_none_or(is_time) && is_time(it.every * f64::from(it.repeat))) {
            return Err("the times of a test are seconds from its start, at most 30 days".to_owned());
        }
        Ok(())
    }

    /// The events with their repetitions, in the order of their times.
    pub(crate) fn expanded(&self) -> Vec<Event> {
        let mut moments = Vec::new();
        let mut next = 0.0;
        for event in &self.events {
            let start = event.at.unwrap_or(next);
            for turn in 0..event.repeat {
                let at = start + event.every * f64::from(turn);
                moments.push((micros(at), event));
                next = at + 1.0;
            }
        }
        moments.sort_by_key(|(at, _)| *at);
        moments.into_iter().enumerate().map(|(number, (at, event))| event.at_moment(at, number)).collect()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "times are checked to be within 30 days")]
fn micros(seconds: f64) -> i64 {
    START_MICROS + (seconds * 1e6).round() as i64
}

impl TestEvent {
    fn at_moment(&self, at: i64, number: usize) -> Event {
        let id = format!("event-{number}");
        Event {
            event_id: id.clone(),
            occurred_at: Moment::from_micros(at),
            kind: self.event_type.clone(),
            decision: Some(self.decision.clone()),
            tool: Some(self.tool.clone()),
            action: Some(self.action.clone()),
            resource: self.resource.clone(),
            run_id: self.run.clone(),
            reason: self.reason.clone(),
            code: self.code.clone(),
            risk_score: self.risk_score,
            mutates_state: self.mutating,
            root_trust_level: self.trust,
            matched_policies: self.policies.clone(),
            evidence: Proof { decision_id: Some(id), ..Proof::default() },
            ..Event::about_agent("tenant", Some(&self.agent))
        }
    }
}
