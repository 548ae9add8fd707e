//! Nodes and edges of a graph, one at a time.

use std::borrow::Cow;
use std::hash::BuildHasher as _;
use std::sync::Arc;

use hashbrown::HashTable;
use tracehound_model::{EdgeKind, NodeKind};

use super::adjacency::EdgeSet;
use super::view::View as _;
use super::{EdgeIx, Graph, NodeIx};
use crate::ScanRecord;
use crate::bag::{Bag, PropertyValue};
use crate::facts::HistoryId;
use crate::labels::Labels;
use crate::pool::Spot;

/// The edges of a derived kind, which no document brings.
static NO_EDGES: std::sync::LazyLock<EdgeSet> = std::sync::LazyLock::new(EdgeSet::default);

impl Graph {
    /// A node by its number.
    #[must_use]
    pub const fn node(&self, ix: NodeIx) -> NodeRef<'_> {
        NodeRef { graph: self, ix }
    }

    /// All nodes, by kind and id.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeRef<'_>> {
        (0..self.nodes.len() as u32).map(|number| self.node(NodeIx(number)))
    }

    /// An edge by its number.
    #[must_use]
    pub const fn edge(&self, ix: EdgeIx) -> EdgeRef<'_> {
        EdgeRef { graph: self, ix }
    }

    /// All edges, by kind, source and target.
    pub fn edges(&self) -> impl Iterator<Item = EdgeRef<'_>> {
        EdgeKind::observed().flat_map(move |kind| {
            (0..self.set(kind).len() as u32).map(move |number| self.edge(EdgeIx { kind, number }))
        })
    }

    /// The edges of a kind that scans of several machines saw, in any order.
    pub fn edges_of_several(&self, kind: EdgeKind) -> impl Iterator<Item = EdgeRef<'_>> {
        self.set(kind).of_several().map(move |number| self.edge(EdgeIx { kind, number }))
    }

    pub(super) fn set(&self, kind: EdgeKind) -> &EdgeSet {
        self.edges.get(kind as usize).unwrap_or_else(|| &NO_EDGES)
    }

    pub(crate) fn find_packed(&self, id: &[u8]) -> Option<NodeIx> {
        let is_same = |number: &u32| self.pool.get(self.nodes[*number as usize].id) == id;
        self.index().find(self.hasher.hash_one(id), is_same).map(|number| NodeIx(*number))
    }

    fn index(&self) -> &HashTable<u32> {
        self.by_id.get_or_init(|| {
            let mut table = HashTable::with_capacity(self.nodes.len());
            let hash = |number: &u32| self.hasher.hash_one(self.pool.get(self.nodes[*number as usize].id));
            for number in 0..self.nodes.len() as u32 {
                table.insert_unique(hash(&number), number, hash);
            }
            table
        })
    }

    /// Whether both were made of the same facts, so that their spots can be compared.
    pub(crate) fn shares_facts_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.token, &other.token)
    }

    fn scans_of(&self, history: HistoryId) -> Vec<Arc<ScanRecord>> {
        let mut ranks = Vec::new();
        let mut next = history;
        while next != 0 {
            let row = self.histories[next as usize - 1];
            ranks.push(self.ranks[row.scan as usize]);
            next = row.before;
        }
        ranks.sort_unstable();
        ranks.into_iter().filter(|rank| *rank > 0).map(|rank| Arc::clone(&self.scans[rank as usize - 1])).collect()
    }

    fn first_scan(&self, history: HistoryId) -> &ScanRecord {
        &self.scans[self.sightings[history as usize].first as usize - 1]
    }

    fn last_scan(&self, history: HistoryId) -> &ScanRecord {
        &self.scans[self.sightings[history as usize].last as usize - 1]
    }
}

/// A node of a graph.
#[derive(Debug, Clone, Copy)]
pub struct NodeRef<'g> {
    graph: &'g Graph,
    ix: NodeIx,
}

impl<'g> NodeRef<'g> {
    /// Its number.
    #[must_use]
    pub const fn ix(self) -> NodeIx {
        self.ix
    }

