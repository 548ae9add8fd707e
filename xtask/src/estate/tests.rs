//! What every estate holds to, on small ones.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use anyhow::bail;
use tracehound_model::wire::{Document, Edge};
use tracehound_model::{Anchor, NodeId, PropertyType, property_type};

use super::*;

const SMALL: Shape = Shape { nodes: 2_000, edges: 10_000, seed: 7, max_document_bytes: 3 << 20 };

/// The small estate, made once for all tests that only look at it.
static ESTATE: LazyLock<Vec<Document>> = LazyLock::new(|| parsed(&SMALL));
/// One that is large enough for distributions to show.
static LARGER: LazyLock<Vec<Document>> = LazyLock::new(|| parsed(&Shape::new(10_000, 50_000)));

fn bytes(shape: &Shape) -> (Vec<Vec<u8>>, Summary) {
    let mut documents = Vec::new();
    let summary = generate(shape, |document| {
        documents.push(document);
        Ok(())
    });
    (documents, summary.unwrap())
}

fn parsed(shape: &Shape) -> Vec<Document> {
    bytes(shape).0.iter().map(|document| serde_json::from_slice(document).unwrap()).collect()
}

fn edges(documents: &[Document]) -> impl Iterator<Item = &Edge> {
    documents.iter().flat_map(|document| &document.graph.edges)
}

/// How many edges of a kind start at each node.
fn starts(documents: &[Document], kind: EdgeKind) -> Vec<usize> {
    let mut starts: HashMap<&NodeId, usize> = HashMap::new();
    for edge in edges(documents).filter(|edge| edge.kind == kind) {
        *starts.entry(&edge.source).or_default() += 1;
    }
    let mut starts: Vec<usize> = starts.into_values().collect();
    starts.sort_unstable();
    starts
}

#[test]
fn nodes_and_edges_are_distinct_and_as_many_as_asked() {
    for (nodes, edges_asked) in [(1_000, 4_001), (2_000, 6_000), (3_333, 15_000), (2_000, 16_001)] {
        let documents = parsed(&Shape::new(nodes, edges_asked));
        let all: Vec<&NodeId> = documents.iter().flat_map(|it| &it.graph.nodes).map(|node| &node.id).collect();
        assert_eq!(all.len(), nodes);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), nodes);
        let distinct: HashSet<_> = edges(&documents).map(|edge| (edge.kind, &edge.source, &edge.target)).collect();
        assert_eq!(edges(&documents).count(), edges_asked);
        assert_eq!(distinct.len(), edges_asked);
    }
}

#[test]
fn the_summary_says_what_was_made() {
    let (documents, summary) = bytes(&SMALL);
    assert_eq!(summary.documents, documents.len());
    assert_eq!(summary.bytes, documents.iter().map(|document| document.len() as u64).sum::<u64>());
    let mut nodes: BTreeMap<NodeKind, usize> = BTreeMap::new();
    let mut kinds: BTreeMap<EdgeKind, usize> = BTreeMap::new();
    let parsed = &*ESTATE;
    for node in parsed.iter().flat_map(|document| &document.graph.nodes) {
        *nodes.entry(node.kinds[0]).or_default() += 1;
    }
    for edge in edges(parsed) {
        *kinds.entry(edge.kind).or_default() += 1;
    }
    assert_eq!((summary.nodes, summary.edges), (nodes, kinds));
}

#[test]
fn the_same_shape_gives_the_same_bytes_and_another_seed_others() {
    let (first, _) = bytes(&SMALL);
    assert_eq!(first, bytes(&SMALL).0);
    assert_ne!(first, bytes(&Shape { seed: 8, ..SMALL }).0);
}

#[test]
fn documents_stay_below_the_limit_and_follow_each_other() {
    let (documents, _) = bytes(&SMALL);
    assert!(documents.len() >= 3);
    assert!(documents.iter().all(|document| document.len() < SMALL.max_document_bytes));
    let metas: Vec<_> = ESTATE.iter().map(|document| &document.meta).collect();
    assert!(metas.windows(2).all(|pair| pair[0].timestamp < pair[1].timestamp));
    assert_eq!(metas.iter().map(|meta| &meta.scan_id).collect::<BTreeSet<_>>().len(), metas.len());
    assert_eq!(metas.iter().map(|meta| &meta.extra.origin).collect::<BTreeSet<_>>().len(), metas.len());
}

