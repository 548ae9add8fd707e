//! What each command answers.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use insta::assert_snapshot;
use serde_json::Value;

use crate::harness::{Place, document};

const MONDAY: &str = "2026-01-05T09:00:00Z";
const FRIDAY: &str = "2026-01-09T09:00:00Z";

fn week() -> Place {
    let place = Place::new();
    place.ingest(&document("monday", MONDAY, "one"));
    let mut friday = document("friday", FRIDAY, "two");
    friday["graph"]["nodes"][1]["properties"]["name"] = "renamed".into();
    place.ingest(&friday);
    place
}

#[test]
fn ingest_says_what_a_document_added() {
    let place = Place::new();
    let file = place.write("scan.json", document("monday", MONDAY, "one").to_string());
    let out = place.ok(&[Path::new("ingest"), &file]).replace(file.to_str().unwrap(), "scan.json");
    assert_snapshot!(out, @"
    scan.json: scan monday (scan) nodes: 3 new, 0 changed, 0 as before; edges: 2 new, 0 changed, 0 as before
      warning: graph.nodes[0].id: `agent` is not `sha256:` and 64 hex digits (and 2 more of this sort)
    estate: 3 nodes, 2 edges
    ");
    let again = place.ok(&[Path::new("ingest"), &file]).replace(file.to_str().unwrap(), "scan.json");
    assert_snapshot!(again, @"
    scan.json: scan monday is stored already; nothing changed
    estate: 3 nodes, 2 edges
    ");
}

#[test]
fn an_empty_document_is_accepted_and_says_so() {
    let place = Place::new();
    for (name, graph) in [("nulls", r#"{"nodes":null,"edges":null}"#), ("lists", r#"{"nodes":[],"edges":[]}"#)] {
        let text = format!(
            r#"{{"meta":{{"version":1,"type":"agenthound-ingest","collector":"mcp","scan_id":"{name}","timestamp":"{MONDAY}"}},"graph":{graph}}}"#
        );
        let out = place.ok(&[Path::new("ingest"), &place.write("empty.json", text)]);
        assert!(out.contains(&format!("scan {name} (mcp) is empty and stored")), "{out}");
    }
}

#[test]
fn documents_come_compressed_and_over_standard_input() {
    let place = Place::new();
    let mut child = place.command(&["ingest", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(document("piped", MONDAY, "one").to_string().as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    let packed = zstd::encode_all(document("packed", FRIDAY, "one").to_string().as_bytes(), 3).unwrap();
    place.ok(&[Path::new("ingest"), &place.write("packed.json.zst", packed)]);
    let scans = place.json(&["scans", "list"]);
    let ids: Vec<&str> = scans.as_array().unwrap().iter().map(|scan| scan["scan_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["piped", "packed"]);
}

#[test]
fn one_refused_document_does_not_hide_the_others() {
    let place = Place::new();
    let good = place.write("good.json", document("good", MONDAY, "one").to_string());
    let bad = place.write("bad.json", "{");
    let last = place.write("last.json", document("last", FRIDAY, "one").to_string());
    let ran = place.run(&[Path::new("ingest"), &good, &bad, &last]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("bad.json"), "{}", ran.err);
    assert_eq!(place.json(&["scans", "list"]).as_array().unwrap().len(), 2);
}

#[test]
fn nobody_listening_is_no_reason_to_lose_documents() {
    let place = Place::new();
    let files = ["one", "two", "three"].map(|id| place.write(id, document(id, MONDAY, "one").to_string()));
    let bad = place.write("bad", "{");
    let arguments = [Path::new("ingest"), &files[0], &files[1], &bad, &files[2]];
    let mut child = place.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1), "one was refused");
    assert_eq!(place.json(&["scans", "list"]).as_array().unwrap().len(), 3);
}

#[test]
fn a_check_stores_nothing() {
    let place = Place::new();
    let good = place.write("good.json", document("good", MONDAY, "one").to_string());
    let bad = place.write("bad.json", "{}");
    let ran = place.run(&[Path::new("ingest"), Path::new("--check"), &good, &bad]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("good.json: acceptable"), "{}", ran.out);
    assert!(ran.err.contains("meta.version"), "{}", ran.err);
    let json = place.json(&["ingest", "--check", good.to_str().unwrap()]);
    assert_eq!(json["documents"][0]["status"], "acceptable");
    assert!(!place.data().exists());
}

#[test]
fn scans_are_listed_and_shown() {
    let place = week();
    let list = place.json(&["scans", "list"]);
    assert_eq!(list[0]["scan_id"], "monday");
    assert_eq!(list[0]["time"], MONDAY);
    assert_eq!(list[1]["edges"], 2);
    assert_eq!(place.json(&["scans", "show", "monday"])["nodes"], 3);
    let document: Value = serde_json::from_str(&place.ok(&["scans", "show", "monday", "--document"])).unwrap();
    assert_eq!(document["meta"]["scan_id"], "monday");
    assert!(place.ok(&["scans", "list"]).lines().count() >= 3);
    let missing = place.run(&["scans", "show", "mon"]);
    assert_eq!(missing.code, 1);
    assert_eq!(missing.err, "error: there is no scan `mon`; did you mean `monday`?\n");
}

#[test]
fn a_difference_names_what_changed() {
    let place = week();
    assert_snapshot!(place.ok(&["scans", "diff", "monday", "friday"]), @"
    nodes changed: 2
      ~ MCPServer renamed
          name: files -> renamed
      ~ MCPTool read_file
          description_hash: one -> two
    findings new: 1
      + high     The description of tool `read_file` of `renamed` was rewritten  [353d740c]
    findings persisting: 0
    ");
    assert_eq!(place.ok(&["scans", "diff", "2026-01-06", "2026-01-08T00:00:00Z"]), "nothing differs\n");
    let json = place.json(&["scans", "diff", "2026-01-04"]);
    assert_eq!(json["nodes_added"].as_array().unwrap().len(), 3);
    assert_eq!(place.run(&["scans", "diff", "yesterday"]).code, 1);
}

#[test]
fn a_deleted_scan_leaves_no_trace() {
    let place = week();
    let before = place.ok(&["graph", "export", "--at", "monday"]);
    assert_eq!(place.run(&["scans", "delete", "friday", "nonsense"]).code, 1, "nothing is deleted");
    assert_eq!(place.ok(&["scans", "delete", "friday", "friday"]), "deleted scan friday\n");
    assert_eq!(place.ok(&["graph", "export"]), before);
    let stored = fs::read(place.data().join("estate.db")).unwrap();
    assert!(!stored.windows(7).any(|window| window == b"renamed"));
}

#[test]
fn statistics_count_by_kind() {
    let place = week();
    let stats = place.json(&["graph", "stats"]);
    assert_eq!(stats["nodes_by_kind"]["MCPTool"], 1);
    assert_eq!(stats["edges_by_kind"]["TRUSTS_SERVER"], 1);
    assert_eq!(place.json(&["graph", "stats", "--at", "2026-01-01"])["nodes"], 0);
    assert!(place.ok(&["graph", "stats"]).contains("PROVIDES_TOOL"));
}

#[test]
fn a_node_is_shown_with_its_history_and_connections() {
    let place = week();
    assert_snapshot!(place.ok(&["graph", "show", "server"]), @"
    MCPServer renamed
    id: server
      auth_method: none
      name: renamed
    seen by 2 scans: monday at 2026-01-05T09:00:00Z, friday at 2026-01-09T09:00:00Z
    edges: 2
      <- TRUSTS_SERVER AgentInstance cursor
      -> PROVIDES_TOOL MCPTool read_file
    ");
    let json = place.json(&["graph", "show", "server", "--at", "monday"]);
    assert_eq!(json["properties"]["name"], "files");
    assert_eq!(json["scans"].as_array().unwrap().len(), 1);
    assert_eq!(json["edges"][1]["node"]["id"], "tool");
    let missing = place.run(&["graph", "show", "nobody"]);
    assert_eq!((missing.code, missing.err.as_str()), (1, "error: there is no node `nobody`\n"));
}

#[test]
fn a_node_is_shown_and_acknowledged_by_its_name() {
    let place = week();
    let by_id = place.ok(&["graph", "show", "tool"]);
    for name in ["read_file", "Read_File", "MCPTool:read_file"] {
        assert_eq!(place.ok(&["graph", "show", name]), by_id, "{name}");
    }
    let near = place.run(&["graph", "show", "read_fle"]);
    assert_eq!((near.code, near.err.as_str()), (1, "error: there is no node `read_fle`; did you mean `read_file`?\n"));
    let near = place.run(&["graph", "acknowledge", "MCPTool:read_fle"]);
    assert!(near.err.contains("did you mean `MCPTool:read_file`?"), "{}", near.err);
    assert_eq!(place.ok(&["graph", "acknowledge", "read_file"]), "acknowledged 1 changed contents\n");
    assert_eq!(place.run(&["graph", "acknowledge", "read_file"]).code, 1, "nothing is left");
}

#[test]
fn an_edge_without_its_end_is_reported_until_the_node_arrives() {
    let place = Place::new();
    let mut first = document("first", MONDAY, "one");
    first["graph"]["nodes"].as_array_mut().unwrap().remove(2);
    place.ingest(&first);
    let stats = place.json(&["graph", "stats"]);
    assert_eq!((&stats["edges"], &stats["hidden"]["pending_edges"]), (&1.into(), &1.into()));
    assert_eq!(stats["unplaced"][0]["target"], "tool");
    assert!(place.ok(&["graph", "stats"]).contains("PROVIDES_TOOL server -> tool: an end was never seen"));
    place.ingest(&document("second", FRIDAY, "one"));
    assert_eq!(place.json(&["graph", "stats"])["edges"], 2);
}

#[test]
fn an_export_can_be_ingested_again() {
    let place = week();
    let exported = place.path("export.json");
    place.ok(&["graph", "export", "--output", exported.to_str().unwrap()]);
    let other = Place::new();
    other.ok(&[Path::new("ingest"), &exported]);
    let nodes = |place: &Place| {
        let mut export: Value = serde_json::from_str(&place.ok(&["graph", "export"])).unwrap();
        for list in ["nodes", "edges"] {
            for item in export["graph"][list].as_array_mut().unwrap() {
                for provenance in ["scan_id", "first_seen", "last_seen", "previous_description_hash"] {
                    item["properties"].as_object_mut().unwrap().remove(provenance);
                }
            }
        }
        export["graph"].clone()
    };
    assert_eq!(nodes(&place), nodes(&other));
    let parts = place.path("parts");
    place.ok(&["graph", "export", "--split", "600", "--output", parts.to_str().unwrap()]);
    let mut files: Vec<_> = fs::read_dir(&parts).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 1);
    let split = Place::new();
    let mut arguments = vec![Path::new("ingest")];
    arguments.extend(files.iter().map(|file| file.as_path()));
    split.ok(&arguments);
    assert_eq!(nodes(&place), nodes(&split));
    assert_eq!(place.run(&["graph", "export", "--split", "1MiB"]).code, 1, "several documents need a directory");
}

#[test]
fn a_rug_pull_stays_until_somebody_acknowledges_it() {
    let place = week();
    place.ingest(&document("saturday", "2026-01-10T09:00:00Z", "two"));
    let changes = place.json(&["graph", "changes"]);
    assert_eq!((&changes[0]["from"], &changes[0]["to"]), (&"one".into(), &"two".into()));
    assert_eq!(changes[0]["scan_id"], "friday");
    assert!(place.ok(&["graph", "export"]).contains("\"previous_description_hash\":\"one\""));
    assert_eq!(place.run(&["graph", "acknowledge", "server"]).code, 1, "nothing of it changed");
    assert_eq!(place.run(&["graph", "acknowledge", "nobody"]).code, 1);
    assert_eq!(place.run(&["graph", "acknowledge"]).code, 2, "which?");
    assert_eq!(place.ok(&["graph", "acknowledge", "tool", "--note", "seen"]), "acknowledged 1 changed contents\n");
    assert_eq!(place.json(&["graph", "changes"]), Value::Array(Vec::new()));
    assert!(!place.ok(&["graph", "export"]).contains("previous_description_hash"));
    assert!(place.ok(&["graph", "export", "--at", "friday"]).contains("previous_description_hash"), "it was open then");
    place.ingest(&document("sunday", "2026-01-11T09:00:00Z", "three"));
    place.ingest(&document("next-monday", "2026-01-12T09:00:00Z", "two"));
    let changes = place.json(&["graph", "changes"]);
    assert_eq!((&changes[0]["from"], &changes[0]["to"]), (&"three".into(), &"two".into()), "it was away and is back");
}

#[test]
fn the_demo_tells_its_story_and_leaves_nothing_behind() {
    let place = Place::new();
    let temporary = place.path("tmp");
    fs::create_dir(&temporary).unwrap();
    let ran = place.command(&["demo", "--no-serve"]).env("TMPDIR", &temporary).output().unwrap();
    assert!(ran.status.success());
    let out = String::from_utf8(ran.stdout).unwrap();
    for told in ["32", "nodes removed: 2", "- MCPServer chat", "format_report", "A tool that rewrote itself"] {
        assert!(out.contains(told), "{told} is missing from\n{out}");
    }
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    let kept = place.path("kept");
    place.ok(&["demo", "--no-serve", "--keep", kept.to_str().unwrap()]);
    let scans = place.json(&["scans", "list", "--data", kept.to_str().unwrap()]);
    assert_eq!(scans.as_array().unwrap().len(), 8);
    assert_eq!(place.json(&["demo"])["graph"]["nodes"], 32);
    assert_eq!(
        place.run(&["demo", "--no-serve", "--keep", kept.to_str().unwrap()]).code,
        1,
        "there is something there already"
    );
}

#[test]
fn tenants_do_not_see_each_other() {
    let place = week();
    let ran = place.json(&["scans", "list", "--tenant", "other"]);
    assert_eq!(ran, Value::Array(Vec::new()));
    assert_eq!(place.run(&["scans", "list", "--tenant", "No Name"]).code, 2);
    assert_eq!(place.ok(&["scans", "list", "--tenant", "other"]), "tenant other has no scans\n");
}

#[test]
fn help_has_examples_and_wrong_usage_is_told_apart() {
    let place = Place::new();
    for command in
        [&["--help"][..], &["ingest", "--help"], &["scans", "diff", "--help"], &["graph", "export", "--help"]]
    {
        assert!(place.ok(command).contains("Example"), "{command:?}");
    }
    assert_eq!(place.run(&["ingest"]).code, 2);
    assert_eq!(place.run(&["no-such-command"]).code, 2);
    let none = place.run(&["graph", "stats"]);
    assert_eq!(none.code, 1);
    assert!(none.err.contains("ingest a document first"), "{}", none.err);
}

#[test]
fn settings_come_from_a_file_too() {
    let place = week();
    let config = place.write("config.toml", format!("data = '{}'\nformat = 'json'\n", place.data().display()));
    let out =
        place.command(&["scans", "list", "--config", config.to_str().unwrap()]).env_remove("TRACEHOUND_DATA").output();
    assert!(serde_json::from_slice::<Value>(&out.unwrap().stdout).unwrap().is_array());
    let bad = place.write("bad.toml", "colour = 'blue'\n");
    let ran = place.run(&["scans", "list", "--config", bad.to_str().unwrap()]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("unknown field `colour`"), "{}", ran.err);
}

#[test]
fn hostile_names_are_shown_escaped() {
    let place = Place::new();
    let mut hostile = document("evil\u{1b}[2J", MONDAY, "one");
    hostile["graph"]["nodes"][1]["properties"]["name"] = "a\u{1b}]0;owned\u{7}\u{202e}b".into();
    let file = place.write("hostile.json", hostile.to_string());
    let mut shown = place.ok(&[Path::new("ingest"), &file]);
    shown += &place.ok(&["scans", "list"]);
    shown += &place.ok(&["scans", "diff", "2026-01-01"]);
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}') && !shown.contains('\u{7}'), "{shown:?}");
    assert!(shown.contains("a\\u{1b}]0;owned"), "{shown}");
}
