//! Evaluation makes no allocation for a rule that does not match.

use tracehound_model::{Collector, NodeKind};
use tracehound_rules::builtin_vocabulary;
use tracehound_rules::engine::{Engine, Field, Judges, Scratch};
use tracehound_rules::normalise::Normaliser;
use tracehound_rules::rule::{Rule, read_rule};

/// Rules that look at the text and don't match it, of every kind.
fn rules(count: usize) -> Vec<Rule> {
    let matchers = [
        "{ type: keyword, keywords: [weather NUMBER], case_insensitive: true }",
        "{ type: regex, pattern: 'weather in [a-z]+ NUMBER', case_insensitive: true }",
        "{ type: regex, pattern: '[0-9]+ NUMBER', case_insensitive: true }",
        "{ type: compound, operator: and, matchers: [{ type: keyword, keywords: [city] }, { type: keyword, keywords: ['#NUMBER'] }] }",
        "{ type: score, threshold: 2, window: sentence, signals: [{ weight: 1, matcher: { type: keyword, keywords: [city] } }, { weight: 1, matcher: { type: keyword, keywords: ['#NUMBER'] } }] }",
    ];
    let text = |number: usize| {
        let matcher = matchers[number % matchers.len()].replace("NUMBER", &number.to_string());
        format!(
            "id: rule-{number}\nname: n\ndescription: d\nseverity: low\nscope: {{ collector: all, targets: [tool.description] }}\nmatcher: {matcher}\nemit: {{ finding_type: x_y }}\n"
        )
    };
    (0..count).map(|number| read_rule(&text(number)).unwrap()).collect()
}

fn allocations(count: usize) -> u64 {
    let engine = Engine::compile(rules(count), Judges::new()).unwrap();
    let source = "Returns the weather in a city. The city is given by name, the days are 1 to 14.";
    let text = Normaliser::new(builtin_vocabulary()).normalise(source);
    let field = Field { collector: Collector::Mcp, kind: NodeKind::McpTool, property: "description", name: "", source };
    let mut scratch = Scratch::default();
    // The first text sizes the buffers.
    assert!(engine.evaluate(&mut scratch, &field, &text).matches.is_empty());
    allocation_counter::measure(|| {
        assert!(engine.evaluate(&mut scratch, &field, &text).matches.is_empty());
    })
    .count_total
}

#[test]
fn evaluation_does_not_allocate_for_rules_that_do_not_match() {
    assert_eq!(allocations(10), 0);
    assert_eq!(allocations(300), 0);
}
