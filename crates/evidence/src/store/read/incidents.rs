//! Incidents, alerts, containments, and the events that are no decision's.

use rusqlite::{Connection, Row, params};

use super::{all, first, meaning, page, parsed, rows};
use crate::decision::{Page, place_of};
use crate::incident::{Alert, Containment, ContainmentKind, Incident, IncidentStatus, Severity, Source};
use crate::{Error, Moment};

/// Which incidents are asked for.
#[derive(Debug, Clone, Default)]
pub struct IncidentFilter {
    /// Open or closed.
    pub status: Option<IncidentStatus>,
    /// Of this severity.
    pub severity: Option<Severity>,
    /// About this agent.
    pub agent_id: Option<String>,
    /// Of this kind.
    pub kind: Option<String>,
}

fn severity(row: &Row<'_>) -> rusqlite::Result<Severity> {
    meaning("severity", row.get_ref("severity")?.as_str().ok().and_then(Severity::from_name))
}

fn time(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Moment>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(Moment::from_micros))
}

fn incident(row: &Row<'_>) -> rusqlite::Result<Incident> {
    let status = row.get_ref("status")?.as_str().ok().and_then(IncidentStatus::from_name);
    Ok(Incident {
        number: row.get("number")?,
        id: row.get("id")?,
        tenant: row.get("tenant")?,
        kind: row.get("kind")?,
        severity: severity(row)?,
        agent_id: row.get("agent_id")?,
        summary: row.get("summary")?,
        event_count: row.get("event_count")?,
        status: meaning("status", status)?,
        opened_at: Moment::from_micros(row.get("opened_at")?),
        updated_at: Moment::from_micros(row.get("updated_at")?),
        closed_at: time(row, "closed_at")?,
        closed_by: row.get("closed_by")?,
        closing_reason: row.get("closing_reason")?,
        dropped_at: time(row, "dropped_at")?,
    })
}

fn alert(row: &Row<'_>) -> rusqlite::Result<Alert> {
    Ok(Alert {
        number: row.get("number")?,
        id: row.get("id")?,
        tenant: row.get("tenant")?,
        rule: row.get("rule")?,
        severity: severity(row)?,
        agent_id: row.get("agent_id")?,
        decision_id: row.get("decision_id")?,
        event_id: row.get("event_id")?,
        summary: row.get("summary")?,
        created_at: Moment::from_micros(row.get("created_at")?),
    })
}

pub(crate) fn by_id(connection: &Connection, tenant: &str, id: &str) -> Result<Option<Incident>, Error> {
    first(connection, "SELECT * FROM incidents WHERE tenant = ?1 AND id = ?2", params![tenant, id], incident)
}

/// The newest open incident of a kind about an agent.
pub(crate) fn open(
    connection: &Connection,
    tenant: &str,
    agent: Option<&str>,
    kind: &str,
) -> Result<Option<Incident>, Error> {
    let sql = "SELECT * FROM incidents WHERE tenant = ?1 AND agent_id IS ?2 AND kind = ?3 AND status = 'open' \
               ORDER BY number DESC LIMIT 1";
    first(connection, sql, params![tenant, agent, kind], incident)
}

/// A page of incidents, newest first.
pub(crate) fn list(
    connection: &Connection,
    tenant: &str,
    filter: &IncidentFilter,
    cursor: Option<&str>,
    limit: usize,
) -> Result<Page<Incident>, Error> {
    let before = place_of(cursor)?.unwrap_or(i64::MAX);
    let indexed = if filter.agent_id.is_some() { "agent_id = ?3" } else { "?3 IS NULL" };
    let sql = format!(
        "SELECT * FROM incidents WHERE tenant = ?1 AND number < ?2 AND {indexed} AND (?4 IS NULL OR status = ?4) \
         AND (?5 IS NULL OR severity = ?5) AND (?6 IS NULL OR kind = ?6) ORDER BY number DESC LIMIT ?7"
    );
    let (status, severity) = (filter.status.map(IncidentStatus::name), filter.severity.map(Severity::name));
    let values = params![tenant, before, filter.agent_id, status, severity, filter.kind, rows(limit)];
    Ok(page(all(connection, &sql, values, incident)?, limit, |incident| incident.number))
}

/// The events and decisions behind an incident, from a place on.
pub(crate) fn sources(
    connection: &Connection,
    tenant: &str,
    id: &str,
    from: i64,
    limit: i64,
) -> Result<Vec<(i64, Source)>, Error> {
    let sql = "SELECT position, event_id, decision_id FROM incident_sources \
               WHERE tenant = ?1 AND incident_id = ?2 AND position >= ?3 ORDER BY position LIMIT ?4";
    let read = |row: &Row<'_>| Ok((row.get(0)?, Source { event_id: row.get(1)?, decision_id: row.get(2)? }));
    all(connection, sql, params![tenant, id, from, limit], read)
}

/// How many events are behind an incident.
pub(crate) fn count_sources(connection: &Connection, tenant: &str, id: &str) -> Result<u64, Error> {
    let sql = "SELECT count(*) FROM incident_sources WHERE tenant = ?1 AND incident_id = ?2";
    Ok(first(connection, sql, params![tenant, id], |row| row.get(0))?.unwrap_or_default())
}