    /// Its id.
    #[must_use]
    pub fn id(self) -> std::borrow::Cow<'g, str> {
        self.graph.id(self.ix)
    }

    /// What it is.
    #[must_use]
    pub fn kind(self) -> NodeKind {
        self.graph.kind(self.ix)
    }

    /// Everything that it is called, as bits of [`NodeKind::bit`].
    #[must_use]
    pub fn labels(self) -> u32 {
        self.split().map_or(0, |(labels, _)| labels.all)
    }

    /// Everything that it is called, what it is first.
    #[must_use]
    pub fn kinds(self) -> Vec<NodeKind> {
        self.split().map_or_else(Vec::new, |(labels, _)| labels.kinds().collect())
    }

    /// One of its properties.
    #[must_use]
    pub fn property(self, key: &str) -> Option<PropertyValue<'g>> {
        self.bag().get(self.graph.keys.find(key)?)
    }

    /// Its properties, sorted by key.
    #[must_use]
    pub fn properties(self) -> Vec<(&'g str, PropertyValue<'g>)> {
        self.bag().sorted(&self.graph.keys)
    }

    /// What people call it.
    #[must_use]
    pub fn display_name(self) -> String {
        self.graph.name(self.ix).into_owned()
    }

    /// The scans that saw it, in fold order.
    #[must_use]
    pub fn scans(self) -> Vec<Arc<ScanRecord>> {
        self.graph.scans_of(self.history())
    }

    /// The scan that saw it first.
    #[must_use]
    pub fn first_scan(self) -> &'g ScanRecord {
        self.graph.first_scan(self.history())
    }

    /// The scan that saw it last.
    #[must_use]
    pub fn last_scan(self) -> &'g ScanRecord {
        self.graph.last_scan(self.history())
    }

    /// Where its labels and properties are stored, if a scan saw them just so.
    pub(crate) fn seen_spot(self) -> Option<Spot> {
        Some(self.graph.nodes[self.ix.0 as usize].blob).filter(|spot| !spot.is_in_second())
    }

    pub(crate) fn packed_id(self) -> &'g [u8] {
        self.graph.pool.get(self.graph.nodes[self.ix.0 as usize].id)
    }

    fn history(self) -> HistoryId {
        self.graph.nodes[self.ix.0 as usize].history
    }

    fn bag(self) -> Bag<'g> {
        self.split().map_or(Bag(&[]), |(_, bag)| bag)
    }

    fn split(self) -> Option<(Labels, Bag<'g>)> {
        Labels::split(self.graph.pool.get(self.graph.nodes[self.ix.0 as usize].blob))
    }
}

/// An edge of a graph.
#[derive(Debug, Clone, Copy)]
pub struct EdgeRef<'g> {
    graph: &'g Graph,
    ix: EdgeIx,
}

impl<'g> EdgeRef<'g> {
    /// Its number.
    #[must_use]
    pub const fn ix(self) -> EdgeIx {
        self.ix
    }

    /// What it means.
    #[must_use]
    pub const fn kind(self) -> EdgeKind {
        self.ix.kind
    }

    /// Where it starts.
    #[must_use]
    pub fn source(self) -> NodeRef<'g> {
        self.graph.node(self.graph.ends(self.ix).0)
    }

    /// Where it ends.
    #[must_use]
    pub fn target(self) -> NodeRef<'g> {
        self.graph.node(self.graph.ends(self.ix).1)
    }

    /// One of its properties.
    #[must_use]
    pub fn property(self, key: &str) -> Option<PropertyValue<'g>> {
        self.bag().get(self.graph.keys.find(key)?)
    }

    /// Its properties, sorted by key.
    #[must_use]
    pub fn properties(self) -> Vec<(&'g str, PropertyValue<'g>)> {
        self.bag().sorted(&self.graph.keys)
    }

    /// The scans that saw it, in fold order.
    #[must_use]
    pub fn scans(self) -> Vec<Arc<ScanRecord>> {
        self.graph.scans_of(self.history())
    }

    /// The scan that saw it first.
    #[must_use]
    pub fn first_scan(self) -> &'g ScanRecord {
        self.graph.first_scan(self.history())
    }

    /// The scan that saw it last.
    #[must_use]
    pub fn last_scan(self) -> &'g ScanRecord {
        self.graph.last_scan(self.history())
    }

    /// The machines on which it is seen, sorted: those whose scans show it and have not found it gone since. A scan that
    /// names no machine leaves it to the edge's own `origin`. None if there is neither, so that it may be on any machine.
    #[must_use]
    pub fn origins(self) -> Option<Vec<Cow<'g, str>>> {
        let own = match self.property("origin") {
            Some(PropertyValue::Text(own)) if !own.is_empty() => Some(own),
            _ => None,
        };
        let Some(number) = self.graph.set(self.ix.kind).origins(self.ix.number) else {
            let scan = Some(self.last_scan().origin.as_str()).filter(|origin| !origin.is_empty());
            return own.or(scan.map(Cow::Borrowed)).map(|origin| vec![origin]);
        };
        let name = |scan: &'g String| if scan.is_empty() { own.clone() } else { Some(Cow::Borrowed(scan.as_str())) };
        let mut all: Vec<Cow<'g, str>> = self.graph.origins[number as usize].iter().map(name).collect::<Option<_>>()?;
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    /// Where its properties are stored, if a scan saw them just so.
    pub(crate) fn seen_spot(self) -> Option<Spot> {
        Some(self.graph.set(self.ix.kind).bag(self.ix.number)).filter(|spot| !spot.is_in_second())
    }

    fn history(self) -> HistoryId {
        self.graph.set(self.ix.kind).history(self.ix.number)
    }

    fn bag(self) -> Bag<'g> {
        Bag(self.graph.pool.get(self.graph.set(self.ix.kind).bag(self.ix.number)))
    }
}
