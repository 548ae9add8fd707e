//! What processors hand back.

use std::collections::BTreeMap;

use tracehound_graph::{NodeIx, PropertyValue};
use tracehound_model::{EdgeKind, NodeId, NodeKind};

use crate::derived::Harvest;

/// Properties that processors write on nodes, by key.
#[derive(Debug, Clone, Default)]
pub struct NodeProperties {
    by_key: BTreeMap<&'static str, BTreeMap<NodeIx, PropertyValue<'static>>>,
}

impl NodeProperties {
    /// Writes a property.
    pub fn set(&mut self, key: &'static str, node: NodeIx, value: PropertyValue<'static>) {
        self.by_key.entry(key).or_default().insert(node, value);
    }

    /// A property of a node.
    #[must_use]
    pub fn get(&self, node: NodeIx, key: &str) -> Option<&PropertyValue<'static>> {
        self.by_key.get(key)?.get(&node)
    }

    /// All nodes that have a property, with it.
    pub fn all(&self, key: &str) -> impl Iterator<Item = (NodeIx, &PropertyValue<'static>)> {
        self.by_key.get(key).into_iter().flatten().map(|(node, value)| (*node, value))
    }

    /// The properties of a node, by key.
    pub fn of(&self, node: NodeIx) -> impl Iterator<Item = (&'static str, &PropertyValue<'static>)> {
        self.by_key.iter().filter_map(move |(key, values)| Some((*key, values.get(&node)?)))
    }

    /// Takes in those of another.
    pub fn extend(&mut self, other: Self) {
        for (key, values) in other.by_key {
            self.by_key.entry(key).or_default().extend(values);
        }
    }

    /// Takes one key out.
    pub fn take(&mut self, key: &'static str) -> Self {
        let taken = self.by_key.remove_entry(key);
        Self { by_key: taken.into_iter().collect() }
    }

    /// The same for nodes with other numbers; what has no number any more is gone.
    #[must_use]
    pub fn renumbered(self, number: &dyn Fn(NodeIx) -> Option<NodeIx>) -> Self {
        let renumber = |values: BTreeMap<NodeIx, PropertyValue<'static>>| {
            values.into_iter().filter_map(|(node, value)| Some((number(node)?, value))).collect()
        };
        Self { by_key: self.by_key.into_iter().map(|(key, values)| (key, renumber(values))).collect() }
    }
}

/// A node that analysis made up.
#[derive(Debug, Clone)]
pub struct Synthetic {
    /// Its id.
    pub id: NodeId,
    /// What it is.
    pub kind: NodeKind,
    /// Its properties, by key.
    pub properties: BTreeMap<&'static str, PropertyValue<'static>>,
}

/// What a processor derived.
#[derive(Debug, Default)]
pub struct Output {
    /// Edges by kind.
    pub edges: Vec<(EdgeKind, Harvest)>,
    /// Properties of nodes.
    pub properties: NodeProperties,
    /// Nodes.
    pub nodes: Vec<Synthetic>,
}

impl Output {
    /// Edges of one kind and nothing else.
    #[must_use]
    pub fn of_edges(kind: EdgeKind, harvest: Harvest) -> Self {
        Self { edges: vec![(kind, harvest)], ..Self::default() }
    }
}
