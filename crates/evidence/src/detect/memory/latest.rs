//! The latest few of many moments, in the order of time.

use std::collections::VecDeque;

/// The latest moments, each with something that belongs to it, earliest first.
///
/// Taking one more takes constant time when it is the latest, else as long as it is late: so many are passed.
#[derive(Debug)]
pub(in crate::detect) struct Latest<T> {
    kept: VecDeque<(i64, T)>,
}

impl<T> Default for Latest<T> {
    fn default() -> Self {
        Self { kept: VecDeque::new() }
    }
}

impl<T> Latest<T> {
    /// Takes one more and keeps at most so many. Whether it was taken: one that is earlier than all that are kept is not.
    pub(in crate::detect) fn take(&mut self, at: i64, what: T, most: usize) -> bool {
        let earlier = self.kept.iter().rev().take_while(|(other, _)| *other > at).count();
        let place = self.kept.len() - earlier;
        if place == 0 && self.kept.len() >= most {
            return false;
        }
        self.kept.insert(place, (at, what));
        while self.kept.len() > most {
            self.kept.pop_front();
        }
        true
    }

    /// Whether there are so many, all within so many microseconds.
    pub(in crate::detect) fn are_within(&self, count: usize, micros: i64) -> bool {
        match (self.kept.front(), self.kept.back()) {
            (Some((first, _)), Some((last, _))) => self.kept.len() >= count && last.saturating_sub(*first) <= micros,
            _ => false,
        }
    }

    pub(in crate::detect) fn iter(&self) -> impl Iterator<Item = &T> {
        self.kept.iter().map(|(_, what)| what)
    }
}
