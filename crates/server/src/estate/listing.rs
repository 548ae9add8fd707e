//! All nodes of an estate at a point in the order in which they matter, with what every list of them tells.
//!
//! Growth: linear in nodes, in the edges' kinds at each and in the scans that saw it, but for sorting once.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use tracehound_analyze::Picture;
use tracehound_analyze::scores::RISK_SCORE;
use tracehound_graph::{Graph, NodeIx, View as _};
use tracehound_model::EdgeKind;

/// All nodes, the most important first.
#[derive(Debug)]
pub(crate) struct Listing {
    /// By score, the highest first, then by kind and id.
    pub(crate) order: Vec<NodeIx>,
    /// How many edges each has, by number.
    degrees: Vec<usize>,
    /// Which set of machines saw each, by number.
    origins: Vec<usize>,
    /// The sets, each sorted.
    sets: Vec<Vec<String>>,
}

impl Listing {
    pub(super) fn new(graph: &Graph, picture: &Picture<'_>) -> Self {
        let nodes: Vec<NodeIx> = (0..picture.node_count() as u32).map(NodeIx).collect();
        let mut order = nodes.clone();
        order.sort_by_cached_key(|node| (Reverse(hundredths(picture, *node)), *node));
        let degrees = nodes.iter().map(|node| degree(picture, *node)).collect();
        let (mut sets, mut known) = (Vec::new(), HashMap::new());
        let mut number = |set: BTreeSet<String>| {
            *known.entry(set.clone()).or_insert_with(|| {
                sets.push(set.into_iter().collect());
                sets.len() - 1
            })
        };
        let origins = nodes.iter().map(|node| number(origins(graph, *node))).collect();
        Self { order, degrees, origins, sets }
    }

    /// How many edges a node has, seen and derived.
    pub(crate) fn degree(&self, node: NodeIx) -> usize {
        self.degrees.get(node.0 as usize).copied().unwrap_or(0)
    }

    /// The machines whose scans saw a node, sorted.
    pub(crate) fn origins(&self, node: NodeIx) -> &[String] {
        let set = self.origins.get(node.0 as usize).and_then(|set| self.sets.get(*set));
        set.map_or(&[], Vec::as_slice)
    }
}

fn hundredths(picture: &Picture<'_>, node: NodeIx) -> Option<i64> {
    let score = picture.property(node, RISK_SCORE).and_then(|score| score.as_number())?;
    Some((score * 100.0).round() as i64)
}

fn degree(picture: &Picture<'_>, node: NodeIx) -> usize {
    EdgeKind::ALL.iter().map(|kind| picture.outgoing(*kind, node).len() + picture.incoming(*kind, node).len()).sum()
}

/// Nothing for a node that analysis made up.
fn origins(graph: &Graph, node: NodeIx) -> BTreeSet<String> {
    if node.0 as usize >= graph.node_count() {
        return BTreeSet::new();
    }
    let scans = graph.node(node).scans();
    scans.iter().filter(|scan| !scan.origin.is_empty()).map(|scan| scan.origin.clone()).collect()
}
