//! The wire format `agenthound-ingest`, version 1, as a producer writes it.
//!
//! These types are for writing documents. Reading one that somebody else wrote, with every problem named by its
//! path, is `graph`'s business, because a struct that accepts everything notices nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Collector, EdgeKind, NodeId, NodeKind};

/// The value of `meta.type`.
pub const TYPE: &str = "agenthound-ingest";
/// The value of `meta.version`.
pub const VERSION: u64 = 1;

/// Properties of a node or edge, sorted by key. Most keys are names that the code knows, and need not be copied.
pub type Properties = BTreeMap<Cow<'static, str>, Value>;

/// One scan document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Who wrote it, when, and what it covers.
    pub meta: Meta,
    /// What it saw.
    pub graph: Graph,
}

impl Document {
    /// An empty document.
    #[must_use]
    pub fn new(collector: Collector, scan_id: &str, timestamp: &str) -> Self {
        Self {
            meta: Meta {
                version: VERSION,
                r#type: TYPE.to_owned(),
                collector,
                collector_version: env!("CARGO_PKG_VERSION").to_owned(),
                timestamp: timestamp.to_owned(),
                scan_id: scan_id.to_owned(),
                extra: Extra::default(),
            },
            graph: Graph::default(),
        }
    }

    /// Adds a node.
    pub fn node(&mut self, id: NodeId, kind: NodeKind, properties: Properties) -> &mut Self {
        let kinds = std::iter::once(kind).chain(kind.umbrella()).collect();
        self.graph.nodes.push(Node { id, kinds, properties });
        self
    }

    /// Adds an edge.
    pub fn edge(&mut self, kind: EdgeKind, from: Endpoint<'_>, to: Endpoint<'_>, properties: Properties) -> &mut Self {
        self.graph.edges.push(Edge {
            source: from.0.clone(),
            target: to.0.clone(),
            kind,
            source_kind: Some(from.1),
            target_kind: Some(to.1),
            properties,
        });
        self
    }
}

/// An end of an edge that is being written: the node and its kind.
pub type Endpoint<'a> = (&'a NodeId, NodeKind);

/// The head of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// Always [`VERSION`].
    pub version: u64,
    /// Always [`TYPE`].
    pub r#type: String,
    /// Who observed.
    pub collector: Collector,
    /// The version of who observed.
    pub collector_version: String,
    /// When, as RFC 3339 in UTC.
    pub timestamp: String,
    /// The scan's own id.
    pub scan_id: String,
    /// What other producers don't say.
    #[serde(default, skip_serializing_if = "Extra::is_empty")]
    pub extra: Extra,
}

/// The members of `meta.extra` that decide how long facts live, and whatever else a producer puts there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Extra {
    /// The machine that the document speaks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// What was read to the end. Absent: the parents whose children the document lists. Empty: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covers: Option<Covers>,
    /// Anything else.
    #[serde(flatten)]
    pub other: BTreeMap<String, Value>,
}

impl Extra {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What a document read to the end: what is below it and not in the document is gone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Covers {
    /// Configuration files, instruction files, servers, agents and services, by node id.
    #[serde(default)]
    pub nodes: Vec<NodeId>,
    /// Network places, as `host:port` in the spelling of a service's endpoint.
    #[serde(default)]
    pub ports: Vec<String>,
}

/// What a document saw.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Graph {
    /// Things.
    pub nodes: Vec<Node>,
    /// Relations.
    pub edges: Vec<Edge>,
}

/// A thing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Its id.
    pub id: NodeId,
    /// What it is, and the labels that it carries besides.
    pub kinds: Vec<NodeKind>,
    /// What is known of it.
    pub properties: Properties,
}

/// A relation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// Where it starts.
    pub source: NodeId,
    /// Where it ends.
    pub target: NodeId,
    /// What it means.
    pub kind: EdgeKind,
    /// What the source is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_kind: Option<NodeKind>,
    /// What the target is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_kind: Option<NodeKind>,
    /// What is known of it.
    pub properties: Properties,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_carries_the_umbrella_label_and_absent_parts_are_not_written() {
        let mut document = Document::new(Collector::Scan, "s", "2026-01-01T00:00:00Z");
        let id = NodeId::service(NodeKind::OllamaInstance, "http://10.0.0.10:11434");
        document.node(id, NodeKind::OllamaInstance, Properties::new());
        let json = serde_json::to_value(&document).unwrap();
        assert_eq!(json["graph"]["nodes"][0]["kinds"], serde_json::json!(["OllamaInstance", "AIService"]));
        assert_eq!(json["meta"].get("extra"), None);
        assert_eq!(serde_json::from_value::<Document>(json).unwrap(), document);
    }
}
