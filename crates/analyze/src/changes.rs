//! What changed between two graphs, as far as processors care: kinds of nodes and edges, and properties of them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use tracehound_graph::{Difference, EdgeRef, Graph, NodeIx, View};
use tracehound_model::{EdgeKind, NodeKind};

use crate::processors::{Processor, Reads, Writes, in_order};

/// What changed.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    nodes: BTreeSet<NodeKind>,
    edges: BTreeSet<EdgeKind>,
    node_properties: BTreeSet<(NodeKind, String)>,
    edge_properties: BTreeSet<(EdgeKind, String)>,
    /// The number that each node has afterwards, if numbers differ.
    numbers: Option<Vec<Option<NodeIx>>>,
}

impl Changes {
    /// What changed from one graph to the other.
    ///
    /// Growth: linear in both.
    #[must_use]
    pub fn between(before: &Graph, after: &Graph) -> Self {
        let difference = Difference::between(before, after);
        let mut changes = Self::default();
        for node in difference.nodes_added.iter().chain(&difference.nodes_removed) {
            changes.node(node.kind);
        }
        for changed in &difference.nodes_changed {
            changed.properties.iter().for_each(|property| changes.node_property(changed.what.kind, &property.key));
        }
        for edge in difference.edges_added.iter().chain(&difference.edges_removed) {
            changes.edge(edge.kind);
        }
        for changed in &difference.edges_changed {
            changed.properties.iter().for_each(|property| changes.edge_property(changed.what.kind, &property.key));
        }
        for kind in EdgeKind::observed() {
            if known_to_several(before, kind) != known_to_several(after, kind) {
                changes.edge_property(kind, "origin");
            }
        }
        if !difference.nodes_added.is_empty() || !difference.nodes_removed.is_empty() {
            changes.numbers = Some(before.nodes().map(|node| after.find(&node.id())).collect());
        }
        changes
    }

    /// Nodes of a kind came or went.
    pub fn node(&mut self, kind: NodeKind) {
        self.nodes.insert(kind);
    }

    /// Edges of a kind came or went.
    pub fn edge(&mut self, kind: EdgeKind) {
        self.edges.insert(kind);
    }

    /// A property of nodes changed. A change of labels, told as `kinds`, can mean anything.
    pub fn node_property(&mut self, kind: NodeKind, key: &str) {
        if key == "kinds" {
            self.nodes.insert(kind);
        }
        self.node_properties.insert((kind, key.to_owned()));
    }

    /// A property of edges changed.
    pub fn edge_property(&mut self, kind: EdgeKind, key: &str) {
        self.edge_properties.insert((kind, key.to_owned()));
    }

    /// The number that each node has afterwards; none if all have kept theirs.
    #[must_use]
    pub fn renumbering(&self) -> Option<&[Option<NodeIx>]> {
        self.numbers.as_deref()
    }

    /// The names of the processors that have to run again: those that read something that changed, those that read what such
    /// a one writes, and those that write the same.
    #[must_use]
    pub fn affected(&self, processors: &'static [Processor]) -> BTreeSet<&'static str> {
        let mut affected: BTreeSet<&'static str> = BTreeSet::new();
        let mut written: Vec<Writes> = Vec::new();
        // Until nothing is added: what shares an output with a later processor is found in a second round.
        loop {
            let before = affected.len();
            for processor in in_order(processors) {
                let is_touched =
                    processor.reads.iter().any(|read| self.touches(*read) || is_rewritten(&written, *read));
                let is_shared = processor.writes.iter().any(|one| written.contains(one));
                if (is_touched || is_shared) && affected.insert(processor.name) {
                    written.extend(processor.writes);
                }
            }
            if affected.len() == before {
                return affected;
            }
        }
    }

    fn touches(&self, read: Reads) -> bool {
        match read {
            Reads::Nodes(kind, keys) => {
                let has_changed = |key: &&str| self.node_properties.contains(&(kind, (*key).to_owned()));
                self.nodes.contains(&kind) || keys.iter().any(has_changed)
            }
            Reads::Edges(kind, keys) => {
                let has_changed = |key: &&str| self.edge_properties.contains(&(kind, (*key).to_owned()));
                self.edges.contains(&kind) || keys.iter().any(has_changed)
            }
            Reads::Property(_) => false,
        }
    }
}

/// Ids of both ends of an edge, and its machines.
type Known<'g> = ((Cow<'g, str>, Cow<'g, str>), Option<Vec<Cow<'g, str>>>);

/// The edges of a kind that several machines know, with those machines. One machine's claim can end without anything about
/// the edge itself looking different.
fn known_to_several(graph: &Graph, kind: EdgeKind) -> BTreeSet<Known<'_>> {
    graph.edges_of_several(kind).map(known).collect()
}

fn known(edge: EdgeRef<'_>) -> Known<'_> {
    ((edge.source().id(), edge.target().id()), edge.origins())
}

fn is_rewritten(written: &[Writes], read: Reads) -> bool {
    written.iter().any(|written| match (*written, read) {
        (Writes::Edges(kind), Reads::Edges(other, _)) => kind == other,
        (Writes::Nodes(kind), Reads::Nodes(other, _)) => kind == other,
        (Writes::Property(key), Reads::Property(other)) => key == other,
        _ => false,
    })
}
