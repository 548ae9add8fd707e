//! Who claims a fact, and when each claimant saw it last.

use rustc_hash::FxHashMap;
use tracehound_model::Collector;

use super::timeline::{Rank, Timeline};
use crate::facts::{Facts, HistoryId, ScanIx};

/// A collector on a machine. Numbers are given so that `owner % OWNERS` is the collector.
pub(crate) type Owner = u32;

/// Owners per machine: one for each collector, and one for things seen by documents of several collectors.
const OWNERS: u32 = Collector::ALL.len() as u32;

/// That an owner saw a fact last in the scan of this rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) owner: Owner,
    pub(crate) seen: Rank,
}

/// The owners that the scans of an estate stand for.
#[derive(Debug)]
pub(crate) struct Owners {
    /// The number of each scan's machine, and its collector.
    scans: Vec<(u32, Collector)>,
    /// How many scans of the timeline each machine has.
    by_machine: Vec<u32>,
    /// What the machines are called; one of them may have no name.
    names: Vec<String>,
}

impl Owners {
    pub(crate) fn new(facts: &Facts, timeline: &Timeline) -> Self {
        let mut machines = FxHashMap::default();
        let (mut by_machine, mut names) = (Vec::new(), Vec::new());
        let mut scans = Vec::with_capacity(facts.scans.len());
        for (number, scan) in (0..).zip(&facts.scans) {
            let next = machines.len() as u32;
            let machine = *machines.entry(scan.record.origin.as_str()).or_insert(next);
            if machine == next {
                by_machine.push(0);
                names.push(scan.record.origin.clone());
            }
            by_machine[machine as usize] += u32::from(timeline.rank(number) > 0);
            scans.push((machine, scan.record.collector));
        }
        Self { scans, by_machine, names }
    }

    /// Whether anybody looked at the owner's machine more than once. Where not, nothing there can have gone.
    pub(crate) fn looked_again(&self, owner: Owner) -> bool {
        self.by_machine[(owner / OWNERS) as usize] > 1
    }

    /// The number of an owner's machine.
    pub(crate) const fn machine(owner: Owner) -> u32 {
        owner / OWNERS
    }

    /// What the machines are called, by their numbers.
    pub(crate) fn names(self) -> Vec<String> {
        self.names
    }

    /// Whose fact it is, seen by this scan, if it is of a sort that belongs to `collector`.
    pub(crate) fn owner(&self, scan: ScanIx, collector: Collector) -> Owner {
        let (machine, own) = self.scans[scan as usize];
        let collector = if own == Collector::Scan { collector } else { own };
        machine * OWNERS + collector as u32
    }

    /// The owner that stands for all collectors of the same machine.
    pub(crate) const fn whole_machine(owner: Owner) -> Owner {
        owner - owner % OWNERS + Collector::Scan as u32
    }
}

/// The claims behind each history, computed when first asked for.
#[derive(Debug)]
pub(crate) struct Claims<'a> {
    facts: &'a Facts,
    timeline: &'a Timeline,
    owners: &'a Owners,
    /// Start and end within `claims`, for each history and collector; `None` until asked for.
    ranges: Vec<Option<(u32, u32)>>,
    claims: Vec<Claim>,
}

impl<'a> Claims<'a> {
    pub(crate) fn new(facts: &'a Facts, timeline: &'a Timeline, owners: &'a Owners) -> Self {
        let ranges = vec![None; facts.histories.len() * OWNERS as usize];
        Self { facts, timeline, owners, ranges, claims: Vec::new() }
    }

    /// The claims on a fact with this history that is of a sort that belongs to `collector`. Empty: it is not there.
    pub(crate) fn of(&mut self, history: HistoryId, collector: Collector) -> &[Claim] {
        let slot = history as usize * OWNERS as usize + collector as usize;
        let (start, end) = match self.ranges[slot] {
            Some(range) => range,
            None => {
                let start = self.claims.len() as u32;
                self.compute(history, collector);
                let range = (start, self.claims.len() as u32);
                self.ranges[slot] = Some(range);
                range
            }
        };
        &self.claims[start as usize..end as usize]
    }

    fn compute(&mut self, history: HistoryId, collector: Collector) {
        let mut last: FxHashMap<Owner, Rank> = FxHashMap::default();
        for scan in self.facts.histories.scans(history) {
            let rank = self.timeline.rank(scan);
            if rank > 0 {
                let seen = last.entry(self.owners.owner(scan, collector)).or_insert(rank);
                *seen = rank.max(*seen);
            }
        }
        self.claims.extend(last.into_iter().map(|(owner, seen)| Claim { owner, seen }));
    }
}
