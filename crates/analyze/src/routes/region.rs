//! The part of a graph in which all paths within a limit run, with the true length from each of its nodes to the
//! nearest target.
//!
//! Nodes are numbered anew in the order of their numbers, so that what comes first here comes first there.

#![expect(clippy::indexing_slicing, reason = "columns that are numbered by the same constructor")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::arcs::{Arcs, Step};
use super::between::Between;
use super::labels::Labels;
use super::length::{By, Length};
use super::route::Query;

/// An arc within a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    pub(super) to: u32,
    pub(super) length: Length,
    pub(super) arc: u32,
    pub(super) hops: u32,
    pub(super) cost: u32,
}

/// A small graph of its own.
#[derive(Debug)]
pub(super) struct Region {
    /// The number outside of each node, rising.
    pub(super) nodes: Vec<u32>,
    starts: Vec<u32>,
    links: Vec<Link>,
    pub(super) to_target: Vec<Length>,
    /// The least hops to a target, where the hops of a path are counted apart from its length.
    pub(super) hops_to_target: Vec<u32>,
    /// The sources within, rising.
    pub(super) sources: Vec<u32>,
    pub(super) is_target: Vec<bool>,
    /// No path of interest is longer.
    pub(super) limit: Length,
}

impl Region {
    /// The region of everything that a search has covered. Linear in the arcs at its nodes, but for the ordering.
    pub(super) fn covered(arcs: &Arcs, query: &Query<'_>, between: &Between<'_>) -> Self {
        let limit = between.covered();
        let (from_source, to_target) = spread(arcs, query, between, limit);
        let mut nodes: Vec<u32> = to_target.nodes().collect();
        nodes.sort_unstable();
        let local = |node: u32| nodes.binary_search(&node).ok().map(|place| place as u32);
        let (mut starts, mut links) = (vec![0], Vec::new());
        for node in &nodes {
            let first = links.len();
            for step in arcs.out(*node) {
                let rest = to_target.get(step.node);
                // Asked first, because most arcs lead out of the region.
                if rest == Length::INFINITE || !query.allowed.permits(step.arc) {
                    continue;
                }
                let length = Length::of(query.by, step);
                if from_source.get(*node).plus(length).plus(rest) <= limit
                    && let Some(to) = local(step.node)
                {
                    links.push(Link { to, length, arc: step.arc, hops: step.hops, cost: step.cost });
                }
            }
            keep_best(&mut links, first);
            starts.push(links.len() as u32);
        }
        let lengths = nodes.iter().map(|node| to_target.get(*node)).collect();
        let mut sources: Vec<u32> = query.sources.iter().filter_map(|node| local(*node)).collect();
        sources.sort_unstable();
        sources.dedup();
        let mut is_target = vec![false; nodes.len()];
        for target in query.targets.iter().filter_map(|node| local(*node)) {
            is_target[target as usize] = true;
        }
        Self { nodes, starts, links, to_target: lengths, hops_to_target: Vec::new(), sources, is_target, limit }
    }

    /// The same part with lengths by weight and without a limit, where those before were by hops.
    pub(super) fn by_weight(mut self) -> Self {
        self.hops_to_target = self.to_target.iter().map(|length| length.hops()).collect();
        for link in &mut self.links {
            let step = Step { arc: link.arc, node: link.to, cost: link.cost, hops: link.hops };
            link.length = Length::of(By::Weight, step);
        }
        for node in self.starts.windows(2) {
            self.links[node[0] as usize..node[1] as usize].sort_unstable();
        }
        self.limit = Length::LONGEST;
        self.to_target = self.lengths_to_target();
        self
    }

