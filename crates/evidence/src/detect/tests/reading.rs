//! Rules that are refused, each with its place.

use super::*;

const GOOD: &str = "rule_key: my_rule\nname: Mine\nseverity: low\ncondition:\n  decision: deny\n";

/// The rule with more lines is refused at a place, with a message that says why.
#[track_caller]
fn refused(more: &str, place: (u64, u64), message: &str) {
    let problem = read_rule(&format!("{GOOD}{more}")).expect_err("it was read");
    assert!(problem.message.contains(message), "{problem}");
    assert_eq!((problem.line, problem.column), place, "{problem}");
}

#[test]
fn a_rule_is_read_whole() {
    let text = "
rule_key: exfil-by-mail
name: Mail after reading
description: Why.
severity: high
condition:
  event_type: [authorize_decision]
  context_trust: [unknown]
  mutating: false
  min_risk_score: 10
  max_risk_score: 90
  matched_policy: one
  matched_policy_contains: [two, three]
  code: some_code
  not: { not: { tool: Mail } }
sequence: { within_seconds: 5, same: [run], steps: [{ action: a }, { action: b }] }
incident: mail
dedup_seconds: 60
respond: quarantine
summary: '{agent_id} {count}'
";
    let rule = read_rule(text).unwrap();
    assert_eq!((rule.dedup_seconds, rule.respond), (60, Some(Response::Quarantine)));
    let shown = serde_json::to_value(&rule).unwrap();
    assert_eq!(shown["condition"]["trust"], serde_json::json!(["unknown"]));
    assert_eq!(shown["sequence"]["same"], serde_json::json!(["run"]));
    assert_eq!(shown["summary"], "{agent_id} {count}");
}

#[test]
fn what_is_left_out_is_usual() {
    let rule = read_rule(GOOD).unwrap();
    assert_eq!((rule.enabled, rule.dedup_seconds, rule.respond), (true, 0, None));
    let rule = read_rule(&format!("{GOOD}incident: mine\nrespond: none\n")).unwrap();
    assert_eq!((rule.dedup_seconds, rule.respond), (3_600, None));
}

#[test]
fn unknown_and_doubled_fields_are_refused() {
    refused("sevrity: low\n", (6, 1), "sevrity");
    refused("  decison: deny\n", (6, 3), "decison");
    refused("name: Again\n", (6, 1), "name");
    refused("count: {at_least: 2, within_seconds: 2, within: 3}\n", (6, 41), "within");
}

#[test]
fn wrong_values_are_refused() {
    refused("  trust: [trusted]\n", (6, 11), "trusted");
    refused("  trust: []\n", (5, 3), "empty list");
    refused("  tool: []\n", (6, 9), "empty list");
    refused("  mutating: 'yes'\n", (6, 13), "bool");
    refused("  min_risk_score: 300\n", (6, 19), "a number");
    refused("  min_risk_score: 90\n  max_risk_score: 80\n", (5, 3), "risk scores");
    refused("  event_type: alert\n", (5, 3), "no type of event");
    refused("  not: {decision: denied}\n", (5, 3), "no decision");
    refused("  action_words: ['__']\n", (6, 17), "no letter");
    refused("incident: My Incident\n", (6, 11), "a-z");
    refused("respond: shout\n", (6, 10), "freeze");
    refused("dedup_seconds: 86401\n", (6, 16), "at most");
    refused("summary: '{user}'\n", (6, 10), "unknown placeholder");
    refused("summary: '{tool'\n", (6, 10), "no `}`");
    refused("count: {at_least: 1, within_seconds: 5}\n", (6, 8), "at_least");
    refused("count: {at_least: 5, within_seconds: 0}\n", (6, 8), "within_seconds");
    refused("sequence: {within_seconds: 5, steps: [{}]}\n", (6, 11), "2 to 8");
    refused("first_seen: []\n", (6, 13), "one or more");
    refused("rate: {days: 8}\n", (6, 7), "days");
    refused("rate: {deviations: .nan}\n", (6, 7), "deviations");
    refused("severity_by_score: {info: 10}\n", (6, 20), "above");
    refused("severity_by_score: {high: 40, medium: 75}\n", (6, 20), "higher score");
    refused("rate: {}\nfirst_seen: [tool]\n", (7, 13), "not several");
    refused("count: {at_least: 2, within_seconds: 2, per: tenant}\nrespond: freeze\n", (7, 10), "knows no agent");
    refused("tests: [{description: x, fires: true, events: [{repeat: 6000}]}]\n", (6, 9), "1 to 5000");
    refused("tests: [{description: x, fires: true, events: [{at: -1}]}]\n", (6, 9), "seconds from its start");
}

#[test]
fn a_rule_without_a_condition_is_refused() {
    let problem = read_rule("rule_key: mine\nname: Mine\nseverity: low\n").unwrap_err();
    assert!(problem.message.contains("condition: {}"), "{problem}");
}

#[test]
fn files_that_try_to_cost_much_are_refused() {
    let deep = format!("{GOOD}  not: {}{}\n", "{not: ".repeat(100), "}".repeat(100));
    assert!(read_rule(&deep).is_err());
    let aliases = GOOD.replace("low", "&a low");
    assert!(read_rule(&aliases).is_err());
    assert!(read_rule(&format!("{GOOD}---\n{GOOD}")).is_err());
    assert!(read_rule(&format!("{GOOD}# {}\n", "x".repeat(limits::FILE_BYTES))).is_err());
    let many = format!("{GOOD}  tool: [{}]\n", "a, ".repeat(101));
    assert!(read_rule(&many).unwrap_err().message.contains("at most 100"));
}

#[test]
fn what_an_agent_chose_cannot_break_a_line() {
    let rule = rule("{rule_key: any, name: Any, severity: low, condition: {}, summary: '{action}'}");
    let event = call(0, "agent", "deny", &format!("a\nb\u{202e}{}", "x".repeat(500)));
    let summary = Detector::new([rule]).observe(&event).fired.remove(0).summary;
    assert!(summary.starts_with("a\u{fffd}b\u{fffd}xxx") && summary.ends_with("x…"));
    assert_eq!(summary.chars().count(), limits::PLACEHOLDER_CHARACTERS + 1);
}
