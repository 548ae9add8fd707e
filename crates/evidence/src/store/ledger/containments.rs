//! What is done to stop an agent: each way is recorded, receipted, and can be undone.

use rusqlite::params;
use serde_json::{Value, json};

use super::{Attested, Ledger, json, record_id};
use crate::Error;
use crate::decision::ReceiptRef;
use crate::event::{self, Event, Proof};
use crate::identity::{Agent, AgentStatus, RiskTier};
use crate::incident::{Containment, ContainmentKind};
use crate::receipt::EventKind;
use crate::registry::Change;
use crate::store::read;

impl Ledger<'_> {
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
