//! The servers that misbehave do: a test against one that behaves would prove nothing.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::harness::{Mark, bad_peer};

const TALK: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n\
                    {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n";

/// What a server says when it is greeted and asked for tools, up to so many bytes.
fn said(arguments: &[&str], bytes: u64) -> String {
    let mut child = Command::new(bad_peer())
        .arg("stdio")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(TALK.as_bytes()).unwrap();
    let mut text = Vec::new();
    child.stdout.take().unwrap().take(bytes).read_to_end(&mut text).unwrap();
    let _ = child.kill();
    child.wait().unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn the_honest_one_answers_in_any_revision() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let text = said(&["honest", "--revision", revision], 10_000);
        assert!(text.contains(&format!("\"protocolVersion\":\"{revision}\"")) && text.contains("\"name\":\"add\""));
    }
    let stateless = said(&["honest", "--revision", "2026-07-28"], 10_000);
    assert!(stateless.contains("-32601") && stateless.contains("\"resultType\":\"complete\""), "{stateless}");
}

#[test]
fn it_misbehaves_only_where_asked_to() {
    let text = said(&["invalid-json", "--at", "tools/list"], 10_000);
    let lines: Vec<bool> = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()).collect();
    assert_eq!(lines, [true, false]);
}

#[test]
fn what_has_no_end_has_none() {
    assert_eq!(said(&["flood"], 5_000_000).len(), 5_000_000);
    assert!(!said(&["flood-first"], 5_000_000).contains('\n'));
    assert_eq!(said(&["huge"], 50_000_000).len(), 50_000_000);
}

/// Ends a process of this test by its id, and by force.
fn end(process: &str) {
    let id = process.split(' ').next().unwrap();
    Command::new("kill").args(["-9", id]).status().unwrap();
}

#[test]
fn forked_children_outlive_it() {
    let mark = Mark::new();
    let mut child =
        Command::new(bad_peer()).args(["stdio", "fork", "--mark", mark.word()]).stdin(Stdio::null()).spawn().unwrap();
    child.wait().unwrap();
    let left = mark.processes();
    left.iter().for_each(|process| end(process));
    assert_eq!(left.len(), 3, "{left:#?}");
    mark.expect_none();
}

#[test]
fn the_stubborn_one_ignores_what_is_polite() {
    let mark = Mark::new();
    let mut child = Command::new(bad_peer())
        .args(["stdio", "stubborn", "--mark", mark.word()])
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    // Until it has become itself again, through the shell.
    thread::sleep(Duration::from_millis(500));
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    thread::sleep(Duration::from_millis(300));
    let is_there = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_there);
}
