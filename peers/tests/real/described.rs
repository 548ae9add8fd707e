//! The API as its description has it: a program that others wrote reads the description, makes requests that fit it and
//! requests that don't, and compares every answer with what is described.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::{Place, Server};
use crate::installed::schemathesis_python;

/// How long all runs may take together.
const LIMIT: Duration = Duration::from_secs(180);
/// When the first run began.
static BEGUN: OnceLock<Instant> = OnceLock::new();
/// The same requests each time, together with one worker: two share what they draw from, and trip over each other.
const SEED: &str = "1";
/// What is looked at in every answer.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";

const TOOL: &str = r#"{"tool_key": "github", "name": "GitHub", "actions": [
    {"action_key": "merge", "risk": "high", "mutates_state": true},
    {"action_key": "get", "risk": "low", "mutates_state": false}]}"#;
const MANIFEST: &str = r#"{"tools": [{"name": "read_file", "description": "Reads a file"}]}"#;

/// Questions about things of the sample estate: path, parameter, and how its value is found.
const REAL: &[(&str, &str, &str, &str)] = &[
    ("/v1/estate/nodes/{id}", "id", "/v1/estate/search?q=format_report", "/items/0/node/id"),
    ("/v1/estate/nodes/{id}/neighbours", "id", "/v1/estate/search?q=customers", "/items/0/node/id"),
    ("/v1/estate/findings/{fingerprint}", "fingerprint", "/v1/estate/findings", "/items/0/fingerprint"),
    ("/v1/estate/scans/{id}", "id", "/v1/estate/scans", "/items/0/scan_id"),
    ("/v1/estate/rules/{id}", "id", "/v1/estate/rules", "/items/0/id"),
    ("/v1/estate/diff", "from", "/v1/estate/scans", "/items/1/scan_id"),
    ("/v1/estate/edge", "source", "/v1/estate/graph", "/edges/0/source"),
    ("/v1/estate/edge", "kind", "/v1/estate/graph", "/edges/0/kind"),
    ("/v1/estate/edge", "target", "/v1/estate/graph", "/edges/0/target"),
];
/// A server with something of each sort in its store and the sample estate, so that lists have entries.
struct Gateway {
    place: Place,
    server: Server,
}

impl Gateway {
    fn start() -> Self {
        let place = Place::new();
        let ran = place.run(&["demo", "--no-serve", "--keep", place.path("data").to_str().unwrap()]);
        assert_eq!(ran.code, 0, "{}", ran.err);
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

    /// What the server answers to a question of a person.
    fn get(&self, token: &str, path: &str) -> Value {
        let host = self.address().strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        let head = format!("GET {path} HTTP/1.0\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|_| panic!("{path}: {answer}"))
    }

    /// Says in the tool's own settings that parameters are to be things that are there.
    fn use_real_things(&self, token: &str) {
        let mut settings: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (path, name, list, place) in REAL {
            let value = self.get(token, list).pointer(place).cloned();
            let value = value.unwrap_or_else(|| panic!("{list} has no {place}"));
            settings.entry(path).or_default().push(format!("{name} = {value}"));
        }
        let operation = |(path, parameters): (&str, Vec<String>)| {
            let parameters = parameters.join(", ");
            format!(
                "[[operations]]\ninclude-path = '{path}'\ninclude-method = 'GET'\nparameters = {{ {parameters} }}\n"
            )
        };
        self.place.write("schemathesis.toml", settings.into_iter().map(operation).collect::<String>());
    }

    /// Tries out the routes whose path matches, as the holder of a token.
    #[track_caller]
    fn check(&self, token: &str, paths: &str, examples: u32) {
        let begun = *BEGUN.get_or_init(Instant::now);
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
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if begun.elapsed() > LIMIT {
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
fn every_answer_about_things_that_are_there_is_as_described() {
    let gateway = Gateway::start();
    let token = gateway.token(&["people", "add", "tester", "--role", "admin"], "token");
    gateway.use_real_things(&token);
    gateway.check(&token, "^/v1/estate/", 6);
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
