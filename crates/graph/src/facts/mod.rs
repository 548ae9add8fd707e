//! Everything that was ever observed, as compact columns: the scan log in the form that the fold reads.
//!
//! Nothing here decides what is true at a given time. A fact is an id (or two ends and a kind), the history of the
//! scans that saw it, and how it looked to them. Documents may be added in any order and taken out again; what the
//! graph is at some point follows from what is left (see `fold`).
//!
//! Growth: adding a document takes time linear in the document. Memory is linear in distinct facts and in how often
//! they changed, not in how often they were seen.

mod column;
mod edges;
mod history;
mod ids;
mod scan;
mod small;

use std::sync::Arc;

use rustc_hash::FxHashSet;
use tracehound_model::{Anchor, Collector, EdgeKind};

pub(crate) use column::{Column, Look, Sighted};
pub(crate) use edges::{EdgeTable, Ends};
pub(crate) use history::{Histories, HistoryId, ScanIx, Sighting};
pub(crate) use ids::{Ids, NodeFact};
pub(crate) use scan::{CoveredFor, Scan};
pub use scan::{Moment, ScanRecord};

use crate::ingest::{Parsed, ParsedEdge};
use crate::keys::Keys;
use crate::packed_id;
use crate::pool::Pool;

/// What a document added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Added {
    /// Nodes that nobody saw before.
    pub new_nodes: u64,
    /// Nodes that look different than before.
    pub changed_nodes: u64,
    /// Nodes that look as before.
    pub same_nodes: u64,
    /// Edges that nobody saw before.
    pub new_edges: u64,
    /// Edges that look different than before.
    pub changed_edges: u64,
    /// Edges that look as before.
    pub same_edges: u64,
}

/// All facts of one estate.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) keys: Keys,
    pub(crate) pool: Pool,
    pub(crate) ids: Ids,
    pub(crate) nodes: Column,
    /// One table for each observed kind, in table order.
    pub(crate) edges: Vec<EdgeTable>,
    pub(crate) histories: Histories,
    pub(crate) scans: Vec<Scan>,
    pub(crate) small: small::SmallBlobs,
    /// Tells graphs of the same facts, whose spots can be compared, from others.
    pub(crate) token: Arc<()>,
}

impl Default for Facts {
    fn default() -> Self {
        Self {
            keys: Keys::default(),
            pool: Pool::default(),
            ids: Ids::default(),
            nodes: Column::default(),
            edges: EdgeKind::observed().map(|_| EdgeTable::default()).collect(),
            histories: Histories::default(),
            scans: Vec::new(),
            small: small::SmallBlobs::default(),
            token: Arc::default(),
        }
    }
}

impl Facts {
    /// Takes in a document; gives back what it added, and the document's buffer to be used again.
    pub(crate) fn add(&mut self, mut parsed: Parsed, record: ScanRecord, seq: i64) -> (Added, Vec<u8>) {
        self.keys = std::mem::take(&mut parsed.keys);
        let scan = self.scans.len() as ScanIx;
        let mut added = Added::default();
        // Each id is looked up once, however often the document mentions it.
        let known: Vec<NodeFact> = parsed.ids.iter().map(|id| self.node(id)).collect();
        let fact_of = |id: u32| known.get(id as usize).copied().unwrap_or(NodeFact::MAX);
        for node in &parsed.nodes {
            let fact = fact_of(node.id);
            let mut recorder =
                column::Recorder { pool: &mut self.pool, histories: &mut self.histories, small: &mut self.small, scan };
            match self.nodes.observe(fact, parsed.bytes(node.blob), &mut recorder) {
                Sighted::New => added.new_nodes += 1,
                Sighted::Same => added.same_nodes += 1,
                Sighted::Changed => added.changed_nodes += 1,
            }
        }
        let mut listed = FxHashSet::default();
        for kind in EdgeKind::observed() {
            let edges: Vec<&ParsedEdge> = parsed.edges.iter().filter(|edge| edge.kind == kind).collect();
            let ends: Vec<Ends> = edges.iter().map(|edge| (fact_of(edge.source), fact_of(edge.target))).collect();
            let bags = edges.iter().map(|edge| parsed.bytes(edge.bag));
            self.add_edges(kind, &ends, bags, scan, &mut added);
            if parsed.head.covers.is_none() && kind.is_listing() {
                let covered_for = match parsed.head.collector {
                    Collector::Scan => CoveredFor::Listed(kind),
                    other => CoveredFor::Collector(other),
                };
                listed.extend(ends.iter().filter_map(|ends| anchor_of(kind, *ends)).map(|node| (node, covered_for)));
            }
        }
        let (nodes, ports) = self.covered(&parsed, listed);
        let says_covered = parsed.head.covers.is_some();
        self.scans.push(Scan { record, nodes, ports, says_covered, seq });
        (added, parsed.buffer)
    }

    /// The number of a node, given a new one if it has none.
    fn node(&mut self, id: &[u8]) -> NodeFact {
        match self.ids.find(&self.pool, id) {
            Some(node) => node,
            None => {
                self.nodes.add();
                self.ids.add(&mut self.pool, id)
            }
        }
    }

    /// Takes in all edges of a kind that a document has.
    fn add_edges<'a>(
        &mut self,
        kind: EdgeKind,
        ends: &[Ends],
        bags: impl Iterator<Item = &'a [u8]>,
        scan: ScanIx,
        added: &mut Added,
    ) {
        let Some(table) = self.edges.get_mut(kind as usize).filter(|_| !ends.is_empty()) else { return };
        let mut recorder =
            column::Recorder { pool: &mut self.pool, histories: &mut self.histories, small: &mut self.small, scan };
        for (fact, bag) in table.numbers(ends).into_iter().zip(bags) {
            match table.seen.observe(fact, bag, &mut recorder) {
                Sighted::New => added.new_edges += 1,
                Sighted::Same => added.same_edges += 1,
                Sighted::Changed => added.changed_edges += 1,
            }
        }
    }

    /// What a document covers: what it says, else the parents whose children it lists.
    fn covered(
        &mut self,
        parsed: &Parsed,
        listed: FxHashSet<(NodeFact, CoveredFor)>,
    ) -> (Vec<(NodeFact, CoveredFor)>, Vec<String>) {
        let Some(covers) = &parsed.head.covers else {
            let mut listed: Vec<_> = listed.into_iter().collect();
            listed.sort_unstable();
            return (listed, Vec::new());
        };
        let covered_for = match parsed.head.collector {
            Collector::Scan => CoveredFor::ItsKind,
            other => CoveredFor::Collector(other),
        };
        let nodes = covers.nodes.iter().map(|id| (self.node(&packed_id::pack(id.as_str())), covered_for)).collect();
        (nodes, covers.ports.clone())
    }

    /// The observed edges of a kind.
    pub(crate) fn edges_of(&self, kind: EdgeKind) -> Option<&EdgeTable> {
        self.edges.get(kind as usize)
    }

    /// Gives back memory that growth left over.
    pub(crate) fn shrink(&mut self) {
        self.nodes.shrink();
        self.edges.iter_mut().for_each(EdgeTable::shrink);
    }
}

/// The one node whose coverage decides how long an edge lives, if there is one.
const fn anchor_of(kind: EdgeKind, (source, target): Ends) -> Option<NodeFact> {
    match kind.anchor() {
        Anchor::Source | Anchor::SourceHolds => Some(source),
        Anchor::Target | Anchor::TargetHolds => Some(target),
        Anchor::Both => None,
    }
}
