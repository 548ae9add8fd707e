//! Paths and cuts a second time: distances from the definitions of movement, and cuts tried out by taking edges away.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use tracehound_analyze::basis::Basis;
use tracehound_analyze::choke::{self, Between, FixCosts, Uncut};
use tracehound_analyze::derived::RawEdge;
use tracehound_analyze::routes::{Allowed, By, Direction, Query, Workspace, best, reach};
use tracehound_analyze::terrain::{Shortcuts, Terrain};
use tracehound_analyze::what_if::{Alteration, what_if};
use tracehound_analyze::{Analysis, Picture};
use tracehound_graph::{EdgeIx, Graph, NodeIx, View};
use tracehound_model::{Anchor, EdgeKind, EdgeRole, Movement, NodeKind};

use crate::alone::alone;
use crate::estates::little;
use crate::expected::Reader as _;

/// Arcs between nodes with their weights in thousandths, from the kinds table and the rules about secrets.
fn naive_arcs(graph: &Graph, picture: &Picture<'_>) -> Vec<(NodeIx, NodeIx, i64)> {
    let mut arcs = Vec::new();
    for kind in EdgeKind::ALL.iter().copied().filter(|kind| kind.role() != EdgeRole::Shortcut) {
        for number in 0..picture.edge_count_of(kind) as u32 {
            let edge = EdgeIx { kind, number };
            let (source, target) = picture.ends(edge);
            if matches!(kind, EdgeKind::Shadows | EdgeKind::Taints)
                && agents(graph, source).is_disjoint(&agents(graph, target))
            {
                continue;
            }
            let auth = picture.property(target, "auth_method").and_then(|it| it.as_text().map(str::to_owned));
            let auth = auth.map(|auth| if auth == "x" { "none".to_owned() } else { auth });
            let given = picture.edge_property(edge, "risk_weight").and_then(|value| value.as_number());
            // Who delegates to somebody with an unknown way to authenticate delegates to somebody who authenticates.
            let known = if kind == EdgeKind::DelegatesTo
                && picture.property(target, "auth_method").is_some_and(|it| it.as_text() == Some("x"))
            {
                Some("x".to_owned())
            } else {
                auth
            };
            let weight = (kind.weight().value(known.as_deref(), given) * 1000.0).round() as i64;
            if matches!(kind.movement(), Movement::Forward | Movement::Both) {
                arcs.push((source, target, weight));
            }
            if matches!(kind.movement(), Movement::Reverse | Movement::Both) {
                arcs.push((target, source, weight));
            }
        }
    }
    arcs.extend(same_secrets(graph));
    arcs.extend(readings(graph));
    arcs
}

/// The agents that have a tool.
fn agents(graph: &Graph, tool: NodeIx) -> BTreeSet<NodeIx> {
    let servers = graph.incoming(EdgeKind::ProvidesTool, tool).map(|(server, _)| server);
    servers.flat_map(|server| graph.incoming(EdgeKind::TrustsServer, server)).map(|(agent, _)| agent).collect()
}

fn same_secrets(graph: &Graph) -> Vec<(NodeIx, NodeIx, i64)> {
    let known = |id: &String| {
        let is_unknown =
            graph.property(graph.find(id).unwrap(), "value_known").and_then(|it| it.as_bool()) == Some(false);
        graph.text(id, "value_hash").filter(|_| !is_unknown)
    };
    let all = graph.all("Credential");
    let mut arcs = Vec::new();
    for a in &all {
        for b in &all {
            if a != b && known(a).is_some() && known(a) == known(b) {
                arcs.push((graph.find(a).unwrap(), graph.find(b).unwrap(), 0));
            }
        }
    }
    arcs
}

fn distances(arcs: &[(NodeIx, NodeIx, i64)], from: NodeIx) -> BTreeMap<NodeIx, i64> {
    let mut lengths = BTreeMap::from([(from, 0)]);
    loop {
        let mut has_changed = false;
        for (source, target, weight) in arcs {
            let Some(length) = lengths.get(source).map(|length| length + weight) else { continue };
            if lengths.get(target).is_none_or(|known| length < *known) {
                lengths.insert(*target, length);
                has_changed = true;
            }
        }
        if !has_changed {
            return lengths;
        }
    }
}

