//! A linear separator: support vectors with squared hinge loss, by coordinate descent on the dual problem.
//!
//! Each pass takes time in proportion to the number of entries. Only exact IEEE operations are used, and the order of
//! rows is shuffled by a fixed generator, so the result is the same everywhere.

/// A sparse matrix, row by row.
#[derive(Debug, Default)]
pub(super) struct Rows {
    ends: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Rows {
    /// Adds a row of (column, value).
    pub(super) fn push(&mut self, entries: impl Iterator<Item = (u32, f64)>) {
        for (column, value) in entries {
            self.columns.push(column);
            self.values.push(value);
        }
        self.ends.push(self.columns.len());
    }

    /// How many rows.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn row(&self, at: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let end = self.ends.get(at).copied().unwrap_or(0);
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let columns = self.columns.get(start..end).unwrap_or_default();
        columns.iter().copied().zip(self.values.get(start..end).unwrap_or_default().iter().copied())
    }

    /// The product of a row and a vector.
    pub(super) fn product(&self, at: usize, vector: &[f64]) -> f64 {
        self.row(at).map(|(column, value)| vector.get(column as usize).copied().unwrap_or(0.0) * value).sum()
    }
}

/// How strongly errors count against large weights.
const COST: f64 = 1.0;
/// Passes at most; it settles long before.
const MOST_PASSES: usize = 200;
/// It has settled when no gradient is further than this from where it should be.
const TOLERANCE: f64 = 0.01;

/// Weights that separate the rows at `chosen` into true and false ones, for `width` columns.
pub(super) fn separate(rows: &Rows, labels: &[bool], chosen: &[usize], width: usize) -> Vec<f64> {
    let mut weights = vec![0.0; width];
    let mut dual = vec![0.0; chosen.len()];
    let slack = 0.5 / COST;
    let norms: Vec<f64> =
        chosen.iter().map(|at| rows.row(*at).map(|(_, value)| value * value).sum::<f64>() + slack).collect();
    let mut order: Vec<usize> = (0..chosen.len()).collect();
    let mut random = Shuffler(0x9e37_79b9_7f4a_7c15);
    for _ in 0..MOST_PASSES {
        random.shuffle(&mut order);
        let mut worst = 0.0_f64;
        for place in &order {
            let (Some(at), Some(norm), Some(alpha)) = (chosen.get(*place), norms.get(*place), dual.get_mut(*place))
            else {
                continue;
            };
            let sign = if labels.get(*at).copied().unwrap_or(false) { 1.0 } else { -1.0 };
            let gradient = sign * rows.product(*at, &weights) - 1.0 + slack * *alpha;
            let reach = if *alpha == 0.0 { gradient.min(0.0) } else { gradient };
            worst = worst.max(reach.abs());
            if reach == 0.0 {
                continue;
            }
            let next = (*alpha - gradient / norm).max(0.0);
            let step = (next - *alpha) * sign;
            *alpha = next;
            for (column, value) in rows.row(*at) {
                if let Some(weight) = weights.get_mut(column as usize) {
                    *weight += step * value;
                }
            }
        }
        if worst < TOLERANCE {
            break;
        }
    }
    weights
}

/// A small fixed generator: quality does not matter, sameness does.
struct Shuffler(u64);

impl Shuffler {
    fn shuffle(&mut self, order: &mut [usize]) {
        for end in (1..order.len()).rev() {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            order.swap(end, (self.0 % (end as u64 + 1)) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separable_rows_are_separated() {
        let mut rows = Rows::default();
        for (a, b) in [(1.0, 0.0), (0.9, 0.2), (0.0, 1.0), (0.1, 0.8)] {
            rows.push([(0, a), (1, b)].into_iter());
        }
        let weights = separate(&rows, &[true, true, false, false], &[0, 1, 2, 3], 2);
        assert!((0..2).all(|at| rows.product(at, &weights) > 0.0));
        assert!((2..4).all(|at| rows.product(at, &weights) < 0.0));
    }

    #[test]
    fn rows_that_are_not_chosen_do_not_count() {
        let mut rows = Rows::default();
        for (column, value) in [(0, 1.0), (1, 1.0), (0, 1.0)] {
            rows.push([(column, value)].into_iter());
        }
        let labels = [true, false, false];
        assert!(rows.product(0, &separate(&rows, &labels, &[0, 1], 2)) > 0.5);
        assert!(rows.product(0, &separate(&rows, &labels, &[0, 1, 2], 2)) < 0.5);
    }
}
