//! The altered graph.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use tracehound_graph::{Adjacency, EdgeIx, Neighbours, NodeIx, PropertyValue, Rewrite, View};
use tracehound_model::{Anchor, EdgeKind, NodeKind};

use super::Alteration;
use crate::Changes;

type Value = Option<PropertyValue<'static>>;

/// Edges of one kind without some.
struct Fewer {
    adjacency: Adjacency,
    /// The number that each edge has in the graph that is altered.
    numbers: Vec<u32>,
}

/// A graph with a few things taken out or changed. Nodes keep their numbers, and those taken out leave gaps.
pub struct Altered<'v> {
    view: &'v dyn View,
    removed: BTreeSet<NodeIx>,
    fewer: BTreeMap<EdgeKind, Fewer>,
    node_properties: BTreeMap<NodeIx, BTreeMap<String, Value>>,
    /// By the number that an edge has in the graph that is altered.
    edge_properties: BTreeMap<EdgeIx, BTreeMap<String, Value>>,
    changes: Changes,
}

impl<'v> Altered<'v> {
    /// Alters a graph. What is not there can't be taken out, and is passed over.
    #[must_use]
    pub fn new(view: &'v dyn View, alterations: &[Alteration]) -> Self {
        let mut altered = Self {
            view,
            removed: BTreeSet::new(),
            fewer: BTreeMap::new(),
            node_properties: BTreeMap::new(),
            edge_properties: BTreeMap::new(),
            changes: Changes::default(),
        };
        let mut gone: BTreeMap<EdgeKind, BTreeSet<u32>> = BTreeMap::new();
        for alteration in alterations {
            altered.take(alteration, &mut gone);
        }
        altered.take_held(&mut gone);
        for (kind, numbers) in gone {
            altered.changes.edge(kind);
            altered.fewer.insert(kind, fewer(view, kind, &numbers));
        }
        altered
    }

    fn take(&mut self, alteration: &Alteration, gone: &mut BTreeMap<EdgeKind, BTreeSet<u32>>) {
        match alteration {
            Alteration::RemoveNode(node) => self.take_node(*node, gone),
            Alteration::RemoveEdge(edge) => {
                if let Some(found) = self.view.outgoing(edge.kind, edge.source).to(edge.target) {
                    gone.entry(edge.kind).or_default().insert(found.number);
                }
            }
            Alteration::SetNode(node, key, value) => {
                self.changes.node_property(self.view.kind(*node), key);
                self.node_properties.entry(*node).or_default().insert(key.clone(), value.clone());
            }
            Alteration::SetEdge(edge, key, value) => {
                if let Some(found) = self.view.outgoing(edge.kind, edge.source).to(edge.target) {
                    self.changes.edge_property(edge.kind, key);
                    self.edge_properties.entry(found).or_default().insert(key.clone(), value.clone());
                }
            }
        }
    }

    fn take_node(&mut self, node: NodeIx, gone: &mut BTreeMap<EdgeKind, BTreeSet<u32>>) {
        if !self.removed.insert(node) {
            return;
        }
        self.changes.node(self.view.kind(node));
        for kind in EdgeKind::observed() {
            let edges = self.view.outgoing(kind, node).chain(self.view.incoming(kind, node));
            let numbers: Vec<u32> = edges.map(|(_, edge)| edge.number).collect();
            if !numbers.is_empty() {
                gone.entry(kind).or_default().extend(numbers);
            }
        }
    }

    /// What was held only by what is gone goes as well, as it does when a scan no longer shows what holds it.
    fn take_held(&mut self, gone: &mut BTreeMap<EdgeKind, BTreeSet<u32>>) {
        let mut looked_at: BTreeSet<EdgeIx> = BTreeSet::new();
        loop {
            let edges = |(kind, numbers): (&EdgeKind, &BTreeSet<u32>)| {
                let kind = *kind;
                numbers.iter().map(move |number| EdgeIx { kind, number: *number }).collect::<Vec<_>>()
            };
            let fresh: Vec<EdgeIx> = gone.iter().flat_map(edges).filter(|edge| looked_at.insert(*edge)).collect();
            if fresh.is_empty() {
                return;
            }
            for edge in fresh {
                let (source, target) = self.view.ends(edge);
                let held = match edge.kind.anchor() {
                    Anchor::SourceHolds => target,
                    Anchor::TargetHolds => source,
                    _ => continue,
                };
                if !self.is_held(held, gone) {
                    self.take_node(held, gone);
                }
            }
        }
    }

