//! Tests of the engine: each matcher, each limit, and all of it against a naive second implementation.

mod effects;
mod limits;
mod matchers;
mod naive;
mod random;

use tracehound_model::{Collector, NodeKind};

use super::*;
use crate::normalise::{Normaliser, Vocabulary};
use crate::rule::{Charset, Emit, MatchMode, Matcher, Operator, RuleSeverity, Scope, Signal, Target, Window};

fn rule(id: &str, matcher: Matcher) -> Rule {
    Rule {
        id: id.to_owned(),
        name: id.to_owned(),
        description: String::new(),
        version: 1,
        enabled: true,
        severity: RuleSeverity::Medium,
        owasp: Vec::new(),
        atlas: Vec::new(),
        tags: Vec::new(),
        remediation: None,
        scope: Scope { collector: None, targets: vec![Target { kind: None, property: "description".to_owned() }] },
        matcher,
        emit: Emit { finding_type: "test".to_owned(), property_key: None, property_value: None, labels: Vec::new() },
        tests: Vec::new(),
    }
}

fn keyword(terms: &[&str]) -> Matcher {
    let keywords = terms.iter().map(|term| (*term).to_owned()).collect();
    Matcher::Keyword { keywords, case_insensitive: true, whole_words: false, mode: MatchMode::Any }
}

fn raw_keyword(terms: &[&str]) -> Matcher {
    let keywords = terms.iter().map(|term| (*term).to_owned()).collect();
    Matcher::Keyword { keywords, case_insensitive: false, whole_words: false, mode: MatchMode::Any }
}

fn regex(pattern: &str) -> Matcher {
    Matcher::Regex { pattern: pattern.to_owned(), case_insensitive: true }
}

fn raw_regex(pattern: &str) -> Matcher {
    Matcher::Regex { pattern: pattern.to_owned(), case_insensitive: false }
}

fn and(matchers: Vec<Matcher>) -> Matcher {
    Matcher::Compound { operator: Operator::And, matchers }
}

fn or(matchers: Vec<Matcher>) -> Matcher {
    Matcher::Compound { operator: Operator::Or, matchers }
}

fn score(threshold: f64, window: Window, signals: Vec<(f64, Matcher)>) -> Matcher {
    let signal = |(index, (weight, matcher))| Signal { name: format!("s{index}"), weight, matcher };
    Matcher::Score { threshold, window, signals: signals.into_iter().enumerate().map(signal).collect() }
}

fn field(source: &str) -> Field<'_> {
    Field { collector: Collector::Mcp, kind: NodeKind::McpTool, property: "description", name: "", source }
}

fn normalised(text: &str) -> Normalised {
    Normaliser::new(&Vocabulary::empty()).normalise(text)
}

fn engine(rules: Vec<Rule>) -> Engine {
    Engine::compile(rules, Judges::new()).unwrap()
}

fn evaluate(engine: &Engine, text: &str) -> Evaluation {
    engine.evaluate(&mut Scratch::default(), &field(text), &normalised(text))
}

/// Checks what one matcher finds: the matched pieces of the text.
fn check(matcher: Matcher, text: &str, expected: &[&str]) {
    let engine = engine(vec![rule("one", matcher)]);
    let evaluation = evaluate(&engine, text);
    assert_eq!(evaluation, naive::evaluate(engine.rules(), &field(text), &normalised(text)), "{text}");
    let found: Vec<&str> = evaluation.matches.iter().map(|found| &text[found.span.clone()]).collect();
    assert_eq!(found, expected, "{text}");
}
