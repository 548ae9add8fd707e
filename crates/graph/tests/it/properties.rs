//! What holds of every estate, however its documents came together.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Map, Value};
use tracehound_graph::{Difference, ExportOptions, Graph, Point, export};

use crate::estate::{Dump, Home, id, now};
use crate::naive::{Alive, Ends, World};
use crate::random::{Manner, Paper, papers};

/// The same cases in every run; a case that fails is not written into the tree.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() }
}

fn home(papers: &[Paper]) -> Home {
    Home::with(&papers.iter().map(Paper::text).collect::<Vec<_>>())
}

fn dump(papers: &[Paper]) -> Dump {
    Dump::of(&home(papers).now())
}

/// Documents and the same documents in another order.
fn shuffled(manner: Manner) -> impl Strategy<Value = (Vec<Paper>, Vec<Paper>)> {
    papers(manner).prop_flat_map(|papers| (Just(papers.clone()), Just(papers).prop_shuffle()))
}

/// Every point at which a graph can be asked for.
fn points(papers: &[Paper]) -> impl Iterator<Item = Point> {
    papers.iter().map(|paper| Point::Scan(paper.scan_id.clone())).chain([Point::Now])
}

fn same_at_every_point(papers: &[Paper], other: &[Paper]) {
    let (mut one, mut other) = (home(papers), home(other));
    for point in points(papers) {
        assert_eq!(Dump::of(&one.at(&point)), Dump::of(&other.at(&point)), "{point:?}");
    }
}

/// Live nodes and edges as the second implementation gives them, with ids instead of names.
fn alive(graph: &Graph) -> Alive {
    let dump = Dump::of(graph);
    let without_echo = |properties: Value| -> Map<String, Value> {
        let Value::Object(mut properties) = properties else { return Map::new() };
        properties.remove("previous_description_hash");
        properties
    };
    let nodes = dump.nodes.into_iter().map(|((_, id), (kinds, properties, _))| {
        (id, (kinds.iter().map(ToString::to_string).collect(), without_echo(properties)))
    });
    let edges = dump.edges.into_iter().map(|((kind, source, target), (properties, _))| {
        ((source, kind.to_string(), target), without_echo(properties))
    });
    (nodes.collect(), edges.collect())
}

fn ends_of(edge: tracehound_graph::EdgeRef<'_>) -> Ends {
    (edge.source().id().into_owned(), edge.kind().name().to_owned(), edge.target().id().into_owned())
}

fn same_as_naive(papers: &[Paper]) {
    let world = World::new(papers);
    let (nodes, edges) = world.alive();
    let graph = home(papers).now();
    let told: BTreeMap<Ends, Option<Vec<String>>> = graph
        .edges()
        .map(|edge| (ends_of(edge), edge.origins().map(|all| all.into_iter().map(Into::into).collect())))
        .collect();
    for link in edges.keys() {
        let machines: Vec<String> = world.origins(link).into_iter().collect();
        let expected = Some(machines).filter(|machines| machines.iter().all(|machine| !machine.is_empty()));
        let ends = (id(&link.0), link.1.clone(), id(&link.2));
        assert_eq!(told[&ends], expected, "{link:?}");
    }
    let nodes = nodes.into_iter().map(|(name, node)| (id(&name), node)).collect();
    let edges = edges.into_iter().map(|((source, kind, target), edge)| ((id(&source), kind, id(&target)), edge));
    assert_eq!(alive(&graph), (nodes, edges.collect()));
}

/// Exports a graph and takes the parts into an empty estate.
fn copied(graph: &Graph, max_bytes: Option<u64>) -> (Graph, usize) {
    let directory = tempfile::tempdir().unwrap();
    let file = |part: usize| directory.path().join(part.to_string());
    let options = ExportOptions { scan_id: None, max_bytes };
    let parts = export(graph, &options, |part| std::fs::File::create(file(part))).unwrap();
    let mut copy = Home::new();
    for part in 0..parts {
        let bytes = std::fs::read(file(part)).unwrap();
        let done = copy.estate.ingest(&bytes, now()).unwrap();
        let warnings: Vec<_> = done.warnings.iter().filter(|warning| bytes.len() > 400 && is_loss(warning)).collect();
        assert!(warnings.is_empty(), "{warnings:?}");
    }
    (copy.now(), parts)
}

fn is_loss(warning: &tracehound_graph::Warning) -> bool {
    warning.code == tracehound_graph::WarningCode::EndpointMismatch
}

fn export_is_identity(papers: &[Paper]) {
    let graph = home(papers).now();
    let (whole, parts) = copied(&graph, None);
    assert_eq!((Difference::between(&graph, &whole), parts), (Difference::default(), 1));
    let (split, parts) = copied(&graph, Some(900));
    assert_eq!(Difference::between(&graph, &split), Difference::default());
    assert!(parts > 1 || graph.node_count() < 4, "{parts} parts");
}

