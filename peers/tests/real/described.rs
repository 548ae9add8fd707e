//! The API as its description has it: a program that others wrote reads the description, makes requests that fit it and
//! requests that don't, and compares every answer with what is described.

use std::fs::File;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::{Place, Server};
use crate::installed::schemathesis_python;

/// How long a run may take.
const LIMIT: Duration = Duration::from_secs(180);
/// The same requests each time, together with one worker: two share what they draw from, and trip over each other.
const SEED: &str = "1";
/// What is looked at in every answer.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";

const TOOL: &str = r#"{"tool_key": "github", "name": "GitHub", "actions": [
    {"action_key": "merge", "risk": "high", "mutates_state": true},
    {"action_key": "get", "risk": "low", "mutates_state": false}]}"#;
const MANIFEST: &str = r#"{"tools": [{"name": "read_file", "description": "Reads a file"}]}"#;

/// A server with something of each sort in its store, so that lists have entries.
struct Gateway {
    place: Place,
    server: Server,
}

impl Gateway {
    fn start() -> Self {
        let place = Place::new();
        let (tool, tools) = (place.write("tool.json", TOOL), place.write("tools.json", MANIFEST));
        let (tool, tools) = (tool.to_str().unwrap(), tools.to_str().unwrap());
        for arguments in [
            &["tool", "add", tool][..],
            &["mcp", "add", "files", "--trust", "internal", "--", "npx", "server-files"],
            &["mcp", "submit", "files", tools],
            &["tenant", "add", "other"],
        ] {
            let ran = place.run(arguments);
            assert_eq!(ran.code, 0, "{}", ran.err);
        }
        let server = Server::start(place.command(&["serve", "--listen", "127.0.0.1:0"]).stderr(Stdio::null()));
        Self { place, server }
    }

    fn address(&self) -> &str {
        self.server.first.strip_prefix("listening on ").unwrap()
    }

    fn token(&self, arguments: &[&str], name: &str) -> String {
        self.place.json(arguments)[name].as_str().unwrap().to_owned()
    }

    /// Tries out the routes whose path matches, as the holder of a token.
    #[track_caller]
    fn check(&self, token: &str, paths: &str, examples: u32) {
        let log = self.place.path("log.txt");
        let mut command = Command::new(schemathesis_python());
        command.args(["-c", "import sys; from schemathesis.cli import schemathesis; sys.exit(schemathesis())", "run"]);
        command.arg(format!("{}/v1/openapi.json", self.address()));
        command.arg("--header").arg(format!("Authorization: Bearer {token}"));
        command.args(["--checks", CHECKS, "--seed", SEED, "--phases", "coverage,fuzzing", "--warnings", "off"]);
        command.args(["--include-path-regex", paths, "--max-examples", &examples.to_string(), "--no-shrink"]);
        command.args(["--workers", "1", "--max-failures", "20"]).env("HOME", self.place.path("home"));
        let output = File::create(&log).unwrap();
        command.stdin(Stdio::null()).stdout(output.try_clone().unwrap()).stderr(output);
        let mut child = command.current_dir(self.place.path("")).spawn().unwrap();
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if start.elapsed() > LIMIT {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            thread::sleep(Duration::from_millis(50));
        };
        let log = std::fs::read_to_string(&log).unwrap();
        assert!(status.is_some(), "it did not end:\n{log}");
        assert!(status.is_some_and(|status| status.success()) && log.contains("No issues found"), "{log}");
    }
}

#[test]
fn every_answer_to_an_administrator_is_as_described() {
    let gateway = Gateway::start();
    let token = gateway.token(&["people", "add", "tester", "--role", "admin"], "token");
    gateway.check(&token, "^/", 4);
}

#[test]
fn every_answer_to_an_agent_is_as_described() {
    let gateway = Gateway::start();
    let token = gateway.token(&["agent", "add", "bot", "--environment", "prod"], "agent_token");
    gateway.check(&token, "authorize|consume|outcome|graph|decisions|incidents|whoami", 20);
}

#[test]
fn every_answer_to_the_operator_is_as_described() {
    let gateway = Gateway::start();
    let left: Value = serde_json::from_slice(&std::fs::read(gateway.place.path("data/serve.json")).unwrap()).unwrap();
    gateway.check(left["token"].as_str().unwrap(), "^/v1/(tenants|policies|people|agents|tools)", 4);
}
