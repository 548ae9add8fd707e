//! Pipes between numbered nodes, laid out for searches that go along them and against them.
//!
//! Cycles, self-loops, parallel and opposite pipes are all allowed. A network holds no flow; each question keeps its
//! own, so one network answers many questions at once.
#![expect(
    clippy::indexing_slicing,
    reason = "a kernel over numbered columns, whose numbers were checked on the way in"
)]

use std::ops::Range;

use super::FlowError;

/// How much a pipe carries, which is also what it costs to remove it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capacity {
    /// So much. Nothing flows through a pipe of 0, and to remove it is free, but as long as it is there it connects.
    Finite(u64),
    /// The pipe can never be part of a cut.
    Infinite,
}

impl Capacity {
    /// The capacity as the searches count it. Finite ones add up to less than half of this, so that whatever flows
    /// through an infinite pipe leaves more than anybody can ask for.
    pub(super) const fn amount(self) -> u64 {
        match self {
            Self::Finite(amount) => amount,
            Self::Infinite => u64::MAX,
        }
    }
}

/// A directed connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pipe {
    /// The node it leaves.
    pub from: u32,
    /// The node it enters.
    pub to: u32,
    /// What it carries, and what its removal costs.
    pub capacity: Capacity,
}

/// Between which nodes a question is asked. Both may repeat nodes and stand in any order.
#[derive(Debug, Clone, Copy)]
pub struct Ends<'a> {
    /// Where paths begin.
    pub sources: &'a [u32],
    /// Where paths end.
    pub targets: &'a [u32],
}

/// One end of a pipe, as the node there sees it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slot {
    /// The node at the other end.
    pub(super) head: u32,
    /// The slot of the same pipe at the other end.
    pub(super) twin: u32,
    /// The pipe's number times two, and one more at the end where it enters.
    tag: u32,
}

impl Slot {
    /// The pipe's number.
    pub(super) const fn pipe(self) -> u32 {
        self.tag >> 1
    }

    /// Whether the pipe leaves here.
    pub(super) const fn is_leaving(self) -> bool {
        self.tag & 1 == 0
    }
}

/// Pipes between nodes. Building takes time and memory linear in both.
#[derive(Debug)]
pub struct FlowNetwork {
    pipes: Vec<Pipe>,
    /// Where the slots of each node begin.
    starts: Vec<u32>,
    slots: Vec<Slot>,
}

impl FlowNetwork {
    /// Lays out pipes between the nodes `0..node_count`. Pipes keep the numbers they have in the list.
    pub fn new(node_count: u32, pipes: Vec<Pipe>) -> Result<Self, FlowError> {
        check_pipes(node_count, &pipes)?;
        let mut starts = vec![0_u32; node_count as usize + 1];
        for pipe in &pipes {
            starts[pipe.from as usize + 1] += 1;
            starts[pipe.to as usize + 1] += 1;
        }
        for node in 0..node_count as usize {
            starts[node + 1] += starts[node];
        }
        let mut places = starts.clone();
        let mut take = |node: u32| {
            let place = &mut places[node as usize];
            *place += 1;
            *place - 1
        };
        let mut slots = vec![Slot::default(); 2 * pipes.len()];
        for (number, pipe) in (0_u32..).zip(&pipes) {
            let (leaving, entering) = (take(pipe.from), take(pipe.to));
            slots[leaving as usize] = Slot { head: pipe.to, twin: entering, tag: 2 * number };
            slots[entering as usize] = Slot { head: pipe.from, twin: leaving, tag: 2 * number + 1 };
        }
        Ok(Self { pipes, starts, slots })
    }

    /// How many nodes there are.
    pub const fn node_count(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The pipes, as they were given.
    pub fn pipes(&self) -> &[Pipe] {
        &self.pipes
    }

    /// Marks nodes, or says which of them does not exist.
    pub(super) fn marked(&self, nodes: &[u32]) -> Result<Vec<bool>, FlowError> {
        let node_count = self.node_count();
        let mut marks = vec![false; node_count as usize];
        for node in nodes {
            *marks.get_mut(*node as usize).ok_or(FlowError::NoSuchNode { node: *node, node_count })? = true;
        }
        Ok(marks)
    }

    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The numbers of a node's slots.
    pub(super) fn range(&self, node: u32) -> Range<usize> {
        self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize
    }

    /// A node's slots.
    pub(super) fn slots_of(&self, node: u32) -> &[Slot] {
        &self.slots[self.range(node)]
    }

    pub(super) fn capacity(&self, pipe: u32) -> Capacity {
        self.pipes[pipe as usize].capacity
    }
}

/// Each number fits and names something, and what flows can be counted.
fn check_pipes(node_count: u32, pipes: &[Pipe]) -> Result<(), FlowError> {
    let most = i32::MAX as usize;
    if let Some(count) = [node_count as usize, pipes.len()].into_iter().find(|count| *count > most) {
        return Err(FlowError::TooMany { count });
    }
    let mut total = 0_u64;
    for pipe in pipes {
        if let Some(node) = [pipe.from, pipe.to].into_iter().find(|node| *node >= node_count) {
            return Err(FlowError::NoSuchNode { node, node_count });
        }
        if let Capacity::Finite(amount) = pipe.capacity {
            total = total.checked_add(amount).filter(|total| *total < u64::MAX / 2).ok_or(FlowError::TooLarge)?;
        }
    }
    Ok(())
}
