//! One document of what several collectors saw in one scan.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde_json::{Value, json};
use tracehound_model::wire::{Document, Edge, Node};
use tracehound_model::{Collector, EdgeKind, NodeId};

/// What a scan was allowed to do. The document says it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allowed {
    /// To start commands.
    pub start: bool,
    /// To contact others.
    pub network: bool,
}

impl Allowed {
    /// Writes it into a document.
    pub fn write(self, document: &mut Document) {
        let allowed = json!({ "start": self.start, "network": self.network });
        document.meta.extra.other.insert("allowed".to_owned(), allowed);
    }
}

/// What a configuration says of a thing and its answers don't change: what its user calls it and how it is reached.
const CLAIMED: &[&str] = &["name", "endpoint", "args", "transport", "scope"];

/// Puts documents of one scan together. Of a thing that several saw, later ones refine what earlier ones say.
///
/// `None` for no documents. Growth: linear in the documents, and sorting.
#[must_use]
pub fn join(documents: Vec<Document>, allowed: Allowed) -> Option<Document> {
    let mut documents = documents.into_iter();
    let mut whole = documents.next()?;
    let mut rest = documents.peekable();
    if rest.peek().is_some() {
        let mut nodes: BTreeMap<NodeId, Node> = BTreeMap::new();
        let mut edges: BTreeMap<(EdgeKind, NodeId, NodeId), Edge> = BTreeMap::new();
        add(&mut nodes, &mut edges, &mut whole);
        let mut covered = whole.meta.extra.covers.take().unwrap_or_default();
        for mut document in rest {
            if document.meta.collector != whole.meta.collector {
                whole.meta.collector = Collector::Scan;
            }
            let more = document.meta.extra.covers.take().unwrap_or_default();
            covered.nodes.extend(more.nodes);
            covered.ports.extend(more.ports);
            whole.meta.extra.other.append(&mut document.meta.extra.other);
            add(&mut nodes, &mut edges, &mut document);
        }
        covered.nodes.sort_unstable();
        covered.nodes.dedup();
        covered.ports.sort_unstable();
        covered.ports.dedup();
        whole.meta.extra.covers = Some(covered);
        whole.graph.nodes = nodes.into_values().collect();
        whole.graph.edges = edges.into_values().collect();
    }
    allowed.write(&mut whole);
    Some(whole)
}

fn add(
    nodes: &mut BTreeMap<NodeId, Node>,
    edges: &mut BTreeMap<(EdgeKind, NodeId, NodeId), Edge>,
    document: &mut Document,
) {
    for node in std::mem::take(&mut document.graph.nodes) {
        match nodes.entry(node.id.clone()) {
            Entry::Vacant(vacant) => drop(vacant.insert(node)),
            Entry::Occupied(mut occupied) => refine(occupied.get_mut(), node),
        }
    }
    for edge in std::mem::take(&mut document.graph.edges) {
        // The first is the configuration's, which also says where it stands.
        edges.entry((edge.kind, edge.source.clone(), edge.target.clone())).or_insert(edge);
    }
}

fn refine(kept: &mut Node, other: Node) {
    for (key, value) in other.properties {
        match kept.properties.entry(key) {
            Entry::Vacant(vacant) => drop(vacant.insert(value)),
            Entry::Occupied(mut occupied) => {
                let key = occupied.key().to_string();
                let known = occupied.get_mut();
                match key.as_str() {
                    claimed if CLAIMED.contains(&claimed) => {}
                    "is_static" => *known = json!(*known == json!(true) || value == json!(true)),
                    "rule_matches" => *known = both(known, &value),
                    _ => *known = value,
                }
            }
        }
    }
}

/// The matches of both, each a list as text.
fn both(one: &Value, other: &Value) -> Value {
    let list = |value: &Value| -> Vec<Value> {
        value.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    };
    let mut matches = list(one);
    matches.extend(list(other));
    json!(Value::Array(matches).to_string())
}

#[cfg(test)]
mod tests {
    use tracehound_model::NodeKind;
    use tracehound_model::wire::Properties;

    use super::*;

    fn document(collector: Collector, values: Value) -> Document {
        let mut document = Document::new(collector, "s", "2026-01-01T00:00:00Z");
        let Value::Object(values) = values else { panic!("no object") };
        let values: Properties = values.into_iter().map(|(key, value)| (key.into(), value)).collect();
        document.node(NodeId::http_server("https://x.example"), NodeKind::McpServer, values);
        document
    }

    #[test]
    fn answers_refine_what_configurations_claim() {
        let config = document(Collector::Config, json!({ "name": "mine", "auth_method": "none", "is_pinned": true }));
        let live = document(Collector::Mcp, json!({ "name": "theirs", "auth_method": "oauth", "status": "protected" }));
        let whole = join(vec![config, live], Allowed { start: false, network: true }).unwrap();
        assert_eq!(whole.meta.collector, Collector::Scan);
        assert_eq!(whole.graph.nodes.len(), 1);
        let values = serde_json::to_value(&whole.graph.nodes[0].properties).unwrap();
        let expected = json!({ "name": "mine", "auth_method": "oauth", "is_pinned": true, "status": "protected" });
        assert_eq!(values, expected);
        assert_eq!(whole.meta.extra.other["allowed"], json!({ "start": false, "network": true }));
    }

    #[test]
    fn one_document_stays_what_it_is() {
        let config = document(Collector::Config, json!({ "name": "mine" }));
        let whole = join(vec![config.clone()], Allowed::default()).unwrap();
        assert_eq!((whole.meta.collector, whole.graph), (Collector::Config, config.graph));
        assert_eq!(join(Vec::new(), Allowed::default()), None);
    }
}
