//! Secrets planted in everything that agents and people send, and looked for in everything that the product keeps or tells.

use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::gateway::{Server, ask, prepared};
use crate::harness::Place;
use crate::viewers::Viewer;

/// Parts of what was planted, none of which may be found.
const PLANTED: [&str; 8] = [
    "hunter2-correct-horse",
    "16C7e42F292c6912E7710c838347Ae178B4a",
    "s3cretpw",
    "q7Gd0Vx93kLmZp2RtYw8",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
    "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJsZW5hIn0",
    "callback-s3cr3t-0f-lena",
];

fn arguments() -> Value {
    let [password, github, database, random, key, aws, jwt, _] = PLANTED;
    json!({
        "password": password, "note": format!("use ghp_{github} please"), "url": format!("postgres://joe:{database}@db/x"),
        "deep": [{ "list": [{ "text": random, "pem": format!("-----BEGIN PRIVATE KEY-----\n{key}\n") }] }],
        "headers": { "Authorization": format!("Bearer {jwt}"), "X-Other": aws },
        (format!("ghp_{github}")): 1,
    })
}

fn call(tool: &str, action: &str, trust: &str) -> Value {
    json!({
        "agent": { "id": "bot", "environment": "prod" },
        "tool_call": {
            "tool": tool, "action": action, "mutates_state": true, "parameters": arguments(),
            "resource": format!("https://joe:{}@host/x?key=ghp_{}", PLANTED[2], PLANTED[1]),
        },
        "context": { "source_trust": trust, "contains_sensitive_data": true },
        "trace": { "run_id": "run_1", "trace_id": "t" },
        "callback": { "url": "https://hook.example/x", "secret": PLANTED[7] },
    })
}

#[track_caller]
fn check(what: &str, content: impl AsRef<[u8]>) {
    let content = content.as_ref();
    for secret in PLANTED {
        // What was cut in the middle gives half of it away.
        let part = &secret.as_bytes()[..secret.len().min(16)];
        assert!(!content.windows(part.len()).any(|window| window == part), "{what} holds {secret}");
    }
}

fn check_files(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            check_files(&path);
        } else {
            check(&path.display().to_string(), std::fs::read(&path).unwrap());
        }
    }
}

/// A gateway, and everything that it has said so far.
struct Heard {
    address: String,
    said: Mutex<Vec<String>>,
}

impl Heard {
    fn ask(&self, method: &str, path: &str, token: &str, body: Option<&Value>) -> (u16, Value) {
        let (status, answer) = ask(&self.address, method, path, token, body).unwrap();
        check(&format!("the answer to {method} {path}"), answer.to_string());
        self.said.lock().unwrap().push(answer.to_string());
        (status, answer)
    }
}

/// Everything that an agent can send, with secrets in it, whatever becomes of it.
fn plant(gateway: &Heard, agent: &str, admin: &str) -> Vec<String> {
    let post = |path: &str, token: &str, body: &Value| gateway.ask("POST", path, token, Some(body));
    let mut ids = vec!["bot".to_owned(), "run_1".to_owned(), "github".to_owned(), "files".to_owned()];
    let mut outcomes = Vec::new();
    for (tool, action, trust) in [
        ("github", "get", "trusted_internal_signed"),
        ("github", "merge", "semi_trusted_customer"),
        ("github", "merge", "malicious_suspected"),
        ("github", "fly", "trusted_internal_signed"),
        ("nothing", "get", "unknown"),
        ("mcp:files", "read_file", "trusted_internal_signed"),
    ] {
        let (status, answer) = post("/v1/authorize", agent, &call(tool, action, trust));
        assert_eq!(status, 200, "{answer}");
        outcomes.push(answer["decision"].as_str().unwrap().to_owned());
        ids.extend(answer["decision_id"].as_str().map(str::to_owned));
        ids.extend(answer["receipt"]["receipt_id"].as_str().map(str::to_owned));
        if let Some(approval) = answer["approval"]["approval_id"].as_str() {
            let edited = json!({ "edited_tool_call": call(tool, action, trust)["tool_call"], "reason": "another" });
            post(&format!("/v1/approvals/{approval}/edit"), admin, &edited);
            post(
                &format!("/v1/approvals/{approval}/consume"),
                agent,
                &json!({ "claimed_action_hash": "0".repeat(64) }),
            );
            ids.push(approval.to_owned());
        }
    }
    assert!(
        outcomes.iter().any(|it| it == "require_approval") && outcomes.iter().any(|it| it == "deny"),
        "{outcomes:?}"
    );
    // Bodies that are refused: of another type, with a nonce that was used, under a name that stands for something else.
    let mut wrong = call("github", "get", "trusted_internal_signed");
    wrong["tool_call"]["mutates_state"] = json!(PLANTED[0]);
    assert_eq!(post("/v1/authorize", agent, &wrong).0, 400);
    wrong["tool_call"] = json!(format!("ghp_{}", PLANTED[1]));
    assert_eq!(post("/v1/authorize", agent, &wrong).0, 400);
    let mut once = call("github", "get", "trusted_internal_signed");
    (once["nonce"], once["request_id"]) = (json!("n"), json!("r"));
    assert_eq!(post("/v1/authorize", agent, &once).0, 200);
    once["tool_call"]["parameters"]["more"] = json!(PLANTED[3]);
    assert_eq!(post("/v1/authorize", agent, &once).0, 409);
    once["dry_run"] = json!(true);
    post("/v1/authorize", agent, &once);
    for (method, path) in
        [("POST", "/v1/agents"), ("POST", "/v1/tools"), ("POST", "/v1/policies/test"), ("PUT", "/v1/agents/bot")]
    {
        assert_ne!(gateway.ask(method, path, admin, Some(&arguments())).0 / 100, 2);
    }
    ids
}

