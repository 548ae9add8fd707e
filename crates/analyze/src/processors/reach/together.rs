//! How much lies behind several spots together.
//!
//! A server may lie behind several spots, so the sum over spots counts it more than once. What two spots have in common is
//! taken away, what three have in common is added again, and so on: for each combination of spots behind which some server
//! lies it is known how much lies behind all of them. There are few combinations, as a server lies behind few spots.
//!
//! Growth: linear in servers, with at most `2^FEW` combinations for each. A question takes, for each spot that is open, time
//! in the other open ones or in the larger spots that it has servers in common with, whichever is less. Servers that lie
//! behind more than [`FEW`] spots are looked at one by one.
#![expect(
    clippy::indexing_slicing,
    reason = "ranks and branches are numbered here, and every number is of these columns"
)]

use std::ops::Range;

use tracehound_graph::NodeIx;

/// Up to how many spots of a server combinations are made.
const FEW: usize = 6;

/// What lies behind a combination of spots: that of the branch above, and one more.
#[derive(Debug, Clone)]
struct Branch {
    rank: u32,
    /// How much lies behind all spots of the combination.
    amount: u64,
    /// The combinations with one more spot, by its rank.
    further: Range<u32>,
}

/// Servers, how much each gives, and the spots that it lies behind.
#[derive(Debug)]
pub(crate) struct Together {
    first_server: u32,
    /// By server.
    amounts: Vec<u64>,
    /// By server: the ranks of its spots, sorted.
    behind: Vec<Vec<u32>>,
    /// By spot: its rank. Small spots come first, so that few combinations begin with each.
    ranks: Vec<u32>,
    branches: Vec<Branch>,
    /// The combinations of one spot.
    single: Range<u32>,
    /// By rank: servers that lie behind very many spots.
    crowded: Vec<Vec<NodeIx>>,
}

impl Together {
    /// Given how much each server gives, and the servers behind each spot.
    pub(crate) fn new(first_server: u32, amounts: Vec<u64>, spots: &[Vec<NodeIx>]) -> Self {
        let mut order: Vec<usize> = (0..spots.len()).collect();
        order.sort_by_key(|spot| spots[*spot].len());
        let mut ranks = vec![0; spots.len()];
        let mut behind = vec![Vec::new(); amounts.len()];
        for (rank, spot) in (0..).zip(order) {
            ranks[spot] = rank;
            let offsets = spots[spot].iter().filter_map(|server| server.0.checked_sub(first_server));
            for offset in offsets {
                // What else is given secrets gives nothing.
                let of_server: Option<&mut Vec<u32>> = behind.get_mut(offset as usize);
                of_server.into_iter().filter(|ranks| ranks.last() != Some(&rank)).for_each(|ranks| ranks.push(rank));
            }
        }
        let crowded = vec![Vec::new(); spots.len()];
        let mut all = Self { first_server, amounts, behind, ranks, branches: Vec::new(), single: 0..0, crowded };
        let gives = |server: &u32| all.amounts[*server as usize] > 0;
        let (few, many): (Vec<u32>, Vec<u32>) =
            (0..all.amounts.len() as u32).filter(gives).partition(|server| all.behind[*server as usize].len() <= FEW);
        for server in many {
            for rank in &all.behind[server as usize] {
                all.crowded[*rank as usize].push(NodeIx(first_server + server));
            }
        }
        let few: Vec<(u32, u32)> = few.into_iter().map(|server| (server, 0)).collect();
        all.single = all.grow(&few);
        all
    }

    /// Makes the branches for servers whose spots from a position on are left.
    fn grow(&mut self, servers: &[(u32, u32)]) -> Range<u32> {
        let mut left: Vec<(u32, u32, u32)> = Vec::new();
        for (server, from) in servers.iter().copied() {
            let ranks = self.behind[server as usize].iter().copied();
            left.extend((0..).zip(ranks).skip(from as usize).map(|(place, rank)| (rank, server, place + 1)));
        }
        left.sort_unstable();
        let start = self.branches.len();
        for group in left.chunk_by(|a, b| a.0 == b.0) {
            let amount = group.iter().map(|(_, server, _)| self.amounts[*server as usize]).sum();
            self.branches.push(Branch { rank: group[0].0, amount, further: 0..0 });
        }
        let range = start as u32..self.branches.len() as u32;
        for (branch, group) in (start..).zip(left.chunk_by(|a, b| a.0 == b.0)) {
            let servers: Vec<(u32, u32)> = group.iter().map(|(_, server, from)| (*server, *from)).collect();
            self.branches[branch].further = self.grow(&servers);
        }
        range
    }

    /// The ranks of the spots that a server lies behind.
    fn ranks_of(&self, server: NodeIx) -> &[u32] {
        let offset = server.0.checked_sub(self.first_server);
        offset.and_then(|offset| self.behind.get(offset as usize)).map_or(&[], Vec::as_slice)
    }

