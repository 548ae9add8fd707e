//! Documents in a few words, estates to put them in, and graphs as text that can be compared.
//!
//! A document is a head line and one line for each node and edge:
//!
//! ```text
//! s1 scan@laptop t=3 covers=/a,X ports=h:1
//! ConfigFile /a
//! MCPServer+Host X name=files
//! X CONFIGURED_IN /a
//! X:MCPServer PROVIDES_TOOL T risk_weight=0.5
//! ```
//!
//! Names are ids, but for those that begin with a slash: they are paths of configuration files and instruction files.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tracehound_graph::{Access, Error, Estate, Graph, Ingested, Limits, Moment, Point};
use tracehound_model::{EdgeKind, NodeId, NodeKind};

/// The moment that `t=0` means.
const START: i64 = 1_767_225_600_000_000;
const TENANT: &str = "default";

/// The moment that `t=` with this number means.
pub(crate) fn moment(t: i64) -> Moment {
    Moment(START + t * 1_000_000)
}

/// The time of ingest, unless a test is about it: later than every document.
pub(crate) fn now() -> Moment {
    moment(1_000_000)
}

/// The id that a name stands for.
pub(crate) fn id(name: &str) -> String {
    if name.starts_with('/') { NodeId::config_file(name).as_str().to_owned() } else { name.to_owned() }
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn properties<'a>(words: impl Iterator<Item = &'a str>) -> Map<String, Value> {
    words
        .map(|word| word.split_once('=').unwrap_or_else(|| panic!("`{word}` is no property")))
        .map(|(key, text)| (key.to_owned(), value(text)))
        .collect()
}

fn node(kinds: &str, name: &str, mut properties: Map<String, Value>) -> Value {
    let kinds: Vec<&str> = kinds.split('+').collect();
    if kinds.contains(&"Credential") {
        properties.entry("value_hash").or_insert_with(|| "h".into());
    }
    json!({"id": id(name), "kinds": kinds, "properties": properties})
}

fn edge(source: &str, kind: &str, target: &str, properties: Map<String, Value>) -> Value {
    let split = |end: &str| match end.split_once(':') {
        Some((name, kind)) => (id(name), kind.to_owned()),
        None => (id(end), String::new()),
    };
    let ((source, source_kind), (target, target_kind)) = (split(source), split(target));
    json!({
        "source": source, "target": target, "kind": kind,
        "source_kind": source_kind, "target_kind": target_kind, "properties": properties,
    })
}

fn head(line: &str) -> Value {
    let mut words = line.split_whitespace();
    let scan_id = words.next().unwrap();
    let (collector, origin) = words.next().unwrap().split_once('@').unwrap();
    let (mut timestamp, mut covers, mut ports) = (String::new(), None, None);
    let list = |text: &str| text.split(',').filter(|item| !item.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    for word in words {
        match word.split_once('=').unwrap() {
            ("t", t) => timestamp = t.parse().map_or_else(|_| t.to_owned(), |t| moment(t).to_string()),
            ("covers", names) => covers = Some(list(names)),
            ("ports", places) => ports = Some(list(places)),
            (other, _) => panic!("`{other}` is not part of a head"),
        }
    }
    let mut extra = Map::new();
    if !origin.is_empty() {
        extra.insert("origin".to_owned(), origin.into());
    }
    if covers.is_some() || ports.is_some() {
        let nodes: Vec<String> = covers.unwrap_or_default().iter().map(|name| id(name)).collect();
        extra.insert("covers".to_owned(), json!({"nodes": nodes, "ports": ports.unwrap_or_default()}));
    }
    json!({
        "version": 1, "type": "agenthound-ingest", "collector": collector, "collector_version": "1",
        "timestamp": timestamp, "scan_id": scan_id, "extra": extra,
    })
}

/// The document that a text stands for.
pub(crate) fn document(text: &str) -> Vec<u8> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let meta = head(lines.next().unwrap());
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for line in lines {
        let mut words = line.split_whitespace();
        let (first, second) = (words.next().unwrap(), words.next().unwrap());
        if EdgeKind::from_name(second).is_some() {
            let target = words.next().unwrap();
            edges.push(edge(first, second, target, properties(words)));
        } else {
            nodes.push(node(first, second, properties(words)));
        }
    }
    json!({"meta": meta, "graph": {"nodes": nodes, "edges": edges}}).to_string().into_bytes()
}

/// An estate in a directory of its own.
pub(crate) struct Home {
    pub(crate) directory: TempDir,
    pub(crate) estate: Estate,
}

