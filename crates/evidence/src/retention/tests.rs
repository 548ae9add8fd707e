use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::json;
use tracehound_model::{TrustLevel, Verdict};

use super::*;
use crate::approval::{Answer, Circumstances, NewApproval};
use crate::decision::{Call, NewDecision, Recorded, Ruling};
use crate::identity::{AgentProfile, DEFAULT_TENANT};
use crate::incident::{NewIncident, Severity, Source};
use crate::reading::{Place, Slice};
use crate::receipt::{self, Checkpoint, Status};
use crate::{Checked, Watch};

const DAY: i64 = 86_400;

/// A store whose clock is set by hand.
struct Store {
    evidence: Evidence,
    clock: Arc<AtomicI64>,
}

impl Store {
    fn open(directory: &Path, at: i64) -> Self {
        let clock = Arc::new(AtomicI64::new(at));
        let hand = clock.clone();
        // Every look is a little later, so that no two things happen at one moment.
        let now = Arc::new(move || Moment::from_micros(hand.fetch_add(1, Ordering::SeqCst)));
        Self { evidence: Evidence::open(directory, now).unwrap().0, clock }
    }

    fn wait_days(&self, days: i64) {
        self.clock.fetch_add(days * DAY * 1_000_000, Ordering::SeqCst);
    }

    fn agent(&self, tenant: &'static str) {
        let made = self.evidence.write(move |ledger| {
            if tenant != DEFAULT_TENANT {
                ledger.add_tenant(tenant, tenant)?;
            }
            let profile =
                AgentProfile { name: "Bot".to_owned(), environment: "prod".to_owned(), ..AgentProfile::default() };
            ledger.add_agent(tenant, "bot", profile, "test").map(drop)
        });
        made.unwrap();
    }

    fn decide(&self, tenant: &str, run: &str, approval_seconds: Option<i64>) -> Recorded {
        let new = self.decided(tenant, run, approval_seconds);
        self.evidence.write(move |ledger| ledger.decide(new)).unwrap().recorded().clone()
    }

    fn decided(&self, tenant: &str, run: &str, approval_seconds: Option<i64>) -> NewDecision {
        let registry = self.evidence.registry();
        let verdict = if approval_seconds.is_some() { Verdict::RequireApproval } else { Verdict::Allow };
        NewDecision {
            agent: registry.agent_called(tenant, "bot").unwrap(),
            rules_epoch: registry.rulebook(tenant).epoch,
            request_id: None,
            request_hash: String::new(),
            nonce: None,
            call: call(run),
            ruling: ruling(verdict),
            approval: approval_seconds.map(|seconds| NewApproval {
                approver_group: None,
                seconds,
                shown_call: json!({ "parameters": { "title": "planted" } }),
                circumstances: Circumstances { environment: "planted".to_owned(), ..Circumstances::default() },
            }),
            received_at: self.evidence.now(),
        }
    }

    fn incident(&self, about: &Recorded) -> String {
        let id = format!("incident-{}", about.decision.id);
        let new = NewIncident {
            id: id.clone(),
            tenant: about.decision.tenant.clone(),
            kind: "storm".to_owned(),
            severity: Severity::High,
            agent_id: None,
            summary: "planted".to_owned(),
            occurred_at: about.decision.created_at,
            sources: vec![Source { event_id: about.decision.id.clone(), decision_id: Some(about.decision.id.clone()) }],
            event_count: 1,
        };
        self.evidence.write(move |ledger| ledger.open_incident(new)).unwrap();
        id
    }

    /// As if detection had looked at everything.
    fn detect(&self) {
        let end = self.evidence.end().unwrap();
        self.evidence.write(move |ledger| ledger.detected_up_to(end)).unwrap();
    }

    fn retain(&self, tenant: &str, days: i64) -> Dropped {
        self.evidence.retain(tenant, self.evidence.now().plus_seconds(-days * DAY), "kim").unwrap()
    }

