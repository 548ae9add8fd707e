//! One tenant's estate, and the points of its life that somebody asked about.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tracehound_analyze::naming::Marks;
use tracehound_analyze::{Analysis, Changes};
use tracehound_graph::{Error, Estate, Moment, Point, Triage};
use tracehound_model::Fingerprint;
use tracehound_rules::rule::Rule;

use super::compared::Lifecycles;
use super::past::Past;
use super::standing::{Known, Standing};
use crate::problem::Problem;

/// How many points besides the present are kept. A comparison needs two, a look along a time line a few more.
const KEPT: usize = 6;

/// What people said up to the moment of a point.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    /// Which nodes an attacker holds and which matter most.
    pub(crate) marks: Marks,
    /// What was decided about findings.
    pub(crate) decisions: BTreeMap<Fingerprint, Triage>,
}

/// One tenant's estate.
#[derive(Debug)]
pub(super) struct Room {
    estate: Mutex<Estate>,
    rules: Arc<[Rule]>,
    kept: Mutex<Kept>,
    past: Mutex<Past>,
    lifecycles: Mutex<Lifecycles>,
    /// Held by whoever derives what stood after an earlier scan.
    turn: Mutex<()>,
}

/// The points that somebody asked about.
#[derive(Debug, Default)]
struct Kept {
    /// The latest last. What was derived before a change is of no use after it.
    points: Vec<(Point, Slot)>,
    /// The present before the last change, from which the next analysis can take what did not change.
    before: Option<Known>,
}

/// Filled by the first who asks; others wait for it.
type Slot = Arc<OnceLock<Result<Standing, Problem>>>;

impl Room {
    pub(super) fn new(estate: Estate, rules: Arc<[Rule]>) -> Self {
        Self {
            estate: Mutex::new(estate),
            rules,
            kept: Mutex::default(),
            past: Mutex::default(),
            lifecycles: Mutex::default(),
            turn: Mutex::default(),
        }
    }

    /// The estate at a point, and what people said up to it.
    pub(super) fn at(&self, text: &str) -> Result<(Standing, Arc<Said>), Problem> {
        let (point, said) = {
            let estate = self.estate();
            let point = estate.point(text)?;
            // Decisions that end are judged by the clock, also in the present.
            let moment = estate.moment_of(&point)?.min(now());
            let said = Said { marks: estate.marks_at(moment)?, decisions: estate.triage_at(moment)? };
            (point, Arc::new(said))
        };
        let slot = self.kept().slot(&point);
        let standing = slot.get_or_init(|| self.derive(&point)).clone();
        if standing.is_err() {
            // The next who asks tries again.
            self.kept().points.retain(|(_, other)| !Arc::ptr_eq(other, &slot));
        }
        Ok((standing?, said))
    }

    /// Looks at the scan log or at what people decided, or records what they say: no graph follows from it.
    pub(super) fn look<T>(&self, look: impl FnOnce(&mut Estate) -> Result<T, Error>) -> Result<T, Error> {
        look(&mut self.estate())
    }

    /// Changes what graphs are made of.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Estate) -> Result<T, Error>) -> Result<T, Error> {
        let mut estate = self.estate();
        let changed = change(&mut estate);
        // Even what failed may have been done in part as far as this room knows.
        self.kept().forget();
        self.lifecycles().forget();
        self.past().forget_after(now());
        let changed = changed?;
        if let Err(error) = estate.snapshot_if_due() {
            // A snapshot only makes the next start quicker; what was changed is stored.
            crate::log::failure("estate", &error);
        }
        Ok(changed)
    }

    fn derive(&self, point: &Point) -> Result<Standing, Problem> {
        let graph = Arc::new(self.estate().graph(point)?);
        let before = if *point == Point::Now { self.kept().before.take() } else { None };
        let analysis = before.map_or_else(
            || Analysis::of(&*graph),
            |before| Analysis::again(&*graph, &before.analysis, &Changes::between(&before.graph, &graph)),
        );
        let known = Known { graph, analysis: Arc::new(analysis), rules: self.rules.clone() };
        Standing::new(known).map_err(|source| {
            crate::log::failure("estate", &source);
            super::gone_wrong()
        })
    }

    /// What grows with every change.
    pub(super) fn epoch(&self) -> u64 {
        self.lifecycles().epoch()
    }

    pub(super) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub(super) fn estate(&self) -> MutexGuard<'_, Estate> {
        // Every change is one transaction, so an estate whose user failed is as it was before or after.
        self.estate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn past(&self) -> MutexGuard<'_, Past> {
        self.past.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn lifecycles(&self) -> MutexGuard<'_, Lifecycles> {
        self.lifecycles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn slot(&mut self, point: &Point) -> Slot {
        let known = self.points.iter().position(|(other, _)| other == point);
        let entry = known.map_or_else(|| (point.clone(), Slot::default()), |known| self.points.remove(known));
        let slot = entry.1.clone();
        self.points.push(entry);
        // The present stays: most questions are about it.
        let past = self.points.iter().filter(|(point, _)| *point != Point::Now).count();
        if past > KEPT
            && let Some(oldest) = self.points.iter().position(|(point, _)| *point != Point::Now)
        {
            self.points.remove(oldest);
        }
        slot
    }

    fn forget(&mut self) {
        let present = self.points.drain(..).find(|(point, _)| *point == Point::Now);
        let standing = present.as_ref().and_then(|(_, slot)| slot.get()).and_then(|standing| standing.as_ref().ok());
        if let Some(standing) = standing {
            self.before = Some(standing.known.clone());
        }
    }
}

/// The present moment.
pub(crate) fn now() -> Moment {
    Moment(jiff::Timestamp::now().as_microsecond())
}
