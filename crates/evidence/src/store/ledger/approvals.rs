//! What happens to an approval: asked, edited, answered, used once. Each step is a receipt.
//!
//! Steps are conditional on the state that the row has at that moment; one thread writes, so of any number of callers who
//! race for a step exactly one takes it.

use rusqlite::params;
use serde_json::{Value, json};

use super::{Attested, Ledger, json, plain_id};
use crate::Error;
use crate::approval::{Answer, Approval, ApprovalStatus, Content, Edit, NewApproval, Standing};
use crate::decision::{Decision, ReceiptRef};
use crate::event::{APPROVAL, Event, Proof, REPLAY_ATTEMPT};
use crate::identity::AgentStatus;
use crate::receipt::EventKind;
use crate::store::read;

/// What came of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// It was taken; the receipt says so.
    Taken(Box<Approval>, ReceiptRef),
    /// It was not, and only somebody who tampers would have tried. The attempt is on record.
    Tampering {
        /// A stable code.
        code: &'static str,
        /// What is in the way.
        message: String,
        /// The record of the attempt.
        receipt: ReceiptRef,
    },
    /// It was not, because it may not be taken, or not any more. That it was tried is on record.
    Refused {
        /// A stable code.
        code: String,
        /// What is in the way.
        message: String,
        /// The record of the refusal.
        receipt: ReceiptRef,
    },
}

/// Why a step may not be taken: a stable code, and what to tell.
type Hindrance = (String, String);

