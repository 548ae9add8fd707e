//! The best way from the beginning of a path to a target, around the beginning.
//!
//! A search of Dijkstra's that is steered by the lengths to the targets. Where hops are bounded apart from lengths, a
//! node is reached once for each number of hops that is of use.

#![expect(clippy::indexing_slicing, reason = "nodes are numbered by the region")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::length::Length;
use super::region::{Link, Region};

/// A way to come to the last node of a beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seed {
    /// Hops used, where they are bounded; else 0.
    pub(super) layer: u32,
    pub(super) length: Length,
}

/// Where a path may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Where its beginning ends, or further on.
    Anywhere,
    /// Further on only.
    Further,
}

/// A node and the hops used to come to it, where those are bounded.
type State = (u32, u32);

#[derive(Debug)]
pub(super) struct Spur<'a> {
    region: &'a Region,
    max_hops: Option<u32>,
    /// Arcs that were looked at.
    pub(super) work: usize,
    /// The beginning, which no way returns to.
    blocked: Vec<bool>,
    beginning: Vec<u32>,
    is_banned: Vec<bool>,
    banned: Vec<u32>,
    /// Of the states that the last search touched.
    lengths: FxHashMap<State, Length>,
}

impl<'a> Spur<'a> {
    pub(super) fn new(region: &'a Region, max_hops: Option<u32>) -> Self {
        Self {
            region,
            max_hops,
            work: 0,
            blocked: vec![false; region.nodes.len()],
            beginning: Vec::new(),
            is_banned: vec![false; region.nodes.len()],
            banned: Vec::new(),
            lengths: FxHashMap::default(),
        }
    }

    /// Ways go on from the end of a beginning, or from the sources if it is empty, and not to the banned nodes first.
    pub(super) fn begin(&mut self, beginning: &[u32], banned: &[u32]) {
        for node in self.beginning.drain(..) {
            self.blocked[node as usize] = false;
        }
        for node in beginning {
            self.go_on(*node);
        }
        self.unban();
        for node in banned {
            self.ban(*node);
        }
    }

    /// The beginning is longer by a node, and nothing is banned after that.
    pub(super) fn go_on(&mut self, node: u32) {
        self.beginning.push(node);
        self.blocked[node as usize] = true;
        self.unban();
    }

    /// A node may not come next.
    pub(super) fn ban(&mut self, node: u32) {
        self.banned.push(node);
        self.is_banned[node as usize] = true;
    }

    fn unban(&mut self) {
        for node in self.banned.drain(..) {
            self.is_banned[node as usize] = false;
        }
    }

    /// Ways to come to the last node of a beginning, from those to the node before it.
    pub(super) fn seeds_after(&mut self, seeds: &[Seed], beginning: &[u32]) -> Vec<Seed> {
        let [.., before, last] = beginning else { return vec![Seed { layer: 0, length: Length::ZERO }] };
        let mut after: Vec<Seed> = Vec::new();
        for seed in seeds {
            for link in self.region.links_between(*before, *last) {
                let Some(layer) = self.layer_after(seed.layer, link) else { continue };
                after.push(Seed { layer, length: seed.length.plus(link.length) });
            }
        }
        // More hops are of use only if the way is shorter.
        after.sort_unstable();
        let mut shortest = Length::INFINITE;
        after.retain(|seed| {
            let is_shorter = seed.length < shortest;
            shortest = shortest.min(seed.length);
            is_shorter
        });
        after
    }

    /// No way is shorter.
    pub(super) fn bound(&mut self, seeds: &[Seed], end: End) -> Length {
        let Some(last) = self.beginning.last() else {
            let open = self.region.sources.iter().filter(|source| !self.is_banned[**source as usize]);
            return open.map(|source| self.region.to_target[*source as usize]).min().unwrap_or(Length::INFINITE);
        };
        let Some(seed) = seeds.iter().map(|seed| seed.length).min() else { return Length::INFINITE };
        if end == End::Anywhere && self.region.is_target[*last as usize] {
            return seed;
        }
        let links = self.region.links(*last);
        self.work += links.len();
        let open = links.iter().filter(|link| !self.blocked[link.to as usize] && !self.is_banned[link.to as usize]);
        let rest = open.map(|link| link.length.plus(self.region.to_target[link.to as usize])).min();
        rest.map_or(Length::INFINITE, |rest| seed.plus(rest))
    }

    /// The best path with this beginning: its length, and its nodes after the beginning. Of equally long ones the
    /// first in the order of nodes.
    pub(super) fn best(&mut self, seeds: &[Seed], end: End) -> Option<(Length, Vec<u32>)> {
        let starts: Vec<(State, Length)> = match self.beginning.last() {
            Some(last) => seeds.iter().map(|seed| ((*last, seed.layer), seed.length)).collect(),
            None => {
                let open = self.region.sources.iter().filter(|source| !self.is_banned[**source as usize]);
                open.map(|source| ((*source, 0), Length::ZERO)).collect()
            }
        };
        let (length, settled) = self.settle(&starts, end)?;
        let on_best = self.states_on_best(&settled, length, end);
        let starts: Vec<State> =
            starts.into_iter().map(|(state, _)| state).filter(|state| on_best.contains(state)).collect();
        Some((length, self.walk(starts, &on_best, length, end)))
    }