    fn dropped(&self, recorded: &Recorded) -> bool {
        let Recorded { decision, .. } = recorded;
        self.evidence.decision(&decision.tenant, &decision.id).unwrap().unwrap().decision.dropped_at.is_some()
    }

    fn verified(&self, tenant: &str) -> receipt::Report {
        let lines = self.evidence.receipts_from(tenant, 0, usize::MAX).unwrap();
        let lines = lines.into_iter().map(|line| Ok::<_, Error>(line.json));
        let checkpoint = Checkpoint::parse(self.evidence.checkpoint(tenant).unwrap().as_bytes()).unwrap();
        receipt::verify(lines, &self.evidence.trusted_keys().unwrap(), Some(&checkpoint)).unwrap()
    }
}

fn call(run: &str) -> Call {
    Call {
        user_id: Some("planted".to_owned()),
        run_id: Some(run.to_owned()),
        trace_id: Some("planted".to_owned()),
        parent_run_id: None,
        tool: "github".to_owned(),
        action: "get".to_owned(),
        resource: Some("planted".to_owned()),
        mcp_server: None,
        source_trust: TrustLevel::TrustedInternalSigned,
        root_trust_level: TrustLevel::TrustedInternalSigned,
        mutates_state: false,
        action_hash: "0".repeat(64),
        argument_hash: "0".repeat(64),
    }
}

fn ruling(verdict: Verdict) -> Ruling {
    Ruling {
        verdict,
        code: "allowed".to_owned(),
        reason: "planted".to_owned(),
        explanation: "{\"planted\":true}".to_owned(),
        risk_score: 10,
        composite_risk_score: 10,
        policies: Vec::new(),
        redacted_fields: Vec::new(),
    }
}

fn store() -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), 1_800_000_000_000_000);
    store.agent(DEFAULT_TENANT);
    (directory, store)
}

#[test]
fn details_go_and_everything_still_verifies() {
    let (_directory, store) = store();
    let old: Vec<Recorded> = (0..600).map(|_| store.decide(DEFAULT_TENANT, "run", None)).collect();
    let before = Checkpoint::parse(store.evidence.checkpoint(DEFAULT_TENANT).unwrap().as_bytes()).unwrap();
    store.wait_days(31);
    let fresh = store.decide(DEFAULT_TENANT, "run", None);
    store.detect();
    assert_eq!(store.retain(DEFAULT_TENANT, 30).decisions, 600);
    assert!(old.iter().all(|recorded| store.dropped(recorded)) && !store.dropped(&fresh));
    assert!(store.retain(DEFAULT_TENANT, 30).is_nothing(), "once is enough");
    let report = store.verified(DEFAULT_TENANT);
    assert_eq!((report.status, report.details_dropped), (Status::Verified, 600), "{:?}", report.problems);
    assert!(report.notes.iter().any(|note| note.contains("600 decisions were dropped by retention")), "{report:?}");
    // A checkpoint and proofs from before are as good as they were.
    let size = before.statement().size;
    let now = report.receipts;
    assert!(store.evidence.consistency(DEFAULT_TENANT, size, now).unwrap().is_some());
    let proof = store.evidence.inclusion(DEFAULT_TENANT, &old[3].receipt.receipt_id, Some(size)).unwrap();
    assert!(proof.is_some());
    let mut watch = Watch::default();
    assert_eq!(store.evidence.check_chain(DEFAULT_TENANT, &mut watch, 10_000).unwrap(), Checked::Sound(now));
}

