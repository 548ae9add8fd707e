//! The one who looks: reads on, observes, plans, writes.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use tracehound_evidence::Error;
use tracehound_evidence::detect::{Detector, Incidents, limits};
use tracehound_evidence::event::{APPROVAL, Event, INCIDENT, INCIDENT_CLOSED};
use tracehound_evidence::reading::{Happened, Place};

use super::plan::{Plan, Written, subject};
use super::start::{self, Tenants};
use crate::App;

/// How many decisions and other events are read at one time.
const PAGE: i64 = 1_024;
/// A change with more rows than this is written before more is looked at: others wait for the same disk.
const MOST_ROWS: usize = 256;
/// How long a busy disk is waited for, at first and in the end.
const SHORTEST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_millis(640);

/// What it knows while it goes on.
pub(super) struct Detective<'a> {
    app: &'a App,
    detector: Detector,
    incidents: Incidents,
    tenants: Tenants,
    place: Place,
    /// The hour in which old hours were forgotten last.
    forgotten: i64,
}

impl<'a> Detective<'a> {
    pub(super) fn start(app: &'a App) -> Result<Self, Error> {
        // What changed before is read now.
        app.detection().take_changed();
        let (detector, incidents, tenants, place) = start::resume(app.evidence())?;
        Ok(Self { app, detector, incidents, tenants, place, forgotten: i64::MIN })
    }

    /// Looks at what is there. Whether there may be more.
    pub(super) fn look(&mut self) -> Result<bool, Error> {
        for tenant in self.app.detection().take_changed() {
            start::load(self.app.evidence(), &mut self.detector, &mut self.tenants, &tenant)?;
        }
        let page = self.app.evidence().happened(None, self.place, Place::END, PAGE)?;
        let is_more = i64::try_from(page.len()).is_ok_and(|length| length >= PAGE);
        let mut page = page.into_iter().peekable();
        while page.peek().is_some() {
            self.take(&mut page)?;
        }
        self.measure()?;
        Ok(is_more)
    }

    /// Takes as many events as go into one change, and writes it.
    fn take(&mut self, page: &mut impl Iterator<Item = Happened>) -> Result<(), Error> {
        let mut plan = Plan::default();
        let mut stored = Vec::new();
        let mut count = 0;
        for Happened { event, place, is_decision } in page {
            self.place = place;
            count += 1;
            if !is_decision && event.kind != APPROVAL {
                stored.push(event.clone());
            }
            self.observe(event, &mut plan);
            if plan.size() >= MOST_ROWS {
                break;
            }
        }
        plan.reach(self.place);
        let Written { events } = self.write(plan)?;
        self.app.counters().events_detected.fetch_add(count, Relaxed);
        for event in stored.into_iter().chain(events) {
            self.app.live().tell(event);
        }
        Ok(())
    }

    fn observe(&mut self, event: Event, plan: &mut Plan) {
        if event.kind == INCIDENT {
            let closed = event.evidence.incident_id.as_deref().filter(|_| event.code == INCIDENT_CLOSED);
            closed.into_iter().for_each(|id| self.incidents.close(id));
            return;
        }
        start::settings(self.app.evidence(), &mut self.detector, &mut self.tenants, &event.tenant_id);
        let event = subject(event);
        self.count(&event, plan);
        let observed = self.detector.observe(&event);
        let is_automatic = self.tenants.get(&event.tenant_id).is_some_and(|tenant| tenant.is_automatic);
        for fired in &observed.fired {
            let id = || uuid::Uuid::now_v7().hyphenated().to_string();
            let incident = self.incidents.take(fired, id);
            plan.fired(fired, incident, is_automatic);
        }
        if let Some(raise) = observed.raise {
            plan.raise(raise);
        }
    }

    /// Keeps what rules about what is usual will want to know after a start.
    fn count(&mut self, event: &Event, plan: &mut Plan) {
        let Some(agent) = &event.agent_id else { return };
        let Some(tenant) = self.tenants.get(&event.tenant_id) else { return };
        let hour = start::hour_of(event.occurred_at);
        for rule in tenant.rates.iter().filter(|rule| rule.accepts(event)) {
            plan.count(hour, &event.tenant_id, &rule.rule_key, agent);
        }
        if hour > self.forgotten {
            self.forgotten = hour;
            plan.forget_hours(hour - (i64::from(limits::RATE_DAYS) + 1) * 24);
        }
    }

    /// A disk that is busy is waited for; everything else is for whoever starts afresh.
    fn write(&self, plan: Plan) -> Result<Written, Error> {
        let plan = Arc::new(plan);
        let mut pause = SHORTEST;
        loop {
            let shared = plan.clone();
            match self.app.evidence().write(move |ledger| shared.write(ledger)) {
                Err(Error::Unavailable { .. }) if pause <= LONGEST => std::thread::sleep(pause),
                written => return written,
            }
            pause *= 2;
        }
    }

    /// How far it is behind.
    fn measure(&self) -> Result<(), Error> {
        let end = self.app.evidence().end()?;
        let behind = (end.decisions - self.place.decisions).max(0) + (end.events - self.place.events).max(0);
        self.app.counters().detection_lag.store(u64::try_from(behind).unwrap_or_default(), Relaxed);
        Ok(())
    }
}
