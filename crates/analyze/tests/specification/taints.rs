//! `TAINTS`: what one tool brings in can become the arguments of another server's tool.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tracehound_analyze::Analysis;
use tracehound_graph::Graph;
use tracehound_model::EdgeKind;

use crate::commands::can_meet;
use crate::estates::{Little, started, tooled};
use crate::expected::{Expected, Reader as _, cost};
use crate::shadows::apart;
use crate::{compare_on, edges};

fn defined(graph: &Graph) -> Vec<Expected> {
    let mut all = Vec::new();
    let keys = |tool: &str| -> BTreeSet<String> { graph.list(tool, "schema_keys").into_iter().collect() };
    for source in graph.all("MCPTool") {
        let ingested = graph.to(&source, EdgeKind::IngestsUntrusted).into_iter();
        let ingested = ingested.map(|it| (cost(graph, &source, EdgeKind::IngestsUntrusted, &it), it)).min();
        let trust = graph.text(&source, "source_trust").unwrap_or_default();
        if ingested.is_none() && !trust.starts_with("untrusted") && trust != "private" {
            continue;
        }
        for sink in graph.all("MCPTool").into_iter().filter(|sink| *sink != source) {
            let Some((first, second)) = apart(graph, &source, &sink) else { continue };
            if keys(&source).intersection(&keys(&sink)).count() >= 2 && can_meet(graph, &source, &sink) {
                let mut path = vec![format!("{first} PROVIDES_TOOL {source}")];
                path.extend(ingested.iter().map(|(_, it)| format!("{source} INGESTS_UNTRUSTED {it}")));
                path.push(format!("{second} PROVIDES_TOOL {sink}"));
                all.push(Expected::new(&source, &sink, 0.7, 0.3, "mcp", path));
            }
        }
    }
    all
}

#[test]
fn is_as_defined() {
    compare_on(tooled(), EdgeKind::Taints, defined);
    compare_on(started(), EdgeKind::Taints, defined);
}

fn two(source: Value, sink: Value) -> usize {
    let mut estate = Little::default();
    estate.tool("s1", "t1", source);
    estate.tool("s2", "t2", sink);
    edges(&estate, EdgeKind::Taints).len()
}

#[test]
fn the_trust_of_a_source_counts_without_an_edge() {
    let sink = || json!({ "schema_keys": ["url", "path"] });
    assert_eq!(two(json!({ "schema_keys": ["path", "url"], "source_trust": "untrusted_email" }), sink()), 1);
    assert_eq!(two(json!({ "schema_keys": ["path", "url"], "source_trust": "private" }), sink()), 1);
    assert_eq!(two(json!({ "schema_keys": ["path", "url"], "source_trust": "trusted" }), sink()), 0);
    assert_eq!(two(json!({ "schema_keys": ["path", "url"] }), sink()), 0);
}

#[test]
fn a_key_that_is_told_twice_is_one_key() {
    let source = json!({ "schema_keys": ["path", "path"], "source_trust": "private" });
    assert_eq!(two(source, json!({ "schema_keys": ["path", "path"] })), 0);
}

#[test]
fn thousands_with_equal_arguments_are_counted_and_ten_of_each_are_written_down() {
    let mut estate = Little::default();
    let tool = json!({ "schema_keys": ["path", "url", "mode"], "source_trust": "untrusted_web" });
    for number in 0..3000 {
        let server = format!("s{}", number % 3);
        estate.tool(&server, &format!("t{number:04}"), tool.clone());
    }
    let graph = estate.graph();
    let analysis = Analysis::of(&graph);
    let relation = analysis.derived.of(EdgeKind::Taints);
    assert_eq!((relation.len(), relation.total()), (3000 * 10, 3000 * 2000));
}
