//! Approvals: a person's word on one exact call, good once and for a while.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Moment;
use crate::identity::{Agent, words};

/// What a person is to be asked.
#[derive(Debug, Clone, PartialEq)]
pub struct NewApproval {
    /// Who should answer.
    pub approver_group: Option<String>,
    /// How long the question stands.
    pub seconds: i64,
    /// The call as a person sees it, without anything secret.
    pub shown_call: Value,
    /// What the call was decided with besides.
    pub circumstances: Circumstances,
}

/// What a call is decided with besides what a decision keeps, so that it can be decided again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Circumstances {
    /// Where the agent said it runs.
    pub environment: String,
    /// What the person behind the run is.
    pub user_role: Option<String>,
    /// Whether the agent thought that sensitive data is in it.
    pub contains_sensitive_data: bool,
}

/// A question to a person, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Approval {
    /// Its id.
    #[serde(rename = "approval_id")]
    pub id: String,
    /// Whose it is.
    #[serde(rename = "tenant_id")]
    pub tenant: String,
    /// The decision that asks.
    pub decision_id: String,
    /// The agent that wants to act.
    pub agent_id: String,
    /// How far it is. What is past its time and was not decided is `EXPIRED`.
    pub status: ApprovalStatus,
    /// Who should answer.
    pub approver_group: Option<String>,
    /// The hash of the call that was asked about.
    pub original_action_hash: String,
    /// The hash of the call that may be made: the edited one, if it was edited.
    #[serde(rename = "action_hash")]
    pub effective_hash: String,
    /// When it was asked.
    pub created_at: Moment,
    /// Until when it can be answered and used.
    pub expires_at: Moment,
    /// When it was answered.
    pub decided_at: Option<Moment>,
    /// When it was used.
    pub consumed_at: Option<Moment>,
    /// When retention took the calls out; nothing as long as they are there.
    #[serde(rename = "details_dropped_at", skip_serializing_if = "Option::is_none")]
    pub dropped_at: Option<Moment>,
    /// The calls, and who did what.
    #[serde(flatten)]
    pub content: Content,
}

/// The calls of an approval, and who did what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = ApprovalContent)]
pub struct Content {
    /// The call that was asked about, without anything secret.
    pub tool_call: Value,
    /// What it was edited to, without anything secret.
    pub edited_tool_call: Option<Value>,
    /// The person behind the run, who may not agree to it.
    pub requested_for: Option<String>,
    /// Who edited it.
    pub edited_by: Option<String>,
    /// Who answered.
    pub approver_user_id: Option<String>,
    /// Why they answered so.
    pub reason: Option<String>,
    /// What the call was decided with besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub circumstances: Option<Circumstances>,
}

/// How far an approval is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ApprovalStatus {
    /// Nobody has answered.
    Created,
    /// Somebody agreed.
    Approved,
    /// Somebody refused.
    Rejected,
    /// Nobody answered in time.
    Expired,
}

words!(ApprovalStatus, "a status of an approval",
    Created => "created", Approved => "APPROVED", Rejected => "REJECTED", Expired => "EXPIRED");

/// What a person does about an approval.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Who they are.
    pub person: String,
    /// Their id; the holder of the data directory has none.
    pub person_id: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

/// What policies say about a call of an approval at this moment.
#[derive(Debug, Clone)]
pub struct Standing {
    /// The agent, as it was when it was decided.
    pub agent: Arc<Agent>,
    /// Which registered tools, servers and policies it was decided with.
    pub rules_epoch: u64,
    /// Why the call may not be made, as a stable code and in words; nothing if it may.
    pub refusal: Option<(String, String)>,
}

/// Another call in place of the one that was asked about, decided anew.
#[derive(Debug, Clone)]
pub struct Edit {
    /// Who edits, and why.
    pub answer: Answer,
    /// What was decided about it.
    pub standing: Standing,
    /// The call as a person sees it, without anything secret.
    pub shown_call: Value,
    /// Its hash.
    pub action_hash: String,
    /// The hash that the editor has seen; something else may have come in between.
    pub seen_hash: Option<String>,
}

impl Approval {
    /// Whether its time is over.
    #[must_use]
    pub fn is_over(&self, now: Moment) -> bool {
        now >= self.expires_at
    }
}
