//! `tracehound rules validate`.

use anyhow::ensure;
use serde_json::json;
use tracehound_rules::builtin_judges;
use tracehound_rules::library::{FileProblem, Library, read_files, strict_problems};

use super::{count, sources};
use crate::args::{Format, Validate};
use crate::outcome::Outcome;
use crate::output::{Output, safe};
use crate::settings::Settings;

pub(super) fn run(arguments: &Validate, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let (checked, mut problems) = check(arguments, settings)?;
    problems.sort();
    if settings.format == Format::Json {
        let list: Vec<_> = problems.iter().map(super::problem_json).collect();
        output.json(&json!({ "files": checked, "problems": list }))?;
    } else {
        problems.iter().try_for_each(|problem| print(problem, output))?;
        output.line(format!("{}, {}", count(checked, "rule file"), count(problems.len(), "problem")))?;
    }
    Ok(if problems.is_empty() { Outcome::Clean } else { Outcome::Failed })
}

/// How many files there are, and everything that is wrong with them: alone, among each other, and with the built-in
/// rules that they would stand beside.
fn check(arguments: &Validate, settings: &Settings) -> anyhow::Result<(usize, Vec<FileProblem>)> {
    let mut library = Library::builtin()?;
    let (sources, mut checked) = if arguments.paths.is_empty() {
        (sources::of(settings)?, library.entries().len())
    } else {
        (vec![sources::given(&arguments.paths)?], 0)
    };
    checked += sources.iter().map(|source| source.files.len() + source.problems.len()).sum::<usize>();
    ensure!(checked > 0, "there are no rule files (*.yaml, *.yml) at the given places");
    let mut problems = Vec::new();
    for source in sources {
        problems.extend(source.problems);
        let (own, more) = read_files(source.files);
        problems.extend(more);
        if arguments.strict {
            problems.extend(own.iter().flat_map(strict_problems));
        }
        match library.clone().with(own) {
            Ok(more) => library = more,
            Err(more) => problems.extend(more),
        }
    }
    problems.extend(library.compile_problems(|| Ok::<_, anyhow::Error>(builtin_judges()?))?);
    Ok((checked, problems))
}

fn print(found: &FileProblem, output: &mut Output) -> anyhow::Result<()> {
    let problem = &found.problem;
    let place = format!("{}:{}:{}", safe(&found.file), problem.line, problem.column);
    output.line(format!("{place}: {}", safe(&problem.message)))?;
    match &problem.help {
        Some(help) => output.line(format!("  help: {}", safe(help))),
        None => Ok(()),
    }
}