/// Tools that read, to the secrets where they read.
fn readings(graph: &Graph) -> impl Iterator<Item = (NodeIx, NodeIx, i64)> {
    let node = |id: &str| graph.find(id).unwrap();
    crate::reach::readings(graph).into_iter().map(move |(tool, secret)| (node(&tool), node(&secret), 0))
}

#[test]
fn the_best_paths_are_as_long_as_the_definitions_say() {
    let config = ProptestConfig {
        cases: 128,
        failure_persistence: None,
        max_global_rejects: 100_000,
        ..ProptestConfig::default()
    };
    let found = std::cell::Cell::new(0);
    proptest!(config, |(estate in prop_oneof![little(), alone()])| {
        let graph = estate.graph();
        found.set(found.get() + readings(&graph).count());
        let analysis = Analysis::of(&graph);
        let picture = Picture::new(&graph, &analysis);
        let terrain = Terrain::new(&picture, Shortcuts::No);
        let arcs = naive_arcs(&graph, &picture);
        let mut space = Workspace::default();
        for kind in [NodeKind::AgentInstance, NodeKind::A2aAgent, NodeKind::Credential, NodeKind::McpResource] {
            for source in graph.nodes_of(kind) {
                let lengths = distances(&arcs, source);
                for target in graph.nodes().map(|node| node.ix()) {
                    let (sources, targets) = (terrain.places(&[source]), terrain.places(&[target]));
                    let query = Query { sources: &sources, targets: &targets, by: By::Weight, allowed: Allowed::Every, max_hops: None };
                    let route = best(terrain.arcs(), &query, &mut space);
                    let trail = route.as_ref().and_then(|route| terrain.trail(&picture, route));
                    let weight = trail.as_ref().map(|trail| (trail.weight * 1000.0).round() as i64);
                    prop_assert_eq!(weight, lengths.get(&target).copied(), "{} to {}", graph.id(source), graph.id(target));
                    if let Some(trail) = trail {
                        let mut at = source;
                        for hop in &trail.hops {
                            prop_assert_eq!(hop.from, at);
                            prop_assert!(hop.evidence(&picture).len() > 3);
                            at = hop.to;
                        }
                        prop_assert_eq!(at, target);
                    }
                }
            }
        }
    });
    assert!(found.get() > 0, "nobody reads");
}

fn is_connected(view: &dyn View, analysis: &Analysis, sources: &[NodeIx], targets: &[NodeIx]) -> bool {
    let picture = Picture::new(view, analysis);
    let terrain = Terrain::new(&picture, Shortcuts::No);
    let there: Vec<NodeIx> = sources.iter().copied().filter(|node| view.has(*node)).collect();
    let reached = reach(terrain.arcs(), &terrain.places(&there), Direction::Forward, Allowed::Every, None);
    let places: BTreeSet<u32> = terrain.places(targets).into_iter().collect();
    reached.nodes.iter().any(|reached| places.contains(&reached.node))
}

fn without(graph: &Graph, analysis: &Analysis, edges: &[RawEdge], sources: &[NodeIx], targets: &[NodeIx]) -> bool {
    let alterations: Vec<Alteration> = edges.iter().map(|edge| Alteration::RemoveEdge(*edge)).collect();
    let (altered, after) = what_if(graph, analysis, &alterations);
    is_connected(&altered, &after, sources, targets)
}

/// Everybody has one provider, as in documents of ours.
fn is_tidy(graph: &Graph) -> bool {
    let one = |kind, node| graph.incoming(kind, node).len() <= 1;
    graph.nodes_of(NodeKind::McpTool).all(|tool| one(EdgeKind::ProvidesTool, tool))
        && graph.nodes_of(NodeKind::McpResource).all(|resource| one(EdgeKind::ProvidesResource, resource))
}

