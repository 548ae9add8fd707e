//! What questions are asked of, and short ways to read it.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::Reverse;

use tracehound_graph::{EdgeIx, NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind};

use super::answer::{Cell, Page, Rows};
use crate::Picture;
use crate::basis::Basis;
use crate::naming::Marks;
use crate::terrain::{Shortcuts, Terrain};

/// What questions are asked of: a graph with everything that was derived from it, and what people marked.
pub struct Context<'a> {
    /// The graph and what was derived from it.
    pub picture: Picture<'a>,
    /// What people marked.
    pub marks: &'a Marks,
    /// What analysis reads of the graph.
    pub basis: Basis<'a>,
    terrain: OnceCell<Terrain>,
}

impl<'a> Context<'a> {
    /// Puts the two together.
    #[must_use]
    pub fn new(picture: Picture<'a>, marks: &'a Marks) -> Self {
        Self { picture, marks, basis: Basis::new(picture.view), terrain: OnceCell::new() }
    }

    /// How an attacker can move; laid out when the first question needs it.
    pub(super) fn terrain(&self) -> &Terrain {
        self.terrain.get_or_init(|| Terrain::new(&self.picture, Shortcuts::No))
    }

    /// What people call a node.
    pub(super) fn name(&self, node: NodeIx) -> Cow<'a, str> {
        self.basis.name(node)
    }

    pub(super) fn name_cell(&self, node: NodeIx) -> Cell {
        Cell::Text(self.picture.name(node).into_owned())
    }

    pub(super) fn id_cell(&self, node: NodeIx) -> Cell {
        Cell::Text(self.picture.id(node).into_owned())
    }

    pub(super) fn kind_cell(&self, node: NodeIx) -> Cell {
        Cell::Text(self.picture.kind(node).name().to_owned())
    }

    pub(super) fn text_cell(&self, node: NodeIx, key: &str) -> Cell {
        self.basis.text(node, key).map_or(Cell::Nothing, |text| Cell::Text(text.into_owned()))
    }

    pub(super) fn texts_cell(&self, node: NodeIx, key: &str) -> Cell {
        let list = self.basis.view.property(node, key);
        Cell::Texts(list.map(|list| list.texts().map(str::to_owned).collect()).unwrap_or_default())
    }

    pub(super) fn auth_cell(&self, node: NodeIx) -> Cell {
        Cell::Text(self.basis.auth(node).name().to_owned())
    }

    pub(super) fn sensitivity_cell(&self, node: NodeIx) -> Cell {
        self.text_cell(node, "sensitivity")
    }

    /// The first address that a node has.
    pub(super) fn address_cell(&self, node: NodeIx) -> Cell {
        let mut found = ["endpoint", "url", "uri", "path"].into_iter().filter_map(|key| self.basis.text(node, key));
        found.next().map_or(Cell::Nothing, |text| Cell::Text(text.into_owned()))
    }

    /// A property of a derived edge.
    pub(super) fn edge_cell(&self, edge: EdgeIx, key: &str) -> Cell {
        let value = self.picture.edge_property(edge, key);
        value.and_then(|value| value.as_text().map(|text| Cell::Text(text.to_owned()))).unwrap_or(Cell::Nothing)
    }

    /// How sure a derived edge is.
    pub(super) fn confidence(&self, edge: EdgeIx) -> f64 {
        self.picture.analysis.derived.get(edge).map_or(0.0, |composite| composite.confidence)
    }

    pub(super) fn names_cell(&self, nodes: impl IntoIterator<Item = NodeIx>) -> Cell {
        Cell::Texts(nodes.into_iter().map(|node| self.name(node).into_owned()).collect())
    }

    pub(super) fn ids_cell(&self, nodes: impl IntoIterator<Item = NodeIx>) -> Cell {
        Cell::Texts(nodes.into_iter().map(|node| self.picture.id(node).into_owned()).collect())
    }

    /// How many edges of a kind end at a node.
    pub(super) fn incoming(&self, kind: EdgeKind, node: NodeIx) -> Cell {
        Cell::Count(self.picture.incoming(kind, node).len() as u64)
    }

    /// How many edges of a kind start at a node.
    pub(super) fn outgoing(&self, kind: EdgeKind, node: NodeIx) -> Cell {
        Cell::Count(self.picture.outgoing(kind, node).len() as u64)
    }

    /// Tools with the servers that offer them, by the names of both.
    pub(super) fn tools(&self, is_meant: impl Fn(NodeIx) -> bool) -> Vec<(NodeIx, NodeIx)> {
        let tools = self.basis.nodes(NodeKind::McpTool).filter(|tool| is_meant(*tool));
        let mut all: Vec<(NodeIx, NodeIx)> = tools
            .flat_map(|tool| self.basis.sources(EdgeKind::ProvidesTool, tool).map(move |server| (server, tool)))
            .collect();
        self.sort_by_names(&mut all, |(server, tool)| [*server, *tool]);
        all
    }

    /// Sorts by names, and equal names by kind and id.
    pub(super) fn sort_by_names<K, const N: usize>(&self, keys: &mut [K], nodes: impl Fn(&K) -> [NodeIx; N]) {
        keys.sort_by_cached_key(|key| (nodes(key).map(|node| self.name(node)), nodes(key)));
    }

    /// The derived edges of a kind, the surest first, then by the names of both ends.
    pub(super) fn surest(&self, kind: EdgeKind, is_meant: impl Fn(NodeIx, NodeIx, EdgeIx) -> bool) -> Vec<EdgeIx> {
        let relation = self.picture.analysis.derived.of(kind);
        let edges = relation.iter().map(|(number, source, target, _)| (source, target, EdgeIx { kind, number }));
        let mut edges: Vec<_> = edges.filter(|(source, target, edge)| is_meant(*source, *target, *edge)).collect();
        edges.sort_by_cached_key(|(source, target, edge)| {
            (Reverse(thousandths(self.confidence(*edge))), self.name(*source), self.name(*target), *source, *target)
        });
        edges.into_iter().map(|(_, _, edge)| edge).collect()
    }

    /// Rows of derived edges: those of the page, and how many more of the kind are counted but not written down.
    pub(super) fn edge_rows(
        &self,
        page: Page,
        kind: EdgeKind,
        is_meant: impl Fn(NodeIx, NodeIx, EdgeIx) -> bool,
        row: impl Fn(NodeIx, NodeIx, EdgeIx) -> Vec<Cell>,
    ) -> Rows {
        let edges = self.surest(kind, is_meant);
        let mut rows = page.of(&edges, |edge| {
            let (source, target) = self.picture.ends(*edge);
            row(source, target, *edge)
        });
        rows.beyond = self.beyond(kind);
        rows
    }

    /// How many edges of a kind are counted but not written down.
    pub(super) fn beyond(&self, kind: EdgeKind) -> u64 {
        let relation = self.picture.analysis.derived.of(kind);
        relation.total() - relation.len() as u64
    }
}

/// A number between 0 and 1 that can be ordered.
pub(super) fn thousandths(number: f64) -> u32 {
    (number * 1000.0).round() as u32
}
