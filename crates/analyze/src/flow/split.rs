//! Cuts of nodes, by the same search: each node becomes a pipe from its entry to its exit.
//!
//! ```
//! use tracehound_analyze::flow::{Capacity, Certificate, Ends, Pipe, SplitNodes};
//!
//! // Two agents, one server, two resources: the server is what to fix. Agents and resources stay.
//! let stays = Capacity::Infinite;
//! let arc = |from, to| Pipe { from, to, capacity: Capacity::Infinite };
//! let split = SplitNodes::new(
//!     &[stays, stays, Capacity::Finite(5), stays, stays],
//!     &[arc(0, 2), arc(1, 2), arc(2, 3), arc(2, 4)],
//! )?;
//! let (sources, targets) = (split.sources(&[0, 1])?, split.targets(&[3, 4])?);
//! let certificate = Certificate::find(split.network(), Ends { sources: &sources, targets: &targets })?;
//! let nodes: Vec<u32> = certificate.cut.iter().filter_map(|pipe| split.node_of(*pipe)).collect();
//! assert_eq!((nodes, certificate.cost), (vec![2], 5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::FlowError;
use super::network::{Capacity, FlowNetwork, Pipe};

/// A network in which nodes can be cut. Its pipe `n` is the node `n`; the arcs come behind the nodes, in their order.
#[derive(Debug)]
pub struct SplitNodes {
    network: FlowNetwork,
    node_count: u32,
}

impl SplitNodes {
    /// Splits each node by what its removal costs. Arcs of finite capacity can be cut as well, so that the cheapest of
    /// both is found; for nodes alone the arcs are infinite. Takes linear time.
    pub fn new(node_capacities: &[Capacity], arcs: &[Pipe]) -> Result<Self, FlowError> {
        let too_many = |_| FlowError::TooMany { count: node_capacities.len() };
        let count = u32::try_from(2 * node_capacities.len()).map_err(too_many)?;
        let node_count = count / 2;
        let nodes = (0..).zip(node_capacities);
        let mut pipes: Vec<Pipe> = nodes
            .map(|(node, capacity): (u32, _)| Pipe { from: entry(node), to: exit(node), capacity: *capacity })
            .collect();
        for arc in arcs {
            if let Some(node) = [arc.from, arc.to].into_iter().find(|node| *node >= node_count) {
                return Err(FlowError::NoSuchNode { node, node_count });
            }
            pipes.push(Pipe { from: exit(arc.from), to: entry(arc.to), capacity: arc.capacity });
        }
        Ok(Self { network: FlowNetwork::new(count, pipes)?, node_count })
    }

    /// The network to ask.
    pub const fn network(&self) -> &FlowNetwork {
        &self.network
    }

    /// Where paths from these nodes begin: before them, so that they can be cut themselves unless they are infinite.
    pub fn sources(&self, nodes: &[u32]) -> Result<Vec<u32>, FlowError> {
        self.halves(nodes, entry)
    }

    /// Where paths to these nodes end: behind them.
    pub fn targets(&self, nodes: &[u32]) -> Result<Vec<u32>, FlowError> {
        self.halves(nodes, exit)
    }

    /// The node that a pipe of the network stands for.
    pub fn node_of(&self, pipe: u32) -> Option<u32> {
        (pipe < self.node_count).then_some(pipe)
    }

    /// The arc that a pipe of the network stands for.
    pub fn arc_of(&self, pipe: u32) -> Option<u32> {
        pipe.checked_sub(self.node_count)
    }

    fn halves(&self, nodes: &[u32], half: fn(u32) -> u32) -> Result<Vec<u32>, FlowError> {
        let is_there = |node: u32| if node < self.node_count { Some(half(node)) } else { None };
        let missing = |node| FlowError::NoSuchNode { node, node_count: self.node_count };
        nodes.iter().map(|node| is_there(*node).ok_or_else(|| missing(*node))).collect()
    }
}

const fn entry(node: u32) -> u32 {
    2 * node
}

const fn exit(node: u32) -> u32 {
    2 * node + 1
}
