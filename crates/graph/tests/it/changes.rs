//! Rug pulls: a content that rewrote itself is reported until somebody has looked at it.

use tracehound_graph::{Estate, Graph};

use crate::estate::{Home, now};

/// A scan of a tool whose description has this hash.
fn seen(scan_id: &str, time: u8, hash: &str) -> String {
    let property = if hash.is_empty() { String::new() } else { format!("description_hash={hash}") };
    format!("{scan_id} mcp@m t={time}\n MCPServer X\n MCPTool T name=tool {property}\n X PROVIDES_TOOL T")
}

/// The changes as `from to scan`, with the property that keeps the former value.
fn reported(graph: &Graph) -> Vec<String> {
    let tool = graph.nodes().find(|node| node.id() == "T").unwrap();
    let previous = tool.property("previous_description_hash").map(|value| value.as_text().unwrap().to_owned());
    let changes = graph.changes();
    assert_eq!(previous.as_deref(), changes.first().map(|change| change.from.as_str()));
    changes.iter().map(|change| format!("{} {} {}", change.from, change.to, change.scan_id)).collect()
}

/// Whatever the order in which the documents arrive, exactly these changes are reported.
#[track_caller]
fn check(documents: &[String], expected: &[&str]) {
    assert_eq!(reported(&Home::with(documents).now()), expected);
    let backward: Vec<String> = documents.iter().rev().cloned().collect();
    assert_eq!(reported(&Home::with(&backward).now()), expected);
}

fn acknowledge_all(estate: &mut Estate, graph: &Graph) {
    estate.acknowledge(graph.changes(), "ann", "looked at it", now()).unwrap();
}

#[test]
fn what_never_changed_is_not_reported() {
    check(&[seen("s1", 1, "one")], &[]);
    check(&[seen("s1", 1, "one"), seen("s2", 2, "one")], &[]);
}

#[test]
fn a_change_is_reported_with_what_it_was_and_who_saw_it_first() {
    check(&[seen("s1", 1, "one"), seen("s2", 2, "two")], &["one two s2"]);
}

#[test]
fn an_unchanged_re_scan_does_not_clear_a_change() {
    check(&[seen("s1", 1, "one"), seen("s2", 2, "two"), seen("s3", 3, "two")], &["one two s2"]);
}

#[test]
fn another_collectors_write_does_not_clear_a_change() {
    let config = "s3 config@n t=3\n MCPTool T".to_owned();
    check(&[seen("s1", 1, "one"), seen("s2", 2, "two"), config], &["one two s2"]);
    check(&[seen("s1", 1, "one"), seen("s2", 2, ""), seen("s3", 3, "two")], &["one two s3"]);
}

#[test]
fn a_change_and_change_back_is_still_reported() {
    check(&[seen("s1", 1, "one"), seen("s2", 2, "two"), seen("s3", 3, "one")], &["two one s3"]);
}

#[test]
fn the_latest_of_several_changes_is_reported() {
    check(&[seen("s1", 1, "one"), seen("s2", 2, "two"), seen("s3", 3, "three")], &["two three s3"]);
}

#[test]
fn a_change_over_a_time_in_which_the_tool_was_gone_is_reported() {
    let gone = "s2 mcp@m t=2 covers=X\n MCPServer X".to_owned();
    check(&[seen("s1", 1, "one"), gone, seen("s3", 3, "two")], &["one two s3"]);
}

#[test]
fn an_acknowledged_change_is_not_reported_again_until_the_next_one() {
    let mut home = Home::with(&[seen("s1", 1, "one"), seen("s2", 2, "two")]);
    let graph = home.now();
    acknowledge_all(&mut home.estate, &graph);
    assert_eq!(reported(&home.now()), [""; 0]);
    home.take(&seen("s3", 3, "two"));
    let mut home = home.reopened();
    assert_eq!(reported(&home.now()), [""; 0]);
    home.take(&seen("s4", 4, "three"));
    assert_eq!(reported(&home.now()), ["two three s4"]);
}

#[test]
fn a_change_back_to_what_nobody_acknowledged_is_reported() {
    let mut home = Home::with(&[seen("s1", 1, "one"), seen("s2", 2, "two")]);
    let graph = home.now();
    acknowledge_all(&mut home.estate, &graph);
    home.take(&seen("s3", 3, "one"));
    assert_eq!(reported(&home.now()), ["two one s3"]);
}

#[test]
fn every_watched_hash_is_watched() {
    let first = "s1 scan@m t=1\n MCPServer X instructions_hash=a\n MCPTool T input_schema_hash=a description_hash=a";
    let second = "s2 scan@m t=2\n MCPServer X instructions_hash=b\n MCPTool T input_schema_hash=b description_hash=b";
    let graph = Home::with(&[first, second]).now();
    let properties: Vec<&str> = graph.changes().iter().map(|change| change.property).collect();
    assert_eq!(properties, ["instructions_hash", "description_hash", "input_schema_hash"]);
    let server = graph.nodes().next().unwrap();
    assert_eq!(server.property("previous_instructions_hash").unwrap().as_text(), Some("a"));
}

/// The store knows what a hash was before; a document (an export of another estate, or a hostile one) does not.
#[test]
fn a_document_can_not_claim_that_something_changed() {
    let claimed = "s1 mcp@m t=1\n MCPTool T description_hash=two previous_description_hash=one".to_owned();
    check(&[claimed], &[]);
}

/// The contents before and after each change, with the scan that saw the former.
fn contents(graph: &Graph) -> Vec<String> {
    let text = |value: Option<tracehound_graph::PropertyValue<'_>>| {
        value.and_then(|value| value.as_text().map(str::to_owned)).unwrap_or_default()
    };
    let line = |rewrite: tracehound_graph::Rewrite<'_>| {
        let (before, after) = (text(rewrite.before("description")), text(rewrite.after("description")));
        format!("{before} {after} since {}", rewrite.change.since_scan_id)
    };
    graph.rewrites().map(line).collect()
}

fn told(scan_id: &str, time: u8, description: &str) -> String {
    seen(scan_id, time, &format!("hash-of-{description} description={description}"))
}

#[test]
fn contents_are_told_as_they_were_before_the_first_change_that_nobody_saw() {
    let mut home = Home::with(&[told("s1", 1, "good"), told("s2", 2, "evil"), told("s3", 3, "evil-still")]);
    let graph = home.now();
    assert_eq!(contents(&graph), ["good evil-still since s1"]);
    acknowledge_all(&mut home.estate, &graph);
    home.take(&told("s4", 4, "evil-still"));
    home.take(&told("s5", 5, "worse"));
    assert_eq!(contents(&home.now()), ["evil-still worse since s4"]);
}

#[test]
fn a_content_that_was_away_is_told_with_what_stood_in_its_place() {
    let graph = Home::with(&[told("s1", 1, "good"), told("s2", 2, "evil"), told("s3", 3, "good")]).now();
    assert_eq!(contents(&graph), ["evil good since s2"]);
}

#[test]
fn contents_that_no_document_brought_are_not_made_up() {
    let graph = Home::with(&[seen("s1", 1, "one"), seen("s2", 2, "two")]).now();
    assert_eq!(contents(&graph), ["  since s1"]);
}