    fn amount(&self, server: NodeIx) -> u64 {
        let offset = server.0.checked_sub(self.first_server);
        offset.and_then(|offset| self.amounts.get(offset as usize)).copied().unwrap_or(0)
    }
}

/// Spots that are open to somebody, to be asked what lies behind them.
#[derive(Debug)]
pub(crate) struct Opened<'t> {
    together: &'t Together,
    /// The ranks of those that are open, sorted when something is counted.
    ranks: Vec<u32>,
    /// By rank: in which round it was opened last.
    rounds: Vec<u32>,
    round: u32,
}

impl<'t> Opened<'t> {
    /// Nothing is open yet.
    pub(crate) fn new(together: &'t Together) -> Self {
        Self { together, ranks: Vec::new(), rounds: vec![0; together.ranks.len()], round: 1 }
    }

    /// Closes everything.
    pub(crate) fn close(&mut self) {
        self.ranks.clear();
        self.round += 1;
    }

    /// Opens a spot.
    pub(crate) fn open(&mut self, spot: usize) {
        let rank = self.together.ranks[spot];
        if self.rounds[rank as usize] != self.round {
            self.rounds[rank as usize] = self.round;
            self.ranks.push(rank);
        }
    }

    fn is_open(&self, rank: u32) -> bool {
        self.rounds[rank as usize] == self.round
    }

    /// Whether a server lies behind what is open.
    pub(crate) fn has(&self, server: NodeIx) -> bool {
        self.together.ranks_of(server).iter().any(|rank| self.is_open(*rank))
    }

    /// How much lies behind what is open, but for some servers.
    pub(crate) fn amount_without(&mut self, servers: impl Iterator<Item = NodeIx>) -> u64 {
        self.ranks.sort_unstable();
        let without: u64 = servers.filter(|server| self.has(*server)).map(|server| self.together.amount(server)).sum();
        let ranked = self.sum(self.together.single.clone(), &self.ranks);
        let mut crowded: Vec<NodeIx> =
            self.ranks.iter().flat_map(|rank| &self.together.crowded[*rank as usize]).copied().collect();
        crowded.sort_unstable();
        crowded.dedup();
        let crowded: u64 = crowded.into_iter().map(|server| self.together.amount(server)).sum();
        // What is taken away was counted: never below zero.
        ranked as u64 + crowded - without
    }

    /// What lies behind the open spots of some branches, each counted once.
    fn sum(&self, branches: Range<u32>, open: &[u32]) -> i64 {
        let branches = &self.together.branches[branches.start as usize..branches.end as usize];
        let alone = |branch: &Branch, open: &[u32]| {
            let common = if branch.further.is_empty() { 0 } else { self.sum(branch.further.clone(), open) };
            branch.amount as i64 - common
        };
        // To look at a branch is quicker than to look for one.
        if branches.len() <= open.len() * 4 {
            let mut total = 0;
            for branch in branches.iter().filter(|branch| self.is_open(branch.rank)) {
                let after = open.partition_point(|rank| *rank <= branch.rank);
                total += alone(branch, &open[after..]);
            }
            return total;
        }
        let found = (1..).zip(open).filter_map(|(after, rank)| {
            let place = branches.binary_search_by_key(rank, |branch| branch.rank).ok()?;
            Some(alone(&branches[place], &open[after..]))
        });
        found.sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_lies_behind_several_spots_is_counted_once(
            spots in prop::collection::vec(prop::collection::vec(0..12_u32, 0..8), 1..14),
            amounts in prop::collection::vec(0..5_u64, 12),
            questions in prop::collection::vec((prop::collection::vec(any::<prop::sample::Index>(), 0..14), any::<u16>()), 3),
        ) {
            let server = |number: u32| NodeIx(7 + number);
            let spots: Vec<Vec<NodeIx>> = spots.iter().map(|spot| spot.iter().copied().map(server).collect()).collect();
            let together = Together::new(7, amounts.clone(), &spots);
            let mut opened = Opened::new(&together);
            for (open, without) in questions {
                opened.close();
                let open: BTreeSet<usize> = open.iter().map(|index| index.index(spots.len())).collect();
                open.iter().for_each(|spot| opened.open(*spot));
                let behind: BTreeSet<NodeIx> = open.iter().flat_map(|spot| &spots[*spot]).copied().collect();
                let without: Vec<NodeIx> = (0..12).filter(|bit| without & (1 << bit) != 0).map(server).collect();
                let rest = behind.iter().filter(|server| !without.contains(server));
                let expected: u64 = rest.map(|server| amounts[server.0 as usize - 7]).sum();
                prop_assert_eq!(opened.amount_without(without.iter().copied()), expected);
                for number in 0..12 {
                    prop_assert_eq!(opened.has(server(number)), behind.contains(&server(number)));
                }
            }
        }
    }
}
