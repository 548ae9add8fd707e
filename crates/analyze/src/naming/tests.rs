//! Names in a small estate with nodes that are called alike.

use serde_json::{Value, json};
use tracehound_graph::{Graph, Limits, Moment, View as _, graph_of};
use tracehound_model::{Mark, NodeId};

use super::*;

const DIGITS: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const OTHERS: &str = "0123456789bbbbbb0123456789abcdef0123456789abcdef0123456789abcdef";

fn node(id: &str, kind: &str, properties: Value) -> Value {
    json!({ "id": id, "kinds": [kind], "properties": properties })
}

fn estate() -> Graph {
    let mut nodes = vec![
        node("a", "AgentInstance", json!({ "name": "files" })),
        node("s1", "MCPServer", json!({ "name": "files", "endpoint": "http://h/mcp" })),
        node("s2", "MCPServer", json!({ "name": "Billing" })),
        node("r1", "MCPResource", json!({ "name": "notes", "uri": "file:///Notes", "sensitivity": "critical" })),
        node("r2", "MCPResource", json!({ "name": "odd, name", "uri": "https://w", "sensitivity": "high" })),
        node("t", "MCPTool", json!({ "name": "fetch" })),
        node("h", "Host", json!({ "hostname": "laptop-7" })),
        node("x1", "A2AAgent", json!({ "name": "open one" })),
        node("x2", "A2AAgent", json!({ "name": "closed one", "auth_method": "oauth" })),
        node("f", "InstructionFile", json!({ "path": "/w/AGENTS.md", "is_suspicious": true })),
        node("g", "LiteLLMGateway", json!({ "name": "gateway" })),
        node(&format!("sha256:{DIGITS}"), "MCPTool", json!({ "name": "first" })),
        node(&format!("sha256:{OTHERS}"), "MCPTool", json!({ "name": "second" })),
    ];
    nodes.extend((0..12).map(|number| node(&format!("many{number:02}"), "MCPTool", json!({ "name": "search" }))));
    let document = json!({
        "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": "s",
                  "timestamp": "2026-01-01T00:00:00Z" },
        "graph": { "nodes": nodes, "edges": [
            { "source": "t", "target": "r2", "kind": "INGESTS_UNTRUSTED", "properties": {} }
        ] },
    });
    graph_of(document.to_string().as_bytes(), &Limits::default(), Moment(0)).unwrap()
}

fn check(text: &str, expected: Result<&str, &str>) {
    let graph = estate();
    let found = find(&graph, text).map(|node| graph.id(node).into_owned()).map_err(|unfound| unfound.to_string());
    let expected = expected.map(str::to_owned).map_err(str::to_owned);
    assert_eq!(found, expected, "{text}");
}

fn select(text: &str) -> Result<Vec<String>, String> {
    let graph = estate();
    let marks = Marks::from([
        (NodeId::from_wire("h"), Mark::Owned),
        (NodeId::from_wire("r1"), Mark::CrownJewel),
        (NodeId::from_wire("gone"), Mark::Owned),
    ]);
    let nodes = Selection::parse(text).nodes(&graph, &marks).map_err(|unfound| unfound.to_string())?;
    Ok(nodes.into_iter().map(|node| graph.id(node).into_owned()).collect())
}

#[test]
fn a_node_is_found_by_its_id_or_the_beginning_of_one() {
    let whole = format!("sha256:{DIGITS}");
    check("s1", Ok("s1"));
    check(&whole, Ok(&whole));
    check(DIGITS, Ok(&whole));
    check("sha256:0123456789a", Ok(&whole));
    check("0123456789A", Ok(&whole));
    check(
        "01234567",
        Err(
            "2 nodes are called `01234567`; say which one by its id or as Kind:name\n  MCPTool first (0123456789ab)\n  MCPTool second (0123456789bb)",
        ),
    );
    check("0123456", Err("there is no node `0123456`"));
}

#[test]
fn a_node_is_found_by_its_name_or_address() {
    check("Billing", Ok("s2"));
    check("bIlling", Ok("s2"));
    check(" billing ", Ok("s2"));
    check("http://h/mcp", Ok("s1"));
    check("file:///notes", Ok("r1"));
    check("laptop-7", Ok("h"));
    check("/w/AGENTS.md", Ok("f"));
    check("MCPServer:files", Ok("s1"));
    check("agentinstance:Files", Ok("a"));
    check("AIService:gateway", Ok("g"));
    check("MCPServer:http://h/mcp", Ok("s1"));
}

#[test]
fn several_nodes_of_one_name_are_listed_and_counted() {
    let graph = estate();
    let Err(Unfound::Ambiguous { candidates, total, .. }) = find(&graph, "files") else { panic!("found") };
    let listed: Vec<String> = candidates.iter().map(ToString::to_string).collect();
    assert_eq!((listed, total), (vec!["MCPServer files (s1)".to_owned(), "AgentInstance files (a)".to_owned()], 2));
    let Err(unfound) = find(&graph, "search") else { panic!("found") };
    let text = unfound.to_string();
    assert_eq!(text.lines().count(), 12, "{text}");
    assert!(text.starts_with("12 nodes are called `search`") && text.ends_with("… and 2 more"), "{text}");
}

#[test]
fn a_name_that_nothing_has_brings_suggestions() {
    check("biling", Err("there is no node `biling`; did you mean `Billing`?"));
    check("laptop", Err("there is no node `laptop`; did you mean `laptop-7`?"));
    check("MCPServer:file", Err("there is no node `MCPServer:file`; did you mean `MCPServer:files`?"));
    check("zzzzzz", Err("there is no node `zzzzzz`"));
    check("", Err("there is no node ``"));
    check("one", Err("there is no node `one`; did you mean `open one` or `closed one`?"));
    check("two\nlines", Err("there is no node `two\\nlines`"));
}

#[test]
fn sets_have_names() {
    let all = |text: &str| select(text).unwrap();
    assert_eq!(all("agents"), ["a"]);
    assert_eq!(all("a2a-agents"), ["x1", "x2"]);
    assert_eq!(all("critical"), ["r1"]);
    assert_eq!(all("sensitive"), ["r1", "r2"]);
    assert_eq!(all("services"), ["g"]);
    assert_eq!(all("kind:aiservice"), ["g"]);
    assert_eq!(all("kind:Host"), ["h"]);
    assert_eq!(all("untrusted"), ["r2", "x1", "f"]);
    assert_eq!(all("owned"), ["h"]);
    assert_eq!(all("crown-jewels"), ["r1"]);
    assert_eq!(all("credentials"), [""; 0]);
    assert_eq!(all("tools").len(), 15);
    assert_eq!(all("All agents"), ["a"]);
    assert_eq!(all("critical resources"), ["r1"]);
    assert_eq!(all("crown jewels"), ["r1"]);
}

#[test]
fn several_parts_are_put_together_and_sorted() {
    assert_eq!(select("laptop-7, servers ,MCPServer:files,hosts").unwrap(), ["s1", "s2", "h"]);
    assert_eq!(select("odd, name").unwrap(), ["r2"]);
    assert_eq!(select("").unwrap(), [""; 0]);
}

#[test]
fn an_unknown_set_brings_suggestions() {
    assert_eq!(select("servres").unwrap_err(), "there is no node `servres`; did you mean `servers` or `services`?");
    assert_eq!(
        select("hosts,crownjewels").unwrap_err(),
        "there is no node `crownjewels`; did you mean `crown-jewels`?"
    );
    assert_eq!(select("kind:MCPTol").unwrap_err(), "there is no node `kind:MCPTol`; did you mean `kind:MCPTool`?");
}
