//! The servers that misbehave do: a test against one that behaves would prove nothing.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::harness::{Mark, bad_peer};
use crate::met::serve;

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

/// What a service says when it is asked for its version, up to so many bytes and for a second at most.
fn answered(scenario: &str, bytes: u64) -> Vec<u8> {
    let server = serve("service", &[scenario]);
    let mut connection = TcpStream::connect(("127.0.0.1", server.first.parse().unwrap())).unwrap();
    connection.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    // A service that has closed the connection already takes nothing.
    let _ = connection.write_all(b"GET /api/version HTTP/1.1\r\nHost: x\r\n\r\n");
    let mut said = Vec::new();
    let _ = connection.take(bytes).read_to_end(&mut said);
    said
}

#[test]
fn services_misbehave_as_they_are_called() {
    let text = |scenario, bytes| String::from_utf8_lossy(&answered(scenario, bytes)).into_owned();
    assert!(text("ollama", 10_000).ends_with("{\"version\":\"0.12.6\"}"));
    for silent in ["tarpit", "closes"] {
        assert_eq!(text(silent, 10_000), "");
    }
    assert_eq!(text("old-http", 10_000), "Ollama is running");
    assert_eq!(text("endless-body", 5_000_000).len(), 5_000_000);
    assert_eq!(text("no-http", 10).find("HTTP"), None);
    assert!(text("duplicate-keys", 10_000).matches("\"version\"").count() == 2);
    assert!(text("deep-json", 1_000_000).matches("{\"properties\"").count() == 5_000);
    assert!(text("many-headers", 1_000_000).matches("X-Header-").count() == 10_000);
    assert!(answered("tls-garbage", 5).starts_with(&[0x16, 0x03, 0x03]));
    assert!(text("wrong-type", 10_000).contains("image/png"));
}