#[test]
fn graphs_show_what_is_left_and_say_so() {
    let (_directory, store) = store();
    let old = store.decide(DEFAULT_TENANT, "run", None);
    store.wait_days(2);
    store.decide(DEFAULT_TENANT, "run", None);
    store.detect();
    store.retain(DEFAULT_TENANT, 1);
    let graph = store.evidence.run_graph(DEFAULT_TENANT, "run", None).unwrap().unwrap();
    assert_eq!((graph.total_decisions, graph.details_dropped), (2, 1));
    let json = serde_json::to_value(&graph).unwrap();
    assert_eq!(json["details_dropped"], 1);
    let node = format!("decision:{}", old.decision.id);
    let node = graph.nodes.iter().find(|it| it.id == node).unwrap();
    assert!(node.metadata.as_ref().unwrap()["details_dropped_at"].is_string());
    let receipt = format!("receipt:{}", old.receipt.receipt_id);
    assert!(graph.nodes.iter().any(|it| it.id == receipt), "its receipt is still there");
    let shown = serde_json::to_value(store.evidence.decision(DEFAULT_TENANT, &old.decision.id).unwrap()).unwrap();
    assert!(shown["details_dropped_at"].is_string() && shown["user_id"].is_null() && shown["reason"] == "", "{shown}");
}

#[test]
fn what_somebody_may_still_have_to_look_at_stays() {
    let (_directory, store) = store();
    let plain = store.decide(DEFAULT_TENANT, "run", None);
    let waiting = store.decide(DEFAULT_TENANT, "run", Some(100 * DAY));
    let approved = store.decide(DEFAULT_TENANT, "run", Some(100 * DAY));
    let over = store.decide(DEFAULT_TENANT, "run", Some(60));
    let behind_open = store.decide(DEFAULT_TENANT, "run", None);
    let behind_closed = store.decide(DEFAULT_TENANT, "run", None);
    let (open, closed) = (store.incident(&behind_open), store.incident(&behind_closed));
    let (approval, incident) = (approved.approval.clone().unwrap().id, closed.clone());
    let written = store.evidence.write(move |ledger| {
        let answer = Answer { person: "kim".to_owned(), person_id: None, reason: None };
        ledger.approve(DEFAULT_TENANT, &approval, &answer, None)?;
        ledger.close_incident(DEFAULT_TENANT, &incident, "kim", "fine")
    });
    written.unwrap();
    store.wait_days(40);
    store.detect();
    let dropped = store.retain(DEFAULT_TENANT, 30);
    assert_eq!((dropped.decisions, dropped.approvals, dropped.incidents), (3, 1, 1), "{dropped:?}");
    for (recorded, is_dropped) in [
        (&plain, true),
        (&waiting, false),
        (&approved, false),
        (&over, true),
        (&behind_open, false),
        (&behind_closed, true),
    ] {
        assert_eq!(store.dropped(recorded), is_dropped, "{recorded:?}");
    }
    let shown = |recorded: &Recorded| {
        let id = &recorded.approval.as_ref().unwrap().id;
        store.evidence.approval(DEFAULT_TENANT, id).unwrap().unwrap().content.tool_call
    };
    assert!(shown(&over).is_null() && !shown(&waiting).is_null() && !shown(&approved).is_null());
    let graph = |id: &str| store.evidence.incident_graph(DEFAULT_TENANT, id, None).unwrap().unwrap();
    assert_eq!((graph(&open).total_decisions, graph(&open).details_dropped), (1, 0));
    assert_eq!((graph(&closed).total_decisions, graph(&closed).details_dropped), (0, 1));
    // What was held goes once nothing holds it.
    store.evidence.write(move |ledger| ledger.close_incident(DEFAULT_TENANT, &open, "kim", "fine")).unwrap();
    store.wait_days(100);
    store.detect();
    assert_eq!(store.retain(DEFAULT_TENANT, 30).decisions, 3);
    assert_eq!(store.verified(DEFAULT_TENANT).status, Status::Verified);
}

