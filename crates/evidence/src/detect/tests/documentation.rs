//! The page about detection says what is true.

use super::*;

const PAGE: &str = include_str!("../../../../../docs/detection.md");

#[test]
fn the_examples_are_rules_that_prove_themselves() {
    let blocks: Vec<_> = PAGE.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let (whole, parts): (Vec<_>, Vec<_>) = blocks.into_iter().partition(|block| block.starts_with("rule_key"));
    assert_eq!((whole.len(), parts.len()), (1, 4));
    for block in whole {
        assert_eq!(rule(block).failed_tests(), Vec::<String>::new());
    }
    for block in parts {
        rule(&format!("rule_key: part\nname: Part\nseverity: low\ncondition: {{}}\n{block}"));
    }
}

#[test]
fn the_table_has_every_builtin_rule() {
    for rule in builtin_rules().unwrap() {
        let row = PAGE.lines().find(|line| line.starts_with(&format!("| `{}` | {}", rule.rule_key, rule.severity)));
        let row = row.unwrap_or_else(|| panic!("{} is missing", rule.rule_key));
        let incident = rule.incident.as_ref().map_or("none".to_owned(), |kind| format!("`{kind}`"));
        let response = rule.respond.map_or("none", Response::name);
        assert!(row.ends_with(&format!("| {incident} | {response} |")), "{row}");
    }
}
