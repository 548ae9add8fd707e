//! Search in a small estate.

use serde_json::{Value, json};
use tracehound_graph::{Graph, Limits, Moment, graph_of};

use super::*;
use crate::Analysis;

fn node(id: &str, kind: &str, properties: Value) -> Value {
    json!({ "id": id, "kinds": [kind], "properties": properties })
}

fn estate() -> Graph {
    let digits = "0123456789abcdef".repeat(4);
    let nodes = vec![
        node("a", "AgentInstance", json!({ "name": "Files" })),
        node("s1", "MCPServer", json!({ "name": "files-server", "endpoint": "http://h/files" })),
        node("s2", "MCPServer", json!({ "name": "my files", "command": "npx", "args": ["-y", "@acme/FILES-tool"] })),
        node("t1", "MCPTool", json!({ "name": "profiles", "description": "Reads. Files of all people." })),
        node(
            "t2",
            "MCPTool",
            json!({ "name": "other", "description": "hands out profiles to anyone", "x_hash": "files" }),
        ),
        node("t3", "MCPTool", json!({ "name": "third", "vendor": "İstanbul files", "note": "a\u{0}b" })),
        node(&format!("sha256:{digits}"), "MCPTool", json!({ "name": "fourth" })),
    ];
    let document = json!({
        "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": "s",
                  "timestamp": "2026-01-01T00:00:00Z" },
        "graph": { "nodes": nodes, "edges": [] },
    });
    graph_of(document.to_string().as_bytes(), &Limits::default(), Moment(0)).unwrap()
}

fn found(question: &str, kinds: &[NodeKind], limit: usize) -> (Vec<(String, u8, String)>, usize) {
    let graph = estate();
    let analysis = Analysis::of(&graph);
    let picture = Picture::new(&graph, &analysis);
    let hits = Index::new(&graph, &picture).find(&picture, question, kinds, limit);
    let told = |hit: Hit| (picture.name(hit.node).into_owned(), hit.score, hit.field);
    (hits.best.into_iter().map(told).collect(), hits.total)
}

fn check(question: &str, expected: &[(&str, u8, &str)]) {
    let expected: Vec<(String, u8, String)> =
        expected.iter().map(|(name, score, field)| ((*name).to_owned(), *score, (*field).to_owned())).collect();
    let total = expected.len();
    assert_eq!(found(question, &[], 100), (expected, total), "{question}");
}

#[test]
fn names_come_first_then_addresses_then_the_rest_and_prose_at_last() {
    check(
        " FILES ",
        &[
            ("Files", 100, "name"),
            ("files-server", 80, "name"),
            ("my files", 70, "name"),
            ("profiles", 60, "name"),
            ("third", 31, "vendor"),
            ("other", 10, "description"),
        ],
    );
    check("http://h/files", &[("files-server", 90, "endpoint")]);
    check("acme", &[("my files", 45, "args")]);
    check("people", &[("profiles", 20, "description")]);
}

#[test]
fn an_id_is_found_by_how_it_begins_only() {
    check("s1", &[("files-server", 100, "id")]);
    check("sha256:01234567", &[("fourth", 55, "id")]);
    check("0123456789ABCDEF", &[("fourth", 55, "id")]);
    check("89abcdef", &[]);
}

#[test]
fn only_the_kinds_that_are_asked_for_and_as_many_as_are_wanted() {
    let (best, total) = found("files", &[NodeKind::McpServer], 1);
    assert_eq!((best, total), (vec![("files-server".to_owned(), 80, "name".to_owned())], 2));
    let (best, total) = found("i", &[], 3);
    // All but the tool without the letter, and the trust zone `private`.
    assert_eq!((best.len(), total), (3, 7));
}

#[test]
fn what_is_nowhere_is_not_found_and_nothing_is_found_across_two_texts() {
    for question in ["", "   ", "zzz", "files http", "serverhttp", &"x".repeat(300)] {
        assert_eq!(found(question, &[], 10), (Vec::new(), 0), "{question:?}");
    }
    check("a b", &[("third", 35, "note")]);
}

#[test]
fn letters_that_fold_to_several_are_found_and_shown() {
    check("istanbul", &[]);
    check("i\u{307}stanbul", &[("third", 32, "vendor")]);
    assert_eq!(excerpt("İstanbul files", "FILES"), "İstanbul files");
}

#[test]
fn an_excerpt_shows_what_was_found_with_what_stands_around_it() {
    let text = format!("{} Needle {}", "ä".repeat(100), "b".repeat(200));
    let shown = excerpt(&text, "needle");
    assert!(shown.starts_with("…ä") && shown.contains("ä Needle b") && shown.ends_with("b…"), "{shown}");
    assert_eq!(shown.chars().count(), 142);
    assert_eq!(excerpt("short", "nothing"), "short");
}
