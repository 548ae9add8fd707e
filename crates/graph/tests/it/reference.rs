//! Documents in the shapes that other collectors of the format write.

use serde_json::{Value, json};
use tracehound_graph::{Access, Estate, Graph, Limits, Moment, Point, View as _};

fn graph_of(documents: &[String]) -> Graph {
    let folder = tempfile::tempdir().unwrap();
    let mut estate = Estate::open(folder.path(), "default", Access::Write, Limits::default()).unwrap();
    for document in documents {
        let ingested = estate.ingest(document.as_bytes(), Moment::parse("2026-06-01T00:00:00Z").unwrap()).unwrap();
        assert_eq!(estate.document(&ingested.scan.scan_id).unwrap(), document.as_bytes(), "kept byte for byte");
    }
    estate.graph(&Point::Now).unwrap()
}

fn document(meta: Value, nodes: Value, edges: Value) -> Value {
    json!({ "meta": meta, "graph": { "nodes": nodes, "edges": edges } })
}

fn meta(collector: &str, scan_id: &str) -> Value {
    json!({
        "version": 1, "type": "agenthound-ingest", "collector": collector, "collector_version": "0.1.0",
        "timestamp": "2026-05-01T10:00:00Z", "scan_id": scan_id
    })
}

/// Indented by two spaces, HTML-sensitive characters escaped: how the format's first producer prints.
fn printed(document: &Value) -> String {
    let text = serde_json::to_string_pretty(document).unwrap();
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// The text of a node's property.
fn text(graph: &Graph, id: &str, key: &str) -> String {
    let node = graph.find(id).unwrap_or_else(|| panic!("no node {id}"));
    graph.property(node, key).unwrap().as_text().unwrap().to_owned()
}

/// A merged scan: nodes stand twice (once from each collector), edges carry other scan ids than the document, lists
/// are null where they are empty, schemes are lists of objects.
#[test]
fn a_merged_local_scan() {
    let standard = |weight: f64| {
        json!({ "scan_id": "scan-config-1", "last_seen": "2026-05-01T10:00:00Z", "confidence": 1,
                "risk_weight": weight, "is_composite": false })
    };
    let nodes = json!([
        { "id": "agent", "kinds": ["AgentInstance"],
          "properties": { "objectid": "agent", "name": "cursor", "framework": "cursor", "config_path": "/c" } },
        { "id": "server", "kinds": ["MCPServer"],
          "properties": { "objectid": "server", "name": "db", "transport": "stdio", "endpoint": "npx",
                          "auth_method": "apiKey", "is_pinned": false } },
        { "id": "server", "kinds": ["MCPServer"],
          "properties": { "objectid": "server", "name": "postgres", "transport": "stdio", "endpoint": "npx",
                          "status": "reachable", "capabilities": null, "instructions": "a < b & c" } },
        { "id": "tool", "kinds": ["MCPTool"],
          "properties": { "name": "query", "capability_surface": ["database_access"],
                          "annotations": { "read_only_hint": true, "idempotent_hint": false } } },
        { "id": "a2a", "kinds": ["A2AAgent"],
          "properties": { "name": "helper", "security_schemes": [{ "name": "key", "type": "apiKey" }] } }
    ]);
    let edges = json!([
        { "source": "agent", "target": "server", "kind": "TRUSTS_SERVER", "source_kind": "AgentInstance",
          "target_kind": "MCPServer", "properties": standard(0.3) },
        { "source": "agent", "target": "server", "kind": "TRUSTS_SERVER", "source_kind": "AgentInstance",
          "target_kind": "MCPServer", "properties": standard(0.3) },
        { "source": "server", "target": "tool", "kind": "PROVIDES_TOOL", "source_kind": "MCPServer",
          "target_kind": "MCPTool", "properties": standard(0.1) }
    ]);
    let graph = graph_of(&[printed(&document(meta("scan", "merged"), nodes, edges))]);
    assert_eq!((graph.node_count(), graph.edge_count()), (4, 2));
    assert_eq!(text(&graph, "server", "name"), "postgres");
    assert_eq!(text(&graph, "server", "auth_method"), "apiKey");
    assert_eq!(text(&graph, "server", "instructions"), "a < b & c");
    assert_eq!(text(&graph, "tool", "annotations"), r#"{"idempotent_hint":false,"read_only_hint":true}"#);
    assert_eq!(text(&graph, "a2a", "security_schemes"), r#"[{"name":"key","type":"apiKey"}]"#);
    assert!(graph.property(graph.find("server").unwrap(), "capabilities").is_none());
    let trust = graph.edges().next().unwrap();
    assert_eq!(trust.last_scan().scan_id, "merged");
    assert_eq!(trust.property("confidence").unwrap().as_number(), Some(1.0));
}

/// A network scan: services with their umbrella label, templated truth values, credentials behind the umbrella as
/// the edge's source, evidence as an object; and an empty scan whose lists are null.
#[test]
fn a_network_scan_and_an_empty_one() {
    let nodes = json!([
        { "id": "gateway", "kinds": ["LiteLLMGateway", "AIService"],
          "properties": { "endpoint": "http://10.0.0.1:4000", "is_anonymous_loot": "false" } },
        { "id": "key", "kinds": ["Credential"], "properties": { "type": "master_key", "value_hash": "ab" } }
    ]);
    let edges = json!([
        { "source": "gateway", "target": "key", "kind": "EXPOSES_CREDENTIAL", "source_kind": "AIService",
          "target_kind": "Credential", "properties": { "evidence": { "via": "key/info" } } }
    ]);
    let empty = document(meta("scan", "nothing"), Value::Null, Value::Null);
    let graph = graph_of(&[printed(&document(meta("scan", "network"), nodes, edges)), printed(&empty)]);
    let gateway = graph.find("gateway").unwrap();
    assert_eq!(graph.property(gateway, "is_anonymous_loot").unwrap().as_bool(), Some(false));
    let edge = graph.edges().next().unwrap();
    assert_eq!(edge.source().kind().name(), "LiteLLMGateway");
    assert_eq!(edge.property("evidence").unwrap().as_text(), Some(r#"{"via":"key/info"}"#));
    assert_eq!(graph.scans().len(), 2);
}

/// A small complete estate with short ids, as a producer that has no hashes would write it.
#[test]
fn a_small_complete_estate() {
    let node = |id: &str, kind: &str, properties: Value| json!({ "id": id, "kinds": [kind], "properties": properties });
    let edge = |source: &str, kind: &str, target: &str, weight: f64| json!({ "source": source, "target": target, "kind": kind, "properties": { "risk_weight": weight } });
    let nodes = json!([
        node("a1", "AgentInstance", json!({ "name": "alpha" })),
        node("s1", "MCPServer", json!({ "name": "files", "auth_method": "none" })),
        node("s2", "MCPServer", json!({ "name": "db", "auth_method": "apiKey" })),
        node("h1", "Host", json!({ "hostname": "localhost", "is_local": true })),
        node("t1", "MCPTool", json!({ "name": "run_shell", "schema_keys": ["cmd", "cwd"] })),
        node("t2", "MCPTool", json!({ "name": "query_db" })),
        node("t3", "MCPTool", json!({ "name": "send_mail" })),
        node("r1", "MCPResource", json!({ "name": "customers-database", "sensitivity": "critical" })),
        node("c1", "Credential", json!({ "name": "DB_URL", "type": "envVar", "value_hash": "any" })),
    ]);
    let edges = json!([
        edge("a1", "TRUSTS_SERVER", "s1", 0.1),
        edge("a1", "TRUSTS_SERVER", "s2", 0.3),
        edge("s1", "PROVIDES_TOOL", "t1", 0.1),
        edge("s2", "PROVIDES_TOOL", "t2", 0.1),
        edge("s2", "PROVIDES_TOOL", "t3", 0.1),
        edge("s2", "PROVIDES_RESOURCE", "r1", 0.2),
        edge("s1", "RUNS_ON", "h1", 0.0),
        edge("s2", "HAS_ENV_VAR", "c1", 0.0),
    ]);
    let graph = graph_of(&[printed(&document(meta("scan", "small"), nodes, edges))]);
    assert_eq!((graph.node_count(), graph.edge_count()), (9, 8));
    assert!(graph.unplaced().is_empty());
}
