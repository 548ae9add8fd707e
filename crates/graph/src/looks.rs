//! How a fact looked over time, in fold order.

use crate::facts::{Column, Facts};
use crate::fold::{Rank, Timeline};
use crate::pool::Spot;

/// What each scan of the timeline that saw a fact saw, in fold order; stretches in which it looked the same are one.
pub(crate) fn in_order(facts: &Facts, column: &Column, fact: u32, timeline: &Timeline) -> Vec<(Rank, Spot)> {
    let looks = column.looks(fact).unwrap_or_default();
    let mut seen: Vec<(Rank, Spot)> = facts
        .histories
        .scans(column.history(fact))
        .filter_map(|scan| {
            let rank = timeline.rank(scan);
            // Looks are in order of arrival, as scans are numbered.
            let known = looks.partition_point(|look| look.since <= scan);
            let blob = match known.checked_sub(1).and_then(|last| looks.get(last)) {
                Some(look) => look.blob,
                None => column.blob(fact),
            };
            (rank > 0).then_some((rank, blob))
        })
        .collect();
    seen.sort_unstable_by_key(|(rank, _)| *rank);
    seen.dedup_by_key(|(_, blob)| *blob);
    seen
}
