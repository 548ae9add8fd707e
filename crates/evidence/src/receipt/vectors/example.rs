//! A chain of every kind of receipt, made from published seeds.

use std::borrow::Cow;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use tracehound_model::{TrustLevel, Verdict};
use uuid::Uuid;

use crate::receipt::*;

/// How the example differs from the plain one.
pub(super) struct Example {
    signer: Option<Signer>,
    tenant: &'static str,
    /// From sequence 4 on, other things happened.
    is_branch: bool,
    /// The old key signs on after it handed over.
    keeps_key: bool,
}

/// A key, and its seed in words.
#[derive(Clone)]
pub(super) struct Signer(Arc<SigningKey>, pub(super) &'static str);

impl Signer {
    pub(super) fn public(&self) -> &PublicKey {
        self.0.public()
    }
}

/// The keys of the example: seed bytes 00 to 1f, 20 to 3f, and so on.
pub(super) fn signer(number: u8) -> Signer {
    let seed = Seed::from_bytes(std::array::from_fn(|index| number * 32 + index as u8));
    let words = ["00 01 .. 1f", "20 21 .. 3f"];
    let words = words.get(usize::from(number)).copied().unwrap_or("that is not given");
    Signer(Arc::new(SigningKey::from_seed(&seed).unwrap()), words)
}

impl Example {
    pub(super) fn new(signer: Option<Signer>) -> Self {
        Self { signer, tenant: "default", is_branch: false, keeps_key: false }
    }

    pub(super) fn branch(self) -> Self {
        Self { is_branch: true, ..self }
    }

    pub(super) fn of_tenant(self, tenant: &'static str) -> Self {
        Self { tenant, ..self }
    }

    pub(super) fn without_handing_over(self) -> Self {
        Self { keeps_key: true, ..self }
    }

    /// The receipts, in their order.
    pub(super) fn sealed(&self) -> Vec<Sealed> {
        let start: Timestamp = "2026-01-02T03:04:05.000007Z".parse().unwrap();
        let mut chain = Chain::new(self.tenant, None, self.signer.as_ref().map(|signer| signer.0.clone()));
        let mut sealed = Vec::new();
        for number in 0..12_u128 {
            let ts = start + SignedDuration::from_millis(250 * number as i64);
            let branch = if self.is_branch && number >= 4 { 0x1000 } else { 0 };
            let id = Uuid::from_u128(0x0198_0000_0000_7000_8000_0000_0000_0000 + number + branch);
            let signer = chain.signer().is_some().then(|| signer(0).0);
            sealed.push(match (number, signer) {
                (6, Some(old)) => {
                    let receipt = chain.rotate(signer_after_the_first(), id, ts);
                    if self.keeps_key {
                        chain = Chain::new(self.tenant, chain.last(), Some(old));
                    }
                    receipt
                }
                _ => chain.seal(&draft(number as usize), id, ts),
            });
        }
        sealed
    }

    /// The receipts as they are listed.
    pub(super) fn lines(&self) -> Vec<String> {
        self.sealed().into_iter().map(|sealed| sealed.json).collect()
    }

    /// The checkpoint over all of it.
    pub(super) fn checkpoint(&self) -> SealedCheckpoint {
        let sealed = self.sealed();
        let mut tree = merkle::Frontier::default();
        sealed.iter().for_each(|receipt| tree.append(merkle::leaf(&receipt.hash), |_, _, _| ()));
        let ts = "2026-01-02T03:05:00Z".parse().unwrap();
        let last = sealed.last().map(|receipt| receipt.hash);
        Statement::new(self.tenant, tree.size(), tree.root(), last, ts).seal(&signer(1).0)
    }
}

fn signer_after_the_first() -> Arc<SigningKey> {
    signer(1).0
}

fn id(number: usize) -> String {
    Uuid::from_u128(0x4000_8000_0000_0000_0000 + number as u128).to_string()
}

fn draft(number: usize) -> Draft {
    let agent = || id(1);
    match number {
        0 => Event::new(EventKind::Identity).of_agent(agent()).by("admin").with("change", "agent_added").into(),
        1 => decision(1, Verdict::Allow).into(),
        2 => decision(2, Verdict::RequireApproval).into(),
        3 => Event::approval(ApprovalStep::Approved, id(202))
            .of_decision(id(102))
            .by("Zoë \"Z\" Ångström")
            .with("note", "fine\n")
            .into(),
        4 => Event::approval(ApprovalStep::Consumed, id(202)).of_decision(id(102)).of_agent(agent()).into(),
        5 => Event::outcome(id(102), "done", Some(sha256("merged").hex())).of_agent(agent()).into(),
        // Without keys there is nothing to hand over.
        6 => Event::new(EventKind::Key).with("change", "none").into(),
        7 => decision(3, Verdict::Deny).into(),
        8 => Event::new(EventKind::Containment)
            .of_agent(agent())
            .by("kim")
            .with("change", "frozen")
            .with("reason", "😀 storm")
            .into(),
        9 => Event::new(EventKind::Policy).by("kim").with("name", "no_merges").with("version", 2).into(),
        10 => {
            let mut counts = Object::default();
            counts.set("added", Json::from(1));
            counts.set("\u{1f600}", Json::from(true));
            counts.set("\u{e000}", Json::Null);
            Event::new(EventKind::Mcp)
                .with("server", "files")
                .with("tools", vec!["read", "write"])
                .with("drift", counts)
                .into()
        }
        _ => Event::new(EventKind::Retention).with("before", "2025-01-01T00:00:00.000000Z").with("removed", 0).into(),
    }
}

fn decision(number: usize, verdict: Verdict) -> Decision {
    let needs_approval = verdict == Verdict::RequireApproval;
    let version = PolicyUsed { name: "mutations_need_trust".to_owned(), version: 3, hash: sha256("policy").hex() };
    Decision {
        action: "merge_pull_request".to_owned(),
        action_hash: "0fc36b87ff99be8067a70c200f784f92427d869fa582a61e0cf44a9b2e31a65d".to_owned(),
        agent_id: id(1),
        approval_id: needs_approval.then(|| id(200 + number)),
        approver: None,
        argument_hash: Some(sha256(format!("arguments {number}")).hex()),
        code: Cow::Borrowed(if needs_approval { "approval_required" } else { "decided" }),
        composite_risk_score: 62,
        decision: verdict,
        decision_id: id(100 + number),
        mcp_server: Some("mcp:github".to_owned()),
        mutates_state: number > 1,
        parent_run_id: (number > 2).then(|| "run_a".to_owned()),
        policies: vec![version; usize::from(number > 1)],
        reason: "the action changes state and its cause is a customer's text".to_owned(),
        resource: Some("shop/api#12".to_owned()),
        risk_score: 75,
        root_trust_level: TrustLevel::SemiTrustedCustomer,
        run_id: Some(format!("run_{number}")),
        source_trust: TrustLevel::TrustedInternalSigned,
        tool: "github".to_owned(),
        trace_id: Some("trace_a".to_owned()),
        user_id: None,
    }
}
