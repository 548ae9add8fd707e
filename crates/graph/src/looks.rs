//! How a fact looked over time, in fold order.

use crate::bag::PropertyValue;
use crate::facts::{Column, Facts, NodeFact};
use crate::fold::{Rank, Timeline};
use crate::keys::KeyId;
use crate::labels::Labels;
use crate::pool::Spot;

/// What the scans of the timeline that saw a fact saw, in fold order; stretches in which it looked the same are one.
pub(crate) fn in_order(facts: &Facts, column: &Column, fact: u32, timeline: &Timeline) -> Vec<(Rank, Spot)> {
    let mut seen = of_each_scan(facts, column, fact, timeline);
    seen.dedup_by_key(|(_, blob)| *blob);
    seen
}

/// What each scan of the timeline that saw a fact saw, in fold order.
pub(crate) fn of_each_scan(facts: &Facts, column: &Column, fact: u32, timeline: &Timeline) -> Vec<(Rank, Spot)> {
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
    seen
}

/// The text that a node's property has at the end of the timeline: that of the last scan that gave it.
pub(crate) fn text(facts: &Facts, node: NodeFact, key: KeyId, timeline: &Timeline) -> Option<String> {
    let read = |blob| match Labels::split(facts.pool.get(blob))?.1.get(key)? {
        PropertyValue::Text(text) => Some(text.into_owned()),
        _ => None,
    };
    match facts.nodes.looks(node) {
        None => read(facts.nodes.blob(node)),
        Some(_) => in_order(facts, &facts.nodes, node, timeline).into_iter().rev().find_map(|(_, blob)| read(blob)),
    }
}
