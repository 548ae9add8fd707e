//! What detection leaves behind: events, alerts, incidents, and what was done about them.

use rusqlite::params;
use serde_json::{Value, json};

use super::{Attested, Ledger, json, record_id};
use crate::Error;
use crate::decision::ReceiptRef;
use crate::event::{self, Event, Proof};
use crate::identity::{Agent, AgentStatus, RiskTier};
use crate::incident::{
    Alert, Containment, ContainmentKind, Growth, Incident, IncidentStatus, NewAlert, NewIncident, Source,
};
use crate::reading::Place;
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
        let receipt = self.attest(tenant, Attested::of(EventKind::Containment, detail))?;
        let mut event = self.containment_event(tenant, &agent.id, event::AGENT_RISK_ESCALATED, why, &receipt);
        event.kind = event::AGENT_RISK_ESCALATED.to_owned();
        self.note(&event)?;
        self.then(Change::Agent { agent, token: None });
        Ok(Some(tier))
    }

    /// Stops an agent in one of three ways, remembering how it was.
    pub fn contain(&mut self, tenant: &str, agent_id: &str, order: Order<'_>) -> Result<Containment, Error> {
        let mut agent = self.known_agent(tenant, agent_id)?;
        if let Some(incident) = order.incident_id
            && read::incidents::by_id(self.transaction, tenant, incident)?.is_none()
        {
            return Err(Error::unknown("incident", incident));
        }
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
            undo_reason: None,
        };
        self.insert_containment(&containment)?;
        self.attest_containment(&containment, "contained", order.by, order.reason)?;
        self.then(Change::Agent { agent, token: None });
        Ok(containment)
    }

    /// Whether a containment would change nothing, as the agent is stopped in this way or a worse one.
    pub fn is_contained(&self, tenant: &str, agent_id: &str, kind: ContainmentKind) -> Result<bool, Error> {
        let agent = self.known_agent(tenant, agent_id)?;
        let is_stopped = agent.status != AgentStatus::Active;
        Ok(is_stopped || (kind == ContainmentKind::ForceApproval && agent.profile.force_approval))
    }

    /// Undoes a containment. The agent is as it was before, unless a later containment still holds it.
    pub fn undo_containment(&mut self, tenant: &str, id: &str, by: &str, reason: &str) -> Result<Containment, Error> {
        let found = read::incidents::containment(self.transaction, tenant, id)?;
        let mut containment = found.ok_or_else(|| Error::unknown("containment", id))?;
        if containment.undone_at.is_some() {
            let message = "it was undone before".to_owned();
            return Err(Error::Conflict { code: "already_undone", message });
        }
        let mut agent = self.known_agent(tenant, &containment.agent_id)?;
        match read::incidents::next_containment(self.transaction, &containment)? {
            // What comes later knows how the agent was before it; that is how it was before this one.
            Some(mut later) => {
                later.previous = containment.previous.clone();
                let sql = "UPDATE containments SET previous = ?3 WHERE tenant = ?1 AND id = ?2";
                self.execute(sql, params![tenant, later.id, json(&later.previous)?])?;
            }
            None => restore(&mut agent, &containment),
        }
        agent.profile.status_reason = Some(format!("containment {id} was undone by {by}: {reason}"));
        agent.updated_at = self.now;
        self.update_agent(&agent)?;
        containment.undone_at = Some(self.now);
        containment.undone_by = Some(by.to_owned());
        containment.undo_reason = Some(reason.to_owned());
        let sql =
            "UPDATE containments SET undone_at = ?3, undone_by = ?4, undo_reason = ?5 WHERE tenant = ?1 AND id = ?2";
        self.execute(sql, params![tenant, id, self.now.micros(), by, reason])?;
        self.attest_containment(&containment, "containment_undone", by, reason)?;
        self.then(Change::Agent { agent, token: None });
        Ok(containment)
    }

    /// Somebody lets an agent go, so nothing stops it any more.
    pub(super) fn end_containments(&self, tenant: &str, agent_id: &str, reason: &str, by: &str) -> Result<(), Error> {
        let sql = "UPDATE containments SET undone_at = ?3, undone_by = ?4, undo_reason = ?5 \
                   WHERE tenant = ?1 AND subject = ?2 AND undone_at IS NULL AND kind IN ('freeze', 'quarantine')";
        self.execute(sql, params![tenant, agent_id, self.now.micros(), by, reason]).map(drop)
    }

    /// The event that something was done about an agent.
    pub(super) fn containment_event(
        &self,
        tenant: &str,
        agent: &str,
        code: &str,
        reason: &str,
        receipt: &ReceiptRef,
    ) -> Event {
        Event {
            event_id: record_id(),
            occurred_at: self.now,
            kind: event::CONTAINMENT.to_owned(),
            reason: reason.to_owned(),
            code: code.to_owned(),
            evidence: Proof {
                receipt_id: Some(receipt.receipt_id.clone()),
                receipt_hash: Some(receipt.receipt_hash.clone()),
                ..Proof::default()
            },
            ..Event::about_agent(tenant, Some(agent))
        }
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

    fn attest_containment(&mut self, of: &Containment, what: &str, by: &str, reason: &str) -> Result<(), Error> {
        let detail = json!({
            "what": what, "containment_id": of.id, "kind": of.kind, "agent_id": of.agent_id,
            "incident_id": of.incident_id, "by": by, "reason": reason,
        });
        let receipt = self.attest(&of.tenant, Attested::of(EventKind::Containment, detail))?;
        let told = format!("{by}: {reason}");
        let code = if of.undone_at.is_some() { what.to_owned() } else { format!("containment_{}", of.kind) };
        let mut event = self.containment_event(&of.tenant, &of.agent_id, &code, &told, &receipt);
        event.evidence.incident_id.clone_from(&of.incident_id);
        self.note(&event).map(drop)
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

/// Makes an agent as it was before it was contained. One that was revoked meanwhile stays so.
fn restore(agent: &mut Agent, containment: &Containment) {
    let previous = &containment.previous;
    match containment.kind {
        ContainmentKind::Freeze | ContainmentKind::Quarantine => {
            let status = previous.get("status").and_then(Value::as_str).and_then(AgentStatus::from_name);
            if agent.status != AgentStatus::Revoked {
                agent.status = status.unwrap_or(AgentStatus::Active);
            }
        }
        ContainmentKind::ForceApproval => {
            let before = previous.get("force_approval").and_then(Value::as_bool);
            agent.profile.force_approval = before.unwrap_or(false);
        }
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
