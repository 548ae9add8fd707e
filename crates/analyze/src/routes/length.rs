//! How long a path is: one number to add and to compare, whatever counts first.

use super::arcs::Step;

/// What a search makes small first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum By {
    /// The hops; among equal ones the cost.
    #[default]
    Hops,
    /// The cost; among equal ones the hops.
    Weight,
}

/// Cost and hops in the order of a [`By`], and last the number of arcs, so that no arc has length 0 and a shortest walk
/// never returns to a node. The parts lie side by side, wide enough for any path without a repeated node: 32 bits for
/// hops and for arcs, 64 for the cost. In two halves, because labels are many and a whole would be aligned to more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Length {
    high: u64,
    low: u64,
}

impl Length {
    pub(super) const ZERO: Self = Self { high: 0, low: 0 };
    /// Of what there is no path to.
    pub(super) const INFINITE: Self = Self { high: u64::MAX, low: u64::MAX };
    /// No path is longer.
    pub(super) const LONGEST: Self = Self { high: u64::MAX, low: u64::MAX - 1 };

    #[inline]
    pub(super) fn of(by: By, step: Step) -> Self {
        match by {
            By::Weight => Self { high: u64::from(step.cost), low: u64::from(step.hops) << 32 | 1 },
            By::Hops => Self { high: u64::from(step.hops) << 32, low: u64::from(step.cost) << 32 | 1 },
        }
    }

    /// The longest path of so many hops, where hops count first.
    pub(super) fn of_hops(hops: u32) -> Self {
        Self { high: u64::from(hops) << 32 | u64::from(u32::MAX), low: u64::MAX - 1 }
    }

    /// The cost and the hops, where the cost counts first.
    pub(super) const fn cost_and_hops(self) -> (u64, u32) {
        (self.high, (self.low >> 32) as u32)
    }

    /// The hops, where they count first.
    pub(super) const fn hops(self) -> u32 {
        (self.high >> 32) as u32
    }

    #[inline]
    pub(super) fn plus(self, other: Self) -> Self {
        let sum = self.whole().saturating_add(other.whole());
        Self { high: (sum >> 64) as u64, low: sum as u64 }
    }

    const fn whole(self) -> u128 {
        (self.high as u128) << 64 | self.low as u128
    }
}
