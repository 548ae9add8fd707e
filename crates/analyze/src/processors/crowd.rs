//! Nodes that are alike, as one of them sees the others: all but those that have the same owner.
//!
//! Thousands of tools may have one name, and each is to be compared with all the others. So alike nodes stand in a crowd
//! once, whoever looks takes the first of them, and counts the rest by taking away those that don't count.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use tracehound_graph::NodeIx;
use tracehound_model::EdgeKind;

use crate::basis::{Basis, meet};

/// To whom a node belongs; none for those that belong to nobody or to several, and are strangers to everybody else.
pub(super) type Owner = Option<u32>;

/// The owner of a tool: the one server that provides it.
pub(super) fn owner_of_tool(basis: &Basis<'_>, tool: NodeIx) -> Owner {
    basis.sole_provider(EdgeKind::ProvidesTool, tool).map(|server| server.0)
}

/// Whether a tool sees another among those that are alike: both are provided, not by one server alone, and can be on one machine.
pub(super) fn is_stranger(basis: &Basis<'_>, tool: NodeIx, other: NodeIx) -> bool {
    let is_provided = |tool| basis.sources(EdgeKind::ProvidesTool, tool).len() > 0;
    let owner = owner_of_tool(basis, tool);
    tool != other
        && is_provided(tool)
        && is_provided(other)
        && (owner.is_none() || owner != owner_of_tool(basis, other))
        && meet(&basis.tool_on(tool), &basis.tool_on(other))
}

/// Nodes that are alike.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    /// By id.
    members: Vec<(NodeIx, Owner)>,
    /// For each member, where the run of members with its owner ends.
    ends: Vec<usize>,
    owned: BTreeMap<u32, u64>,
}

impl Crowd {
    /// Puts together nodes with their owners. Growth: linear but for sorting.
    pub(super) fn new(mut members: Vec<(NodeIx, Owner)>) -> Self {
        members.sort_unstable();
        let mut ends = Vec::with_capacity(members.len());
        for run in members.chunk_by(|a, b| a.1 == b.1) {
            let end = ends.len() + run.len();
            ends.resize(end, end);
        }
        let mut owned = BTreeMap::new();
        for owner in members.iter().filter_map(|(_, owner)| *owner) {
            *owned.entry(owner).or_default() += 1;
        }
        Self { members, ends, owned }
    }

    /// The members that don't have this owner, by id. Each step takes constant time: runs of one owner are skipped whole.
    fn strangers(&self, viewer: Owner) -> impl Iterator<Item = NodeIx> {
        let mut at = 0;
        std::iter::from_fn(move || {
            if self.members.get(at)?.1 == viewer && viewer.is_some() {
                at = self.ends.get(at).copied()?;
            }
            at += 1;
            self.members.get(at - 1).map(|(node, _)| *node)
        })
    }

    fn count(&self, viewer: Owner) -> u64 {
        let own = viewer.and_then(|owner| self.owned.get(&owner)).copied().unwrap_or(0);
        self.members.len() as u64 - own
    }

    /// Whether a node is one of them.
    pub(super) fn has(&self, node: NodeIx) -> bool {
        self.members.binary_search_by_key(&node, |(member, _)| *member).is_ok()
    }
}

/// What an owner's nodes see of several crowds that have no member in common.
#[derive(Debug)]
pub(super) struct Seen {
    viewer: Owner,
    /// The first strangers, each with the place of its crowd; one more than are wanted, since one may be who looks.
    first: Vec<(NodeIx, usize)>,
    count: u64,
    most: usize,
}

impl Seen {
    /// Looks at crowds: strangers of the crowd with the least rank come first, and then those with the smallest ids.
    ///
    /// Growth: linear in the number of crowds and in how many are wanted, but for sorting; not in how many there are.
    pub(super) fn new<R: Ord + Copy>(crowds: &[(R, &Crowd)], viewer: Owner, most: usize) -> Self {
        let mut walks: Vec<_> = crowds.iter().map(|(rank, crowd)| (*rank, crowd.strangers(viewer))).collect();
        let mut next = BinaryHeap::with_capacity(walks.len());
        for (place, (rank, walk)) in walks.iter_mut().enumerate() {
            next.extend(walk.next().map(|node| Reverse((*rank, node, place))));
        }
        let mut first = Vec::new();
        while first.len() <= most {
            let Some(Reverse((rank, node, place))) = next.pop() else { break };
            first.push((node, place));
            let following = walks.get_mut(place).and_then(|(_, walk)| walk.next());
            next.extend(following.map(|node| Reverse((rank, node, place))));
        }
        let count = crowds.iter().map(|(_, crowd)| crowd.count(viewer)).sum();
        Self { viewer, first, count, most }
    }

    /// What one node of the owner sees: the first with the places of their crowds, and how many more there are. A node
    /// `is_among` them if one of the crowds has it.
    pub(super) fn by(&self, node: NodeIx, is_among: bool) -> (Vec<(NodeIx, usize)>, u64) {
        let others = self.first.iter().copied().filter(|(other, _)| *other != node);
        let shown: Vec<(NodeIx, usize)> = others.take(self.most).collect();
        // What has an owner is not a stranger to itself, and was left out already.
        let itself = u64::from(is_among && self.viewer.is_none());
        let beyond = self.count.saturating_sub(itself).saturating_sub(shown.len() as u64);
        (shown, beyond)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn crowd(members: &[(u32, Owner)]) -> Crowd {
        Crowd::new(members.iter().map(|(node, owner)| (NodeIx(*node), *owner)).collect())
    }

    #[test]
    fn runs_of_one_owner_are_left_out_and_counted() {
        let crowd = crowd(&[(1, Some(7)), (2, Some(7)), (3, None), (4, Some(8)), (5, Some(7))]);
        let seen = Seen::new(&[((), &crowd)], Some(7), 1);
        assert_eq!(seen.by(NodeIx(1), true), (vec![(NodeIx(3), 0)], 1));
        let seen = Seen::new(&[((), &crowd)], None, 9);
        assert_eq!(seen.by(NodeIx(3), true).0.len(), 4);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn seeing_is_as_defined(
            owners in prop::collection::vec((prop::option::of(0..4_u32), 0..3_usize), 0..30),
            ranks in any::<[u8; 3]>(),
            most in 0..12_usize,
            who in 0..30_usize,
        ) {
            let all: Vec<(NodeIx, Owner, usize)> =
                (0..).zip(&owners).map(|(node, (owner, place))| (NodeIx(node), *owner, *place)).collect();
            let crowds: Vec<Crowd> = (0..3)
                .map(|place| Crowd::new(all.iter().filter(|one| one.2 == place).map(|one| (one.0, one.1)).collect()))
                .collect();
            let ranked: Vec<(u8, &Crowd)> = ranks.into_iter().zip(&crowds).collect();
            let Some((node, owner, _)) = all.get(who).copied() else { return Ok(()) };
            let is_other = |one: &&(NodeIx, Owner, usize)| one.0 != node && (owner.is_none() || one.1 != owner);
            let mut expected: Vec<(u8, NodeIx, usize)> =
                all.iter().filter(is_other).map(|one| (ranks[one.2], one.0, one.2)).collect();
            expected.sort_unstable();
            let beyond = expected.len().saturating_sub(most) as u64;
            let expected: Vec<(NodeIx, usize)> = expected.into_iter().take(most).map(|one| (one.1, one.2)).collect();
            prop_assert_eq!(Seen::new(&ranked, owner, most).by(node, true), (expected, beyond));
        }
    }
}
