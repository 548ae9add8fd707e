//! Random estates: documents that show parts of one small world, by several collectors on several machines.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A node of the world: its kind, its name, and what is always known of it.
type Thing = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// Every node of the world.
const NODES: &[Thing] = &[
    ("ConfigFile", "/a", &[]),
    ("ConfigFile", "/b", &[]),
    ("AgentInstance", "A", &[("config_path", "/a")]),
    ("AgentInstance", "B", &[("config_path", "/b")]),
    ("MCPServer", "X", &[]),
    ("MCPServer", "Y", &[]),
    ("MCPTool", "T", &[]),
    ("MCPTool", "U", &[]),
    ("MCPResource", "R", &[]),
    ("MCPResource", "Q", &[]),
    ("A2AAgent", "G", &[]),
    ("A2AAgent", "H", &[]),
    ("A2ASkill", "K", &[]),
    ("Identity", "I", &[]),
    ("Credential", "C", &[("value_hash", "h")]),
    ("Credential", "D", &[("value_hash", "h"), ("config_path", "/a")]),
    ("Host", "M", &[]),
    ("InstructionFile", "N", &[]),
    ("OllamaInstance", "O", &[("endpoint", "http://h:1")]),
    ("JupyterServer", "J", &[("endpoint", "http://h:2")]),
    ("AIModel", "L", &[]),
    ("LiteLLMGateway", "S", &[("endpoint", "http://h:3")]),
];

/// Every edge of the world; the last can never be.
const EDGES: &[(&str, &str, &str)] = &[
    ("A", "TRUSTS_SERVER", "X"),
    ("A", "TRUSTS_SERVER", "Y"),
    ("B", "TRUSTS_SERVER", "Y"),
    ("X", "PROVIDES_TOOL", "T"),
    ("X", "PROVIDES_TOOL", "U"),
    ("Y", "PROVIDES_TOOL", "U"),
    ("X", "PROVIDES_RESOURCE", "R"),
    ("J", "PROVIDES_RESOURCE", "R"),
    ("J", "PROVIDES_RESOURCE", "Q"),
    ("T", "INGESTS_UNTRUSTED", "R"),
    ("G", "ADVERTISES_SKILL", "K"),
    ("H", "ADVERTISES_SKILL", "K"),
    ("G", "DELEGATES_TO", "H"),
    ("H", "SAME_AUTH_DOMAIN", "G"),
    ("X", "AUTHENTICATES_WITH", "I"),
    ("G", "AUTHENTICATES_WITH", "I"),
    ("I", "USES_CREDENTIAL", "C"),
    ("X", "RUNS_ON", "M"),
    ("G", "RUNS_ON", "M"),
    ("O", "RUNS_ON", "M"),
    ("X", "CONFIGURED_IN", "/a"),
    ("X", "CONFIGURED_IN", "/b"),
    ("Y", "CONFIGURED_IN", "/b"),
    ("X", "HAS_ENV_VAR", "C"),
    ("A", "LOADS_INSTRUCTIONS", "N"),
    ("O", "EXPOSES", "S"),
    ("S", "EXPOSES_CREDENTIAL", "C"),
    ("O", "PROVIDES_MODEL", "L"),
    ("M", "PROVIDES_TOOL", "T"),
];

const COLLECTORS: [&str; 4] = ["config", "mcp", "a2a", "scan"];

/// How odd the documents are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As collectors write them.
    Plain,
    /// Known properties are left out at times, edges stand twice, things carry labels of other kinds.
    Odd,
}

/// A node as a document shows it.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    pub(crate) name: String,
    pub(crate) kinds: Vec<String>,
    pub(crate) properties: Map<String, Value>,
}

/// An edge as a document shows it.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) source: String,
    pub(crate) kind: String,
    pub(crate) target: String,
    pub(crate) properties: Map<String, Value>,
}

/// A document.
#[derive(Clone)]
pub(crate) struct Paper {
    pub(crate) scan_id: String,
    pub(crate) collector: String,
    pub(crate) origin: String,
    pub(crate) time: i64,
    /// Names and places, when it says what it covers.
    pub(crate) covers: Option<(Vec<String>, Vec<String>)>,
    pub(crate) nodes: Vec<Shown>,
    pub(crate) edges: Vec<Link>,
}

/// A case that fails is shown in the notation in which it can become a test of its own.
impl std::fmt::Debug for Paper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\n{}\n", self.text())
    }
}

/// What chance decides about one document.
#[derive(Debug, Clone)]
struct Draw {
    collector: usize,
    origin: usize,
    time: i64,
    covers: Option<(u32, u8)>,
    nodes: u32,
    edges: u32,
    looks: u64,
}