#[test]
fn a_cut_separates_and_no_cheaper_one_does() {
    let config = ProptestConfig {
        cases: 192,
        failure_persistence: None,
        max_global_rejects: 100_000,
        ..ProptestConfig::default()
    };
    proptest!(config, |(estate in little())| {
        let graph = estate.graph();
        let analysis = Analysis::of(&graph);
        let picture = Picture::new(&graph, &analysis);
        let terrain = Terrain::new(&picture, Shortcuts::No);
        let sources: Vec<NodeIx> = graph.nodes_of(NodeKind::AgentInstance).chain(graph.nodes_of(NodeKind::A2aAgent)).collect();
        let targets: Vec<NodeIx> = graph.nodes_of(NodeKind::McpResource).chain(graph.nodes_of(NodeKind::Host)).collect();
        let cut = match choke::edges(&picture, &terrain, Between { sources: &sources, targets: &targets }, &FixCosts::default()) {
            Ok(cut) => cut,
            Err(Uncut::Nothing) => return Ok(()),
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        };
        let carried: u64 = cut.proof.iter().map(|(amount, _)| amount).sum();
        prop_assert_eq!(carried, cut.cost);
        prop_assert_eq!(cut.cost, cut.changes.len() as u64);
        let raw = |change: &choke::Change| {
            let (source, target) = picture.ends(change.edge);
            RawEdge { kind: change.edge.kind, source, target }
        };
        let edges: Vec<RawEdge> = cut.changes.iter().map(raw).collect();
        // A likeness is no raw edge; telling two agents apart is not tried out here.
        prop_assume!(edges.iter().all(|edge| edge.kind.is_input()));
        prop_assert!(!without(&graph, &analysis, &edges, &sources, &targets), "still connected without {:?}", edges);
        if cut.cost == 0 || !is_tidy(&graph) {
            return Ok(());
        }
        // No single edge less does it: each of the changes is needed, and for two no one edge replaces them.
        if cut.cost == 2 {
            for edge in all_edges(&graph).into_iter().filter(|edge| !holds_alone(&graph, edge)) {
                prop_assert!(without(&graph, &analysis, &[edge], &sources, &targets), "{:?} alone separates", edge);
            }
        }
    });
}

/// Whether more than a provided thing is gone without an edge: a server that nobody trusts any more, a secret that nobody has.
/// Cuts count what one server provides as gone with its edge, and nothing else.
fn holds_alone(graph: &Graph, edge: &RawEdge) -> bool {
    let holds = |kind: EdgeKind| kind.anchor() == Anchor::SourceHolds;
    let is_provided = matches!(edge.kind, EdgeKind::ProvidesTool | EdgeKind::ProvidesResource);
    let holders: usize =
        EdgeKind::observed().filter(|kind| holds(*kind)).map(|kind| graph.incoming(kind, edge.target).len()).sum();
    holds(edge.kind) && !is_provided && holders == 1
}

fn all_edges(graph: &Graph) -> Vec<RawEdge> {
    let raw = |edge: tracehound_graph::EdgeRef<'_>| RawEdge {
        kind: edge.kind(),
        source: edge.source().ix(),
        target: edge.target().ix(),
    };
    graph.edges().map(raw).collect()
}

/// The nodes that can be got to, if some are gone with their edges.
fn got_to(arcs: &[(NodeIx, NodeIx, i64)], from: &[NodeIx], gone: &[NodeIx]) -> BTreeSet<NodeIx> {
    let mut reached: BTreeSet<NodeIx> = from.iter().copied().collect();
    loop {
        let before = reached.len();
        for (source, target, _) in arcs {
            if reached.contains(source) && !gone.contains(target) {
                reached.insert(*target);
            }
        }
        if reached.len() == before {
            return reached;
        }
    }
}

