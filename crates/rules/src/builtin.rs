//! The rules that come with the product. They are data: the files in `builtin/`, put into the binary by the build
//! script without their tests.

use std::sync::LazyLock;

use crate::rule::{Problem, Rule, read_proven_rule};

static SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/builtin_rules.rs"));

static RULES: LazyLock<Result<Vec<Rule>, BrokenBuiltin>> = LazyLock::new(|| {
    let broken = |file: &'static str, problems: Vec<Problem>| BrokenBuiltin { file, problems };
    SOURCES.iter().map(|(file, text)| read_proven_rule(text).map_err(|problems| broken(file, problems))).collect()
});

/// A file among the built-in rules is not a rule. A test holds that no build of the product has one.
#[derive(Debug, thiserror::Error)]
#[error("the built-in rule `{file}` is broken: {}", .problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("; "))]
pub struct BrokenBuiltin {
    /// The file, by its path within `builtin/`.
    pub file: &'static str,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

/// The files of the built-in rules: path within `builtin/` and text without tests, sorted by path.
#[must_use]
pub fn builtin_sources() -> &'static [(&'static str, &'static str)] {
    SOURCES
}

/// The built-in rules, in the order of their files.
///
/// # Errors
///
/// When a file is not a rule; the test below keeps that from happening.
pub fn builtin_rules() -> Result<&'static [Rule], &'static BrokenBuiltin> {
    RULES.as_deref()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::rule::read_rule;

    #[expect(clippy::disallowed_methods, reason = "the tests of a rule are in its file only")]
    fn with_tests(file: &str) -> Result<Rule, Vec<Problem>> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("builtin").join(file);
        read_rule(&std::fs::read_to_string(&path).expect(file))
    }

    /// What is wrong with one file, apart from what makes it no rule at all.
    fn slips(file: &str, rule: &Rule) -> Vec<&'static str> {
        let is_named = file.rsplit('/').next().and_then(|name| name.strip_suffix(".yaml")) == Some(&rule.id);
        [
            (is_named, "the file is not named for its id"),
            (rule.tests.iter().any(|test| test.should_match), "no test must match"),
            (rule.tests.iter().any(|test| !test.should_match), "no test must not match"),
            (!rule.description.is_empty(), "there is no description"),
        ]
        .into_iter()
        .filter_map(|(holds, slip)| (!holds).then_some(slip))
        .collect()
    }

    #[test]
    fn every_file_is_a_rule_with_a_hit_and_a_miss_named_for_its_id() {
        let mut wrong = Vec::new();
        let mut ids = BTreeSet::new();
        for (file, _) in builtin_sources() {
            match with_tests(file) {
                Ok(rule) => {
                    wrong.extend(slips(file, &rule).iter().map(|slip| format!("{file}: {slip}")));
                    assert!(ids.insert(rule.id.clone()), "{} is the id of two files", rule.id);
                }
                Err(problems) => wrong.extend(problems.iter().map(|problem| format!("{file}:{problem}"))),
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn the_binary_holds_every_rule_without_its_tests_and_otherwise_whole() {
        let rules = builtin_rules().expect("every built-in rule is read");
        assert_eq!(rules.len(), builtin_sources().len());
        for ((file, _), embedded) in builtin_sources().iter().zip(rules) {
            assert_eq!(*embedded, Rule { tests: Vec::new(), ..with_tests(file).expect(file) }, "{file}");
        }
    }
}
