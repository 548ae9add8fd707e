//! What people decide about findings and nodes: who, why, from when and until when, and that nothing takes it away.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rusqlite::Connection;
use tracehound_graph::{
    Access, Error, Estate, Limits, MarkDecision, MarkRecord, Moment, Triage, TriageDecision, TriageRecord,
};
use tracehound_model::{Fingerprint, Mark, NodeId, Severity, TriageState};

use crate::estate::{Dump, Home, document, moment, now, try_open};

const SCAN: &str = "s1 mcp@m t=1\n MCPServer X\n MCPTool T\n X PROVIDES_TOOL T";

/// The finding that a name stands for.
fn finding(name: &str) -> Fingerprint {
    let node = NodeId::from_wire(name);
    Fingerprint::new("some-rule", &node, &node)
}

/// A decision from a few words: `finding state at`, and `until` when it expires.
fn decision(words: &str) -> TriageDecision {
    let words: Vec<&str> = words.split_whitespace().collect();
    let time = |text: &str| moment(text.parse().unwrap());
    TriageDecision {
        fingerprint: finding(words[0]),
        state: TriageState::from_name(words[1]).unwrap(),
        reason: format!("{} is {}", words[0], words[1]),
        author: "ann".to_owned(),
        at: time(words[2]),
        expires: words.get(3).map(|until| time(until)),
        severity: None,
    }
}

fn decisions(lines: &[&str]) -> Vec<TriageDecision> {
    lines.iter().map(|line| decision(line)).collect()
}

fn triaged(lines: &[&str]) -> Home {
    let mut home = Home::with(&[SCAN]);
    home.estate.triage(&decisions(lines)).unwrap();
    home
}

/// How findings A to C stood, as `name state` and `expired` if so; nothing of those nobody decided about.
fn stood(estate: &Estate, at: Moment) -> Vec<String> {
    let all = estate.triage_at(at).unwrap();
    let line = |name: &&str| {
        let triage = all.get(&finding(name))?;
        Some(format!("{name} {}{}", triage.state, if triage.is_expired { " expired" } else { "" }))
    };
    let lines: Vec<String> = ["A", "B", "C"].iter().filter_map(line).collect();
    assert_eq!(lines.len(), all.len(), "{all:?}");
    lines
}

/// After these decisions, findings stood so at each of these moments.
#[track_caller]
fn check(lines: &[&str], expected: &[(i64, &[&str])]) {
    let home = triaged(lines).reopened();
    for (at, standing) in expected {
        assert_eq!(stood(&home.estate, moment(*at)), *standing, "at {at}");
    }
}

fn states(estate: &Estate, name: &str) -> Vec<&'static str> {
    estate.triage_history(&finding(name)).unwrap().iter().map(|record| record.state.name()).collect()
}

#[test]
fn what_nobody_decided_about_is_not_there() {
    check(&[], &[(0, &[]), (i64::from(i32::MAX), &[])]);
    assert_eq!(states(&triaged(&["A confirmed 1"]).estate, "B"), [""; 0]);
}

#[test]
fn a_decision_is_kept_with_who_why_and_when() {
    let mut home = Home::new();
    let given = TriageDecision {
        reason: "the service is\0 \"ours\"; 已知".to_owned(),
        author: "Ann <ann@example.com>".to_owned(),
        severity: Some(Severity::Medium),
        ..decision("A accepted-risk 5 9")
    };
    home.estate.triage(std::slice::from_ref(&given)).unwrap();
    let TriageDecision { fingerprint, state, reason, author, at, expires, severity } = given;
    let record = TriageRecord { state, reason, author, at, expires, severity };
    let estate = home.reopened().estate;
    assert_eq!(estate.triage_history(&fingerprint).unwrap(), std::slice::from_ref(&record));
    let standing = Triage { state, is_expired: false, record };
    assert_eq!(estate.triage_at(moment(6)).unwrap(), BTreeMap::from([(fingerprint, standing)]));
}

#[test]
fn a_decision_that_lets_a_finding_stay_holds_up_to_how_bad_it_was() {
    let standing = |state: &str, severity: Option<Severity>| {
        let mut home = Home::new();
        home.estate.triage(&[TriageDecision { severity, ..decision(&format!("A {state} 1")) }]).unwrap();
        let triage = home.estate.triage_at(moment(2)).unwrap().remove(&finding("A")).unwrap();
        [Severity::Low, Severity::Medium, Severity::High].map(|severity| triage.state_at(severity).name())
    };
    let medium = Some(Severity::Medium);
    assert_eq!(standing("accepted-risk", medium), ["accepted-risk", "accepted-risk", "new"]);
    assert_eq!(standing("false-positive", medium), ["false-positive", "false-positive", "new"]);
    assert_eq!(standing("confirmed", medium), ["confirmed"; 3]);
    assert_eq!(standing("accepted-risk", None), ["accepted-risk"; 3], "nobody noted how bad it was");
}

