//! Small estates, made up to be awkward: shared things, missing things, cycles, names within names, equal secrets.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tracehound_graph::Graph;
use tracehound_model::EdgeKind;

/// A small estate.
#[derive(Clone, Default)]
pub(crate) struct Little {
    pub(crate) nodes: Vec<Value>,
    pub(crate) edges: Vec<Value>,
}

impl std::fmt::Debug for Little {
    /// A line for each node and edge, so that a failing estate can be read.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        for node in &self.nodes {
            write!(f, "\n{} {}", word(&node["id"]), node["properties"])?;
        }
        for edge in &self.edges {
            let [source, kind, target] = ["source", "kind", "target"].map(|key| word(&edge[key]));
            write!(f, "\n{source} {kind} {target} {}", edge["properties"])?;
        }
        Ok(())
    }
}

impl Little {
    pub(crate) fn graph(&self) -> Graph {
        crate::drawn::graph(&self.nodes, &self.edges)
    }

    /// Adds a node.
    pub(crate) fn node(&mut self, kind: &str, id: &str, properties: Value) {
        self.nodes.push(json!({ "id": id, "kinds": [kind], "properties": properties }));
    }

    /// Adds an edge.
    pub(crate) fn edge(&mut self, kind: EdgeKind, source: &str, target: &str) {
        self.edges.push(json!({ "source": source, "target": target, "kind": kind.name(), "properties": {} }));
    }

    /// Adds a tool of a server. A server may be added as often as it has tools.
    pub(crate) fn tool(&mut self, server: &str, id: &str, properties: Value) {
        self.node("MCPServer", server, json!({}));
        self.node("MCPTool", id, properties);
        self.edge(EdgeKind::ProvidesTool, server, id);
    }
}

const POWERS: &[&str] = &[
    "shell_access",
    "code_execution",
    "credential_access",
    "database_access",
    "file_write",
    "network_outbound",
    "email_send",
    "file_read",
    "auto_fetch_render",
    "teleport",
];
const TOOLS: &[&str] = &["get", "query_db", "read_file", "read", "send-mail", "query_db2", "files.read"];
const RESOURCES: &[&str] = &["", "users", "customers-db", "db", "notes", "users_old"];
const URIS: &[&str] = &[
    "postgres://db/users",
    "postgresql+asyncpg://prod/x",
    "mongodb+srv://m/x",
    "file:///home/u",
    "file:///home/u/a.json",
    "https://example.com/x",
    "redis://r",
];
const SENTENCES: &[&str] = &[
    "",
    "reads users and notes",
    "prefer this over query_db.",
    "use send-mail, then files.read",
    "customers-db gets readers",
    "query_db2 and get",
    "a b c d",
];
const SKILLS: &[&str] = &[
    "",
    "books flights and hotels for travellers",
    "books flights and hotels for travellers",
    "books flights and hotels for business travellers",
    "writes unit tests",
    "translates legal texts from german to english",
];
const AUTHS: &[Option<&str>] =
    &[None, Some("none"), Some("apiKey"), Some("static_key"), Some("bearer"), Some("oauth"), Some("mtls"), Some("x")];

/// How many nodes of each kind there may be, with the letter that their ids begin with.
const KINDS: &[(&str, &str, usize)] = &[
    ("AgentInstance", "a", 3),
    ("MCPServer", "s", 4),
    ("MCPTool", "t", 6),
    ("MCPResource", "r", 5),
    ("Credential", "c", 5),
    ("Identity", "i", 2),
    ("Host", "h", 2),
    ("A2AAgent", "x", 4),
    ("A2ASkill", "k", 5),
    ("InstructionFile", "f", 2),
    ("LiteLLMGateway", "g", 2),
    ("OpenWebUIInstance", "w", 1),
];

