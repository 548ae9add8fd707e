//! The same with so small a bound that much is not written down: which edges are chosen, how many there are, and whether those
//! that are not written down can be asked for.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use tracehound_analyze::derived::{Most, RawEdge};
use tracehound_analyze::{Analysis, holding};
use tracehound_graph::{Graph, NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind};

use crate::alone::alone;
use crate::estates::as_commands;
use crate::expected::{Expected, cost, derived};
use crate::tight::tight;

/// How many are written down.
const MOST: usize = 2;

/// Compares what is written down, counted and asked for with all edges that there are.
pub(crate) fn check(graph: &Graph, kind: EdgeKind, all: &[Expected]) -> Result<(), TestCaseError> {
    let analysis = Analysis::at_most(graph, Most(MOST));
    let written = derived(graph, &analysis, kind);
    if kind == EdgeKind::CanImpersonate {
        // Which of two that are nearly as much alike comes first is decided by digits that are not kept here.
        let likeness =
            |all: &[Expected]| all.iter().map(|it| (it.source.clone(), it.confidence)).collect::<BTreeSet<_>>();
        prop_assert_eq!(likeness(&written), likeness(&chosen(graph, kind, all)));
    } else {
        prop_assert_eq!(written, chosen(graph, kind, all));
    }
    let mut counts: BTreeMap<NodeIx, u64> = BTreeMap::new();
    all.iter().for_each(|edge| *counts.entry(graph.find(&edge.source).unwrap()).or_default() += 1);
    for (source, count) in counts {
        prop_assert_eq!(analysis.derived.of(kind).count(source), count, "{}", graph.id(source));
    }
    asked(graph, &analysis, kind, all)
}

/// Each of the sources with each of the targets.
fn asked(graph: &Graph, analysis: &Analysis, kind: EdgeKind, all: &[Expected]) -> Result<(), TestCaseError> {
    let sources: BTreeSet<&String> = all.iter().map(|edge| &edge.source).collect();
    let targets: BTreeSet<&String> = all.iter().map(|edge| &edge.target).collect();
    let there: BTreeSet<(&String, &String)> = all.iter().map(|edge| (&edge.source, &edge.target)).collect();
    let pairs: Vec<(&String, &String)> =
        sources.iter().flat_map(|source| targets.iter().map(move |target| (*source, *target))).collect();
    let node = |id: &str| graph.find(id).unwrap();
    let edges: Vec<RawEdge> =
        pairs.iter().map(|(source, target)| RawEdge { kind, source: node(source), target: node(target) }).collect();
    for (pair, answer) in pairs.iter().zip(holding(graph, &analysis.derived, &edges)) {
        prop_assert_eq!(answer, there.contains(pair), "{} {:?}", kind.name(), pair);
    }
    Ok(())
}

/// The edges that are written down: of each source and sort the best.
fn chosen(graph: &Graph, kind: EdgeKind, all: &[Expected]) -> Vec<Expected> {
    let mut sorts: BTreeMap<(&str, u8), Vec<&Expected>> = BTreeMap::new();
    for edge in all {
        sorts.entry((&edge.source, sort(kind, edge))).or_default().push(edge);
    }
    let mut chosen = Vec::new();
    for mut edges in sorts.into_values() {
        edges.sort_by_key(|edge| (rank(graph, kind, edge), graph.find(&edge.target).unwrap()));
        chosen.extend(edges.into_iter().take(MOST).cloned());
    }
    chosen.sort();
    chosen
}

/// Edges of `CAN_REACH` are bounded by the way that they take.
fn sort(kind: EdgeKind, edge: &Expected) -> u8 {
    let goes = |via: &str| edge.path.iter().any(|line| line.contains(via));
    match kind {
        EdgeKind::CanReach if goes(" ~EXPOSES_CREDENTIAL ") => 1,
        EdgeKind::CanReach if goes(" ~RUNS_ON ") => 2,
        EdgeKind::CanReach if goes(" =reads(") => 3,
        EdgeKind::CanReach if goes(" ~HAS_ENV_VAR ") => 4,
        _ => 0,
    }
}

/// What comes first: what is easiest to walk, or most alike; of most kinds only the ids decide.
fn rank(graph: &Graph, kind: EdgeKind, edge: &Expected) -> (i64, Reverse<i64>) {
    let costs: Vec<i64> = edge.path.iter().map(|line| cost_of(graph, line)).collect();
    match kind {
        EdgeKind::CanReach | EdgeKind::PoisonsContext | EdgeKind::IfcViolation => (costs.iter().sum(), Reverse(0)),
        EdgeKind::CanExfiltrateVia => (costs[costs.len() - 2], Reverse(0)),
        EdgeKind::CanImpersonate => (0, Reverse(edge.confidence)),
        _ => (0, Reverse(0)),
    }
}

/// What it costs to walk a line of a witness.
fn cost_of(graph: &Graph, line: &str) -> i64 {
    let [from, via, to] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("no hop: {line}") };
    match (via.strip_prefix('~').and_then(EdgeKind::from_name), EdgeKind::from_name(via)) {
        (Some(kind), _) => cost(graph, to, kind, from),
        (_, Some(kind)) => cost(graph, from, kind, to),
        _ => 0,
    }
}

#[test]
fn how_many_agents_reach_a_resource_is_counted_whatever_is_written_down() {
    let config = ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() };
    let estates = prop_oneof![crate::estates(), alone(), tight().prop_map(as_commands)];
    let found = std::cell::Cell::new(0);
    proptest!(config, |(estate in estates)| {
        let graph = estate.graph();
        let all = Analysis::of(&graph);
        let mut agents: BTreeMap<String, i64> = BTreeMap::new();
        for (_, _, target, _) in all.derived.of(EdgeKind::CanReach).iter() {
            if graph.kind(target) == NodeKind::McpResource {
                *agents.entry(graph.id(target).into_owned()).or_default() += 1;
            }
        }
        let bounded = Analysis::at_most(&graph, Most(1));
        let relation = bounded.derived.of(EdgeKind::CanReach);
        found.set(found.get() + relation.total() - relation.len() as u64);
        prop_assert_eq!(crate::written(&graph, &bounded, "reached_by"), agents);
    });
    assert!(found.get() > 0, "nothing was left out");
}
