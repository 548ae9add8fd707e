//! What analysis may ask of a graph, whichever engine holds it.

use std::borrow::Cow;
use std::ops::Range;

use tracehound_model::{EdgeKind, NodeKind};

use super::{EdgeIx, Graph, Neighbours, NodeIx, Rewrite};
use crate::bag::PropertyValue;

/// A graph to be read. Nodes and edges are known by numbers that mean nothing outside the view.
pub trait View: Sync {
    /// How many nodes there are; their numbers are below it.
    fn node_count(&self) -> usize;
    /// The numbers that nodes of this primary kind have. A view that leaves something out leaves gaps in them.
    fn range_of(&self, kind: NodeKind) -> Range<u32>;
    /// Whether there is a node with this number. Numbers come from the view itself, so only a view that leaves something
    /// out can say no.
    fn has(&self, _node: NodeIx) -> bool {
        true
    }
    /// The nodes whose primary kind this is, by their ids.
    fn nodes_of(&self, kind: NodeKind) -> Box<dyn Iterator<Item = NodeIx> + '_> {
        Box::new(self.range_of(kind).map(NodeIx).filter(|node| self.has(*node)))
    }
    /// The node with this id.
    fn find(&self, id: &str) -> Option<NodeIx>;
    /// A node's id.
    fn id(&self, node: NodeIx) -> Cow<'_, str>;
    /// A node's primary kind.
    fn kind(&self, node: NodeIx) -> NodeKind;
    /// All that a node is called, as bits of [`NodeKind::bit`].
    fn labels(&self, node: NodeIx) -> u32;
    /// A node's property.
    fn property(&self, node: NodeIx, key: &str) -> Option<PropertyValue<'_>>;
    /// What people call a node: its name, else its path, host name, address or id.
    fn name(&self, node: NodeIx) -> Cow<'_, str> {
        let text = |key: &&str| match self.property(node, key) {
            Some(PropertyValue::Text(text)) if !text.is_empty() => Some(text),
            _ => None,
        };
        let named = ["name", "path", "hostname", "ip", "uri", "endpoint"].iter().find_map(text);
        named.unwrap_or_else(|| self.id(node))
    }
    /// The edges of a kind that start at a node, with their targets, sorted by target.
    fn outgoing(&self, kind: EdgeKind, node: NodeIx) -> Neighbours<'_>;
    /// The edges of a kind that end at a node, with their sources, sorted by source.
    fn incoming(&self, kind: EdgeKind, node: NodeIx) -> Neighbours<'_>;
    /// How many edges of a kind there are; their numbers are below it.
    fn edge_count_of(&self, kind: EdgeKind) -> usize;
    /// Both ends of an edge.
    fn ends(&self, edge: EdgeIx) -> (NodeIx, NodeIx);
    /// An edge's property.
    fn edge_property(&self, edge: EdgeIx, key: &str) -> Option<PropertyValue<'_>>;
    /// The machines on which an edge is seen, sorted. None: it may be on any.
    fn origins(&self, edge: EdgeIx) -> Option<Vec<Cow<'_, str>>>;
    /// Contents that rewrote themselves and that nobody has acknowledged, by node.
    fn rewrites(&self) -> Vec<Rewrite<'_>>;
}

impl View for Graph {
    fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn range_of(&self, kind: NodeKind) -> Range<u32> {
        self.kinds[kind as usize]..self.kinds[kind as usize + 1]
    }

    fn find(&self, id: &str) -> Option<NodeIx> {
        self.find_packed(&crate::packed_id::pack(id))
    }

    fn id(&self, node: NodeIx) -> Cow<'_, str> {
        crate::packed_id::text(self.pool.get(self.nodes[node.0 as usize].id))
    }

    fn kind(&self, node: NodeIx) -> NodeKind {
        let after = self.kinds.partition_point(|start| *start <= node.0);
        NodeKind::ALL[after - 1]
    }

    fn labels(&self, node: NodeIx) -> u32 {
        self.node(node).labels()
    }

    fn property(&self, node: NodeIx, key: &str) -> Option<PropertyValue<'_>> {
        self.node(node).property(key)
    }

    fn outgoing(&self, kind: EdgeKind, node: NodeIx) -> Neighbours<'_> {
        self.set(kind).adjacency().outgoing(kind, node)
    }

    fn incoming(&self, kind: EdgeKind, node: NodeIx) -> Neighbours<'_> {
        self.set(kind).adjacency().incoming(kind, node)
    }

    fn edge_count_of(&self, kind: EdgeKind) -> usize {
        self.set(kind).len()
    }

    fn ends(&self, edge: EdgeIx) -> (NodeIx, NodeIx) {
        self.set(edge.kind).adjacency().ends(edge.number)
    }

    fn edge_property(&self, edge: EdgeIx, key: &str) -> Option<PropertyValue<'_>> {
        self.edge(edge).property(key)
    }

    fn origins(&self, edge: EdgeIx) -> Option<Vec<Cow<'_, str>>> {
        self.edge(edge).origins()
    }

    fn rewrites(&self) -> Vec<Rewrite<'_>> {
        Self::rewrites(self).collect()
    }
}