impl Home {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let estate = open(directory.path());
        Self { directory, estate }
    }

    /// An estate with these documents, taken in in this order.
    pub(crate) fn with<T: AsRef<str>>(documents: &[T]) -> Self {
        let mut home = Self::new();
        for text in documents {
            home.take(text.as_ref());
        }
        home
    }

    /// Takes in a document that must be accepted.
    pub(crate) fn take(&mut self, text: &str) -> Ingested {
        self.estate.ingest(&document(text), now()).unwrap()
    }

    pub(crate) fn now(&mut self) -> Graph {
        self.at(&Point::Now)
    }

    pub(crate) fn at(&mut self, point: &Point) -> Graph {
        self.estate.graph(point).unwrap()
    }

    /// Closes the estate and opens it again.
    pub(crate) fn reopened(self) -> Self {
        let Self { directory, estate } = self;
        drop(estate);
        let estate = open(directory.path());
        Self { directory, estate }
    }
}

/// Opens an estate for writing.
pub(crate) fn open(directory: &Path) -> Estate {
    try_open(directory, Access::Write).unwrap()
}

/// Opens an estate, or says why not.
pub(crate) fn try_open(directory: &Path, access: Access) -> Result<Estate, Error> {
    Estate::open(directory, TENANT, access, Limits::default())
}

/// The name that stands for an id in this graph: the path of a file, else the id itself.
fn name_of(node: tracehound_graph::NodeRef<'_>) -> String {
    let names = ["/a", "/b", "/c"];
    let id_of_node = node.id();
    names.into_iter().find(|name| id(name) == id_of_node).map_or_else(|| id_of_node.into_owned(), str::to_owned)
}

/// Live nodes by name, and live edges as `source KIND target`, sorted.
pub(crate) fn live(graph: &Graph) -> Vec<String> {
    let nodes = graph.nodes().map(name_of);
    let edges =
        graph.edges().map(|edge| format!("{} {} {}", name_of(edge.source()), edge.kind(), name_of(edge.target())));
    let mut all: Vec<String> = nodes.chain(edges).collect();
    all.sort();
    all
}

/// What an expectation means: a line with an edge kind is an edge, every other word is a node.
pub(crate) fn expectation(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.get(1).and_then(|word| EdgeKind::from_name(word)) {
            Some(_) => all.push(words.join(" ")),
            None => all.extend(words.iter().map(|word| (*word).to_owned())),
        }
    }
    all.sort();
    all
}

/// Kinds, properties and scans of a node.
type NodeDump = (Vec<NodeKind>, Value, Vec<String>);

/// Everything that can be read of a graph, in a form that can be compared.
#[derive(Debug, PartialEq, Clone)]
pub(crate) struct Dump {
    /// Kinds, properties and scans of each node, by kind and id.
    pub(crate) nodes: BTreeMap<(NodeKind, String), NodeDump>,
    /// Properties and scans of each edge, by kind and ends.
    pub(crate) edges: BTreeMap<(EdgeKind, String, String), (Value, Vec<String>)>,
    changes: Value,
    unplaced: Value,
    hidden: Value,
    scans: Vec<String>,
}

impl Dump {
    pub(crate) fn of(graph: &Graph) -> Self {
        let map = |all: Vec<(&str, tracehound_graph::PropertyValue<'_>)>| {
            Value::Object(all.into_iter().map(|(key, value)| (key.to_owned(), value.to_json())).collect())
        };
        let ids = |scans: Vec<std::sync::Arc<tracehound_graph::ScanRecord>>| {
            scans.iter().map(|scan| scan.scan_id.clone()).collect::<Vec<_>>()
        };
        let nodes = graph.nodes().map(|node| {
            let scans = ids(node.scans());
            assert_eq!(scans.first(), Some(&node.first_scan().scan_id));
            assert_eq!(scans.last(), Some(&node.last_scan().scan_id));
            ((node.kind(), node.id().into_owned()), (node.kinds(), map(node.properties()), scans))
        });
        let edges = graph.edges().map(|edge| {
            let key = (edge.kind(), edge.source().id().into_owned(), edge.target().id().into_owned());
            (key, (map(edge.properties()), ids(edge.scans())))
        });
        Self {
            nodes: nodes.collect(),
            edges: edges.collect(),
            changes: serde_json::to_value(graph.changes()).unwrap(),
            unplaced: serde_json::to_value(graph.unplaced()).unwrap(),
            hidden: serde_json::to_value(graph.hidden()).unwrap(),
            scans: graph.scans().iter().map(|scan| scan.scan_id.clone()).collect(),
        }
    }
}
