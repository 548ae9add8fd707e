//! Estates drawn as text, a line for each node and edge: `s1 MCPServer {"name":"files"}`, `a1 TRUSTS_SERVER s1`.

use serde_json::{Value, json};
use tracehound_graph::{Graph, Limits, Moment, graph_of};
use tracehound_model::NodeKind;

/// The graph of a drawing.
pub(crate) fn drawn(text: &str) -> Graph {
    let (nodes, edges) = read(text.lines());
    graph(&nodes, &edges)
}

/// The nodes and edges of a drawing.
pub(crate) fn read<'t>(lines: impl Iterator<Item = &'t str>) -> (Vec<Value>, Vec<Value>) {
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for line in lines.map(str::trim).filter(|line| !line.is_empty()) {
        let (words, properties) = line.find('{').map_or((line, "{}"), |start| line.split_at(start));
        let properties: Value = serde_json::from_str(properties).unwrap();
        match words.split_whitespace().collect::<Vec<_>>()[..] {
            [id, kind] if NodeKind::from_name(kind).is_some() => {
                nodes.push(json!({ "id": id, "kinds": [kind], "properties": properties }));
            }
            [source, kind, target] => {
                edges.push(json!({ "source": source, "kind": kind, "target": target, "properties": properties }));
            }
            _ => panic!("neither a node nor an edge: {line}"),
        }
    }
    (nodes, edges)
}

/// The graph of a document with these nodes and edges.
pub(crate) fn graph(nodes: &[Value], edges: &[Value]) -> Graph {
    let document = json!({
        "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": "s",
                  "timestamp": "2026-01-01T00:00:00Z" },
        "graph": { "nodes": nodes, "edges": edges },
    });
    graph_of(document.to_string().as_bytes(), &Limits::default(), Moment(0)).unwrap()
}