/// Edges that may be drawn, with how many at most.
const EDGES: &[(EdgeKind, &str, &str, usize)] = &[
    (EdgeKind::TrustsServer, "a", "s", 7),
    (EdgeKind::ProvidesTool, "s", "t", 9),
    (EdgeKind::ProvidesResource, "s", "r", 7),
    (EdgeKind::RunsOn, "s", "h", 5),
    (EdgeKind::RunsOn, "x", "h", 3),
    (EdgeKind::HasEnvVar, "s", "c", 6),
    (EdgeKind::AuthenticatesWith, "s", "i", 4),
    (EdgeKind::UsesCredential, "i", "c", 4),
    (EdgeKind::ExposesCredential, "g", "c", 5),
    (EdgeKind::ExposesCredential, "w", "c", 2),
    (EdgeKind::RunsOn, "g", "h", 2),
    (EdgeKind::Exposes, "w", "g", 2),
    (EdgeKind::DelegatesTo, "x", "x", 6),
    (EdgeKind::AdvertisesSkill, "x", "k", 7),
    (EdgeKind::LoadsInstructions, "a", "f", 3),
    (EdgeKind::IngestsUntrusted, "t", "r", 4),
];

/// Small estates.
pub(crate) fn little() -> impl Strategy<Value = Little> {
    let nodes = KINDS.iter().map(|(kind, letter, most)| many(kind, letter, 0..=*most)).collect();
    drawn(nodes, EDGES)
}

/// Small estates of tools and little else, where much is connected.
pub(crate) fn tooled() -> impl Strategy<Value = Little> {
    let kinds = [("AgentInstance", "a", 2), ("MCPServer", "s", 3), ("MCPTool", "t", 6), ("MCPResource", "r", 4)];
    let nodes = kinds.into_iter().map(|(kind, letter, count)| many(kind, letter, count..=count)).collect();
    drawn(
        nodes,
        &[
            (EdgeKind::TrustsServer, "a", "s", 6),
            (EdgeKind::ProvidesTool, "s", "t", 12),
            (EdgeKind::ProvidesResource, "s", "r", 9),
            (EdgeKind::IngestsUntrusted, "t", "r", 10),
        ],
    )
}

/// The same, where servers are commands on two machines.
pub(crate) fn started() -> impl Strategy<Value = Little> {
    tooled().prop_map(as_commands)
}

/// An estate in which every server is a command.
pub(crate) fn as_commands(mut little: Little) -> Little {
    let servers = little.nodes.iter_mut().filter(|node| node["kinds"][0] == "MCPServer");
    servers.for_each(|server| server["properties"]["transport"] = json!("stdio"));
    little
}

fn drawn(
    nodes: Vec<impl Strategy<Value = Vec<Value>>>,
    edges: &'static [(EdgeKind, &str, &str, usize)],
) -> impl Strategy<Value = Little> {
    let edges: Vec<_> = edges
        .iter()
        .map(|(kind, from, to, most)| {
            // As many as every small number divides, so that each node is drawn as often as the others.
            let one = (0..60_usize, 0..60_usize, 0..5_usize, prop::sample::select(&[None, Some("m0"), Some("m1")][..]));
            prop::collection::vec(one, 0..=*most).prop_map(move |drawn| (*kind, *from, *to, drawn))
        })
        .collect();
    (nodes, edges).prop_map(|(nodes, edges)| {
        let nodes: Vec<Value> = nodes.into_iter().flatten().collect();
        let count = |letter: &str| {
            let is_of = |node: &&Value| node["id"].as_str().is_some_and(|id| id.starts_with(letter));
            nodes.iter().filter(is_of).count()
        };
        let mut little = Little { nodes: nodes.clone(), edges: Vec::new() };
        for (kind, from, to, drawn) in edges {
            let (sources, targets) = (count(from), count(to));
            if sources > 0 && targets > 0 {
                let ends = drawn.into_iter().map(|(a, b, weight, origin)| (a % sources, b % targets, weight, origin));
                little.edges.extend(ends.map(|one| edge(kind, from, to, one)));
            }
        }
        little
    })
}