/// All sets of so many of some nodes.
fn sets(nodes: &[NodeIx], count: usize) -> Vec<Vec<NodeIx>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let with = |(place, node): (usize, &NodeIx)| {
        let rest = sets(&nodes[place + 1..], count - 1).into_iter();
        rest.map(|set| set.into_iter().chain([*node]).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    nodes.iter().enumerate().flat_map(with).collect()
}

#[test]
fn a_cut_of_nodes_separates_and_no_fewer_nodes_do() {
    let config = ProptestConfig {
        cases: 192,
        failure_persistence: None,
        max_global_rejects: 100_000,
        ..ProptestConfig::default()
    };
    let found = std::cell::Cell::new(0);
    proptest!(config, |(estate in little())| {
        let graph = estate.graph();
        let analysis = Analysis::of(&graph);
        let picture = Picture::new(&graph, &analysis);
        let terrain = Terrain::new(&picture, Shortcuts::No);
        let sources: Vec<NodeIx> = graph.nodes_of(NodeKind::AgentInstance).chain(graph.nodes_of(NodeKind::A2aAgent)).collect();
        let targets: Vec<NodeIx> = graph.nodes_of(NodeKind::McpResource).chain(graph.nodes_of(NodeKind::Host)).collect();
        let arcs = naive_arcs(&graph, &picture);
        let is_separate = |gone: &[NodeIx]| {
            let reached = got_to(&arcs, &sources, gone);
            !targets.iter().any(|target| reached.contains(target))
        };
        let between = Between { sources: &sources, targets: &targets };
        let cut = match choke::nodes(&picture, &terrain, between, &FixCosts::default()) {
            Ok(cut) => cut,
            // Nothing can be taken out where a source stands right before a target.
            Err(Uncut::Nothing) => {
                let touch = |(from, to, _): &(NodeIx, NodeIx, i64)| sources.contains(from) && targets.contains(to);
                prop_assert!(arcs.iter().any(touch));
                return Ok(());
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        };
        let nodes: Vec<NodeIx> = cut.removals.iter().map(|removal| removal.node).collect();
        prop_assert_eq!(nodes.len() as u64, cut.cost);
        prop_assert!(is_separate(&nodes), "still connected without {:?}", nodes);
        let carried: u64 = cut.proof.iter().map(|(amount, _)| amount).sum();
        prop_assert_eq!(carried, cut.cost);
        let is_between = |node: &NodeIx| !sources.contains(node) && !targets.contains(node);
        let between: Vec<NodeIx> = got_to(&arcs, &sources, &[]).into_iter().filter(is_between).collect();
        if let Some(fewer) = (1..=3).find(|fewer| *fewer + 1 == cut.cost) {
            found.set(found.get() + 1);
            for set in sets(&between, fewer as usize) {
                prop_assert!(!is_separate(&set), "{:?} alone separate", set);
            }
        }
    });
    assert!(found.get() > 0, "a cut of one node proves little");
}

/// A server with tools that read, on so many machines with a secret of another server.
fn two_readers(hosts: usize) -> Graph {
    let mut drawing = r#"
        a AgentInstance
        s MCPServer {"auth_method":"none"}
        t1 MCPTool {"capability_surface":["file_read"]}
        t2 MCPTool {"capability_surface":["file_read"]}
        v MCPServer {"auth_method":"oauth"}
        w MCPTool {"capability_surface":["database_access"]}
        r MCPResource {"uri":"postgres://db/x"}
        c Credential {"value_hash":"x"}
        i Identity
        a TRUSTS_SERVER s
        s PROVIDES_TOOL t1
        s PROVIDES_TOOL t2
        v PROVIDES_TOOL w
        v PROVIDES_RESOURCE r
        v HAS_ENV_VAR c
        v AUTHENTICATES_WITH i
        i USES_CREDENTIAL c
    "#
    .to_owned();
    for host in 0..hosts {
        drawing.push_str(&format!("h{host} Host {{\"hostname\":\"m{host}\"}}\ns RUNS_ON h{host}\nv RUNS_ON h{host}\n"));
    }
    crate::drawn::drawn(&drawing)
}

#[test]
fn every_tool_that_reads_is_a_way_to_the_secret() {
    for hosts in [1, 9] {
        let graph = two_readers(hosts);
        let analysis = Analysis::of(&graph);
        let picture = Picture::new(&graph, &analysis);
        let terrain = Terrain::new(&picture, Shortcuts::No);
        let basis = Basis::new(&graph);
        let node = |id: &str| graph.find(id).unwrap();
        for tool in ["t1", "t2"] {
            let hop = terrain.hop_between(&picture, &basis, node(tool), node("c")).unwrap();
            assert_eq!(hop.kind_name(), "reads", "{tool} of {hosts}");
            assert!(is_connected(&graph, &analysis, &[node(tool)], &[node("r")]), "{tool} of {hosts}");
        }
        // To switch off one tool is not enough.
        let gone = RawEdge { kind: EdgeKind::ProvidesTool, source: node("s"), target: node("t1") };
        assert!(without(&graph, &analysis, &[gone], &[node("a")], &[node("r")]));
        let between = Between { sources: &[node("a")], targets: &[node("r")] };
        let cut = choke::nodes(&picture, &terrain, between, &FixCosts::default()).unwrap();
        let removed: Vec<NodeIx> = cut.removals.iter().map(|removal| removal.node).collect();
        assert!(!removed.contains(&node("t1")) || removed.contains(&node("t2")), "{removed:?}");
    }
}
