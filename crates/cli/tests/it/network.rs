//! `tracehound scan TARGET...`: what it would contact, what it refuses, and what it says of places on loopback.
//!
//! Nothing here can leave the machine: refusals are looked at through `--plan`, which contacts nobody, and targets without
//! `--plan` are loopback addresses, or refused before anything is contacted.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use serde_json::Value;

use crate::harness::Place;

/// A plan, and the exit code.
fn plan(place: &Place, arguments: &[&str]) -> (Value, i32) {
    let ran = place.run(&[&["scan", "--plan", "--format", "json"], arguments].concat());
    let plan = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
    (plan, ran.code)
}

#[test]
fn a_plan_shows_every_address_and_port_and_probe() {
    let place = Place::new();
    let arguments = ["127.0.0.0/30", "10.1.2.3-4", "--ports", "80,8000-8001", "--only-ports", "--mcp"];
    let (plan, code) = plan(&place, &arguments);
    assert_eq!((code, &plan["addresses"], &plan["connections"]), (0, &6.into(), &18.into()));
    let hosts: Vec<&str> = plan["hosts"].as_array().unwrap().iter().map(|it| it["address"].as_str().unwrap()).collect();
    assert_eq!(hosts, ["10.1.2.3", "10.1.2.4", "127.0.0.0", "127.0.0.1", "127.0.0.2", "127.0.0.3"]);
    assert_eq!(plan["hosts"][0]["ports"], "80,8000-8001");
    let probes: Vec<&str> =
        plan["probes"].as_array().unwrap().iter().map(|it| it["request"].as_str().unwrap()).collect();
    assert!(probes.contains(&"GET /.well-known/agent-card.json") && probes.contains(&"POST /mcp"), "{probes:?}");
    let posts = probes.iter().filter(|probe| !probe.starts_with("GET ") && !probe.starts_with("HEAD ")).count();
    assert_eq!(posts, 4, "only the probe for MCP servers is more than reading");
    let table = place.ok(&["scan", "--plan", "127.0.0.1", "--ports", "80", "--only-ports"]);
    assert!(table.starts_with("127.0.0.1: loopback, ports 80\n"), "{table}");
    assert!(table.contains("Nobody was contacted."), "{table}");
    assert!(!place.data().exists(), "a plan leaves nothing behind");
}

#[test]
fn usual_ports_are_those_of_the_rules() {
    let (plan, _) = plan(&Place::new(), &["127.0.0.1"]);
    let ports = plan["hosts"][0]["ports"].as_str().unwrap();
    for port in ["3000", "4000", "5000", "6333", "8000", "8888", "11434"] {
        assert!(ports.split(',').any(|it| it == port), "{port} is not in {ports}");
    }
}

#[test]
fn what_is_refused_refuses_the_whole_scan_and_says_why() {
    let place = Place::new();
    let permission = place.write("permission.txt", "The owner of 198.51.100.7 agrees.");
    let permission = permission.to_str().unwrap();
    let public = ["--allow-public", "--authorization", permission];
    for (arguments, why) in [
        (["8.8.8.8"].as_slice(), "--allow-public"),
        (&["10.0.0.1", "2606:4700::1111"], "--allow-public"),
        (&["192.168.0.0/15"], "--allow-public"),
        (&["169.254.169.254"], "clouds keep the secrets"),
        (&["100.64.0.0/10"], "clouds keep the secrets"),
        (&["169.254.1.1"], "link-local"),
        (&["fe80::1"], "link-local"),
        (&["224.0.0.1"], "multicast"),
        (&["ff02::1"], "multicast"),
        (&["255.255.255.255"], "broadcast"),
        (&["::ffff:8.8.8.8"], "--allow-public"),
        (&["10.0.0.0/8"], "--yes-many"),
    ] {
        let (shown, code) = plan(&place, arguments);
        let refused = shown["refused"].to_string();
        assert!(code == 1 && refused.contains(why), "{arguments:?}: {refused}");
        // The same without `--plan` contacts nobody: it ends before there is anything to contact with.
        let ran = place.run(&[&["scan", "--no-store"], arguments].concat());
        assert_eq!(ran.code, 1, "{arguments:?}");
        assert!(ran.err.contains("nothing was contacted") && ran.err.contains(why), "{arguments:?}: {}", ran.err);
    }
    for arguments in [["198.51.100.7"].as_slice(), &["10.0.0.0/14", "--exclude", "10.2.0.0/15", "--yes-many"]] {
        let (shown, code) = plan(&place, &[arguments, &public].concat());
        assert_eq!((code, &shown["refused"]), (0, &Value::Array(Vec::new())), "{arguments:?}");
    }
    for arguments in [["169.254.169.254"].as_slice(), &["224.0.0.1"], &["fe80::1"]] {
        assert_eq!(plan(&place, &[arguments, &public, &["--yes-many"]].concat()).1, 1, "{arguments:?}");
    }
}

