//! The largest flow from sources to targets, by Dinic's method.
//!
//! Each round measures how far every node is from the targets in what is left of the pipes, stops at the nearest source,
//! and then sends as much as possible along shortest ways. Distances grow from round to round. With all capacities 1
//! there are at most `min(2·√pipes, 2·nodes^⅔)` rounds of linear time; in general at most `nodes` rounds of
//! `nodes · pipes`, which takes long ways that share most of their length. Memory is linear.
//!
//! Says nothing about what to cut; that is read off the flow.
#![expect(
    clippy::indexing_slicing,
    reason = "a kernel over numbered columns, whose numbers were checked on the way in"
)]

use super::FlowError;
use super::network::{Capacity, Ends, FlowNetwork};

/// How far a node is that no search has come to.
const FAR: u32 = u32::MAX;

/// A largest flow: what enters a node leaves it, except at sources and targets. Nothing enters a source or leaves a
/// target.
#[derive(Debug)]
pub struct Flow<'a> {
    pub(super) network: &'a FlowNetwork,
    pub(super) is_source: Vec<bool>,
    pub(super) is_target: Vec<bool>,
    value: u64,
    pub(super) on_pipe: Vec<u64>,
}

impl Flow<'_> {
    /// What leaves the sources and arrives at the targets.
    pub const fn value(&self) -> u64 {
        self.value
    }

    /// What flows through each pipe.
    pub fn on_pipe(&self) -> &[u64] {
        &self.on_pipe
    }
}

/// The largest flow from any of the sources to any of the targets. The same network and ends give the same flow,
/// whatever the order of the ends.
pub fn max_flow<'a>(network: &'a FlowNetwork, ends: Ends<'_>) -> Result<Flow<'a>, FlowError> {
    let is_source = network.marked(ends.sources)?;
    let is_target = network.marked(ends.targets)?;
    refuse_infinite(network, &is_source, &is_target)?;
    let mut search = Search::new(network, &is_source, &is_target);
    let mut value = 0;
    while let Some(distance) = search.measure() {
        value += search.send(distance);
    }
    let mut on_pipe = vec![0; network.pipes().len()];
    for (slot, left) in network.slots().iter().zip(search.left).filter(|(slot, _)| !slot.is_leaving()) {
        on_pipe[slot.pipe() as usize] = left;
    }
    Ok(Flow { network, is_source, is_target, value, on_pipe })
}

/// Looks for a path of infinite capacities alone, breadth first, so that the shortest is told.
fn refuse_infinite(network: &FlowNetwork, is_source: &[bool], is_target: &[bool]) -> Result<(), FlowError> {
    let mut came_by = vec![FAR; is_source.len()];
    let mut is_seen = is_source.to_vec();
    let mut queue: Vec<u32> = numbers(is_source).collect();
    let mut position = 0;
    while let Some(node) = queue.get(position).copied() {
        position += 1;
        if is_target[node as usize] {
            return Err(no_finite_cut(network, &came_by, node));
        }
        for slot in network.slots_of(node) {
            let is_way = slot.is_leaving() && network.capacity(slot.pipe()) == Capacity::Infinite;
            if is_way && !is_seen[slot.head as usize] {
                is_seen[slot.head as usize] = true;
                came_by[slot.head as usize] = slot.pipe();
                queue.push(slot.head);
            }
        }
    }
    Ok(())
}

/// The path by which a search came to a node.
fn no_finite_cut(network: &FlowNetwork, came_by: &[u32], target: u32) -> FlowError {
    let mut path = Vec::new();
    let mut start = target;
    while came_by[start as usize] != FAR {
        path.push(came_by[start as usize]);
        start = network.pipes()[came_by[start as usize] as usize].from;
    }
    path.reverse();
    FlowError::NoFiniteCut { start, path }
}

/// The numbers of what is marked.
pub(super) fn numbers(marks: &[bool]) -> impl Iterator<Item = u32> {
    (0..).zip(marks).filter_map(|(number, is_marked)| is_marked.then_some(number))
}

/// A node on the way that is being tried.
#[derive(Debug, Clone, Copy)]
struct Step {
    node: u32,
    /// What may go through the node at most.
    limit: u64,
    /// What has gone through.
    sent: u64,
}