fn draw() -> impl Strategy<Value = Draw> {
    let covers = proptest::option::weighted(0.7, (any::<u32>(), 0_u8..8));
    (0..COLLECTORS.len(), 0..2_usize, 0..5_i64, covers, any::<u32>(), any::<u32>(), any::<u64>()).prop_map(
        |(collector, origin, time, covers, nodes, edges, looks)| Draw {
            collector,
            origin,
            time,
            covers,
            nodes,
            edges,
            looks,
        },
    )
}

/// Documents of a random estate.
pub(crate) fn papers(manner: Manner) -> impl Strategy<Value = Vec<Paper>> {
    proptest::collection::vec(draw(), 1..8)
        .prop_map(move |draws| draws.iter().enumerate().map(|(number, draw)| paper(number, draw, manner)).collect())
}

fn paper(number: usize, draw: &Draw, manner: Manner) -> Paper {
    let is_in = |mask: u32, position: usize| mask & (1 << position) != 0;
    let look = |position: usize| draw.looks.rotate_right(position as u32 * 5) & 7;
    let nodes = NODES.iter().enumerate().filter(|(position, _)| is_in(draw.nodes, *position));
    let mut edges = Vec::new();
    for (position, edge) in EDGES.iter().enumerate().filter(|(position, _)| is_in(draw.edges, *position)) {
        edges.push(link(edge, look(position + 7) & 3));
        if manner == Manner::Odd && look(position) == 0 {
            edges.push(link(edge, look(position + 3)));
        }
    }
    Paper {
        scan_id: format!("s{number}"),
        collector: COLLECTORS[draw.collector].to_owned(),
        origin: ["m", "n"][draw.origin].to_owned(),
        time: draw.time,
        covers: draw.covers.map(|(mask, ports)| {
            let names = NODES.iter().enumerate().filter(|(position, _)| is_in(mask, *position));
            let ports = (1..4).filter(|port| is_in(ports.into(), *port - 1)).map(|port| format!("h:{port}"));
            (names.map(|(_, (_, name, _))| (*name).to_owned()).collect(), ports.collect())
        }),
        nodes: nodes.map(|(position, node)| shown(node, look(position), manner)).collect(),
        edges,
    }
}

fn shown(&(kind, name, known): &Thing, look: u64, manner: Manner) -> Shown {
    let mut properties: Map<String, Value> =
        known.iter().map(|(key, value)| ((*key).to_owned(), (*value).into())).collect();
    properties.insert("endpoint_count".to_owned(), look.into());
    if look & 4 != 0 {
        properties.insert(format!("description{look}"), "rather long, so that it is not stored as a small one".into());
    }
    if kind == "MCPTool" && look != 3 {
        properties.insert("description_hash".to_owned(), format!("hash{}", look / 2).into());
    }
    let mut kinds = vec![kind.to_owned()];
    match kind {
        "LiteLLMGateway" if look & 1 == 0 => kinds = vec!["AIService".to_owned()],
        "OllamaInstance" => kinds.push("AIService".to_owned()),
        _ => {}
    }
    if manner == Manner::Odd {
        if look == 1 {
            properties.retain(|key, _| key == "value_hash");
        }
        if look == 6 && matches!(kind, "Host" | "MCPServer") {
            kinds.insert(0, "InstructionFile".to_owned());
        }
    }
    Shown { name: name.to_owned(), kinds, properties }
}

fn link((source, kind, target): &(&str, &str, &str), look: u64) -> Link {
    let mut properties = Map::new();
    if look > 0 {
        properties.insert("risk_weight".to_owned(), json!(look as f64 / 4.0));
        properties.insert(format!("key{look}"), look.into());
    }
    let text = |text: &&str| (*text).to_owned();
    Link { source: text(source), kind: text(kind), target: text(target), properties }
}

impl Paper {
    /// The document in the notation of [`crate::estate`].
    pub(crate) fn text(&self) -> String {
        let words = |properties: &Map<String, Value>| {
            let word =
                |(key, value): (&String, &Value)| format!(" {key}={}", value.to_string().replace(' ', "\\u0020"));
            properties.iter().map(word).collect::<String>()
        };
        let mut lines = vec![format!("{} {}@{} t={}", self.scan_id, self.collector, self.origin, self.time)];
        if let Some((names, ports)) = &self.covers {
            lines[0].push_str(&format!(" covers={} ports={}", names.join(","), ports.join(",")));
        }
        for node in &self.nodes {
            lines.push(format!("{} {}{}", node.kinds.join("+"), node.name, words(&node.properties)));
        }
        for edge in &self.edges {
            lines.push(format!("{} {} {}{}", edge.source, edge.kind, edge.target, words(&edge.properties)));
        }
        lines.join("\n")
    }
}
