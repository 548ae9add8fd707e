//! A document that says the same thing twice: what it says counts for that document and for no other.

use serde_json::Value;
use tracehound_graph::Point;

use crate::estate::Home;

/// A server whose trust edge is shown with each of these weights.
fn trusted(scan_id: &str, time: u8, edges: &[&str]) -> String {
    let edges: Vec<String> = edges.iter().map(|properties| format!("A TRUSTS_SERVER X {properties}")).collect();
    format!("{scan_id} config@m t={time}\n AgentInstance A\n MCPServer X\n {}", edges.join("\n"))
}

/// As of each scan, whatever the order of arrival, the edge has exactly these properties.
#[track_caller]
fn check(documents: &[String], expected: &[(&str, Value)]) {
    let backward: Vec<String> = documents.iter().rev().cloned().collect();
    for order in [documents, &backward] {
        let mut home = Home::with(order);
        for (scan_id, properties) in expected {
            let graph = home.at(&Point::Scan((*scan_id).to_owned()));
            let edge = graph.edges().next().unwrap();
            let found: Value = edge.properties().into_iter().map(|(key, value)| (key, value.to_json())).collect();
            assert_eq!(found, *properties, "as of {scan_id}, arriving as {order:#?}");
        }
    }
}

#[test]
fn an_edge_that_stands_twice_has_the_properties_of_both() {
    check(&[trusted("s1", 1, &["x=1 y=1", "y=2 z=2"])], &[("s1", serde_json::json!({"x": 1, "y": 2, "z": 2}))]);
}

#[test]
fn an_edge_that_stands_twice_is_counted_once() {
    let done = Home::new().take(&trusted("s1", 1, &["x=1", "x=2"]));
    assert_eq!(done.added.unwrap().new_edges, 1);
}

#[test]
fn an_edge_that_stands_twice_leaves_what_earlier_scans_saw_as_it_was() {
    check(
        &[trusted("s1", 1, &["x=1"]), trusted("s2", 2, &["x=1", "y=2"])],
        &[("s1", serde_json::json!({"x": 1})), ("s2", serde_json::json!({"x": 1, "y": 2}))],
    );
}

#[test]
fn an_edge_that_stands_twice_leaves_what_earlier_scans_saw_as_it_was_after_a_change() {
    check(
        &[trusted("s1", 1, &["x=1"]), trusted("s2", 2, &["x=2"]), trusted("s3", 3, &["x=2", "y=3"])],
        &[
            ("s1", serde_json::json!({"x": 1})),
            ("s2", serde_json::json!({"x": 2})),
            ("s3", serde_json::json!({"x": 2, "y": 3})),
        ],
    );
}

#[test]
fn an_edge_whose_later_mention_differs_counts_as_changed() {
    let mut home = Home::with(&[trusted("s1", 1, &["x=1"])]);
    let added = home.take(&trusted("s2", 2, &["x=1", "x=2"])).added.unwrap();
    assert_eq!((added.changed_edges, added.same_edges), (1, 0));
}
