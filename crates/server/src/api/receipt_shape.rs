//! Receipts and checkpoints as they are described. They are sent as the text that was signed, so nothing is made from these.

use tracehound_evidence::Moment;
use tracehound_evidence::decision::MatchedPolicy;
use tracehound_model::{TrustLevel, Verdict};
use utoipa::ToSchema;

/// A receipt. What belongs to decisions only, or to everything else only, is absent in the others.
#[derive(Debug, ToSchema)]
#[schema(as = Receipt)]
#[expect(dead_code, reason = "describes what is sent as text")]
pub(crate) struct DescribedReceipt {
    /// `tracehound-receipt-1`.
    canon_version: String,
    /// Its id.
    event_id: String,
    /// `decision`, `approval`, `outcome`, `containment`, `policy`, `identity`, `mcp`, `key` or `retention`.
    kind: String,
    tenant_id: String,
    /// Its place in the chain, from 0.
    sequence: u64,
    /// Empty for the first.
    prev_receipt_hash: String,
    ts: Moment,
    /// SHA-256 over the canonical form without this, `signature` and `signer_key_id`.
    receipt_hash: String,
    /// Ed25519 over the hex digits of the hash.
    signature: Option<String>,
    signer_key_id: Option<String>,
    decision_id: Option<String>,
    agent_id: Option<String>,
    approval_id: Option<String>,
    approver: Option<String>,
    /// What everything but decisions has to say.
    #[schema(value_type = Option<Object>)]
    detail: Option<serde_json::Value>,
    user_id: Option<String>,
    run_id: Option<String>,
    trace_id: Option<String>,
    parent_run_id: Option<String>,
    tool: Option<String>,
    action: Option<String>,
    resource: Option<String>,
    mcp_server: Option<String>,
    source_trust: Option<TrustLevel>,
    root_trust_level: Option<TrustLevel>,
    mutates_state: Option<bool>,
    decision: Option<Verdict>,
    code: Option<String>,
    reason: Option<String>,
    risk_score: Option<u8>,
    composite_risk_score: Option<u8>,
    policies: Option<Vec<MatchedPolicy>>,
    action_hash: Option<String>,
    argument_hash: Option<String>,
}

/// Receipts, newest or oldest first.
#[derive(Debug, ToSchema)]
#[schema(as = ReceiptList)]
#[expect(dead_code, reason = "describes what is sent as text")]
pub(crate) struct DescribedReceipts(Vec<DescribedReceipt>);

/// A signed statement of how long a chain is and what it holds.
#[derive(Debug, ToSchema)]
#[schema(as = Checkpoint)]
#[expect(dead_code, reason = "describes what is sent as text")]
pub(crate) struct DescribedCheckpoint {
    /// `tracehound-checkpoint-1`.
    canon_version: String,
    tenant_id: String,
    /// How many receipts there are.
    size: u64,
    /// The root of the Merkle tree over them.
    root_hash: String,
    last_receipt_hash: String,
    ts: Moment,
    checkpoint_hash: String,
    signature: Option<String>,
    signer_key_id: Option<String>,
}
