//! Recording a decision: what was used before, what was decided, the receipt, the question to a person.

use std::sync::Arc;

use rusqlite::params;
use serde_json::json;
use tracehound_model::Verdict;

use super::{Attested, Ledger, json, record_id};
use crate::Error;
use crate::decision::{Call, Decision, NewDecision, Outcome, ReceiptRef, Recorded, Ruling};
use crate::event::{AGENT_QUARANTINED, Event, REPLAY_ATTEMPT};
use crate::identity::{Agent, AgentStatus};
use crate::receipt::{self, EventKind, PolicyUsed};
use crate::registry::Change;
use crate::store::read;

const NONCE_USED: &str = "replay_nonce_reused";
const RULES_CHANGING: &str = "rules_changing";
const REQUEST_ID_USED: &str = "request_id_reused";

impl Ledger<'_> {
    /// Records a decision, or finds that it was recorded before.
    pub fn decide(&mut self, new: NewDecision) -> Result<Outcome, Error> {
        self.check_current(&new.agent.tenant, &new.agent, new.rules_epoch)?;
        let tenant = new.agent.tenant.clone();
        // Before anything is written: a chain that can't be read stops its own tenant and nobody else.
        self.chains.open(self.transaction, &tenant)?;
        let earlier = match &new.request_id {
            Some(name) => read::decisions::by_request(self.transaction, &tenant, &new.agent.id, name)?,
            None => None,
        };
        if let Some((earlier, request_hash)) = earlier {
            if request_hash == new.request_hash {
                return read::decisions::with_outcome(self.transaction, earlier, self.now).map(Outcome::Repeated);
            }
            let why = "the request id was used before for another request; choose another id";
            return self.refuse(new, REQUEST_ID_USED, why).map(Outcome::Refused);
        }
        if !self.is_first_use(&new)? {
            return self.refuse(new, NONCE_USED, "the nonce was used before; make another").map(Outcome::Refused);
        }
        self.enter(new).map(Outcome::Recorded)
    }

    /// Records that a call was denied because what it would have been decided with did not stay the same for long enough. It can be asked
    /// again, under the same name and with the same nonce.
    pub fn deny_stale(&mut self, mut new: NewDecision) -> Result<Outcome, Error> {
        let why = "what is registered keeps changing, so nothing could be decided; ask again";
        new.ruling = new.ruling.refused(RULES_CHANGING, why);
        (new.request_id, new.approval) = (None, None);
        self.enter(new).map(Outcome::Refused)
    }

    /// What was decided with something that has changed since must be decided again.
    pub(super) fn check_current(&self, tenant: &str, known: &Arc<Agent>, rules_epoch: u64) -> Result<(), Error> {
        let agent = self.registry.agent(tenant, &known.id);
        let is_same = agent.is_some_and(|agent| Arc::ptr_eq(&agent, known));
        if is_same && self.registry.rulebook(tenant).epoch == rules_epoch {
            return Ok(());
        }
        Err(Error::Stale)
    }

    fn is_first_use(&self, new: &NewDecision) -> Result<bool, Error> {
        let Some(nonce) = &new.nonce else { return Ok(true) };
        self.execute("DELETE FROM nonces WHERE expires_at <= ?1", params![self.now.micros()])?;
        let sql = "INSERT INTO nonces (tenant, agent_id, nonce, expires_at) VALUES (?1, ?2, ?3, ?4) \
                   ON CONFLICT DO NOTHING";
        let values = params![new.agent.tenant, new.agent.id, nonce.value, nonce.expires_at.micros()];
        Ok(self.execute(sql, values)? == 1)
    }

    fn refuse(&mut self, mut new: NewDecision, code: &'static str, why: &str) -> Result<Recorded, Error> {
        new.ruling = new.ruling.refused(code, why);
        new.request_id = None;
        new.approval = None;
        let recorded = self.enter(new)?;
        self.note(&about(&recorded.decision, REPLAY_ATTEMPT, Some(code), &recorded.receipt))?;
        Ok(recorded)
    }

    fn enter(&mut self, new: NewDecision) -> Result<Recorded, Error> {
        let NewDecision { agent, request_id, request_hash, call, ruling, approval, received_at, .. } = new;
        let id = record_id();
        let mut decision = Decision {
            number: 0,
            id,
            tenant: agent.tenant.clone(),
            agent_id: agent.id.clone(),
            request_id,
            call,
            ruling,
            latency_us: self.now.micros().saturating_sub(received_at.micros()).max(0),
            created_at: self.now,
            dropped_at: None,
        };
        let approval = approval.map(|asked| self.ask(&decision, asked)).transpose()?;
        let approval_id = approval.as_ref().map(|approval| approval.id.as_str());
        let receipt = self.seal(&decision.tenant, &said_of(&decision, approval_id).into())?;
        decision.number = self.insert_decision(&decision, &request_hash, receipt.sequence)?;
        if decision.ruling.verdict == Verdict::Quarantine {
            self.stop_agent(&agent, &decision)?;
            self.note(&about(&decision, AGENT_QUARANTINED, None, &receipt))?;
        }
        Ok(Recorded { decision, approval, receipt })
    }

    fn stop_agent(&mut self, agent: &Agent, decision: &Decision) -> Result<(), Error> {
        let mut agent = agent.clone();
        agent.profile.status_reason = Some(format!("decision {}: {}", decision.id, decision.ruling.reason));
        let previous = agent.status;
        agent.status = AgentStatus::Quarantined;
        agent.updated_at = self.now;
        self.update_agent(&agent)?;
        let detail = json!({
            "what": "agent_quarantined", "agent_id": agent.id, "previous": previous, "code": decision.ruling.code,
        });
        let attested = Attested { decision_id: Some(&decision.id), ..Attested::of(EventKind::Containment, detail) };
        self.attest(&decision.tenant, attested)?;
        self.then(Change::Agent { agent, token: None });
        Ok(())
    }

    fn insert_decision(&self, decision: &Decision, request_hash: &str, receipt: u64) -> Result<i64, Error> {
        let Call { mcp_server, .. } = &decision.call;
        let (call, ruling) = (&decision.call, &decision.ruling);
        let sql = "INSERT INTO decisions (id, tenant, agent_id, run_id, parent_run_id, trace_id, user_id, tool, action, \
                   resource, mcp_server, source_trust, root_trust_level, mutates_state, verdict, code, reason, \
                   explanation, risk_score, composite_risk_score, policies, redacted_fields, action_hash, \
                   argument_hash, request_id, request_hash, latency_us, created_at, receipt_sequence, \
                   mcp_server_key, mcp_node_id) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, \
                   ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31)";
        let server = mcp_server.as_ref().map(json).transpose()?;
        let values = params![
            decision.id,
            decision.tenant,
            decision.agent_id,
            call.run_id,
            call.parent_run_id,
            call.trace_id,
            call.user_id,
            call.tool,
            call.action,
            call.resource,
            server,
            call.source_trust.name(),
            call.root_trust_level.name(),
            call.mutates_state,
            ruling.verdict.name(),
            ruling.code,
            ruling.reason,
            ruling.explanation,
            ruling.risk_score,
            ruling.composite_risk_score,
            json(&ruling.policies)?,
            json(&ruling.redacted_fields)?,
            call.action_hash,
            call.argument_hash,
            decision.request_id,
            request_hash,
            decision.latency_us,
            decision.created_at.micros(),
            receipt,
            mcp_server.as_ref().map(|server| &server.server_key),
            mcp_server.as_ref().map(|server| &server.node_id),
        ];
        self.execute(sql, values)?;
        Ok(self.transaction.last_insert_rowid())
    }

    /// Records what really happened after a decision. Each report is a receipt of its own; none replaces another.
    pub fn report(&mut self, tenant: &str, agent_id: &str, report: &Report) -> Result<ReceiptRef, Error> {
        let found = read::receipts::decision_of(self.transaction, tenant, &report.receipt_id)?;
        let unknown = || Error::unknown("receipt", &report.receipt_id);
        let decision = read::decisions::by_id(self.transaction, tenant, &found.ok_or_else(unknown)?)?;
        let decision = decision.filter(|decision| decision.agent_id == agent_id).ok_or_else(unknown)?;
        let detail = json!({
            "receipt_id": report.receipt_id, "status": report.status, "result_hash": report.result_hash,
            "executed_action_hash": report.executed_action_hash,
            "is_as_decided": report.executed_action_hash.as_ref().map(|hash| *hash == decision.call.action_hash),
        });
        let attested = Attested { decision_id: Some(&decision.id), ..Attested::of(EventKind::Outcome, detail) };
        self.attest(tenant, attested)
    }
}

