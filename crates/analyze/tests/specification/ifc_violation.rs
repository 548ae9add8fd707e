//! `IFC_VIOLATION`: untrusted content lies where a tool finds it whose actions have consequences.

use serde_json::json;
use tracehound_analyze::Analysis;
use tracehound_graph::Graph;
use tracehound_model::EdgeKind;

use crate::access::why;
use crate::commands::{have, machines};
use crate::compare_on;
use crate::estates::{Little, started, tooled};
use crate::expected::{Expected, Reader as _, cost};

/// Whether a tool has access to a resource on a machine on which another brings it in.
fn has_access(graph: &Graph, actor: &str, resource: &str, source: &str) -> bool {
    graph.from(actor, EdgeKind::ProvidesTool).into_iter().any(|server| {
        let things = [(EdgeKind::ProvidesTool, actor), (EdgeKind::ProvidesResource, resource)];
        let on = machines(graph, &server, &[(source, EdgeKind::IngestsUntrusted, resource)]);
        graph.to(&server, EdgeKind::ProvidesResource).iter().any(|other| other == resource)
            && why(graph, actor, resource).is_some()
            && have(graph, &server, &on, &things)
    })
}

fn defined(graph: &Graph) -> Vec<Expected> {
    let acts = |tool: &str| {
        let powers = graph.list(tool, "capability_surface");
        powers.iter().any(|power| ["credential_access", "file_write", "email_send"].contains(&power.as_str()))
    };
    let mut all = Vec::new();
    for tool in graph.all("MCPTool") {
        for actor in graph.all("MCPTool").into_iter().filter(|actor| *actor != tool && acts(actor)) {
            let flows = graph.to(&tool, EdgeKind::IngestsUntrusted).into_iter();
            let flows = flows.filter(|it| has_access(graph, &actor, it, &tool));
            let best = flows.map(|it| (cost(graph, &tool, EdgeKind::IngestsUntrusted, &it), it)).min();
            if let Some((_, it)) = best {
                let path = vec![format!("{tool} INGESTS_UNTRUSTED {it}"), format!("{it} ~HAS_ACCESS_TO {actor}")];
                all.push(Expected::new(&tool, &actor, 0.6, 0.3, "mcp", path));
            }
        }
    }
    all
}

#[test]
fn is_as_defined() {
    compare_on(tooled(), EdgeKind::IfcViolation, defined);
    compare_on(started(), EdgeKind::IfcViolation, defined);
}

#[test]
fn thousands_that_open_the_same_are_counted_and_twenty_of_each_are_written_down() {
    let mut estate = Little::default();
    for number in 0..2000 {
        // Every other one also opens databases, and nothing is told twice.
        let powers: &[&str] = if number % 2 == 0 { &["file_write"] } else { &["file_write", "database_access"] };
        let id = format!("{number:04}");
        estate.tool("s", &format!("t{id}"), json!({ "capability_surface": powers }));
        let scheme = if number % 2 == 0 { "file" } else { "postgres" };
        estate.node("MCPResource", &format!("r{id}"), json!({ "uri_scheme": scheme }));
        estate.edge(EdgeKind::ProvidesResource, "s", &format!("r{id}"));
        estate.edge(EdgeKind::IngestsUntrusted, &format!("t{id}"), &format!("r{id}"));
    }
    estate.edge(EdgeKind::IngestsUntrusted, "t0000", "r0001");
    let graph = estate.graph();
    let analysis = Analysis::of(&graph);
    let relation = analysis.derived.of(EdgeKind::IfcViolation);
    assert_eq!((relation.len(), relation.total()), (2000 * 20, 1000 * 1999 + 1000 * 999));
}
