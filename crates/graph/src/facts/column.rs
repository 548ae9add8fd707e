//! What was observed of each fact: who saw it, and what it looked like each time.

use rustc_hash::FxHashMap;

use super::history::{Histories, HistoryId, ScanIx};
use crate::pool::{Pool, Spot};

/// What a sighting added to what was known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sighted {
    /// Nobody saw it before.
    New,
    /// It looks as it did.
    Same,
    /// It looks different.
    Changed,
}

/// How a fact looked from one scan on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
    /// The scan, in order of arrival.
    pub(crate) since: ScanIx,
    /// Its packed bytes.
    pub(crate) blob: Spot,
}

/// Facts of one sort, by number.
#[derive(Debug, Default)]
pub(crate) struct Column {
    history: Vec<HistoryId>,
    blob: Vec<Spot>,
    /// All looks, for the few facts that ever changed.
    looks: FxHashMap<u32, Vec<Look>>,
}

/// What is shared between the facts of all sorts while one document is taken in.
pub(crate) struct Recorder<'a> {
    pub(crate) pool: &'a mut Pool,
    pub(crate) histories: &'a mut Histories,
    pub(crate) small: &'a mut super::small::SmallBlobs,
    pub(crate) scan: ScanIx,
}

impl Column {
    /// Makes room for a fact that nobody saw yet.
    pub(crate) fn add(&mut self) -> u32 {
        self.history.push(0);
        self.blob.push(Spot::EMPTY);
        self.history.len() as u32 - 1
    }

    /// Restores a fact as a snapshot has it.
    pub(crate) fn restore(&mut self, history: HistoryId, blob: Spot) {
        self.history.push(history);
        self.blob.push(blob);
    }

    /// Restores how a fact looked over time.
    pub(crate) fn restore_looks(&mut self, fact: u32, looks: Vec<Look>) {
        self.looks.insert(fact, looks);
    }

    /// Records that the present scan saw a fact. A document shows each fact once.
    pub(crate) fn observe(&mut self, fact: u32, bytes: &[u8], recorder: &mut Recorder<'_>) -> Sighted {
        let (Some(history), Some(blob)) = (self.history.get_mut(fact as usize), self.blob.get_mut(fact as usize))
        else {
            return Sighted::Same;
        };
        let scan = recorder.scan;
        let before = recorder.histories.latest(*history);
        let past = std::mem::replace(history, recorder.histories.then(*history, scan));
        if before.is_none() {
            *blob = recorder.store(bytes);
            return Sighted::New;
        }
        if recorder.pool.get(*blob) == bytes {
            return Sighted::Same;
        }
        let looks = self.looks.entry(fact).or_insert_with(|| {
            let first = recorder.histories.scans(past).last().unwrap_or(scan);
            vec![Look { since: first, blob: *blob }]
        });
        // A thing that alternates between two looks (two machines, two versions) is stored twice, not every time.
        let known = looks.iter().map(|look| look.blob).find(|spot| recorder.pool.get(*spot) == bytes);
        *blob = known.unwrap_or_else(|| recorder.store(bytes));
        looks.push(Look { since: scan, blob: *blob });
        Sighted::Changed
    }

    /// Who saw it.
    pub(crate) fn history(&self, fact: u32) -> HistoryId {
        self.history.get(fact as usize).copied().unwrap_or(0)
    }

    /// How it looked to the latest arrival that saw it.
    pub(crate) fn blob(&self, fact: u32) -> Spot {
        self.blob.get(fact as usize).copied().unwrap_or(Spot::EMPTY)
    }

    /// How it looked over time, if it ever changed.
    pub(crate) fn looks(&self, fact: u32) -> Option<&[Look]> {
        self.looks.get(&fact).map(Vec::as_slice)
    }

    /// Every fact that ever changed, sorted.
    pub(crate) fn changed(&self) -> Vec<(u32, &[Look])> {
        let mut all: Vec<_> = self.looks.iter().map(|(fact, looks)| (*fact, looks.as_slice())).collect();
        all.sort_unstable_by_key(|(fact, _)| *fact);
        all
    }

    /// How many facts there are.
    pub(crate) const fn len(&self) -> usize {
        self.history.len()
    }

    /// Gives back memory that growth left over.
    pub(crate) fn shrink(&mut self) {
        self.history.shrink_to_fit();
        self.blob.shrink_to_fit();
    }
}

impl Recorder<'_> {
    fn store(&mut self, bytes: &[u8]) -> Spot {
        self.small.store(self.pool, bytes)
    }
}
