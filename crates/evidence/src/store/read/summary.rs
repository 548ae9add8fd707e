//! The numbers that somebody wants to see first.

use rusqlite::{Connection, params};

use super::first;
use crate::{Error, Moment};

/// The numbers that somebody wants to see first. "Today" is the last 24 hours.
#[derive(Debug, Clone, PartialEq, serde::Serialize, utoipa::ToSchema)]
#[expect(missing_docs, reason = "the names say it")]
#[schema(as = SocSummary)]
pub struct Summary {
    pub alerts_total: u64,
    pub alerts_high: u64,
    pub incidents_total: u64,
    pub incidents_open: u64,
    pub incidents_closed: u64,
    pub agents_total: u64,
    pub approvals_pending: u64,
    pub decisions_today: u64,
    pub denies_today: u64,
    pub deny_rate_today: f64,
    pub risk_posture: &'static str,
    pub hourly_decisions_24h: Vec<u64>,
}

const HOUR: i64 = 3_600_000_000;

/// Counts. Linear in the decisions of a day and in the alerts of a tenant, not in everything that was ever decided.
pub(crate) fn of(connection: &Connection, tenant: &str, agents: u64, now: Moment) -> Result<Summary, Error> {
    let count = |sql: &str| -> Result<u64, Error> {
        let since = now.micros() - 24 * HOUR;
        Ok(first(connection, sql, params![tenant, since, now.micros()], |row| row.get(0))?.unwrap_or_default())
    };
    let alerts_high =
        count("SELECT count(*) FROM alerts WHERE tenant = ?1 AND severity IN ('high', 'critical') AND ?2 < ?3")?;
    let grave_open = count(
        "SELECT count(*) FROM incidents WHERE tenant = ?1 AND status = 'open' AND severity IN ('high', 'critical') AND ?2 < ?3",
    )?;
    let medium_open = count(
        "SELECT count(*) FROM incidents WHERE tenant = ?1 AND status = 'open' AND severity = 'medium' AND ?2 < ?3",
    )?;
    let alerts_lately = count(
        "SELECT count(*) FROM alerts WHERE tenant = ?1 AND created_at >= ?2 AND severity IN ('high', 'critical') AND ?3 > 0",
    )?;
    let incidents_total = count("SELECT count(*) FROM incidents WHERE tenant = ?1 AND ?2 < ?3")?;
    let incidents_open = count("SELECT count(*) FROM incidents WHERE tenant = ?1 AND status = 'open' AND ?2 < ?3")?;
    let hourly = hourly(connection, tenant, now)?;
    let decisions_today: u64 = hourly.iter().map(|(all, _)| all).sum();
    let denies_today: u64 = hourly.iter().map(|(_, denied)| denied).sum();
    Ok(Summary {
        alerts_total: count("SELECT count(*) FROM alerts WHERE tenant = ?1 AND ?2 < ?3")?,
        alerts_high,
        incidents_total,
        incidents_open,
        incidents_closed: incidents_total.saturating_sub(incidents_open),
        agents_total: agents,
        approvals_pending: count(
            "SELECT count(*) FROM approvals WHERE tenant = ?1 AND status = 'created' AND expires_at > ?3 AND ?2 > 0",
        )?,
        decisions_today,
        denies_today,
        deny_rate_today: percent(denies_today, decisions_today),
        risk_posture: match (grave_open, medium_open + alerts_lately) {
            (1.., _) => "critical",
            (0, 1..) => "degraded",
            (0, 0) => "healthy",
        },
        hourly_decisions_24h: hourly.into_iter().map(|(all, _)| all).collect(),
    })
}

/// Decisions and denials of each of the last 24 hours, oldest first.
fn hourly(connection: &Connection, tenant: &str, now: Moment) -> Result<Vec<(u64, u64)>, Error> {
    let start = now.micros() - 24 * HOUR;
    let since = super::happened::place_at(connection, Moment::from_micros(start))?.decisions;
    let sql = "SELECT (created_at - ?2) / ?3 AS hour, count(*), sum(verdict IN ('deny', 'quarantine')) FROM decisions \
               WHERE tenant = ?1 AND number > ?4 AND created_at > ?2 AND created_at <= ?2 + 24 * ?3 GROUP BY hour";
    let found = super::all(connection, sql, params![tenant, start, HOUR, since], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, u64>(1)?, row.get::<_, u64>(2)?))
    })?;
    let mut hours = vec![(0, 0); 24];
    for (hour, all, denied) in found {
        let place = usize::try_from(hour).unwrap_or_default().min(23);
        if let Some(entry) = hours.get_mut(place) {
            entry.0 += all;
            entry.1 += denied;
        }
    }
    Ok(hours)
}

#[expect(clippy::cast_precision_loss, reason = "a percentage of counts that no store reaches the limit of")]
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { (part as f64 * 1000.0 / whole as f64).round() / 10.0 }
}
