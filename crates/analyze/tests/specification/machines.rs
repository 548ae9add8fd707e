//! Paths through commands that are started on several machines stay on one.

use std::collections::BTreeSet;

use serde_json::json;
use tracehound_analyze::routes::{Allowed, Direction, reach};
use tracehound_analyze::terrain::{Shortcuts, Terrain};
use tracehound_analyze::{Analysis, Changes, Picture};
use tracehound_graph::{Access, Estate, Graph, Limits, Moment, Point, View as _};
use tracehound_model::EdgeKind;

use crate::again::everything;
use crate::drawn::read;

/// The graph of drawings, each the scan of a machine. All of them cover the server `s`.
fn scanned(scans: &[(&str, &str)]) -> Graph {
    let folder = tempfile::tempdir().unwrap();
    let mut estate = Estate::open(folder.path(), "default", Access::Write, Limits::default()).unwrap();
    for (number, (origin, drawing)) in (1..).zip(scans) {
        let (nodes, edges) = read(drawing.lines());
        let document = json!({
            "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": format!("s{number}"),
                      "timestamp": format!("2026-01-0{number}T00:00:00Z"),
                      "extra": { "origin": origin, "covers": { "nodes": ["s"], "ports": [] } } },
            "graph": { "nodes": nodes, "edges": edges },
        });
        estate.ingest(document.to_string().as_bytes(), Moment(i64::MAX)).unwrap();
    }
    estate.graph(&Point::Now).unwrap()
}

/// The ids that an attacker gets to from a node.
fn reached(graph: &Graph, from: &str) -> BTreeSet<String> {
    let analysis = Analysis::of(graph);
    let picture = Picture::new(graph, &analysis);
    let terrain = Terrain::new(&picture, Shortcuts::No);
    let places = terrain.places(&[graph.find(from).unwrap()]);
    let reached = reach(terrain.arcs(), &places, Direction::Forward, Allowed::Every, None);
    let nodes = reached.nodes.iter().filter_map(|reached| terrain.node(reached.node));
    nodes.map(|node| graph.id(node).into_owned()).collect()
}

/// A command that an agent of this name is told to start, with one tool.
fn machine(agent: &str, rest: &str) -> String {
    format!(
        "{agent} AgentInstance\n s MCPServer {{\"transport\":\"stdio\"}}\n {agent} TRUSTS_SERVER s\n \
         t MCPTool {{\"capability_surface\":[\"file_read\"]}}\n s PROVIDES_TOOL t\n {rest}"
    )
}

const FILE: &str = "r MCPResource {\"uri\":\"file:///srv/payroll\"}\n s PROVIDES_RESOURCE r";
const OTHER_TOOL: &str = "u MCPTool {\"capability_surface\":[\"file_read\"]}\n s PROVIDES_TOOL u";

fn ids(all: &[&str]) -> BTreeSet<String> {
    all.iter().map(|id| (*id).to_owned()).collect()
}

#[test]
fn what_one_machine_shows_is_not_reached_from_another() {
    let graph = scanned(&[("m", &machine("a", "")), ("n", &machine("b", FILE))]);
    assert_eq!(reached(&graph, "a"), ids(&["a", "s", "t"]));
    assert_eq!(reached(&graph, "b"), ids(&["b", "r", "s", "t"]));
}

#[test]
fn what_both_machines_show_is_reached_from_both_whoever_came_last() {
    let graph = scanned(&[("m", &machine("a", FILE)), ("n", &machine("b", FILE))]);
    assert_eq!(reached(&graph, "a"), ids(&["a", "r", "s", "t"]));
    assert_eq!(reached(&graph, "b"), ids(&["b", "r", "s", "t"]));
}

#[test]
fn a_tool_of_one_machine_does_not_open_files_of_another() {
    let graph = scanned(&[("m", &machine("a", OTHER_TOOL)), ("n", &machine("b", FILE))]);
    assert_eq!(reached(&graph, "a"), ids(&["a", "s", "t", "u"]));
}

