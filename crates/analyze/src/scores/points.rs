//! Points of a score, exact enough that rounding them is what the formula says.

/// From 0 to 100, in millionths: sums of weighted points are whole numbers, so a half is a half when it is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Points(u64);

const MILLIONTHS: u64 = 1_000_000;

impl Points {
    /// Nothing.
    pub(crate) const NONE: Self = Self(0);
    /// The most.
    pub(crate) const ALL: Self = Self::whole(100);

    pub(crate) const fn whole(points: u8) -> Self {
        Self(points as u64 * MILLIONTHS)
    }

    /// So many points for each, but never more than 100.
    pub(crate) fn each(count: usize, points: u64) -> Self {
        Self((count as u64).saturating_mul(points).min(100) * MILLIONTHS)
    }

    /// 100 points less the mean of weights, given as their sum in millionths and their number; none without weights.
    pub(crate) fn ease(sum: u64, count: u64) -> Self {
        let left = (count * MILLIONTHS).saturating_sub(sum);
        (100 * left + count / 2).checked_div(count).map_or(Self::NONE, Self)
    }

    pub(crate) fn value(self) -> f64 {
        self.0 as f64 / MILLIONTHS as f64
    }
}

/// The sum of points, each with its weight in percent, in hundredths of a point; halves go up.
pub(crate) fn total(parts: impl Iterator<Item = (u64, Points)>) -> f64 {
    let sum: u64 = parts.map(|(percent, points)| percent * points.0).sum();
    ((sum + MILLIONTHS / 2) / MILLIONTHS) as f64 / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_up() {
        // Sixteen weights of 0.1 but one of 0.3: 100 - 100 * 1.8 / 16 = 88.75, and a fifth of it is 17.75.
        assert_eq!(total([(20, Points::ease(1_800_000, 16))].into_iter()), 17.75);
        // One of 0.2 more than fifteen of 0.1: 89.375, of which a fifth is 17.875.
        assert_eq!(total([(20, Points::ease(1_700_000, 16))].into_iter()), 17.88);
        assert_eq!(Points::ease(0, 0), Points::NONE);
        assert_eq!(Points::each(usize::MAX, 10), Points::ALL);
    }
}
