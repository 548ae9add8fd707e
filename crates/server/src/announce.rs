//! Telling live viewers what happened. Nobody waits for them.

use tracehound_evidence::approval::Approval;
use tracehound_evidence::decision::{Decision, ReceiptRef};
use tracehound_evidence::event::{APPROVAL, Event, Proof};

use crate::App;

impl App {
    /// A decision was recorded.
    pub(crate) fn announce(&self, decision: &Decision) {
        self.detection().ring();
        if self.live().has_viewers(&decision.tenant) {
            self.live().tell(Event::of_decision(decision.clone()));
        }
    }

    /// An approval was answered, edited or used.
    pub(crate) fn announce_approval(&self, approval: &Approval, receipt: &ReceiptRef) {
        self.detection().ring();
        if !self.live().has_viewers(&approval.tenant) {
            return;
        }
        let event = Event {
            event_id: receipt.receipt_id.clone(),
            occurred_at: self.evidence().now(),
            kind: APPROVAL.to_owned(),
            reason: format!("approval {} is {}", approval.id, approval.status),
            code: approval.status.name().to_lowercase(),
            evidence: Proof {
                decision_id: Some(approval.decision_id.clone()),
                approval_id: Some(approval.id.clone()),
                action_hash: Some(approval.effective_hash.clone()),
                receipt_id: Some(receipt.receipt_id.clone()),
                receipt_hash: Some(receipt.receipt_hash.clone()),
                ..Proof::default()
            },
            ..Event::about_agent(&approval.tenant, Some(&approval.agent_id))
        };
        self.live().tell(event);
    }
}
