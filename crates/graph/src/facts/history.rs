//! Which scans saw a fact: lists that grow at one end and share their beginnings.
//!
//! Facts that were always seen by the same scans have the same history, so a thousand re-scans of a machine cost a
//! thousand rows, not a thousand rows for each of its facts.

use rustc_hash::FxHashMap;

/// The number of a history. Zero: seen by nobody.
pub(crate) type HistoryId = u32;

/// The number of a scan within a store, in order of arrival.
pub(crate) type ScanIx = u32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sighting {
    pub(crate) before: HistoryId,
    pub(crate) scan: ScanIx,
}

/// All histories of a store.
#[derive(Debug, Clone)]
pub(crate) struct Histories {
    rows: Vec<Sighting>,
    numbers: FxHashMap<(HistoryId, ScanIx), HistoryId>,
    last: (HistoryId, ScanIx, HistoryId),
}

impl Default for Histories {
    fn default() -> Self {
        let nobody = Sighting { before: 0, scan: ScanIx::MAX };
        Self { rows: vec![nobody], numbers: FxHashMap::default(), last: (0, ScanIx::MAX, 0) }
    }
}

impl Histories {
    /// The history that is `before` and then `scan`.
    pub(crate) fn then(&mut self, before: HistoryId, scan: ScanIx) -> HistoryId {
        // Facts of one document mostly share their past.
        if (self.last.0, self.last.1) == (before, scan) {
            return self.last.2;
        }
        let rows = &mut self.rows;
        let number = *self.numbers.entry((before, scan)).or_insert_with(|| {
            rows.push(Sighting { before, scan });
            rows.len() as HistoryId - 1
        });
        self.last = (before, scan, number);
        number
    }

    /// The scan that saw it last in order of arrival.
    pub(crate) fn latest(&self, history: HistoryId) -> Option<ScanIx> {
        if history == 0 { None } else { self.rows.get(history as usize).map(|row| row.scan) }
    }

    /// The scans of a history, latest arrival first.
    pub(crate) fn scans(&self, history: HistoryId) -> impl Iterator<Item = ScanIx> {
        let mut next = history;
        std::iter::from_fn(move || {
            if next == 0 {
                return None;
            }
            let row = self.rows.get(next as usize)?;
            next = row.before;
            Some(row.scan)
        })
    }

    /// How many histories there are, the empty one included.
    pub(crate) const fn len(&self) -> usize {
        self.rows.len()
    }

    /// All rows but the empty one, in order.
    pub(crate) fn rows(&self) -> &[Sighting] {
        self.rows.get(1..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_with_the_same_past_share_it() {
        let mut histories = Histories::default();
        let first = histories.then(0, 0);
        let one = histories.then(first, 1);
        let other = histories.then(0, 1);
        let two = histories.then(first, 1);
        assert_eq!(one, two);
        assert_ne!(one, other);
        assert_eq!(histories.scans(one).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(histories.latest(0), None);
    }
}