/// The writer borrows and streams; the wire types are the measure of what it must come out as.
#[test]
fn documents_are_what_the_wire_types_write() {
    for (document, parsed) in bytes(&SMALL).0.iter().zip(&*ESTATE) {
        assert!(serde_json::to_vec(parsed).unwrap() == *document);
    }
}

#[test]
fn every_edge_joins_nodes_that_exist_and_fit() {
    let documents = &*ESTATE;
    let nodes = documents.iter().flat_map(|document| &document.graph.nodes);
    let labels: HashMap<&NodeId, u32> =
        nodes.map(|node| (&node.id, node.kinds.iter().map(|kind| kind.bit()).sum())).collect();
    for edge in edges(documents) {
        assert!(edge.kind.accepts_source(labels[&edge.source]), "{edge:?}");
        assert!(edge.kind.accepts_target(labels[&edge.target]), "{edge:?}");
        assert_ne!(labels[&edge.source] & edge.source_kind.unwrap().bit(), 0, "{edge:?}");
        assert_ne!(labels[&edge.target] & edge.target_kind.unwrap().bit(), 0, "{edge:?}");
        assert_ne!(edge.source, edge.target);
    }
}

#[test]
fn every_kind_that_we_make_occurs() {
    let nodes: BTreeSet<NodeKind> =
        LARGER.iter().flat_map(|document| &document.graph.nodes).flat_map(|node| node.kinds.iter().copied()).collect();
    let made = |kind: &NodeKind| kind.is_input() && *kind != NodeKind::ExtractedTrainingSignal;
    assert!(nodes.iter().copied().eq(NodeKind::ALL.iter().copied().filter(made)), "{nodes:?}");
    let kinds: BTreeSet<EdgeKind> = edges(&LARGER).map(|edge| edge.kind).collect();
    assert!(
        kinds.iter().copied().eq(EdgeKind::observed().filter(|kind| *kind != EdgeKind::ExtractedFrom)),
        "{kinds:?}"
    );
}

#[test]
fn edges_carry_what_all_edges_carry_and_tell_why() {
    let documents = &*ESTATE;
    for (edge, meta) in documents.iter().flat_map(|it| it.graph.edges.iter().map(move |edge| (edge, &it.meta))) {
        let text = |key: &str| edge.properties[key].as_str().unwrap();
        assert_eq!((text("scan_id"), text("last_seen")), (meta.scan_id.as_str(), meta.timestamp.as_str()));
        assert_eq!(Some(text("origin")), meta.extra.origin.as_deref());
        assert!((40..=90).contains(&text("evidence").len()), "{}", text("evidence"));
        assert_eq!(edge.properties["is_composite"], false);
        for key in ["confidence", "risk_weight"] {
            assert!((0.0..=1.0).contains(&edge.properties[key].as_f64().unwrap()));
        }
        if matches!(edge.kind, EdgeKind::TrustsServer | EdgeKind::ConfiguredIn | EdgeKind::HasEnvVar) {
            assert!(["file", "line", "column"].iter().all(|key| edge.properties.contains_key(*key)), "{edge:?}");
        }
    }
}

#[test]
fn properties_are_known_and_of_their_type() {
    let documents = &*ESTATE;
    let nodes = documents.iter().flat_map(|it| it.graph.nodes.iter().map(|node| &node.properties));
    let envelope = ["objectid", "scan_id", "last_seen"];
    for (key, value) in nodes.chain(edges(documents).map(|edge| &edge.properties)).flatten() {
        let fits = match property_type(key) {
            Some(PropertyType::Text | PropertyType::JsonText) => value.is_string(),
            Some(PropertyType::Boolean) => value.is_boolean(),
            Some(PropertyType::Integer) => value.is_u64(),
            Some(PropertyType::Number) => value.is_f64(),
            Some(PropertyType::TextList) => value.is_array(),
            None => envelope.contains(&key.as_ref()),
        };
        assert!(fits, "{key}: {value}");
    }
}

