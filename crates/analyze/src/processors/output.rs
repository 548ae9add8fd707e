//! What processors hand back.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use tracehound_graph::{NodeIx, PropertyValue};
use tracehound_model::{EdgeKind, NodeId, NodeKind};

use crate::derived::Harvest;

type Column = BTreeMap<NodeIx, PropertyValue<'static>>;

/// Properties that processors write on nodes, by key. A copy shares them.
#[derive(Debug, Clone, Default)]
pub struct NodeProperties {
    by_key: BTreeMap<&'static str, Arc<Column>>,
}

impl NodeProperties {
    /// Writes a property.
    pub fn set(&mut self, key: &'static str, node: NodeIx, value: PropertyValue<'static>) {
        Arc::make_mut(self.by_key.entry(key).or_default()).insert(node, value);
    }

    /// A property of a node.
    #[must_use]
    pub fn get(&self, node: NodeIx, key: &str) -> Option<&PropertyValue<'static>> {
        self.by_key.get(key)?.get(&node)
    }

    /// All nodes that have a property, with it.
    pub fn all(&self, key: &str) -> impl Iterator<Item = (NodeIx, &PropertyValue<'static>)> {
        self.by_key.get(key).into_iter().flat_map(|column| column.iter()).map(|(node, value)| (*node, value))
    }

    /// The properties of a node, by key.
    pub fn of(&self, node: NodeIx) -> impl Iterator<Item = (&'static str, &PropertyValue<'static>)> {
        self.by_key.iter().filter_map(move |(key, values)| Some((*key, values.get(&node)?)))
    }

    /// Takes in those of another.
    pub fn extend(&mut self, other: Self) {
        for (key, values) in other.by_key {
            match self.by_key.entry(key) {
                Entry::Vacant(free) => drop(free.insert(values)),
                Entry::Occupied(mut taken) => {
                    let values = values.iter().map(|(node, value)| (*node, value.clone()));
                    Arc::make_mut(taken.get_mut()).extend(values);
                }
            }
        }
    }

    /// Takes one key out.
    pub fn remove(&mut self, key: &str) {
        self.by_key.remove(key);
    }

    /// The same for nodes with other numbers; what has no number any more is gone.
    #[must_use]
    pub fn renumbered(&self, number: &dyn Fn(NodeIx) -> Option<NodeIx>) -> Self {
        let renumber = |values: &Column| -> Column {
            values.iter().filter_map(|(node, value)| Some((number(*node)?, value.clone()))).collect()
        };
        Self { by_key: self.by_key.iter().map(|(key, values)| (*key, Arc::new(renumber(values)))).collect() }
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
