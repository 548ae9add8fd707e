//! What is old enough to lose its details, and what of it has to stay.

use rusqlite::{Connection, params};
use rustc_hash::FxHashSet;

use super::{all, first, happened};
use crate::{Error, Moment};

/// How many of each sort are taken at a time.
const STEP: i64 = 250;

/// What is old, some of it.
#[derive(Debug, Default)]
pub(crate) struct Old {
    /// Numbers of decisions.
    pub(crate) decisions: Vec<i64>,
    /// The last decision that was looked at.
    pub(crate) reached: i64,
    /// Whether one of those has to stay.
    pub(crate) has_held: bool,
    /// Ids of approvals.
    pub(crate) approvals: Vec<String>,
    /// Numbers of events.
    pub(crate) events: Vec<i64>,
    /// Numbers of alerts.
    pub(crate) alerts: Vec<i64>,
    /// Ids of incidents.
    pub(crate) incidents: Vec<String>,
}

impl Old {
    pub(crate) fn is_nothing(&self) -> bool {
        let Self { decisions, has_held, approvals, events, alerts, incidents, .. } = self;
        let numbers = decisions.is_empty() && events.is_empty() && alerts.is_empty();
        numbers && !has_held && approvals.is_empty() && incidents.is_empty()
    }
}

/// What somebody may still have to look at.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// Ids of decisions that an open incident rests on, or whose approval can still be answered or used.
    pub(crate) decisions: FxHashSet<String>,
    /// Ids of events that an open incident rests on.
    pub(crate) events: FxHashSet<String>,
}

/// What has to stay. Linear in what open incidents rest on and in the approvals that can still be answered or used.
pub(crate) fn held(connection: &Connection, tenant: &str, now: Moment) -> Result<Held, Error> {
    let mut held = Held::default();
    let sql = "SELECT s.event_id, s.decision_id FROM incidents i \
               JOIN incident_sources s ON s.tenant = i.tenant AND s.incident_id = i.id \
               WHERE i.tenant = ?1 AND i.status = 'open'";
    let sources = all(connection, sql, params![tenant], |row| Ok((row.get(0)?, row.get::<_, Option<String>>(1)?)))?;
    for (event, decision) in sources {
        held.events.insert(event);
        held.decisions.extend(decision);
    }
    let waiting = "SELECT decision_id FROM approvals WHERE tenant = ?1 AND status = 'created' AND expires_at > ?2";
    let unused = "SELECT decision_id FROM approvals \
                  WHERE tenant = ?1 AND status = 'APPROVED' AND consumed_at IS NULL AND expires_at > ?2";
    for sql in [waiting, unused] {
        held.decisions.extend(all(connection, sql, params![tenant, now.micros()], |row| row.get(0))?);
    }
    Ok(held)
}

/// The decision up to which everything was gone through.
pub(crate) fn mark(connection: &Connection, tenant: &str) -> Result<i64, Error> {
    let sql = "SELECT decisions FROM retention WHERE tenant = ?1";
    Ok(first(connection, sql, params![tenant], |row| row.get(0))?.unwrap_or_default())
}

/// Some of what is older than a moment; of decisions, those behind a number. What detection has not seen is not old.
pub(crate) fn old(
    connection: &Connection,
    tenant: &str,
    before: Moment,
    now: Moment,
    after: i64,
) -> Result<Old, Error> {
    let held = held(connection, tenant, now)?;
    let (detected, end) = (happened::detected(connection)?, happened::place_at(connection, before)?);
    let sql = "SELECT number, id FROM decisions WHERE tenant = ?1 AND number > ?2 AND number <= ?3 \
               AND dropped_at IS NULL ORDER BY number LIMIT ?4";
    let up_to = end.decisions.min(detected.decisions);
    let decided = all(connection, sql, params![tenant, after, up_to, STEP], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
    })?;
    let mut old = Old { reached: decided.last().map_or(after, |(number, _)| *number), ..Old::default() };
    for (number, id) in decided {
        if held.decisions.contains(&id) {
            old.has_held = true;
        } else {
            old.decisions.push(number);
        }
    }
    old.approvals = approvals(connection, tenant, before, &held)?;
    let sql = "SELECT number, id FROM events WHERE tenant = ?1 AND occurred_at < ?2 AND number <= ?3 LIMIT ?4";
    old.events = unheld(connection, sql, tenant, before, detected.events, &held)?;
    let sql = "SELECT number, event_id FROM alerts WHERE tenant = ?1 AND created_at < ?2 AND number <= ?3 LIMIT ?4";
    old.alerts = unheld(connection, sql, tenant, before, i64::MAX, &held)?;
    let sql = "SELECT id FROM incidents WHERE tenant = ?1 AND status = 'closed' AND dropped_at IS NULL \
               AND closed_at < ?2 LIMIT ?3";
    old.incidents = all(connection, sql, params![tenant, before.micros(), STEP], |row| row.get(0))?;
    Ok(old)
}

/// Numbers of rows that rest on no event that has to stay. Those that do are read along, so there is room for them.
fn unheld(
    connection: &Connection,
    sql: &str,
    tenant: &str,
    before: Moment,
    up_to: i64,
    held: &Held,
) -> Result<Vec<i64>, Error> {
    let room = STEP.saturating_add(i64::try_from(held.events.len()).unwrap_or(i64::MAX));
    let found = all(connection, sql, params![tenant, before.micros(), up_to, room], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
    })?;
    let free = found.into_iter().filter(|(_, event)| !held.events.contains(event)).map(|(number, _)| number);
    Ok(free.take(usize::try_from(STEP).unwrap_or_default()).collect())
}

fn approvals(connection: &Connection, tenant: &str, before: Moment, held: &Held) -> Result<Vec<String>, Error> {
    let sql = "SELECT id, decision_id FROM approvals WHERE tenant = ?1 AND dropped_at IS NULL AND created_at < ?2 \
               ORDER BY number LIMIT ?3";
    let room = STEP.saturating_add(i64::try_from(held.decisions.len()).unwrap_or(i64::MAX));
    let found = all(connection, sql, params![tenant, before.micros(), room], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    })?;
    let free = found.into_iter().filter(|(_, decision)| !held.decisions.contains(decision)).map(|(id, _)| id);
    Ok(free.take(usize::try_from(STEP).unwrap_or_default()).collect())
}