#[test]
fn every_state_is_read_back_as_it_was_written() {
    for state in TriageState::ALL {
        check(&[&format!("A {state} 1")], &[(1, &[&format!("A {state}")])]);
    }
}

#[test]
fn a_moment_shows_what_was_in_force_then() {
    check(
        &["A triaging 1", "B confirmed 2", "A accepted-risk 3", "A new 5"],
        &[
            (0, &[]),
            (1, &["A triaging"]),
            (2, &["A triaging", "B confirmed"]),
            (4, &["A accepted-risk", "B confirmed"]),
            (5, &["A new", "B confirmed"]),
        ],
    );
}

#[test]
fn a_decision_ends_at_its_expiry_and_is_still_shown() {
    let lines = ["A confirmed 1", "A accepted-risk 2 4", "B false-positive 2 3"];
    check(
        &lines,
        &[
            (2, &["A accepted-risk", "B false-positive"]),
            (3, &["A accepted-risk", "B new expired"]),
            (4, &["A new expired", "B new expired"]),
        ],
    );
    let home = triaged(&lines);
    let expired = &home.estate.triage_at(moment(9)).unwrap()[&finding("A")];
    let TriageRecord { state, expires, .. } = expired.record;
    assert_eq!((state, expires), (TriageState::AcceptedRisk, Some(moment(4))));
}

#[test]
fn a_decision_after_an_expired_one_is_in_force() {
    check(&["A accepted-risk 1 2", "A accepted-risk 3 5"], &[(2, &["A new expired"]), (4, &["A accepted-risk"])]);
}

/// A clock that was put right does not bring back what somebody has revoked.
#[test]
fn of_two_decisions_the_one_that_was_recorded_later_counts() {
    check(&["A false-positive 5", "A confirmed 3"], &[(4, &["A confirmed"]), (6, &["A confirmed"])]);
    check(&["A false-positive 5", "A confirmed 5"], &[(5, &["A confirmed"])]);
}

#[test]
fn history_is_told_whole_and_in_order() {
    let mut home = triaged(&["A triaging 1", "B confirmed 1", "A accepted-risk 2 3"]);
    home.estate.triage(&decisions(&["A confirmed 9"])).unwrap();
    let estate = home.reopened().estate;
    assert_eq!(states(&estate, "A"), ["triaging", "accepted-risk", "confirmed"]);
    assert_eq!(states(&estate, "B"), ["confirmed"]);
}

#[test]
fn decisions_and_marks_survive_deletion_and_new_scans_and_leave_the_graph_alone() {
    let mut home = Home::with(&[SCAN]);
    let before = Dump::of(&home.now());
    home.estate.triage(&decisions(&["A accepted-risk 1"])).unwrap();
    mark(&mut home.estate, "T", Some(Mark::Owned), 1);
    assert_eq!(Dump::of(&home.now()), before);
    let is_kept = |estate: &Estate| {
        assert_eq!(stood(estate, now()), ["A accepted-risk"]);
        assert_eq!(marks(estate, 9), ["T owned"]);
    };
    home.take("s2 mcp@m t=2 covers=X\n MCPServer X");
    is_kept(&home.estate);
    home.estate.delete_scans(&["s1", "s2"]).unwrap();
    assert_eq!(home.now().node_count(), 0);
    is_kept(&home.estate);
    let mut home = home.reopened();
    home.take(SCAN);
    is_kept(&home.estate);
    assert_eq!(Dump::of(&home.now()), before);
}

#[test]
fn decisions_and_acknowledged_changes_do_not_touch_each_other() {
    let seen = |scan: &str, hash: &str| format!("{scan} mcp@m t={}\n MCPTool T description_hash={hash}", &scan[1..]);
    let mut home = Home::with(&[seen("s1", "one"), seen("s2", "two")]);
    let changes = home.now().changes().to_vec();
    assert_eq!(changes.len(), 1);
    home.estate.triage(&decisions(&["A confirmed 1"])).unwrap();
    mark(&mut home.estate, "T", Some(Mark::Owned), 1);
    assert_eq!(home.now().changes().len(), 1);
    home.estate.acknowledge(&changes, "ann", "seen", now()).unwrap();
    assert_eq!(home.now().changes().len(), 0);
    assert_eq!(stood(&home.estate, now()), ["A confirmed"]);
    assert_eq!(marks(&home.estate, 9), ["T owned"]);
}

