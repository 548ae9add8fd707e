//! Decisions: what is handed in to be recorded, and what is on record.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tracehound_model::{TrustLevel, Verdict};
use utoipa::openapi::schema::{Array, SchemaType, Type};
use utoipa::openapi::{ObjectBuilder, Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::approval::{Approval, NewApproval};
use crate::identity::Agent;
use crate::{Error, Moment};

/// A decision that is to be recorded. It holds no argument of the call, only hashes.
#[derive(Debug, Clone)]
pub struct NewDecision {
    /// Who asked, as they were when it was decided.
    pub agent: Arc<Agent>,
    /// Which registered tools, servers and policies it was decided with.
    pub rules_epoch: u64,
    /// What the caller calls this request; the same name may not stand for another request.
    pub request_id: Option<String>,
    /// The hash of the whole request.
    pub request_hash: String,
    /// Something that the caller uses once.
    pub nonce: Option<Nonce>,
    /// What was decided about.
    pub call: Call,
    /// What was decided.
    pub ruling: Ruling,
    /// What a person has to agree to.
    pub approval: Option<NewApproval>,
    /// When the request came in.
    pub received_at: Moment,
}

/// Something that a caller uses once.
#[derive(Debug, Clone)]
pub struct Nonce {
    /// What the caller sent.
    pub value: String,
    /// Until when it is remembered.
    pub expires_at: Moment,
}

/// The call that a decision is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = DecidedCall)]
pub struct Call {
    /// The person behind the run.
    pub user_id: Option<String>,
    /// The run.
    pub run_id: Option<String>,
    /// The trace.
    pub trace_id: Option<String>,
    /// The run that started this run.
    pub parent_run_id: Option<String>,
    /// The tool, as the caller wrote it.
    pub tool: String,
    /// The action, as the caller wrote it.
    pub action: String,
    /// The target.
    pub resource: Option<String>,
    /// The MCP server that the tool belongs to.
    pub mcp_server: Option<ServerRef>,
    /// How far the cause is trusted, as the caller said.
    pub source_trust: TrustLevel,
    /// How far the cause is trusted when everything before it is counted.
    pub root_trust_level: TrustLevel,
    /// Whether it changes anything.
    pub mutates_state: bool,
    /// The hash of tool, action, target, arguments.
    pub action_hash: String,
    /// The hash of the arguments.
    pub argument_hash: String,
}

/// An MCP server that a decision names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ServerRef {
    /// Its key.
    pub server_key: String,
    /// Its id in the trust graph.
    pub node_id: String,
    /// What people call it.
    pub name: String,
}

/// What was decided, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Ruling {
    /// What was decided.
    #[serde(rename = "decision")]
    pub verdict: Verdict,
    /// Why, as a stable code that agents may see.
    pub code: String,
    /// Why, in words that agents may see.
    pub reason: String,
    /// Why, for operators: policy and clause.
    pub explanation: String,
    /// How bad the call can get, from 0 to 100.
    pub risk_score: u8,
    /// The same with everything around it counted.
    pub composite_risk_score: u8,
    /// The policies that decided.
    pub policies: Vec<MatchedPolicy>,
    /// The fields whose values must not be used.
    pub redacted_fields: Vec<String>,
}

/// A policy that decided, exactly as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct MatchedPolicy {
    /// Its stable name.
    pub name: String,
    /// Its version; 0 for what is built in.
    pub version: u32,
    /// The hash of its text; empty for checks that are no policy.
    pub hash: String,
}

impl Ruling {
    /// A denial that does not come from a policy.
    #[must_use]
    pub fn refused(&self, code: &str, reason: &str) -> Self {
        Self {
            verdict: Verdict::Deny,
            code: code.to_owned(),
            reason: reason.to_owned(),
            explanation: reason.to_owned(),
            risk_score: 100,
            composite_risk_score: 100,
            policies: vec![MatchedPolicy { name: code.to_owned(), version: 0, hash: String::new() }],
            redacted_fields: Vec::new(),
        }
    }
}

