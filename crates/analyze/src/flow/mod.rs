//! Choke points: the cheapest set of pipes or nodes that separates some nodes from others, with a proof, and the nodes
//! and arcs that no path avoids.
//!
//! Everything here works on numbers: nodes are `0..node_count`, pipes are numbered as they were given. Knows nothing
//! of kinds, estates or what a fix costs; whoever asks translates both ways.
//!
//! ```
//! use tracehound_analyze::flow::{Capacity, Certificate, Ends, FlowNetwork, Pipe};
//!
//! // Two agents trust one server, which has one tool. Either one fix of cost 3 or two of cost 1 would do.
//! let pipe = |from, to, cost| Pipe { from, to, capacity: Capacity::Finite(cost) };
//! let network = FlowNetwork::new(4, vec![pipe(0, 2, 1), pipe(1, 2, 1), pipe(2, 3, 3)])?;
//! let ends = Ends { sources: &[0, 1], targets: &[3] };
//! let certificate = Certificate::find(&network, ends)?;
//! assert_eq!((certificate.cost, &certificate.cut[..]), (2, &[0, 1][..]));
//! certificate.check(&network, ends)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adjacency;
mod certificate;
mod cut;
mod decompose;
mod dominators;
mod max_flow;
mod network;
mod split;
#[cfg(test)]
mod tests;

pub use certificate::{Certificate, Flaw};
pub use cut::Cut;
pub use decompose::FlowPath;
pub use dominators::Dominators;
pub use max_flow::{Flow, max_flow};
pub use network::{Capacity, Ends, FlowNetwork, Pipe};
pub use split::SplitNodes;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FlowError {
    /// A pipe, an arc or an end names a node beyond the last.
    #[error("there is no node {node}, only {node_count} in all")]
    NoSuchNode {
        /// The node that was named.
        node: u32,
        /// How many nodes there are.
        node_count: u32,
    },
    /// Numbers of nodes and pipes have 31 bits.
    #[error("{count} nodes or pipes are more than can be numbered")]
    TooMany {
        /// How many there are.
        count: usize,
    },
    /// Costs are added up, and the sum must stay below half of what 64 bits hold.
    #[error("the finite capacities add up to too large a number")]
    TooLarge,
    /// Some path from a source to a target consists of infinite capacities alone, so that nothing of finite cost cuts
    /// it.
    #[error("no cut has a finite cost: {} infinite steps lead from node {start} to a target", path.len())]
    NoFiniteCut {
        /// The source where the path begins.
        start: u32,
        /// The pipes of a shortest such path. None when the source is a target itself.
        path: Vec<u32>,
    },
}
