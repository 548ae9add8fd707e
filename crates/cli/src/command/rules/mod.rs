//! `tracehound rules`.

mod describe;
mod eval;
mod explain;
mod fingerprint;
mod list;
mod show;
mod test;
mod validate;

use anyhow::Context as _;
use serde_json::{Value, json};
use tracehound_rules::builtin_judges;
use tracehound_rules::engine::Engine;
use tracehound_rules::library::{Entry, FileProblem, Library, Origin, read_files};

use crate::args::Rules;
use crate::outcome::Outcome;
use crate::output::{Output, note, safe};
use crate::rule_files;
use crate::settings::Settings;

pub(super) fn run(which: &Rules, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    match which {
        Rules::List(arguments) => list::run(arguments, settings, output),
        Rules::Show { id, yaml } => show::run(id, *yaml, settings, output),
        Rules::Validate(arguments) => validate::run(arguments, settings, output),
        Rules::Test(arguments) => test::run(arguments, settings, output),
        Rules::Eval(arguments) => eval::run(arguments, settings, output),
        Rules::Explain(arguments) => explain::run(arguments, settings, output),
    }
}

/// The rules in force: the built-in ones, and those of the directory that the settings name. Whatever takes the place of
/// a built-in rule is announced.
pub(super) fn in_force(settings: &Settings) -> anyhow::Result<Library> {
    let builtin = Library::builtin()?;
    let Some(directory) = &settings.rules else { return Ok(builtin) };
    let (files, mut problems) = rule_files::read_directory(directory).context("the directory of rules")?;
    let (own, more) = read_files(files);
    problems.extend(more);
    let library = builtin.with(own).map_err(|more| problems.extend(more));
    match library {
        Ok(library) if problems.is_empty() => {
            library.entries().iter().filter(|entry| entry.origin == Origin::Override).for_each(announce);
            Ok(library)
        }
        _ => Err(refusal(problems).context(format!("the rules of `{}` can't be used", directory.display()))),
    }
}

fn announce(entry: &Entry) {
    let (id, file) = (entry.rule.id(), safe(&entry.file.name));
    if entry.rule.is_enabled() {
        note(&format!("note: rule `{id}` of {file} overrides the built-in one"));
    } else {
        note(&format!("note: rule `{id}` of {file} switches the built-in one off"));
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
