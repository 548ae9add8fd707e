//! What it costs to change something, as people say it: `KIND=COST` or `KIND=never`.

use tracehound_analyze::choke::FixCosts;
use tracehound_analyze::naming::{Suggestions, did_you_mean};
use tracehound_model::{EdgeKind, Movement, NodeKind};

/// The largest cost. Sums of very many of them still fit.
const LARGEST: u64 = 1_000_000;

/// What all changes of one sort cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FixCost {
    /// What is changed.
    pub(crate) kind: Changed,
    /// What it costs; none if it is never done.
    cost: Option<u64>,
}

/// What is taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Changed {
    /// Edges of a kind.
    Edge(EdgeKind),
    /// Nodes of a kind.
    Node(NodeKind),
}

/// Reads a cost.
pub(crate) fn parse(text: &str) -> Result<FixCost, String> {
    let (kind, cost) = text.split_once('=').ok_or("a cost is KIND=NUMBER or KIND=never")?;
    let kind = kind.trim();
    let cost = match cost.trim() {
        "never" => None,
        number => Some(whole(number)?),
    };
    Ok(FixCost { kind: changed(kind)?, cost })
}

fn whole(number: &str) -> Result<u64, String> {
    let cost: Option<u64> = number.parse().ok().filter(|cost| (1..=LARGEST).contains(cost));
    cost.ok_or_else(|| format!("`{number}` is no cost; it is a whole number from 1 to {LARGEST}, or `never`"))
}

fn changed(name: &str) -> Result<Changed, String> {
    if let Some(kind) = NodeKind::ALL.iter().copied().find(|kind| kind.name().eq_ignore_ascii_case(name)) {
        return Ok(Changed::Node(kind));
    }
    let Some(kind) = EdgeKind::ALL.iter().copied().find(|kind| kind.name().eq_ignore_ascii_case(name)) else {
        let known = EdgeKind::ALL.iter().map(|kind| kind.name()).chain(NodeKind::ALL.iter().map(|kind| kind.name()));
        return Err(format!("there is no kind `{name}`{}", did_you_mean(&Suggestions::among(name, known))));
    };
    match kind {
        EdgeKind::HasAccessTo | EdgeKind::CanExecute => {
            Err(format!("`{kind}` follows from other edges and goes with them; give a cost for those"))
        }
        _ if kind.movement() == Movement::Never => Err(format!("nobody gets anywhere along `{kind}`")),
        _ => Ok(Changed::Edge(kind)),
    }
}

impl FixCost {
    /// Adds it to others; a later one takes the place of an earlier one.
    pub(crate) fn apply(self, costs: &mut FixCosts) {
        match self.kind {
            Changed::Edge(kind) => costs.edge(kind, self.cost),
            Changed::Node(kind) => costs.node(kind, self.cost),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
