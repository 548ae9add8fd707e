//! Findings at a point, and what became of them since another.

use std::collections::BTreeSet;

use tracehound_analyze::findings::{Lifecycle, List, compare};
use tracehound_graph::{Estate, Point};
use tracehound_model::Fingerprint;
use tracehound_rules::rule::Rule;

use super::Analysed;
use crate::progress;

/// The estate at a point, analysed.
pub(in super::super) fn at(estate: &mut Estate, point: &Point) -> anyhow::Result<Analysed> {
    let bar = progress::working("deriving what follows");
    let analysed = Analysed::new(estate.graph(point)?);
    bar.finish_and_clear();
    Ok(analysed)
}

/// Two points, and what became of each finding.
pub(in super::super) struct Compared<'a> {
    pub(in super::super) now: List<'a>,
    pub(in super::super) then: List<'a>,
    pub(in super::super) lifecycle: Lifecycle,
}

impl<'a> Compared<'a> {
    /// Compares. Whether something is new or has come back is looked for at every scan before the earlier point, the latest
    /// first, as long as something is looked for.
    pub(in super::super) fn new(
        estate: &mut Estate,
        (then, point): (&'a Analysed, &Point),
        now: &'a Analysed,
        rules: &'a [Rule],
    ) -> anyhow::Result<Self> {
        let (now, then) = (now.findings(rules), then.findings(rules));
        let mut failed = None;
        let mut earlier = |wanted: &BTreeSet<Fingerprint>| {
            look_back(estate, point, wanted, rules).unwrap_or_else(|error| {
                failed = Some(error);
                BTreeSet::new()
            })
        };
        let lifecycle = compare(&now, &then, &mut earlier);
        match failed {
            Some(error) => Err(error),
            None => Ok(Self { now, then, lifecycle }),
        }
    }
}

/// Which of these findings were there after some scan before a point.
fn look_back(
    estate: &mut Estate,
    point: &Point,
    wanted: &BTreeSet<Fingerprint>,
    rules: &[Rule],
) -> anyhow::Result<BTreeSet<Fingerprint>> {
    let before: Vec<String> = estate.graph(point)?.scans().iter().map(|scan| scan.scan_id.clone()).collect();
    let mut seen = BTreeSet::new();
    let bar = progress::working("looking at earlier scans");
    // The last one is the point itself.
    for scan in before.iter().rev().skip(1) {
        let analysed = Analysed::new(estate.graph(&Point::Scan(scan.clone()))?);
        let list = analysed.findings(rules);
        seen.extend(wanted.iter().filter(|fingerprint| list.get(fingerprint).is_some()).copied());
        if seen.len() == wanted.len() {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(seen)
}
