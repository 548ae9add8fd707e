//! Estates that nobody would set up so: cycles, self-loops, nothing but ids, weights that are none, and far too much of
//! something. Each is analysed to the end, and what is said of it is what the definitions say.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};
use tracehound_analyze::choke::{self, Between, FixCosts};
use tracehound_analyze::derived::RawEdge;
use tracehound_analyze::findings::List;
use tracehound_analyze::routes::{Allowed, By, Query, Workspace, best, k_best};
use tracehound_analyze::terrain::{Shortcuts, Terrain};
use tracehound_analyze::what_if::{Alteration, what_if};
use tracehound_analyze::{Analysis, Picture};
use tracehound_graph::{Graph, PropertyValue, View};
use tracehound_model::{EdgeKind, Fingerprint, NodeKind};

use crate::drawn::drawn;

/// The ends of all edges of a kind, sorted.
fn edges(graph: &Graph, analysis: &Analysis, kind: EdgeKind) -> BTreeSet<String> {
    let all = analysis.derived.of(kind).iter();
    all.map(|(_, from, to, _)| format!("{} {}", graph.id(from), graph.id(to))).collect()
}

fn texts(all: &[&str]) -> BTreeSet<String> {
    all.iter().map(|text| (*text).to_owned()).collect()
}

/// The weights of the best paths between two nodes, in hundredths.
fn weights(view: &dyn View, analysis: &Analysis, [from, to]: [&str; 2]) -> Vec<i64> {
    let picture = Picture::new(view, analysis);
    let terrain = Terrain::new(&picture, Shortcuts::No);
    let [sources, targets] = [from, to].map(|id| terrain.places(&[view.find(id).unwrap()]));
    let query = Query { sources: &sources, targets: &targets, by: By::Weight, allowed: Allowed::Every, max_hops: None };
    let routes = k_best(terrain.arcs(), &query, 10, &mut Workspace::default());
    let trails = routes.iter().map(|route| terrain.trail(&picture, route).unwrap());
    trails.map(|trail| (trail.weight * 100.0).round() as i64).collect()
}

/// Agents that delegate in a circle, services that stand before each other, and two servers with each other's secrets.
const CIRCLES: &str = r#"
    x1 A2AAgent
    x2 A2AAgent
    x3 A2AAgent
    x1 DELEGATES_TO x2
    x2 DELEGATES_TO x3
    x3 DELEGATES_TO x1
    x3 RUNS_ON h {"risk_weight":0}
    h Host
    a AgentInstance
    a TRUSTS_SERVER s
    s MCPServer
    s RUNS_ON h {"risk_weight":0}
    s PROVIDES_TOOL t
    s PROVIDES_RESOURCE r
    s HAS_ENV_VAR c
    d MCPServer
    d HAS_ENV_VAR c
    d HAS_ENV_VAR e
    s HAS_ENV_VAR e
    c Credential {"value_hash":"v"}
    e Credential {"value_hash":"v"}
    t MCPTool {"capability_surface":["file_read","shell_access"]}
    r MCPResource {"uri":"file:///srv/x"}
    t INGESTS_UNTRUSTED r
    w OpenWebUIInstance
    g LiteLLMGateway
    w EXPOSES g
    g EXPOSES w
    g EXPOSES_CREDENTIAL c
    w EXPOSES_CREDENTIAL e
"#;

#[test]
fn circles_are_walked_once() {
    let graph = drawn(CIRCLES);
    let analysis = Analysis::of(&graph);
    assert_eq!(edges(&graph, &analysis, EdgeKind::CanReach), texts(&["a r", "x1 r", "x2 r", "x3 r"]));
    // Open agents delegate for 0.1 each, machines are free, and the server has its resource for 0.2.
    assert_eq!(weights(&graph, &analysis, ["x1", "r"]).first(), Some(&40));
    let picture = Picture::new(&graph, &analysis);
    let terrain = Terrain::new(&picture, Shortcuts::No);
    let [from, to] = ["x1", "r"].map(|id| [graph.find(id).unwrap()]);
    let cut = choke::edges(&picture, &terrain, Between { sources: &from, targets: &to }, &FixCosts::default()).unwrap();
    assert_eq!(cut.cost, 1);
}

