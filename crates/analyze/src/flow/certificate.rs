//! A cut with the proof that no cheaper one exists: a flow of the same value, path by path.
//!
//! Every path must be cut somewhere, and no two of them share what they use, so a cut costs at least what all paths
//! carry together. The check shares nothing with the search that found the cut; it reads the plain list of pipes.
#![expect(
    clippy::indexing_slicing,
    reason = "a kernel over numbered columns, whose numbers were checked on the way in"
)]

use super::FlowError;
use super::adjacency::Adjacency;
use super::decompose::FlowPath;
use super::max_flow::max_flow;
use super::network::{Capacity, Ends, FlowNetwork, Pipe};

/// A cheapest cut and its proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// What the cut costs, and what the paths carry together.
    pub cost: u64,
    /// The pipes to remove, in order of their numbers.
    pub cut: Vec<u32>,
    /// Paths from sources to targets that use no pipe beyond its capacity.
    pub paths: Vec<FlowPath>,
}

/// What is wrong with a certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The ends are not of this network.
    #[error("there is no node {0}")]
    NoSuchNode(u32),
    /// The cut or a path names a pipe that does not exist.
    #[error("there is no pipe {0}")]
    NoSuchPipe(u32),
    /// The cut is not a list of different pipes in order.
    #[error("pipe {0} of the cut is out of order or there twice")]
    OutOfOrder(u32),
    /// The cut contains what cannot be removed.
    #[error("pipe {0} of the cut can never be removed")]
    Infinite(u32),
    /// The cut costs something else.
    #[error("the cut costs {actual} and not {stated}")]
    Cost {
        /// What was said.
        stated: u64,
        /// What its pipes cost together.
        actual: u128,
    },
    /// The cut leaves a way.
    #[error("target {0} is still reached when the cut is removed")]
    NotSeparated(u32),
    /// What stands for a path is none.
    #[error("path {0} does not lead from a source to a target")]
    NoPath(usize),
    /// The paths use a pipe too much.
    #[error("the paths carry more through pipe {0} than it lets through")]
    Overloaded(u32),
    /// The paths prove something else.
    #[error("the paths carry {actual} and not {stated}")]
    Value {
        /// What was said.
        stated: u64,
        /// What they carry together.
        actual: u128,
    },
}

impl Certificate {
    /// Finds the cheapest cut nearest to the sources and proves it. The growth is that of [`max_flow`], and that of
    /// [`Flow::paths`](super::Flow::paths).
    pub fn find(network: &FlowNetwork, ends: Ends<'_>) -> Result<Self, FlowError> {
        let flow = max_flow(network, ends)?;
        let cut = flow.cut();
        Ok(Self { cost: cut.cost, cut: cut.pipes, paths: flow.paths().collect() })
    }

    /// Checks that the cut separates the ends, and that its cost is the least possible. Takes time linear in the
    /// network and in the certificate.
    pub fn check(&self, network: &FlowNetwork, ends: Ends<'_>) -> Result<(), Flaw> {
        let node_count = network.node_count();
        if let Some(node) = ends.sources.iter().chain(ends.targets).find(|node| **node >= node_count) {
            return Err(Flaw::NoSuchNode(*node));
        }
        self.check_cut(network.pipes())?;
        self.check_separation(network, ends)?;
        self.check_paths(network, ends)
    }

    fn check_cut(&self, pipes: &[Pipe]) -> Result<(), Flaw> {
        let mut actual = 0;
        let mut next = 0;
        for number in &self.cut {
            let pipe = pipes.get(*number as usize).ok_or(Flaw::NoSuchPipe(*number))?;
            if *number < next {
                return Err(Flaw::OutOfOrder(*number));
            }
            next = *number + 1;
            match pipe.capacity {
                Capacity::Finite(cost) => actual += u128::from(cost),
                Capacity::Infinite => return Err(Flaw::Infinite(*number)),
            }
        }
        if actual == u128::from(self.cost) { Ok(()) } else { Err(Flaw::Cost { stated: self.cost, actual }) }
    }

    fn check_separation(&self, network: &FlowNetwork, ends: Ends<'_>) -> Result<(), Flaw> {
        let outgoing = Adjacency::new(network.node_count(), network.pipes().iter().map(|pipe| (pipe.from, pipe.to)));
        let mut is_cut = vec![false; network.pipes().len()];
        for number in &self.cut {
            is_cut[*number as usize] = true;
        }
        let mut is_reached = marks(network, ends.sources);
        let mut stack = ends.sources.to_vec();
        while let Some(node) = stack.pop() {
            for (head, pipe) in outgoing.of(node) {
                if !is_cut[*pipe as usize] && !is_reached[*head as usize] {
                    is_reached[*head as usize] = true;
                    stack.push(*head);
                }
            }
        }
        match ends.targets.iter().find(|target| is_reached[**target as usize]) {
            Some(target) => Err(Flaw::NotSeparated(*target)),
            None => Ok(()),
        }
    }

    fn check_paths(&self, network: &FlowNetwork, ends: Ends<'_>) -> Result<(), Flaw> {
        let (is_source, is_target) = (marks(network, ends.sources), marks(network, ends.targets));
        let pipes = network.pipes();
        let mut load = vec![0_u128; pipes.len()];
        let mut actual = 0_u128;
        for (position, path) in self.paths.iter().enumerate() {
            let mut end = None;
            for number in &path.pipes {
                let pipe = pipes.get(*number as usize).ok_or(Flaw::NoSuchPipe(*number))?;
                if end.map_or(!is_source[pipe.from as usize], |end| end != pipe.from) {
                    return Err(Flaw::NoPath(position));
                }
                end = Some(pipe.to);
                load[*number as usize] += u128::from(path.amount);
            }
            if !end.is_some_and(|end| is_target[end as usize]) {
                return Err(Flaw::NoPath(position));
            }
            actual += u128::from(path.amount);
        }
        let is_over = |pipe: &Pipe, load: u128| matches!(pipe.capacity, Capacity::Finite(most) if load > most.into());
        if let Some(number) =
            (0..).zip(pipes).zip(&load).find_map(|((number, pipe), load)| is_over(pipe, *load).then_some(number))
        {
            return Err(Flaw::Overloaded(number));
        }
        if actual == u128::from(self.cost) { Ok(()) } else { Err(Flaw::Value { stated: self.cost, actual }) }
    }
}

/// Marks nodes that are known to exist.
fn marks(network: &FlowNetwork, nodes: &[u32]) -> Vec<bool> {
    let mut marks = vec![false; network.node_count() as usize];
    for node in nodes {
        marks[*node as usize] = true;
    }
    marks
}
