//! A small deterministic random number generator (SplitMix64). Not for secrets.
//!
//! Every machine, server and tool draws from a stream of its own, so it comes out the same however often and in
//! whatever order it is written.

use std::collections::HashSet;

/// What a stream of numbers is for; streams of different purposes are independent.
#[derive(Debug, Clone, Copy)]
#[repr(u64)]
pub(super) enum Stream {
    /// Tables of the plan.
    Plan = 1,
    /// Distribution of edges.
    Budget,
    /// A machine and the files on it.
    Machine,
    /// Which servers an agent trusts.
    Trust,
    /// What a server is for, and its own properties.
    Server,
    /// How a server is started.
    Launch,
    /// The tools, resources and prompts of a server.
    Offer,
    /// An A2A agent and its skills.
    A2a,
    /// Whom an A2A agent delegates to.
    Delegation,
    /// An AI service and what it holds.
    Service,
}

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    /// The stream of the thing with this index.
    pub(super) fn new(seed: u64, stream: Stream, index: usize) -> Self {
        let seed = Self(seed).next();
        let purpose = Self(seed ^ stream as u64).next();
        Self(purpose ^ Self(index as u64).next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 when there is none.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// A number from 0 up to, not including, 1.
    pub(super) fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True this often.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.fraction() < probability
    }

    /// An entry of a table; the default of an empty one.
    pub(super) fn pick<T: Copy + Default>(&mut self, table: &[T]) -> T {
        table.get(self.below(table.len())).copied().unwrap_or_default()
    }

    /// Brings items into random order.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }

    /// A rank below `ranks`, where rank `k` comes up in proportion to `(k + 1) ^ -exponent`.
    pub(super) fn rank(&mut self, ranks: usize, exponent: f64) -> usize {
        let (end, at) = (ranks as f64 + 1.0, self.fraction());
        // The inverse of the distribution function, taken as continuous from 1 to the number of ranks plus 1.
        let place = if (exponent - 1.0).abs() < 1e-9 {
            end.powf(at)
        } else {
            let power = 1.0 - exponent;
            ((end.powf(power) - 1.0).mul_add(at, 1.0)).powf(1.0 / power)
        };
        (place as usize).clamp(1, ranks.max(1)) - 1
    }

    /// This many different ranks below `ranks`, drawn as by [`Random::rank`]; fewer when not enough are `free`.
    pub(super) fn distinct_ranks(
        &mut self,
        count: usize,
        (ranks, exponent): (usize, f64),
        free: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let mut taken = HashSet::new();
        let mut drawn = Vec::with_capacity(count);
        let draws = count * 8;
        // Repeated draws become rare hits once most popular ranks are taken, so the rest goes by popularity.
        let candidates = (0..draws + ranks).map(|at| at.checked_sub(draws));
        for candidate in candidates {
            if drawn.len() == count {
                break;
            }
            let rank = candidate.unwrap_or_else(|| self.rank(ranks, exponent));
            if rank < ranks && free(rank) && taken.insert(rank) {
                drawn.push(rank);
            }
        }
        drawn
    }
}
