//! `tracehound rules eval`.

use std::path::Path;
use std::{fs, io};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use tracehound_rules::ledger::{Corpora, Ledger, Line, Listed, Measured, Score, Section, markdown, measure};
use tracehound_rules::{builtin_grammar, builtin_tool_model, builtin_vocabulary};

use crate::args::{Eval, Format};
use crate::outcome::Outcome;
use crate::output::{Output, safe, shortened};
use crate::progress;
use crate::settings::Settings;

/// How much of a text people are shown.
const TEXT: usize = 120;
/// The task whose texts are secrets.
const SECRETS: &str = "credentials";

pub(super) fn run(arguments: &Eval, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let rules = super::in_force(settings)?.rules();
    let corpora = read(&arguments.corpora)?;
    let (grammar, model) = (builtin_grammar()?, builtin_tool_model()?);
    let subject = Measured { rules: &rules, model: &model, grammar: &grammar, words: builtin_vocabulary() };
    let bar = progress::working("measuring");
    let measured = measure(&subject, &corpora, &mut |step| bar.set_message(format!("measuring: {step}")));
    bar.finish_and_clear();
    let ledger = measured?;
    let misses = arguments.misses.map(|most| chosen(&ledger.misses, most));
    let false_alarms = arguments.false_alarms.map(|most| chosen(&ledger.false_alarms, most));
    match settings.format {
        Format::Json => output.json(&json!({
            "sections": ledger.sections, "misses": misses.as_deref().map(list_json), "false_alarms": false_alarms.as_deref().map(list_json),
        }))?,
        Format::Markdown => markdown(&ledger).trim_end().lines().try_for_each(|line| output.line(safe(line)))?,
        Format::Table => print(&ledger, output)?,
    }
    if settings.format != Format::Json {
        print_list("misses", misses.as_deref(), output)?;
        print_list("false alarms", false_alarms.as_deref(), output)?;
    }
    Ok(Outcome::Clean)
}

fn read(folder: &Path) -> anyhow::Result<Corpora> {
    ensure!(folder.is_dir(), "`{}` is not a directory", folder.display());
    let open = |file: &'static str| match fs::read(folder.join(file)) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(anyhow::Error::new(error).context(format!("cannot read `{}`", folder.join(file).display()))),
    };
    Corpora::read(open).with_context(|| format!("`{}` can't be measured on", folder.display()))
}

/// The first of each task, without the texts that are secrets.
fn chosen(listed: &[Listed], most: usize) -> Vec<Listed> {
    let mut chosen: Vec<Listed> = Vec::new();
    for entry in listed {
        if chosen.iter().filter(|other| other.section == entry.section).count() < most {
            let text = if entry.section == SECRETS { String::new() } else { entry.text.clone() };
            chosen.push(Listed { text, ..entry.clone() });
        }
    }
    chosen
}

fn list_json(listed: &[Listed]) -> Vec<Value> {
    let entry = |entry: &Listed| {
        let text = Some(&entry.text).filter(|_| entry.section != SECRETS);
        json!({
            "section": entry.section, "id": entry.id, "family": entry.family, "rules": entry.rules, "text": text,
        })
    };
    listed.iter().map(entry).collect()
}

fn print(ledger: &Ledger, output: &mut Output) -> anyhow::Result<()> {
    for (index, section) in ledger.sections.iter().filter(|section| !section.lines.is_empty()).enumerate() {
        if index > 0 {
            output.line("")?;
        }
        print_section(section, output)?;
    }
    Ok(())
}

fn print_section(section: &Section, output: &mut Output) -> anyhow::Result<()> {
    let title = section.name.to_uppercase();
    let heading = [title.as_str(), "FOUND", "RECALL", "FALSE ALARMS", "RATE", "PRECISION", "F1"];
    output.table(heading, section.lines.iter().map(row))?;
    if section.rules.is_empty() {
        return Ok(());
    }
    output.line("")?;
    let rows = section
        .rules
        .iter()
        .map(|rule| [rule.rule.clone(), rule.found.to_string(), rule.alone.to_string(), rule.false_alarms.to_string()]);
    output.table(["RULE", "FOUND", "FOUND BY NO OTHER", "FALSE ALARMS"], rows)
}

fn row(line: &Line) -> [String; 7] {
    let Line { name, score } = line;
    let Score { found, of, false_alarms, among } = *score;
    let part = |part: usize, whole: usize| if whole == 0 { "-".to_owned() } else { format!("{part}/{whole}") };
    let share = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{share:.3}"));
    let has_both = of > 0 && among > 0;
    [
        shortened(name, TEXT),
        part(found, of),
        share(score.recall()),
        part(false_alarms, among),
        share(score.false_alarm_rate()),
        share(score.precision().filter(|_| has_both)),
        share(score.f1().filter(|_| has_both)),
    ]
}

fn print_list(title: &str, listed: Option<&[Listed]>, output: &mut Output) -> anyhow::Result<()> {
    let Some(listed) = listed else { return Ok(()) };
    output.line(format!("\n{title}: {}", if listed.is_empty() { "none" } else { "" }).trim_end())?;
    for entry in listed {
        let rules = if entry.rules.is_empty() { String::new() } else { format!(" [{}]", entry.rules.join(", ")) };
        let (id, family) = (shortened(&entry.id, TEXT), shortened(&entry.family, TEXT));
        output.line(format!("  {}, {family}: {id}{rules}", entry.section))?;
        if entry.section != SECRETS {
            output.line(format!("    {}", shortened(&entry.text, TEXT)))?;
        }
    }
    Ok(())
}
