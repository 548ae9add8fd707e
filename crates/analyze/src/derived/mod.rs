//! Composite edges: what processors derive, with the path that each rests on.
//!
//! Edges are held compactly. Their words (evidence, names of what they go through) are made when somebody asks, so that
//! an estate with a million of them costs no million texts.

mod detail;
mod harvest;
mod witness;

use std::collections::BTreeMap;
use std::sync::Arc;

use tracehound_graph::{Adjacency, EdgeIx, Neighbours, NodeIx};
use tracehound_model::EdgeKind;

pub use detail::{Detail, Reach};
pub use harvest::{Harvest, Made, Most, NewComposite};
pub use witness::{Hop, Link, RawEdge, Via, rests_on};

/// What is known of a composite edge besides its ends.
#[derive(Debug, Clone, Copy)]
pub struct Composite {
    /// How sure we are, from 0 to 1.
    pub confidence: f64,
    /// How hard it is to make use of, from 0 (free) to 1.
    pub weight: f64,
    /// The collector on whose facts it rests.
    pub collector: &'static str,
    /// What it goes through.
    pub detail: Detail,
    /// The hops of its witness, in the arena of its relation.
    path: (u32, u32),
}

/// The composite edges of one kind.
#[derive(Debug, Default)]
pub struct Relation {
    adjacency: Adjacency,
    /// By edge number.
    edges: Vec<Composite>,
    hops: Vec<Hop>,
    /// Sources of which more is true than is written down, with how many edges they really have.
    counts: BTreeMap<NodeIx, u64>,
}

impl Relation {
    /// Puts together what processors derived. Of two edges between the same nodes the first is kept.
    #[must_use]
    pub fn new(harvests: Vec<Harvest>) -> Self {
        let mut made = Vec::with_capacity(harvests.iter().map(Harvest::len).sum());
        let mut hops = Vec::with_capacity(harvests.iter().map(|harvest| harvest.hops.len()).sum());
        let mut counts: BTreeMap<NodeIx, u64> = BTreeMap::new();
        let mut extra: BTreeMap<NodeIx, u64> = BTreeMap::new();
        for harvest in harvests {
            let base = hops.len() as u32;
            hops.extend(harvest.hops);
            made.extend(harvest.made.into_iter().map(|mut made| {
                made.composite.path = (made.composite.path.0 + base, made.composite.path.1 + base);
                made
            }));
            for (source, beyond) in harvest.beyond {
                *extra.entry(source).or_default() += beyond;
            }
        }
        // By number at last, so that what came first stays first. Edges are large, so only their places are sorted.
        let mut order: Vec<(NodeIx, NodeIx, u32)> =
            (0..).zip(&made).map(|(number, made): (u32, &Made)| (made.source, made.target, number)).collect();
        // Processors go from source to source, so these are a few long runs, and then many short lists.
        order.sort_by_key(|(source, ..)| *source);
        order.chunk_by_mut(|a, b| a.0 == b.0).for_each(<[_]>::sort_unstable);
        order.dedup_by_key(|(source, target, _)| (*source, *target));
        let ends: Vec<(NodeIx, NodeIx)> = order.iter().map(|(source, target, _)| (*source, *target)).collect();
        let (adjacency, _) = Adjacency::new(&ends);
        for (source, beyond) in extra {
            let written = ends.partition_point(|(other, _)| *other <= source)
                - ends.partition_point(|(other, _)| *other < source);
            counts.insert(source, written as u64 + beyond);
        }
        let edges = order.iter().filter_map(|(_, _, number)| Some(made.get(*number as usize)?.composite)).collect();
        Self { adjacency, edges, hops, counts }
    }

    /// How many edges are written down.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether nothing is.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// How many edges there are, also those that are not written down.
    #[must_use]
    pub fn total(&self) -> u64 {
        let beyond: u64 = self.counts.iter().map(|(source, count)| count - self.written(*source) as u64).sum();
        self.edges.len() as u64 + beyond
    }

    /// How many edges start at a node, also those that are not written down.
    #[must_use]
    pub fn count(&self, source: NodeIx) -> u64 {
        self.counts.get(&source).copied().unwrap_or(self.written(source) as u64)
    }

