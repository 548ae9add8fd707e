//! What matches do to nodes.

use serde_json::{Value, json};
use tracehound_model::NodeId;
use tracehound_model::wire::Node;

use super::*;
use crate::engine::effects::{FieldMatches, apply};

fn emitting(id: &str, severity: RuleSeverity, key: &str, value: Value, labels: &[&str]) -> Rule {
    let mut rule = rule(id, raw_keyword(&["x"]));
    rule.severity = severity;
    rule.emit.property_key = Some(key.to_owned());
    rule.emit.property_value = Some(value);
    rule.emit.labels = labels.iter().map(|label| (*label).to_owned()).collect();
    rule
}

fn found(rule: usize, span: Range<usize>) -> Match {
    Match { rule, span, reason: Reason::Keyword { term: "x".to_owned() }, has_more: false }
}

fn node(kind: NodeKind, properties: Value) -> Node {
    let id = NodeId::from_wire("x");
    Node { id, kinds: vec![kind], properties: serde_json::from_value(properties).unwrap() }
}

/// Checks the properties of a node after matches of all rules at the first byte.
fn check_effects(rules: &[Rule], before: Value, expected: Value) {
    let mut node = node(NodeKind::McpTool, before);
    let matches: Vec<Match> = (0..rules.len()).map(|rule| found(rule, 0..1)).collect();
    apply(&mut node, rules, &[FieldMatches { property: "name", source: "x", matches: &matches }]);
    node.properties.remove("rule_matches");
    assert_eq!(serde_json::to_value(&node.properties).unwrap(), expected);
}

#[test]
fn lists_collect_the_values_of_all_rules() {
    let surface = "capability_surface";
    let rules = [
        emitting("a", RuleSeverity::Info, surface, json!("shell"), &["b", "a"]),
        emitting("b", RuleSeverity::Info, surface, json!(["network", "shell"]), &["a"]),
    ];
    let expected = json!({ surface: ["files", "network", "shell"], "labels": ["a", "b"] });
    check_effects(&rules, json!({ surface: ["files"] }), expected);
}

#[test]
fn of_single_values_the_most_severe_wins_then_the_first_id() {
    let rules = [
        emitting("a", RuleSeverity::Low, "sensitivity", json!("low"), &[]),
        emitting("b", RuleSeverity::High, "sensitivity", json!("high"), &[]),
        emitting("c", RuleSeverity::High, "sensitivity", json!("other"), &[]),
    ];
    check_effects(&rules, json!({ "sensitivity": "none" }), json!({ "sensitivity": "high" }));
}

#[test]
fn matches_are_listed_by_rule_and_place() {
    let rules = [rule("a", raw_keyword(&["x"])), rule("b", raw_keyword(&["x"]))];
    let mut node = node(NodeKind::McpTool, json!({}));
    let mut first = [found(0, 1..2), found(1, 0..1)];
    first[0].has_more = true;
    let fields = [
        FieldMatches { property: "name", source: "ax", matches: &first },
        FieldMatches { property: "description", source: "x\u{200b}", matches: &[found(0, 0..1)] },
    ];
    apply(&mut node, &rules, &fields);
    let expected = concat!(
        r#"[{"rule":"a","version":1,"field":"description","span":[0,1],"excerpt":"x<U+200B>"},"#,
        r#"{"rule":"a","version":1,"field":"name","span":[1,2],"excerpt":"ax","more":true},"#,
        r#"{"rule":"b","version":1,"field":"name","span":[0,1],"excerpt":"ax"}]"#
    );
    assert_eq!(node.properties.get("rule_matches"), Some(&json!(expected)));
}

#[test]
fn the_value_of_a_credential_is_never_written() {
    let rules = [rule("a", raw_keyword(&["x"]))];
    let mut node = node(NodeKind::Credential, json!({}));
    let fields = [FieldMatches { property: "value", source: "hunter2x", matches: &[found(0, 7..8)] }];
    apply(&mut node, &rules, &fields);
    let text = serde_json::to_string(&node.properties).unwrap();
    assert!(text.contains("<hidden>") && !text.contains("hunter2"), "{text}");
}

#[test]
fn a_node_without_matches_stays_as_it_is() {
    check_effects(&[], json!({ "name": "x" }), json!({ "name": "x" }));
}
