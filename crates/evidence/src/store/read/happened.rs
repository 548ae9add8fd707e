//! What happened, in its order: decisions and all other events together.

use rusqlite::{Connection, params};

use super::{all, decisions, first, parsed};
use crate::event::Event;
use crate::reading::{Happened, Place};
use crate::{Error, Moment};

/// How far detection has got.
pub(crate) fn detected(connection: &Connection) -> Result<Place, Error> {
    let sql = "SELECT decisions, events FROM detection WHERE id = 1";
    let read = |row: &rusqlite::Row<'_>| Ok(Place { decisions: row.get(0)?, events: row.get(1)? });
    Ok(first(connection, sql, [], read)?.unwrap_or_default())
}

/// The place behind everything.
pub(crate) fn end(connection: &Connection) -> Result<Place, Error> {
    let last = |sql: &str| Ok(first(connection, sql, [], |row| row.get(0))?.unwrap_or_default());
    Ok(Place {
        decisions: last("SELECT coalesce(max(number), 0) FROM decisions")?,
        events: last("SELECT coalesce(max(number), 0) FROM events")?,
    })
}

/// The place behind everything that happened before a moment. Logarithmic in what happened.
pub(crate) fn place_at(connection: &Connection, moment: Moment) -> Result<Place, Error> {
    let end = end(connection)?;
    let decisions = "SELECT number, created_at FROM decisions WHERE number > ?1 ORDER BY number LIMIT 1";
    let events = "SELECT number, occurred_at FROM events WHERE number > ?1 ORDER BY number LIMIT 1";
    Ok(Place {
        decisions: last_before(connection, decisions, end.decisions, moment)?,
        events: last_before(connection, events, end.events, moment)?,
    })
}

/// Rows are in the order of their times, except where the clock was set back; there any place near it will do.
fn last_before(connection: &Connection, sql: &str, last: i64, moment: Moment) -> Result<i64, Error> {
    let (mut low, mut high) = (0, last);
    // What is up to `low` is earlier; what is behind `high` is not.
    while low < high {
        let middle = low + (high - low) / 2;
        let next = first(connection, sql, params![middle], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))?;
        match next {
            Some((number, time)) if time < moment.micros() => low = number,
            _ => high = middle,
        }
    }
    Ok(low)
}

/// What happened behind a place and up to another, by time. A list that is cut says nothing about what comes behind it,
/// so the order never goes beyond its end.
pub(crate) fn between(
    connection: &Connection,
    tenant: Option<&str>,
    after: Place,
    up_to: Place,
    limit: i64,
) -> Result<Vec<Happened>, Error> {
    let decided = decisions::between(connection, tenant, (after.decisions, up_to.decisions), limit)?;
    let noted = events(connection, tenant, (after.events, up_to.events), limit)?;
    let is_cut = |length: usize| i64::try_from(length).is_ok_and(|length| length >= limit);
    let (are_decisions_cut, are_events_cut) = (is_cut(decided.len()), is_cut(noted.len()));
    let mut decided = decided.into_iter().peekable();
    let mut noted = noted.into_iter().peekable();
    let (mut happened, mut place) = (Vec::new(), after);
    loop {
        let event = match (decided.peek(), noted.peek()) {
            (Some(decision), Some((_, event))) => event.occurred_at < decision.created_at,
            (Some(_), None) if !are_events_cut => false,
            (None, Some(_)) if !are_decisions_cut => true,
            _ => return Ok(happened),
        };
        if event {
            let Some((number, event)) = noted.next() else { return Ok(happened) };
            place.events = number;
            happened.push(Happened { event, place, is_decision: false });
        } else {
            let Some(decision) = decided.next() else { return Ok(happened) };
            place.decisions = decision.number;
            happened.push(Happened { event: Event::of_decision(decision), place, is_decision: true });
        }
    }
}

fn events(
    connection: &Connection,
    tenant: Option<&str>,
    (after, up_to): (i64, i64),
    limit: i64,
) -> Result<Vec<(i64, Event)>, Error> {
    let whose = if tenant.is_some() { "tenant = ?1" } else { "?1 IS NULL" };
    let rest = "number > ?2 AND number <= ?3 ORDER BY number LIMIT ?4";
    let sql = format!("SELECT number, event FROM events WHERE {whose} AND {rest}");
    all(connection, &sql, params![tenant, after, up_to, limit], |row| Ok((row.get(0)?, parsed(row, "event")?)))
}