#[test]
fn what_calls_and_commands_carry_is_found_nowhere() {
    let place = Place::new();
    let agent = prepared(&place);
    let admin = place.json(&["people", "add", "kim", "--role", "admin"])["token"].as_str().unwrap().to_owned();
    let (github, database) = (format!("--token=ghp_{}", PLANTED[1]), format!("postgres://joe:{}@db/x", PLANTED[2]));
    let added =
        ["mcp", "add", "files", "--trust", "t", "--", "npx", "files", "--password", PLANTED[0], &github, &database];
    check("mcp add", place.ok(&added));
    let log = std::fs::File::create(place.path("log.txt")).unwrap();
    let server = Server::run_with_log(place.command(&["serve", "--listen", "127.0.0.1:0"]), log);
    let mut viewer = Viewer::open(&server.address, &admin);
    let frames = Arc::new(Mutex::new(Vec::new()));
    let seen = frames.clone();
    let watching = std::thread::spawn(move || {
        while let Some(frame) = viewer.next() {
            seen.lock().unwrap().push(frame);
        }
    });
    let gateway = Heard { address: server.address.clone(), said: Mutex::default() };
    let mut ids = plant(&gateway, &agent, &admin);
    // Denials enough for an incident.
    for _ in 0..6 {
        gateway.ask("POST", "/v1/authorize", &agent, Some(&call("nothing", "get", "unknown")));
    }
    let mut incidents = Value::Null;
    for _ in 0..200 {
        incidents = gateway.ask("GET", "/v1/incidents", &admin, None).1;
        if incidents["items"] != json!([]) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    ids.extend(incidents["items"][0]["incident_id"].as_str().map(str::to_owned));
    // Every page, with every id in every place.
    let mut shown = 0;
    let pages = tracehound_server::routes().into_iter().filter(|route| route.method.as_str() == "GET");
    for route in pages.filter(|route| route.path != "/v1/ws/events") {
        for id in &ids {
            let part = |part: &str| if part.starts_with('{') { id.clone() } else { part.to_owned() };
            let path = route.path.split('/').map(part).collect::<Vec<_>>().join("/");
            shown += usize::from(gateway.ask("GET", &path, &admin, None).0 == 200);
            if path == route.path {
                break;
            }
        }
    }
    assert!(shown > 40, "{shown} pages");
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let (copy, chain) = (place.path("copy"), place.path("r.jsonl"));
    check("backup", place.ok(&["backup", &text(&copy)]));
    check("receipts export", place.ok(&["receipts", "export", &text(&chain)]));
    check("the exported chain", std::fs::read(&chain).unwrap());
    for command in [&["approvals", "list", "--all"][..], &["mcp", "show", "files"], &["incidents", "list", "--all"]] {
        check(command[0], place.ok(command));
    }
    end(&server);
    watching.join().unwrap();
    server.kill();
    let frames = frames.lock().unwrap();
    assert!(frames.len() > 10, "{} frames", frames.len());
    check("a live event", frames.join("\n"));
    check("the log", std::fs::read(place.path("log.txt")).unwrap());
    check_files(&copy);
    check_files(&place.data());
}

/// Asks the server to stop, so that everything is written that it has to write.
fn end(server: &Server) {
    let id = server.child.id().to_string();
    assert!(Command::new("kill").arg(&id).status().unwrap().success());
}
