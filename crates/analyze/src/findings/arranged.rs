//! Putting findings in their order.
//!
//! There are millions of them but few sorts: how bad, of which kind, how sure. So they are sorted by fingerprint, which is a
//! number, and then dealt out to their sorts in that order. Both the list and its index come out of it.
//!
//! Growth: linear. Fingerprints are hashes, so their first bits spread them evenly over buckets of a few each.
#![expect(clippy::indexing_slicing, reason = "every number is the place of a finding or of a sort, in columns as long")]

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use tracehound_model::Severity;

use super::list::{Found, Origin};

/// What stands together: the worst first, then what stands in one place, by kind, the surest first, by place.
pub(super) type Sort<'a> = (Reverse<Severity>, bool, &'a str, Reverse<u64>, Option<u32>);

/// Findings in order.
pub(super) struct Arranged<'a> {
    pub(super) found: Vec<Found<'a>>,
    /// Positions by fingerprint.
    pub(super) by_fingerprint: Vec<u32>,
    /// Every sort with how many there are, in order.
    pub(super) sorts: Vec<(Sort<'a>, usize)>,
}

impl<'a> Arranged<'a> {
    pub(super) fn new(found: Vec<Found<'a>>) -> Self {
        let (sorts, of_each) = sorted_out(&found);
        let mut starts = Vec::with_capacity(sorts.len());
        let mut start = 0;
        for (_, count) in &sorts {
            starts.push(start);
            start += *count as u32;
        }
        let numbered = (0..).zip(&found).zip(of_each);
        let by_name = ordered(numbered.map(|((at, it), sort)| (it.fingerprint.number(), at, sort)).collect());
        let mut order = vec![0; found.len()];
        let mut by_fingerprint = Vec::with_capacity(found.len());
        for (_, at, sort) in by_name {
            let next = &mut starts[sort as usize];
            order[*next as usize] = at;
            by_fingerprint.push(*next);
            *next += 1;
        }
        let found = order.into_iter().map(|at| found[at as usize]).collect();
        Self { found, by_fingerprint, sorts }
    }
}

/// Bits of a number that choose its bucket.
const BITS: u32 = 12;

/// Numbers that are spread evenly, in order. Buckets are sorted by themselves, so that each fits into the cache.
fn ordered(all: Vec<(u64, u32, u32)>) -> Vec<(u64, u32, u32)> {
    let bucket = |one: &(u64, u32, u32)| (one.0 >> (u64::BITS - BITS)) as usize;
    let mut starts = vec![0; (1 << BITS) + 1];
    all.iter().for_each(|one| starts[bucket(one) + 1] += 1);
    for next in 1..starts.len() {
        starts[next] += starts[next - 1];
    }
    let mut places = starts.clone();
    let mut ordered = vec![(0, 0, 0); all.len()];
    for one in all {
        let place: &mut usize = &mut places[bucket(&one)];
        ordered[*place] = one;
        *place += 1;
    }
    starts.windows(2).for_each(|ends| ordered[ends[0]..ends[1]].sort_unstable());
    ordered
}

/// The sorts that occur, in order and counted, and the place of each finding's sort.
fn sorted_out<'a>(found: &[Found<'a>]) -> (Vec<(Sort<'a>, usize)>, Vec<u32>) {
    let mut numbers: FxHashMap<Sort<'a>, u32> = FxHashMap::default();
    let mut sorts: Vec<(Sort<'a>, usize)> = Vec::new();
    let mut of_each = Vec::with_capacity(found.len());
    for it in found {
        let sort = sort_of(it);
        let number = *numbers.entry(sort).or_insert_with(|| {
            sorts.push((sort, 0));
            sorts.len() as u32 - 1
        });
        sorts[number as usize].1 += 1;
        of_each.push(number);
    }
    let mut order: Vec<u32> = (0..sorts.len() as u32).collect();
    order.sort_unstable_by_key(|number| sorts[*number as usize].0);
    let mut places = vec![0; sorts.len()];
    for (place, number) in (0..).zip(&order) {
        places[*number as usize] = place;
    }
    of_each.iter_mut().for_each(|number| *number = places[*number as usize]);
    (order.into_iter().map(|number| sorts[number as usize]).collect(), of_each)
}

fn sort_of<'a>(found: &Found<'a>) -> Sort<'a> {
    let number = match found.origin {
        Origin::Direct(number) => Some(number),
        Origin::Edge(_) => None,
    };
    // Confidences are between 0 and 1, where the bits of numbers are ordered as the numbers are.
    let confidence = found.confidence.clamp(0.0, 1.0).to_bits();
    (Reverse(found.severity), number.is_none(), found.kind, Reverse(confidence), number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tracehound_graph::{EdgeIx, NodeIx};
    use tracehound_model::{EdgeKind, Fingerprint};

    use super::*;

    fn found((severity, kind, sure, number): (bool, bool, u8, Option<u32>), at: usize) -> Found<'static> {
        let kind = if kind { EdgeKind::CanReach } else { EdgeKind::Taints };
        Found {
            fingerprint: Fingerprint::of_ids(kind.name(), "a", &at.to_string()),
            kind: kind.name(),
            severity: if severity { Severity::High } else { Severity::Low },
            confidence: f64::from(sure) / 4.0,
            source: NodeIx(0),
            target: NodeIx(at as u32),
            origin: number.map_or(Origin::Edge(EdgeIx { kind, number: at as u32 }), Origin::Direct),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_order_is_that_of_sorts_and_fingerprints(
            drawn in prop::collection::vec((any::<bool>(), any::<bool>(), 0..5_u8, prop::option::of(0..3_u32)), 0..40),
        ) {
            let all: Vec<Found<'_>> = drawn.into_iter().enumerate().map(|(at, it)| found(it, at)).collect();
            let mut expected = all.clone();
            expected.sort_by_key(|it| (sort_of(it), it.fingerprint));
            let arranged = Arranged::new(all);
            prop_assert_eq!(&arranged.found, &expected);
            let named: Vec<&str> =
                arranged.by_fingerprint.iter().map(|at| expected[*at as usize].fingerprint.as_str()).collect();
            prop_assert!(named.is_sorted() && named.len() == expected.len());
            for (sort, count) in arranged.sorts {
                prop_assert_eq!(expected.iter().filter(|it| sort_of(it) == sort).count(), count);
            }
        }
    }
}
