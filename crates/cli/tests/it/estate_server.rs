//! An estate that a server keeps: commands that write go through it, commands that read stand beside it, and both count alike.

use std::path::Path;

use serde_json::{Value, json};

use crate::gateway::{Server, ask};
use crate::harness::Place;

/// Asks a server as the holder of its data directory.
fn get(place: &Place, server: &Server, path: &str) -> Value {
    let left: Value = serde_json::from_slice(&std::fs::read(place.data().join("serve.json")).unwrap()).unwrap();
    let (status, answer) = ask(&server.address, "GET", path, left["token"].as_str().unwrap(), None).unwrap();
    assert_eq!(status, 200, "{path}: {answer}");
    answer
}

/// What a command prints for programs.
fn told(place: &Place, arguments: &[&str]) -> Value {
    let mut all = arguments.to_vec();
    all.extend(["--format", "json"]);
    let ran = place.run(&all);
    assert_eq!(ran.code, 0, "{arguments:?}: {} {}", ran.out, ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

/// What is told, but for when people decided it.
fn timeless(mut told: Value) -> Value {
    match &mut told {
        Value::Object(members) => {
            members.remove("at");
            members.values_mut().for_each(|member| *member = timeless(member.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = timeless(item.take())),
        _ => {}
    }
    told
}

/// A document with a host, and perhaps something that is none.
fn document(scan_id: &str, hostname: &str, kind: &str) -> String {
    let nodes = json!([{ "id": hostname, "kinds": [kind], "properties": { "hostname": hostname } }]);
    json!({
        "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "collector_version": "1",
                  "scan_id": scan_id, "timestamp": "2026-11-20T09:00:00Z" },
        "graph": { "nodes": nodes, "edges": [] },
    })
    .to_string()
}

#[test]
fn a_document_that_a_command_takes_in_is_there_at_once() {
    let place = Place::with_demo();
    let server = Server::start(&place);
    let before = get(&place, &server, "/v1/estate/summary");
    let file = place.write("more.json", document("one-more", "new-host", "Host"));
    let first = told(&place, &["ingest", file.to_str().unwrap()]);
    assert_eq!(first["documents"][0]["status"], "ingested", "{first}");
    let after = get(&place, &server, "/v1/estate/summary");
    assert_eq!(after["nodes"].as_u64().unwrap(), before["nodes"].as_u64().unwrap() + 1);
    assert_eq!((&after["nodes"], &after["edges"]), (&first["graph"]["nodes"], &first["graph"]["edges"]));
    assert_eq!(after["last_scan"]["scan_id"], "one-more");
    let second = told(&place, &["ingest", file.to_str().unwrap()]);
    assert_eq!(second["documents"][0]["status"], "unchanged", "{second}");
    assert_eq!(second["documents"][0]["scan"], first["documents"][0]["scan"]);
    let wrong = place.write("wrong.json", document("wrong", "x", "Spaceship"));
    let refused = place.run(&["ingest", wrong.to_str().unwrap()]);
    server.kill();
    let alone = place.run(&["ingest", wrong.to_str().unwrap()]);
    assert_eq!((refused.code, &refused.err), (1, &alone.err), "refused in the same words");
    assert!(refused.err.contains("graph.nodes[0].kinds[0]"), "{}", refused.err);
    let listed = told(&place, &["scans", "list"]);
    assert!(listed.to_string().contains("one-more"), "what the server took in stays: {listed}");
}

#[test]
fn commands_say_the_same_with_and_without_a_server() {
    let place = Place::with_demo();
    let list = ["findings", "list", "--all"];
    let id = told(&place, &list)["findings"][0]["fingerprint"].as_str().unwrap().to_owned();
    let triage = ["findings", "triage", id.as_str(), "--state", "confirmed", "--reason", "seen", "--author", "lena"];
    let mark = ["graph", "mark", "MCPServer:files", "--crown-jewel", "--author", "lena"];
    let acknowledge = ["graph", "acknowledge", "--all", "--author", "lena", "--note", "looked"];
    let delete = ["scans", "delete", "monday-build"];
    let look = [list.as_slice(), &["graph", "marks"], &["graph", "changes"], &["scans", "list"], &["graph", "stats"]];
    let alone = Place::with_demo();
    let server = Server::start(&place);
    for write in [triage.as_slice(), &mark, &acknowledge, &delete] {
        let (here, through) = (alone.run(write), place.run(write));
        assert_eq!((through.code, &through.out), (0, &here.out), "{write:?}: {}", through.err);
    }
    for read in look {
        assert_eq!(timeless(told(&place, read)), timeless(told(&alone, read)), "{read:?}");
    }
    let shown = get(&place, &server, &format!("/v1/estate/findings/{id}"));
    assert_eq!((&shown["status"], &shown["triage"][0]["author"]), (&json!("confirmed"), &json!("lena")), "{shown}");
    let scans = get(&place, &server, "/v1/estate/scans");
    assert!(!scans.to_string().contains("monday-build"), "{scans}");
    let gone = place.run(&["scans", "delete", "monday-build"]);
    assert_eq!(gone.code, 1);
    assert!(gone.err.contains("there is no scan `monday-build`"), "{}", gone.err);
    server.kill();
}

#[test]
fn a_scan_of_files_is_kept_by_the_server() {
    let place = Place::new();
    let server = Server::start(&place);
    let folder = place.path("tree");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(".mcp.json"), r#"{"mcpServers": {"files": {"command": "npx", "args": ["-y", "x"]}}}"#)
        .unwrap();
    let ran = place.run(&[Path::new("scan"), Path::new("--dir"), &folder]);
    assert!(ran.code == 0 || ran.code == 10, "{} {}", ran.out, ran.err);
    let summary = get(&place, &server, "/v1/estate/summary");
    assert_eq!((&summary["scans"], &summary["nodes_by_kind"]["MCPServer"]), (&json!(1), &json!(1)), "{summary}");
    server.kill();
}

#[test]
fn the_server_and_the_command_line_count_alike() {
    let place = Place::with_demo();
    let server = Server::start(&place);
    let listed = told(&place, &["findings", "list", "--all"]);
    let served = get(&place, &server, "/v1/estate/findings?limit=1000");
    assert_eq!(served["total"], listed["total"]);
    assert_eq!(served["facets"]["severity"], listed["matching"]["by_severity"]);
    assert_eq!(served["facets"]["kind"], listed["matching"]["by_kind"]);
    let titles = |items: &Value| -> Vec<Value> {
        items
            .as_array()
            .unwrap()
            .iter()
            .map(|item| json!([item["fingerprint"], item["title"], item["severity"]]))
            .collect()
    };
    assert_eq!(titles(&served["items"]), titles(&listed["findings"]), "in the same order");
    let summary = get(&place, &server, "/v1/estate/summary");
    let stats = told(&place, &["graph", "stats"]);
    for count in ["scans", "nodes", "edges", "nodes_by_kind"] {
        assert_eq!(summary[count], stats[count], "{count}");
    }
    let asked = told(&place, &["ask", "no-auth-servers"]);
    assert_eq!(summary["unauthenticated_servers"], asked["total"]);
    let (from, to) = ("monday-agents", "friday-laptop");
    let diff = get(&place, &server, &format!("/v1/estate/diff?from={from}&to={to}"));
    let difference = told(&place, &["scans", "diff", from, to]);
    for count in ["nodes_added", "nodes_removed", "nodes_changed", "edges_added", "edges_removed", "edges_changed"] {
        assert_eq!(diff["counts"][count], json!(difference[count].as_array().unwrap().len()), "{count}");
    }
    for fate in ["new", "fixed", "reopened", "changed"] {
        let count = difference["findings"][fate].as_array().unwrap().len();
        assert_eq!(diff["counts"][format!("findings_{fate}")], json!(count), "{fate}");
    }
    assert_eq!(diff["counts"]["findings_persisting"], difference["findings"]["persisting"]);
    let id = listed["findings"][0]["fingerprint"].as_str().unwrap();
    let (shown, detail) =
        (told(&place, &["findings", "show", id]), get(&place, &server, &format!("/v1/estate/findings/{id}")));
    for text in ["title", "description", "evidence", "remediation", "category"] {
        assert_eq!(shown[text], detail[text], "{text}");
    }
    server.kill();
}
