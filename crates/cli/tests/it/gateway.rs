//! The gateway as it runs: started, asked over a socket, killed, started again; and commands that go through it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::Place;

const TOOL: &str = r#"{"tool_key": "github", "name": "GitHub", "actions": [
    {"action_key": "merge", "risk": "high", "mutates_state": true},
    {"action_key": "get", "risk": "low", "mutates_state": false}]}"#;

/// A server that runs.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(place: &Place) -> Self {
        let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().unwrap().unwrap();
            if let Some(address) = line.strip_prefix("listening on http://") {
                break address.to_owned();
            }
        };
        Self { child, address }
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Asks something over a connection of its own; nothing if the server went away meanwhile.
fn ask(address: &str, method: &str, path: &str, token: &str, body: Option<&Value>) -> Option<(u16, Value)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    let body = body.map(ToString::to_string).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    // An answer that was cut off is none.
    if length.is_some_and(|length: usize| length != body.len()) {
        return None;
    }
    Some((status, serde_json::from_str(body).unwrap_or(Value::Null)))
}

fn request(action: &str) -> Value {
    json!({
        "agent": { "id": "bot", "environment": "prod" },
        "tool_call": { "tool": "github", "action": action, "mutates_state": false, "parameters": { "n": 1 } },
        "context": { "source_trust": "untrusted_external", "contains_sensitive_data": false },
        "trace": { "run_id": "run_1", "trace_id": "t" },
    })
}

/// A data directory with an agent and a tool; gives the agent's token.
fn prepared(place: &Place) -> String {
    std::fs::write(place.path("github.json"), TOOL).unwrap();
    let file = place.path("github.json");
    assert_eq!(place.run(&["tool", "add", file.to_str().unwrap()]).code, 0);
    let added = place.run(&["agent", "add", "bot", "--environment", "prod", "--format", "json"]);
    let agent: Value = serde_json::from_str(&added.out).unwrap();
    agent["agent_token"].as_str().unwrap().to_owned()
}

#[test]
fn commands_do_the_same_with_and_without_a_server() {
    let place = Place::new();
    let token = prepared(&place);
    let alone = place.run(&["agent", "list"]);
    let server = Server::start(&place);
    assert_eq!(place.run(&["agent", "list"]).out, alone.out);
    let (status, answer) = ask(&server.address, "POST", "/v1/authorize", &token, Some(&request("get"))).unwrap();
    assert_eq!((status, &answer["decision"]), (200, &json!("allow")), "{answer}");
    assert_eq!(place.run(&["agent", "freeze", "bot", "--reason", "look"]).code, 0);
    let (_, answer) = ask(&server.address, "POST", "/v1/authorize", &token, Some(&request("get"))).unwrap();
    assert_eq!(answer["code"], "agent_frozen", "what a command does holds at once");
    let second = place.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.code, 1);
    assert!(second.err.contains("is in use"), "{}", second.err);
    server.kill();
    let shown = place.run(&["agent", "show", "bot"]);
    assert!(shown.out.contains("status: frozen"), "{}", shown.out);
}

#[test]
fn nothing_that_was_answered_is_lost_when_the_server_is_killed_50_times() {
    let place = Place::new();
    let token = prepared(&place);
    let answered = Arc::new(Mutex::new(Vec::<String>::new()));
    for round in 0..50_u64 {
        let server = Server::start(&place);
        let is_over = Arc::new(AtomicBool::new(false));
        let clients: Vec<_> = (0..4)
            .map(|_| {
                let (address, token) = (server.address.clone(), token.clone());
                let (answered, is_over) = (answered.clone(), is_over.clone());
                std::thread::spawn(move || {
                    while !is_over.load(Ordering::SeqCst) {
                        for action in ["get", "merge"] {
                            let answer = ask(&address, "POST", "/v1/authorize", &token, Some(&request(action)));
                            if let Some((200, answer)) = answer {
                                answered.lock().unwrap().push(answer["decision_id"].as_str().unwrap().to_owned());
                            }
                        }
                    }
                })
            })
            .collect();
        // Moments that differ from round to round, from the first requests on.
        std::thread::sleep(Duration::from_millis(5 + round * 7 % 90));
        server.kill();
        is_over.store(true, Ordering::SeqCst);
        clients.into_iter().for_each(|client| client.join().unwrap());
    }
    let answered = answered.lock().unwrap();
    assert!(answered.len() > 50, "{}", answered.len());
    let (file, key, checkpoint) = (place.path("r.jsonl"), place.path("r.pub"), place.path("r.json"));
    let text = |path: &std::path::PathBuf| path.to_str().unwrap().to_owned();
    let export = ["receipts", "export", &text(&file), "--key", &text(&key), "--checkpoint", &text(&checkpoint)];
    assert_eq!(place.run(&export).code, 0);
    let verify = ["receipts", "verify", &text(&file), "--key", &text(&key), "--checkpoint", &text(&checkpoint)];
    let verified = place.run(&verify);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    let chain = std::fs::read_to_string(&file).unwrap();
    let on_record: std::collections::HashSet<String> = chain
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).unwrap()["decision_id"].as_str().map(ToOwned::to_owned))
        .collect();
    let lost = answered.iter().filter(|id| !on_record.contains(*id)).count();
    assert_eq!(lost, 0, "of {} answered decisions", answered.len());
    let server = Server::start(&place);
    for id in answered.iter().step_by(answered.len() / 20 + 1) {
        let shown = ask(&server.address, "GET", &format!("/v1/decisions/{id}"), &token, None).unwrap();
        assert_eq!(shown.0, 200, "{id}");
    }
    server.kill();
}

#[test]
fn a_server_is_not_exposed_by_accident() {
    let place = Place::new();
    let ran = place.run(&["serve", "--listen", "0.0.0.0:0"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("--tls-cert"), "{}", ran.err);
    assert!(!place.path("data/evidence.db").exists(), "nothing was made");
}
