//! Events one after the other within a time.

use rustc_hash::FxHashMap;

use super::micros;
use crate::detect::fired::{Hit, Kept};
use crate::detect::limits;
use crate::detect::rule::{Sequence, Subject};

/// The beginnings of a sequence that were seen, by what its events must have in common.
///
/// The order is the order in which events arrive, which is the order in which they were recorded; their times only say
/// whether each is near enough to the first. For each number of steps the beginning that started last is kept: if any can still
/// be completed, that one can. So one event takes time in proportion to the steps, however many came before.
#[derive(Debug, Default)]
pub(super) struct Chains {
    by_key: FxHashMap<String, Vec<Option<Chain>>>,
}

#[derive(Debug, Clone)]
struct Chain {
    start: i64,
    events: Vec<Kept>,
}

impl Chains {
    /// An event that completes a sequence ends everything that was begun with the same key, and begins nothing.
    pub(super) fn take(&mut self, sequence: &Sequence, subject: &Subject<'_>, kept: Kept) -> Option<Hit> {
        let key = subject.joined(&sequence.same)?;
        let window = micros(sequence.within_seconds);
        let begins = sequence.steps.first().is_some_and(|first| first.holds(subject));
        if let Some(beginnings) = self.by_key.get_mut(&key) {
            if let Some(complete) = extend(beginnings, sequence, subject, &kept) {
                self.by_key.remove(&key);
                return Some(Hit { count: complete.len() as u64, sources: complete, continues: false });
            }
        } else if begins {
            self.make_room(kept.at, window);
            // The last step completes the sequence and is never kept.
            self.by_key.insert(key.clone(), vec![None; sequence.steps.len().saturating_sub(1)]);
        }
        if begins && let Some(first) = self.by_key.get_mut(&key).and_then(|it| it.first_mut()) {
            put(first, Chain { start: kept.at, events: vec![kept] });
        }
        None
    }

    /// Drops what can't be completed any more; if that is not enough, the half that started earliest. Either way many more
    /// can come before it happens again, so it costs little for each.
    fn make_room(&mut self, at: i64, window: i64) {
        if self.by_key.len() < limits::KEYS {
            return;
        }
        let start = |chains: &[Option<Chain>]| chains.iter().flatten().map(|chain| chain.start).max();
        self.by_key.retain(|_, chains| start(chains).is_some_and(|start| at.saturating_sub(start) <= window));
        if self.by_key.len() < limits::KEYS / 2 {
            return;
        }
        let mut starts: Vec<_> = self.by_key.values().filter_map(|chains| start(chains)).collect();
        let middle = starts.len() / 2;
        let (_, median, _) = starts.select_nth_unstable(middle);
        let median = *median;
        self.by_key.retain(|_, chains| start(chains).is_some_and(|start| start > median));
    }
}

/// Goes one step further wherever the event allows it. The events of the sequence if that completes it.
fn extend(
    beginnings: &mut [Option<Chain>],
    sequence: &Sequence,
    subject: &Subject<'_>,
    kept: &Kept,
) -> Option<Vec<Kept>> {
    let window = micros(sequence.within_seconds);
    // From the last step to the second, so that one event never counts as two steps.
    for (step, condition) in sequence.steps.iter().enumerate().skip(1).rev() {
        let before = step.checked_sub(1).and_then(|before| beginnings.get(before)).and_then(Option::as_ref);
        let near = before.filter(|chain| kept.at.abs_diff(chain.start) <= window.unsigned_abs());
        let Some(mut chain) = near.filter(|_| condition.holds(subject)).cloned() else { continue };
        chain.events.push(kept.clone());
        match beginnings.get_mut(step) {
            Some(place) => put(place, chain),
            None => return Some(chain.events),
        }
    }
    None
}

/// Keeps the one that started later.
fn put(place: &mut Option<Chain>, chain: Chain) {
    if place.as_ref().is_none_or(|before| before.start <= chain.start) {
        *place = Some(chain);
    }
}
