//! Collects nodes and edges, each once. Their order in a document depends on nothing but what they are.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};
use tracehound_model::wire::{Covers, Document, Edge, Node, Properties};
use tracehound_model::{Collector, EdgeKind, NodeId, NodeKind};

use crate::address::{Address, Reach};
use crate::config::Position;
use crate::join::Allowed;
use crate::secrets::Secrets;

/// A part of a document, or the whole, in the making.
#[derive(Debug)]
pub(crate) struct Builder {
    stamp: Stamp,
    nodes: HashMap<NodeId, Node>,
    edges: HashMap<(EdgeKind, NodeId, NodeId), Between>,
}

/// What every document and every edge says of the scan.
#[derive(Debug, Clone, Default)]
pub struct Stamp {
    /// The id of the scan.
    pub scan_id: String,
    /// When it is made, as RFC 3339 in UTC.
    pub timestamp: String,
    /// The machine that is spoken for.
    pub origin: String,
}

/// An edge without its ends: their kinds, and what is known of it.
type Between = (NodeKind, NodeKind, Properties);

/// An end of an edge.
pub(crate) type End<'n> = (&'n NodeId, NodeKind);

/// What an edge rests on.
pub(crate) struct Basis<'b> {
    pub(crate) evidence: String,
    pub(crate) weight: f64,
    /// How sure it is, from 0 to 1.
    pub(crate) confidence: f64,
    /// Where in a file it stands.
    pub(crate) place: Option<(&'b str, Position)>,
}

impl Builder {
    pub(crate) fn new(stamp: &Stamp) -> Self {
        Self { stamp: stamp.clone(), nodes: HashMap::new(), edges: HashMap::new() }
    }

    /// Adds what another part says. Where both know a thing, this one's word counts.
    pub(crate) fn absorb(&mut self, other: Self) {
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

    /// Changes every node of a kind.
    pub(crate) fn change_all(&mut self, kind: NodeKind, change: impl FnMut(&mut Node)) {
        self.nodes.values_mut().filter(|node| node.kinds.first() == Some(&kind)).for_each(change);
    }

    /// How many nodes there are of each kind.
    pub(crate) fn kinds(&self) -> BTreeMap<NodeKind, usize> {
        let mut kinds = BTreeMap::new();
        for kind in self.nodes.values().filter_map(|node| node.kinds.first()) {
            *kinds.entry(*kind).or_insert(0) += 1;
        }
        kinds
    }

    /// Whether a host is the machine that is spoken for.
    pub(crate) fn is_origin(&self, host: &str) -> bool {
        self.stamp.origin.eq_ignore_ascii_case(host)
    }

    /// Adds a node unless it is there.
    pub(crate) fn node(&mut self, id: NodeId, kind: NodeKind, mut properties: Properties) -> NodeId {
        if let Entry::Vacant(vacant) = self.nodes.entry(id.clone()) {
            properties.insert("objectid".into(), json!(id.as_str()));
            let kinds = std::iter::once(kind).chain(kind.umbrella()).collect();
            vacant.insert(Node { id: id.clone(), kinds, properties });
        }
        id
    }

    /// Changes a node that is there.
    pub(crate) fn change(&mut self, id: &NodeId, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.get_mut(id) {
            change(node);
        }
    }

    /// Takes secrets out of everything that is said of nodes and edges.
    pub(crate) fn clean(&mut self, secrets: &Secrets) {
        let nodes = self.nodes.values_mut().map(|node| &mut node.properties);
        let all = nodes.chain(self.edges.values_mut().map(|(_, _, properties)| properties));
        for value in all.flat_map(|properties| properties.values_mut()) {
            secrets.clean(value);
        }
    }

    /// Adds an edge unless it is there. `more` are properties of its own.
    pub(crate) fn edge(&mut self, kind: EdgeKind, from: End<'_>, to: End<'_>, basis: Basis<'_>, more: Properties) {
        let mut all = more;
        let Basis { evidence, weight, confidence, place } = basis;
        let fixed = [
            ("scan_id", json!(self.stamp.scan_id)),
            ("last_seen", json!(self.stamp.timestamp)),
            ("confidence", json!(confidence)),
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

    /// The machine behind an address, added if need be. Whatever is local is the machine that is spoken for.
    pub(crate) fn host(&mut self, address: Option<&Address>) -> NodeId {
        // A machine may be called by its own name, too.
        let elsewhere = address.filter(|it| it.reach != Reach::Local && !self.is_origin(&it.text));
        let (id, values) = match elsewhere {
            Some(address) => (NodeId::host(&address.text), host_properties(address)),
            None => {
                let origin = self.stamp.origin.as_str();
                let values = [("hostname", json!(origin)), ("ip", json!("")), ("is_local", json!(true))];
                let elsewhere = [("is_private", json!(false)), ("is_public", json!(false))];
                let values = values.into_iter().chain(elsewhere).map(|(key, value)| (key.into(), value));
                (NodeId::host(origin), values.collect())
            }
        };
        self.node(id, NodeKind::Host, values)
    }

    /// The whole, as a collector's word: nodes by id, edges by kind and ends. `covered` is what was read to its end.
    pub(crate) fn document(self, collector: Collector, mut covered: Vec<NodeId>) -> Document {
        let mut document = Document::new(collector, &self.stamp.scan_id, &self.stamp.timestamp);
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
        covered.sort_unstable();
        covered.dedup();
        document.meta.extra.origin = Some(self.stamp.origin);
        document.meta.extra.covers = Some(Covers { nodes: covered, ports: Vec::new() });
        Allowed::default().write(&mut document);
        document
    }
}

fn host_properties(address: &Address) -> Properties {
    let ip = address.ip.map(|ip| ip.to_string()).unwrap_or_default();
    let is_address = address.text.parse::<std::net::IpAddr>().is_ok();
    let hostname = if is_address { "" } else { address.text.as_str() };
    properties([
        ("hostname", json!(hostname)),
        ("ip", json!(ip)),
        ("is_local", json!(address.reach == Reach::Local)),
        ("is_private", json!(address.reach == Reach::Private)),
        ("is_public", json!(address.reach == Reach::Public)),
    ])
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
pub(crate) fn properties<const N: usize>(pairs: [(&'static str, Value); N]) -> Properties {
    pairs.into_iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.into(), value)).collect()
}
