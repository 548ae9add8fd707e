use std::io;
use std::sync::{Arc, LazyLock};

use jiff::Timestamp;
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::receipt::json::Object;
use crate::receipt::{Chain, Draft, Event, EventKind, Hash, Json, Sealed, Seed, SigningKey, Statement, merkle, sha256};

fn signer(byte: u8) -> Arc<SigningKey> {
    Arc::new(SigningKey::from_seed(&Seed::from_bytes([byte; 32])).unwrap())
}

fn keys(bytes: &[u8]) -> Keys {
    bytes.iter().map(|byte| signer(*byte).public().clone()).collect()
}

fn moment() -> Timestamp {
    "2026-01-02T03:04:05Z".parse().unwrap()
}

/// A chain that is signed by key 1, and from the given place on by key 2.
fn chain(size: u64, rotated_at: u64) -> Vec<Sealed> {
    let mut chain = Chain::new("default", None, Some(signer(1)));
    let draft = Draft::from(Event::new(EventKind::Policy));
    let seal = |number: u64| {
        let id = Uuid::from_u128(number.into());
        if number == rotated_at { chain.rotate(signer(2), id, moment()) } else { chain.seal(&draft, id, moment()) }
    };
    (0..size).map(seal).collect()
}

/// Long enough to be verified in two parts.
static LONG: LazyLock<Vec<String>> = LazyLock::new(|| lines(&chain(5000, 4500)));
static SHORT: LazyLock<Vec<String>> = LazyLock::new(|| lines(&chain(8, 5)));

static CHECKPOINT: LazyLock<Checkpoint> = LazyLock::new(|| checkpoint(8, 2, |_| ()));

fn lines(receipts: &[Sealed]) -> Vec<String> {
    receipts.iter().map(|receipt| receipt.json.clone()).collect()
}

/// A checkpoint over the first receipts, with something changed before it is signed.
fn checkpoint(size: usize, key: u8, change: impl FnOnce(&mut Statement)) -> Checkpoint {
    let receipts = chain(size as u64, 5);
    let mut tree = merkle::Frontier::default();
    receipts.iter().for_each(|receipt| tree.append(merkle::leaf(&receipt.hash), |_, _, _| ()));
    let last = receipts.last().map(|receipt| receipt.hash);
    let mut statement = Statement::new("default", tree.size(), tree.root(), last, moment());
    change(&mut statement);
    Checkpoint::parse(statement.seal(&signer(key)).json.as_bytes()).unwrap()
}

fn report<L: AsRef<str>>(lines: &[L], checkpoint: Option<&Checkpoint>) -> Report {
    let lines = lines.iter().map(|line| Ok::<_, io::Error>(line.as_ref().as_bytes()));
    verify(lines, &keys(&[1]), checkpoint).unwrap()
}

/// What is said of a list: the status, and each problem with its place in the list.
fn told<L: AsRef<str>>(lines: &[L], checkpoint: Option<&Checkpoint>) -> String {
    let report = report(lines, checkpoint);
    let problems = report.problems.iter().map(|problem| match problem.index {
        Some(index) => format!(" {}@{index}", problem.fault.name()),
        None => format!(" {}", problem.fault.name()),
    });
    problems.fold(report.status.name().to_owned(), |told, problem| told + &problem)
}

/// The hash of a body as the older form of receipts has it, which RFC 8785 agrees with where no number and no rare key is.
fn older_receipt(members: &[(&'static str, Option<&'static str>)]) -> Hash {
    let mut object = Object::default();
    members.iter().for_each(|(name, value)| object.set(*name, Json::from(*value)));
    sha256(object.canonical_without(&[]))
}

#[test]
fn the_worked_example_has_the_published_hashes_and_signature() {
    let first = [
        ("event_id", Some("11111111-1111-4111-8111-111111111111")),
        ("ts", Some("2026-01-02T03:04:05+00:00")),
        ("agent_id", Some("22222222-2222-4222-8222-222222222222")),
        ("user_id", None),
        ("run_id", Some("run_a")),
        ("trace_id", Some("trace_a")),
        ("tool", Some("github")),
        ("action", Some("merge_pull_request")),
        ("resource", Some("shop/api#12")),
        ("source_trust", Some("semi_trusted_customer")),
        ("decision", Some("require_approval")),
        ("approver", None),
        ("action_hash", Some("0fc36b87ff99be8067a70c200f784f92427d869fa582a61e0cf44a9b2e31a65d")),
        ("prev_receipt_hash", Some("")),
    ];
    let hash = older_receipt(&first);
    let expected = "c041740e6965a95938c79cc83e53efee35c9d7424ee7d5dbe8964d5fbc1a7931";
    assert_eq!(hash.hex(), expected);
    let changes = [
        ("event_id", "33333333-3333-4333-8333-333333333333"),
        ("ts", "2026-01-02T03:04:06+00:00"),
        ("action", "get_pull_request"),
        ("source_trust", "trusted_internal_signed"),
        ("decision", "allow"),
        ("action_hash", "ea23b9be7b581a370ed34c7b23bdc902c95c8e46c10c84dd496939a3f690f31e"),
        ("prev_receipt_hash", expected),
    ];
    let changed = |(name, value)| (name, changes.iter().find(|change| change.0 == name).map_or(value, |it| Some(it.1)));
    let second = older_receipt(&first.map(changed));
    assert_eq!(second.hex(), "9e338433be5daa5fa718ea8f84794bf917499a2e516ddc6a990c8d34de5eb36c");
    let key = SigningKey::from_seed(&Seed::from_bytes(std::array::from_fn(|index| index as u8))).unwrap();
    assert_eq!(
        key.sign(&hash),
        "36594a39604dd705f2f6bb271616247334e90851c425193850f6338a4abcd42e\
         29f6b60b190ec10ccece11602dfb3743618cad79d8a8365bc7a752ac3c18b401"
    );
}

