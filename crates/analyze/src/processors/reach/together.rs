//! How much lies behind several spots together.
//!
//! What lies there are holders (servers, services) that have so much to give each. A holder may lie behind several spots, so
//! the sum over spots counts it more than once. What two spots have in common is taken away, what three have in common is
//! added again, and so on: for each combination of spots behind which some holder lies it is known how much lies behind all
//! of them. There are few combinations, as a holder lies behind few spots.
//!
//! Growth: linear in holders, with at most `2^FEW` combinations for each. A question takes, for each spot that is open, time
//! in the other open ones or in the larger spots that it has holders in common with, whichever is less. Holders that lie
//! behind more than [`FEW`] spots are looked at one by one.
#![expect(
    clippy::indexing_slicing,
    reason = "ranks and branches are numbered here, and every number is of these columns"
)]

use std::ops::Range;

/// Up to how many spots of a holder combinations are made.
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

/// Holders by number, how much each gives, and the spots that it lies behind.
#[derive(Debug)]
pub(crate) struct Together {
    /// By holder.
    amounts: Vec<u64>,
    /// By holder: the ranks of its spots, sorted.
    behind: Vec<Vec<u32>>,
    /// By spot: its rank. Small spots come first, so that few combinations begin with each.
    ranks: Vec<u32>,
    branches: Vec<Branch>,
    /// The combinations of one spot.
    single: Range<u32>,
    /// By rank: holders that lie behind very many spots.
    crowded: Vec<Vec<u32>>,
}

impl Together {
    /// Given how much each holder gives, and the numbers of the holders behind each spot.
    pub(crate) fn new(amounts: Vec<u64>, spots: &[Vec<u32>]) -> Self {
        let mut order: Vec<usize> = (0..spots.len()).collect();
        order.sort_by_key(|spot| spots[*spot].len());
        let mut ranks = vec![0; spots.len()];
        let mut behind = vec![Vec::new(); amounts.len()];
        for (rank, spot) in (0..).zip(order) {
            ranks[spot] = rank;
            for holder in &spots[spot] {
                // Who has no number gives nothing.
                let of_holder: Option<&mut Vec<u32>> = behind.get_mut(*holder as usize);
                of_holder.into_iter().filter(|ranks| ranks.last() != Some(&rank)).for_each(|ranks| ranks.push(rank));
            }
        }
        let crowded = vec![Vec::new(); spots.len()];
        let mut all = Self { amounts, behind, ranks, branches: Vec::new(), single: 0..0, crowded };
        let gives = |holder: &u32| all.amounts[*holder as usize] > 0;
        let (few, many): (Vec<u32>, Vec<u32>) =
            (0..all.amounts.len() as u32).filter(gives).partition(|holder| all.behind[*holder as usize].len() <= FEW);
        for holder in many {
            for rank in &all.behind[holder as usize] {
                all.crowded[*rank as usize].push(holder);
            }
        }
        let few: Vec<(u32, u32)> = few.into_iter().map(|holder| (holder, 0)).collect();
        all.single = all.grow(&few);
        all
    }

    /// Makes the branches for holders whose spots from a position on are left.
    fn grow(&mut self, holders: &[(u32, u32)]) -> Range<u32> {
        let mut left: Vec<(u32, u32, u32)> = Vec::new();
        for (holder, from) in holders.iter().copied() {
            let ranks = self.behind[holder as usize].iter().copied();
            left.extend((0..).zip(ranks).skip(from as usize).map(|(place, rank)| (rank, holder, place + 1)));
        }
        left.sort_unstable();
        let start = self.branches.len();
        for group in left.chunk_by(|a, b| a.0 == b.0) {
            let amount = group.iter().map(|(_, holder, _)| self.amounts[*holder as usize]).sum();
            self.branches.push(Branch { rank: group[0].0, amount, further: 0..0 });
        }
        let range = start as u32..self.branches.len() as u32;
        for (branch, group) in (start..).zip(left.chunk_by(|a, b| a.0 == b.0)) {
            let holders: Vec<(u32, u32)> = group.iter().map(|(_, holder, from)| (*holder, *from)).collect();
            self.branches[branch].further = self.grow(&holders);
        }
        range
    }

    /// The ranks of the spots that a holder lies behind.
    fn ranks_of(&self, holder: u32) -> &[u32] {
        self.behind.get(holder as usize).map_or(&[], Vec::as_slice)
    }

    fn amount(&self, holder: u32) -> u64 {
        self.amounts.get(holder as usize).copied().unwrap_or(0)
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

    /// Whether a holder lies behind what is open.
    pub(crate) fn has(&self, holder: u32) -> bool {
        self.together.ranks_of(holder).iter().any(|rank| self.is_open(*rank))
    }

    /// How much lies behind what is open, but for some holders.
    pub(crate) fn amount_without(&mut self, holders: impl Iterator<Item = u32>) -> u64 {
        self.ranks.sort_unstable();
        let without: u64 = holders.filter(|holder| self.has(*holder)).map(|holder| self.together.amount(holder)).sum();
        let ranked = self.sum(self.together.single.clone(), &self.ranks);
        let mut crowded: Vec<u32> =
            self.ranks.iter().flat_map(|rank| &self.together.crowded[*rank as usize]).copied().collect();
        crowded.sort_unstable();
        crowded.dedup();
        let crowded: u64 = crowded.into_iter().map(|holder| self.together.amount(holder)).sum();
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
            let together = Together::new(amounts.clone(), &spots);
            let mut opened = Opened::new(&together);
            for (open, without) in questions {
                opened.close();
                let open: BTreeSet<usize> = open.iter().map(|index| index.index(spots.len())).collect();
                open.iter().for_each(|spot| opened.open(*spot));
                let behind: BTreeSet<u32> = open.iter().flat_map(|spot| &spots[*spot]).copied().collect();
                let without: Vec<u32> = (0..12).filter(|bit| without & (1 << bit) != 0).collect();
                let rest = behind.iter().filter(|holder| !without.contains(holder));
                let expected: u64 = rest.map(|holder| amounts[*holder as usize]).sum();
                prop_assert_eq!(opened.amount_without(without.iter().copied()), expected);
                for holder in 0..12 {
                    prop_assert_eq!(opened.has(holder), behind.contains(&holder));
                }
            }
        }
    }
}
