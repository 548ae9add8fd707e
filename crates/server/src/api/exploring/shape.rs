//! Nodes and edges as parts of a graph.

use serde::Serialize;
use tracehound_graph::Moment;
use tracehound_model::{EdgeKind, NodeKind, Severity};

use crate::api::estate_shape::{FoundPath, NodeRef};

/// A node in a graph.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct GraphNode {
    pub(crate) id: String,
    pub(crate) kind: NodeKind,
    /// What people call it.
    pub(crate) name: String,
    /// From 0 to 100; kinds that are no danger have none.
    pub(crate) risk_score: Option<f64>,
    /// How bad the worst finding about it is that nobody let stand.
    #[schema(inline)]
    pub(crate) severity: Option<Severity>,
    /// How many edges it has in the whole estate.
    pub(crate) degree: usize,
    /// Marked as held by an attacker.
    pub(crate) owned: bool,
    /// Marked as what matters most.
    pub(crate) crown_jewel: bool,
    /// The machines whose scans saw it.
    pub(crate) origins: Vec<String>,
    /// When it was seen first; of what analysis made up nothing is said.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(crate) first_seen: Option<Moment>,
    /// When it was seen last.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(crate) last_seen: Option<Moment>,
}

/// An edge in a graph.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct GraphEdge {
    pub(crate) kind: EdgeKind,
    /// The id of the node that it starts at.
    pub(crate) source: String,
    /// The id of the node that it ends at.
    pub(crate) target: String,
    /// Whether it was derived, not seen.
    pub(crate) composite: bool,
    /// How sure we are, from 0 to 1.
    pub(crate) confidence: f64,
    /// How hard it is to walk, from 0 (free) to 1.
    pub(crate) weight: f64,
    /// The machines on which it is seen; derived ones name none.
    pub(crate) origins: Vec<String>,
}

/// Part of a graph.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct Subgraph {
    pub(crate) nodes: Vec<GraphNode>,
    /// Each edge is told with the later of its ends, so that all pages together are the whole.
    pub(crate) edges: Vec<GraphEdge>,
    /// Nodes on all pages.
    pub(crate) total_nodes: usize,
    /// Edges on all pages.
    pub(crate) total_edges: usize,
    /// Derived edges that are true and counted but not written down, because their node has very many.
    pub(crate) unwritten_edges: u64,
    /// Whether there is more than this page tells.
    pub(crate) truncated: bool,
    /// Where the next page begins.
    pub(crate) next_cursor: Option<String>,
}

/// What a selection means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct Ends {
    /// As it was said.
    pub(crate) selection: String,
    /// How many nodes it names.
    pub(crate) nodes: usize,
}

/// Paths from one selection to another.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct PathsAnswer {
    pub(crate) from: Ends,
    pub(crate) to: Ends,
    /// The best first.
    pub(crate) paths: Vec<FoundPath>,
    /// Whether there are no others; null if nobody looked.
    pub(crate) complete: Option<bool>,
    /// What else has to be known of the answer.
    pub(crate) notes: Vec<String>,
}

/// A node whose score would differ.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct ScoreChange {
    pub(crate) node: NodeRef,
    pub(crate) before: Option<f64>,
    /// Null if it would be gone.
    pub(crate) after: Option<f64>,
}
