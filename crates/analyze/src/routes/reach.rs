//! What is reached from a set of nodes, or reaches it: ring by ring, or by cost.

#![expect(clippy::indexing_slicing, reason = "one column over all nodes, numbered by the arcs")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::arcs::{Arcs, Direction};
use super::length::{By, Length};
use super::route::Allowed;

/// A node that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReachedNode {
    /// The node.
    pub node: u32,
    /// The hops to it.
    pub hops: u32,
    /// The arc by which it is reached first; none for the nodes that the search began with. Of several the one from the
    /// node with the least number, then the one with the least number.
    pub parent: Option<u32>,
}

/// What is reached, in order of hops and then of nodes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reached {
    /// The nodes.
    pub nodes: Vec<ReachedNode>,
}

impl Reached {
    /// The nodes of each number of hops, from 0 on. None is empty, because each begins with a hop from the one before.
    pub fn rings(&self) -> impl Iterator<Item = &[ReachedNode]> {
        self.nodes.chunk_by(|one, other| one.hops == other.hops)
    }
}

/// What is reached within some hops. Arcs that count nothing are followed within a ring. Linear in the arcs at what is
/// reached, but for the ordering, and independent of the size of the rest.
pub fn reach(
    arcs: &Arcs,
    starts: &[u32],
    direction: Direction,
    allowed: Allowed<'_>,
    max_hops: Option<u32>,
) -> Reached {
    let mut rings = Rings { arcs, direction, allowed, reached: FxHashMap::default() };
    let exists = |node: &&u32| (**node as usize) < arcs.node_count();
    let mut wave: Vec<u32> = rings.add(0, starts.iter().filter(exists).map(|node| (*node, None)).collect());
    for hops in 0.. {
        let mut ring = wave.clone();
        while !wave.is_empty() {
            wave = rings.follow(hops, &wave, 0);
            ring.extend(&wave);
        }
        if ring.is_empty() || max_hops.is_some_and(|most| hops >= most) {
            break;
        }
        wave = rings.follow(hops + 1, &ring, 1);
    }
    let mut nodes: Vec<ReachedNode> = rings.reached.into_values().collect();
    nodes.sort_unstable_by_key(|reached| (reached.hops, reached.node));
    Reached { nodes }
}

struct Rings<'a> {
    arcs: &'a Arcs,
    direction: Direction,
    allowed: Allowed<'a>,
    reached: FxHashMap<u32, ReachedNode>,
}

impl Rings<'_> {
    /// What is first reached from some nodes by arcs that count as much as is said.
    fn follow(&mut self, hops: u32, nodes: &[u32], counting: u32) -> Vec<u32> {
        let mut found: Vec<(u32, Option<(u32, u32)>)> = Vec::new();
        for node in nodes {
            for step in self.arcs.steps(self.direction, *node) {
                let is_new = step.hops == counting && !self.reached.contains_key(&step.node);
                if is_new && self.allowed.permits(step.arc) {
                    found.push((step.node, Some((*node, step.arc))));
                }
            }
        }
        self.add(hops, found)
    }

    /// Adds nodes with the node and arc that each comes from; of several the least.
    fn add(&mut self, hops: u32, mut found: Vec<(u32, Option<(u32, u32)>)>) -> Vec<u32> {
        found.sort_unstable();
        found.dedup_by_key(|(node, _)| *node);
        for (node, from) in &found {
            self.reached.insert(*node, ReachedNode { node: *node, hops, parent: from.map(|(_, arc)| arc) });
        }
        found.into_iter().map(|(node, _)| node).collect()
    }
}

/// A node that is reached, with the least cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CostedNode {
    /// The node.
    pub node: u32,
    /// The least cost.
    pub cost: u64,
    /// The least hops at that cost.
    pub hops: u32,
    /// The last arc on a cheapest way; none for the nodes that the search began with. Of several the one from the node
    /// with the least number, then the one with the least number.
    pub parent: Option<u32>,
}

/// Least costs of everything that is reached, in order of cost, then hops, then arcs, then nodes. A search of Dijkstra's:
/// the arcs times the logarithm of the nodes, and one column over all nodes.
pub fn reach_by_cost(arcs: &Arcs, starts: &[u32], direction: Direction, allowed: Allowed<'_>) -> Vec<CostedNode> {
    let mut lengths = vec![Length::INFINITE; arcs.node_count()];
    // The node before and the arc from it.
    let mut parents: Vec<Option<(u32, u32)>> = vec![None; arcs.node_count()];
    let mut heap = BinaryHeap::new();
    for start in starts.iter().filter(|start| (**start as usize) < arcs.node_count()) {
        lengths[*start as usize] = Length::ZERO;
        heap.push(Reverse((Length::ZERO, *start)));
    }
    let mut settled = Vec::new();
    while let Some(Reverse((length, node))) = heap.pop() {
        if lengths[node as usize] < length || settled.last() == Some(&(length, node)) {
            continue;
        }
        settled.push((length, node));
        for step in arcs.steps(direction, node).filter(|step| allowed.permits(step.arc)) {
            let reached = length.plus(Length::of(By::Weight, step));
            let known = lengths[step.node as usize];
            let parent = &mut parents[step.node as usize];
            if reached < known {
                lengths[step.node as usize] = reached;
                *parent = Some((node, step.arc));
                heap.push(Reverse((reached, step.node)));
            } else if reached == known {
                *parent = (*parent).min(Some((node, step.arc)));
            }
        }
    }
    let costed = |(length, node): (Length, u32)| {
        let (cost, hops) = length.cost_and_hops();
        CostedNode { node, cost, hops, parent: parents[node as usize].map(|(_, arc)| arc) }
    };
    settled.into_iter().map(costed).collect()
}
