//! A flow as paths, each with the amount that takes it.
//!
//! Flow that goes round in a circle helps nobody to a target and is left out.
#![expect(
    clippy::indexing_slicing,
    reason = "a kernel over numbered columns, whose numbers were checked on the way in"
)]

use super::max_flow::{Flow, numbers};
use super::network::FlowNetwork;

/// Not on the walk.
const ABSENT: u32 = u32::MAX;

/// Part of a flow: so much along one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowPath {
    /// How much takes this path.
    pub amount: u64,
    /// The pipes from a source to a target; no node is passed twice.
    pub pipes: Vec<u32>,
}

impl Flow<'_> {
    /// Takes the flow apart into at most as many paths as there are pipes, whose amounts add up to its value. The
    /// paths come one by one, in an order that depends on the numbers of nodes and pipes alone. Time is linear in the
    /// network and in the lengths of the paths together, which can be far more than the network where long ways share
    /// most of their length.
    pub fn paths(&self) -> impl Iterator<Item = FlowPath> {
        let nodes = 0..self.network.node_count();
        let mut sources: Vec<u32> = numbers(&self.is_source).collect();
        sources.reverse();
        let mut walk = Walk {
            network: self.network,
            is_target: &self.is_target,
            sources,
            left: self.on_pipe.clone(),
            next: nodes.clone().map(|node| self.network.range(node).start as u32).collect(),
            place: vec![ABSENT; nodes.len()],
            nodes: Vec::new(),
            pipes: Vec::new(),
        };
        std::iter::from_fn(move || walk.path())
    }
}

/// A walk along pipes whose flow no path has taken yet.
struct Walk<'a> {
    network: &'a FlowNetwork,
    is_target: &'a [bool],
    /// Sources that may have more to give, the next one last.
    sources: Vec<u32>,
    /// What still flows through each pipe.
    left: Vec<u64>,
    /// The slot of each node that is looked at next.
    next: Vec<u32>,
    /// Where on the walk each node stands.
    place: Vec<u32>,
    /// The nodes of the walk; one more than its pipes.
    nodes: Vec<u32>,
    pipes: Vec<u32>,
}

impl Walk<'_> {
    /// Goes on until a target is reached.
    // INVARIANT: what is walked carries flow, and what enters a node other than a target leaves it, so that only the
    // beginning of a walk can find nothing to go on with.
    fn path(&mut self) -> Option<FlowPath> {
        loop {
            let Some(node) = self.nodes.last().copied() else {
                let source = *self.sources.last()?;
                self.enter(source);
                continue;
            };
            if self.is_target[node as usize] {
                let pipes = self.pipes.clone();
                let amount = self.take(0);
                return Some(FlowPath { amount, pipes });
            }
            let Some((pipe, head)) = self.way_on(node) else {
                self.give_up(node);
                continue;
            };
            self.pipes.push(pipe);
            match self.place[head as usize] {
                ABSENT => self.enter(head),
                // A circle: what goes round it is taken away, and the walk goes on from where it closed.
                place => _ = self.take(place as usize),
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.place[node as usize] = self.nodes.len() as u32;
        self.nodes.push(node);
    }

    /// The next pipe that leaves a node and carries flow, and where it leads.
    fn way_on(&mut self, node: u32) -> Option<(u32, u32)> {
        let end = self.network.range(node).end;
        let next = &mut self.next[node as usize];
        while (*next as usize) < end {
            let slot = self.network.slots()[*next as usize];
            if slot.is_leaving() && self.left[slot.pipe() as usize] > 0 {
                return Some((slot.pipe(), slot.head));
            }
            *next += 1;
        }
        None
    }

    /// Nothing leaves the node: a source that has given everything.
    fn give_up(&mut self, node: u32) {
        if self.nodes.len() == 1 {
            self.sources.pop();
        }
        self.nodes.pop();
        self.pipes.pop();
        self.place[node as usize] = ABSENT;
    }

    /// Takes what the pipes from a place on all carry, and walks back to before the first that is empty.
    fn take(&mut self, place: usize) -> u64 {
        let amount = self.pipes[place..].iter().map(|pipe| self.left[*pipe as usize]).min().unwrap_or(0);
        let mut kept = self.pipes.len();
        for position in (place..self.pipes.len()).rev() {
            let left = &mut self.left[self.pipes[position] as usize];
            *left -= amount;
            if *left == 0 {
                kept = position;
            }
        }
        self.pipes.truncate(kept);
        for node in self.nodes.drain(kept + 1..) {
            self.place[node as usize] = ABSENT;
        }
        amount
    }
}
