//! What detection looks at, and what live viewers are sent: one event for everything that happened.
//!
//! Events of decisions are made from the decisions, so that they can be made again for the past; all others are stored.

use serde::{Deserialize, Serialize};
use tracehound_model::TrustLevel;

use crate::Moment;
use crate::decision::Decision;
use crate::detect::Severity;

/// The kind of event that every decision is.
pub const AUTHORIZE_DECISION: &str = "authorize_decision";
/// An agent was stopped by a decision.
pub const AGENT_QUARANTINED: &str = "agent_quarantined";
/// An agent's risk tier was raised.
pub const AGENT_RISK_ESCALATED: &str = "agent_risk_escalated";
/// An approval, a nonce or a request id was used in a way in which only an attacker would.
pub const REPLAY_ATTEMPT: &str = "replay_attempt";
/// An MCP server shows something else than before.
pub const MCP_MANIFEST_DRIFT: &str = "mcp_manifest_drift";
/// Something was done to stop an agent or a server, or was undone.
pub const CONTAINMENT: &str = "containment";
/// An approval was decided, edited or consumed.
pub const APPROVAL: &str = "approval";
/// An incident was opened, grew or was closed.
pub const INCIDENT: &str = "incident";
/// The code of the event that an incident was closed.
pub const INCIDENT_CLOSED: &str = "incident_closed";
/// A detection rule matched.
pub const ALERT: &str = "alert";
/// The receipt chain does not verify.
pub const CHAIN_BROKEN: &str = "receipt_chain_integrity_failure";

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// For the event of a decision this is the decision's id.
    pub event_id: String,
    /// When it happened.
    pub occurred_at: Moment,
    /// Whose it is.
    pub tenant_id: String,
    /// One of the kinds above.
    pub kind: String,
    /// The agent that it is about.
    pub agent_id: Option<String>,
    /// What was decided.
    pub decision: Option<String>,
    /// The tool of the call, or what an attempt was made on.
    pub tool: Option<String>,
    /// The action of the call.
    pub action: Option<String>,
    /// The target of the call.
    pub resource: Option<String>,
    /// The run of the call.
    pub run_id: Option<String>,
    /// The trace of the call.
    pub trace_id: Option<String>,
    /// Why, in words.
    pub reason: String,
    /// Why, as a stable code.
    pub code: String,
    /// How bad it can get, from 0 to 100.
    pub risk_score: u8,
    /// Whether the call changes anything.
    pub mutates_state: bool,
    /// How far the cause of the call is trusted.
    pub root_trust_level: Option<TrustLevel>,
    /// The names of the policies that decided.
    pub matched_policies: Vec<String>,
    /// How bad an alert or incident is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// 1.
    pub schema_version: u8,
    /// Where the proof is.
    pub evidence: Proof,
}

/// Where the proof of an event is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// The decision.
    pub decision_id: Option<String>,
    /// The approval.
    pub approval_id: Option<String>,
    /// The hash of the action.
    pub action_hash: Option<String>,
    /// The receipt.
    pub receipt_id: Option<String>,
    /// Its hash.
    pub receipt_hash: Option<String>,
    /// The alert, as it is on record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alert_id: Option<String>,
    /// The incident, as it is on record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incident_id: Option<String>,
}

impl Event {
    /// An event about which nothing but the agent is said.
    #[must_use]
    pub fn about_agent(tenant: &str, agent: Option<&str>) -> Self {
        Self {
            event_id: String::new(),
            occurred_at: Moment::default(),
            tenant_id: tenant.to_owned(),
            kind: String::new(),
            agent_id: agent.map(ToOwned::to_owned),
            decision: None,
            tool: None,
            action: None,
            resource: None,
            run_id: None,
            trace_id: None,
            reason: String::new(),
            code: String::new(),
            risk_score: 0,
            mutates_state: false,
            root_trust_level: None,
            matched_policies: Vec::new(),
            severity: None,
            schema_version: 1,
            evidence: Proof::default(),
        }
    }

    /// The event that a decision is.
    #[must_use]
    pub fn of_decision(decision: Decision) -> Self {
        let Decision { id, tenant, agent_id, call, ruling, created_at, .. } = decision;
        Self {
            event_id: id.clone(),
            occurred_at: created_at,
            tenant_id: tenant,
            kind: AUTHORIZE_DECISION.to_owned(),
            agent_id: Some(agent_id),
            decision: Some(ruling.verdict.name().to_owned()),
            tool: Some(call.tool),
            action: Some(call.action),
            resource: call.resource,
            run_id: call.run_id,
            trace_id: call.trace_id,
            reason: ruling.reason,
            code: ruling.code,
            risk_score: ruling.risk_score,
            mutates_state: call.mutates_state,
            root_trust_level: Some(call.root_trust_level),
            matched_policies: ruling.policies.into_iter().map(|policy| policy.name).collect(),
            severity: None,
            schema_version: 1,
            evidence: Proof { decision_id: Some(id), action_hash: Some(call.action_hash), ..Proof::default() },
        }
    }
}