/// A difference says the same as the two dumps laid side by side.
fn difference_is_that_of_the_dumps(before: &Graph, after: &Graph) {
    let difference = Difference::between(before, after);
    let (old, new) = (Dump::of(before), Dump::of(after));
    let keys = |nodes: &[tracehound_graph::NodeSummary]| -> Vec<_> {
        nodes.iter().map(|node| (node.kind, node.id.to_string())).collect()
    };
    let ends = |edges: &[tracehound_graph::EdgeSummary]| {
        let mut all: Vec<_> =
            edges.iter().map(|edge| (edge.kind, edge.source.id.to_string(), edge.target.id.to_string())).collect();
        all.sort();
        all
    };
    let only = |one: &Dump, other: &Dump| -> Vec<_> {
        one.nodes.keys().filter(|key| !other.nodes.contains_key(key)).cloned().collect()
    };
    let kind_of = |dump: &Dump, id: &str| dump.nodes.keys().find(|(_, other)| other == id).map(|(kind, _)| *kind);
    // An edge whose end is called something else is another edge, as its end is another node.
    let is_in = |dump: &Dump, from: &Dump, (kind, source, target): &(_, String, String)| {
        let ends = [source, target];
        dump.edges.contains_key(&(*kind, source.clone(), target.clone()))
            && ends.iter().all(|end| kind_of(dump, end) == kind_of(from, end))
    };
    let only_edges = |one: &Dump, other: &Dump| -> Vec<_> {
        one.edges.keys().filter(|key| !is_in(other, one, key)).cloned().collect()
    };
    assert_eq!(keys(&difference.nodes_added), only(&new, &old));
    assert_eq!(keys(&difference.nodes_removed), only(&old, &new));
    assert_eq!(ends(&difference.edges_added), only_edges(&new, &old));
    assert_eq!(ends(&difference.edges_removed), only_edges(&old, &new));
    let mut echoless = new.nodes.clone();
    echoless.retain(|key, (kinds, properties, _)| {
        old.nodes.get(key).is_some_and(|(old_kinds, old_properties, _)| {
            let strip = |value: &Value| {
                let mut value = value.clone();
                value.as_object_mut().unwrap().remove("previous_description_hash");
                value
            };
            old_kinds != kinds || strip(old_properties) != strip(properties)
        })
    });
    let changed: Vec<_> = difference.nodes_changed.iter().map(|node| node.what.clone()).collect();
    assert_eq!(keys(&changed), echoless.keys().cloned().collect::<Vec<_>>());
    let changed: Vec<_> = difference.edges_changed.iter().map(|edge| edge.what.clone()).collect();
    let differs = |key: &&(_, String, String)| is_in(&old, &new, key) && old.edges[*key].0 != new.edges[*key].0;
    assert_eq!(ends(&changed), new.edges.keys().filter(differs).cloned().collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn any_order_of_arrival_gives_the_same_graph((papers, others) in shuffled(Manner::Plain)) {
        same_at_every_point(&papers, &others);
    }

    #[test]
    fn any_order_of_arrival_gives_the_same_graph_of_odd_documents((papers, others) in shuffled(Manner::Odd)) {
        same_at_every_point(&papers, &others);
    }

    #[test]
    fn a_scan_that_was_deleted_leaves_no_trace(papers in papers(Manner::Odd), which in any::<prop::sample::Index>()) {
        let mut rest = papers.clone();
        let out = rest.remove(which.index(papers.len()));
        let mut home = home(&papers);
        home.estate.delete_scans(&[&out.scan_id]).unwrap();
        prop_assert_eq!(Dump::of(&home.now()), dump(&rest));
        home.take(&out.text());
        prop_assert_eq!(Dump::of(&home.now()), dump(&papers));
    }

    #[test]
    fn an_export_taken_into_an_empty_estate_is_the_same_graph(papers in papers(Manner::Plain)) {
        export_is_identity(&papers);
    }

    #[test]
    fn an_export_of_odd_documents_is_the_same_graph(papers in papers(Manner::Odd)) {
        export_is_identity(&papers);
    }

    #[test]
    fn an_estate_that_was_closed_and_opened_again_is_the_same(papers in papers(Manner::Odd)) {
        let mut home = home(&papers);
        let before = Dump::of(&home.now());
        prop_assert_eq!(Dump::of(&home.reopened().now()), before);
    }

    #[test]
    fn the_difference_of_two_points_is_that_of_their_dumps(papers in papers(Manner::Odd)) {
        let mut home = home(&papers);
        let graphs: Vec<Graph> = points(&papers).map(|point| home.at(&point)).collect();
        for pair in graphs.windows(2) {
            difference_is_that_of_the_dumps(&pair[0], &pair[1]);
            difference_is_that_of_the_dumps(&pair[1], &pair[0]);
        }
    }
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn a_fold_written_only_for_clarity_finds_the_same_things_live(papers in papers(Manner::Plain)) {
        same_as_naive(&papers);
    }

    #[test]
    fn a_fold_written_only_for_clarity_finds_the_same_of_odd_documents(papers in papers(Manner::Odd)) {
        same_as_naive(&papers);
    }
}
