//! Looking around in an estate: each route's answer and refusals, pages that add up, and limits that hold.

mod edges;
mod graph;
mod nodes;
mod questions;
mod rules;
mod search;
mod walks;
mod what_if;

use serde_json::{Value, json};
use tracehound_graph::{Access, Estate, Limits, Moment};

use crate::gateway::{Answer, Gateway};

/// An edge with where it stands.
fn edge(source: &str, kind: &str, target: &str) -> Value {
    let properties = json!({ "file": "/home/lena/.cursor/mcp.json", "line": 4, "evidence": "written there" });
    json!({ "source": source, "target": target, "kind": kind, "properties": properties })
}

fn node(id: &str, kind: &str, properties: Value) -> Value {
    json!({ "id": id, "kinds": [kind], "properties": properties })
}

fn document(scan_id: &str, time: &str, nodes: Vec<Value>, edges: Vec<Value>) -> Value {
    json!({
        "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "collector_version": "1",
                  "scan_id": scan_id, "timestamp": time, "extra": { "origin": "lena-laptop" } },
        "graph": { "nodes": nodes, "edges": edges },
    })
}

/// Two agents, three servers, what these offer, and a tool whose description is `words`.
pub(crate) fn estate(scan_id: &str, time: &str, words: &str) -> Value {
    let hash = format!("hash of {words}");
    let nodes = vec![
        node("a1", "AgentInstance", json!({ "name": "cursor", "config_path": "/home/lena/.cursor/mcp.json" })),
        node("a2", "AgentInstance", json!({ "name": "claude" })),
        node(
            "s1",
            "MCPServer",
            json!({ "name": "files", "auth_method": "none", "command": "npx", "args": ["@acme/files"] }),
        ),
        node(
            "s2",
            "MCPServer",
            json!({ "name": "customers", "auth_method": "none", "endpoint": "http://db.example/mcp" }),
        ),
        node(
            "s3",
            "MCPServer",
            json!({ "name": "mail", "auth_method": "oauth", "endpoint": "http://mail.example/mcp" }),
        ),
        node(
            "t1",
            "MCPTool",
            json!({ "name": "read_file", "description": words, "description_hash": hash,
                                      "capability_surface": ["file_read"] }),
        ),
        node(
            "t2",
            "MCPTool",
            json!({ "name": "query", "description": "Asks the customer database.",
                                      "capability_surface": ["database_access"] }),
        ),
        node(
            "t3",
            "MCPTool",
            json!({ "name": "send", "description": "Sends mail to customers.",
                                      "capability_surface": ["email_send", "network_outbound"] }),
        ),
        node(
            "r1",
            "MCPResource",
            json!({ "name": "customer table", "uri": "postgres://prod/customers", "sensitivity": "critical" }),
        ),
        node("r2", "MCPResource", json!({ "name": "notes", "uri": "file:///notes", "sensitivity": "low" })),
        node("h1", "Host", json!({ "hostname": "lena-laptop" })),
    ];
    let edges = vec![
        edge("a1", "TRUSTS_SERVER", "s1"),
        edge("a1", "TRUSTS_SERVER", "s2"),
        edge("a1", "TRUSTS_SERVER", "s3"),
        edge("a2", "TRUSTS_SERVER", "s2"),
        edge("s1", "PROVIDES_TOOL", "t1"),
        edge("s2", "PROVIDES_TOOL", "t2"),
        edge("s3", "PROVIDES_TOOL", "t3"),
        edge("s1", "PROVIDES_RESOURCE", "r2"),
        edge("s2", "PROVIDES_RESOURCE", "r1"),
        edge("s1", "RUNS_ON", "h1"),
    ];
    document(scan_id, time, nodes, edges)
}

impl Gateway {
    /// Takes a document into the estate of a tenant, as the command line does, before anybody has asked the server for it.
    pub(crate) fn ingest(&self, tenant: &str, document: &Value) {
        let mut estate =
            Estate::open(self.directory.path(), tenant, Access::Write, Limits::default()).expect("a free estate");
        let later = Moment::parse("2026-11-01T00:00:00Z").unwrap();
        estate.ingest(document.to_string().as_bytes(), later).unwrap();
    }

    /// A server whose first tenant has an estate.
    pub(crate) fn explored() -> Self {
        let gateway = Self::new();
        gateway.ingest("default", &estate("first", "2026-10-01T10:00:00Z", "Reads a file."));
        gateway.ingest("default", &estate("second", "2026-10-02T10:00:00Z", "Reads a file, and more."));
        gateway
    }

    /// What an auditor sees.
    pub(crate) async fn look(&self, path: &str) -> Value {
        let answer = self.get(path, &self.admin).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.body
    }

    /// What an auditor is told who asks with a body.
    pub(crate) async fn told(&self, path: &str, body: Value) -> Value {
        let answer = self.post(path, &self.admin, body.clone()).await;
        assert_eq!(answer.status, 200, "{path} {body}: {answer:?}");
        answer.body
    }

    async fn refused(&self, path: &str, body: Option<Value>) -> (u16, String, String) {
        let Answer { status, body } = match body {
            Some(body) => self.post(path, &self.admin, body).await,
            None => self.get(path, &self.admin).await,
        };
        let text = |key: &str| body[key].as_str().unwrap_or_default().to_owned();
        (status, text("code"), text("detail"))
    }

    /// Sees that something is refused with a code, and in words that hold something.
    async fn check_refusal(&self, path: &str, body: Option<Value>, expected: (u16, &str, &str)) {
        let (status, code, detail) = self.refused(path, body.clone()).await;
        let (wanted, wanted_code, word) = expected;
        assert_eq!((status, code.as_str()), (wanted, wanted_code), "{path} {body:?}: {detail}");
        assert!(detail.contains(word), "{path} {body:?}: {detail}");
    }
}

/// Texts of a list of objects.
fn texts<'v>(list: &'v Value, pointer: &str) -> Vec<&'v str> {
    list.as_array().unwrap().iter().map(|item| item.pointer(pointer).unwrap().as_str().unwrap()).collect()
}
