//! `tracehound rules show`.

use anyhow::bail;
use serde_json::json;
use tracehound_rules::any_rule::AnyRule;
use tracehound_rules::fingerprint::Fingerprint;
use tracehound_rules::library::{Entry, Library, Origin};
use tracehound_rules::rule::Rule;

use super::describe::{self, collector, effects, joined, standards, targets, tree, wrapped};
use super::fingerprint;
use crate::args::Format;
use crate::outcome::Outcome;
use crate::output::{Output, safe};
use crate::settings::Settings;

pub(super) fn run(id: &str, yaml: bool, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let library = super::in_force(settings)?;
    let entry = find(&library, id)?;
    if yaml {
        output.bytes(entry.file.text.as_bytes())?;
    } else if settings.format == Format::Json {
        let mut rule = match &entry.rule {
            AnyRule::Detection(rule) => describe::json(rule),
            AnyRule::Fingerprint(rule) => fingerprint::json(rule),
        };
        rule.insert("origin".to_owned(), json!(describe::origin(entry.origin)));
        rule.insert("file".to_owned(), json!(entry.file.name));
        output.json(&rule)?;
    } else {
        print(entry, output)?;
    }
    Ok(Outcome::Clean)
}

fn find<'l>(library: &'l Library, id: &str) -> anyhow::Result<&'l Entry> {
    if let Some(entry) = library.find(id) {
        return Ok(entry);
    }
    match library.similar(id).as_slice() {
        [] => bail!("there is no rule `{}`; `tracehound rules list` lists them", safe(id)),
        near => bail!("there is no rule `{}`; did you mean {}?", safe(id), near.join(", ")),
    }
}

fn print(entry: &Entry, output: &mut Output) -> anyhow::Result<()> {
    output.line(format!("{}: {}", entry.rule.id(), safe(entry.rule.name())))?;
    section("", &wrapped(entry.rule.description()), output)?;
    output.line("")?;
    let place = match entry.origin {
        Origin::Builtin => format!("built-in, {}", entry.file.name),
        Origin::File | Origin::Override => super::source(entry),
    };
    field("source", &[safe(&place)], output)?;
    field("version", &[entry.rule.version().to_string()], output)?;
    field("enabled", &[if entry.rule.is_enabled() { "yes" } else { "no" }.to_owned()], output)?;
    let tests = match entry.origin {
        Origin::Builtin => "in the source only".to_owned(),
        Origin::File | Origin::Override => entry.rule.tests().len().to_string(),
    };
    match &entry.rule {
        AnyRule::Detection(rule) => print_detection(rule, tests, output),
        AnyRule::Fingerprint(rule) => print_fingerprint(rule, tests, output),
    }
}

fn print_detection(rule: &Rule, tests: String, output: &mut Output) -> anyhow::Result<()> {
    field("severity", &[rule.severity.to_string()], output)?;
    field("collector", &[collector(rule).to_owned()], output)?;
    field("targets", &[targets(rule).join(", ")], output)?;
    field("tags", &[joined(&rule.tags)], output)?;
    field("OWASP", &standards(&rule.owasp), output)?;
    field("ATLAS", &standards(&rule.atlas), output)?;
    field("finding", std::slice::from_ref(&rule.emit.finding_type), output)?;
    field("sets", &effects(rule), output)?;
    field("tests", &[tests], output)?;
    section("\nmatches when", &tree(&rule.matcher), output)?;
    section("\nwhat to do", &wrapped(rule.remediation.as_deref().unwrap_or_default()), output)
}

fn print_fingerprint(rule: &Fingerprint, tests: String, output: &mut Output) -> anyhow::Result<()> {
    field("service", &[fingerprint::service(rule)], output)?;
    field("ports", &[fingerprint::ports(rule)], output)?;
    field("sets", &fingerprint::effects(rule), output)?;
    field("tests", &[tests], output)?;
    section("\nrecognised when all of it holds", &fingerprint::tree(rule), output)
}

/// A field with its values below each other.
fn field(name: &str, values: &[String], output: &mut Output) -> anyhow::Result<()> {
    for (index, value) in values.iter().filter(|value| !value.is_empty()).enumerate() {
        let name = if index == 0 { name } else { "" };
        output.line(format!("{name:<10} {value}"))?;
    }
    Ok(())
}

fn section(title: &str, lines: &[String], output: &mut Output) -> anyhow::Result<()> {
    if !lines.is_empty() && !title.is_empty() {
        output.line(title)?;
    }
    lines.iter().try_for_each(|line| output.line(format!("  {line}")))
}