/// Whatever decides how long an edge at a covered node lives must be in the document that covers the node.
#[test]
fn a_covered_node_has_all_that_is_below_it_in_one_document() {
    let documents = &*ESTATE;
    let mut covered: HashMap<&NodeId, usize> = HashMap::new();
    for (number, document) in documents.iter().enumerate() {
        let written: HashSet<&NodeId> = document.graph.nodes.iter().map(|node| &node.id).collect();
        for id in &document.meta.extra.covers.as_ref().unwrap().nodes {
            assert!(written.contains(id));
            assert_eq!(covered.insert(id, number), None);
        }
    }
    for (number, document) in documents.iter().enumerate() {
        for edge in &document.graph.edges {
            let anchor = match edge.kind.anchor() {
                Anchor::Source | Anchor::SourceHolds | Anchor::Both => &edge.source,
                Anchor::Target | Anchor::TargetHolds => &edge.target,
            };
            assert!(covered.get(anchor).is_none_or(|covering| *covering == number), "{edge:?}");
        }
    }
}

#[test]
fn a_local_server_is_trusted_only_from_its_own_machine() {
    let documents = &*ESTATE;
    let nodes = documents.iter().flat_map(|document| &document.graph.nodes);
    let endpoints: HashMap<&NodeId, &str> =
        nodes.filter_map(|node| Some((&node.id, node.properties.get("endpoint")?.as_str()?))).collect();
    for edge in edges(documents).filter(|edge| edge.kind == EdgeKind::TrustsServer) {
        let machine = endpoints[&edge.target].strip_prefix("//").and_then(|rest| rest.split('/').next());
        let file = edge.properties["file"].as_str().unwrap();
        assert!(machine.is_none_or(|machine| file.starts_with(&format!("//{machine}/"))), "{edge:?}");
    }
}

#[test]
fn few_agents_trust_many_servers_and_few_servers_have_most_tools() {
    let documents = &*LARGER;
    let trust = starts(documents, EdgeKind::TrustsServer);
    let median = trust[trust.len() / 2];
    assert!((2..=12).contains(&median), "{median}");
    assert!(trust[trust.len() - 1] >= 15 * median, "{} {median}", trust[trust.len() - 1]);

    let tools = starts(documents, EdgeKind::ProvidesTool);
    let top: usize = tools.iter().rev().take(tools.len() / 10).sum();
    assert!(top * 2 > tools.iter().sum::<usize>(), "{top}");
}

#[test]
fn some_secrets_are_used_in_many_places() {
    let documents = &*LARGER;
    let nodes = documents.iter().flat_map(|document| &document.graph.nodes);
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for node in nodes.filter(|node| node.kinds[0] == NodeKind::Credential) {
        *uses.entry(node.properties["value_hash"].as_str().unwrap()).or_default() += 1;
    }
    assert!(uses.values().any(|count| *count >= 8));
    assert!(uses.values().filter(|count| **count == 1).count() * 2 > uses.len());
}

#[test]
fn impossible_shapes_are_refused_with_a_reason() {
    for (shape, reason) in [
        (Shape { nodes: 10, ..SMALL }, "at least 1000 nodes"),
        (Shape { edges: 1_000, ..SMALL }, "too few"),
        (Shape { edges: 1_000_000, ..SMALL }, "can't be reached"),
        (Shape { max_document_bytes: 10_000, ..SMALL }, "a single machine"),
    ] {
        let error = generate(&shape, |_| Ok(())).unwrap_err();
        assert!(format!("{error:#}").contains(reason), "{error:#}");
    }
}

#[test]
fn a_failing_sink_ends_the_work() {
    assert_eq!(generate(&SMALL, |_| bail!("disk full")).unwrap_err().to_string(), "disk full");
}
