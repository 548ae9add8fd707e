//! Two points, and what became of each finding between them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tracehound_analyze::findings::{Lifecycle, compare};
use tracehound_graph::Point;

use super::past::{Gone, Stood};
use super::room::{Room, Said};
use super::standing::At;
use crate::App;
use crate::problem::Problem;

/// How long earlier scans are looked at for one request. What was found is kept, so that the next one gets further.
const LOOKING: Duration = Duration::from_secs(10);

/// Two points, and what became of each finding between them.
pub(crate) struct Compared<'c, 't, 'n> {
    /// The point that is compared with.
    pub(crate) then: &'c At<'t>,
    /// The point that is looked at.
    pub(crate) now: &'c At<'n>,
    /// What became of each finding.
    pub(crate) lifecycle: &'c Lifecycle,
}

impl App {
    /// Looks at a tenant's estate at two points and at what became of findings between them.
    pub(crate) async fn compared<T: Send + 'static>(
        &self,
        tenant: &str,
        (from, to): (String, String),
        look: impl FnOnce(&Compared<'_, '_, '_>, &Said) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.in_room(tenant, move |room| {
            let epoch = room.epoch();
            let points = room.look(|estate| Ok((estate.point(&from)?, estate.point(&to)?)))?;
            let (then, _) = room.at(&from)?;
            let (now, said) = room.at(&to)?;
            let held = Arc::clone(room);
            let question = move |then: &At<'_>, now: &At<'_>| {
                let lifecycle = held.lifecycle(points, epoch, then, now)?;
                look(&Compared { then, now, lifecycle: &lifecycle }, &said)
            };
            now.ask_since(&then, question).unwrap_or_else(|| Err(super::gone_wrong()))
        })
        .await
    }

    /// What stood after the last scans up to a point, in their order, as far as it could be counted within some time; and
    /// whether that is all of it.
    pub(crate) async fn trend(
        &self,
        tenant: &str,
        point: &str,
        count: usize,
        patience: Duration,
    ) -> Result<(Vec<Stood>, bool), Problem> {
        let point = point.to_owned();
        self.in_room(tenant, move |room| {
            let point = room.look(|estate| estate.point(&point))?;
            room.trend(&point, count, Instant::now() + patience)
        })
        .await
    }

    /// The last scan before a point after which a finding stood whose fingerprint begins with these digits, and the scan
    /// after which it did not any more.
    pub(crate) async fn last_seen(&self, tenant: &str, point: &str, digits: &str) -> Result<Option<Gone>, Problem> {
        let (point, digits) = (point.to_owned(), digits.to_owned());
        self.in_room(tenant, move |room| {
            let point = room.look(|estate| estate.point(&point))?;
            room.last_seen(&point, &digits, Instant::now() + LOOKING)
        })
        .await
    }
}

impl Room {
    /// What became of findings between two points, compared once for all who ask.
    fn lifecycle(
        &self,
        points: (Point, Point),
        epoch: u64,
        then: &At<'_>,
        now: &At<'_>,
    ) -> Result<Arc<Lifecycle>, Problem> {
        if let Some(known) = self.lifecycles().get(&points, epoch) {
            return Ok(known);
        }
        let until = Instant::now() + LOOKING;
        let mut failed = None;
        let mut earlier = |wanted: &BTreeSet<_>| {
            self.seen_before(&points.0, wanted, until).unwrap_or_else(|problem| {
                failed = Some(problem);
                BTreeSet::new()
            })
        };
        let lifecycle = Arc::new(compare(now.findings(), then.findings(), &mut earlier));
        if let Some(problem) = failed {
            return Err(problem);
        }
        self.lifecycles().keep(points, epoch, lifecycle.clone());
        Ok(lifecycle)
    }
}

/// How many comparisons are kept: pages of one list, and the one of the overview.
const KEPT: usize = 3;

/// Comparisons that somebody asked for.
#[derive(Debug, Default)]
pub(super) struct Lifecycles {
    /// What they hold for: it grows with every change.
    epoch: u64,
    /// The latest last.
    known: Vec<((Point, Point), Arc<Lifecycle>)>,
}

impl Lifecycles {
    fn get(&self, points: &(Point, Point), epoch: u64) -> Option<Arc<Lifecycle>> {
        let known = self.known.iter().find(|(other, _)| other == points && self.epoch == epoch);
        known.map(|(_, lifecycle)| lifecycle.clone())
    }

    fn keep(&mut self, points: (Point, Point), epoch: u64, lifecycle: Arc<Lifecycle>) {
        // What was compared before a change is of no use after it.
        if self.epoch == epoch {
            self.known.retain(|(other, _)| *other != points);
            self.known.push((points, lifecycle));
            let over = self.known.len().saturating_sub(KEPT);
            self.known.drain(..over);
        }
    }

    pub(super) const fn epoch(&self) -> u64 {
        self.epoch
    }

    pub(super) fn forget(&mut self) {
        self.epoch += 1;
        self.known.clear();
    }
}