#[test]
fn tenants_decide_for_themselves() {
    let directory = tempfile::tempdir().unwrap();
    let tenant = |name: &str| Estate::open(directory.path(), name, Access::Write, Limits::default()).unwrap();
    tenant("red").triage(&decisions(&["A confirmed 1", "B triaging 1"])).unwrap();
    tenant("blue").triage(&decisions(&["A false-positive 2"])).unwrap();
    mark(&mut tenant("red"), "T", Some(Mark::Owned), 1);
    assert_eq!(stood(&tenant("red"), now()), ["A confirmed", "B triaging"]);
    assert_eq!(stood(&tenant("blue"), now()), ["A false-positive"]);
    assert_eq!(stood(&tenant("green"), now()), [""; 0]);
    assert_eq!(states(&tenant("red"), "A"), ["confirmed"]);
    assert_eq!(states(&tenant("blue"), "A"), ["false-positive"]);
    assert_eq!(marks(&tenant("red"), 1), ["T owned"]);
    assert_eq!(marks(&tenant("blue"), 1), [""; 0]);
}

/// A list with this as its second decision is refused whole, with these words.
#[track_caller]
fn check_refused(bad: TriageDecision, words: &str) {
    let mut home = triaged(&["A triaging 1"]);
    let refused = home.estate.triage(&[decision("A confirmed 2"), bad, decision("B confirmed 2")]).unwrap_err();
    assert!(refused.to_string().contains(words), "{refused}");
    assert_eq!(stood(&home.reopened().estate, now()), ["A triaging"]);
}

#[test]
fn a_bad_decision_takes_the_whole_list_with_it() {
    let good = || decision("C accepted-risk 5 6");
    let name = finding("C");
    let reason = format!("the reason given for `{name}` has 4098 bytes, and at most 4096 are kept");
    check_refused(TriageDecision { reason: "é".repeat(2049), ..good() }, &reason);
    let author = format!("the author given for `{name}` has 257 bytes, and at most 256 are kept");
    check_refused(TriageDecision { author: "a".repeat(257), ..good() }, &author);
    let ends = format!("the decision about `{name}` would end at 2026-01-01T00:00:05Z, which is not later");
    check_refused(TriageDecision { expires: Some(moment(5)), ..good() }, &ends);
    check_refused(TriageDecision { expires: Some(moment(4)), ..good() }, "would end at");
}

#[test]
fn what_is_just_within_the_limits_is_kept() {
    let mut home = Home::new();
    let last = Moment(moment(5).0 + 1);
    let given = TriageDecision {
        reason: "é".repeat(2048),
        author: "a".repeat(256),
        expires: Some(last),
        ..decision("A accepted-risk 5")
    };
    home.estate.triage(std::slice::from_ref(&given)).unwrap();
    assert_eq!(home.estate.triage_at(moment(5)).unwrap()[&finding("A")].record.reason, given.reason);
    assert_eq!(stood(&home.estate, last), ["A new expired"]);
}

#[test]
fn a_reader_reads_decisions_and_can_not_make_any() {
    let home = triaged(&["A confirmed 1"]);
    let mut reader = try_open(home.directory.path(), Access::Read).unwrap();
    assert!(matches!(reader.triage(&decisions(&["A new 2"])), Err(Error::ReadOnly)));
    assert!(matches!(reader.mark(&[]), Err(Error::ReadOnly)));
    assert_eq!(stood(&reader, now()), ["A confirmed"]);
}

/// A decision that can't be understood neither hides a finding nor is passed over.
#[test]
fn damaged_decisions_are_told() {
    for (damage, words) in [
        ("status = 'fine'", "has the unknown status `fine`"),
        ("subject = '[\"finding\",7]'", "is about nothing known"),
        ("subject = '[\"finding\",\"'", "is about nothing known"),
        ("subject = '[\"node\",\"T\"]'", "has the unknown status `confirmed`"),
    ] {
        let Home { directory, estate } = triaged(&["A confirmed 1"]);
        drop(estate);
        let connection = Connection::open(directory.path().join("estate.db")).unwrap();
        connection.execute(&format!("UPDATE triage SET {damage}"), []).unwrap();
        drop(connection);
        let estate = try_open(directory.path(), Access::Read).unwrap();
        let refused = estate.triage_at(now()).map(drop).and_then(|()| estate.marks_at(now()).map(drop)).unwrap_err();
        assert!(matches!(refused, Error::Damaged { .. }), "{refused:?}");
        assert!(refused.to_string().contains(words), "{refused}");
    }
}

fn mark(estate: &mut Estate, node: &str, mark: Option<Mark>, at: i64) {
    let (node, reason, author) = (NodeId::from_wire(node), "because".to_owned(), "ann".to_owned());
    estate.mark(&[MarkDecision { node, mark, reason, author, at: moment(at) }]).unwrap();
}