/// A page of alerts, newest first.
pub(crate) fn alerts(
    connection: &Connection,
    tenant: &str,
    filter: &IncidentFilter,
    cursor: Option<&str>,
    limit: usize,
) -> Result<Page<Alert>, Error> {
    let before = place_of(cursor)?.unwrap_or(i64::MAX);
    let sql = "SELECT * FROM alerts WHERE tenant = ?1 AND number < ?2 AND (?3 IS NULL OR agent_id = ?3) \
               AND (?4 IS NULL OR severity = ?4) AND (?5 IS NULL OR rule = ?5) ORDER BY number DESC LIMIT ?6";
    let values =
        params![tenant, before, filter.agent_id, filter.severity.map(Severity::name), filter.kind, rows(limit)];
    Ok(page(all(connection, sql, values, alert)?, limit, |alert| alert.number))
}

fn contained(row: &Row<'_>) -> rusqlite::Result<Containment> {
    let kind = row.get_ref("kind")?.as_str().ok().and_then(ContainmentKind::from_name);
    Ok(Containment {
        id: row.get("id")?,
        tenant: row.get("tenant")?,
        kind: meaning("kind", kind)?,
        agent_id: row.get("subject")?,
        incident_id: row.get("incident_id")?,
        author: row.get("author")?,
        reason: row.get("reason")?,
        previous: parsed(row, "previous")?,
        created_at: Moment::from_micros(row.get("created_at")?),
        undone_at: time(row, "undone_at")?,
        undone_by: row.get("undone_by")?,
        undo_reason: row.get("undo_reason")?,
    })
}

pub(crate) fn containment(connection: &Connection, tenant: &str, id: &str) -> Result<Option<Containment>, Error> {
    first(connection, "SELECT * FROM containments WHERE tenant = ?1 AND id = ?2", params![tenant, id], contained)
}

/// A page of containments, newest first. The cursor is the time and id of the last one that was given.
pub(crate) fn containments(
    connection: &Connection,
    tenant: &str,
    cursor: Option<&str>,
    limit: usize,
) -> Result<Page<Containment>, Error> {
    let (time, id) = cursor.and_then(|cursor| cursor.split_once('.')).unwrap_or_default();
    let before = place_of(cursor.map(|_| time))?.unwrap_or(i64::MAX);
    let sql = "SELECT * FROM containments WHERE tenant = ?1 AND (created_at, id) < (?2, ?3) \
               ORDER BY created_at DESC, id DESC LIMIT ?4";
    let mut items = all(connection, sql, params![tenant, before, id, rows(limit)], contained)?;
    let has_more = items.len() > limit;
    items.truncate(limit);
    let last = items.last().filter(|_| has_more);
    let next_cursor = last.map(|last| format!("{}.{}", last.created_at.micros(), last.id));
    Ok(Page { items, next_cursor })
}

/// The first later containment of the same sort that still holds the agent.
pub(crate) fn next_containment(connection: &Connection, of: &Containment) -> Result<Option<Containment>, Error> {
    let is_approval = of.kind == ContainmentKind::ForceApproval;
    let sql = "SELECT * FROM containments WHERE tenant = ?1 AND subject = ?2 AND (created_at, id) > (?3, ?4) \
               AND undone_at IS NULL AND (kind = 'force_approval') = ?5 ORDER BY created_at, id LIMIT 1";
    let values = params![of.tenant, of.agent_id, of.created_at.micros(), of.id, is_approval];
    first(connection, sql, values, contained)
}

/// Incidents of all tenants that are open and not older than a moment, oldest first; the newest if there are too many.
pub(crate) fn open_since(connection: &Connection, since: Moment, limit: i64) -> Result<Vec<Incident>, Error> {
    let sql = "SELECT * FROM (SELECT * FROM incidents WHERE status = 'open' AND opened_at >= ?1 \
               ORDER BY number DESC LIMIT ?2) ORDER BY number";
    all(connection, sql, params![since.micros(), limit], incident)
}

/// How many events of an agent a rate rule counted in an hour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentHour {
    /// Whose agent it is.
    pub tenant: String,
    /// The rule.
    pub rule_key: String,
    /// The agent.
    pub agent_id: String,
    /// Hours since 1970.
    pub hour: i64,
    /// How many events.
    pub events: u32,
}

/// What hours of agents had, from an hour on, by hour.
pub(crate) fn hours(connection: &Connection, from: i64) -> Result<Vec<AgentHour>, Error> {
    let sql = "SELECT tenant, rule_key, agent_id, hour, events FROM agent_hours WHERE hour >= ?1 ORDER BY hour";
    let read = |row: &Row<'_>| {
        Ok(AgentHour {
            tenant: row.get(0)?,
            rule_key: row.get(1)?,
            agent_id: row.get(2)?,
            hour: row.get(3)?,
            events: row.get(4)?,
        })
    };
    all(connection, sql, params![from], read)
}

/// A tenant's own detection rules: key, body, author, time.
pub(crate) fn detection_rules(
    connection: &Connection,
    tenant: &str,
) -> Result<Vec<(String, String, String, Moment)>, Error> {
    let sql = "SELECT rule_key, body, author, updated_at FROM detection_rules WHERE tenant = ?1 ORDER BY rule_key";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, Moment::from_micros(row.get(3)?)));
    all(connection, sql, params![tenant], read)
}
