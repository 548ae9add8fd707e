//! The whole picture: a graph with everything that was derived from it, to be read like any graph.
//!
//! Composite edges are edges, properties that processors wrote are properties, and nodes that analysis made up are nodes,
//! numbered after all others. So paths, questions and later query languages need to know only views.

use std::borrow::Cow;
use std::ops::Range;

use tracehound_graph::{EdgeIx, Neighbours, NodeIx, PropertyValue, Rewrite, View};
use tracehound_model::{EdgeKind, NodeKind};

use crate::analysis::Analysis;
use crate::words;

/// A graph with what was derived from it.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    /// The graph.
    pub view: &'a dyn View,
    /// What was derived from it.
    pub analysis: &'a Analysis,
}

impl<'a> Picture<'a> {
    /// Puts the two together.
    #[must_use]
    pub const fn new(view: &'a dyn View, analysis: &'a Analysis) -> Self {
        Self { view, analysis }
    }

    /// A made-up node by its number.
    fn synthetic(&self, node: NodeIx) -> Option<&'a crate::processors::Synthetic> {
        let position = (node.0 as usize).checked_sub(self.view.node_count())?;
        self.analysis.nodes.get(position)
    }
}

impl View for Picture<'_> {
    fn node_count(&self) -> usize {
        self.view.node_count() + self.analysis.nodes.len()
    }

    fn range_of(&self, kind: NodeKind) -> Range<u32> {
        if kind.is_input() {
            return self.view.range_of(kind);
        }
        let base = self.view.node_count() as u32;
        let start = self.analysis.nodes.partition_point(|node| node.kind < kind) as u32;
        let end = self.analysis.nodes.partition_point(|node| node.kind <= kind) as u32;
        base + start..base + end
    }

    fn has(&self, node: NodeIx) -> bool {
        self.synthetic(node).is_some() || self.view.has(node)
    }

    fn find(&self, id: &str) -> Option<NodeIx> {
        let made_up = || self.analysis.nodes.iter().position(|node| node.id.as_str() == id);
        self.view.find(id).or_else(|| Some(NodeIx((self.view.node_count() + made_up()?) as u32)))
    }

    fn id(&self, node: NodeIx) -> Cow<'_, str> {
        self.synthetic(node).map_or_else(|| self.view.id(node), |node| Cow::Borrowed(node.id.as_str()))
    }

    fn kind(&self, node: NodeIx) -> NodeKind {
        self.synthetic(node).map_or_else(|| self.view.kind(node), |node| node.kind)
    }

    fn labels(&self, node: NodeIx) -> u32 {
        self.synthetic(node).map_or_else(|| self.view.labels(node), |node| node.kind.bit())
    }

    fn property(&self, node: NodeIx, key: &str) -> Option<PropertyValue<'_>> {
        if let Some(node) = self.synthetic(node) {
            return node.properties.get(key).cloned();
        }
        self.analysis.properties.get(node, key).cloned().or_else(|| self.view.property(node, key))
    }

    fn outgoing(&self, kind: EdgeKind, node: NodeIx) -> Neighbours<'_> {
        if kind.is_input() && self.synthetic(node).is_none() {
            return self.view.outgoing(kind, node);
        }
        self.analysis.derived.outgoing(kind, node)
    }

    fn incoming(&self, kind: EdgeKind, node: NodeIx) -> Neighbours<'_> {
        if kind.is_input() && self.synthetic(node).is_none() {
            return self.view.incoming(kind, node);
        }
        self.analysis.derived.incoming(kind, node)
    }

    fn edge_count_of(&self, kind: EdgeKind) -> usize {
        if kind.is_input() { self.view.edge_count_of(kind) } else { self.analysis.derived.of(kind).len() }
    }

    fn ends(&self, edge: EdgeIx) -> (NodeIx, NodeIx) {
        if edge.kind.is_input() { self.view.ends(edge) } else { self.analysis.derived.of(edge.kind).ends(edge.number) }
    }

    fn edge_property(&self, edge: EdgeIx, key: &str) -> Option<PropertyValue<'_>> {
        if edge.kind.is_input() { self.view.edge_property(edge, key) } else { words::property(self, edge, key) }
    }

    fn origins(&self, edge: EdgeIx) -> Option<Vec<Cow<'_, str>>> {
        if edge.kind.is_input() { self.view.origins(edge) } else { None }
    }

    fn rewrites(&self) -> Vec<Rewrite<'_>> {
        self.view.rewrites()
    }
}
