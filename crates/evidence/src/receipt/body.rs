//! What a receipt says, before it has its place in a chain.
//!
//! Decisions are many and have fixed fields; everything else that is receipted is rare and carries a `detail` object.

mod members;

pub(super) use members::Members;

use std::borrow::Cow;

use serde_json::Value;
use tracehound_model::{TrustLevel, Verdict};

use super::RECEIPT_VERSION;
use super::hash::Hash;
use super::json::{Json, Object, Refusal};
use super::keys::PublicKey;

/// A receipt without its id, its time and its place in the chain.
#[derive(Debug, Clone, PartialEq)]
pub enum Draft {
    /// Of a decision.
    Decision(Box<Decision>),
    /// Of anything else.
    Event(Box<Event>),
}

/// What was decided about a tool call, and on what grounds.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "each field is the member of the same name, told in docs/receipts.md")]
pub struct Decision {
    pub action: String,
    pub action_hash: String,
    pub agent_id: String,
    pub approval_id: Option<String>,
    pub approver: Option<String>,
    pub argument_hash: Option<String>,
    pub code: Cow<'static, str>,
    pub composite_risk_score: u8,
    pub decision: Verdict,
    pub decision_id: String,
    pub mcp_server: Option<String>,
    pub mutates_state: bool,
    pub parent_run_id: Option<String>,
    pub policies: Vec<PolicyUsed>,
    pub reason: String,
    pub resource: Option<String>,
    pub risk_score: u8,
    pub root_trust_level: TrustLevel,
    pub run_id: Option<String>,
    pub source_trust: TrustLevel,
    pub tool: String,
    pub trace_id: Option<String>,
    pub user_id: Option<String>,
}

/// A policy that had a part in a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyUsed {
    /// Its stable name.
    pub name: String,
    /// Its version.
    pub version: u32,
    /// The hash of its text.
    pub hash: String,
}

/// Something other than a decision that is receipted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    kind: EventKind,
    agent_id: Option<String>,
    approval_id: Option<String>,
    approver: Option<String>,
    decision_id: Option<String>,
    detail: Object<'static>,
}

/// What an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    /// What became of an approval after the decision that asked for it.
    Approval,
    /// What really happened after a decision.
    Outcome,
    /// An agent was contained or let go.
    Containment,
    /// A policy changed.
    Policy,
    /// An agent, a person or a token changed.
    Identity,
    /// An MCP server or one of its tools changed.
    Mcp,
    /// Another key signs from here on.
    Key,
    /// Old records were removed.
    Retention,
}

impl EventKind {
    /// All kinds.
    pub const ALL: &'static [Self] = &[
        Self::Approval,
        Self::Outcome,
        Self::Containment,
        Self::Policy,
        Self::Identity,
        Self::Mcp,
        Self::Key,
        Self::Retention,
    ];

    /// The value of the member `kind`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Approval => "approval",
            Self::Outcome => "outcome",
            Self::Containment => "containment",
            Self::Policy => "policy",
            Self::Identity => "identity",
            Self::Mcp => "mcp",
            Self::Key => "key",
            Self::Retention => "retention",
        }
    }
}

/// What became of an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ApprovalStep {
    /// Somebody agreed.
    Approved,
    /// Somebody refused.
    Rejected,
    /// Somebody changed the call, which was decided anew.
    Edited,
    /// The agent used it, once and for all.
    Consumed,
    /// Nobody answered in time.
    Expired,
    /// The agent came with another call than the one that was approved.
    Tamper,
}

impl ApprovalStep {
    /// The value of `detail.step`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Edited => "edited",
            Self::Consumed => "consumed",
            Self::Expired => "expired",
            Self::Tamper => "tamper",
        }
    }
}

impl Event {
    /// An event of this kind, of which nothing is told yet.
    #[must_use]
    pub fn new(kind: EventKind) -> Self {
        let detail = Object::default();
        Self { kind, agent_id: None, approval_id: None, approver: None, decision_id: None, detail }
    }

    /// What became of an approval.
    #[must_use]
    pub fn approval(step: ApprovalStep, approval_id: impl Into<String>) -> Self {
        Self::new(EventKind::Approval).of_approval(approval_id).with("step", step.name())
    }

    /// What really happened after a decision; `status` is the reporter's word, `result_hash` covers what came out.
    #[must_use]
    pub fn outcome(decision_id: impl Into<String>, status: impl Into<String>, result_hash: Option<String>) -> Self {
        let event = Self::new(EventKind::Outcome).of_decision(decision_id);
        event.with("status", status.into()).with("result_hash", result_hash)
    }

    /// The key that signs from the next receipt on.
    #[must_use]
    pub fn next_key(next: &PublicKey) -> Self {
        let event = Self::new(EventKind::Key).with("next_key_id", next.id().to_owned());
        event.with("next_public_key", next.hex())
    }

