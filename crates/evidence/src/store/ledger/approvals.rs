//! What happens to an approval: asked, edited, answered, used once. Each step is a receipt.
//!
//! Steps are conditional on the state that the row has at that moment; one thread writes, so of any number of callers who
//! race for a step exactly one takes it.

use rusqlite::params;
use serde_json::{Value, json};

use super::{Attested, Ledger, json, plain_id};
use crate::Error;
use crate::approval::{Answer, Approval, ApprovalStatus, Content, Edit, NewApproval};
use crate::decision::{Decision, ReceiptRef};
use crate::event::{APPROVAL, Event, Proof, REPLAY_ATTEMPT};
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
}

impl Ledger<'_> {
    pub(super) fn ask(&mut self, decision: &Decision, asked: NewApproval) -> Result<Approval, Error> {
        let content =
            Content { tool_call: asked.shown_call, requested_for: decision.call.user_id.clone(), ..Content::default() };
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
        if let Some(refused) = self.cannot_be_answered(&approval, "approval")? {
            return Ok(refused);
        }
        if status == ApprovalStatus::Approved {
            refuse_own(&approval, &answer.person)?;
            check_seen(&approval, seen)?;
        }
        approval.status = status;
        approval.decided_at = Some(self.now);
        approval.content.approver_user_id = Some(answer.person.clone());
        approval.content.reason.clone_from(&answer.reason);
        let what = if status == ApprovalStatus::Approved { "approved" } else { "rejected" };
        self.take_step(approval, what, &answer.person, answer.reason.as_deref())
    }

    /// A person puts another call in place of the one that was asked about.
    pub fn edit(&mut self, tenant: &str, id: &str, edit: &Edit) -> Result<Step, Error> {
        let mut approval = self.approval(tenant, id)?;
        if let Some(refused) = self.cannot_be_answered(&approval, "edit")? {
            return Ok(refused);
        }
        check_seen(&approval, edit.seen_hash.as_deref())?;
        approval.content.edited_tool_call = Some(edit.shown_call.clone());
        approval.content.edited_by = Some(edit.answer.person.clone());
        approval.effective_hash.clone_from(&edit.action_hash);
        self.take_step(approval, "edited", &edit.answer.person, edit.answer.reason.as_deref())
    }

    /// The agent uses an approval, for exactly the call that was agreed to.
    pub fn consume(&mut self, tenant: &str, id: &str, agent_id: &str, claimed: Option<&str>) -> Result<Step, Error> {
        let approval = self.approval(tenant, id)?;
        if approval.agent_id != agent_id {
            return Err(Error::unknown("approval", id));
        }
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
        let mut approval = approval;
        approval.consumed_at = Some(self.now);
        let agent = approval.agent_id.clone();
        self.take_step(approval, "consumed", &agent, None)
    }

    fn approval(&self, tenant: &str, id: &str) -> Result<Approval, Error> {
        let found = read::approvals::by_id(self.transaction, tenant, id, self.now)?;
        found.ok_or_else(|| Error::unknown("approval", id))
    }

    fn cannot_be_answered(&mut self, approval: &Approval, doing: &'static str) -> Result<Option<Step>, Error> {
        match approval.status {
            ApprovalStatus::Created => Ok(None),
            ApprovalStatus::Expired => {
                let code = if doing == "edit" { "edit_expired" } else { "approval_expired" };
                self.tampering(approval, code, "the approval's time is over; the agent has to ask again").map(Some)
            }
            ApprovalStatus::Approved | ApprovalStatus::Rejected => Err(Error::Conflict {
                code: "approval_already_decided",
                message: format!("the approval was decided before: it is {}", approval.status),
            }),
        }
    }

    fn take_step(
        &mut self,
        approval: Approval,
        what: &'static str,
        who: &str,
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
            "what": what, "approver": who, "reason": reason, "agent_id": approval.agent_id,
            "original_action_hash": approval.original_action_hash, "action_hash": approval.effective_hash,
        });
        let receipt = self.attest_step(&approval, detail)?;
        let told = format!("approval {} was {what}", approval.id);
        let mut event = self.attempt(&approval, what, &told, &receipt);
        (event.kind, event.decision) = (APPROVAL.to_owned(), Some(what.to_owned()));
        (event.tool, event.risk_score) = (None, 0);
        self.note(&event)?;
        Ok(Step::Taken(Box::new(approval), receipt))
    }

    fn tampering(&mut self, approval: &Approval, code: &'static str, message: &str) -> Result<Step, Error> {
        let detail = json!({ "what": "tamper_attempt", "code": code, "agent_id": approval.agent_id });
        let receipt = self.attest_step(approval, detail)?;
        self.note(&self.attempt(approval, code, message, &receipt))?;
        Ok(Step::Tampering { code, message: message.to_owned(), receipt })
    }

    fn attest_step(&mut self, approval: &Approval, detail: Value) -> Result<ReceiptRef, Error> {
        let attested = Attested {
            kind: EventKind::Approval,
            decision_id: Some(&approval.decision_id),
            approval_id: Some(&approval.id),
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

/// Nobody agrees to what they want themselves.
fn refuse_own(approval: &Approval, person: &str) -> Result<(), Error> {
    let is_requester = approval.content.requested_for.as_deref() == Some(person);
    let is_editor = approval.content.edited_by.as_deref() == Some(person);
    if !is_requester && !is_editor {
        return Ok(());
    }
    let role = if is_requester { "the run acts for them" } else { "they edited the call" };
    Err(Error::Conflict {
        code: "self_approval",
        message: format!("`{person}` cannot agree to this call, because {role}; somebody else has to"),
    })
}

/// Agreeing to something else than what is there now is agreeing to nothing.
fn check_seen(approval: &Approval, seen: Option<&str>) -> Result<(), Error> {
    match seen {
        Some(hash) if hash != approval.effective_hash => Err(Error::Conflict {
            code: "approval_changed",
            message: "the call was edited meanwhile; look at it again".to_owned(),
        }),
        _ => Ok(()),
    }
}
