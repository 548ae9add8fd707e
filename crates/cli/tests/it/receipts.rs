//! Receipts as their users verify them: from a file and a key.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use insta::assert_snapshot;
use serde_json::Value;

use crate::harness::{Place, Ran};

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../evidence/vectors/receipts")
}

/// Runs in the folder of the vectors, so that what is printed names no place of this machine.
fn verify(arguments: &[&str]) -> Ran {
    let place = Place::new();
    let output = place.command(&[&["receipts", "verify"], arguments].concat()).current_dir(vectors()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn a_good_chain_is_verified_with_what_it_says() {
    let ran = verify(&["good.jsonl", "--key", "key.pub", "--checkpoint", "checkpoint.json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_snapshot!(ran.out, @"
    `good.jsonl` is verified
    receipts    12, sequence 0 to 11
    tenant      default
    signed by   56475aa75463474c (7 receipts)
    signed by   24f6ed6acbfe1009 (5 receipts)
    head        82a61edd156cb585dc12a8b6268fc203da3e52fc72fd2f2eb4da71a0842fac79
    checkpoint  agrees on 12 receipts
    ");
}

#[test]
fn everything_that_is_wrong_is_told() {
    let ran = verify(&["rehashed.jsonl", "--key", "key.pub"]);
    assert_eq!(ran.code, 11);
    assert_snapshot!(ran.out, @"
    `rehashed.jsonl` is not verified: 2 problems
    receipts    12, sequence 0 to 11
    tenant      default
    signed by   56475aa75463474c (6 receipts)
    signed by   24f6ed6acbfe1009 (5 receipts)
    head        82a61edd156cb585dc12a8b6268fc203da3e52fc72fd2f2eb4da71a0842fac79
      index 2, sequence 2, receipt 01980000-0000-7000-8000-000000000002: bad_signature: its signature is not that of the key `56475aa75463474c`, which it names
      index 3, sequence 3, receipt 01980000-0000-7000-8000-000000000003: broken_link: it names 962413138000ddef2afb99b7afaae3e2ff6e747934f2ebaf74764aaad09a8421 as the hash before it, which is 374c3d0f8953ea9ef3780a0423c38a4bcf683fff54e29af376bbd61662bd7370
    note: without a checkpoint, receipts that are missing at the end don't show
    ");
    let ran = verify(&["truncated.jsonl", "--key", "key.pub", "--checkpoint", "checkpoint.json"]);
    assert_eq!(ran.code, 11);
    assert_snapshot!(ran.out, @"
    `truncated.jsonl` is not verified: 1 problem
    receipts    10, sequence 0 to 9
    tenant      default
    signed by   56475aa75463474c (7 receipts)
    signed by   24f6ed6acbfe1009 (3 receipts)
    head        ab303be8bae15ca1efc76ea5b5ce6ce3c5928a9ad478fa727847a9652231d63a
    checkpoint  does not agree
      truncated: the checkpoint covers 12 receipts, but the list ends after the first 10
    ");
}

#[test]
fn every_vector_ends_with_its_exit_code() {
    let expected: Vec<Value> =
        serde_json::from_slice(&std::fs::read(vectors().join("expected.json")).unwrap()).unwrap();
    for vector in &expected {
        let text = |member: &str| vector[member].as_str();
        let (file, key) = (text("file").unwrap(), text("key").unwrap());
        let mut arguments = vec![file, "--key", key, "--format", "json"];
        arguments.extend(text("checkpoint").iter().flat_map(|checkpoint| ["--checkpoint", checkpoint]));
        let ran = verify(&arguments);
        let answer: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{file}: {}", ran.err));
        let is_verified = vector["status"] == "verified";
        assert_eq!(answer["status"], vector["status"], "{file}");
        assert_eq!(
            (ran.code, answer["verified"].as_bool()),
            (if is_verified { 0 } else { 11 }, Some(is_verified)),
            "{file}"
        );
        assert_eq!(
            answer["problems"].as_array().unwrap().len(),
            vector["problems"].as_array().unwrap().len(),
            "{file}"
        );
    }
}

#[test]
fn a_list_from_the_interface_is_read_from_standard_input() {
    let place = Place::new();
    let lines = std::fs::read_to_string(vectors().join("good_newest_first.jsonl")).unwrap();
    let list = format!("[{}]", lines.lines().collect::<Vec<_>>().join(",\n"));
    let file = std::fs::File::open(place.write("list.json", list)).unwrap();
    let key = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8";
    let mut command = place.command(&["receipts", "verify", "-", "--key", key]);
    let output = command.stdin(Stdio::from(file)).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.starts_with(b"`-` is verified\n"));
}

#[test]
fn what_cannot_be_read_is_no_verdict() {
    let check = |arguments: &[&str], expected: &str| {
        let ran = verify(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{arguments:?}");
        assert!(ran.err.starts_with(&format!("error: {expected}")), "{}", ran.err);
    };
    check(&["gone.jsonl", "--key", "key.pub"], "cannot read `gone.jsonl`: ");
    check(&["good.jsonl", "--key", "gone.pub"], "cannot read the key file `gone.pub`: ");
    check(&["good.jsonl", "--key", "good.jsonl"], "`good.jsonl` is not a key file: line 1: a public key is ");
    check(
        &["good.jsonl", "--key", &"0".repeat(64)],
        &format!("`{0}` is not a key: the public key `{0}` is one ", "0".repeat(64)),
    );
    check(&["good.jsonl", "--key", "key.pub", "--checkpoint", "good.jsonl"], "`good.jsonl` is not a checkpoint: ");
    assert_eq!(verify(&["good.jsonl"]).code, 2, "a key is needed");
}

#[test]
fn a_receipt_cannot_play_tricks_on_the_terminal() {
    let place = Place::new();
    let line = std::fs::read_to_string(vectors().join("good.jsonl")).unwrap().lines().next().unwrap().to_owned();
    let nasty = line.replacen(r#""event_id":""#, r#""event_id":"\u001b[2J\u202e"#, 1);
    let file = place.write("nasty.jsonl", nasty.replacen(r#""default""#, "\"a\u{9b}b\"", 1));
    let key = vectors().join("key.pub");
    for format in ["table", "json"] {
        let ran = place.run(&[
            "receipts",
            "verify",
            file.to_str().unwrap(),
            "--key",
            key.to_str().unwrap(),
            "--format",
            format,
        ]);
        assert_eq!(ran.code, 11);
        assert!(!ran.out.contains(['\u{1b}', '\u{202e}', '\u{9b}']), "{}", ran.out);
    }
}
