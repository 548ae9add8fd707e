//! The built-in rules as their files have them, with the tests that the binary leaves out.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and reads the sources"
)]

mod allocations;

use std::fs;
use std::path::Path;

use tracehound_rules::library::{RuleFile, read_files};
use tracehound_rules::rule::Rule;
use tracehound_rules::rule_tests::run_tests;
use tracehound_rules::{builtin_judges, builtin_sources, builtin_vocabulary};

/// The rules of the source folder.
fn rules() -> Vec<Rule> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("builtin");
    let file =
        |name: &str| RuleFile { name: name.to_owned(), text: fs::read_to_string(folder.join(name)).expect(name) };
    let (entries, problems) = read_files(builtin_sources().iter().map(|(name, _)| file(name)).collect());
    assert_eq!(problems, []);
    entries.into_iter().filter_map(|entry| entry.rule.detection().cloned()).collect()
}

#[test]
fn every_built_in_rule_does_what_its_own_tests_say() {
    let judges = builtin_judges().expect("the models are read");
    let outcomes = run_tests(&rules(), judges, builtin_vocabulary()).expect("the rules compile");
    let wrong: Vec<String> = outcomes
        .iter()
        .filter(|outcome| !outcome.passed())
        .map(|outcome| {
            format!("{} test {} should be {}: {}", outcome.rule, outcome.index, outcome.expected, outcome.description)
        })
        .collect();
    assert!(outcomes.len() > 2 * builtin_sources().len(), "{} tests", outcomes.len());
    assert!(wrong.is_empty(), "{} of {} tests fail:\n{}", wrong.len(), outcomes.len(), wrong.join("\n"));
}
