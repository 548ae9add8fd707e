use tracehound_graph::{Graph, Limits, Moment, View as _, graph_of};
use tracehound_model::EdgeKind;

use super::*;
use crate::choke::{Effort, best, gone_without};
use crate::findings::List;
use crate::{Picture, holding};

/// One agent and one server with so many files.
fn crowded(files: u32) -> Graph {
    let edge = |source: &str, kind: EdgeKind, target: &str| serde_json::json!({ "source": source, "target": target, "kind": kind.name(), "properties": {} });
    let node = |id: &str, kind: &str, properties: serde_json::Value| serde_json::json!({ "id": id, "kinds": [kind], "properties": properties });
    let mut nodes = vec![
        node("a", "AgentInstance", serde_json::json!({})),
        node("s", "MCPServer", serde_json::json!({})),
        node("t", "MCPTool", serde_json::json!({ "capability_surface": ["file_read"] })),
    ];
    let mut edges = vec![edge("a", EdgeKind::TrustsServer, "s"), edge("s", EdgeKind::ProvidesTool, "t")];
    for file in 0..files {
        let id = format!("r{file:03}");
        nodes.push(node(&id, "MCPResource", serde_json::json!({ "uri": format!("file:///{file}") })));
        edges.push(edge("s", EdgeKind::ProvidesResource, &id));
    }
    let document = serde_json::json!({
        "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": "s",
                  "timestamp": "2026-01-01T00:00:00Z" },
        "graph": { "nodes": nodes, "edges": edges },
    });
    graph_of(document.to_string().as_bytes(), &Limits::default(), Moment(0)).unwrap()
}

#[test]
fn without_one_of_very_many_only_that_one_is_gone_and_nothing_is_new() {
    let graph = crowded(150);
    let analysis = Analysis::of(&graph);
    let node = |id: &str| graph.find(id).unwrap();
    let first = RawEdge { kind: EdgeKind::ProvidesResource, source: node("s"), target: node("r000") };
    let alterations = [Alteration::RemoveEdge(first)];
    let (altered, after) = what_if(&graph, &analysis, &alterations);
    let (before, after) = (Picture::new(&graph, &analysis), Picture::new(&altered, &after));
    let lists = [List::new(before, &[]), List::new(after, &[])];
    let compared = Compared::new((&before, &lists[0]), (&after, &lists[1]));
    let gone = |kind: EdgeKind, source: &str| RawEdge { kind, source: node(source), target: node("r000") };
    assert_eq!(compared.edges_gone, [gone(EdgeKind::HasAccessTo, "t"), gone(EdgeKind::CanReach, "a")]);
    assert_eq!((compared.edges_new.len(), compared.findings_gone.len(), compared.findings_new.len()), (0, 2, 0));
    assert_eq!(gone_without(&graph, &analysis, &alterations).len(), 2);
}

#[test]
fn the_best_changes_count_what_is_pushed_out_as_there() {
    let graph = crowded(150);
    let analysis = Analysis::of(&graph);
    let reach = analysis.derived.of(EdgeKind::CanReach);
    let meant: Vec<_> =
        reach.iter().map(|(number, ..)| tracehound_graph::EdgeIx { kind: EdgeKind::CanReach, number }).collect();
    let best = best(&graph, &analysis, &meant, Effort { changes: 1, tries: 1 });
    assert_eq!((best.edges.len(), best.removes, best.of), (1, 100, 100));
    let node = |id: &str| graph.find(id).unwrap();
    let asked = ["r000", "r149", "s"].map(|target| RawEdge {
        kind: EdgeKind::CanReach,
        source: node("a"),
        target: node(target),
    });
    assert_eq!(holding(&graph, &analysis.derived, &asked), [true, true, false]);
}
