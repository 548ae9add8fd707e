//! An estate at a point, with everything that follows from it and what people say about its nodes.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tracehound_analyze::naming::{self, Marks, Selection};
use tracehound_analyze::{Analysis, Picture};
use tracehound_graph::{Access, Graph, NodeIx, View};

use crate::output::{named, safe};
use crate::progress;
use crate::settings::Settings;

/// What commands about paths look at.
pub(super) struct EstateView {
    pub(super) graph: Graph,
    pub(super) analysis: Analysis,
    pub(super) marks: Marks,
}

/// Nodes, with the words that named them.
pub(super) struct Chosen {
    pub(super) text: String,
    pub(super) nodes: Vec<NodeIx>,
    /// How many nodes were taken out again.
    left_out: usize,
}

impl EstateView {
    /// Reads the estate that the settings name and derives what follows from it.
    pub(super) fn open(at: &str, settings: &Settings) -> anyhow::Result<Self> {
        let mut estate = super::open_loaded(settings, Access::Read)?;
        let point = estate.point(at)?;
        let marks = estate.marks_at(estate.moment_of(&point)?)?;
        let graph = estate.graph(&point)?;
        let bar = progress::working("deriving what follows");
        let analysis = Analysis::of(&graph);
        bar.finish_and_clear();
        Ok(Self { graph, analysis, marks })
    }

    pub(super) fn picture(&self) -> Picture<'_> {
        Picture::new(&self.graph, &self.analysis)
    }

    /// The nodes that a text means.
    pub(super) fn choose(&self, text: &str) -> anyhow::Result<Chosen> {
        let nodes = Selection::parse(text).nodes(&self.picture(), &self.marks)?;
        Ok(Chosen { text: text.trim().to_owned(), nodes, left_out: 0 })
    }
}

impl Chosen {
    /// Without some nodes.
    pub(super) fn without(mut self, left_out: &[NodeIx]) -> Self {
        let before = self.nodes.len();
        self.nodes.retain(|node| left_out.binary_search(node).is_err());
        self.left_out = before - self.nodes.len();
        self
    }

    /// The words and how many nodes they mean.
    pub(super) fn words(&self) -> String {
        format!("`{}` ({})", safe(&self.text), counted(self.nodes.len(), "node"))
    }

    /// Why there is no node; none if there are some.
    pub(super) fn why_empty(&self) -> Option<String> {
        let text = safe(&self.text);
        match (self.nodes.len(), self.left_out) {
            (0, 0) => Some(format!("`{text}` has no nodes here")),
            (0, _) => Some(format!("every node of `{text}` is to be avoided")),
            _ => None,
        }
    }

    pub(super) fn json(&self) -> Value {
        json!({ "selection": self.text, "nodes": self.nodes.len() })
    }
}

/// A number with its noun.
pub(super) fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// What people call a node, fit for a terminal and not too long; one without a name is called by the beginning of its id.
pub(super) fn name(view: &dyn View, node: NodeIx) -> String {
    let (name, id) = (view.name(node), view.id(node));
    if name == id { format!("{}…", safe(&naming::short_id(&id))) } else { named(&name) }
}

/// A node for programs.
pub(super) fn node_json(view: &dyn View, node: NodeIx) -> Value {
    json!({ "id": view.id(node), "kind": view.kind(node), "name": view.name(node) })
}

/// A place for people.
pub(super) fn place_words((file, line): &(String, Option<u64>)) -> String {
    line.map_or_else(|| safe(file), |line| format!("{}:{line}", safe(file)))
}

/// How many things of each sort there are, in the order of the sorts.
pub(super) fn tally<K: Ord, V>(things: impl Iterator<Item = (K, V)>) -> BTreeMap<K, Vec<V>> {
    let mut all: BTreeMap<K, Vec<V>> = BTreeMap::new();
    for (sort, thing) in things {
        all.entry(sort).or_default().push(thing);
    }
    all
}
