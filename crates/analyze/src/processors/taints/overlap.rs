//! Which sets of words have words in common.

use std::collections::{BTreeMap, BTreeSet};

/// How many words have to be in common.
pub(super) const LEAST: u32 = 2;

/// Sets of words, found by their less common words.
///
/// Words are ranked from rare to common. Of two words that two sets have in common the rarer one is in neither set the
/// last, so it is enough to look under all words but each set's last: what nearly every set has leads nowhere.
#[derive(Debug)]
pub(super) struct Overlaps {
    /// Each set as ranks of its words, sorted.
    sets: Vec<Vec<u32>>,
    /// By rank: the sets that have this word, but not as their last.
    places: BTreeMap<u32, Vec<usize>>,
}

impl Overlaps {
    /// Takes in different sets. Growth: linear in their words but for sorting.
    pub(super) fn new<'a>(sets: impl Iterator<Item = &'a BTreeSet<String>> + Clone) -> Self {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for word in sets.clone().flatten() {
            *counts.entry(word).or_default() += 1;
        }
        let mut ranked: Vec<(u32, &str)> = counts.into_iter().map(|(word, count)| (count, word)).collect();
        ranked.sort_unstable();
        let ranks: BTreeMap<&str, u32> = ranked.into_iter().zip(0..).map(|((_, word), rank)| (word, rank)).collect();
        let mut all = Self { sets: Vec::new(), places: BTreeMap::new() };
        for (place, words) in sets.enumerate() {
            let mut set: Vec<u32> = words.iter().filter_map(|word| ranks.get(word.as_str()).copied()).collect();
            set.sort_unstable();
            for rank in set.iter().rev().skip(1) {
                all.places.entry(*rank).or_default().push(place);
            }
            all.sets.push(set);
        }
        all
    }

    /// The sets that have at least [`LEAST`] words in common with one of them, and how many; itself is among them.
    pub(super) fn with(&self, place: usize) -> Vec<(usize, u32)> {
        let Some(set) = self.sets.get(place) else { return Vec::new() };
        let near = set.iter().rev().skip(1).filter_map(|rank| self.places.get(rank)).flatten();
        let near: BTreeSet<usize> = near.copied().collect();
        let overlaps = near.into_iter().filter_map(|other| Some((other, shared(set, self.sets.get(other)?))));
        overlaps.filter(|(_, count)| *count >= LEAST).collect()
    }
}

/// How many numbers two sorted lists have in common.
fn shared(one: &[u32], other: &[u32]) -> u32 {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let mut rest = long.iter().peekable();
    let mut count = 0;
    for number in short {
        while rest.next_if(|other| *other < number).is_some() {}
        count += u32::from(rest.next_if_eq(&number).is_some());
    }
    count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn overlaps_are_as_defined(sets in prop::collection::btree_set(prop::collection::btree_set("[a-f]", 0..5), 0..12)) {
            let overlaps = Overlaps::new(sets.iter());
            for (place, set) in sets.iter().enumerate() {
                let count = |other: &BTreeSet<String>| set.intersection(other).count() as u32;
                let expected: Vec<(usize, u32)> =
                    sets.iter().map(count).enumerate().filter(|(_, count)| *count >= LEAST).collect();
                prop_assert_eq!(overlaps.with(place), expected);
            }
        }
    }
}
