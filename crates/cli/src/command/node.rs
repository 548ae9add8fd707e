//! `tracehound graph show`.

use serde_json::{Map, Value, json};
use tracehound_analyze::naming;
use tracehound_graph::{EdgeRef, Graph, NodeRef, ScanRecord, View as _};
use tracehound_model::EdgeKind;

use crate::args::Format;
use crate::outcome::Outcome;
use crate::output::{Output, SHOWN, more, named, safe, shortened};
use crate::settings::Settings;

/// How much of a value people are shown.
const VALUE: usize = 200;

/// Shows one node of a graph, named as people name nodes.
pub(super) fn show(text: &str, graph: &Graph, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let node = graph.node(naming::find(graph, text)?);
    let edges = edges_at(graph, node);
    match settings.format {
        Format::Json => output.json(&json(node, &edges))?,
        Format::Table | Format::Markdown => print(node, &edges, output)?,
    }
    Ok(Outcome::Clean)
}

/// An edge at the node: the other end, and whether it comes from there.
struct Connection<'g> {
    edge: EdgeRef<'g>,
    other: NodeRef<'g>,
    comes_in: bool,
}

fn edges_at<'g>(graph: &'g Graph, node: NodeRef<'g>) -> Vec<Connection<'g>> {
    let connection =
        |(other, edge), comes_in| Connection { edge: graph.edge(edge), other: graph.node(other), comes_in };
    let mut all = Vec::new();
    for kind in EdgeKind::observed() {
        all.extend(graph.incoming(kind, node.ix()).map(|end| connection(end, true)));
        all.extend(graph.outgoing(kind, node.ix()).map(|end| connection(end, false)));
    }
    all
}

fn json(node: NodeRef<'_>, edges: &[Connection<'_>]) -> Value {
    let properties: Map<String, Value> =
        node.properties().into_iter().map(|(key, value)| (key.to_owned(), value.to_json())).collect();
    let edge = |connection: &Connection<'_>| {
        let other = connection.other;
        json!({
            "kind": connection.edge.kind(),
            "direction": if connection.comes_in { "in" } else { "out" },
            "node": { "id": other.id(), "kind": other.kind(), "name": other.display_name() },
        })
    };
    json!({
        "id": node.id(),
        "kinds": node.kinds(),
        "properties": properties,
        "scans": node.scans().iter().map(AsRef::as_ref).collect::<Vec<&ScanRecord>>(),
        "edges": edges.iter().map(edge).collect::<Vec<_>>(),
    })
}

fn print(node: NodeRef<'_>, edges: &[Connection<'_>], output: &mut Output) -> anyhow::Result<()> {
    let kinds: Vec<&str> = node.kinds().into_iter().map(|kind| kind.name()).collect();
    output.line(format!("{} {}", kinds.join(", "), safe(&node.display_name())))?;
    output.line(format!("id: {}", safe(&node.id())))?;
    for (key, value) in node.properties() {
        let text = value.as_text().map_or_else(|| value.to_json().to_string(), str::to_owned);
        output.line(format!("  {}: {}", safe(key), shortened(&text, VALUE)))?;
    }
    let scans = node.scans();
    let scan = |scan: &ScanRecord| format!("{} at {}", safe(&scan.scan_id), scan.time);
    let first: Vec<String> = scans.iter().take(SHOWN).map(|record| scan(record)).collect();
    let noun = if scans.len() == 1 { "scan" } else { "scans" };
    output.line(format!("seen by {} {noun}: {}{}", scans.len(), first.join(", "), more(scans.len(), " ")))?;
    output.line(format!("edges: {}", edges.len()))?;
    for connection in edges.iter().take(SHOWN) {
        let arrow = if connection.comes_in { "<-" } else { "->" };
        let other = connection.other;
        output.line(format!(
            "  {arrow} {} {} {}",
            connection.edge.kind(),
            other.kind(),
            named(&other.display_name())
        ))?;
    }
    output.rest(edges.len(), "  ")
}
