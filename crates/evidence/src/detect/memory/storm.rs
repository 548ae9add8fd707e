//! So many events within a time.

use super::{Latest, micros};
use crate::detect::fired::{Hit, Kept};
use crate::detect::rule::Count;

/// The latest events of a counting rule.
///
/// As many are kept as the rule counts and no more: if the latest so many lie within the window, the rule fires. One event
/// takes constant time, however many came before.
#[derive(Debug, Default)]
pub(super) struct Storm {
    latest: Latest<Kept>,
    /// How many events the storm has that goes on; 0 when there is none.
    events: u64,
}

impl Storm {
    /// The first time the rule fires with all its events. While the storm goes on it fires with each further one.
    pub(super) fn take(&mut self, count: &Count, kept: Kept) -> Option<Hit> {
        if !self.latest.take(kept.at, kept.clone(), count.at_least) {
            return None;
        }
        if !self.latest.are_within(count.at_least, micros(count.within_seconds)) {
            self.events = 0;
            return None;
        }
        let continues = self.events > 0;
        let sources = if continues { vec![kept] } else { self.latest.iter().cloned().collect() };
        self.events += sources.len() as u64;
        Some(Hit { count: self.events, sources, continues })
    }
}