    /// The agent that it is about.
    #[must_use]
    pub fn of_agent(mut self, id: impl Into<String>) -> Self {
        self.agent_id = Some(id.into());
        self
    }

    /// The approval that it belongs to.
    #[must_use]
    pub fn of_approval(mut self, id: impl Into<String>) -> Self {
        self.approval_id = Some(id.into());
        self
    }

    /// The decision that it belongs to.
    #[must_use]
    pub fn of_decision(mut self, id: impl Into<String>) -> Self {
        self.decision_id = Some(id.into());
        self
    }

    /// The person who did it.
    #[must_use]
    pub fn by(mut self, person: impl Into<String>) -> Self {
        self.approver = Some(person.into());
        self
    }

    /// A member of its `detail`.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Json<'static>>) -> Self {
        self.detail.set(name, value.into());
        self
    }

    /// All members of an object as its `detail`.
    pub fn detailed(mut self, detail: &Value) -> Result<Self, Refusal> {
        let members = detail.as_object().ok_or(Refusal::NotAnObject)?;
        for (name, value) in members {
            self.detail.set(name.clone(), Json::try_from(value)?.into_owned());
        }
        Ok(self)
    }

    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> EventKind {
        self.kind
    }
}

impl From<Decision> for Draft {
    fn from(decision: Decision) -> Self {
        Self::Decision(Box::new(decision))
    }
}

impl From<Event> for Draft {
    fn from(event: Event) -> Self {
        Self::Event(Box::new(event))
    }
}

/// What the chain adds to a draft.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) event_id: &'a str,
    pub(super) tenant: &'a str,
    pub(super) sequence: u64,
    pub(super) prev: Option<Hash>,
    pub(super) ts: &'a str,
}

impl Draft {
    /// The decision that it is about.
    #[must_use]
    pub fn decision_id(&self) -> Option<&str> {
        match self {
            Self::Decision(decision) => Some(&decision.decision_id),
            Self::Event(event) => event.decision_id.as_deref(),
        }
    }

    /// The value of the member `kind`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Decision(_) => "decision",
            Self::Event(event) => event.kind.name(),
        }
    }

    /// Writes the members that are hashed, in canonical order.
    pub(super) fn write(&self, place: &Place<'_>) -> Members {
        match self {
            Self::Decision(decision) => decision.write(place),
            Self::Event(event) => event.write(place),
        }
    }
}

impl Decision {
    fn write(&self, place: &Place<'_>) -> Members {
        let mut out = Members::with_capacity(1024 + self.reason.len() + 128 * self.policies.len());
        out.text("action", &self.action);
        out.text("action_hash", &self.action_hash);
        out.text("agent_id", &self.agent_id);
        out.optional("approval_id", self.approval_id.as_deref());
        out.optional("approver", self.approver.as_deref());
        out.optional("argument_hash", self.argument_hash.as_deref());
        out.text("canon_version", RECEIPT_VERSION);
        out.text("code", &self.code);
        out.integer("composite_risk_score", i64::from(self.composite_risk_score));
        out.text("decision", self.decision.name());
        out.text("decision_id", &self.decision_id);
        out.text("event_id", place.event_id);
        out.text("kind", "decision");
        out.optional("mcp_server", self.mcp_server.as_deref());
        out.flag("mutates_state", self.mutates_state);
        out.optional("parent_run_id", self.parent_run_id.as_deref());
        out.list("policies", &self.policies, |policy, out| {
            out.text("hash", &policy.hash);
            out.text("name", &policy.name);
            out.integer("version", i64::from(policy.version));
        });
        out.previous(place.prev);
        out.text("reason", &self.reason);
        out.optional("resource", self.resource.as_deref());
        out.integer("risk_score", i64::from(self.risk_score));
        out.text("root_trust_level", self.root_trust_level.name());
        out.optional("run_id", self.run_id.as_deref());
        out.number("sequence", place.sequence);
        out.text("source_trust", self.source_trust.name());
        out.text("tenant_id", place.tenant);
        out.text("tool", &self.tool);
        out.optional("trace_id", self.trace_id.as_deref());
        out.text("ts", place.ts);
        out.optional("user_id", self.user_id.as_deref());
        out
    }
}

impl Event {
    fn write(&self, place: &Place<'_>) -> Members {
        let mut out = Members::with_capacity(1024);
        out.optional("agent_id", self.agent_id.as_deref());
        out.optional("approval_id", self.approval_id.as_deref());
        out.optional("approver", self.approver.as_deref());
        out.text("canon_version", RECEIPT_VERSION);
        out.optional("decision_id", self.decision_id.as_deref());
        out.object("detail", &self.detail);
        out.text("event_id", place.event_id);
        out.text("kind", self.kind.name());
        out.previous(place.prev);
        out.number("sequence", place.sequence);
        out.text("tenant_id", place.tenant);
        out.text("ts", place.ts);
        out
    }
}
