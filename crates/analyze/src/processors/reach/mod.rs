//! How agents reach resources and secrets: the ways that the processors of `CAN_REACH` share.
//!
//! Every way answers two questions: what does this agent reach (the best first, and how many in all), and does this agent
//! reach that. The second lets a later way leave out what an earlier one has already told.

pub(crate) mod chain;
pub(crate) mod direct;
pub(crate) mod spots;

use tracehound_graph::NodeIx;
use tracehound_model::EdgeKind;

use crate::basis::{Basis, Cost};

/// How many edges are written down for one agent and way: the easiest, then those to the smallest ids.
pub(crate) const MOST: usize = 100;

/// The servers that an agent trusts with the cost of using each; the easiest first, then by id.
pub(crate) fn trusted(basis: &Basis<'_>, agent: NodeIx) -> Vec<(Cost, NodeIx)> {
    let mut servers: Vec<(Cost, NodeIx)> =
        basis.view.outgoing(EdgeKind::TrustsServer, agent).map(|(server, edge)| (basis.cost(edge), server)).collect();
    servers.sort_unstable();
    servers
}

/// Keeps the best, and the best with another mark. Whoever must avoid one mark finds the best of the rest among these.
pub(crate) fn best_two<T: Ord + Copy, M: PartialEq>(ways: &mut Vec<T>, mark: impl Fn(&T) -> M) {
    let Some(first) = ways.iter().min().copied() else { return };
    let second = ways.iter().filter(|way| mark(way) != mark(&first)).min().copied();
    *ways = [Some(first), second].into_iter().flatten().collect();
}

/// What was found for an agent: the targets that are written down with how each is reached, and how many more there are.
#[derive(Debug)]
pub(crate) struct Found<T> {
    pub(crate) shown: Vec<(NodeIx, T)>,
    pub(crate) beyond: u64,
}

impl<T> Found<T> {
    /// Of everything that is reached, the easiest.
    pub(crate) fn best(mut all: Vec<(Cost, NodeIx, T)>) -> Self {
        all.sort_by_key(|(cost, target, _)| (*cost, *target));
        let beyond = all.len().saturating_sub(MOST) as u64;
        Self { shown: all.into_iter().take(MOST).map(|(_, target, how)| (target, how)).collect(), beyond }
    }
}
