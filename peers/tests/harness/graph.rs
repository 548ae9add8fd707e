//! What a document says, by kinds and names.

use serde_json::Value;

/// The graph of a document.
#[derive(Debug)]
pub(crate) struct Graph {
    document: Value,
}

impl Graph {
    pub(crate) fn of(document: Value) -> Self {
        assert!(document["graph"]["nodes"].is_array(), "no document: {document}");
        Self { document }
    }

    /// All nodes.
    pub(crate) fn all(&self) -> Vec<&Value> {
        self.document["graph"]["nodes"].as_array().unwrap().iter().collect()
    }

    /// All nodes of a kind.
    pub(crate) fn nodes(&self, kind: &str) -> Vec<&Value> {
        self.all().into_iter().filter(|node| node["kinds"][0] == kind).collect()
    }

    /// The one node of a kind.
    #[track_caller]
    pub(crate) fn only(&self, kind: &str) -> &Value {
        let nodes = self.nodes(kind);
        assert_eq!(nodes.len(), 1, "nodes of kind {kind}: {nodes:#?}");
        nodes[0]
    }

    /// What edges of a kind lead to from a node.
    pub(crate) fn behind(&self, node: &Value, edge: &str) -> Vec<&Value> {
        let edges = self.document["graph"]["edges"].as_array().unwrap();
        let ours = edges.iter().filter(|each| each["kind"] == edge && each["source"] == node["id"]);
        let nodes = self.document["graph"]["nodes"].as_array().unwrap();
        ours.filter_map(|edge| nodes.iter().find(|node| node["id"] == edge["target"])).collect()
    }
}

/// A property of nodes, sorted.
pub(crate) fn texts<'a>(nodes: &[&'a Value], property: &str) -> Vec<&'a str> {
    let mut texts: Vec<&str> = nodes.iter().filter_map(|node| node["properties"][property].as_str()).collect();
    texts.sort_unstable();
    texts
}