/// A decision on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Decision {
    /// Its place among all decisions.
    #[serde(skip)]
    pub number: i64,
    /// Its id.
    #[serde(rename = "decision_id")]
    pub id: String,
    /// Whose it is.
    #[serde(rename = "tenant_id")]
    pub tenant: String,
    /// Who asked.
    pub agent_id: String,
    /// What the caller called the request.
    pub request_id: Option<String>,
    /// The call.
    #[serde(flatten)]
    pub call: Call,
    /// What was decided.
    #[serde(flatten)]
    pub ruling: Ruling,
    /// How long it took until it was written, in microseconds.
    pub latency_us: i64,
    /// When it was made.
    pub created_at: Moment,
    /// When retention took the readable parts out; nothing as long as they are there.
    #[serde(rename = "details_dropped_at", skip_serializing_if = "Option::is_none")]
    pub dropped_at: Option<Moment>,
}

/// A decision with what came out of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recorded {
    /// The decision.
    #[serde(flatten)]
    pub decision: Decision,
    /// What a person has to agree to.
    pub approval: Option<Approval>,
    /// Its receipt.
    pub receipt: ReceiptRef,
}

/// A receipt by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct ReceiptRef {
    /// Its id.
    pub receipt_id: String,
    /// Its hash.
    pub receipt_hash: String,
    /// The hash of the one before it.
    pub prev_receipt_hash: String,
    /// Its place in the chain.
    pub sequence: u64,
    /// The form that is hashed.
    pub canon_version: String,
}

/// What became of a decision that was handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is on record.
    Recorded(Recorded),
    /// The very same request was decided before; this is that decision.
    Repeated(Recorded),
    /// The nonce or the request id was used before for something else. The refusal is on record instead.
    Refused(Recorded),
}

impl Outcome {
    /// What is on record.
    #[must_use]
    pub const fn recorded(&self) -> &Recorded {
        match self {
            Self::Recorded(recorded) | Self::Repeated(recorded) | Self::Refused(recorded) => recorded,
        }
    }
}

/// Which decisions are asked for.
#[derive(Debug, Clone, Default)]
pub struct DecisionFilter {
    /// Of this agent.
    pub agent_id: Option<String>,
    /// Of this run.
    pub run_id: Option<String>,
    /// About calls of this MCP server: its key, or its id in the trust graph.
    pub mcp_server: Option<String>,
    /// With this verdict.
    pub verdict: Option<Verdict>,
    /// Not older than this.
    pub from: Option<Moment>,
    /// Older than this.
    pub to: Option<Moment>,
}

/// A page of a list, newest first, and where the next begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Page<T> {
    /// What is on it.
    pub items: Vec<T>,
    /// What to ask for to get the next page; nothing if this is the last.
    pub next_cursor: Option<String>,
}

impl<T: ToSchema> PartialSchema for Page<T> {
    fn schema() -> RefOr<Schema> {
        let items = Array::new(Ref::from_schema_name(T::name()));
        let cursor = SchemaType::Array(vec![Type::String, Type::Null]);
        ObjectBuilder::new()
            .property("items", items)
            .property("next_cursor", ObjectBuilder::new().schema_type(cursor))
            .required("items")
            .required("next_cursor")
            .into()
    }
}

impl<T: ToSchema> ToSchema for Page<T> {
    fn name() -> Cow<'static, str> {
        format!("{}Page", T::name()).into()
    }

    fn schemas(all: &mut Vec<(String, RefOr<Schema>)>) {
        all.push((T::name().into_owned(), T::schema()));
        T::schemas(all);
    }
}

/// Reads the place of a cursor.
pub(crate) fn place_of(cursor: Option<&str>) -> Result<Option<i64>, Error> {
    let wrong = || Error::Invalid {
        code: "bad_cursor",
        message: "the cursor is not one that was given out; leave it out to start with the newest".to_owned(),
    };
    cursor.map(|text| text.parse::<i64>().ok().filter(|place| *place >= 0).ok_or_else(wrong)).transpose()
}
