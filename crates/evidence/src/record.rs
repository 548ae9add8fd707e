//! Whether a decision on record still is what its receipt says.
//!
//! Lists, graphs and detection read rows, and only receipts are signed. So the two are compared: whoever changes a row, takes one out
//! or adds one has to answer for it.

use serde_json::{Value, json};

use crate::Error;
use crate::decision::Decision;

/// What retention takes out of a row; the receipt keeps it.
const DROPPED: [&str; 6] = ["mcp_server", "policies", "reason", "resource", "trace_id", "user_id"];

/// The members of a receipt that the decision on record contradicts, by name; nothing if they agree. A receipt that is no decision's
/// has nothing to agree with.
#[must_use]
pub(crate) fn differences(receipt: &Value, sequence: u64, row: Option<&(Decision, Option<u64>)>) -> Vec<&'static str> {
    if receipt.get("kind").and_then(Value::as_str) != Some("decision") {
        return Vec::new();
    }
    let Some((decision, place)) = row else { return vec!["decision_id"] };
    let mut differing: Vec<&'static str> = told(decision)
        .into_iter()
        .filter(|(name, _)| decision.dropped_at.is_none() || !DROPPED.contains(name))
        .filter(|(name, value)| receipt.get(*name).unwrap_or(&Value::Null) != value)
        .map(|(name, _)| name)
        .collect();
    if *place != Some(sequence) {
        differing.push("sequence");
    }
    differing
}

/// Whether a row could be found and holds something that no row of ours does.
pub(crate) fn is_nonsense(error: &Error) -> bool {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType};
    let Error::Store { source, .. } = error else { return false };
    matches!(source, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..))
}

/// What the receipt of a decision has to say, made from its row.
fn told(decision: &Decision) -> [(&'static str, Value); 22] {
    let (call, ruling) = (&decision.call, &decision.ruling);
    [
        ("action", json!(call.action)),
        ("action_hash", json!(call.action_hash)),
        ("agent_id", json!(decision.agent_id)),
        ("argument_hash", json!(call.argument_hash)),
        ("code", json!(ruling.code)),
        ("composite_risk_score", json!(ruling.composite_risk_score)),
        ("decision", json!(ruling.verdict.name())),
        ("decision_id", json!(decision.id)),
        ("mcp_server", json!(call.mcp_server.as_ref().map(|server| &server.node_id))),
        ("mutates_state", json!(call.mutates_state)),
        ("parent_run_id", json!(call.parent_run_id)),
        ("policies", json!(ruling.policies)),
        ("reason", json!(ruling.reason)),
        ("resource", json!(call.resource)),
        ("risk_score", json!(ruling.risk_score)),
        ("root_trust_level", json!(call.root_trust_level.name())),
        ("run_id", json!(call.run_id)),
        ("source_trust", json!(call.source_trust.name())),
        ("tool", json!(call.tool)),
        ("trace_id", json!(call.trace_id)),
        ("ts", json!(decision.created_at)),
        ("user_id", json!(call.user_id)),
    ]
}
