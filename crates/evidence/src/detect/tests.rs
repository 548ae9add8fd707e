//! What detection as a whole promises: rules that prove themselves, counting and sequences that agree with looking at
//! everything, memory that is bounded, incidents that carry what they rest on.

mod documentation;
mod incidents;
mod naive;
mod promises;
mod reading;

use std::sync::Arc;

use super::*;
use crate::Moment;
use crate::event::{AUTHORIZE_DECISION, Event, Proof};

/// A moment that is no multiple of anything.
pub(super) const START: i64 = 1_767_225_601_234_567;

/// The call of an agent, so many microseconds after the start.
pub(super) fn call(at: i64, agent: &str, decision: &str, action: &str) -> Event {
    Event {
        event_id: format!("{agent}-{action}-{decision}-{at}"),
        occurred_at: Moment::from_micros(START + at),
        tenant_id: "tenant".into(),
        kind: AUTHORIZE_DECISION.into(),
        agent_id: Some(agent.into()),
        decision: Some(decision.into()),
        tool: Some("tool".into()),
        action: Some(action.into()),
        resource: None,
        run_id: None,
        trace_id: None,
        reason: "because".into(),
        code: "code".into(),
        risk_score: 10,
        mutates_state: false,
        root_trust_level: None,
        matched_policies: Vec::new(),
        severity: None,
        schema_version: 1,
        evidence: Proof { decision_id: Some(format!("decision-{agent}-{at}")), ..Proof::default() },
    }
}

pub(super) fn rule(text: &str) -> Arc<Rule> {
    Arc::new(read_rule(text).unwrap())
}

/// A rule with an incident that counts denials.
pub(super) fn denials(at_least: usize, within_seconds: u32) -> Arc<Rule> {
    rule(&format!(
        "{{rule_key: denials, name: Denials, severity: high, incident: denials, condition: {{decision: deny}}, \
         count: {{at_least: {at_least}, within_seconds: {within_seconds}}}, summary: 'denied {{count}} times'}}"
    ))
}

pub(super) const SECOND: i64 = 1_000_000;
