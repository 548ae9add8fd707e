//! What detection leaves behind: events, alerts, incidents, and how far it has got.

use rusqlite::params;
use serde_json::json;

use super::{Attested, Ledger, json, record_id};
use crate::Error;
use crate::event::{self, Event};
use crate::incident::{Alert, Growth, Incident, IncidentStatus, NewAlert, NewIncident, Source};
use crate::reading::Place;
use crate::receipt::EventKind;
use crate::store::read;

impl Ledger<'_> {
    /// Keeps an event that is no decision's.
    pub fn note(&self, event: &Event) -> Result<i64, Error> {
        let sql = "INSERT INTO events (id, tenant, kind, agent_id, decision_id, occurred_at, event) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let at = event.occurred_at.micros();
        let decision = &event.evidence.decision_id;
        self.execute(
            sql,
            params![event.event_id, event.tenant_id, event.kind, event.agent_id, decision, at, json(event)?],
        )?;
        Ok(self.transaction.last_insert_rowid())
    }

    /// Remembers how far detection has got.
    pub fn detected_up_to(&self, place: Place) -> Result<(), Error> {
        let sql = "UPDATE detection SET decisions = max(decisions, ?1), events = max(events, ?2) WHERE id = 1";
        self.execute(sql, params![place.decisions, place.events]).map(drop)
    }

    /// Whether a rule tells something for the first time. From then on it was told.
    pub fn tells_first(&self, tenant: &str, rule_key: &str, subject: &str) -> Result<bool, Error> {
        let sql = "INSERT INTO told (tenant, rule_key, subject) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        Ok(self.execute(sql, params![tenant, rule_key, subject])? == 1)
    }

    /// Adds to what an hour of an agent had, for a rule about what is usual.
    pub fn count_hour(&self, tenant: &str, rule_key: &str, agent: &str, hour: i64, events: u32) -> Result<(), Error> {
        let sql = "INSERT INTO agent_hours (hour, tenant, rule_key, agent_id, events) VALUES (?1, ?2, ?3, ?4, ?5) \
                   ON CONFLICT (hour, tenant, rule_key, agent_id) DO UPDATE SET events = events + ?5";
        self.execute(sql, params![hour, tenant, rule_key, agent, events]).map(drop)
    }

    /// Forgets the hours before one.
    pub fn forget_hours(&self, before: i64) -> Result<(), Error> {
        self.execute("DELETE FROM agent_hours WHERE hour < ?1", params![before]).map(drop)
    }

    /// Keeps an alert.
    pub fn alert(&self, new: NewAlert) -> Result<Alert, Error> {
        let alert = Alert {
            number: 0,
            id: record_id(),
            tenant: new.tenant,
            rule: new.rule,
            severity: new.severity,
            agent_id: new.agent_id,
            decision_id: new.source.decision_id,
            event_id: new.source.event_id,
            summary: new.summary,
            created_at: new.occurred_at,
        };
        let sql = "INSERT INTO alerts (id, tenant, rule, severity, agent_id, decision_id, event_id, summary, created_at) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let values = params![
            alert.id,
            alert.tenant,
            alert.rule,
            alert.severity.name(),
            alert.agent_id,
            alert.decision_id,
            alert.event_id,
            alert.summary,
            alert.created_at.micros(),
        ];
        self.execute(sql, values)?;
        Ok(Alert { number: self.transaction.last_insert_rowid(), ..alert })
    }

    /// Opens an incident.
    pub fn open_incident(&mut self, new: NewIncident) -> Result<Incident, Error> {
        let incident = Incident {
            number: 0,
            id: new.id,
            tenant: new.tenant,
            kind: new.kind,
            severity: new.severity,
            agent_id: new.agent_id,
            summary: new.summary,
            event_count: new.event_count,
            status: IncidentStatus::Open,
            opened_at: new.occurred_at,
            updated_at: new.occurred_at,
            closed_at: None,
            closed_by: None,
            closing_reason: None,
            dropped_at: None,
        };
        let sql = "INSERT INTO incidents (id, tenant, kind, severity, agent_id, summary, status, opened_at, updated_at, \
                   event_count) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9)";
        let event_count = i64::try_from(incident.event_count).unwrap_or(i64::MAX);
        let values = params![
            incident.id,
            incident.tenant,
            incident.kind,
            incident.severity.name(),
            incident.agent_id,
            incident.summary,
            incident.status.name(),
            incident.opened_at.micros(),
            event_count,
        ];
        self.execute(sql, values)?;
        let number = self.transaction.last_insert_rowid();
        self.add_sources(&incident.tenant, &incident.id, &new.sources)?;
        Ok(Incident { number, ..incident })
    }

    /// Adds to an incident. Nothing if there is none.
    pub fn extend_incident(&mut self, growth: &Growth) -> Result<Option<Incident>, Error> {
        let sql = "UPDATE incidents SET severity = ?3, summary = ?4, updated_at = ?5, event_count = ?6 \
                   WHERE tenant = ?1 AND id = ?2";
        let (severity, at) = (growth.severity.name(), growth.occurred_at.micros());
        let event_count = i64::try_from(growth.event_count).unwrap_or(i64::MAX);
        self.execute(sql, params![growth.tenant, growth.id, severity, growth.summary, at, event_count])?;
        self.add_sources(&growth.tenant, &growth.id, &growth.sources)?;
        read::incidents::by_id(self.transaction, &growth.tenant, &growth.id)
    }

    /// Sources that are there already stay where they are.
    fn add_sources(&self, tenant: &str, incident: &str, sources: &[Source]) -> Result<(), Error> {
        let sql = "INSERT INTO incident_sources (tenant, incident_id, position, event_id, decision_id) \
                   SELECT ?1, ?2, coalesce(max(position), -1) + 1, ?3, ?4 FROM incident_sources \
                   WHERE tenant = ?1 AND incident_id = ?2 ON CONFLICT DO NOTHING";
        for source in sources {
            self.execute(sql, params![tenant, incident, source.event_id, source.decision_id])?;
        }
        Ok(())
    }

    /// Closes an incident. Whether it was open.
    pub fn close_incident(
        &mut self,
        tenant: &str,
        id: &str,
        by: &str,
        reason: &str,
    ) -> Result<(Incident, bool), Error> {
        let found = read::incidents::by_id(self.transaction, tenant, id)?;
        let mut incident = found.ok_or_else(|| Error::unknown("incident", id))?;
        if incident.status == IncidentStatus::Closed {
            return Ok((incident, false));
        }
        incident.status = IncidentStatus::Closed;
        incident.closed_at = Some(self.now);
        incident.closed_by = Some(by.to_owned());
        incident.closing_reason = Some(reason.to_owned());
        let sql = "UPDATE incidents SET status = ?3, closed_at = ?4, closed_by = ?5, closing_reason = ?6 \
                   WHERE tenant = ?1 AND id = ?2";
        self.execute(sql, params![tenant, id, incident.status.name(), self.now.micros(), by, reason])?;
        let detail = json!({ "what": "incident_closed", "incident_id": id, "by": by, "reason": reason });
        let receipt = self.attest(tenant, Attested::of(EventKind::Containment, detail))?;
        let mut event =
            self.containment_event(tenant, "", event::INCIDENT_CLOSED, &format!("{by}: {reason}"), &receipt);
        event.kind = event::INCIDENT.to_owned();
        event.agent_id.clone_from(&incident.agent_id);
        event.severity = Some(incident.severity);
        event.evidence.incident_id = Some(incident.id.clone());
        self.note(&event)?;
        Ok((incident, true))
    }

    /// Keeps a tenant's own detection rule.
    pub fn put_detection_rule(&mut self, tenant: &str, key: &str, body: &str, by: &str) -> Result<(), Error> {
        let sql = "INSERT INTO detection_rules (tenant, rule_key, body, author, updated_at) VALUES (?1, ?2, ?3, ?4, ?5) \
                   ON CONFLICT (tenant, rule_key) DO UPDATE SET body = ?3, author = ?4, updated_at = ?5";
        self.execute(sql, params![tenant, key, body, by, self.now.micros()])?;
        let hash = crate::receipt::sha256(body).hex();
        let detail = json!({ "what": "detection_rule", "rule_key": key, "body_hash": hash, "by": by });
        self.attest(tenant, Attested::of(EventKind::Policy, detail)).map(drop)
    }

    /// Takes a tenant's own detection rule out.
    pub fn remove_detection_rule(&mut self, tenant: &str, key: &str, by: &str) -> Result<(), Error> {
        let sql = "DELETE FROM detection_rules WHERE tenant = ?1 AND rule_key = ?2";
        if self.execute(sql, params![tenant, key])? == 0 {
            return Err(Error::unknown("detection rule", key));
        }
        let detail = json!({ "what": "detection_rule_removed", "rule_key": key, "by": by });
        self.attest(tenant, Attested::of(EventKind::Policy, detail)).map(drop)
    }
}
