//! What it costs to change something.

use std::collections::BTreeMap;

use tracehound_model::{EdgeKind, NodeKind};

use crate::flow::Capacity;

/// What changes cost: one each, unless said otherwise.
#[derive(Debug, Clone, Default)]
pub struct FixCosts {
    edges: BTreeMap<EdgeKind, Capacity>,
    nodes: BTreeMap<NodeKind, Capacity>,
}

impl FixCosts {
    /// Sets what it costs to remove an edge of a kind; none if that can't be done.
    pub fn edge(&mut self, kind: EdgeKind, cost: Option<u64>) {
        self.edges.insert(kind, cost.map_or(Capacity::Infinite, Capacity::Finite));
    }

    /// Sets what it costs to remove a node of a kind; none if that can't be done.
    pub fn node(&mut self, kind: NodeKind, cost: Option<u64>) {
        self.nodes.insert(kind, cost.map_or(Capacity::Infinite, Capacity::Finite));
    }

    pub(super) fn of_edge(&self, kind: EdgeKind) -> Capacity {
        self.edges.get(&kind).copied().unwrap_or(Capacity::Finite(1))
    }

    pub(super) fn of_node(&self, kind: NodeKind) -> Capacity {
        self.nodes.get(&kind).copied().unwrap_or(Capacity::Finite(1))
    }
}
