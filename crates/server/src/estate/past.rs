//! What stood after each scan, counted once.
//!
//! What stood after a scan follows from that scan and those before it, so it is known by them, and nothing has to be
//! forgotten when another scan comes in.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;
use std::time::Instant;

use axum::http::StatusCode;
use rustc_hash::FxHasher;
use tracehound_analyze::findings::List;
use tracehound_analyze::overview::Exposure;
use tracehound_analyze::terrain::{Shortcuts, Terrain};
use tracehound_analyze::{Analysis, Picture};
use tracehound_graph::{Estate, Moment, Point, ScanRecord};
use tracehound_model::{Fingerprint, Severity};

use super::room::Room;
use crate::problem::Problem;

/// Most fingerprints that are kept for one tenant, of all scans together: 32 MB.
const MOST_KEPT: usize = 4 << 20;

/// What stood after a scan, in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PastPoint {
    pub(crate) nodes: usize,
    pub(crate) edges: usize,
    pub(crate) by_severity: BTreeMap<Severity, u64>,
    pub(crate) exposure: Exposure,
}

/// The findings after a scan, as the numbers of their fingerprints, sorted.
type Seen = Arc<[u64]>;

/// What is known of the past of one estate.
#[derive(Debug, Default)]
pub(super) struct Past {
    points: HashMap<Scan, Arc<PastPoint>>,
    /// The latest last.
    seen: Vec<(Scan, Seen)>,
}

/// A scan, and all before it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Scan {
    scan_id: String,
    time: Moment,
    /// Over the scans up to this one, each with its content.
    before: u64,
}

impl Past {
    fn keep(&mut self, scan: &Scan, point: Arc<PastPoint>, seen: Seen) {
        // Another scan of the same id was deleted or came in later.
        self.points.retain(|other, _| other.scan_id != scan.scan_id);
        self.seen.retain(|(other, _)| other.scan_id != scan.scan_id);
        self.points.insert(scan.clone(), point);
        self.seen.push((scan.clone(), seen));
        let mut kept: usize = self.seen.iter().map(|(_, seen)| seen.len()).sum();
        while kept > MOST_KEPT && self.seen.len() > 1 {
            kept -= self.seen.remove(0).1.len();
        }
    }

    /// Forgets what stood after a moment: what people acknowledge from then on counts there.
    pub(super) fn forget_after(&mut self, moment: Moment) {
        self.points.retain(|scan, _| scan.time < moment);
        self.seen.retain(|(scan, _)| scan.time < moment);
    }

    fn seen(&self, scan: &Scan) -> Option<Seen> {
        self.seen.iter().find(|(other, _)| other == scan).map(|(_, seen)| seen.clone())
    }
}

/// The scans in fold order, each with what stands for it and all before it.
fn chained(estate: &Estate) -> Vec<(Arc<ScanRecord>, Scan)> {
    let mut hasher = FxHasher::default();
    let scan = |record: &ScanRecord| {
        (&record.scan_id, &record.sha256, record.time).hash(&mut hasher);
        let scan = Scan { scan_id: record.scan_id.clone(), time: record.time, before: hasher.finish() };
        (Arc::new(record.clone()), scan)
    };
    estate.scans().into_iter().map(scan).collect()
}

/// A scan with what stood after it.
pub(crate) type Stood = (Arc<ScanRecord>, Arc<PastPoint>);

/// The last scan after which a finding stood, and the one after which it did not any more.
pub(crate) type Gone = (Arc<ScanRecord>, Arc<ScanRecord>);

impl Room {
    /// What stood after the last scans up to a point, in their order, as far as it could be counted in time; and whether
    /// that is all of it.
    pub(super) fn trend(&self, point: &Point, count: usize, until: Instant) -> Result<(Vec<Stood>, bool), Problem> {
        let scans = self.upto(point)?;
        let mut trend = Vec::new();
        let last = scans.iter().rev().take(count);
        for (record, scan) in last {
            let known = self.past().points.get(scan).cloned();
            let point = match known {
                Some(point) => point,
                None if Instant::now() >= until => {
                    trend.reverse();
                    return Ok((trend, false));
                }
                None => match self.count(scan)? {
                    Some((point, _)) => point,
                    // It is not there any more.
                    None => continue,
                },
            };
            trend.push((record.clone(), point));
        }
        trend.reverse();
        Ok((trend, true))
    }