#[test]
fn what_leads_to_itself_leads_nowhere_else() {
    let graph = drawn(&format!("{CIRCLES}\n x1 DELEGATES_TO x1\n g EXPOSES g\n x1 SAME_AUTH_DOMAIN x1"));
    let analysis = Analysis::of(&graph);
    assert_eq!(edges(&graph, &analysis, EdgeKind::CanReach), texts(&["a r", "x1 r", "x2 r", "x3 r"]));
    assert_eq!(edges(&graph, &analysis, EdgeKind::ConfusedDeputy), texts(&[]));
    assert_eq!(weights(&graph, &analysis, ["x1", "r"]).first(), Some(&40));
}

#[test]
fn a_node_that_is_its_own_server_reaches_itself_once() {
    let both = |kinds: &[&str], properties: Value| json!({ "id": "n", "kinds": kinds, "properties": properties });
    let edge = |source: &str, kind: EdgeKind, target: &str| json!({ "source": source, "target": target, "kind": kind.name(), "properties": {} });
    let properties = json!({
        "name": "own_server", "description": "better than own_server", "capability_surface": ["file_read", "shell_access"],
        "uri": "file:///srv/x", "sensitivity": "critical", "transport": "stdio", "has_injection_patterns": true,
        "schema_keys": ["path", "limit"], "source_trust": "private",
    });
    let nodes = [
        both(&["MCPServer", "MCPTool", "MCPResource"], properties),
        json!({ "id": "a", "kinds": ["AgentInstance"], "properties": {} }),
    ];
    let edges = [
        edge("a", EdgeKind::TrustsServer, "n"),
        edge("n", EdgeKind::ProvidesTool, "n"),
        edge("n", EdgeKind::ProvidesResource, "n"),
        edge("n", EdgeKind::IngestsUntrusted, "n"),
    ];
    let graph = crate::drawn::graph(&nodes, &edges);
    let analysis = Analysis::of(&graph);
    // What it is is its first kind: a server has neither tools' powers nor an address.
    for (kind, relation) in analysis.derived.iter() {
        assert!(relation.total() <= 1, "{kind}");
    }
    let list = List::new(Picture::new(&graph, &analysis), &[]);
    assert_eq!(list.iter().filter(|found| list.render(found).is_none()).count(), 0);
}

#[test]
fn nodes_with_nothing_but_an_id_are_scored_and_lead_to_nothing() {
    let kinds = NodeKind::ALL.iter().filter(|kind| kind.is_input() && **kind != NodeKind::Credential);
    let nodes: Vec<Value> =
        kinds.map(|kind| json!({ "id": format!("of-{}", kind.name()), "kinds": [kind.name()] })).collect();
    let graph = crate::drawn::graph(&nodes, &[]);
    let analysis = Analysis::of(&graph);
    assert!(analysis.derived.iter().all(|(_, relation)| relation.is_empty()));
    let score = |id: &str| analysis.properties.get(graph.find(id).unwrap(), "risk_score").unwrap().as_number();
    assert_eq!(["of-MCPTool", "of-MCPServer", "of-AgentInstance"].map(score), [Some(20.0), Some(35.0), Some(0.0)]);
}

/// A server that is given a secret by an edge of some weight.
fn weighed(weight: &str) -> String {
    format!(
        "a AgentInstance\n s MCPServer {{\"auth_method\":\"none\"}}\n c Credential {{\"value_hash\":\"v\"}}\n \
         a TRUSTS_SERVER s {{\"risk_weight\":-7}}\n s HAS_ENV_VAR c {weight}"
    )
}

#[test]
fn a_weight_that_is_none_counts_as_one_half() {
    for weight in ["-0.1", "-1e308", "1.1", "1e308", "\"NaN\"", "\"\"", "true", "null", "[0.1]", "{\"a\":1}"] {
        let graph = drawn(&weighed(&format!("{{\"risk_weight\":{weight}}}")));
        assert_eq!(weights(&graph, &Analysis::of(&graph), ["a", "c"]), [60], "{weight}");
    }
    let graph = drawn(&weighed(""));
    assert_eq!(weights(&graph, &Analysis::of(&graph), ["a", "c"]), [60]);
    let graph = drawn(&weighed("{\"risk_weight\":0.2}"));
    let analysis = Analysis::of(&graph);
    assert_eq!(weights(&graph, &analysis, ["a", "c"]), [30]);
    // No document can say these, and a what-if could.
    let [source, target] = ["s", "c"].map(|id| graph.find(id).unwrap());
    for weight in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -f64::MIN_POSITIVE] {
        let edge = RawEdge { kind: EdgeKind::HasEnvVar, source, target };
        let set = Alteration::SetEdge(edge, "risk_weight".to_owned(), Some(PropertyValue::Float(weight)));
        let (altered, after) = what_if(&graph, &analysis, &[set]);
        assert_eq!(weights(&altered, &after, ["a", "c"]), [60], "{weight}");
    }
}

