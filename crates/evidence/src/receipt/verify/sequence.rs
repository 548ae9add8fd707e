//! Places and links: does each receipt come after the one before it, is none missing, is none there twice.

use std::collections::BTreeMap;

use super::facts::Read;
use super::report::Fault;
use crate::receipt::hash::Hash;

/// How many hashes are remembered to tell a receipt that is there twice from another one at its place.
const REMEMBERED: u64 = 1 << 16;
/// How many gaps are remembered in case that the receipts come later.
const OPEN_GAPS: usize = 4096;

/// How far the chain was followed.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    first: Option<u64>,
    last: Option<Link>,
    /// The latest hashes by their place, modulo [`REMEMBERED`].
    recent: BTreeMap<u64, Link>,
    /// Missing places by the first of each run.
    gaps: BTreeMap<u64, Gap>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    sequence: u64,
    hash: Hash,
}

/// Places that are missing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    pub(super) first: u64,
    pub(super) last: u64,
    /// The place in the list of the receipt after them.
    pub(super) index: u64,
}

/// What is wrong with a receipt's place.
pub(super) type Wrong = (Fault, String);

impl Sequence {
    /// The least place.
    pub(super) const fn first(&self) -> Option<u64> {
        self.first
    }

    /// The greatest place and the hash of the receipt there.
    pub(super) fn last(&self) -> Option<(u64, Hash)> {
        self.last.map(|link| (link.sequence, link.hash))
    }

    /// The gaps that stayed open.
    pub(super) fn gaps(&self) -> impl Iterator<Item = Gap> {
        self.gaps.values().copied()
    }

    /// Adds a receipt. A gap that there is no room to remember is given back to be told at once. O(log n) in what is
    /// remembered.
    pub(super) fn add(&mut self, read: &Read, index: u64) -> (Option<Wrong>, Option<Gap>) {
        let sequence = read.sequence;
        let Some(last) = self.last else {
            self.first = Some(sequence);
            self.go_on(read);
            return (first_link(read), None);
        };
        if sequence <= last.sequence {
            return (Some(self.look_back(read)), None);
        }
        self.go_on(read);
        let missing = sequence - last.sequence - 1;
        if missing == 0 {
            return (wrong_link(read, Some(last.hash)), None);
        }
        let gap = Gap { first: last.sequence + 1, last: sequence - 1, index };
        if self.gaps.len() >= OPEN_GAPS {
            return (None, Some(gap));
        }
        self.gaps.insert(gap.first, gap);
        (None, None)
    }

    fn go_on(&mut self, read: &Read) {
        let link = Link { sequence: read.sequence, hash: read.stated };
        self.last = Some(link);
        self.recent.insert(link.sequence % REMEMBERED, link);
    }

    fn remembered(&self, sequence: u64) -> Option<Hash> {
        self.recent.get(&(sequence % REMEMBERED)).filter(|link| link.sequence == sequence).map(|link| link.hash)
    }

    /// A receipt whose place was passed.
    fn look_back(&mut self, read: &Read) -> Wrong {
        let sequence = read.sequence;
        if self.fill(sequence) {
            return (Fault::OutOfOrder, "it comes after a later one".to_owned());
        }
        if self.first.is_some_and(|first| sequence < first) {
            return (Fault::OutOfOrder, "it comes after later ones, with which the list begins".to_owned());
        }
        match self.remembered(sequence) {
            Some(hash) if hash == read.stated => (Fault::Repeated, "it is in the list already".to_owned()),
            Some(hash) => (Fault::Fork, format!("another receipt has the same place, its hash is {hash}")),
            None => (Fault::Fork, "another receipt had the same place, or this one is in the list already".to_owned()),
        }
    }

    /// Takes a place out of the gaps; says whether it was in one.
    fn fill(&mut self, sequence: u64) -> bool {
        let around = self.gaps.range(..=sequence).next_back().map(|(_, gap)| *gap);
        let Some(gap) = around.filter(|gap| sequence <= gap.last) else { return false };
        self.gaps.remove(&gap.first);
        if gap.first < sequence {
            self.gaps.insert(gap.first, Gap { last: sequence - 1, ..gap });
        }
        if sequence < gap.last {
            self.gaps.insert(sequence + 1, Gap { first: sequence + 1, ..gap });
        }
        true
    }
}

/// The first receipt of a chain names none before it; any other names one, which is not in the list.
fn first_link(read: &Read) -> Option<Wrong> {
    match (read.sequence, read.previous) {
        (0, Some(_)) => wrong_link(read, None),
        (1.., None) => {
            Some((Fault::BrokenLink, "it names no receipt before it, but is not the first of the chain".to_owned()))
        }
        _ => None,
    }
}

fn wrong_link(read: &Read, expected: Option<Hash>) -> Option<Wrong> {
    if read.previous == expected {
        return None;
    }
    let shown = |hash: Option<Hash>| hash.map_or_else(|| "none".to_owned(), |hash| hash.hex());
    let (named, expected) = (shown(read.previous), shown(expected));
    Some((Fault::BrokenLink, format!("it names {named} as the hash before it, which is {expected}")))
}