#[test]
fn public_addresses_need_both_a_flag_and_a_permission() {
    let place = Place::new();
    let empty = place.write("empty.txt", " \n");
    let empty = empty.to_str().unwrap();
    assert_eq!(place.run(&["scan", "--plan", "198.51.100.7", "--allow-public"]).code, 2);
    let missing = place.run(&["scan", "--plan", "198.51.100.7", "--allow-public", "--authorization", "/nowhere"]);
    assert_eq!(missing.code, 1);
    let ran = place.run(&["scan", "--plan", "198.51.100.7", "--allow-public", "--authorization", empty]);
    assert!(ran.code == 1 && ran.err.contains("is empty"), "{}", ran.err);
}

#[test]
fn bad_targets_are_named() {
    let place = Place::new();
    let list = place.write("hosts.txt", "127.0.0.1\n# a comment\n10.0.0.999\n");
    for (target, words) in [
        ("10.0.0.0/33", "10.0.0.0/33"),
        ("10.0.0.9-1", "10.0.0.9-1"),
        ("http://ann:hunter2@127.0.0.1/", "password"),
        (&format!("@{}", list.display()), "hosts.txt:3"),
        ("@/nowhere/at/all", "/nowhere/at/all"),
    ] {
        let ran = place.run(&["scan", "--no-store", target]);
        assert!(ran.code == 1 && ran.err.contains(words), "{target}: {}", ran.err);
        assert!(!ran.err.contains("hunter2"), "{}", ran.err);
    }
    assert_eq!(place.run(&["scan", "127.0.0.1", "--ports", "0-70000"]).code, 1);
    for lonely in [["--ports", "1"], ["--exclude", "x"], ["--rate", "5"], ["--keys-env", "X"]] {
        assert_eq!(place.run(&[&["scan"], lonely.as_slice()].concat()).code, 2, "{lonely:?}");
    }
}

/// An Ollama with one model, until it is stopped.
struct Ollama {
    url: String,
    is_stopped: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Ollama {
    fn stop(self) {
        self.is_stopped.store(true, Ordering::SeqCst);
        // Wakes it, so that it sees that.
        let _ = TcpStream::connect(self.url.trim_start_matches("http://"));
        self.thread.join().unwrap();
    }
}

fn ollama() -> Ollama {
    ollama_of_version("0.12.3")
}

fn ollama_of_version(version: &'static str) -> Ollama {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let told = format!(r#"{{"version":"{version}"}}"#);
    let is_stopped = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&is_stopped);
    let thread = thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            if stopped.load(Ordering::SeqCst) {
                return;
            }
            let mut head = [0; 4096];
            let length = stream.read(&mut head).unwrap_or(0);
            let head = String::from_utf8_lossy(&head[..length]).into_owned();
            let (status, kind, body) = match head.split(' ').nth(1).unwrap_or_default() {
                "/" => ("200 OK", "text/plain", "Ollama is running"),
                "/api/version" => ("200 OK", "application/json", told.as_str()),
                "/api/tags" => (
                    "200 OK",
                    "application/json",
                    r#"{"models":[{"name":"tiny:1b","model":"tiny:1b","size":7,"digest":"abc","details":{"family":"tiny","parameter_size":"1B","quantization_level":"Q4_0"}}]}"#,
                ),
                _ => ("404 Not Found", "text/plain", "404 page not found"),
            };
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    Ollama { url, is_stopped, thread }
}

#[test]
fn a_service_and_its_models_are_stored_and_stay_until_they_are_seen_to_be_gone() {
    let place = Place::new();
    let ollama = ollama();
    let url = ollama.url.clone();
    let target = url.trim_start_matches("http://");
    let report = place.json(&["scan", &url, "--inventory"]);
    assert_eq!(report["network"]["services"][0]["kind"], "OllamaInstance");
    assert_eq!(report["network"]["services"][0]["holds"]["AIModel"], 1);
    let models = || {
        let stats = place.json(&["graph", "stats"]);
        (
            stats["nodes_by_kind"]["OllamaInstance"].as_u64().unwrap_or(0),
            stats["nodes_by_kind"]["AIModel"].as_u64().unwrap_or(0),
        )
    };
    assert_eq!(models(), (1, 1), "{}", place.ok(&["graph", "stats", "--format", "json"]));
    // Another look that does not ask for models takes none away.
    place.json(&["scan", target]);
    assert_eq!(models(), (1, 1));
    // Nor does one at other places.
    place.run(&["scan", "127.0.0.1", "--ports", "1", "--only-ports"]);
    assert_eq!(models(), (1, 1));
    ollama.stop();
    place.json(&["scan", target]);
    assert_eq!(models(), (0, 0));
}

