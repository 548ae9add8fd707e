//! The evidence graph: one tenant's agents, runs, calls, decisions, approvals, receipts, incidents, servers and policies.
//!
//! Made from the rows when somebody asks, never kept, so it says what the rows say. Its shape is what vis.js takes as it
//! is. Nothing that a call carried is in it, only names, verdicts and hashes.

mod build;
mod query;

use serde::Serialize;
use serde_json::Value;

use crate::Moment;
use crate::identity::words;

/// Most decisions in one answer about a run, an incident or a chain. More can be asked for with the cursor.
pub const MOST_DECISIONS: usize = 500;
/// Most decisions in one answer about an agent.
pub const MOST_OF_AGENT: usize = 50;
/// Most runs in one answer about a chain.
pub const MOST_RUNS: usize = 1_000;

/// A graph, and whether it is all there is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, utoipa::ToSchema)]
pub struct EvidenceGraph {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// Whether there is more than this.
    pub truncated: bool,
    /// How many decisions there are in all.
    pub total_decisions: u64,
    /// What to ask with for the next part.
    pub next_cursor: Option<String>,
    /// Of how many of these decisions or events retention took the readable parts out.
    #[serde(skip_serializing_if = "is_none")]
    pub details_dropped: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serialisation asks for")]
const fn is_none(count: &u64) -> bool {
    *count == 0
}

/// A node.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = EvidenceNode)]
pub struct Node {
    /// The group, a colon, and the id of what it stands for.
    pub id: String,
    /// What it is.
    pub group: Group,
    /// What it is called.
    pub label: String,
    /// When it came to be.
    pub timestamp: Moment,
    /// Risk and reason of a decision; nothing for all others.
    pub metadata: Option<Value>,
}

/// An edge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = EvidenceEdge)]
pub struct Edge {
    /// Where it starts.
    pub from: String,
    /// Where it leads.
    pub to: String,
    /// What it says.
    pub label: Label,
    /// When that came to be.
    pub timestamp: Moment,
}

/// What a node is. The set is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// A registered agent.
    Agent,
    /// A run of an agent.
    Run,
    /// A call that was asked about.
    ToolCall,
    /// What was decided about it.
    Decision,
    /// A question to a person.
    Approval,
    /// The signed record.
    Receipt,
    /// An incident.
    Incident,
    /// The MCP server that was called.
    McpServer,
    /// A policy that decided.
    Policy,
}

words!(Group as "EvidenceGroup", "a group of nodes",
    Agent => "agent", Run => "run", ToolCall => "tool_call", Decision => "decision", Approval => "approval",
    Receipt => "receipt", Incident => "incident", McpServer => "mcp_server", Policy => "policy");

/// What an edge says. The set is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// A run by an agent or by the run before it; a call without a run by an agent.
    TriggeredBy,
    /// A run made a call.
    Executed,
    /// A call was decided.
    Decided,
    /// A decision asked a person.
    Approved,
    /// A decision made a receipt.
    Produced,
    /// A decision and a policy, a call and a server, an incident and what it is about.
    LinkedTo,
}

words!(Label as "EvidenceLabel", "a label of edges",
    TriggeredBy => "triggered_by", Executed => "executed", Decided => "decided", Approved => "approved",
    Produced => "produced", LinkedTo => "linked_to");