fn marks(estate: &Estate, at: i64) -> Vec<String> {
    estate.marks_at(moment(at)).unwrap().iter().map(|(node, mark)| format!("{node} {mark}")).collect()
}

#[test]
fn a_node_has_the_mark_that_it_got_last_until_it_is_taken_away() {
    let mut home = Home::new();
    for (node, given, at) in [
        ("T", Some(Mark::Owned), 1),
        ("R", Some(Mark::CrownJewel), 2),
        ("T", Some(Mark::CrownJewel), 3),
        ("T", None, 4),
        ("never", None, 4),
    ] {
        mark(&mut home.estate, node, given, at);
    }
    let estate = home.reopened().estate;
    assert_eq!(marks(&estate, 0), [""; 0]);
    assert_eq!(marks(&estate, 1), ["T owned"]);
    assert_eq!(marks(&estate, 3), ["R crown-jewel", "T crown-jewel"]);
    assert_eq!(marks(&estate, 4), ["R crown-jewel"]);
    let record = |mark, at| {
        let (reason, author) = ("because".to_owned(), "ann".to_owned());
        MarkRecord { mark, reason, author, at: moment(at) }
    };
    let expected = [record(Some(Mark::Owned), 1), record(Some(Mark::CrownJewel), 3), record(None, 4)];
    assert_eq!(estate.mark_history(&NodeId::from_wire("T")).unwrap(), expected);
}

#[test]
fn any_id_can_be_marked() {
    let mut home = Home::new();
    let ids = ["\u{10ffff}", "a\0b", "a", "[\"finding\",\"x\"]", "\"", "é"];
    for id in ids {
        mark(&mut home.estate, id, Some(Mark::Owned), 1);
    }
    let marked = home.estate.marks_at(now()).unwrap();
    let mut expected = ids.map(NodeId::from_wire);
    expected.sort();
    assert!(marked.keys().eq(&expected), "{marked:?}");
    assert_eq!(stood(&home.estate, now()), [""; 0]);
}

#[test]
fn a_bad_mark_takes_the_whole_list_with_it() {
    let good = |node: &str| MarkDecision {
        node: NodeId::from_wire(node),
        mark: Some(Mark::Owned),
        reason: String::new(),
        author: String::new(),
        at: moment(1),
    };
    let mut home = Home::new();
    for (bad, what) in [
        (MarkDecision { reason: "r".repeat(4097), ..good("T") }, "reason"),
        (MarkDecision { author: "a".repeat(257), ..good("T") }, "author"),
        (good(&"n".repeat(4097)), "id"),
    ] {
        let refused = home.estate.mark(&[good("R"), bad]).unwrap_err();
        assert!(matches!(refused, Error::TooLong { what: told, .. } if told == what), "{refused:?}");
        assert!(refused.to_string().len() < 300, "{refused}");
    }
    assert_eq!(marks(&home.estate, 9), [""; 0]);
}

/// Findings A to C, any state, a time, and for how long.
fn any_decision() -> impl Strategy<Value = TriageDecision> {
    let name = prop::sample::select(vec!["A", "B", "C"]);
    let state = prop::sample::select(TriageState::ALL.to_vec());
    (name, state, 0..8_i64, prop::option::of(1..5_i64)).prop_map(|(name, state, at, holds)| TriageDecision {
        state,
        expires: holds.map(|holds| moment(at + holds)),
        ..decision(&format!("{name} new {at}"))
    })
}

/// The same by going through the list.
fn stood_naively(decisions: &[TriageDecision], name: &str, at: Moment) -> Option<String> {
    let fingerprint = finding(name);
    let latest = decisions.iter().rfind(|decision| decision.fingerprint == fingerprint && decision.at <= at)?;
    let is_over = latest.expires.is_some_and(|expires| at >= expires);
    Some(if is_over { format!("{name} new expired") } else { format!("{name} {}", latest.state) })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_moment_shows_what_going_through_the_list_shows(
        first in prop::collection::vec(any_decision(), 0..12),
        second in prop::collection::vec(any_decision(), 0..12),
    ) {
        let mut home = Home::new();
        home.estate.triage(&first).unwrap();
        home.estate.ingest(&document(SCAN), now()).unwrap();
        home.estate.triage(&second).unwrap();
        let all = [first, second].concat();
        for at in (0..14).map(moment) {
            let expected: Vec<String> = ["A", "B", "C"].iter().filter_map(|name| stood_naively(&all, name, at)).collect();
            prop_assert_eq!(stood(&home.estate, at), expected);
        }
    }
}
