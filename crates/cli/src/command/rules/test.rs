//! `tracehound rules test`.

use std::collections::BTreeMap;

use anyhow::ensure;
use serde_json::{Value, json};
use tracehound_rules::library::{Entry, read_files};
use tracehound_rules::rule::Rule;
use tracehound_rules::rule_tests::{TestOutcome, run_tests};
use tracehound_rules::{builtin_judges, builtin_vocabulary};

use super::{count, sources};
use crate::args::{Format, Test};
use crate::outcome::Outcome;
use crate::output::{Output, note, safe};
use crate::settings::Settings;

pub(super) fn run(arguments: &Test, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let sources =
        if arguments.paths.is_empty() { sources::of(settings)? } else { vec![sources::given(&arguments.paths)?] };
    ensure!(
        !sources.is_empty(),
        "the binary holds the built-in rules without their tests; name rule files or directories, \
         such as `tracehound rules test ./my-rules`"
    );
    let is_empty = sources.iter().all(|source| source.files.is_empty() && source.problems.is_empty());
    ensure!(!is_empty, "there are no rule files (*.yaml, *.yml) at the given places");
    let (mut problems, mut by_id) = (Vec::new(), BTreeMap::new());
    for source in sources {
        problems.extend(source.problems);
        let (own, more) = read_files(source.files);
        problems.extend(more);
        by_id.extend(own.into_iter().map(|entry| (entry.rule.id().to_owned(), entry)));
    }
    let entries: Vec<Entry> = by_id.into_values().collect();
    problems.sort();
    // A file that is no rule fails the run, but hides no result of the others.
    problems.iter().for_each(|problem| note(&format!("error: {}", safe(&problem.to_string()))));
    let rules: Vec<Rule> = entries.iter().map(|entry| entry.rule.clone()).collect();
    let outcomes = run_tests(&rules, builtin_judges()?, builtin_vocabulary())?;
    let files: BTreeMap<&str, &str> =
        entries.iter().map(|entry| (entry.rule.id.as_str(), entry.file.name.as_str())).collect();
    if settings.format == Format::Json {
        output.json(&outcomes.iter().map(|outcome| json(outcome, &files)).collect::<Vec<_>>())?;
    } else {
        for outcome in outcomes.iter().filter(|outcome| arguments.verbose || !outcome.passed()) {
            print(outcome, &files, output)?;
        }
        output.line(totals(&entries, &outcomes))?;
    }
    let is_clean = problems.is_empty() && outcomes.iter().all(TestOutcome::passed);
    Ok(if is_clean { Outcome::Clean } else { Outcome::Failed })
}

fn json(outcome: &TestOutcome, files: &BTreeMap<&str, &str>) -> Value {
    json!({
        "rule": outcome.rule,
        "file": files.get(outcome.rule.as_str()),
        "index": outcome.index,
        "description": outcome.description,
        "passed": outcome.passed(),
        "expected": outcome.expected,
        "got": outcome.got,
    })
}

fn print(outcome: &TestOutcome, files: &BTreeMap<&str, &str>, output: &mut Output) -> anyhow::Result<()> {
    let TestOutcome { rule, index, description, expected, .. } = outcome;
    let description = if description.is_empty() { String::new() } else { format!(": {}", safe(description)) };
    if outcome.passed() {
        return output.line(format!("ok      {rule}, test {}{description}", index + 1));
    }
    let wrong = if *expected { "should match and does not" } else { "should not match and does" };
    output.line(format!("FAILED  {rule}, test {}{description}", index + 1))?;
    output.line(format!("        {wrong}; {}", safe(files.get(rule.as_str()).unwrap_or(&""))))
}

fn totals(entries: &[Entry], outcomes: &[TestOutcome]) -> String {
    let failed = outcomes.iter().filter(|outcome| !outcome.passed()).count();
    let passed = outcomes.len() - failed;
    let untested = entries.iter().filter(|entry| entry.rule.tests.is_empty()).count();
    let rest = if untested == 0 { String::new() } else { format!("; without any test: {}", count(untested, "rule")) };
    let (tests, rules) = (count(outcomes.len(), "test"), count(entries.len(), "rule"));
    format!("{tests} of {rules}: {passed} passed, {failed} failed{rest}")
}