    /// Which of these findings were there after some scan before a point; the latest scans are looked at first.
    pub(super) fn seen_before(
        &self,
        point: &Point,
        wanted: &BTreeSet<Fingerprint>,
        until: Instant,
    ) -> Result<BTreeSet<Fingerprint>, Problem> {
        let mut found = BTreeSet::new();
        // The last one is the point itself.
        for (_, scan) in self.upto(point)?.iter().rev().skip(1) {
            let seen = self.seen(scan, until)?;
            found.extend(wanted.iter().filter(|it| seen.binary_search(&it.number()).is_ok()));
            if found.len() == wanted.len() {
                break;
            }
        }
        Ok(found)
    }

    /// The last scan before a point after which a finding stood whose fingerprint begins with these digits, and the scan
    /// after which it did not any more.
    pub(super) fn last_seen(&self, point: &Point, digits: &str, until: Instant) -> Result<Option<Gone>, Problem> {
        let Some((first, last)) = numbers(digits) else { return Ok(None) };
        for pair in self.upto(point)?.windows(2).rev() {
            let [(before, scan), (after, _)] = pair else { continue };
            let seen = self.seen(scan, until)?;
            let at = seen.partition_point(|number| *number < first);
            if seen.get(at).is_some_and(|number| *number <= last) {
                return Ok(Some((before.clone(), after.clone())));
            }
        }
        Ok(None)
    }

    /// The scans up to a point.
    fn upto(&self, point: &Point) -> Result<Vec<(Arc<ScanRecord>, Scan)>, Problem> {
        let estate = self.estate();
        let mut scans = chained(&estate);
        match point {
            Point::Now => {}
            Point::At(moment) => scans.retain(|(scan, _)| scan.time <= *moment),
            Point::Scan(scan_id) => {
                let last = estate.scan(scan_id)?;
                scans.retain(|(scan, _)| (scan.time, &scan.scan_id) <= (last.time, &last.scan_id));
            }
        }
        Ok(scans)
    }

    fn seen(&self, scan: &Scan, until: Instant) -> Result<Seen, Problem> {
        if let Some(seen) = self.past().seen(scan) {
            return Ok(seen);
        }
        if Instant::now() >= until {
            let detail = "earlier scans are still being looked at; ask again in a few seconds";
            return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "still_looking", detail));
        }
        Ok(self.count(scan)?.map(|(_, seen)| seen).unwrap_or_default())
    }

    /// Derives what stood after a scan; nothing if it is not there any more. One scan at a time: many who ask for the same
    /// find it when their turn comes.
    fn count(&self, scan: &Scan) -> Result<Option<(Arc<PastPoint>, Seen)>, Problem> {
        let _turn = self.turn();
        let known = {
            let past = self.past();
            past.points.get(scan).cloned().zip(past.seen(scan))
        };
        if known.is_some() {
            return Ok(known);
        }
        let graph = {
            let mut estate = self.estate();
            if !chained(&estate).iter().any(|(_, other)| other == scan) {
                return Ok(None);
            }
            estate.graph(&Point::Scan(scan.scan_id.clone()))?
        };
        let analysis = Analysis::of(&graph);
        let picture = Picture::new(&graph, &analysis);
        let list = List::new(picture, self.rules());
        let mut seen: Vec<u64> = list.iter().map(|found| found.fingerprint.number()).collect();
        seen.sort_unstable();
        let terrain = Terrain::new(&picture, Shortcuts::No);
        let point = Arc::new(PastPoint {
            nodes: graph.node_count(),
            edges: graph.edge_count(),
            by_severity: list.tally().by_severity.clone(),
            exposure: Exposure::new(&picture, &terrain),
        });
        let seen: Seen = seen.into();
        self.past().keep(scan, point.clone(), seen.clone());
        Ok(Some((point, seen)))
    }
}

/// The first and the last number of a fingerprint that begins with these digits.
fn numbers(digits: &str) -> Option<(u64, u64)> {
    let digits = digits.trim();
    if digits.len() > 16 {
        return None;
    }
    let first = u64::from_str_radix(&format!("{digits:0<16}"), 16).ok()?;
    let last = u64::from_str_radix(&format!("{digits:f<16}"), 16).ok()?;
    Some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_for_all_numbers_that_begin_with_them() {
        assert_eq!(numbers("00ff"), Some((0x00ff_0000_0000_0000, 0x00ff_ffff_ffff_ffff)));
        assert_eq!(numbers("0123456789abcdef"), Some((0x0123_4567_89ab_cdef, 0x0123_4567_89ab_cdef)));
        assert_eq!((numbers("xyz"), numbers("0123456789abcdef0")), (None, None));
    }
}
