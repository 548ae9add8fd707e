//! Approvals: one, that of a decision, those of a page.

use rusqlite::{Connection, Row, params};
use rustc_hash::FxHashMap;

use super::{all, first, in_groups, meaning, page, parsed, rows};
use crate::approval::{Approval, ApprovalStatus};
use crate::decision::{Page, place_of};
use crate::{Error, Moment};

fn approval(row: &Row<'_>, now: Moment) -> rusqlite::Result<Approval> {
    let time = |column: &str| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(column)?.map(Moment::from_micros));
    let status = row.get_ref("status")?.as_str().ok().and_then(ApprovalStatus::from_name);
    let expires_at = Moment::from_micros(row.get("expires_at")?);
    let status = match meaning("status", status)? {
        ApprovalStatus::Created if now >= expires_at => ApprovalStatus::Expired,
        status => status,
    };
    Ok(Approval {
        id: row.get("id")?,
        tenant: row.get("tenant")?,
        decision_id: row.get("decision_id")?,
        agent_id: row.get("agent_id")?,
        status,
        approver_group: row.get("approver_group")?,
        original_action_hash: row.get("original_hash")?,
        effective_hash: row.get("effective_hash")?,
        created_at: Moment::from_micros(row.get("created_at")?),
        expires_at,
        decided_at: time("decided_at")?,
        consumed_at: time("consumed_at")?,
        dropped_at: time("dropped_at")?,
        content: parsed(row, "content")?,
    })
}

pub(crate) fn by_id(connection: &Connection, tenant: &str, id: &str, now: Moment) -> Result<Option<Approval>, Error> {
    let sql = "SELECT * FROM approvals WHERE tenant = ?1 AND id = ?2";
    first(connection, sql, params![tenant, id], |row| approval(row, now))
}

pub(crate) fn of_decision(
    connection: &Connection,
    tenant: &str,
    decision: &str,
    now: Moment,
) -> Result<Option<Approval>, Error> {
    let sql = "SELECT * FROM approvals WHERE tenant = ?1 AND decision_id = ?2";
    first(connection, sql, params![tenant, decision], |row| approval(row, now))
}

/// Approvals by the ids of their decisions.
pub(crate) fn of_decisions(
    connection: &Connection,
    tenant: &str,
    decisions: &[String],
    now: Moment,
) -> Result<FxHashMap<String, Approval>, Error> {
    let sql = "SELECT * FROM approvals WHERE tenant = ?1 AND decision_id IN ";
    let found = in_groups(connection, sql, tenant, decisions, |row| approval(row, now))?;
    Ok(found.into_iter().map(|approval| (approval.decision_id.clone(), approval)).collect())
}

/// A page, newest first: those that wait for an answer, or all.
pub(crate) fn list(
    connection: &Connection,
    tenant: &str,
    is_pending: bool,
    cursor: Option<&str>,
    limit: usize,
    now: Moment,
) -> Result<Page<Approval>, Error> {
    let before = place_of(cursor)?.unwrap_or(i64::MAX);
    let which = if is_pending { "AND status = 'created' AND expires_at > ?3" } else { "AND ?3 > 0" };
    let sql =
        format!("SELECT * FROM approvals WHERE tenant = ?1 AND number < ?2 {which} ORDER BY number DESC LIMIT ?4");
    let values = params![tenant, before, now.micros(), rows(limit)];
    let found = all(connection, &sql, values, |row| Ok((approval(row, now)?, row.get::<_, i64>("number")?)))?;
    let page = page(found, limit, |(_, place)| *place);
    Ok(Page { items: page.items.into_iter().map(|(approval, _)| approval).collect(), next_cursor: page.next_cursor })
}