#[test]
fn a_hundred_thousand_edges_at_a_node_are_counted() {
    let count = 50_000;
    let mut drawing = "a AgentInstance\na TRUSTS_SERVER s\ns MCPServer\n".to_owned();
    drawing.push_str("t MCPTool {\"capability_surface\":[\"file_read\"]}\ns PROVIDES_TOOL t\n");
    for number in 0..count {
        let _ = writeln!(
            drawing,
            "t{number} MCPTool {{\"capability_surface\":[\"email_send\"]}}\ns PROVIDES_TOOL t{number}\n\
             r{number} MCPResource {{\"uri\":\"file:///srv/{number}\",\"sensitivity\":\"high\"}}\ns PROVIDES_RESOURCE r{number}"
        );
    }
    let graph = drawn(&drawing);
    let analysis = Analysis::of(&graph);
    let written = |kind: EdgeKind| (analysis.derived.of(kind).len(), analysis.derived.of(kind).total());
    assert_eq!(written(EdgeKind::HasAccessTo), (20, count));
    assert_eq!(written(EdgeKind::CanReach), (100, count));
    assert_eq!(written(EdgeKind::CanExfiltrateVia), (20, count));
    let picture = Picture::new(&graph, &analysis);
    let terrain = Terrain::new(&picture, Shortcuts::No);
    let [agent, last] = ["a", &format!("r{}", count - 1)].map(|id| graph.find(id).unwrap());
    let (sources, targets) = (terrain.places(&[agent]), terrain.places(&[last]));
    let query = Query { sources: &sources, targets: &targets, by: By::Weight, allowed: Allowed::Every, max_hops: None };
    assert!(best(terrain.arcs(), &query, &mut Workspace::default()).is_some());
}

#[test]
fn findings_by_the_hundred_thousand_are_counted_exactly_and_listed_in_pages() {
    let (agents, files) = (1_000, 300);
    let mut drawing = "s MCPServer\nt MCPTool {\"capability_surface\":[\"file_read\"]}\ns PROVIDES_TOOL t\n".to_owned();
    for number in 0..agents {
        let _ = writeln!(drawing, "a{number} AgentInstance\na{number} TRUSTS_SERVER s");
    }
    for number in 0..files {
        let _ =
            writeln!(drawing, "r{number} MCPResource {{\"uri\":\"file:///{number}\"}}\ns PROVIDES_RESOURCE r{number}");
    }
    let graph = drawn(&drawing);
    let analysis = Analysis::of(&graph);
    let list = List::new(Picture::new(&graph, &analysis), &[]);
    let tally = list.tally();
    assert_eq!(tally.by_kind[EdgeKind::CanReach.name()], agents * files);
    assert_eq!(tally.by_kind[EdgeKind::HasAccessTo.name()], files);
    assert_eq!(tally.total, tally.by_kind.values().sum::<u64>());
    let written = analysis.derived.iter().map(|(_, relation)| relation.len()).sum::<usize>();
    assert!(written > 100_000 && list.len() >= written);
    // Pages put together are the list, and nothing stands in two of them.
    let pages = (0..).map(|page| list.page(page * 999, 999)).take_while(|page| !page.is_empty());
    let named: Vec<Fingerprint> = pages.flatten().map(|found| found.fingerprint).collect();
    assert_eq!(named.len(), list.len());
    assert!(named.iter().zip(list.iter()).all(|(named, found)| *named == found.fingerprint));
    assert_eq!(named.iter().collect::<BTreeSet<_>>().len(), list.len());
    assert!(list.page(list.len(), 10).is_empty() && list.page(usize::MAX, usize::MAX).is_empty());
}
