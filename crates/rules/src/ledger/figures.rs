//! The measured figures of the built-in rules, as they were last written down and checked.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::tally::Score;
use crate::rule::Rule;

/// What `cargo xtask ledger` writes, and fails on when it is not true.
const WRITTEN: &str = include_str!("../../../../docs/detection-quality.json");

static FIGURES: LazyLock<Written> = LazyLock::new(|| serde_json::from_str(WRITTEN).unwrap_or_default());

#[derive(Debug, Default, Deserialize)]
struct Written {
    sections: Vec<WrittenSection>,
}

#[derive(Debug, Deserialize)]
struct WrittenSection {
    name: String,
    lines: Vec<WrittenLine>,
    rules: Vec<WrittenRule>,
}

#[derive(Debug, Deserialize)]
struct WrittenLine {
    name: String,
    of: usize,
    among: usize,
}

#[derive(Debug, Deserialize)]
struct WrittenRule {
    rule: String,
    found: usize,
    alone: usize,
    false_alarms: usize,
}

/// How one rule did in one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// The task.
    pub task: &'static str,
    /// Hits among the records of the task that should be hit, and among those that should not. Rules share the work: one
    /// that finds a single sort of attack is not meant to find all.
    pub score: Score,
    /// Records that no other rule hits.
    pub alone: usize,
}

/// The figures of a rule as it ships, task by task; none if it was measured in no task or hit nothing.
#[must_use]
pub fn builtin_figures(rule: &Rule) -> Vec<Figure> {
    FIGURES.sections.iter().filter_map(|section| section.figure(rule)).collect()
}

impl WrittenSection {
    fn figure(&'static self, rule: &Rule) -> Option<Figure> {
        let own = self.rules.iter().find(|own| own.rule == rule.id)?;
        let lines: BTreeMap<&str, &WrittenLine> = self.lines.iter().map(|line| (line.name.as_str(), line)).collect();
        // The lines whose records the rules of the task are counted on.
        let class = rule.emit.property_value.as_ref().and_then(|value| value.as_str()).unwrap_or_default();
        let names: &[&str] = match self.name.as_str() {
            "tool descriptions" => &["instruction", "overt_capability"],
            "instruction files" => &["explicit"],
            "capability classes" => &[class],
            _ => &["credentials"],
        };
        let counted = names.iter().filter_map(|name| lines.get(name));
        let (of, among) = counted.fold((0, 0), |(of, among), line| (of + line.of, among + line.among));
        let score = Score { found: own.found, of, false_alarms: own.false_alarms, among };
        (of > 0).then_some(Figure { task: &self.name, score, alone: own.alone })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin_rules;

    #[test]
    fn every_rule_that_was_measured_ships_and_has_figures_that_add_up() {
        let rules = builtin_rules().unwrap();
        assert_eq!(FIGURES.sections.len(), 6, "the written figures are read");
        for section in FIGURES.sections.iter() {
            for own in &section.rules {
                let rule = rules.iter().find(|rule| rule.id == own.rule).expect(&own.rule);
                let figures = builtin_figures(rule);
                let figure = figures.iter().find(|figure| figure.task == section.name).expect(&own.rule);
                let Score { found, of, false_alarms, among } = figure.score;
                assert!(found <= of && false_alarms <= among && figure.alone <= found, "{figure:?}");
            }
        }
    }

    #[test]
    fn a_rule_that_nobody_measured_has_no_figures() {
        let mut rule = builtin_rules().unwrap()[0].clone();
        rule.id = "of-our-own".to_owned();
        assert!(builtin_figures(&rule).is_empty());
    }
}