    /// The arcs from a node, in order of the node they lead to, then of length, then of number.
    pub(super) fn links(&self, node: u32) -> &[Link] {
        &self.links[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// The arcs from a node to another, the shortest first.
    pub(super) fn links_between(&self, node: u32, to: u32) -> &[Link] {
        let links = self.links(node);
        let first = links.partition_point(|link| link.to < to);
        let count = links[first..].partition_point(|link| link.to == to);
        &links[first..first + count]
    }

    fn lengths_to_target(&self) -> Vec<Length> {
        let mut into: Vec<(u32, u32, Length)> = Vec::with_capacity(self.links.len());
        for node in 0..self.nodes.len() as u32 {
            into.extend(self.links(node).iter().map(|link| (link.to, node, link.length)));
        }
        into.sort_unstable();
        let mut lengths = vec![Length::INFINITE; self.nodes.len()];
        let mut heap = BinaryHeap::new();
        for target in (0..self.nodes.len()).filter(|node| self.is_target[*node]) {
            lengths[target] = Length::ZERO;
            heap.push(Reverse((Length::ZERO, target as u32)));
        }
        while let Some(Reverse((length, node))) = heap.pop() {
            if lengths[node as usize] < length {
                continue;
            }
            let first = into.partition_point(|(to, ..)| *to < node);
            for (_, from, step) in into[first..].iter().take_while(|(to, ..)| *to == node) {
                let reached = length.plus(*step);
                if reached < lengths[*from as usize] {
                    lengths[*from as usize] = reached;
                    heap.push(Reverse((reached, *from)));
                }
            }
        }
        lengths
    }
}

/// Orders the links from `first` on, and keeps between two nodes the best that is a hop and the best that is none.
fn keep_best(links: &mut Vec<Link>, first: usize) {
    links[first..].sort_unstable();
    let mut kept = first;
    for place in first..links.len() {
        let link = links[place];
        let is_known = links[first..kept]
            .iter()
            .rev()
            .take_while(|other| other.to == link.to)
            .any(|other| other.hops == link.hops);
        if !is_known {
            links[kept] = link;
            kept += 1;
        }
    }
    links.truncate(kept);
}

/// From the nodes in which the two sides met, back towards the sources and on towards the targets: the lengths from the
/// sources and to the targets of all nodes of the region. Only nodes of the region are touched, and their neighbours.
fn spread(arcs: &Arcs, query: &Query<'_>, between: &Between<'_>, limit: Length) -> (Labels, Labels) {
    let (mut from_source, mut to_target) = (Labels::default(), Labels::default());
    let mut back = BinaryHeap::new();
    let mut on = BinaryHeap::new();
    for node in between.met() {
        let (before, after) = (between.length_before(*node), between.length_after(*node));
        if before.plus(after) <= limit && to_target.get(*node) == Length::INFINITE {
            back.push(Reverse((after, *node)));
            on.push(Reverse((before, *node)));
            from_source.set(*node, before);
            to_target.set(*node, after);
        }
    }
    // Back: nodes for which the search from the sources has a length.
    while let Some(Reverse((after, node))) = back.pop() {
        if to_target.get(node) < after {
            continue;
        }
        for step in arcs.into(node).filter(|step| query.allowed.permits(step.arc)) {
            let before = between.length_before(step.node);
            let reached = after.plus(Length::of(query.by, step));
            if before.plus(reached) <= limit && reached < to_target.get(step.node) {
                to_target.set(step.node, reached);
                from_source.set(step.node, before.min(from_source.get(step.node)));
                back.push(Reverse((reached, step.node)));
            }
        }
    }
    // On: nodes for which the search from the targets has a length.
    while let Some(Reverse((before, node))) = on.pop() {
        if from_source.get(node) < before {
            continue;
        }
        for step in arcs.out(node).filter(|step| query.allowed.permits(step.arc)) {
            let after = between.length_after(step.node);
            let reached = before.plus(Length::of(query.by, step));
            if reached.plus(after) <= limit && reached < from_source.get(step.node) {
                from_source.set(step.node, reached);
                to_target.set(step.node, after.min(to_target.get(step.node)));
                on.push(Reverse((reached, step.node)));
            }
        }
    }
    (from_source, to_target)
}
