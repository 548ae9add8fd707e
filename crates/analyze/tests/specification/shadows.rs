//! `SHADOWS`: a description names a tool of another server.

use serde_json::json;
use tracehound_analyze::Analysis;
use tracehound_graph::Graph;
use tracehound_model::EdgeKind;

use crate::commands::can_meet;
use crate::estates::{Little, started, tooled};
use crate::expected::{Expected, Reader as _};
use crate::{compare_on, edges};

fn defined(graph: &Graph) -> Vec<Expected> {
    let mut all = Vec::new();
    for one in graph.all("MCPTool") {
        for other in graph.all("MCPTool").into_iter().filter(|other| *other != one) {
            let (Some(text), Some(name)) = (graph.text(&one, "description"), graph.text(&other, "name")) else {
                continue;
            };
            let is_meant = names(&text, &name) && can_meet(graph, &one, &other);
            if let Some((first, second)) = apart(graph, &one, &other).filter(|_| is_meant) {
                let confidence = if graph.is(&one, "has_injection_patterns") { 0.9 } else { 0.6 };
                let path = vec![format!("{first} PROVIDES_TOOL {one}"), format!("{second} PROVIDES_TOOL {other}")];
                all.push(Expected::new(&one, &other, confidence, 0.4, "mcp", path));
            }
        }
    }
    all
}

/// The first pair of different servers that provide the one and the other.
pub(crate) fn apart(graph: &Graph, one: &str, other: &str) -> Option<(String, String)> {
    let mut pairs = Vec::new();
    for first in graph.from(one, EdgeKind::ProvidesTool) {
        for second in graph.from(other, EdgeKind::ProvidesTool).into_iter().filter(|second| *second != first) {
            pairs.push((first.clone(), second));
        }
    }
    pairs.into_iter().min()
}

/// Whether a name stands in a text, at every place where it could.
fn names(text: &str, name: &str) -> bool {
    let (text, name): (Vec<char>, Vec<char>) =
        (text.to_lowercase().chars().collect(), name.trim().to_lowercase().chars().collect());
    let is_inner = |character: Option<&char>| character.is_some_and(|it| it.is_alphanumeric() || *it == '_');
    let is_at = |start: usize| {
        let end = start + name.len();
        let before = start.checked_sub(1).and_then(|place| text.get(place));
        text.get(start..end) == Some(&name)
            && !(is_inner(before) && is_inner(name.first()))
            && !(is_inner(text.get(end)) && is_inner(name.last()))
    };
    name.len() >= 4 && (0..text.len()).any(is_at)
}

#[test]
fn is_as_defined() {
    compare_on(tooled(), EdgeKind::Shadows, defined);
    compare_on(started(), EdgeKind::Shadows, defined);
}

/// Two servers with a tool each.
fn two(description: &str, name: &str) -> Little {
    let mut estate = Little::default();
    estate.tool("s1", "t1", json!({ "name": "first_tool", "description": description }));
    estate.tool("s2", "t2", json!({ "name": name }));
    estate
}

#[test]
fn a_short_name_is_in_every_text_and_means_nothing() {
    assert_eq!(edges(&two("get things, then get more", "get"), EdgeKind::Shadows).len(), 0);
    assert_eq!(edges(&two("anything", ""), EdgeKind::Shadows).len(), 0);
}

#[test]
fn a_name_within_a_name_is_not_that_name() {
    assert_eq!(edges(&two("use query_db2 or my_query_db", "query_db"), EdgeKind::Shadows).len(), 0);
    assert_eq!(edges(&two("use `QUERY_DB`", "query_db"), EdgeKind::Shadows), [("t1".into(), "t2".into())]);
}

#[test]
fn tools_of_one_server_may_speak_of_each_other() {
    let mut estate = two("use query_db", "other_tool");
    estate.tool("s1", "t3", json!({ "name": "query_db" }));
    assert_eq!(edges(&estate, EdgeKind::Shadows).len(), 0);
    // Provided by two servers, it is a tool of another server as well.
    estate.edge(EdgeKind::ProvidesTool, "s2", "t3");
    assert_eq!(edges(&estate, EdgeKind::Shadows), [("t1".into(), "t3".into())]);
}

#[test]
fn thousands_of_one_name_are_counted_and_twenty_of_each_are_written_down() {
    let mut estate = Little::default();
    let tool = json!({ "name": "query_db", "description": "better than any other query_db" });
    for number in 0..3000 {
        // A third of them are on one server.
        let server = if number % 3 == 0 { "s".to_owned() } else { format!("s{number}") };
        estate.tool(&server, &format!("t{number:04}"), tool.clone());
    }
    let graph = estate.graph();
    let analysis = Analysis::of(&graph);
    let relation = analysis.derived.of(EdgeKind::Shadows);
    assert_eq!((relation.len(), relation.total()), (3000 * 20, 2000 * 2999 + 1000 * 2000));
}
