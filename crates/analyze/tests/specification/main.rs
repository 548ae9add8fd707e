//! An executable specification: every processor a second time, straight from its definition and without regard to time,
//! compared with the fast one on small estates that are made up to be awkward.

mod can_impersonate;
mod confused_deputy;
mod estates;
mod expected;
mod ifc_violation;
mod poison;
mod poisons_context;
mod shadows;
mod taints;

use proptest::prelude::*;
use tracehound_analyze::Analysis;
use tracehound_model::EdgeKind;

use estates::{Little, little};
use expected::{Expected, derived};

/// Compares what is derived with what the definition says, on many estates.
fn compare(kind: EdgeKind, naive: fn(&tracehound_graph::Graph) -> Vec<Expected>) {
    compare_on(little(), kind, naive);
}

/// The same on estates of one's own.
fn compare_on(
    estates: impl Strategy<Value = Little>,
    kind: EdgeKind,
    naive: fn(&tracehound_graph::Graph) -> Vec<Expected>,
) {
    let config = ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() };
    let found = std::cell::Cell::new(0);
    proptest!(config, |(estate in estates)| found.set(found.get() + check(kind, &estate, naive)?));
    assert!(found.get() > 0, "a definition that never holds proves nothing");
}

fn check(
    kind: EdgeKind,
    estate: &Little,
    naive: fn(&tracehound_graph::Graph) -> Vec<Expected>,
) -> Result<usize, TestCaseError> {
    let graph = estate.graph();
    let analysis = Analysis::of(&graph);
    let mut expected = naive(&graph);
    expected.sort();
    let count = expected.len();
    prop_assert_eq!(derived(&graph, &analysis, kind), expected);
    Ok(count)
}

/// The ends of what is derived from an estate.
fn edges(estate: &Little, kind: EdgeKind) -> Vec<(String, String)> {
    let graph = estate.graph();
    derived(&graph, &Analysis::of(&graph), kind).into_iter().map(|edge| (edge.source, edge.target)).collect()
}

/// The commands of `CAN_EXECUTE` are those of tools that run something, on the machines of their servers.
#[test]
fn can_execute_is_as_defined() {
    compare(EdgeKind::CanExecute, |graph| {
        use expected::Reader as _;
        let mut all = Vec::new();
        for server in graph.all("MCPServer") {
            for tool in graph.to(&server, EdgeKind::ProvidesTool) {
                let runs = |power: &String| ["shell_access", "code_execution"].contains(&power.as_str());
                if !graph.list(&tool, "capability_surface").iter().any(runs) {
                    continue;
                }
                for host in graph.to(&server, EdgeKind::RunsOn) {
                    let path = vec![format!("{server} PROVIDES_TOOL {tool}"), format!("{server} RUNS_ON {host}")];
                    all.push(Expected::new(&tool, &host, 1.0, 0.1, "mcp", path));
                }
            }
        }
        expected::first_of_each(all)
    });
}
