//! What it costs to change something, as people say it: a kind, and a number or `never`.

use std::str::FromStr;

use tracehound_model::{EdgeKind, Movement, NodeKind};

use super::FixCosts;
use crate::naming::{Suggestions, did_you_mean};

/// The largest cost. Sums of very many of them still fit.
const LARGEST: u64 = 1_000_000;

/// What all changes of one sort cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixCost {
    /// What is changed.
    pub kind: Changed,
    /// What it costs; none if it is never done.
    cost: Option<u64>,
}

/// What is taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// Edges of a kind.
    Edge(EdgeKind),
    /// Nodes of a kind.
    Node(NodeKind),
}

/// Why something is no cost.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoCost {
    /// It is no pair of a kind and a cost.
    #[error("a cost is KIND=NUMBER or KIND=never")]
    NoPair,
    /// It is no number that can be used.
    #[error("`{0}` is no cost; it is a whole number from 1 to {LARGEST}, or `never`")]
    NoNumber(String),
    /// There is no such kind.
    #[error("there is no kind `{text}`{}", did_you_mean(suggestions))]
    UnknownKind {
        /// What was said.
        text: String,
        /// What may have been meant.
        suggestions: Vec<String>,
    },
    /// It goes when others go.
    #[error("`{0}` follows from other edges and goes with them; give a cost for those")]
    Follows(EdgeKind),
    /// Nobody ever walks it.
    #[error("nobody gets anywhere along `{0}`")]
    NeverWalked(EdgeKind),
    /// Nodes have costs only where nodes are removed, and edges where edges are.
    #[error("`{kind}` is a kind of {is}, and only {removed} are removed here")]
    NotRemoved {
        /// The kind.
        kind: &'static str,
        /// What it is a kind of.
        is: &'static str,
        /// What is removed.
        removed: &'static str,
    },
}

/// What is removed: edges, or the nodes between.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Removed {
    /// Edges.
    #[default]
    Edges,
    /// Nodes.
    Nodes,
}

impl FromStr for FixCost {
    type Err = NoCost;

    /// Reads `KIND=NUMBER` or `KIND=never`.
    fn from_str(text: &str) -> Result<Self, NoCost> {
        let (kind, cost) = text.split_once('=').ok_or(NoCost::NoPair)?;
        let cost = match cost.trim() {
            "never" => None,
            number => Some(number.parse().map_err(|_| NoCost::NoNumber(number.to_owned()))?),
        };
        Self::new(kind.trim(), cost)
    }
}

impl FixCost {
    /// What changes of a kind cost; none if they are never made.
    ///
    /// # Errors
    /// When there is no such kind, nothing of it can be removed, or the cost is none.
    pub fn new(kind: &str, cost: Option<u64>) -> Result<Self, NoCost> {
        match cost.filter(|cost| !(1..=LARGEST).contains(cost)) {
            Some(cost) => Err(NoCost::NoNumber(cost.to_string())),
            None => Ok(Self { kind: changed(kind)?, cost }),
        }
    }

    /// Adds it to others; a later one takes the place of an earlier one.
    fn apply(self, costs: &mut FixCosts) {
        match self.kind {
            Changed::Edge(kind) => costs.edge(kind, self.cost),
            Changed::Node(kind) => costs.node(kind, self.cost),
        }
    }
}

impl FixCosts {
    /// Puts costs together. One that could not count is refused.
    ///
    /// # Errors
    /// When a cost is of edges and nodes are removed, or the other way round.
    pub fn of(all: &[FixCost], removed: Removed) -> Result<Self, NoCost> {
        let mut costs = Self::default();
        for cost in all {
            let (kind, is, removed) = match (cost.kind, removed) {
                (Changed::Node(kind), Removed::Edges) => (kind.name(), "nodes", "edges"),
                (Changed::Edge(kind), Removed::Nodes) => (kind.name(), "edges", "nodes"),
                _ => {
                    cost.apply(&mut costs);
                    continue;
                }
            };
            return Err(NoCost::NotRemoved { kind, is, removed });
        }
        Ok(costs)
    }
}

fn changed(name: &str) -> Result<Changed, NoCost> {
    if let Some(kind) = NodeKind::ALL.iter().copied().find(|kind| kind.name().eq_ignore_ascii_case(name)) {
        return Ok(Changed::Node(kind));
    }
    let Some(kind) = EdgeKind::ALL.iter().copied().find(|kind| kind.name().eq_ignore_ascii_case(name)) else {
        let known = EdgeKind::ALL.iter().map(|kind| kind.name()).chain(NodeKind::ALL.iter().map(|kind| kind.name()));
        return Err(NoCost::UnknownKind { text: name.to_owned(), suggestions: Suggestions::among(name, known) });
    };
    match kind {
        EdgeKind::HasAccessTo | EdgeKind::CanExecute => Err(NoCost::Follows(kind)),
        _ if kind.movement() == Movement::Never => Err(NoCost::NeverWalked(kind)),
        _ => Ok(Changed::Edge(kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<FixCost, String> {
        text.parse().map_err(|error: NoCost| error.to_string())
    }

    #[test]
    fn costs_are_of_kinds_of_edges_or_nodes() {
        let edge = FixCost { kind: Changed::Edge(EdgeKind::TrustsServer), cost: Some(5) };
        assert_eq!(parse("trusts_server=5"), Ok(edge));
        assert_eq!(parse("Host = never"), Ok(FixCost { kind: Changed::Node(NodeKind::Host), cost: None }));
    }

    #[test]
    fn what_is_no_cost_is_refused_with_words() {
        for (text, word) in [
            ("TRUSTS_SERVER", "KIND=NUMBER"),
            ("TRUSTS_SERVER=0", "from 1 to"),
            ("TRUSTS_SERVER=-1", "from 1 to"),
            ("TRUSTS_SERVER=1000001", "from 1 to"),
            ("TRUSTS_SERVER=", "no cost"),
            ("TRUST_SERVER=1", "did you mean `TRUSTS_SERVER`"),
            ("HAS_ACCESS_TO=1", "follows from other edges"),
            ("POISONED_DESCRIPTION=1", "nobody gets anywhere"),
        ] {
            let refused = parse(text).unwrap_err();
            assert!(refused.contains(word), "{text}: {refused}");
        }
    }
    #[test]
    fn a_cost_counts_only_for_what_is_removed() {
        let (edge, node) = (parse("RUNS_ON=2").unwrap(), parse("Host=2").unwrap());
        assert!(FixCosts::of(&[edge], Removed::Edges).is_ok() && FixCosts::of(&[node], Removed::Nodes).is_ok());
        let refused = FixCosts::of(&[edge], Removed::Nodes).unwrap_err().to_string();
        assert_eq!(refused, "`RUNS_ON` is a kind of edges, and only nodes are removed here");
        let refused = FixCosts::of(&[edge, node], Removed::Edges).unwrap_err().to_string();
        assert_eq!(refused, "`Host` is a kind of nodes, and only edges are removed here");
    }
}
