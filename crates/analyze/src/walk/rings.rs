//! What is reached from some nodes, ring by ring.

use std::collections::BTreeMap;

use tracehound_graph::{NodeIx, View as _};
use tracehound_model::NodeKind;

use super::Walk;
use crate::Picture;
use crate::routes::{COST_OF_ONE, Direction, reach, reach_by_cost};

/// From where, which way and how far.
#[derive(Debug, Clone, Copy)]
pub struct Reaching<'a> {
    /// Where it begins, sorted.
    pub from: &'a [NodeIx],
    /// Where one gets from there, or who gets there.
    pub direction: Direction,
    /// How many hops at most.
    pub max_hops: Option<u32>,
    /// Only nodes of these kinds are told; all are walked through. All if there are none.
    pub kinds: &'a [NodeKind],
}

/// Nodes that are the same number of hops away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ring {
    /// How many.
    pub hops: u32,
    /// The nodes, by kind and id.
    pub nodes: Vec<NodeIx>,
}

impl Walk<'_> {
    /// What is reached, without where it began; each node where it is reached first.
    ///
    /// Growth: linear in what is reached and its arcs, but for sorting.
    #[must_use]
    pub fn rings(&self, picture: &Picture<'_>, asked: &Reaching<'_>) -> Vec<Ring> {
        let starts = self.terrain.places(asked.from);
        let arcs = self.terrain.arcs();
        let reached = self.search(|allowed| reach(arcs, &starts, asked.direction, allowed, asked.max_hops));
        let mut is_seen = vec![false; picture.node_count()];
        let mut see = |node: NodeIx| {
            let seen = is_seen.get_mut(node.0 as usize);
            seen.is_some_and(|seen| !std::mem::replace(seen, true))
        };
        for node in asked.from {
            see(*node);
        }
        let wanted = asked.kinds.iter().fold(0, |bits, kind| bits | kind.bit());
        let is_told = |node: NodeIx| wanted == 0 || (picture.labels(node) | picture.kind(node).bit()) & wanted != 0;
        let mut rings: Vec<Ring> = Vec::new();
        for ring in reached.rings() {
            let hops = ring.first().map_or(0, |first| first.hops);
            let mut nodes: Vec<NodeIx> = ring.iter().filter_map(|reached| self.terrain.node(reached.node)).collect();
            nodes.retain(|node| see(*node) && is_told(*node));
            nodes.sort_unstable();
            if !nodes.is_empty() {
                rings.push(Ring { hops, nodes });
            }
        }
        rings
    }

    /// How hard the easiest way to each node is, however many hops it has.
    ///
    /// Growth: the arcs times the logarithm of the nodes.
    #[must_use]
    pub fn weights(&self, from: &[NodeIx], direction: Direction) -> BTreeMap<NodeIx, f64> {
        let starts = self.terrain.places(from);
        let costed = self.search(|allowed| reach_by_cost(self.terrain.arcs(), &starts, direction, allowed));
        let mut weights = BTreeMap::new();
        // The cheapest come first, so the first place of a node is its cheapest.
        for reached in costed {
            if let Some(node) = self.terrain.node(reached.node) {
                weights.entry(node).or_insert(reached.cost as f64 / COST_OF_ONE as f64);
            }
        }
        weights
    }
}