/// What is left of the pipes, and the marks of one round.
struct Search<'a> {
    network: &'a FlowNetwork,
    is_source: &'a [bool],
    targets: Vec<u32>,
    /// What each slot still lets out of its node: the rest of a pipe that leaves, the flow of a pipe that enters.
    left: Vec<u64>,
    /// How far each node is from the targets.
    distance: Vec<u32>,
    /// The slot of each node that is tried next; those before it lead nowhere in this round.
    next: Vec<u32>,
    /// The nodes with a distance, nearest first.
    queue: Vec<u32>,
    steps: Vec<Step>,
}

impl<'a> Search<'a> {
    fn new(network: &'a FlowNetwork, is_source: &'a [bool], is_target: &[bool]) -> Self {
        let capacity = |pipe: u32| network.capacity(pipe).amount();
        let left = network.slots().iter().map(|slot| if slot.is_leaving() { capacity(slot.pipe()) } else { 0 });
        Self {
            network,
            is_source,
            targets: numbers(is_target).collect(),
            left: left.collect(),
            distance: vec![FAR; is_source.len()],
            next: vec![0; is_source.len()],
            queue: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Measures distances backwards from the targets, up to the nearest sources, and tells theirs. Nodes that cannot
    /// reach a target are never looked at, so that a way along falling distances only ends where a pipe has filled up.
    fn measure(&mut self) -> Option<u32> {
        for node in self.queue.drain(..) {
            self.distance[node as usize] = FAR;
        }
        for target in 0..self.targets.len() {
            self.arrive(self.targets[target], 0);
        }
        let mut found = FAR;
        let mut position = 0;
        while let Some(node) = self.queue.get(position).copied() {
            position += 1;
            let distance = self.distance[node as usize] + 1;
            if distance > found {
                break;
            }
            for number in self.network.range(node) {
                let slot = self.network.slots()[number];
                if self.distance[slot.head as usize] == FAR && self.left[slot.twin as usize] > 0 {
                    self.arrive(slot.head, distance);
                    if self.is_source[slot.head as usize] {
                        found = distance;
                    }
                }
            }
        }
        (found != FAR).then_some(found)
    }

    fn arrive(&mut self, node: u32, distance: u32) {
        self.distance[node as usize] = distance;
        self.next[node as usize] = self.network.range(node).start as u32;
        self.queue.push(node);
    }

    /// Sends as much as the shortest ways let through, from every source at the distance, and tells how much.
    fn send(&mut self, distance: u32) -> u64 {
        let mut sent = 0;
        for position in 0..self.queue.len() {
            let node = self.queue[position];
            if self.is_source[node as usize] && self.distance[node as usize] == distance {
                sent += self.send_from(node);
            }
        }
        sent
    }

    /// Walks down the distances, depth first. What comes together at a node is sent on from there as one, so that the
    /// ways behind a node do not each walk again to it.
    fn send_from(&mut self, source: u32) -> u64 {
        self.steps.clear();
        self.steps.push(Step { node: source, limit: u64::MAX, sent: 0 });
        loop {
            let Some(step) = self.steps.last().copied() else { return 0 };
            if let Some((head, left)) = self.way_on(step) {
                self.steps.push(Step { node: head, limit: left.min(step.limit - step.sent), sent: 0 });
                continue;
            }
            // At a target all that came has arrived; elsewhere nothing more gets through.
            let sent = if self.distance[step.node as usize] == 0 { step.limit } else { step.sent };
            self.steps.pop();
            if self.steps.is_empty() {
                return sent;
            }
            self.give_back(step.limit, sent);
        }
    }

    /// The next slot of a node that leads nearer to the targets, if anything is to be sent.
    fn way_on(&mut self, step: Step) -> Option<(u32, u64)> {
        let node = step.node as usize;
        if step.sent == step.limit || self.distance[node] == 0 {
            return None;
        }
        let range = self.next[node] as usize..self.network.range(step.node).end;
        for number in range.clone() {
            let slot = self.network.slots()[number];
            let left = self.left[number];
            if left > 0 && self.distance[slot.head as usize] == self.distance[node] - 1 {
                self.next[node] = number as u32;
                return Some((slot.head, left));
            }
        }
        self.next[node] = range.end as u32;
        None
    }

    /// Books what the last step sent on its behalf.
    fn give_back(&mut self, limit: u64, sent: u64) {
        let Some(step) = self.steps.last_mut() else { return };
        let number = self.next[step.node as usize] as usize;
        let twin = self.network.slots()[number].twin as usize;
        self.left[number] -= sent;
        self.left[twin] += sent;
        step.sent += sent;
        // Less than could have gone: behind it the ways are full.
        if sent < limit {
            self.next[step.node as usize] += 1;
        }
    }
}