#[test]
fn what_detection_has_not_seen_and_what_is_anothers_stays() {
    let (_directory, store) = store();
    store.agent("other");
    let (own, others) = (store.decide(DEFAULT_TENANT, "run", None), store.decide("other", "run", None));
    store.wait_days(40);
    assert!(store.retain(DEFAULT_TENANT, 30).is_nothing(), "detection comes first");
    store.detect();
    assert_eq!(store.retain(DEFAULT_TENANT, 30).decisions, 1);
    assert!(store.dropped(&own) && !store.dropped(&others));
    let (own, others) = (store.verified(DEFAULT_TENANT), store.verified("other"));
    assert_eq!((own.details_dropped, others.details_dropped), (1, 0));
    assert!(matches!(store.evidence.retain("nobody", Moment::default(), "kim"), Err(Error::Unknown { .. })));
    let to_come = store.evidence.now().plus_seconds(DAY);
    assert!(matches!(store.evidence.retain(DEFAULT_TENANT, to_come, "kim"), Err(Error::Invalid { .. })));
}

#[test]
fn what_was_dropped_is_not_in_the_file() {
    let (directory, store) = store();
    for _ in 0..50 {
        store.decide(DEFAULT_TENANT, "run", Some(60));
    }
    store.wait_days(2);
    store.detect();
    assert_eq!(store.retain(DEFAULT_TENANT, 1).approvals, 50);
    drop(store);
    let bytes = std::fs::read(directory.path().join("evidence.db")).unwrap();
    let found = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    assert!(!found(b"\"title\":\"planted\"") && !found(b"{\"planted\":true}"));
}

#[test]
fn a_stop_in_the_middle_leaves_steps_that_are_whole() {
    let (directory, store) = store();
    for _ in 0..600 {
        store.decide(DEFAULT_TENANT, "run", None);
    }
    store.wait_days(2);
    store.detect();
    let before = store.evidence.now().plus_seconds(-DAY);
    // One step, as if the process had ended after it.
    let old = store.evidence.read(|connection| retention::old(connection, DEFAULT_TENANT, before, before, 0)).unwrap();
    let step = store.evidence.write(move |ledger| ledger.drop_details(DEFAULT_TENANT, &old, before, None, "kim"));
    let done = step.unwrap().decisions;
    assert!((1..600).contains(&done));
    let at = store.clock.load(Ordering::SeqCst);
    drop(store);
    let store = Store::open(directory.path(), at);
    assert_eq!(store.verified(DEFAULT_TENANT).details_dropped, done);
    assert_eq!(store.retain(DEFAULT_TENANT, 1).decisions, 600 - done);
    let report = store.verified(DEFAULT_TENANT);
    assert_eq!((report.status, report.details_dropped), (Status::Verified, 600));
}

#[test]
fn events_of_what_was_dropped_are_not_made_again() {
    let (_directory, store) = store();
    store.decide(DEFAULT_TENANT, "run", None);
    store.wait_days(2);
    let fresh = store.decide(DEFAULT_TENANT, "run", None);
    store.detect();
    store.retain(DEFAULT_TENANT, 1);
    let happened = store.evidence.happened(Some(DEFAULT_TENANT), Place::default(), Place::END, 10).unwrap();
    let ids: Vec<String> = happened.into_iter().map(|happened| happened.event.event_id).collect();
    assert_eq!(ids, [fresh.decision.id]);
    assert!(store.evidence.approvals(DEFAULT_TENANT, false, &Slice::default()).unwrap().items.is_empty());
}

#[test]
fn what_cannot_be_decided_because_rules_keep_changing_is_denied_on_record() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), 1_800_000_000_000_000);
    store.agent(DEFAULT_TENANT);
    let mut new = store.decided(DEFAULT_TENANT, "run", Some(60));
    new.rules_epoch += 1;
    let stale = new.clone();
    let decided = store.evidence.write(move |ledger| ledger.decide(stale));
    assert!(matches!(decided, Err(Error::Stale)), "{decided:?}");
    let denied = store.evidence.write(move |ledger| ledger.deny_stale(new)).unwrap();
    let denied = denied.recorded();
    let ruling = &denied.decision.ruling;
    assert_eq!((ruling.verdict, ruling.code.as_str(), &denied.approval), (Verdict::Deny, "rules_changing", &None));
    assert!(store.evidence.decision(DEFAULT_TENANT, &denied.decision.id).unwrap().is_some());
}
