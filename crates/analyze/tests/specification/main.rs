//! An executable specification: every processor a second time, straight from its definition and without regard to time,
//! compared with the fast one on small estates that are made up to be awkward.

mod estates;
mod expected;
mod groups;
mod scores;

use proptest::prelude::*;
use tracehound_analyze::Analysis;
use tracehound_model::EdgeKind;

use estates::{Little, little};
use expected::{Expected, derived};

/// Compares what is derived with what the definition says, on many estates.
fn compare(kind: EdgeKind, naive: fn(&tracehound_graph::Graph) -> Vec<Expected>) {
    let config = ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(estate in little())| check(kind, &estate, naive)?);
}

fn check(
    kind: EdgeKind,
    estate: &Little,
    naive: fn(&tracehound_graph::Graph) -> Vec<Expected>,
) -> Result<(), TestCaseError> {
    let graph = estate.graph();
    let analysis = Analysis::of(&graph);
    let mut expected = naive(&graph);
    expected.sort();
    prop_assert_eq!(derived(&graph, &analysis, kind), expected);
    Ok(())
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
