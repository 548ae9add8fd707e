//! An executable specification: every processor a second time, straight from its definition and without regard to time,
//! compared with the fast one on small estates that are made up to be awkward.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test stops at the first surprise")]

mod access;
mod again;
mod alone;
mod bad_input;
mod bounded;
mod can_impersonate;
mod cases;
mod commands;
mod confused_deputy;
mod declared;
#[path = "../drawn/mod.rs"]
mod drawn;
mod estates;
mod exfiltration;
mod expected;
mod fanout;
mod groups;
mod ifc_violation;
mod machines;
mod movement;
mod poison;
mod poisons_context;
mod reach;
mod scores;
mod shadows;
mod taints;
mod tight;
mod walk;

use std::collections::BTreeMap;

use proptest::prelude::*;
use tracehound_analyze::derived::{Hop, Via};
use tracehound_analyze::{Analysis, Picture, words};
use tracehound_graph::{EdgeIx, Graph, NodeIx, PropertyValue, View as _};
use tracehound_model::EdgeKind;

use estates::{Little, as_commands, little, started};
use expected::{Expected, derived};
use tight::tight;

/// Awkward estates, loose and tight ones.
fn estates() -> impl Strategy<Value = Little> {
    prop_oneof![little(), tight()]
}

/// Compares what is derived with what the definition says, on many estates.
fn compare(kind: EdgeKind, naive: fn(&Graph) -> Vec<Expected>) {
    compare_on(estates(), kind, naive);
}

/// The same on estates of one's own.
fn compare_on(estates: impl Strategy<Value = Little>, kind: EdgeKind, naive: fn(&Graph) -> Vec<Expected>) {
    let config = ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() };
    let found = std::cell::Cell::new(0);
    proptest!(config, |(estate in estates)| found.set(found.get() + check(kind, &estate, naive)?));
    assert!(found.get() > 0, "a definition that never holds proves nothing");
}

fn check(kind: EdgeKind, estate: &Little, naive: fn(&Graph) -> Vec<Expected>) -> Result<usize, TestCaseError> {
    let graph = estate.graph();
    let analysis = Analysis::of(&graph);
    let mut expected = naive(&graph);
    expected.sort();
    let count = expected.len();
    let relation = analysis.derived.of(kind);
    assert_eq!(relation.total(), relation.len() as u64, "small estates are written down whole");
    prop_assert_eq!(&derived(&graph, &analysis, kind), &expected);
    prop_assert_eq!(analysis.derived.of(kind).total(), count as u64);
    bounded::check(&graph, kind, &expected)?;
    Ok(count)
}

/// The ends of what is derived from an estate.
fn edges(estate: &Little, kind: EdgeKind) -> Vec<(String, String)> {
    let graph = estate.graph();
    derived(&graph, &Analysis::of(&graph), kind).into_iter().map(|edge| (edge.source, edge.target)).collect()
}

/// The commands of `CAN_EXECUTE` are those of tools that run something, on the machines of their servers.
fn can_execute(graph: &Graph) -> Vec<Expected> {
    use expected::Reader as _;
    let mut all = Vec::new();
    for server in graph.all("MCPServer") {
        for tool in graph.to(&server, EdgeKind::ProvidesTool) {
            let runs = |power: &String| ["shell_access", "code_execution"].contains(&power.as_str());
            if !graph.list(&tool, "capability_surface").iter().any(runs) {
                continue;
            }
            for host in graph.to(&server, EdgeKind::RunsOn) {
                let on = commands::machines(graph, &server, &[(&server, EdgeKind::RunsOn, &host)]);
                if commands::have(graph, &server, &on, &[(EdgeKind::ProvidesTool, &tool)]) {
                    let path = vec![format!("{server} PROVIDES_TOOL {tool}"), format!("{server} RUNS_ON {host}")];
                    all.push(Expected::new(&tool, &host, 1.0, 0.1, "mcp", path));
                }
            }
        }
    }
    expected::first_of_each(all)
}

#[test]
fn can_execute_is_as_defined() {
    compare(EdgeKind::CanExecute, can_execute);
}

#[test]
fn has_access_to_is_as_defined() {
    compare(EdgeKind::HasAccessTo, access::has_access_to);
    compare_on(started(), EdgeKind::HasAccessTo, access::has_access_to);
}

