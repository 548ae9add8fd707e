//! Single nodes and their neighbours.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{edge, node, texts};
use crate::gateway::Gateway;

#[tokio::test]
async fn a_node_tells_everything_about_itself() {
    let gateway = Gateway::explored();
    let server = gateway.look("/v1/estate/nodes/s1").await;
    assert_eq!((&server["name"], &server["kind"]), (&"files".into(), &"MCPServer".into()));
    assert_eq!(server["properties"]["command"], "npx");
    assert_eq!(server["place"], json!({ "file": "/home/lena/.cursor/mcp.json", "line": 4 }));
    let score = &server["score"];
    assert_eq!(score["value"], server["properties"]["risk_score"]);
    let parts = score["components"].as_array().unwrap();
    let weights: f64 = parts.iter().map(|part| part["weight"].as_f64().unwrap()).sum();
    assert!((weights - 1.0).abs() < 1e-9 && parts.iter().all(|part| part["reason"].is_string()), "{score}");
    let connection = |kind: &str, direction: &str| {
        let all = server["connections"].as_array().unwrap();
        all.iter().find(|one| one["kind"] == kind && one["direction"] == direction).map(|one| one["count"].clone())
    };
    assert_eq!(connection("TRUSTS_SERVER", "in"), Some(1.into()));
    assert_eq!(connection("PROVIDES_TOOL", "out"), Some(1.into()));
    assert_eq!(connection("PROVIDES_TOOL", "in"), None);
    let history = &server["history"];
    assert_eq!((&history["scans"], &history["first"]["scan_id"]), (&2.into(), &"first".into()));
    assert_eq!(texts(&history["seen"], "/scan_id"), ["second", "first"], "the latest first");
    let agent = gateway.look("/v1/estate/nodes/a1").await;
    assert!(agent["findings_total"].as_u64().unwrap() > 0);
    assert_eq!(agent["findings"].as_array().unwrap().len() as u64, agent["findings_total"].as_u64().unwrap());
    let host = gateway.look("/v1/estate/nodes/r2").await;
    assert_eq!((&host["owned"], &host["crown_jewel"]), (&false.into(), &false.into()));
}

#[tokio::test]
async fn a_content_that_rewrote_itself_is_told_with_both_texts() {
    let gateway = Gateway::explored();
    let tool = gateway.look("/v1/estate/nodes/read_file").await;
    let changes = tool["history"]["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{tool}");
    let change = &changes[0];
    assert_eq!((&change["content"], &change["before"]), (&"description".into(), &"Reads a file.".into()));
    assert_eq!(change["after"], "Reads a file, and more.");
    assert_eq!((&change["scan_id"], &change["since_scan_id"]), (&"second".into(), &"first".into()));
    let seen = &tool["history"]["seen"];
    assert_eq!((&seen[0]["changed"], &seen[1]["changed"]), (&true.into(), &false.into()));
    let then = gateway.look("/v1/estate/nodes/read_file?at=first").await;
    assert_eq!(then["history"]["changes"], json!([]));
}

#[tokio::test]
async fn a_node_is_named_as_on_the_command_line() {
    let gateway = Gateway::explored();
    for (name, id) in [
        ("cursor", "a1"),
        ("Cursor", "a1"),
        ("MCPServer:customers", "s2"),
        ("customer%20table", "r1"),
        ("file:%2F%2F%2Fnotes", "r2"),
    ] {
        assert_eq!(gateway.look(&format!("/v1/estate/nodes/{name}")).await["id"], id, "{name}");
    }
    for path in ["/v1/estate/nodes/curser", "/v1/estate/nodes/curser/neighbours"] {
        gateway.check_refusal(path, None, (404, "node_not_found", "did you mean `cursor`")).await;
    }
    gateway.check_refusal("/v1/estate/nodes/zzzzz", None, (404, "node_not_found", "there is no node")).await;
}

#[tokio::test]
async fn several_nodes_of_one_name_are_listed() {
    let gateway = Gateway::explored();
    let more = vec![node("s9", "MCPServer", json!({ "name": "files" }))];
    gateway.ingest("default", &super::document("third", "2026-10-03T10:00:00Z", more, Vec::new()));
    gateway.check_refusal("/v1/estate/nodes/files", None, (400, "node_ambiguous", "MCPServer files (s1)")).await;
}

#[tokio::test]
async fn neighbours_come_by_kind_and_direction_and_can_be_narrowed_down() {
    let gateway = Gateway::explored();
    let all = gateway.look("/v1/estate/nodes/s1/neighbours").await;
    let seen: Vec<&Value> = all["edges"].as_array().unwrap().iter().filter(|edge| edge["composite"] == false).collect();
    assert_eq!(seen.len(), 4, "{all}");
    assert!(texts(&all["nodes"], "/id").contains(&"s1"), "the node itself is told, too");
    let out = gateway.look("/v1/estate/nodes/s1/neighbours?direction=out&edge_kinds=PROVIDES_TOOL").await;
    assert_eq!(texts(&out["edges"], "/target"), ["t1"]);
    let incoming = gateway.look("/v1/estate/nodes/s1/neighbours?direction=in&kinds=AgentInstance").await;
    assert!(texts(&incoming["edges"], "/source").iter().all(|source| *source == "a1"), "{incoming}");
    for (query, code) in [
        ("direction=up", "bad_query"),
        ("kinds=x", "bad_kind"),
        ("edge_kinds=x", "bad_kind"),
        ("limit=5001", "out_of_range"),
        ("cursor=!", "bad_cursor"),
    ] {
        gateway.check_refusal(&format!("/v1/estate/nodes/s1/neighbours?{query}"), None, (400, code, "")).await;
    }
}

#[tokio::test]
async fn a_node_with_very_many_edges_is_told_page_by_page() {
    let gateway = Gateway::new();
    let mut nodes = vec![node("s", "MCPServer", json!({ "name": "hub" }))];
    let mut edges = Vec::new();
    for number in 0..2_500 {
        let id = format!("tool{number:04}");
        nodes.push(node(&id, "MCPTool", json!({ "name": format!("does {number}") })));
        edges.push(edge("s", "PROVIDES_TOOL", &id));
    }
    gateway.ingest("default", &super::document("many", "2026-10-01T10:00:00Z", nodes, edges));
    let mut targets = Vec::new();
    let mut address = "/v1/estate/nodes/hub/neighbours?edge_kinds=PROVIDES_TOOL&limit=1000".to_owned();
    let first = address.clone();
    let mut pages = 0;
    loop {
        let page = gateway.look(&address).await;
        pages += 1;
        assert_eq!((&page["total_edges"], &page["total_nodes"]), (&2_500.into(), &2_501.into()));
        targets.extend(texts(&page["edges"], "/target").into_iter().map(str::to_owned).collect::<Vec<_>>());
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        address = format!("{first}&cursor={cursor}");
    }
    assert_eq!(pages, 3);
    let unique: BTreeSet<&String> = targets.iter().collect();
    assert_eq!((targets.len(), unique.len()), (2_500, 2_500));
}

#[tokio::test]
async fn a_cursor_of_another_estate_is_refused_instead_of_leaving_something_out() {
    let gateway = Gateway::explored();
    let page = gateway.look("/v1/estate/nodes/s1/neighbours?limit=1&at=first").await;
    let cursor = page["next_cursor"].as_str().unwrap();
    let path = format!("/v1/estate/nodes/s1/neighbours?limit=1&cursor={cursor}");
    gateway.check_refusal(&path, None, (400, "bad_cursor", "has changed")).await;
}