    /// The hops after a link, if they are not too many.
    fn layer_after(&self, layer: u32, link: &Link) -> Option<u32> {
        let Some(max_hops) = self.max_hops else { return Some(0) };
        let layer = layer + link.hops;
        let least = layer.saturating_add(self.region.hops_to_target[link.to as usize]);
        (least <= max_hops).then_some(layer)
    }

    /// Whether a path may end at a node.
    fn is_end(&self, node: u32, end: End) -> bool {
        let is_further = self.beginning.last() != Some(&node);
        self.region.is_target[node as usize] && (is_further || end == End::Anywhere)
    }

    /// The states that a link leads to from a state, with the length after it.
    fn after(&self, (node, layer): State, link: &Link) -> Option<State> {
        let is_banned = self.beginning.last() == Some(&node) && self.is_banned[link.to as usize];
        if self.blocked[link.to as usize] || is_banned {
            return None;
        }
        self.layer_after(layer, link).map(|layer| (link.to, layer))
    }

    /// Settles all states that a best way can run through. Gives the length of the best path and those states, in
    /// falling order of their lengths.
    fn settle(&mut self, starts: &[(State, Length)], end: End) -> Option<(Length, Vec<(Length, State)>)> {
        let region = self.region;
        let (mut lengths, mut heap) = (FxHashMap::default(), BinaryHeap::new());
        for (state, length) in starts {
            lengths.insert(*state, *length);
            heap.push(Reverse((length.plus(region.to_target[state.0 as usize]), *state)));
        }
        let mut least_hops: FxHashMap<u32, u32> = FxHashMap::default();
        let mut settled = Vec::new();
        let mut limit = region.limit;
        let mut is_found = false;
        while let Some(Reverse((bound, state))) = heap.pop() {
            if bound > limit {
                break;
            }
            let length = lengths[&state];
            let is_stale = length.plus(region.to_target[state.0 as usize]) < bound;
            // Who came here with fewer hops came by a shorter way as well.
            let is_beaten = *least_hops.entry(state.0).or_insert(state.1) < state.1;
            if is_stale || is_beaten {
                continue;
            }
            least_hops.insert(state.0, state.1);
            settled.push((length, state));
            if self.is_end(state.0, end) {
                (limit, is_found) = (bound, true);
                continue;
            }
            for link in region.links(state.0) {
                self.work += 1;
                let reached = length.plus(link.length);
                let bound = reached.plus(region.to_target[link.to as usize]);
                let Some(next) = self.after(state, link).filter(|_| bound <= limit) else { continue };
                let known = lengths.entry(next).or_insert(Length::INFINITE);
                if reached < *known {
                    *known = reached;
                    heap.push(Reverse((bound, next)));
                }
            }
        }
        self.lengths = lengths;
        settled.sort_unstable_by(|one, other| other.cmp(one));
        is_found.then_some((limit, settled))
    }

    /// The states through which a best path runs.
    fn states_on_best(&self, settled: &[(Length, State)], length: Length, end: End) -> FxHashSet<State> {
        let mut on_best = FxHashSet::default();
        for (reached, state) in settled {
            let is_last = *reached == length && self.is_end(state.0, end);
            if is_last || self.tight(*state, &on_best).next().is_some() {
                on_best.insert(*state);
            }
        }
        on_best
    }

    /// The states on best paths that come directly after a state.
    fn tight(&self, state: State, on_best: &FxHashSet<State>) -> impl Iterator<Item = State> {
        let length = self.lengths.get(&state).copied().unwrap_or(Length::INFINITE);
        self.region.links(state.0).iter().filter_map(move |link| {
            let next = self.after(state, link)?;
            let is_tight = self.lengths.get(&next) == Some(&length.plus(link.length));
            (is_tight && on_best.contains(&next)).then_some(next)
        })
    }

    /// Along best paths, always to the least node. Ways that differ in their hops only are followed together.
    fn walk(&self, starts: Vec<State>, on_best: &FxHashSet<State>, length: Length, end: End) -> Vec<u32> {
        let mut nodes = Vec::new();
        let mut next = starts;
        if !self.beginning.is_empty() {
            next = self.step(&next, on_best, length, end);
        }
        while let Some(node) = next.iter().map(|state| state.0).min() {
            nodes.push(node);
            next.retain(|state| state.0 == node);
            next = self.step(&next, on_best, length, end);
        }
        nodes
    }

    /// The states after those of one node; none at the end.
    fn step(&self, states: &[State], on_best: &FxHashSet<State>, length: Length, end: End) -> Vec<State> {
        let is_over = |state: &State| self.lengths.get(state) == Some(&length) && self.is_end(state.0, end);
        if states.iter().any(is_over) {
            return Vec::new();
        }
        states.iter().flat_map(|state| self.tight(*state, on_best)).collect()
    }
}
