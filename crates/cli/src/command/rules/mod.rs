//! `tracehound rules`.

mod bundle;
mod describe;
mod eval;
mod explain;
mod fingerprint;
mod list;
mod show;
mod sources;
mod test;
mod validate;

use serde_json::{Value, json};
use tracehound_rules::builtin_judges;
use tracehound_rules::engine::Engine;
use tracehound_rules::library::{Entry, FileProblem, Library, Origin};

use crate::args::Rules;
use crate::outcome::Outcome;
use crate::output::{Output, safe};
use crate::settings::Settings;

pub(super) use sources::in_force;

pub(super) fn run(which: &Rules, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    match which {
        Rules::List(arguments) => list::run(arguments, settings, output),
        Rules::Show { id, yaml } => show::run(id, *yaml, settings, output),
        Rules::Validate(arguments) => validate::run(arguments, settings, output),
        Rules::Test(arguments) => test::run(arguments, settings, output),
        Rules::Eval(arguments) => eval::run(arguments, settings, output),
        Rules::Explain(arguments) => explain::run(arguments, settings, output),
        Rules::Bundle(which) => bundle::run(which, settings, output),
    }
}

/// An error that lists problems, one in each line.
fn refusal(mut problems: Vec<FileProblem>) -> anyhow::Error {
    problems.sort();
    let lines: Vec<String> = problems.iter().map(|problem| format!("\n  {}", safe(&problem.to_string()))).collect();
    anyhow::anyhow!("{}{}", count(problems.len(), "problem"), lines.concat())
}

/// Compiles rules with the models that they may name.
fn compile(library: &Library) -> anyhow::Result<Engine> {
    Ok(Engine::compile(library.rules(), builtin_judges()?)?)
}

fn problem_json(found: &FileProblem) -> Value {
    let problem = &found.problem;
    json!({
        "file": found.file, "line": problem.line, "column": problem.column,
        "message": problem.message, "help": problem.help,
    })
}

/// A number and its noun.
fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// What a rule's source is called in lists.
fn source(entry: &Entry) -> String {
    let place = match entry.origin {
        Origin::Builtin => "built-in".to_owned(),
        Origin::File => entry.file.name.clone(),
        Origin::Override => format!("{} (overrides the built-in one)", entry.file.name),
    };
    if entry.rule.is_enabled() { place } else { format!("{place}, switched off") }
}
