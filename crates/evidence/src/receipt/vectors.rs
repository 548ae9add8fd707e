//! The test vectors in `vectors/receipts`: made here from published seeds, so that anybody can make them again, and verified
//! against what is written beside each by hand.
//!
//! With `TRACEHOUND_WRITE_VECTORS` set in the environment the test writes them.

mod example;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs};

use serde_json::{Value, json};

use super::*;
use example::{Example, signer};

/// A list of receipts and what is to be said of it.
struct Vector {
    name: &'static str,
    what: &'static str,
    lines: Vec<String>,
    key: &'static str,
    with_checkpoint: bool,
    status: Status,
    /// Each with its place in the list, unless it is about the whole.
    problems: Vec<(Fault, Option<u64>)>,
}

impl Vector {
    fn new(name: &'static str, what: &'static str, lines: Vec<String>) -> Self {
        let (status, problems) = (Status::Verified, Vec::new());
        Self { name, what, lines, key: "key.pub", with_checkpoint: false, status, problems }
    }

    fn with_checkpoint(self) -> Self {
        Self { with_checkpoint: true, ..self }
    }

    fn failed(self, problems: &[(Fault, u64)]) -> Self {
        let problems = problems.iter().map(|(fault, index)| (*fault, Some(*index))).collect();
        Self { status: Status::Failed, problems, ..self }
    }

    fn failed_as_a_whole(self, fault: Fault) -> Self {
        Self { status: Status::Failed, problems: vec![(fault, None)], ..self }
    }

    fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    fn expected(&self) -> Value {
        let problem = |(fault, index): &(Fault, Option<u64>)| json!({ "fault": fault, "index": index });
        json!({
            "file": format!("{}.jsonl", self.name),
            "what": self.what,
            "key": self.key,
            "checkpoint": self.with_checkpoint.then_some("checkpoint.json"),
            "status": self.status,
            "problems": self.problems.iter().map(problem).collect::<Vec<_>>(),
        })
    }
}

/// A receipt with a member set to another value, and nothing else done.
fn altered(lines: &[String], index: usize, member: &str, value: Value) -> Vec<String> {
    let mut lines = lines.to_vec();
    let mut object: Value = serde_json::from_str(&lines[index]).unwrap();
    assert_ne!(object[member], value, "{member}");
    object[member] = value;
    lines[index] = serde_json_canonicalizer::to_string(&object).unwrap();
    lines
}

/// A receipt with a member set to another value and its hash made to fit, by somebody without the key.
fn rehashed(lines: &[String], index: usize, member: &str, value: Value) -> Vec<String> {
    let lines = altered(lines, index, member, value);
    let hash = Receipt::parse(lines[index].as_bytes()).unwrap().actual_hash();
    altered(&lines, index, "receipt_hash", hash.hex().into())
}

fn without(lines: &[String], index: usize) -> Vec<String> {
    let mut lines = lines.to_vec();
    lines.remove(index);
    lines
}

fn inserted(lines: &[String], index: usize, line: String) -> Vec<String> {
    let mut lines = lines.to_vec();
    lines.insert(index, line);
    lines
}

fn swapped(lines: &[String], left: usize, right: usize) -> Vec<String> {
    let mut lines = lines.to_vec();
    lines.swap(left, right);
    lines
}

fn good_vectors(good: &[String]) -> Vec<Vector> {
    let reversed = good.iter().rev().cloned().collect();
    let middle =
        Vector::new("good_from_the_middle", "the chain after the keys changed, with the later key", good[7..].to_vec());
    vec![
        Vector::new("good", "a chain of every kind of receipt, in which the keys change", good.to_vec())
            .with_checkpoint(),
        Vector::new("good_newest_first", "the same, newest first, as the API lists it", reversed).with_checkpoint(),
        Vector { key: "next_key.pub", ..middle },
    ]
}

fn unsigned_vectors(good: &[String]) -> Vec<Vector> {
    let unsigned = Example::new(None).lines();
    let all = (0..unsigned.len() as u64).map(|index| (Fault::Unsigned, Some(index))).collect();
    let one = altered(good, 2, "signature", Value::Null);
    let vector = Vector::new("unsigned", "a chain that nobody signed", unsigned);
    let stripped = Vector::new("signature_removed", "a receipt whose signature was taken away", one);
    vec![
        Vector { status: Status::Unsigned, problems: all, ..vector },
        Vector { status: Status::Unsigned, problems: vec![(Fault::Unsigned, Some(2))], ..stripped },
        Vector { status: Status::Empty, ..Vector::new("empty", "no receipt at all", Vec::new()) },
    ]
}

