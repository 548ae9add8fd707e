//! Taking the readable parts out of what is old, and saying so in a receipt.

use rusqlite::{OptionalExtension as _, params};
use serde_json::json;

use super::{Attested, Ledger, json};
use crate::approval::Content;
use crate::receipt::EventKind;
use crate::retention::Dropped;
use crate::store::read;
use crate::store::read::retention::Old;
use crate::{Error, Moment};

/// What the summary of an incident says when there is none.
const NO_SUMMARY: &str = "details dropped by retention";

impl Ledger<'_> {
    /// Takes the readable parts out. What has come to be needed since it was looked up stays.
    pub(crate) fn drop_details(
        &mut self,
        tenant: &str,
        old: &Old,
        before: Moment,
        mark: Option<i64>,
        by: &str,
    ) -> Result<Dropped, Error> {
        let held = read::retention::held(self.transaction, tenant, self.now)?;
        let mut dropped = Dropped::default();
        let mut last = None;
        for number in &old.decisions {
            if let Some(sequence) = self.drop_decision(tenant, *number, &held)? {
                dropped.decisions += 1;
                last = last.max(sequence);
            }
        }
        for id in &old.approvals {
            dropped.approvals += self.drop_approval(tenant, id, &held)?;
        }
        for number in &old.events {
            let sql = "DELETE FROM events WHERE tenant = ?1 AND number = ?2";
            dropped.events += self.execute(sql, params![tenant, number])? as u64;
        }
        for number in &old.alerts {
            let sql = "DELETE FROM alerts WHERE tenant = ?1 AND number = ?2";
            dropped.alerts += self.execute(sql, params![tenant, number])? as u64;
        }
        for id in &old.incidents {
            dropped.incidents += self.drop_incident(tenant, id)?;
        }
        if let Some(mark) = mark {
            let sql = "INSERT INTO retention (tenant, decisions) VALUES (?1, ?2) \
                       ON CONFLICT (tenant) DO UPDATE SET decisions = max(decisions, ?2)";
            self.execute(sql, params![tenant, mark])?;
        }
        if !dropped.is_nothing() {
            let detail = json!({
                "what": "details_dropped", "before": before, "by": by, "up_to_sequence": last,
                "decisions": dropped.decisions, "approvals": dropped.approvals, "events": dropped.events,
                "alerts": dropped.alerts, "incidents": dropped.incidents,
            });
            self.attest(tenant, Attested::of(EventKind::Retention, detail))?;
        }
        Ok(dropped)
    }

    /// Leaves of a decision what the graph and the chain of runs need. Gives the place of its receipt.
    fn drop_decision(
        &self,
        tenant: &str,
        number: i64,
        held: &read::retention::Held,
    ) -> Result<Option<Option<u64>>, Error> {
        let failed = |source| Error::Store { doing: "write to", source };
        let mut found = self.statement("SELECT id FROM decisions WHERE tenant = ?1 AND number = ?2")?;
        let id: Option<String> =
            found.query_row(params![tenant, number], |row| row.get(0)).optional().map_err(failed)?;
        if id.is_none_or(|id| held.decisions.contains(&id)) {
            return Ok(None);
        }
        let sql = "UPDATE decisions SET user_id = NULL, trace_id = NULL, resource = NULL, mcp_server = NULL, mcp_server_key = NULL, \
                   mcp_node_id = NULL, reason = '', \
                   explanation = '', policies = '[]', redacted_fields = '[]', request_id = NULL, request_hash = '', \
                   dropped_at = ?3 WHERE tenant = ?1 AND number = ?2 AND dropped_at IS NULL RETURNING receipt_sequence";
        self.has_written.set(true);
        let mut statement = self.statement(sql)?;
        let values = params![tenant, number, self.now.micros()];
        statement.query_row(values, |row| row.get(0)).optional().map_err(failed)
    }

    /// Leaves of an approval who did what, and when.
    fn drop_approval(&self, tenant: &str, id: &str, held: &read::retention::Held) -> Result<u64, Error> {
        let found = read::approvals::by_id(self.transaction, tenant, id, self.now)?;
        let Some(approval) = found.filter(|approval| !held.decisions.contains(&approval.decision_id)) else {
            return Ok(0);
        };
        let content = Content {
            tool_call: serde_json::Value::Null,
            edited_tool_call: None,
            requested_for: None,
            reason: None,
            circumstances: None,
            ..approval.content
        };
        let sql = "UPDATE approvals SET content = ?3, dropped_at = ?4 \
                   WHERE tenant = ?1 AND id = ?2 AND dropped_at IS NULL";
        Ok(self.execute(sql, params![tenant, id, json(&content)?, self.now.micros()])? as u64)
    }

    /// Leaves of a closed incident what sort it was, how bad, about whom, and when.
    fn drop_incident(&self, tenant: &str, id: &str) -> Result<u64, Error> {
        let sql = "UPDATE incidents SET summary = ?3, dropped_at = ?4 \
                   WHERE tenant = ?1 AND id = ?2 AND status = 'closed' AND dropped_at IS NULL";
        let changed = self.execute(sql, params![tenant, id, NO_SUMMARY, self.now.micros()])?;
        if changed > 0 {
            let sql = "DELETE FROM incident_sources WHERE tenant = ?1 AND incident_id = ?2";
            self.execute(sql, params![tenant, id])?;
        }
        Ok(changed as u64)
    }
}