impl Ledger<'_> {
    pub(super) fn ask(&mut self, decision: &Decision, asked: NewApproval) -> Result<Approval, Error> {
        let content = Content {
            tool_call: asked.shown_call,
            requested_for: decision.call.user_id.clone(),
            circumstances: Some(asked.circumstances),
            ..Content::default()
        };
        let approval = Approval {
            id: plain_id(),
            tenant: decision.tenant.clone(),
            decision_id: decision.id.clone(),
            agent_id: decision.agent_id.clone(),
            status: ApprovalStatus::Created,
            approver_group: asked.approver_group,
            original_action_hash: decision.call.action_hash.clone(),
            effective_hash: decision.call.action_hash.clone(),
            created_at: self.now,
            expires_at: self.now.plus_seconds(asked.seconds),
            decided_at: None,
            consumed_at: None,
            dropped_at: None,
            content,
        };
        let sql = "INSERT INTO approvals (id, tenant, decision_id, agent_id, status, approver_group, original_hash, \
                   effective_hash, created_at, expires_at, content) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
        let values = params![
            approval.id,
            approval.tenant,
            approval.decision_id,
            approval.agent_id,
            approval.status.name(),
            approval.approver_group,
            approval.original_action_hash,
            approval.effective_hash,
            approval.created_at.micros(),
            approval.expires_at.micros(),
            json(&approval.content)?,
        ];
        self.execute(sql, values)?;
        Ok(approval)
    }

    /// A person agrees.
    pub fn approve(&mut self, tenant: &str, id: &str, answer: &Answer, seen: Option<&str>) -> Result<Step, Error> {
        self.answer(tenant, id, answer, ApprovalStatus::Approved, seen)
    }

    /// A person refuses.
    pub fn reject(&mut self, tenant: &str, id: &str, answer: &Answer) -> Result<Step, Error> {
        self.answer(tenant, id, answer, ApprovalStatus::Rejected, None)
    }

    fn answer(
        &mut self,
        tenant: &str,
        id: &str,
        answer: &Answer,
        status: ApprovalStatus,
        seen: Option<&str>,
    ) -> Result<Step, Error> {
        let mut approval = self.approval(tenant, id)?;
        let trying = Trying { what: if status == ApprovalStatus::Approved { "approve" } else { "reject" }, answer };
        if let Some(refused) = self.cannot_be_answered(&approval, &trying)? {
            return Ok(refused);
        }
        if status == ApprovalStatus::Approved
            && let Some(hindrance) = own(&approval, answer).or_else(|| changed(&approval, seen))
        {
            return self.refuse_step(&approval, trying.what, Some(&answer.person), hindrance);
        }
        approval.status = status;
        approval.decided_at = Some(self.now);
        approval.content.approver_user_id = Some(answer.person.clone());
        approval.content.reason.clone_from(&answer.reason);
        let what = if status == ApprovalStatus::Approved { "approved" } else { "rejected" };
        self.take_step(approval, what, Some(&answer.person), answer.reason.as_deref())
    }

    /// A person puts another call in place of the one that was asked about.
    pub fn edit(&mut self, tenant: &str, id: &str, edit: &Edit) -> Result<Step, Error> {
        let mut approval = self.approval(tenant, id)?;
        self.check_current(tenant, &edit.standing.agent, edit.standing.rules_epoch)?;
        let trying = Trying { what: "edit", answer: &edit.answer };
        if let Some(refused) = self.cannot_be_answered(&approval, &trying)? {
            return Ok(refused);
        }
        let denied = edit.standing.refusal.as_ref().map(|(code, reason)| {
            ("edit_denied".to_owned(), format!("policies do not allow the edited call: {reason} ({code})"))
        });
        if let Some(hindrance) = denied.or_else(|| changed(&approval, edit.seen_hash.as_deref())) {
            return self.refuse_step(&approval, trying.what, Some(&edit.answer.person), hindrance);
        }
        approval.content.edited_tool_call = Some(edit.shown_call.clone());
        approval.content.edited_by = Some(edit.answer.person.clone());
        approval.effective_hash.clone_from(&edit.action_hash);
        self.take_step(approval, "edited", Some(&edit.answer.person), edit.answer.reason.as_deref())
    }

    /// The agent uses an approval, for exactly the call that was agreed to, if it still may act and the call still may be made.
    /// Without a claim the call that was agreed to is the one that is meant.
    pub fn consume(
        &mut self,
        tenant: &str,
        id: &str,
        claimed: Option<&str>,
        standing: &Standing,
    ) -> Result<Step, Error> {
        let approval = self.approval(tenant, id)?;
        if approval.agent_id != standing.agent.id {
            return Err(Error::unknown("approval", id));
        }
        self.check_current(tenant, &standing.agent, standing.rules_epoch)?;
        let problem = if claimed.is_some_and(|hash| hash != approval.effective_hash) {
            Some(("consume_hash_mismatch", "the approval is for another call than the one claimed"))
        } else if approval.consumed_at.is_some() {
            Some(("approval_consumed", "the approval was used before; each is good once"))
        } else if approval.is_over(self.now) {
            Some(("approval_expired", "the approval's time is over; ask again"))
        } else if approval.status != ApprovalStatus::Approved {
            Some(("approval_not_approved", "nobody has agreed to this call"))
        } else {
            None
        };
        if let Some((code, message)) = problem {
            return self.tampering(&approval, code, message);
        }
        // What people agreed to is what was allowed then. Who was stopped and what was forbidden since counts all the same.
        if let Some(hindrance) = stopped(standing.agent.status).or_else(|| standing.refusal.clone()) {
            return self.refuse_step(&approval, "consume", None, hindrance);
        }
        let mut approval = approval;
        approval.consumed_at = Some(self.now);
        let agreed = approval.content.approver_user_id.clone();
        self.take_step(approval, "consumed", agreed.as_deref(), None)
    }

    fn approval(&self, tenant: &str, id: &str) -> Result<Approval, Error> {
        let found = read::approvals::by_id(self.transaction, tenant, id, self.now)?;
        found.ok_or_else(|| Error::unknown("approval", id))
    }

    fn cannot_be_answered(&mut self, approval: &Approval, trying: &Trying<'_>) -> Result<Option<Step>, Error> {
        match approval.status {
            ApprovalStatus::Created => Ok(None),
            ApprovalStatus::Expired => {
                let code = if trying.what == "edit" { "edit_expired" } else { "approval_expired" };
                self.tampering(approval, code, "the approval's time is over; the agent has to ask again").map(Some)
            }
            ApprovalStatus::Approved | ApprovalStatus::Rejected => {
                let message = format!("the approval was decided before: it is {}", approval.status);
                let hindrance = ("approval_already_decided".to_owned(), message);
                self.refuse_step(approval, trying.what, Some(&trying.answer.person), hindrance).map(Some)
            }
        }
    }

    fn take_step(
        &mut self,
        approval: Approval,
        what: &'static str,
        person: Option<&str>,
        reason: Option<&str>,
    ) -> Result<Step, Error> {
        let sql = "UPDATE approvals SET status = ?3, effective_hash = ?4, decided_at = ?5, consumed_at = ?6, content = ?7 \
                   WHERE tenant = ?1 AND id = ?2";
        let values = params![
            approval.tenant,
            approval.id,
            approval.status.name(),
            approval.effective_hash,
            approval.decided_at.map(crate::Moment::micros),
            approval.consumed_at.map(crate::Moment::micros),
            json(&approval.content)?,
        ];
        self.execute(sql, values)?;
        let detail = json!({
            "what": what, "approver": person, "reason": reason, "agent_id": approval.agent_id,
            "original_action_hash": approval.original_action_hash, "action_hash": approval.effective_hash,
        });
        let receipt = self.attest_step(&approval, person, detail)?;
        let told = format!("approval {} was {what}", approval.id);
        self.note_step(&approval, what, what, &told, &receipt)?;
        Ok(Step::Taken(Box::new(approval), receipt))
    }

    /// A step that may not be taken, on record.
    fn refuse_step(
        &mut self,
        approval: &Approval,
        step: &'static str,
        person: Option<&str>,
        (code, message): Hindrance,
    ) -> Result<Step, Error> {
        let detail = json!({
            "what": "refused", "step": step, "code": code, "approver": person, "agent_id": approval.agent_id,
            "action_hash": approval.effective_hash,
        });
        let receipt = self.attest_step(approval, person, detail)?;
        self.note_step(approval, "refused", &code, &message, &receipt)?;
        Ok(Step::Refused { code, message, receipt })
    }

    fn note_step(
        &self,
        approval: &Approval,
        what: &str,
        code: &str,
        told: &str,
        receipt: &ReceiptRef,
    ) -> Result<(), Error> {
        let mut event = self.attempt(approval, code, told, receipt);
        (event.kind, event.decision) = (APPROVAL.to_owned(), Some(what.to_owned()));
        (event.tool, event.risk_score) = (None, 0);
        self.note(&event).map(drop)
    }

    fn tampering(&mut self, approval: &Approval, code: &'static str, message: &str) -> Result<Step, Error> {
        let detail = json!({ "what": "tamper_attempt", "code": code, "agent_id": approval.agent_id });
        let receipt = self.attest_step(approval, None, detail)?;
        self.note(&self.attempt(approval, code, message, &receipt))?;
        Ok(Step::Tampering { code, message: message.to_owned(), receipt })
    }

    fn attest_step(&mut self, approval: &Approval, person: Option<&str>, detail: Value) -> Result<ReceiptRef, Error> {
        let attested = Attested {
            kind: EventKind::Approval,
            decision_id: Some(&approval.decision_id),
            approval_id: Some(&approval.id),
            approver: person,
            detail,
        };
        self.attest(&approval.tenant, attested)
    }

    fn attempt(&self, approval: &Approval, code: &str, message: &str, receipt: &ReceiptRef) -> Event {
        Event {
            event_id: receipt.receipt_id.clone(),
            occurred_at: self.now,
            kind: REPLAY_ATTEMPT.to_owned(),
            decision: Some("deny".to_owned()),
            tool: Some(code.to_owned()),
            resource: Some(format!("approval:{}", approval.id)),
            reason: message.to_owned(),
            code: code.to_owned(),
            risk_score: 100,
            evidence: Proof {
                decision_id: Some(approval.decision_id.clone()),
                approval_id: Some(approval.id.clone()),
                action_hash: Some(approval.effective_hash.clone()),
                receipt_id: Some(receipt.receipt_id.clone()),
                receipt_hash: Some(receipt.receipt_hash.clone()),
                ..Proof::default()
            },
            ..Event::about_agent(&approval.tenant, Some(&approval.agent_id))
        }
    }
}

