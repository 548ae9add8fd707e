//! How much may be spent on looking for what is alike.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Comparisons that may still be made. Counted and not timed, so that the same texts always give the same difference.
#[derive(Debug, Clone)]
pub struct Effort(u64);

/// Some seconds at most.
const COMPARISONS: u64 = 400_000_000;
/// More in one go is never worth it: nobody reads a difference in which so much differs.
const AT_ONCE: u64 = 3_000_000;

impl Default for Effort {
    fn default() -> Self {
        Self(COMPARISONS)
    }
}

/// A stretch of two sequences: the same in both, or in the place of each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) is_alike: bool,
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

impl Effort {
    /// The stretches of two sequences, alternately alike and different, in order.
    pub(super) fn stretches<T: Eq + Ord + std::hash::Hash>(&mut self, old: &[T], new: &[T]) -> Vec<Stretch> {
        let same = |pair: &(&T, &T)| pair.0 == pair.1;
        let head = old.iter().zip(new).take_while(same).count();
        let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
        let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
        let (old_end, new_end) = (old.len() - tail, new.len() - tail);
        let middle = (old.get(head..old_end).unwrap_or_default(), new.get(head..new_end).unwrap_or_default());
        let mut all = Stretches::default();
        all.push(true, 0..head, 0..head);
        if self.spend(middle.0.len() + middle.1.len()) {
            for op in capture_diff_slices(Algorithm::Myers, middle.0, middle.1) {
                let shift = |range: Range<usize>| range.start + head..range.end + head;
                all.push(matches!(op, DiffOp::Equal { .. }), shift(op.old_range()), shift(op.new_range()));
            }
        } else {
            all.push(false, head..old_end, head..new_end);
        }
        all.push(true, old_end..old.len(), new_end..new.len());
        all.0
    }

    fn spend(&mut self, items: usize) -> bool {
        let cost = (items as u64).saturating_mul(items as u64);
        let is_enough = cost <= AT_ONCE.min(self.0);
        if is_enough {
            self.0 -= cost;
        }
        is_enough
    }
}

#[derive(Default)]
struct Stretches(Vec<Stretch>);

impl Stretches {
    /// Adds a stretch, to the last if it is of the same sort.
    fn push(&mut self, is_alike: bool, old: Range<usize>, new: Range<usize>) {
        if old.is_empty() && new.is_empty() {
            return;
        }
        match self.0.last_mut().filter(|last| last.is_alike == is_alike) {
            Some(last) => (last.old.end, last.new.end) = (old.end, new.end),
            None => self.0.push(Stretch { is_alike, old, new }),
        }
    }
}
