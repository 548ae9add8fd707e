//! `tracehound rules test`.

use std::collections::BTreeMap;

use anyhow::ensure;
use serde_json::{Value, json};
use tracehound_rules::fingerprint::run_trials;
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
    let rows = rows(&entries)?;
    if settings.format == Format::Json {
        output.json(&rows.iter().map(json).collect::<Vec<_>>())?;
    } else {
        rows.iter().filter(|row| arguments.verbose || !row.passed()).try_for_each(|row| print(row, output))?;
        output.line(totals(&entries, &rows))?;
    }
    let is_clean = problems.is_empty() && rows.iter().all(Row::passed);
    Ok(if is_clean { Outcome::Clean } else { Outcome::Failed })
}

/// How one test came out, whatever the sort of its rule.
struct Row {
    rule: String,
    file: String,
    index: usize,
    description: String,
    expected: bool,
    got: bool,
    /// What is not as it should be: empty when the test passed.
    problems: Vec<String>,
}

impl Row {
    fn passed(&self) -> bool {
        self.problems.is_empty()
    }
}

/// The tests of all rules, sorted by rule.
fn rows(entries: &[Entry]) -> anyhow::Result<Vec<Row>> {
    let files: BTreeMap<&str, &str> = entries.iter().map(|entry| (entry.rule.id(), entry.file.name.as_str())).collect();
    let file = |rule: &str| files.get(rule).copied().unwrap_or_default().to_owned();
    let rules: Vec<Rule> = entries.iter().filter_map(|entry| entry.rule.detection().cloned()).collect();
    let outcomes = run_tests(&rules, builtin_judges()?, builtin_vocabulary())?;
    let trials = run_trials(entries.iter().filter_map(|entry| entry.rule.fingerprint()));
    let of_texts = outcomes.into_iter().map(|outcome| Row {
        file: file(&outcome.rule),
        problems: problem(&outcome).map(str::to_owned).into_iter().collect(),
        rule: outcome.rule,
        index: outcome.index,
        description: outcome.description,
        expected: outcome.expected,
        got: outcome.got,
    });
    let of_services = trials.into_iter().map(|trial| Row {
        file: file(&trial.rule),
        problems: trial.problems,
        rule: trial.rule,
        index: trial.index,
        description: trial.description,
        expected: trial.expected,
        got: trial.got,
    });
    let mut rows: Vec<Row> = of_texts.chain(of_services).collect();
    rows.sort_by(|a, b| (&a.rule, a.index).cmp(&(&b.rule, b.index)));
    Ok(rows)
}

fn problem(outcome: &TestOutcome) -> Option<&'static str> {
    let wrong = if outcome.expected { "should match and does not" } else { "should not match and does" };
    (!outcome.passed()).then_some(wrong)
}

fn json(row: &Row) -> Value {
    json!({
        "rule": row.rule,
        "file": row.file,
        "index": row.index,
        "description": row.description,
        "passed": row.passed(),
        "expected": row.expected,
        "got": row.got,
        "problems": row.problems,
    })
}

fn print(row: &Row, output: &mut Output) -> anyhow::Result<()> {
    let description = if row.description.is_empty() { String::new() } else { format!(": {}", safe(&row.description)) };
    let word = if row.passed() { "ok" } else { "FAILED" };
    output.line(format!("{word:<6}  {}, test {}{description}", row.rule, row.index + 1))?;
    row.problems.iter().try_for_each(|problem| output.line(format!("        {}; {}", safe(problem), safe(&row.file))))
}

fn totals(entries: &[Entry], rows: &[Row]) -> String {
    let failed = rows.iter().filter(|row| !row.passed()).count();
    let passed = rows.len() - failed;
    let untested = entries.iter().filter(|entry| entry.rule.tests().is_empty()).count();
    let rest = if untested == 0 { String::new() } else { format!("; without any test: {}", count(untested, "rule")) };
    let (tests, rules) = (count(rows.len(), "test"), count(entries.len(), "rule"));
    format!("{tests} of {rules}: {passed} passed, {failed} failed{rest}")
}