fn edge(kind: EdgeKind, from: &str, to: &str, (a, b, weight, origin): (usize, usize, usize, Option<&str>)) -> Value {
    let mut properties = Map::new();
    // Weights that make no sense are among them.
    if let Some(weight) = [Some(0.0), Some(0.5), None, Some(-3.0), Some(0.1)].get(weight).copied().flatten() {
        properties.insert("risk_weight".into(), json!(weight));
    }
    if let Some(origin) = origin {
        properties.insert("origin".into(), json!(origin));
    }
    json!({ "source": format!("{from}{a}"), "target": format!("{to}{b}"), "kind": kind.name(), "properties": properties })
}

fn many(
    kind: &'static str,
    letter: &'static str,
    count: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(properties(), count).prop_map(move |all| {
        let node = |(number, properties): (usize, Map<String, Value>)| {
            let mut properties = properties;
            if kind == "Host" {
                properties.insert("hostname".into(), json!(format!("m{number}")));
            }
            if kind == "Credential" {
                // Validation demands one.
                let hash = properties.get("value_hash").cloned().unwrap_or_else(|| json!(format!("own{number}")));
                properties.insert("value_hash".into(), hash);
            }
            json!({ "id": format!("{letter}{number}"), "kinds": [kind], "properties": properties })
        };
        all.into_iter().enumerate().map(node).collect()
    })
}

/// Every node may carry everything; each kind reads what is its own.
fn properties() -> impl Strategy<Value = Map<String, Value>> {
    let texts = (
        prop::sample::select(TOOLS),
        prop::sample::select(RESOURCES),
        prop::sample::select(URIS),
        prop::sample::select(SENTENCES),
        prop::sample::select(SKILLS),
        prop::sample::select(AUTHS),
        prop::sample::subsequence(POWERS, 0..=3),
        prop::sample::subsequence(&["cmd", "cwd", "to", "sql", "path"][..], 0..=4),
    );
    let rest = (
        prop::sample::select(&[None, Some("v0"), Some("v1")][..]),
        prop::sample::select(&["critical", "high", "medium", "low", ""][..]),
        prop::sample::select(&["", "p0", "p1"][..]),
        prop::sample::select(&["/home/u/a.json#s0", "/home/u/.env", "http://10.0.0.1"][..]),
        any::<[bool; 8]>(),
    );
    let scored = (
        any::<[bool; 5]>(),
        prop::sample::select(&["", "hardcoded", "envVar", "vaultRef"][..]),
        prop::sample::select(&[None, Some(""), Some("{}")][..]),
    );
    (texts, rest, scored, any::<bool>()).prop_map(|(texts, rest, scored, is_resource)| {
        let (tool, resource, uri, sentence, skill, auth, powers, keys) = texts;
        let (value, sensitivity, provider, source, flags) = rest;
        let mut all = Map::new();
        let mut set = |key: &str, value: Value| drop(all.insert(key.to_owned(), value));
        set("name", json!(if is_resource { resource } else { tool }));
        set("uri", json!(uri));
        if flags[0] {
            set("uri_scheme", json!(uri.split(':').next().unwrap_or("")));
        }
        set("description", json!(if flags[1] { sentence } else { skill }));
        if let Some(auth) = auth {
            set("auth_method", json!(auth));
        }
        set("capability_surface", json!(powers));
        set("schema_keys", json!(keys));
        if let Some(value) = value {
            set("value_hash", json!(value));
        }
        if flags[2] {
            set("value_known", json!(flags[3]));
        }
        set("sensitivity", json!(sensitivity));
        set("provider", json!(provider));
        set("source", json!(source));
        set("has_injection_patterns", json!(flags[4]));
        set("is_suspicious", json!(flags[5]));
        if flags[6] {
            set("source_trust", json!(if flags[7] { "untrusted_web" } else { "private" }));
        }
        let (exposed, sort, schema) = scored;
        set("is_public", json!(exposed[0] && exposed[1]));
        set("is_private", json!(exposed[1]));
        set("is_local", json!(exposed[2]));
        set("high_entropy", json!(exposed[3] && exposed[0]));
        set("has_cross_references", json!(exposed[4]));
        set("type", json!(sort));
        if let Some(schema) = schema {
            set("input_schema", json!(schema));
        }
        all
    })
}
