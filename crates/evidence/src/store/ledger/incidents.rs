//! What detection leaves behind: events, alerts, incidents, and what was done about them.

use rusqlite::params;
use serde_json::{Value, json};

use super::{Attested, Ledger, json, record_id};
use crate::Error;
use crate::event::Event;
use crate::identity::{AgentStatus, RiskTier};
use crate::incident::{Alert, Containment, ContainmentKind, Incident, IncidentStatus, NewAlert, NewIncident, Source};
use crate::receipt::EventKind;
use crate::registry::Change;
use crate::store::read;

impl Ledger<'_> {
    /// Keeps an event that is no decision's.
    pub fn note(&self, event: &Event) -> Result<i64, Error> {
        let sql = "INSERT INTO events (id, tenant, kind, agent_id, decision_id, occurred_at, event) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let at = event.occurred_at.micros();
        let decision = &event.evidence.decision_id;
        self.execute(sql, params![event.event_id, event.tenant_id, event.kind, event.agent_id, decision, at, json(event)?])?;
        Ok(self.transaction.last_insert_rowid())
    }

    /// Remembers how far detection has got.
    pub fn detected_up_to(&self, decisions: i64, events: i64) -> Result<(), Error> {
        let sql = "UPDATE detection SET decisions = max(decisions, ?1), events = max(events, ?2) WHERE id = 1";
        self.execute(sql, params![decisions, events]).map(drop)
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
            id: record_id(),
            tenant: new.tenant,
            kind: new.kind,
            severity: new.severity,
            agent_id: new.agent_id,
            summary: new.summary,
            status: IncidentStatus::Open,
            opened_at: new.occurred_at,
            updated_at: new.occurred_at,
            closed_at: None,
            closed_by: None,
            closing_reason: None,
        };
        let sql = "INSERT INTO incidents (id, tenant, kind, severity, agent_id, summary, status, opened_at, updated_at) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)";
        let values = params![
            incident.id,
            incident.tenant,
            incident.kind,
            incident.severity.name(),
            incident.agent_id,
            incident.summary,
            incident.status.name(),
            incident.opened_at.micros(),
        ];
        self.execute(sql, values)?;
        let number = self.transaction.last_insert_rowid();
        self.add_sources(&incident.tenant, &incident.id, &new.sources)?;
        Ok(Incident { number, ..incident })
    }

    /// Adds to an open incident.
    pub fn extend_incident(&mut self, incident: &Incident, sources: &[Source]) -> Result<(), Error> {
        let sql = "UPDATE incidents SET severity = ?3, summary = ?4, updated_at = ?5 WHERE tenant = ?1 AND id = ?2";
        let (severity, at) = (incident.severity.name(), incident.updated_at.micros());
        self.execute(sql, params![incident.tenant, incident.id, severity, incident.summary, at])?;
        self.add_sources(&incident.tenant, &incident.id, sources)
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
    pub fn close_incident(&mut self, tenant: &str, id: &str, by: &str, reason: &str) -> Result<(Incident, bool), Error> {
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
        self.attest(tenant, Attested::of(EventKind::Containment, detail))?;
        Ok((incident, true))
    }

    /// Raises an agent's risk tier, if it can be raised.
    pub fn escalate(&mut self, tenant: &str, agent_id: &str, why: &str) -> Result<Option<RiskTier>, Error> {
        let mut agent = self.known_agent(tenant, agent_id)?;
        let Some(tier) = agent.profile.risk_tier.raised() else { return Ok(None) };
        let previous = agent.profile.risk_tier;
        agent.profile.risk_tier = tier;
        agent.updated_at = self.now;
        self.update_agent(&agent)?;
        let detail = json!({
            "what": "agent_risk_escalated", "agent_id": agent.id, "previous": previous, "risk_tier": tier, "reason": why,
        });
        self.attest(tenant, Attested::of(EventKind::Containment, detail))?;
        self.then(Change::Agent { agent, token: None });
        Ok(Some(tier))
    }

    /// Stops an agent in one of three ways, remembering how it was.
    pub fn contain(&mut self, tenant: &str, agent_id: &str, order: Order<'_>) -> Result<Containment, Error> {
        let mut agent = self.known_agent(tenant, agent_id)?;
        if agent.status == AgentStatus::Revoked {
            let message = format!("agent `{}` was revoked; there is nothing left to stop", agent.key);
            return Err(Error::Conflict { code: "agent_revoked", message });
        }
        let previous = json!({ "status": agent.status, "force_approval": agent.profile.force_approval });
        match order.kind {
            ContainmentKind::Freeze => agent.status = AgentStatus::Frozen,
            ContainmentKind::Quarantine => agent.status = AgentStatus::Quarantined,
            ContainmentKind::ForceApproval => agent.profile.force_approval = true,
        }
        agent.profile.status_reason = Some(order.reason.to_owned());
        agent.updated_at = self.now;
        self.update_agent(&agent)?;
        let containment = Containment {
            id: record_id(),
            tenant: tenant.to_owned(),
            kind: order.kind,
            agent_id: agent.id.clone(),
            incident_id: order.incident_id.map(ToOwned::to_owned),
            author: order.by.to_owned(),
            reason: order.reason.to_owned(),
            previous,
            created_at: self.now,
            undone_at: None,
            undone_by: None,
        };
        self.insert_containment(&containment)?;
        self.attest_containment(&containment, "contained", order.by)?;
        self.then(Change::Agent { agent, token: None });
        Ok(containment)
    }

    /// Lets an agent go again: it is as it was before.
    pub fn undo_containment(&mut self, tenant: &str, id: &str, by: &str) -> Result<Containment, Error> {
        let found = read::incidents::containment(self.transaction, tenant, id)?;
        let mut containment = found.ok_or_else(|| Error::unknown("containment", id))?;
        if containment.undone_at.is_some() {
            let message = "it was undone before".to_owned();
            return Err(Error::Conflict { code: "already_undone", message });
        }
        let mut agent = self.known_agent(tenant, &containment.agent_id)?;
        let status = containment.previous.get("status").and_then(Value::as_str).and_then(AgentStatus::from_name);
        match containment.kind {
            ContainmentKind::Freeze | ContainmentKind::Quarantine if agent.status != AgentStatus::Revoked => {
                agent.status = status.unwrap_or(AgentStatus::Active);
            }
            ContainmentKind::Freeze | ContainmentKind::Quarantine => {}
            ContainmentKind::ForceApproval => {
                let before = containment.previous.get("force_approval").and_then(Value::as_bool);
                agent.profile.force_approval = before.unwrap_or(false);
            }
        }
        agent.profile.status_reason = Some(format!("containment {id} was undone by {by}"));
        agent.updated_at = self.now;
        self.update_agent(&agent)?;
        containment.undone_at = Some(self.now);
        containment.undone_by = Some(by.to_owned());
        let sql = "UPDATE containments SET undone_at = ?3, undone_by = ?4 WHERE tenant = ?1 AND id = ?2";
        self.execute(sql, params![tenant, id, self.now.micros(), by])?;
        self.attest_containment(&containment, "undone", by)?;
        self.then(Change::Agent { agent, token: None });
        Ok(containment)
    }

    fn insert_containment(&self, containment: &Containment) -> Result<(), Error> {
        let sql = "INSERT INTO containments (id, tenant, kind, subject, incident_id, author, reason, previous, created_at) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let values = params![
            containment.id,
            containment.tenant,
            containment.kind.name(),
            containment.agent_id,
            containment.incident_id,
            containment.author,
            containment.reason,
            json(&containment.previous)?,
            containment.created_at.micros(),
        ];
        self.execute(sql, values).map(drop)
    }

    fn attest_containment(&mut self, containment: &Containment, what: &str, by: &str) -> Result<(), Error> {
        let detail = json!({
            "what": what, "containment_id": containment.id, "kind": containment.kind,
            "agent_id": containment.agent_id, "incident_id": containment.incident_id, "by": by,
            "reason": containment.reason,
        });
        self.attest(&containment.tenant, Attested::of(EventKind::Containment, detail)).map(drop)
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

/// How an agent is to be stopped, and why.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    /// How.
    pub kind: ContainmentKind,
    /// Because of which incident.
    pub incident_id: Option<&'a str>,
    /// Who says so.
    pub by: &'a str,
    /// Why.
    pub reason: &'a str,
}