/// What really happened after a decision.
#[derive(Debug, Clone)]
pub struct Report {
    /// The receipt of the decision.
    pub receipt_id: String,
    /// `succeeded`, `failed` or `not_executed`.
    pub status: String,
    /// The hash of what came out.
    pub result_hash: Option<String>,
    /// The hash of the action that was carried out.
    pub executed_action_hash: Option<String>,
}

/// Something that happened with a decision: the event of its own that it is.
fn about(decision: &Decision, kind: &str, tool: Option<&str>, receipt: &ReceiptRef) -> Event {
    let mut event = Event::of_decision(decision.clone());
    event.event_id = record_id();
    event.kind = kind.to_owned();
    if let Some(tool) = tool {
        (event.tool, event.action) = (Some(tool.to_owned()), None);
    }
    event.evidence.receipt_id = Some(receipt.receipt_id.clone());
    event.evidence.receipt_hash = Some(receipt.receipt_hash.clone());
    event
}

/// What the receipt of a decision says.
fn said_of(decision: &Decision, approval_id: Option<&str>) -> receipt::Decision {
    let (call, ruling) = (&decision.call, &decision.ruling);
    let used = |policy: &crate::decision::MatchedPolicy| PolicyUsed {
        name: policy.name.clone(),
        version: policy.version,
        hash: policy.hash.clone(),
    };
    receipt::Decision {
        action: call.action.clone(),
        action_hash: call.action_hash.clone(),
        agent_id: decision.agent_id.clone(),
        approval_id: approval_id.map(ToOwned::to_owned),
        approver: None,
        argument_hash: Some(call.argument_hash.clone()),
        code: ruling.code.clone().into(),
        composite_risk_score: ruling.composite_risk_score,
        decision: ruling.verdict,
        decision_id: decision.id.clone(),
        mcp_server: call.mcp_server.as_ref().map(|server| server.node_id.clone()),
        mutates_state: call.mutates_state,
        parent_run_id: call.parent_run_id.clone(),
        policies: ruling.policies.iter().map(used).collect(),
        reason: ruling.reason.clone(),
        resource: call.resource.clone(),
        risk_score: ruling.risk_score,
        root_trust_level: call.root_trust_level,
        run_id: call.run_id.clone(),
        source_trust: call.source_trust,
        tool: call.tool.clone(),
        trace_id: call.trace_id.clone(),
        user_id: call.user_id.clone(),
    }
}

impl Ruling {
    /// Whether a person has to agree.
    #[must_use]
    pub fn needs_approval(&self) -> bool {
        self.verdict == Verdict::RequireApproval
    }
}
