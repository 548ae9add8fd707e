//! Collects nodes and edges, each once. Their order in a document depends on nothing but what they are.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::{Value, json};
use tracehound_model::wire::{Document, Edge, Node, Properties};
use tracehound_model::{Collector, EdgeKind, NodeId, NodeKind};

use super::super::Request;
use crate::config::Position;
use crate::instructions::InstructionFacts;

/// A part of a document, or the whole, in the making.
#[derive(Debug)]
pub(in super::super) struct Builder {
    stamp: Stamp,
    nodes: HashMap<NodeId, Node>,
    edges: HashMap<(EdgeKind, NodeId, NodeId), Between>,
}

/// What every edge says of the scan.
#[derive(Debug)]
struct Stamp {
    scan_id: String,
    timestamp: String,
    origin: String,
}

/// An edge without its ends: their kinds, and what is known of it.
type Between = (NodeKind, NodeKind, Properties);

/// An end of an edge.
pub(super) type End<'n> = (&'n NodeId, NodeKind);

/// What an edge rests on.
pub(super) struct Basis<'b> {
    pub(super) evidence: String,
    pub(super) weight: f64,
    /// Where in a file it stands.
    pub(super) place: Option<(&'b str, Position)>,
}

impl Builder {
    pub(super) fn new(request: &Request) -> Self {
        let (scan_id, timestamp) = (request.scan_id.clone(), request.timestamp.clone());
        let stamp = Stamp { scan_id, timestamp, origin: request.origin.clone() };
        Self { stamp, nodes: HashMap::new(), edges: HashMap::new() }
    }

    /// Adds what another part says. Where both know a thing, this one's word counts.
    pub(super) fn absorb(&mut self, other: Self) {
        for (id, node) in other.nodes {
            match self.nodes.entry(id) {
                Entry::Vacant(vacant) => drop(vacant.insert(node)),
                Entry::Occupied(mut occupied) => keep_static(occupied.get_mut(), &node),
            }
        }
        for (key, between) in other.edges {
            self.place(key, between);
        }
    }

    pub(super) fn origin(&self) -> &str {
        &self.stamp.origin
    }

    /// Whether a host is the machine that is spoken for.
    pub(super) fn is_origin(&self, host: &str) -> bool {
        self.stamp.origin.eq_ignore_ascii_case(host)
    }

    /// Adds a node unless it is there.
    pub(super) fn node(&mut self, id: NodeId, kind: NodeKind, mut properties: Properties) -> NodeId {
        if let Entry::Vacant(vacant) = self.nodes.entry(id.clone()) {
            properties.insert("objectid".into(), json!(id.as_str()));
            vacant.insert(Node { id: id.clone(), kinds: vec![kind], properties });
        }
        id
    }

    /// Changes a node that is there.
    pub(super) fn change(&mut self, id: &NodeId, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.get_mut(id) {
            change(node);
        }
    }

    /// Adds an edge unless it is there. `more` are properties of its own.
    pub(super) fn edge(&mut self, kind: EdgeKind, from: End<'_>, to: End<'_>, basis: Basis<'_>, more: Properties) {
        let mut all = more;
        let Basis { evidence, weight, place } = basis;
        let fixed = [
            ("scan_id", json!(self.stamp.scan_id)),
            ("last_seen", json!(self.stamp.timestamp)),
            ("confidence", json!(1.0)),
            ("risk_weight", json!(weight)),
            ("is_composite", json!(false)),
            ("evidence", json!(evidence)),
            ("origin", json!(self.stamp.origin)),
        ];
        all.extend(fixed.into_iter().map(|(key, value)| (key.into(), value)));
        if let Some((file, at)) = place {
            let place = [("file", json!(file)), ("line", json!(at.line)), ("column", json!(at.column))];
            all.extend(place.into_iter().map(|(key, value)| (key.into(), value)));
        }
        self.place((kind, from.0.clone(), to.0.clone()), (from.1, to.1, all));
    }