#[test]
fn can_reach_is_as_defined() {
    compare(EdgeKind::CanReach, reach::can_reach);
    compare_on(alone::alone(), EdgeKind::CanReach, reach::can_reach);
}

#[test]
fn can_exfiltrate_via_is_as_defined() {
    compare(EdgeKind::CanExfiltrateVia, exfiltration::can_exfiltrate_via);
}

#[test]
fn machines_that_differ_are_kept_apart_as_defined() {
    let estates = || prop_oneof![started(), tight().prop_map(as_commands)];
    compare_on(estates(), EdgeKind::CanReach, reach::can_reach);
    compare_on(estates(), EdgeKind::CanExfiltrateVia, exfiltration::can_exfiltrate_via);
    compare_on(tight().prop_map(as_commands), EdgeKind::CanExecute, can_execute);
}

/// What processors write on nodes: how weak their authentication is, and how many agents get at what a secret opens.
#[test]
fn properties_are_as_defined() {
    use expected::Reader as _;
    let config = ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(estate in prop_oneof![estates(), tight().prop_map(as_commands)])| {
        let graph = estate.graph();
        let analysis = Analysis::of(&graph);
        let mut strengths = BTreeMap::new();
        for kind in ["MCPServer", "A2AAgent", "LiteLLMGateway", "OpenWebUIInstance"] {
            for id in graph.all(kind) {
                let weakness = match walk::auth(&graph, &id).as_str() {
                    "apikey" | "static_key" => 70,
                    "bearer" => 50,
                    "oauth" => 25,
                    "mtls" => 10,
                    _ => 100,
                };
                strengths.insert(id, weakness);
            }
        }
        prop_assert_eq!(written(&graph, &analysis, "auth_strength"), strengths);
        let radius = reach::blast_radius(&graph).into_iter().map(|(id, count)| (id, count as i64)).collect();
        prop_assert_eq!(written(&graph, &analysis, "blast_radius"), radius);
    });
}

/// A whole number that processors wrote, by the ids of nodes.
fn written(graph: &Graph, analysis: &Analysis, key: &str) -> BTreeMap<String, i64> {
    let number = |value: &PropertyValue<'_>| value.as_number().unwrap_or(f64::NAN) as i64;
    analysis.properties.all(key).map(|(node, value)| (graph.id(node).into_owned(), number(value))).collect()
}

/// What a `CAN_REACH` edge says that it goes through is what its witness goes through.
#[test]
fn an_edge_names_what_its_witness_goes_through() {
    let config = ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(estate in estates())| {
        let graph = estate.graph();
        let analysis = Analysis::of(&graph);
        let picture = Picture::new(&graph, &analysis);
        let relation = analysis.derived.of(EdgeKind::CanReach);
        for (number, _, _, edge) in relation.iter() {
            let path = relation.path(edge);
            let said = |key: &&str| {
                let value = picture.edge_property(EdgeIx { kind: EdgeKind::CanReach, number }, key)?;
                Some(((*key).to_owned(), value.as_text()?.to_owned()))
            };
            let keys = words::KEYS.iter().filter(|key| key.starts_with("via_"));
            let expected = through(path).into_iter().map(|(key, node)| {
                (key.to_owned(), graph.name(node).into_owned())
            });
            prop_assert_eq!(keys.filter_map(said).collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{:?}", path);
        }
    });
}

/// What a path goes through, by the property that names it, sorted.
fn through(path: &[Hop]) -> Vec<(&'static str, NodeIx)> {
    let against = |kind: EdgeKind| path.iter().find(|hop| hop.via == Via::Against(kind)).copied();
    let last = path[path.len() - 1];
    if let Some(hop) = against(EdgeKind::RunsOn) {
        return vec![("via_host", hop.from), ("via_mcp_server", hop.to), ("via_mcp_tool", last.from)];
    }
    if let Some(hop) = against(EdgeKind::ExposesCredential) {
        return vec![("via_credential", path[1].to), ("via_gateway", hop.to), ("via_server", path[0].to)];
    }
    if let Some(hop) = against(EdgeKind::HasEnvVar) {
        return vec![("via_credential", hop.from), ("via_server", hop.to), ("via_tool", last.from)];
    }
    vec![("via_server", path[0].to), ("via_tool", last.from)]
}
