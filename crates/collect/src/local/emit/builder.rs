//! Collects nodes and edges, each once, in an order that depends on nothing but what they are.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde_json::{Value, json};
use tracehound_model::wire::{Document, Node, Properties};
use tracehound_model::{Collector, EdgeKind, NodeId, NodeKind};

use super::super::Request;
use crate::config::Position;
use crate::instructions::InstructionFacts;

/// A document in the making.
pub(super) struct Builder {
    document: Document,
    origin: String,
    nodes: BTreeMap<NodeId, Node>,
    edges: BTreeMap<(EdgeKind, NodeId, NodeId), (NodeKind, NodeKind, Properties)>,
}

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
        let document = Document::new(Collector::Config, &request.scan_id, &request.timestamp);
        Self { document, origin: request.origin.clone(), nodes: BTreeMap::new(), edges: BTreeMap::new() }
    }

    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    /// Adds a node unless it is there.
    pub(super) fn node(&mut self, id: NodeId, kind: NodeKind, mut properties: Properties) -> NodeId {
        if let Entry::Vacant(vacant) = self.nodes.entry(id.clone()) {
            properties.insert("objectid".to_owned(), json!(id.as_str()));
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
            ("scan_id", json!(self.document.meta.scan_id)),
            ("last_seen", json!(self.document.meta.timestamp)),
            ("confidence", json!(1.0)),
            ("risk_weight", json!(weight)),
            ("is_composite", json!(false)),
            ("evidence", json!(evidence)),
            ("origin", json!(self.origin)),
        ];
        all.extend(fixed.into_iter().map(|(key, value)| (key.to_owned(), value)));
        if let Some((file, at)) = place {
            let place = [("file", json!(file)), ("line", json!(at.line)), ("column", json!(at.column))];
            all.extend(place.into_iter().map(|(key, value)| (key.to_owned(), value)));
        }
        let key = (kind, from.0.clone(), to.0.clone());
        match self.edges.entry(key) {
            Entry::Vacant(vacant) => drop(vacant.insert((from.1, to.1, all))),
            Entry::Occupied(mut occupied) => also_named(&mut occupied.get_mut().2, &all),
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

    pub(super) fn document(mut self) -> Document {
        self.document.graph.nodes = self.nodes.into_values().collect();
        for ((kind, from, to), (from_kind, to_kind, properties)) in self.edges {
            self.document.edge(kind, (&from, from_kind), (&to, to_kind), properties);
        }
        self.document
    }
}

/// Keeps the second name of a server that one file defines twice.
fn also_named(kept: &mut Properties, other: &Properties) {
    let (Some(name), Some(second)) = (kept.get("server_name"), other.get("server_name")) else { return };
    if name == second {
        return;
    }
    let second = second.clone();
    let names = kept.entry("also_named".to_owned()).or_insert_with(|| json!([]));
    if let Value::Array(names) = names
        && !names.contains(&second)
    {
        names.push(second);
    }
}

/// Properties from pairs; absent ones are left out.
pub(super) fn properties<const N: usize>(pairs: [(&str, Value); N]) -> Properties {
    pairs.into_iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.to_owned(), value)).collect()
}
