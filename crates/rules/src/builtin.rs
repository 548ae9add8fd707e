//! The rules of both sorts that come with the product. They are data: the files in `builtin/`, put into the binary by the build
//! script without their tests.

use std::sync::LazyLock;

use crate::fingerprint::{Fingerprint, read_proven_fingerprint};
use crate::rule::{Problem, Rule, read_proven_rule};

static SOURCES: Sources = include!(concat!(env!("OUT_DIR"), "/builtin_rules.rs"));
static FINGERPRINT_SOURCES: Sources = include!(concat!(env!("OUT_DIR"), "/builtin_fingerprints.rs"));

static RULES: LazyLock<Result<Vec<Rule>, BrokenBuiltin>> = LazyLock::new(|| read(SOURCES, read_proven_rule));
static FINGERPRINTS: LazyLock<Result<Vec<Fingerprint>, BrokenBuiltin>> =
    LazyLock::new(|| read(FINGERPRINT_SOURCES, read_proven_fingerprint));

/// Files by their path within `builtin/`, and their texts without tests.
type Sources = &'static [(&'static str, &'static str)];

fn read<T>(sources: Sources, reader: fn(&str) -> Result<T, Vec<Problem>>) -> Result<Vec<T>, BrokenBuiltin> {
    let broken = |file: &'static str, problems: Vec<Problem>| BrokenBuiltin { file, problems };
    sources.iter().map(|(file, text)| reader(text).map_err(|problems| broken(file, problems))).collect()
}

/// A file among the built-in rules is not a rule. A test holds that no build of the product has one.
#[derive(Debug, thiserror::Error)]
#[error("the built-in rule `{file}` is broken: {}", .problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("; "))]
pub struct BrokenBuiltin {
    /// The file, by its path within `builtin/`.
    pub file: &'static str,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

/// The files of the built-in detection rules: path within `builtin/` and text without tests, sorted by path.
#[must_use]
pub fn builtin_sources() -> &'static [(&'static str, &'static str)] {
    SOURCES
}

/// The files of the built-in fingerprints: path within `builtin/` and text without tests, sorted by path.
#[must_use]
pub fn builtin_fingerprint_sources() -> &'static [(&'static str, &'static str)] {
    FINGERPRINT_SOURCES
}

/// The built-in fingerprints, in the order of their files.
///
/// # Errors
///
/// When a file is not a fingerprint; a test below keeps that from happening.
pub fn builtin_fingerprints() -> Result<&'static [Fingerprint], &'static BrokenBuiltin> {
    FINGERPRINTS.as_deref()
}

/// The built-in detection rules, in the order of their files.
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
    use crate::any_rule::{AnyRule, read_any_rule};
    use crate::fingerprint::run_trials;

    #[expect(clippy::disallowed_methods, reason = "the tests of a rule are in its file only")]
    fn with_tests(file: &str) -> Result<AnyRule, Vec<Problem>> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("builtin").join(file);
        read_any_rule(&std::fs::read_to_string(&path).expect(file))
    }

    fn detection(file: &str) -> Rule {
        with_tests(file).expect(file).detection().expect(file).clone()
    }

    fn fingerprint(file: &str) -> Fingerprint {
        with_tests(file).expect(file).fingerprint().expect(file).clone()
    }

    fn fingerprints() -> Vec<Fingerprint> {
        builtin_fingerprint_sources().iter().map(|(file, _)| fingerprint(file)).collect()
    }

    /// What is wrong with one file, apart from what makes it no rule at all.
    fn slips(file: &str, rule: &AnyRule) -> Vec<&'static str> {
        let is_named = file.rsplit('/').next().and_then(|name| name.strip_suffix(".yaml")) == Some(rule.id());
        let fingerprint = rule.fingerprint();
        [
            (is_named, "the file is not named for its id"),
            (rule.tests().contains(&true), "no test must match"),
            (rule.tests().contains(&false), "no test must not match"),
            (!rule.description().is_empty(), "there is no description"),
            (fingerprint.is_some() == file.starts_with("fingerprints/"), "it lies in the folder of the other sort"),
            (fingerprint.is_none_or(|rule| rule.misnamed_captures().is_empty()), "a placeholder names no capture"),
        ]
        .into_iter()
        .filter_map(|(holds, slip)| (!holds).then_some(slip))
        .collect()
    }

    #[test]
    fn every_file_is_a_rule_with_a_hit_and_a_miss_named_for_its_id() {
        let mut wrong = Vec::new();
        let mut ids = BTreeSet::new();
        assert!(!builtin_sources().is_empty() && !builtin_fingerprint_sources().is_empty());
        for (file, _) in builtin_sources().iter().chain(builtin_fingerprint_sources()) {
            match with_tests(file) {
                Ok(rule) => {
                    wrong.extend(slips(file, &rule).iter().map(|slip| format!("{file}: {slip}")));
                    assert!(ids.insert(rule.id().to_owned()), "{} is the id of two files", rule.id());
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
            assert_eq!(*embedded, Rule { tests: Vec::new(), ..detection(file) }, "{file}");
        }
        let rules = builtin_fingerprints().expect("every built-in fingerprint is read");
        assert_eq!(rules.len(), builtin_fingerprint_sources().len());
        for ((file, _), embedded) in builtin_fingerprint_sources().iter().zip(rules) {
            assert_eq!(*embedded, Fingerprint { tests: Vec::new(), ..fingerprint(file) }, "{file}");
        }
    }

    #[test]
    fn every_fingerprint_does_what_its_own_tests_say() {
        let wrong: Vec<String> = run_trials(&fingerprints())
            .iter()
            .filter(|trial| !trial.passed())
            .map(|trial| {
                let problems = trial.problems.join("; ");
                format!("{} test {} ({}): {problems}", trial.rule, trial.index + 1, trial.description)
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_kind_that_is_recognised_is_looked_for_on_some_port() {
        let all = fingerprints();
        for rule in &all {
            let has_ports = all.iter().any(|other| other.kind == rule.kind && !other.ports.is_empty());
            assert!(has_ports, "no rule says where {} listens", rule.kind.name());
        }
    }

    #[test]
    fn no_service_of_one_kind_is_mistaken_for_one_of_another() {
        let all = fingerprints();
        let mut wrong = Vec::new();
        for own in &all {
            for test in own.tests.iter().filter(|test| test.should_match) {
                for other in all.iter().filter(|other| other.kind != own.kind) {
                    if test.recognised_by(other).is_some() {
                        wrong.push(format!("{} takes \"{}\" of {} for its own", other.id, test.description, own.id));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
