//! Which scans count at a point, and in which order.

use crate::facts::{Moment, Scan, ScanIx};

/// A point in the life of an estate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Point {
    /// After everything that was ingested.
    Now,
    /// After the scans made up to this moment.
    At(Moment),
    /// Right after this scan.
    Scan(String),
}

/// The place of a scan in fold order, from one. Zero: it does not count at this point.
pub(crate) type Rank = u32;

/// The scans that count at a point.
#[derive(Debug, Clone)]
pub(crate) struct Timeline {
    ranks: Vec<Rank>,
    order: Vec<ScanIx>,
}

impl Timeline {
    /// The timeline up to a point. Nothing when the point names a scan that is not there.
    pub(crate) fn new(scans: &[Scan], point: &Point) -> Option<Self> {
        let last = match point {
            Point::Now => None,
            Point::At(moment) => Some((*moment, None)),
            Point::Scan(id) => {
                let scan = scans.iter().find(|scan| scan.record.scan_id == *id)?;
                Some((scan.record.time, Some(id.as_str())))
            }
        };
        let counts = |scan: &Scan| {
            let (time, id) = scan.order();
            last.is_none_or(|(moment, last_id)| {
                time < moment || (time == moment && last_id.is_none_or(|last| id <= last))
            })
        };
        let mut order: Vec<ScanIx> =
            (0..).zip(scans).filter(|(_, scan)| counts(scan)).map(|(position, _)| position).collect();
        order.sort_unstable_by_key(|scan| scans[*scan as usize].order());
        let mut ranks = vec![0; scans.len()];
        for (rank, scan) in (1..).zip(&order) {
            ranks[*scan as usize] = rank;
        }
        Some(Self { ranks, order })
    }

    /// The rank of a scan.
    pub(crate) fn rank(&self, scan: ScanIx) -> Rank {
        self.ranks.get(scan as usize).copied().unwrap_or(0)
    }

    /// The scans that count, in fold order.
    pub(crate) fn order(&self) -> &[ScanIx] {
        &self.order
    }
}
