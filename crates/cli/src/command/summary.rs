//! A graph in a few lines.

use serde_json::{Value, json};
use tracehound_graph::{Graph, Unplaceable};

use crate::output::{Output, SHOWN, safe};

/// Counts for programs.
pub(super) fn json(graph: &Graph) -> Value {
    let nodes: serde_json::Map<_, _> =
        graph.nodes_by_kind().map(|(kind, count)| (kind.name().to_owned(), count.into())).collect();
    let edges: serde_json::Map<_, _> =
        graph.edges_by_kind().map(|(kind, count)| (kind.name().to_owned(), count.into())).collect();
    json!({
        "scans": graph.scans().len(),
        "nodes": graph.node_count(),
        "edges": graph.edge_count(),
        "nodes_by_kind": nodes,
        "edges_by_kind": edges,
        "hidden": graph.hidden(),
        "unplaced": graph.unplaced(),
        "changes": graph.changes(),
    })
}

/// Counts for people.
pub(super) fn print(graph: &Graph, output: &mut Output) -> anyhow::Result<()> {
    let nodes = graph.nodes_by_kind().map(|(kind, count)| [kind.to_string(), count.to_string()]);
    output.table(["NODES", &graph.node_count().to_string()], nodes)?;
    output.line("")?;
    let edges = graph.edges_by_kind().map(|(kind, count)| [kind.to_string(), count.to_string()]);
    output.table(["EDGES", &graph.edge_count().to_string()], edges)?;
    print_hidden(graph, output)
}

/// What is stored but not part of the graph, and what deserves a look.
pub(super) fn print_hidden(graph: &Graph, output: &mut Output) -> anyhow::Result<()> {
    let hidden = graph.hidden();
    if hidden.retired_nodes + hidden.retired_edges > 0 {
        let (nodes, edges) = (hidden.retired_nodes, hidden.retired_edges);
        output.line(format!("\n{nodes} nodes and {edges} edges are gone and kept for history."))?;
    }
    if !graph.unplaced().is_empty() {
        output.line(format!("\n{} edges wait for an end or have an end of the wrong kind:", graph.unplaced().len()))?;
        for edge in graph.unplaced().iter().take(SHOWN) {
            let reason = match edge.reason {
                Unplaceable::EndMissing => "an end was never seen",
                Unplaceable::EndMisfit => "an end is of a kind that it can't have",
            };
            output.line(format!("  {} {} -> {}: {reason}", edge.kind, safe(&edge.source), safe(&edge.target)))?;
        }
        output.rest(graph.unplaced().len(), "  ")?;
    }
    if !graph.changes().is_empty() {
        let count = graph.changes().len();
        output.line(format!("\n{count} contents rewrote themselves; see `tracehound graph changes`."))?;
    }
    Ok(())
}
