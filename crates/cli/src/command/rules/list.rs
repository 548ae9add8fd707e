//! `tracehound rules list`.

use serde_json::{Value, json};
use tracehound_rules::library::{Entry, Origin};

use super::describe::{collector, joined, targets};
use crate::args::{Format, List, RuleScope};
use crate::outcome::Outcome;
use crate::output::{Output, safe};
use crate::settings::Settings;

pub(super) fn run(arguments: &List, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let library = super::in_force(settings)?;
    let chosen: Vec<&Entry> = library.entries().iter().filter(|entry| is_wanted(arguments, entry)).collect();
    if settings.format == Format::Json {
        output.json(&chosen.iter().map(|entry| json(entry)).collect::<Vec<_>>())?;
        return Ok(Outcome::Clean);
    }
    if !chosen.is_empty() {
        let heading = ["RULE", "SEVERITY", "COLLECTOR", "TARGETS", "TAGS", "SOURCE"];
        output.table(heading, chosen.iter().map(|entry| row(entry)))?;
        output.line("")?;
    }
    let all = library.entries().len();
    let of = if chosen.len() == all { String::new() } else { format!(" of {all}") };
    output.line(format!("{}{of} rules", chosen.len()))?;
    Ok(Outcome::Clean)
}

fn is_wanted(arguments: &List, entry: &Entry) -> bool {
    let rule = &entry.rule;
    let is_read_by = |scope: RuleScope| match scope {
        RuleScope::All => rule.scope.collector.is_none(),
        RuleScope::Only(collector) => rule.scope.collector.is_none_or(|own| own == collector),
    };
    let is_builtin = entry.origin == Origin::Builtin;
    arguments.collector.is_none_or(is_read_by)
        && arguments.severity.is_none_or(|severity| rule.severity == severity)
        && arguments.tag.as_ref().is_none_or(|tag| rule.tags.contains(tag))
        && arguments.finding.as_ref().is_none_or(|finding| rule.emit.finding_type == *finding)
        && (is_builtin || !arguments.builtin_only)
        && !(is_builtin && arguments.custom_only)
}

fn row(entry: &Entry) -> [String; 6] {
    let rule = &entry.rule;
    [
        rule.id.clone(),
        rule.severity.to_string(),
        collector(rule).to_owned(),
        targets(rule).join(", "),
        joined(&rule.tags),
        safe(&super::source(entry)),
    ]
}

fn json(entry: &Entry) -> Value {
    let rule = &entry.rule;
    json!({
        "id": rule.id,
        "name": rule.name,
        "version": rule.version,
        "enabled": rule.enabled,
        "severity": rule.severity.name(),
        "collector": collector(rule),
        "targets": targets(rule),
        "tags": rule.tags,
        "finding_type": rule.emit.finding_type,
        "origin": super::describe::origin(entry.origin),
        "file": entry.file.name,
    })
}
