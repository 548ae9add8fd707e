//! `cargo xtask ledger`: how good the built-in rules are, written down, and never worse than written down.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use tracehound_rules::ledger::{Ledger, Measured, markdown, measure};
use tracehound_rules::{builtin_grammar, builtin_rules, builtin_tool_model, builtin_vocabulary};

use crate::steps::{self, Step};
use xtask::{corpora, repository};

use crate::output;
use crate::written_file::settle;

const PAGE: &str = "docs/detection-quality.md";
const FIGURES: &str = "docs/detection-quality.json";
const REMEDY: &str = "cargo xtask ledger CORPORA";
/// What stands above the figures.
const PREFACE: &str = include_str!("ledger_preface.md");

/// From what, and whether to write.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// The folder of the corpora
    corpora: PathBuf,
    /// Write nothing; fail if the ledger is not what these corpora give
    #[arg(long)]
    check: bool,
    /// Write the ledger even if a figure is worse than before
    #[arg(long, conflicts_with = "check")]
    accept_drop: bool,
}

/// Measures, and writes or compares.
pub(super) fn run(options: &Options) -> Result<()> {
    let mode = match (options.check, options.accept_drop) {
        (true, _) => Mode::Check,
        (false, true) => Mode::AcceptDrop,
        (false, false) => Mode::Write,
    };
    steps::run(vec![Step::new("ledger", move || ledger(&options.corpora, mode))])
}

/// What becomes of the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Compared with what is written.
    Check,
    /// Written, unless one dropped.
    Write,
    /// Written in any case.
    AcceptDrop,
}

/// Measures the built-in rules on a folder of corpora.
pub(super) fn ledger(folder: &Path, mode: Mode) -> Result<()> {
    let (grammar, model) = (builtin_grammar()?, builtin_tool_model()?);
    let rules = builtin_rules().map_err(|broken| anyhow::anyhow!("{broken}"))?;
    let subject = Measured { rules, model: &model, grammar: &grammar, words: builtin_vocabulary() };
    let corpora = corpora::read(folder)?;
    let measured = measure(&subject, &corpora, &mut |step| output::line(format_args!("   {step}")))?;
    if mode != Mode::AcceptDrop {
        let dropped = dropped(&written()?, &measured);
        ensure!(dropped.is_empty(), "figures dropped:\n{}", dropped.join("\n"));
    }
    let figures = serde_json::to_string_pretty(&measured)? + "\n";
    let check = mode == Mode::Check;
    settle(FIGURES, &figures, check, REMEDY)?;
    settle(PAGE, &format!("{PREFACE}\n{}", markdown(&measured)), check, REMEDY)
}

/// The figures as they were last written; none before the first time.
fn written() -> Result<serde_json::Value> {
    match fs::read(repository::root().join(FIGURES)) {
        Ok(bytes) => serde_json::from_slice(&bytes).with_context(|| format!("`{FIGURES}` is not JSON")),
        Err(_) => Ok(serde_json::Value::Null),
    }
}

/// Every line whose recall is lower, or whose false alarms are more, than written.
fn dropped(written: &serde_json::Value, measured: &Ledger) -> Vec<String> {
    let mut worse = Vec::new();
    for section in &measured.sections {
        for line in &section.lines {
            let Some(before) = figure(written, &section.name, &line.name) else { continue };
            let now = line.score;
            if now.of == before("of") && now.found < before("found") {
                worse.push(format!(
                    "{}, {}: found {} instead of {}",
                    section.name,
                    line.name,
                    now.found,
                    before("found")
                ));
            }
            if now.among == before("among") && now.false_alarms > before("false_alarms") {
                let (now, before) = (now.false_alarms, before("false_alarms"));
                worse.push(format!("{}, {}: {now} false alarms instead of {before}", section.name, line.name));
            }
        }
    }
    worse
}

/// A written line's numbers, by key.
fn figure<'w>(written: &'w serde_json::Value, section: &str, line: &str) -> Option<impl Fn(&str) -> usize + 'w> {
    let named = |entries: &'w serde_json::Value, name: &str| {
        entries.as_array()?.iter().find(|entry| entry.get("name").and_then(serde_json::Value::as_str) == Some(name))
    };
    let section = named(written.get("sections")?, section)?;
    let line = named(section.get("lines")?, line)?;
    let number =
        |key: &str| line.get(key).and_then(serde_json::Value::as_u64).and_then(|number| usize::try_from(number).ok());
    Some(move |key: &str| number(key).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use tracehound_rules::ledger::{Line, Score, Section};

    use super::*;

    fn ledger_of(found: usize, false_alarms: usize) -> Ledger {
        let score = Score { found, of: 10, false_alarms, among: 100 };
        let lines = vec![Line { name: "all".to_owned(), score }];
        let sections = vec![Section { name: "tools".to_owned(), lines, rules: Vec::new() }];
        Ledger { sections, misses: Vec::new(), false_alarms: Vec::new() }
    }

    #[test]
    fn a_lower_recall_and_more_false_alarms_are_drops() {
        let written = serde_json::to_value(ledger_of(9, 1)).unwrap();
        assert!(dropped(&written, &ledger_of(9, 1)).is_empty());
        assert!(dropped(&written, &ledger_of(10, 0)).is_empty());
        assert_eq!(dropped(&written, &ledger_of(8, 2)).len(), 2);
        assert!(dropped(&serde_json::Value::Null, &ledger_of(0, 9)).is_empty());
    }
}
