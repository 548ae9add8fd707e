//! The verifier that the documentation shows: it says of the vectors what hashes and links can say.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What shows without looking at signatures, checkpoints and the order of the list.
const SHOWN: [&str; 10] = [
    "malformed",
    "duplicate_key",
    "unknown_version",
    "altered",
    "broken_link",
    "gap",
    "fork",
    "repeated",
    "out_of_order",
    "other_tenant",
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The program in the page.
fn program() -> String {
    let page = fs::read_to_string(repository().join("docs/receipts.md")).unwrap();
    let (_, rest) = page.split_once("```python\n").unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_verifier_of_the_documentation_agrees_on_hashes_and_links() {
    let there = Command::new("python3").arg("--version").output();
    if there.is_err() {
        eprintln!("there is no python3 here: the program in the documentation is not tried");
        return;
    }
    let folder = repository().join("crates/evidence/vectors/receipts");
    let expected: Vec<Value> = serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let program = program();
    for vector in expected {
        let file = vector["file"].as_str().unwrap();
        let faults = vector["problems"].as_array().unwrap().iter().map(|problem| problem["fault"].as_str().unwrap());
        let is_wrong = faults.clone().any(|fault| SHOWN.contains(&fault))
            || file.contains("newest_first")
            || file.contains("empty");
        let ran = Command::new("python3").args(["-c", &program]).arg(folder.join(file)).output().unwrap();
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(i32::from(is_wrong)), "{file}: {told}");
        assert!(!is_wrong || told.starts_with("not verified: "), "{file}: {told}");
    }
}