#[test]
fn a_long_chain_is_verified_in_parts() {
    let report = report(&LONG, None);
    assert_eq!(
        (report.status, report.receipts, report.first, report.last),
        (Status::Verified, 5000, Some(0), Some(4999))
    );
    let uses: Vec<(&str, u64)> = report.signed_by.iter().map(|key| (key.key_id.as_str(), key.receipts)).collect();
    assert_eq!(uses, [(signer(1).public().id(), 4501), (signer(2).public().id(), 499)]);
    assert_eq!(report.notes, ["without a checkpoint, receipts that are missing at the end don't show"]);
    let mut tree = merkle::Frontier::default();
    chain(5000, 4500).iter().for_each(|receipt| tree.append(merkle::leaf(&receipt.hash), |_, _, _| ()));
    assert_eq!(report.root, Some(tree.root()));
}

#[test]
fn problems_are_found_where_parts_meet() {
    let mut lines = LONG.clone();
    lines[4095] = lines[4095].replace(r#""kind":"policy""#, r#""kind":"mcp""#);
    lines.remove(4096);
    lines.swap(4190, 4191);
    lines.insert(4400, lines[10].clone());
    assert_eq!(told(&lines, None), "failed altered@4095 gap@4096 out_of_order@4191 repeated@4400");
}

#[test]
fn a_list_with_its_newest_receipt_first_is_turned_round() {
    let mut lines = LONG.clone();
    lines.reverse();
    let turned = report(&lines, None);
    assert_eq!((turned.status, turned.newest_first, turned.last), (Status::Verified, true, Some(4999)));
    assert_eq!(Report { newest_first: false, ..turned }, report(&LONG, None));
    lines[0] = lines[0].replace(r#""kind":"policy""#, r#""kind":"mcp""#);
    assert_eq!(told(&lines, None), "failed altered@0");
    let last = lines.len() - 1;
    lines.swap(last, last - 1);
    assert!(!report(&lines, None).newest_first, "not the whole list is");
}

#[test]
fn all_is_counted_and_the_first_are_told() {
    let lines: Vec<String> = LONG.iter().map(|line| line.replace(r#""kind":"policy""#, r#""kind":"mcp""#)).collect();
    let report = report(&lines, None);
    assert_eq!((report.problems.len(), report.total()), (PROBLEMS_KEPT, 4999));
    assert!(report.problems.iter().map(|problem| problem.index).eq((0..100).map(Some)));
}

#[test]
fn every_second_receipt_missing_is_as_many_gaps() {
    let lines: Vec<&String> = LONG.iter().step_by(2).collect();
    let report = report(&lines, None);
    assert_eq!(report.counts[&Fault::Gap], 2499);
    assert!(report.problems.iter().take(50).map(|problem| problem.index).eq((1..51).map(Some)));
}

#[test]
fn a_list_may_begin_in_the_middle() {
    let lines: Vec<&String> = SHORT[2..].iter().collect();
    let found = report(&lines, None);
    assert_eq!((found.status, found.first, found.root), (Status::Verified, Some(2), None));
    assert_eq!(found.notes[0], "the chain before sequence 2 is not part of this list");
    assert_eq!(told(&SHORT[6..], None), "failed wrong_key@0 wrong_key@1", "who handed over to key 2 is not seen");
    assert_eq!(told(&SHORT[7..7], None), "empty");
}

#[test]
fn a_checkpoint_is_compared() {
    let agrees = |lines: &[String], size, key| {
        let report = report(lines, Some(&checkpoint(size, key, |_| ())));
        (report.status, report.checkpoint, report.notes)
    };
    let ok = |size, notes: &[&str]| {
        let notes = notes.iter().map(|note| (*note).to_owned()).collect::<Vec<_>>();
        (Status::Verified, CheckpointOutcome::Agrees { size }, notes)
    };
    assert_eq!(agrees(&SHORT, 8, 2), ok(8, &[]));
    assert_eq!(agrees(&SHORT, 3, 1), ok(3, &["the checkpoint covers 3 receipts, not the 5 after them"]));
    assert_eq!(agrees(&SHORT, 6, 1), ok(6, &["the checkpoint covers 6 receipts, not the 2 after them"]));
    assert_eq!(agrees(&SHORT[2..], 8, 2), ok(8, &["the chain before sequence 2 is not part of this list"]));
}

#[test]
fn a_checkpoint_that_does_not_fit_is_told() {
    let check = |lines: &[String], checkpoint: &Checkpoint, expected: &str| {
        assert_eq!(told(lines, Some(checkpoint)), expected);
        assert_eq!(report(lines, Some(checkpoint)).checkpoint, CheckpointOutcome::Disagrees);
    };
    let fits = checkpoint(8, 2, |_| ());
    check(&SHORT[..7], &fits, "failed truncated");
    check(&SHORT[..0], &fits, "failed bad_checkpoint"); // Who handed over to key 2 is not seen.
    check(&[], &checkpoint(3, 1, |_| ()), "failed truncated");
    check(&SHORT, &checkpoint(8, 2, |it| it.root = sha256("other")), "failed rewritten");
    check(&SHORT, &checkpoint(8, 2, |it| it.last = Some(sha256("other"))), "failed rewritten");
    check(&SHORT[1..], &checkpoint(8, 2, |it| it.last = Some(sha256("other"))), "failed rewritten");
    check(&SHORT, &checkpoint(8, 3, |_| ()), "failed bad_checkpoint");
    check(&SHORT, &checkpoint(8, 1, |_| ()), "failed bad_checkpoint"); // Key 1 had handed over.
    check(&SHORT[4..], &checkpoint(4, 1, |_| ()), "failed checkpoint_outside");
    let others = checkpoint(8, 2, |it| it.tenant = "other".to_owned());
    assert!(told(&SHORT, Some(&others)).starts_with("failed other_tenant@0 other_tenant@1"));
    let mut without_last = SHORT.clone();
    without_last.remove(3);
    check(&without_last, &checkpoint(4, 1, |_| ()), "failed gap@3");
}

#[test]
fn a_line_that_cannot_be_got_is_no_verdict() {
    let lines = [Ok(SHORT[0].as_bytes()), Err(io::Error::other("unplugged"))];
    assert_eq!(verify(lines, &keys(&[1]), None).unwrap_err().to_string(), "unplugged");
}

#[test]
fn a_handing_over_that_is_forged_is_not_followed() {
    let mut lines = SHORT.clone();
    lines[5] = lines[5].replace(&signer(2).public().hex(), &signer(3).public().hex());
    assert_eq!(told(&lines, None), "failed malformed@5 altered@5 wrong_key@6 wrong_key@7");
    let unsigned = SHORT[5].replace(r#""signature":""#, r#""signature":"0"#);
    lines[5] = unsigned;
    assert_eq!(told(&lines, None), "failed bad_signature@5 wrong_key@6 wrong_key@7");
}

#[test]
fn spaces_and_other_orders_of_members_change_nothing() {
    let rewritten: Vec<String> = SHORT
        .iter()
        .map(|line| {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            let members: Vec<String> =
                object.as_object().unwrap().iter().rev().map(|(key, value)| format!("\"{key}\" : {value}")).collect();
            format!("{{ {} }}", members.join(" , "))
        })
        .collect();
    assert_eq!(told(&rewritten, Some(&checkpoint(8, 2, |_| ()))), "verified");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_byte_can_be_changed(line in 0_usize..8, place in any::<prop::sample::Index>(), byte in 0x20_u8..0x7f) {
        let mut lines: Vec<Vec<u8>> = SHORT.iter().map(|line| line.clone().into_bytes()).collect();
        let place = place.index(lines[line].len());
        prop_assume!(lines[line][place] != byte);
        lines[line][place] = byte;
        let report = verify(lines.iter().map(Ok::<_, io::Error>), &keys(&[1]), None).unwrap();
        prop_assert!(report.status == Status::Failed, "{}", String::from_utf8_lossy(&lines[line]));
    }

    #[test]
    fn no_line_can_be_moved_repeated_or_left_out(order in prop::collection::vec(0_usize..8, 0..10)) {
        // A list may begin in the middle, as long as the receipt that hands over to key 2 is in it.
        let is_whole = (0..=5).any(|first| order.iter().copied().eq(first..8) || order.iter().copied().eq((first..8).rev()));
        let lines: Vec<&String> = order.iter().map(|index| &SHORT[*index]).collect();
        let report = report(&lines, Some(&CHECKPOINT));
        prop_assert_eq!(report.status == Status::Verified, is_whole, "{:?}", order);
    }
}