    /// Whether something that is left holds a node.
    fn is_held(&self, node: NodeIx, gone: &BTreeMap<EdgeKind, BTreeSet<u32>>) -> bool {
        EdgeKind::observed().any(|kind| {
            let mut holding = match kind.anchor() {
                Anchor::SourceHolds => self.view.incoming(kind, node),
                Anchor::TargetHolds => self.view.outgoing(kind, node),
                _ => return false,
            };
            let is_gone = |number: u32| gone.get(&kind).is_some_and(|numbers| numbers.contains(&number));
            holding.any(|(_, edge)| !is_gone(edge.number))
        })
    }

    /// What was altered, as far as processors care.
    #[must_use]
    pub const fn changes(&self) -> &Changes {
        &self.changes
    }

    /// The edge as the graph that is altered knows it.
    fn original(&self, edge: EdgeIx) -> EdgeIx {
        let number = self.fewer.get(&edge.kind).and_then(|fewer| fewer.numbers.get(edge.number as usize));
        number.map_or(edge, |number| EdgeIx { kind: edge.kind, number: *number })
    }
}

fn fewer(view: &dyn View, kind: EdgeKind, gone: &BTreeSet<u32>) -> Fewer {
    let left: Vec<u32> = (0..view.edge_count_of(kind) as u32).filter(|number| !gone.contains(number)).collect();
    let ends: Vec<(NodeIx, NodeIx)> = left.iter().map(|number| view.ends(EdgeIx { kind, number: *number })).collect();
    // Edges are numbered by their ends, so that those that are left keep their order.
    let (adjacency, _) = Adjacency::new(&ends);
    Fewer { adjacency, numbers: left }
}

impl View for Altered<'_> {
    fn node_count(&self) -> usize {
        self.view.node_count()
    }

    fn range_of(&self, kind: NodeKind) -> Range<u32> {
        self.view.range_of(kind)
    }

    fn has(&self, node: NodeIx) -> bool {
        !self.removed.contains(&node) && self.view.has(node)
    }

    fn find(&self, id: &str) -> Option<NodeIx> {
        self.view.find(id).filter(|node| self.has(*node))
    }

    fn id(&self, node: NodeIx) -> Cow<'_, str> {
        self.view.id(node)
    }

    fn kind(&self, node: NodeIx) -> NodeKind {
        self.view.kind(node)
    }

    fn labels(&self, node: NodeIx) -> u32 {
        self.view.labels(node)
    }

    fn property(&self, node: NodeIx, key: &str) -> Option<PropertyValue<'_>> {
        match self.node_properties.get(&node).and_then(|set| set.get(key)) {
            Some(value) => value.clone(),
            None => self.view.property(node, key),
        }
    }

    fn outgoing(&self, kind: EdgeKind, node: NodeIx) -> Neighbours<'_> {
        match self.fewer.get(&kind) {
            Some(fewer) => fewer.adjacency.outgoing(kind, node),
            None => self.view.outgoing(kind, node),
        }
    }

    fn incoming(&self, kind: EdgeKind, node: NodeIx) -> Neighbours<'_> {
        match self.fewer.get(&kind) {
            Some(fewer) => fewer.adjacency.incoming(kind, node),
            None => self.view.incoming(kind, node),
        }
    }

    fn edge_count_of(&self, kind: EdgeKind) -> usize {
        self.fewer.get(&kind).map_or_else(|| self.view.edge_count_of(kind), |fewer| fewer.adjacency.len())
    }

    fn ends(&self, edge: EdgeIx) -> (NodeIx, NodeIx) {
        self.view.ends(self.original(edge))
    }

    fn edge_property(&self, edge: EdgeIx, key: &str) -> Option<PropertyValue<'_>> {
        let edge = self.original(edge);
        match self.edge_properties.get(&edge).and_then(|set| set.get(key)) {
            Some(value) => value.clone(),
            None => self.view.edge_property(edge, key),
        }
    }

    fn origins(&self, edge: EdgeIx) -> Option<Vec<Cow<'_, str>>> {
        self.view.origins(self.original(edge))
    }

    fn rewrites(&self) -> Vec<Rewrite<'_>> {
        let mut rewrites = self.view.rewrites();
        rewrites.retain(|rewrite| self.find(rewrite.change.id.as_str()).is_some());
        rewrites
    }
}