fn altered_vectors(good: &[String]) -> Vec<Vector> {
    use Fault::{Altered, BadSignature, BrokenLink, OtherTenant};
    let vector = |name, member: &str, value: Value| {
        Vector::new(name, "a receipt with another value", altered(good, 2, member, value)).failed(&[(Altered, 2)])
    };
    let policies = json!([{ "hash": "00", "name": "allow_all", "version": 1 }]);
    vec![
        vector("altered_reason", "reason", "nothing to see".into()),
        vector("altered_decision", "decision", "allow".into()),
        vector("altered_decision_id", "decision_id", "00000000-0000-4000-8000-00000000ffff".into()),
        vector("altered_approver", "approver", "nobody".into()),
        vector("altered_policies", "policies", policies),
        vector("altered_risk_score", "risk_score", 1.into()),
        vector("altered_argument_hash", "argument_hash", "00".repeat(32).into()),
        vector("altered_ts", "ts", "2026-01-02T03:04:05.000000Z".into()),
        vector("added_member", "extra", "unseen".into()),
        Vector::new(
            "altered_tenant_id",
            "a receipt given to another tenant",
            altered(good, 2, "tenant_id", "other".into()),
        )
        // Without it the one before the next is missing.
        .failed(&[(Altered, 2), (OtherTenant, 2), (Fault::Gap, 3)]),
        Vector::new(
            "rehashed",
            "another value, and the hash made to fit it",
            rehashed(good, 2, "reason", "nothing".into()),
        )
        .failed(&[(BadSignature, 2), (BrokenLink, 3)]),
    ]
}

fn chain_vectors(good: &[String]) -> Vec<Vector> {
    use Fault::{Fork, Gap, OtherTenant, OutOfOrder, Repeated};
    let other_branch = Example::new(Some(signer(0))).branch().lines()[4].clone();
    let stranger = Example::new(Some(signer(0))).of_tenant("other").lines()[3].clone();
    vec![
        Vector::new("gap", "a receipt is missing", without(good, 4)).failed(&[(Gap, 4)]),
        Vector::new("gap_at_the_keys", "the receipt that hands over to the next key is missing", without(good, 6))
            .failed(&[
                (Gap, 6),
                (Fault::WrongKey, 6),
                (Fault::WrongKey, 7),
                (Fault::WrongKey, 8),
                (Fault::WrongKey, 9),
                (Fault::WrongKey, 10),
            ]),
        Vector::new("fork", "two receipts of one place, both signed", inserted(good, 5, other_branch))
            .failed(&[(Fork, 5)]),
        Vector::new("repeated", "a receipt that is there twice", inserted(good, 5, good[4].clone()))
            .failed(&[(Repeated, 5)]),
        Vector::new("reordered", "two receipts that changed places", swapped(good, 3, 4)).failed(&[(OutOfOrder, 4)]),
        Vector::new("other_tenant", "another tenant's receipt in between", inserted(good, 4, stranger))
            .failed(&[(OtherTenant, 4)]),
        Vector::new("truncated", "the end is missing", good[..10].to_vec())
            .with_checkpoint()
            .failed_as_a_whole(Fault::Truncated),
        Vector::new(
            "swapped_tail",
            "another end, signed with the right keys",
            Example::new(Some(signer(0))).branch().lines(),
        )
        .with_checkpoint()
        .failed_as_a_whole(Fault::Rewritten),
    ]
}

fn key_vectors(good: &[String]) -> Vec<Vector> {
    use Fault::{BadSignature, WrongKey};
    let foreign = Example::new(Some(signer(7))).lines();
    let borrowed: Vec<String> =
        foreign.iter().map(|line| line.replace(signer(7).public().id(), signer(0).public().id())).collect();
    let every = |fault: Fault, indexes: std::ops::Range<u64>| indexes.map(|index| (fault, index)).collect::<Vec<_>>();
    let retired = Example::new(Some(signer(0))).without_handing_over().lines();
    let wrong_signature = altered(good, 2, "signature", "00".repeat(64).into());
    vec![
        Vector::new("wrong_key", "a chain that is signed with another key", foreign).failed(&every(WrongKey, 0..12)),
        Vector::new("borrowed_key_id", "the same under the trusted key's id", borrowed)
            .failed(&[every(BadSignature, 0..7), every(WrongKey, 7..12)].concat()),
        Vector::new("retired_key", "the old key signs on after it handed over", retired)
            .failed(&every(WrongKey, 7..12)),
        Vector::new("bad_signature", "a signature of nobody", wrong_signature).failed(&[(BadSignature, 2)]),
    ]
}