    /// Nodes at which more edges start than are written down, with how many do.
    pub fn counts(&self) -> impl Iterator<Item = (NodeIx, u64)> {
        self.counts.iter().map(|(source, count)| (*source, *count))
    }

    /// The same for nodes with other numbers. An edge with an end that has none any more is gone.
    #[must_use]
    fn renumbered(&self, number: &dyn Fn(NodeIx) -> Option<NodeIx>) -> Self {
        let mut harvest = Harvest::default();
        for (_, source, target, composite) in self.iter() {
            let ends = number(source).zip(number(target));
            let detail = composite.detail.renumbered(number);
            let path: Option<Vec<Hop>> = self.path(composite).iter().map(|hop| hop.renumbered(number)).collect();
            let (Some(ends), Some(detail), Some(path)) = (ends, detail, path) else { continue };
            let Composite { confidence, weight, collector, .. } = *composite;
            harvest.add(ends, NewComposite { confidence, weight, collector, detail }, &path);
        }
        for (source, count) in self.counts() {
            if let Some(node) = number(source) {
                harvest.beyond(node, count - self.written(source) as u64);
            }
        }
        Self::new(vec![harvest])
    }

    fn written(&self, source: NodeIx) -> usize {
        self.adjacency.outgoing(EdgeKind::CanReach, source).len()
    }

    /// Both ends of an edge.
    #[must_use]
    pub fn ends(&self, number: u32) -> (NodeIx, NodeIx) {
        self.adjacency.ends(number)
    }

    /// An edge by its number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&Composite> {
        self.edges.get(number as usize)
    }

    /// The hops of an edge's witness.
    #[must_use]
    pub fn path(&self, composite: &Composite) -> &[Hop] {
        self.hops.get(composite.path.0 as usize..composite.path.1 as usize).unwrap_or(&[])
    }

    /// All edges that are written down, with their ends; by source and target.
    pub fn iter(&self) -> impl Iterator<Item = (u32, NodeIx, NodeIx, &Composite)> {
        (0..).zip(&self.edges).map(|(number, composite)| {
            let (source, target) = self.adjacency.ends(number);
            (number, source, target, composite)
        })
    }
}

/// All composite edges of a graph. A copy shares them.
#[derive(Debug, Clone, Default)]
pub struct Derived {
    relations: BTreeMap<EdgeKind, Arc<Relation>>,
}

static NOTHING: std::sync::LazyLock<Relation> = std::sync::LazyLock::new(Relation::default);

impl Derived {
    /// Puts a relation in its place.
    pub fn insert(&mut self, kind: EdgeKind, relation: Relation) {
        self.relations.insert(kind, Arc::new(relation));
    }

    /// Takes a relation out.
    pub fn remove(&mut self, kind: EdgeKind) {
        self.relations.remove(&kind);
    }

    /// The edges of one kind.
    #[must_use]
    pub fn of(&self, kind: EdgeKind) -> &Relation {
        self.relations.get(&kind).map_or_else(|| &*NOTHING, Arc::as_ref)
    }

    /// The same for nodes with other numbers.
    #[must_use]
    pub(crate) fn renumbered(&self, number: &dyn Fn(NodeIx) -> Option<NodeIx>) -> Self {
        let relations = self.iter().map(|(kind, relation)| (kind, Arc::new(relation.renumbered(number))));
        Self { relations: relations.collect() }
    }

    /// An edge.
    #[must_use]
    pub fn get(&self, edge: EdgeIx) -> Option<&Composite> {
        self.of(edge.kind).get(edge.number)
    }

    /// The edges of a kind that start at a node.
    #[must_use]
    pub fn outgoing(&self, kind: EdgeKind, node: NodeIx) -> Neighbours<'_> {
        self.of(kind).adjacency.outgoing(kind, node)
    }

    /// The edges of a kind that end at a node.
    #[must_use]
    pub fn incoming(&self, kind: EdgeKind, node: NodeIx) -> Neighbours<'_> {
        self.of(kind).adjacency.incoming(kind, node)
    }

    /// The kinds that occur, with their edges.
    pub fn iter(&self) -> impl Iterator<Item = (EdgeKind, &Relation)> {
        self.relations.iter().map(|(kind, relation)| (*kind, relation.as_ref()))
    }
}