#[test]
fn a_service_that_was_named_and_does_not_answer_fails_the_scan() {
    let place = Place::new();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let ran = place.run(&["scan", "--no-store", &format!("http://{closed}")]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.contains("1 refused"), "{}", ran.out);
    assert!(ran.err.contains("was named and did not answer"), "{}", ran.err);
    assert_eq!(place.run(&["scan", "--no-store", "127.0.0.1", "--ports", "1", "--only-ports"]).code, 0);
}

#[test]
fn the_document_says_what_was_asked_for_and_allowed() {
    let place = Place::new();
    let permission = place.write("permission.txt", "abc");
    let ollama = ollama();
    let (url, file) = (ollama.url.clone(), place.path("scan.json"));
    let arguments = [
        Path::new("scan"),
        Path::new(&url),
        Path::new("--no-store"),
        Path::new("--allow-public"),
        Path::new("--authorization"),
        &permission,
        Path::new("--output"),
        &file,
    ];
    place.ok(&arguments);
    let document: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let extra = &document["meta"]["extra"];
    assert_eq!(document["meta"]["collector"], "scan");
    assert_eq!(extra["network_scan_spec"], url);
    assert_eq!(extra["allow_public_targets"], true);
    assert_eq!(extra["allowed"]["network"], true);
    // SHA-256 of "abc".
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(extra["authorization_file_sha256"], expected);
}

#[test]
fn a_key_that_a_service_repeats_is_nowhere() {
    let place = Place::new();
    // As it was given, and as it would be sent.
    let (key, sent) = ("hunter2hunter3", "aHVudGVyMmh1bnRlcjM=");
    let ollama = ollama_of_version("0.12.3-hunter2hunter3-aHVudGVyMmh1bnRlcjM=");
    let keys = place.write("keys.txt", format!("{} {key}\n", ollama.url));
    let file = place.path("scan.json");
    let arguments = ["scan", &ollama.url, "--inventory", "--keys-file", keys.to_str().unwrap(), "--output"];
    let mut all: Vec<&Path> = arguments.iter().map(Path::new).collect();
    all.push(&file);
    let ran = place.run(&all);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let document = std::fs::read_to_string(&file).unwrap();
    assert!(document.contains("OllamaInstance") && document.contains("AIModel"), "{document}");
    let report = place.run(&[&all[..], &[Path::new("--format"), Path::new("json")]].concat());
    let export = place.ok(&["graph", "export"]);
    for text in [&ran.out, &ran.err, &report.out, &report.err, &document, &export] {
        assert!(!text.contains(key) && !text.contains(sent), "{text}");
    }
}

#[test]
fn nobody_is_contacted_if_the_document_has_nowhere_to_go() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let target = listener.local_addr().unwrap().to_string();
    let ran = place.run(&["scan", &target, "--no-store", "--output", "/nowhere/at/all/scan.json"]);
    assert!(ran.code == 1 && ran.err.contains("cannot write"), "{}", ran.err);
    assert!(listener.accept().is_err(), "somebody came");
}

#[test]
fn a_document_says_which_rules_of_its_own_took_part() {
    let place = Place::new();
    let ollama = ollama();
    let rule = place.ok(&["rules", "show", "ollama-open", "--yaml"]);
    let version = rule.lines().find(|line| line.starts_with("version: ")).unwrap().to_owned();
    let rules = place.path("rules");
    std::fs::create_dir(&rules).unwrap();
    let changed =
        rule.replace(&version, "version: 99").replace("is_anonymous_loot: \"true\"", "is_anonymous_loot: \"false\"");
    std::fs::write(rules.join("ours.yaml"), changed).unwrap();
    let file = place.path("scan.json");
    let arguments = ["scan", &ollama.url, "--no-store", "--rules", rules.to_str().unwrap(), "--output"];
    let mut all: Vec<&Path> = arguments.iter().map(Path::new).collect();
    all.push(&file);
    place.ok(&all);
    let document: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let own = &document["meta"]["extra"]["own_rules"];
    assert_eq!(own[0], "ollama-open version 99, in the place of a built-in one", "{own}");
    let nodes = document["graph"]["nodes"].as_array().unwrap();
    let service = nodes.iter().find(|node| node["kinds"][0] == "OllamaInstance").unwrap();
    assert_eq!(service["properties"]["is_anonymous_loot"], false);
}