#[test]
fn what_a_machine_shows_no_longer_is_not_reached_there() {
    let scans = [("m", machine("a", FILE)), ("n", machine("b", FILE)), ("m", machine("a", ""))];
    let graph = scanned(&scans.each_ref().map(|(origin, drawing)| (*origin, drawing.as_str())));
    assert_eq!(reached(&graph, "a"), ids(&["a", "s", "t"]));
    assert_eq!(reached(&graph, "b"), ids(&["b", "r", "s", "t"]));
}

#[test]
fn a_machine_that_never_showed_what_a_command_provides_may_have_what_others_showed() {
    let configured = "a AgentInstance\n s MCPServer {\"transport\":\"stdio\"}\n a TRUSTS_SERVER s";
    let graph = scanned(&[("m", configured), ("n", &machine("b", FILE))]);
    assert_eq!(reached(&graph, "a"), ids(&["a", "r", "s", "t"]));
}

#[test]
fn what_a_document_without_a_machine_shows_may_be_on_any() {
    let graph = scanned(&[("m", &machine("a", "")), ("n", &machine("b", "")), ("", &format!("s MCPServer\n {FILE}"))]);
    assert_eq!(reached(&graph, "a"), ids(&["a", "r", "s", "t"]));
    assert_eq!(reached(&graph, "b"), ids(&["b", "r", "s", "t"]));
}

#[test]
fn what_is_reached_over_the_network_is_reached_from_everywhere() {
    let network = |agent: &str, rest: &str| machine(agent, rest).replace("stdio", "http");
    let graph = scanned(&[("m", &network("a", "")), ("n", &network("b", FILE))]);
    assert_eq!(reached(&graph, "a"), ids(&["a", "r", "s", "t"]));
}

/// What an agent reaches by the composite edges of a kind.
fn composite(graph: &Graph, kind: EdgeKind, from: &str) -> BTreeSet<String> {
    let analysis = Analysis::of(graph);
    let from = graph.find(from).unwrap();
    analysis.derived.outgoing(kind, from).map(|(to, _)| graph.id(to).into_owned()).collect()
}

#[test]
fn an_agent_reaches_what_its_own_machine_shows() {
    let graph = scanned(&[("m", &machine("a", "")), ("n", &machine("b", FILE))]);
    assert_eq!(composite(&graph, EdgeKind::CanReach, "a"), ids(&[]));
    assert_eq!(composite(&graph, EdgeKind::CanReach, "b"), ids(&["r"]));
    let both = scanned(&[("m", &machine("a", FILE)), ("n", &machine("b", FILE))]);
    assert_eq!(composite(&both, EdgeKind::CanReach, "a"), ids(&["r"]));
    let never_asked = "a AgentInstance\n s MCPServer {\"transport\":\"stdio\"}\n a TRUSTS_SERVER s";
    let graph = scanned(&[("m", never_asked), ("n", &machine("b", FILE))]);
    assert_eq!(composite(&graph, EdgeKind::CanReach, "a"), ids(&["r"]));
}

#[test]
fn what_is_gone_on_one_machine_alone_is_noticed() {
    let scans = [("m", machine("a", FILE)), ("n", machine("b", FILE)), ("m", machine("a", ""))];
    let scans = scans.each_ref().map(|(origin, drawing)| (*origin, drawing.as_str()));
    let (before, after) = (scanned(&scans[..2]), scanned(&scans));
    let again = Analysis::again(&after, &Analysis::of(&before), &Changes::between(&before, &after));
    assert_eq!(everything(&after, &again), everything(&after, &Analysis::of(&after)));
    assert!(again.ran.contains(&"can_reach"), "{:?}", again.ran);
}

/// However many resources a command has, those that an agent reaches are counted.
#[test]
fn what_is_not_written_down_is_counted_by_machine() {
    let files = |range: std::ops::Range<u32>| {
        let one = |number| {
            format!("r{number} MCPResource {{\"uri\":\"file:///srv/{number}\"}}\n s PROVIDES_RESOURCE r{number}\n")
        };
        range.map(one).collect::<String>()
    };
    let graph = scanned(&[("m", &machine("a", &files(0..130))), ("n", &machine("b", &files(100..400)))]);
    let analysis = Analysis::of(&graph);
    let count = |agent: &str| analysis.derived.of(EdgeKind::CanReach).count(graph.find(agent).unwrap());
    assert_eq!((count("a"), count("b")), (130, 300));
}