/// What somebody tries to do about an approval.
struct Trying<'a> {
    what: &'static str,
    answer: &'a Answer,
}

/// Nobody agrees to what they want themselves. The person behind a run is whom the agent says it is, by name or by id, and however
/// it writes that.
fn own(approval: &Approval, answer: &Answer) -> Option<Hindrance> {
    let folded = |name: &str| name.trim().to_lowercase();
    let them = [Some(&answer.person), answer.person_id.as_ref()];
    let is_them = |name: &Option<String>| {
        name.as_deref().is_some_and(|name| them.into_iter().flatten().any(|known| folded(known) == folded(name)))
    };
    let is_requester = is_them(&approval.content.requested_for);
    if !is_requester && !is_them(&approval.content.edited_by) {
        return None;
    }
    let role = if is_requester { "the run acts for them" } else { "they edited the call" };
    let person = &answer.person;
    let message = format!("`{person}` cannot agree to this call, because {role}; somebody else has to");
    Some(("self_approval".to_owned(), message))
}

/// Agreeing to something else than what is there now is agreeing to nothing.
fn changed(approval: &Approval, seen: Option<&str>) -> Option<Hindrance> {
    let is_changed = seen.is_some_and(|hash| hash != approval.effective_hash);
    let message = "the call was edited meanwhile; look at it again";
    is_changed.then(|| ("approval_changed".to_owned(), message.to_owned()))
}

/// Why an agent may not act.
fn stopped(status: AgentStatus) -> Option<Hindrance> {
    let code = match status {
        AgentStatus::Active => return None,
        AgentStatus::Frozen => "agent_frozen",
        AgentStatus::Revoked => "agent_revoked",
        AgentStatus::Quarantined => "agent_quarantined",
    };
    Some((code.to_owned(), format!("the agent is {status}, so it can't use what was agreed to")))
}
