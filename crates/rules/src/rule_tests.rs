//! The examples inside rule files, run as tests.

use crate::engine::{CompileError, Engine, Field, Judges, Scratch};
use crate::normalise::{Normaliser, Vocabulary};
use crate::rule::Rule;

/// How one example of a rule came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestOutcome {
    /// The rule's id.
    pub rule: String,
    /// Which of its tests, from 0.
    pub index: usize,
    /// What the test shows.
    pub description: String,
    /// Whether the rule should match.
    pub expected: bool,
    /// Whether it does.
    pub got: bool,
}

impl TestOutcome {
    /// Whether the rule did what it should.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.expected == self.got
    }
}

/// Runs each rule on each of its own tests, rules that are switched off too. The input is taken for the rule's first
/// target, of a nameless node.
///
/// # Errors
///
/// When the rules can't be compiled together.
pub fn run_tests(rules: &[Rule], judges: Judges, words: &Vocabulary) -> Result<Vec<TestOutcome>, CompileError> {
    let enabled = rules.iter().map(|rule| Rule { enabled: true, tests: Vec::new(), ..rule.clone() }).collect();
    let engine = Engine::compile(enabled, judges)?;
    let mut normaliser = Normaliser::new(words);
    let mut scratch = Scratch::default();
    let mut outcomes = Vec::new();
    for rule in rules {
        for (index, test) in rule.tests.iter().enumerate() {
            let text = normaliser.normalise(&test.input);
            let found = field(rule, &test.input).map(|field| engine.evaluate(&mut scratch, &field, &text).matches);
            let is_own = |at: usize| engine.rules().get(at).is_some_and(|other| other.id == rule.id);
            let got = found.unwrap_or_default().iter().any(|found| is_own(found.rule));
            let description = test.description.clone();
            outcomes.push(TestOutcome { rule: rule.id.clone(), index, description, expected: test.should_match, got });
        }
    }
    Ok(outcomes)
}

/// The field that a test's input stands for.
fn field<'a>(rule: &'a Rule, source: &'a str) -> Option<Field<'a>> {
    let target = rule.scope.targets.first()?;
    let kind = target.example_kind();
    let collector = rule.scope.collector.unwrap_or(kind.collector());
    Some(Field { collector, kind, property: &target.property, name: "", source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::read_rule;

    /// Runs a rule that looks for `needle` and whose tests say hit and miss.
    fn check(collector: &str, target: &str) {
        let text = format!(
            "id: rule-a\nname: A word\nseverity: low\nenabled: false\n\
             scope: {{ collector: {collector}, targets: ['{target}', name] }}\n\
             matcher: {{ type: keyword, keywords: [needle] }}\nemit: {{ finding_type: a_word }}\n\
             tests:\n  - {{ input: a needle, should_match: true }}\n  - {{ input: hay, should_match: true }}\n"
        );
        let rule = read_rule(&text).expect("it is a rule");
        let outcomes = run_tests(&[rule], Judges::new(), &Vocabulary::default()).expect("it compiles");
        let passed: Vec<bool> = outcomes.iter().map(TestOutcome::passed).collect();
        assert_eq!(passed, [true, false], "{target}");
    }

    #[test]
    fn a_test_is_run_on_the_first_target_whatever_it_is() {
        for target in
            ["description", "tool.combined", "credential.value", "instruction.content", "service.name", "args"]
        {
            check("all", target);
        }
        check("config", "tool.description");
        check("network", "value");
    }
}