fn form_vectors(good: &[String]) -> Vec<Vector> {
    use Fault::{DuplicateKey, Gap, Malformed, UnknownVersion};
    let replaced = |line: String| inserted(&without(good, 3), 3, line);
    let twice = good[3].replacen('{', r#"{"reason":"one thing","#, 1).replacen(
        "\"sequence\"",
        r#""reason":"another","sequence""#,
        1,
    );
    let fraction = good[3].replacen(r#""sequence":3"#, r#""sequence":3.0"#, 1);
    let version = altered(good, 3, "canon_version", "tracehound-receipt-9".into());
    vec![
        Vector::new("duplicate_key", "an object that has a key twice", replaced(twice))
            .failed(&[(DuplicateKey, 3), (Gap, 4)]),
        Vector::new("fractional_number", "a number that languages print differently", replaced(fraction))
            .failed(&[(Malformed, 3), (Gap, 4)]),
        Vector::new("not_json", "a line that was cut", replaced(good[3][..100].to_owned()))
            .failed(&[(Malformed, 3), (Gap, 4)]),
        Vector::new("unknown_version", "a version that nobody knows yet", version)
            .failed(&[(UnknownVersion, 3), (Gap, 4)]),
    ]
}

fn vectors() -> Vec<Vector> {
    let good = Example::new(Some(signer(0))).lines();
    let all = [good_vectors, unsigned_vectors, altered_vectors, chain_vectors, key_vectors, form_vectors];
    all.iter().flat_map(|make| make(&good)).collect()
}

/// All files by their names.
fn files() -> BTreeMap<String, String> {
    let vectors = vectors();
    let expected: Vec<Value> = vectors.iter().map(Vector::expected).collect();
    let mut files: BTreeMap<String, String> =
        vectors.iter().map(|vector| (format!("{}.jsonl", vector.name), vector.text())).collect();
    let key = |number: u8| format!("# seed {}\n{}\n", signer(number).1, signer(number).public());
    files.insert("key.pub".to_owned(), key(0));
    files.insert("next_key.pub".to_owned(), key(1));
    files.insert("checkpoint.json".to_owned(), format!("{}\n", Example::new(Some(signer(0))).checkpoint().json));
    files.insert("expected.json".to_owned(), format!("{}\n", serde_json::to_string_pretty(&expected).unwrap()));
    files
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("vectors/receipts")
}

fn read(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_default()
}

#[test]
fn the_vectors_are_those_that_the_seeds_give() {
    let files = files();
    if env::var_os("TRACEHOUND_WRITE_VECTORS").is_some() {
        fs::create_dir_all(folder()).unwrap();
        files.iter().for_each(|(name, text)| fs::write(folder().join(name), text).unwrap());
    }
    for (name, text) in &files {
        let there = fs::read_to_string(folder().join(name)).unwrap_or_default();
        // The order of its members is nobody's business and depends on what else is built.
        let is_same = if name == "expected.json" { read(&there) == read(text) } else { there == *text };
        assert!(is_same, "{name} differs; TRACEHOUND_WRITE_VECTORS=1 writes it");
    }
    let names: std::collections::BTreeSet<String> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.iter().eq(files.keys()), "{names:?}");
}

#[test]
fn of_each_vector_is_said_what_is_expected() {
    let expected: Vec<Value> = serde_json::from_slice(&fs::read(folder().join("expected.json")).unwrap()).unwrap();
    assert!(expected.len() > 30);
    for vector in expected {
        let name = vector["file"].as_str().unwrap();
        let read = |member: &str| vector[member].as_str().map(|name| fs::read_to_string(folder().join(name)).unwrap());
        let keys = Keys::parse(&read("key").unwrap()).unwrap();
        let checkpoint = read("checkpoint").map(|text| Checkpoint::parse(text.as_bytes()).unwrap());
        let lines = Lines::new(read("file").unwrap().into_bytes().leak() as &[u8]);
        let report = verify(lines, &keys, checkpoint.as_ref()).unwrap();
        let problems: Vec<Value> =
            report.problems.iter().map(|problem| json!({ "fault": problem.fault, "index": problem.index })).collect();
        assert_eq!(json!(report.status), vector["status"], "{name}: {:?}", report.problems);
        assert_eq!(json!(problems), vector["problems"], "{name}: {:?}", report.problems);
        assert_eq!(report.total(), problems.len() as u64, "{name}");
    }
}

#[test]
fn every_fault_but_those_of_the_checkpoint_has_a_vector() {
    let shown: Vec<Fault> =
        vectors().iter().flat_map(|vector| vector.problems.iter().map(|(fault, _)| *fault)).collect();
    let missing: Vec<&str> =
        Fault::ALL.iter().filter(|fault| !shown.contains(fault)).map(|fault| fault.name()).collect();
    assert_eq!(missing, ["bad_checkpoint", "checkpoint_outside"]);
}
