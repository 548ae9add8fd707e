//! The graph at a point: the live facts, laid out for reading.
//!
//! Nodes are numbered by kind and then by id, so the nodes of a kind are one range and equal estates have equal
//! numbers. Edges of each kind are stored forward (by source, then target) and in reverse (by target), as compressed
//! adjacency over just the range of nodes that such edges touch. A graph owns what it needs, shares the bytes of
//! properties with the facts, and does not change: it can be read from many threads while ingest goes on.
//!
//! Growth: building takes `n log n` in nodes (one sort) and is linear in edges but for sorting each node's own, with
//! about 30 bytes a node and 28 an edge besides the shared properties. Finding a node and listing neighbours take constant time and time linear in
//! the result.
#![expect(
    clippy::indexing_slicing,
    reason = "a kernel over columns that are numbered by construction; numbers come only from the graph itself"
)]

mod adjacency;
mod build;
mod change;
mod read;
mod view;

use std::sync::{Arc, OnceLock};

use hashbrown::HashTable;
use serde::Serialize;
use tracehound_model::{EdgeKind, NodeKind};

pub use adjacency::{Adjacency, Neighbours};
pub use change::{Acknowledged, Change, Rewrite};
pub use read::{EdgeRef, NodeRef};
pub use view::View;

use crate::ScanRecord;
use crate::facts::{HistoryId, Sighting};
use crate::fold::Rank;
use crate::keys::Keys;
use crate::pool::{PoolPair, Spot};
use adjacency::EdgeSet;

/// The number of a node within a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeIx(pub u32);

/// An edge within a graph: its kind and its number among the edges of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeIx {
    /// The kind.
    pub kind: EdgeKind,
    /// The number among the edges of the kind.
    pub number: u32,
}

#[derive(Debug, Clone, Copy)]
struct NodeRow {
    id: Spot,
    /// Labels and properties.
    blob: Spot,
    history: HistoryId,
}

/// When a history begins and ends.
#[derive(Debug, Clone, Copy, Default)]
struct Sightings {
    first: Rank,
    last: Rank,
}

/// An edge that is stored but not part of the graph.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Unplaced {
    /// Its kind.
    pub kind: EdgeKind,
    /// The id of its source.
    pub source: String,
    /// The id of its target.
    pub target: String,
    /// Why it is not in the graph.
    pub reason: Unplaceable,
}

/// Why an edge is not in the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unplaceable {
    /// One of its ends was never seen; it becomes real when the node arrives.
    EndMissing,
    /// One of its ends is of a kind that such an edge can't have.
    EndMisfit,
}

/// How many facts of the estate are not part of the graph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Hidden {
    /// Nodes that are gone.
    pub retired_nodes: u64,
    /// Edges that are gone.
    pub retired_edges: u64,
    /// Edges that wait for an end.
    pub pending_edges: u64,
    /// Edges whose ends don't fit.
    pub misfit_edges: u64,
}

/// The graph at a point.
#[derive(Debug)]
pub struct Graph {
    /// The scans behind it, in fold order.
    scans: Vec<Arc<ScanRecord>>,
    /// The rank of each scan by number, to read histories.
    ranks: Vec<Rank>,
    histories: Vec<Sighting>,
    sightings: Vec<Sightings>,
    keys: Keys,
    /// What the scans saw, and what no single scan saw: overlays of several looks.
    pool: PoolPair,
    nodes: Vec<NodeRow>,
    /// Where the nodes of each kind begin, and the end of the last.
    kinds: Vec<u32>,
    /// Made when the first node is looked for by its id.
    by_id: OnceLock<HashTable<u32>>,
    hasher: foldhash::fast::RandomState,
    /// One set for each observed kind.
    edges: Vec<EdgeSet>,
    /// Machines that know edges together, by name.
    origins: Vec<Vec<String>>,
    changes: Vec<Change>,
    /// Of each change.
    looks: Vec<change::Looks>,
    unplaced: Vec<Unplaced>,
    hidden: Hidden,
    /// Equal for graphs of the same facts.
    token: Arc<()>,
}

impl Graph {
    /// How many nodes there are.
    #[must_use]
    pub const fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// How many edges there are.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(EdgeSet::len).sum()
    }

    /// The scans behind the graph, in fold order.
    #[must_use]
    pub fn scans(&self) -> &[Arc<ScanRecord>] {
        &self.scans
    }

    /// The kinds that occur, with how many nodes are of each.
    pub fn nodes_by_kind(&self) -> impl Iterator<Item = (NodeKind, usize)> {
        NodeKind::ALL.iter().map(|kind| (*kind, self.range_of(*kind).len())).filter(|(_, count)| *count > 0)
    }

    /// The kinds that occur, with how many edges are of each.
    pub fn edges_by_kind(&self) -> impl Iterator<Item = (EdgeKind, usize)> {
        EdgeKind::observed().zip(&self.edges).map(|(kind, set)| (kind, set.len())).filter(|(_, count)| *count > 0)
    }

    /// Contents that rewrote themselves and that nobody has acknowledged, by node.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The edges that are stored but not part of the graph, sorted.
    #[must_use]
    pub fn unplaced(&self) -> &[Unplaced] {
        &self.unplaced
    }

    /// How many facts of the estate are not part of the graph.
    #[must_use]
    pub const fn hidden(&self) -> Hidden {
        self.hidden
    }
}
