//! The gateway as it runs: started, asked over a socket, killed, started again; and commands that go through it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::Place;

const TOOL: &str = r#"{"tool_key": "github", "name": "GitHub", "actions": [
    {"action_key": "merge", "risk": "high", "mutates_state": true},
    {"action_key": "get", "risk": "low", "mutates_state": false}]}"#;

/// A server that runs.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(place: &Place) -> Self {
        Self::run(place.command(&["serve", "--listen", "127.0.0.1:0"]))
    }

    pub(crate) fn run(command: Command) -> Self {
        Self::run_with_log(command, Stdio::null())
    }

    /// Starts it, with somewhere for what it logs.
    pub(crate) fn run_with_log(mut command: Command, log: impl Into<Stdio>) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().unwrap().unwrap();
            if let Some(address) = line.strip_prefix("listening on http://") {
                break address.to_owned();
            }
        };
        Self { child, address }
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Asks something over a connection of its own; nothing if the server went away meanwhile.
pub(crate) fn ask(address: &str, method: &str, path: &str, token: &str, body: Option<&Value>) -> Option<(u16, Value)> {
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

pub(crate) fn request(action: &str) -> Value {
    json!({
        "agent": { "id": "bot", "environment": "prod" },
        "tool_call": { "tool": "github", "action": action, "mutates_state": false, "parameters": { "n": 1 } },
        "context": { "source_trust": "untrusted_external", "contains_sensitive_data": false },
        "trace": { "run_id": "run_1", "trace_id": "t" },
    })
}

/// A data directory with an agent and a tool; gives the agent's token.
pub(crate) fn prepared(place: &Place) -> String {
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
    let mut moments = Moments::new();
    for _ in 0..50 {
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
        std::thread::sleep(moments.next());
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
    check_store(&place.path("data/evidence.db"));
}

/// Moments to kill a server at, from before the first request on.
struct Moments(u64);

impl Moments {
    /// Other ones each time, unless `TRACEHOUND_SEED` says which. The seed is shown when the test fails.
    fn new() -> Self {
        let given = std::env::var("TRACEHOUND_SEED").ok().map(|seed| seed.parse().unwrap());
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let seed = given.unwrap_or_else(|| u64::try_from(now.as_nanos() % u128::from(u64::MAX)).unwrap());
        std::io::stderr().write_all(format!("TRACEHOUND_SEED={seed}\n").as_bytes()).unwrap();
        Self(seed | 1)
    }

    fn next(&mut self) -> Duration {
        // Marsaglia's xorshift: any sequence will do, if only it can be had again.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Duration::from_micros(self.0 % 120_000)
    }
}

/// The file is whole, and decisions and their receipts are there in pairs.
fn check_store(path: &std::path::Path) {
    let store = rusqlite::Connection::open(path).unwrap();
    let one = |sql: &str| store.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    let whole: String = store.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(whole, "ok");
    let alone =
        one("SELECT count(*) FROM decisions d WHERE NOT EXISTS (SELECT 1 FROM receipts r WHERE r.tenant = d.tenant \
         AND r.sequence = d.receipt_sequence AND r.kind = 'decision' AND r.decision_id = d.id)");
    assert_eq!(alone, 0, "decisions without their receipt");
    let alone =
        one("SELECT count(*) FROM receipts r WHERE r.kind = 'decision' AND NOT EXISTS (SELECT 1 FROM decisions d \
         WHERE d.tenant = r.tenant AND d.id = r.decision_id AND d.receipt_sequence = r.sequence)");
    assert_eq!(alone, 0, "receipts without their decision");
    let approvals = one("SELECT count(*) FROM approvals a WHERE NOT EXISTS (SELECT 1 FROM decisions d \
         WHERE d.tenant = a.tenant AND d.id = a.decision_id)");
    assert_eq!(approvals, 0, "approvals without their decision");
    assert!(one("SELECT count(*) FROM decisions") > 0);
}

#[test]
fn a_server_is_not_exposed_by_accident() {
    let place = Place::new();
    let ran = place.run(&["serve", "--listen", "0.0.0.0:0"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("--tls-cert"), "{}", ran.err);
    assert!(!place.path("data/evidence.db").exists(), "nothing was made");
}

/// A file that can't grow is what a full disk is to the store, and the limit can be lifted while the server runs.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_denies_and_space_is_enough_to_go_on() {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let place = Place::new();
    let token = prepared(&place);
    let plain = place.command(&["serve", "--listen", "127.0.0.1:0"]);
    let mut limited = Command::new("sh");
    limited.env_clear().envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    limited.args(["-c", "trap '' XFSZ; ulimit -S -f 2048; exec \"$0\" \"$@\""]);
    limited.arg(plain.get_program()).args(plain.get_args()).stdin(Stdio::null());
    let server = Server::run(limited);
    let decide = || ask(&server.address, "POST", "/v1/authorize", &token, Some(&request("get"))).unwrap();
    let mut allowed = Vec::new();
    let refusal = loop {
        let (status, answer) = decide();
        if status != 200 {
            break (status, answer);
        }
        allowed.push(answer["decision_id"].as_str().unwrap().to_owned());
        assert!(allowed.len() < 10_000, "the limit holds");
    };
    assert_eq!((refusal.0, &refusal.1["code"]), (503, &json!("evidence_unavailable")), "{refusal:?}");
    assert!(!allowed.is_empty());
    assert_eq!(ask(&server.address, "GET", "/livez", "", None).unwrap().0, 200);
    let process = Pid::from_raw(i32::try_from(server.child.id()).unwrap()).unwrap();
    prlimit(Some(process), Resource::Fsize, Rlimit { current: None, maximum: None }).unwrap();
    let (status, answer) = decide();
    assert_eq!(status, 200, "{answer}");
    allowed.push(answer["decision_id"].as_str().unwrap().to_owned());
    for id in &allowed {
        assert_eq!(ask(&server.address, "GET", &format!("/v1/decisions/{id}"), &token, None).unwrap().0, 200, "{id}");
    }
    server.kill();
    let (file, key) = (place.path("r.jsonl"), place.path("r.pub"));
    let text = |path: &std::path::PathBuf| path.to_str().unwrap().to_owned();
    assert_eq!(place.run(&["receipts", "export", &text(&file), "--key", &text(&key)]).code, 0);
    assert_eq!(place.run(&["receipts", "verify", &text(&file), "--key", &text(&key)]).code, 0);
}

#[test]
fn a_backup_of_a_running_server_is_whole_and_can_be_restored() {
    let place = Place::with_demo();
    let token = prepared(&place);
    let server = Server::start(&place);
    for _ in 0..10 {
        ask(&server.address, "POST", "/v1/authorize", &token, Some(&request("get"))).unwrap();
    }
    let (copy, restored) = (place.path("copy"), place.path("restored"));
    let text = |path: &std::path::PathBuf| path.to_str().unwrap().to_owned();
    let ran = place.run(&["backup", &text(&copy)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("estate copied") && ran.out.contains("receipts verified"), "{}", ran.out);
    assert_eq!(place.run(&["backup", &text(&copy)]).code, 1, "what is there is not overwritten");
    server.kill();
    let ran = place.run(&["--data", &text(&restored), "restore", &text(&copy)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let list = |data: &str| place.run(&["--data", data, "agent", "list"]).out;
    assert_eq!(list(&text(&restored)), list(&text(&place.data())));
    let scans = |data: &str| place.run(&["--data", data, "scans", "list"]).out;
    assert_eq!(scans(&text(&restored)), scans(&text(&place.data())));
    let again = place.run(&["--data", &text(&restored), "restore", &text(&copy)]);
    assert_eq!(again.code, 1, "nothing is overwritten: {}", again.out);
    let store = change_receipts(&copy);
    assert!(store, "the copy was changed");
    let broken = place.run(&["--data", &text(&place.path("third")), "restore", &text(&copy)]);
    assert_eq!(broken.code, 1, "{}", broken.out);
    assert!(broken.err.contains("do not verify"), "{}", broken.err);
    assert!(!place.path("third/evidence.db").exists());
}

/// Changes a word in every receipt of a copy, in place, as somebody with an editor could.
fn change_receipts(copy: &std::path::Path) -> bool {
    let path = copy.join("evidence.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let (old, new) = (b"\"decision\":\"allow\"", b"\"decision\":\"aLLow\"");
    let places: Vec<usize> =
        bytes.windows(old.len()).enumerate().filter(|(_, window)| window == old).map(|(place, _)| place).collect();
    for place in &places {
        bytes[*place..*place + new.len()].copy_from_slice(new);
    }
    std::fs::write(&path, bytes).unwrap();
    !places.is_empty()
}

#[test]
fn another_key_takes_over_and_the_chain_can_be_followed() {
    let place = Place::new();
    let token = prepared(&place);
    let (file, key) = (place.path("r.jsonl"), place.path("first.pub"));
    let text = |path: &std::path::PathBuf| path.to_str().unwrap().to_owned();
    assert_eq!(place.run(&["receipts", "export", &text(&place.path("x")), "--key", &text(&key)]).code, 0);
    let server = Server::start(&place);
    let rotated = place.run(&["receipts", "rotate-key"]);
    assert_eq!(rotated.code, 0, "{}", rotated.err);
    let next: Value = serde_json::from_str(&rotated.out).unwrap();
    ask(&server.address, "POST", "/v1/authorize", &token, Some(&request("get"))).unwrap();
    server.kill();
    assert_eq!(place.run(&["agent", "freeze", "bot", "--reason", "x"]).code, 0, "the key is found again");
    assert_eq!(place.run(&["receipts", "export", &text(&file)]).code, 0);
    let verified = place.run(&["receipts", "verify", &text(&file), "--key", &text(&key)]);
    assert_eq!(verified.code, 0, "the first key is enough: {}", verified.out);
    assert!(verified.out.contains(next["key_id"].as_str().unwrap()), "{}", verified.out);
}

#[test]
fn an_approval_is_edited_by_a_command_and_needs_another_person() {
    let place = Place::new();
    let token = prepared(&place);
    let server = Server::start(&place);
    let mut body = request("merge");
    body["context"]["source_trust"] = json!("semi_trusted_customer");
    let (_, asked) = ask(&server.address, "POST", "/v1/authorize", &token, Some(&body)).unwrap();
    let approval = asked["approval"]["approval_id"].as_str().unwrap_or_else(|| panic!("{asked}")).to_owned();
    let call = place.path("call.json");
    let text = call.to_str().unwrap();
    std::fs::write(&call, r#"{"tool": "github", "action": "drop", "mutates_state": true, "parameters": {}}"#).unwrap();
    let edit = ["approvals", "edit", &approval, text, "--reason", "dev, not main"];
    let denied = place.run(&edit);
    assert_eq!(denied.code, 1, "{}", denied.out);
    assert!(denied.err.contains("policies do not allow"), "{}", denied.err);
    std::fs::write(&call, r#"{"tool": "github", "action": "merge", "mutates_state": true, "parameters": {"n": 2}}"#)
        .unwrap();
    let edited = place.run(&edit);
    assert_eq!(edited.code, 0, "{}", edited.err);
    assert!(edited.out.contains("somebody else has to agree"), "{}", edited.out);
    let shown = place.json(&["approvals", "show", &approval]);
    assert_eq!((&shown["is_edited"], &shown["edited_tool_call"]["parameters"]["n"]), (&json!(true), &json!(2)));
    let own = place.run(&["approvals", "approve", &approval, "--reason", "fine"]);
    assert!(own.code == 1 && own.err.contains("they edited the call"), "{}", own.err);
    server.kill();
}

#[test]
fn every_command_of_the_gateway_shows_an_example() {
    let place = Place::new();
    let commands = [
        ("agent", &["add", "list", "show", "freeze", "quarantine", "revoke", "restore", "rotate"][..]),
        ("people", &["add", "list", "rotate", "remove"]),
        ("tenant", &["add", "list"]),
        ("tool", &["add", "list", "remove"]),
        ("approvals", &["list", "show", "approve", "reject", "edit"]),
        ("policy", &["list", "show", "add", "validate", "test", "diff", "history", "rollback", "remove", "reload"]),
    ];
    for (group, all) in commands {
        let listed = place.ok(&[group, "--help"]);
        for command in all {
            assert!(listed.contains(command), "{group} has {command}: {listed}");
            let help = place.ok(&[group, command, "--help"]);
            assert!(help.contains(&format!("tracehound {group} {command}")), "{group} {command}: {help}");
        }
    }
}