    fn place(&mut self, key: (EdgeKind, NodeId, NodeId), between: Between) {
        match self.edges.entry(key) {
            Entry::Vacant(vacant) => drop(vacant.insert(between)),
            Entry::Occupied(mut occupied) => merge(&mut occupied.get_mut().2, between.2),
        }
    }

    pub(super) fn instruction_file(&mut self, path: &str, r#type: &str, facts: &InstructionFacts) -> NodeId {
        let mut values = properties([
            ("path", json!(path)),
            ("type", json!(r#type)),
            ("hash", json!(facts.hash)),
            ("is_suspicious", json!(facts.is_suspicious)),
        ]);
        if let Some(at) = facts.at {
            values.extend(properties([("line", json!(at.line)), ("column", json!(at.column))]));
        }
        self.node(NodeId::instruction_file(path), NodeKind::InstructionFile, values)
    }

    /// An agent takes an instruction file into its context.
    pub(super) fn loads(&mut self, agent: &super::loads::Agent, file: &NodeId, path: &str, facts: &InstructionFacts) {
        let basis = Basis {
            evidence: format!("{} loads {path} on its own", agent.client),
            weight: if facts.is_suspicious { 0.5 } else { 0.0 },
            place: Some((path, facts.at.unwrap_or(Position::START))),
        };
        let (from, to) = ((&agent.id, NodeKind::AgentInstance), (file, NodeKind::InstructionFile));
        self.edge(EdgeKind::LoadsInstructions, from, to, basis, Properties::new());
    }

    /// The whole: nodes by id, edges by kind and ends.
    pub(super) fn document(self) -> Document {
        let mut document = Document::new(Collector::Config, &self.stamp.scan_id, &self.stamp.timestamp);
        document.graph.nodes = self.nodes.into_values().collect();
        document.graph.nodes.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        let edge = |((kind, source, target), (source_kind, target_kind, properties))| Edge {
            source,
            target,
            kind,
            source_kind: Some(source_kind),
            target_kind: Some(target_kind),
            properties,
        };
        document.graph.edges = self.edges.into_iter().map(edge).collect();
        document
            .graph
            .edges
            .sort_unstable_by(|a, b| (a.kind, &a.source, &a.target).cmp(&(b.kind, &b.source, &b.target)));
        document
    }
}

/// An identity rests on a secret that does not change if it does so anywhere.
fn keep_static(kept: &mut Node, other: &Node) {
    if other.properties.get("is_static") == Some(&json!(true)) {
        kept.properties.insert("is_static".into(), json!(true));
    }
}

/// Adds what a second definition of the same server in the same file says: its name, and the tools that it approves.
/// The one that is switched on counts.
fn merge(kept: &mut Properties, mut other: Properties) {
    let is_on = |properties: &Properties| properties.get("is_enabled") != Some(&json!(false));
    if !is_on(kept) && is_on(&other) {
        std::mem::swap(kept, &mut other);
    }
    let names: Vec<Value> = ["server_name", "also_named"].iter().flat_map(|key| texts(other.get(*key))).collect();
    let own = kept.get("server_name").cloned();
    extend(kept, "also_named", names.into_iter().filter(|name| Some(name) != own.as_ref()));
    extend(kept, "auto_approve", texts(other.get("auto_approve")));
}

/// A value as a list.
fn texts(value: Option<&Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(texts)) => texts.clone(),
        Some(text) => vec![text.clone()],
        None => Vec::new(),
    }
}

/// Values in one list.
const VALUES: usize = 1_000;

/// Adds to a list, each value once.
fn extend(properties: &mut Properties, key: &'static str, added: impl IntoIterator<Item = Value>) {
    let mut list = texts(properties.get(key));
    for value in added {
        if list.len() < VALUES && !list.contains(&value) {
            list.push(value);
        }
    }
    if !list.is_empty() {
        properties.insert(key.into(), Value::Array(list));
    }
}

/// Properties from pairs; absent ones are left out.
pub(super) fn properties<const N: usize>(pairs: [(&'static str, Value); N]) -> Properties {
    pairs.into_iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.into(), value)).collect()
}
