//! `tracehound rules list`.

use serde_json::{Value, json};
use tracehound_rules::any_rule::AnyRule;
use tracehound_rules::library::{Entry, Origin};
use tracehound_rules::rule::Rule;

use super::describe::{collector, joined, targets};
use super::fingerprint;
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
    let rows: Vec<_> = chosen.iter().filter_map(|entry| entry.rule.detection().map(|rule| row(rule, entry))).collect();
    if !rows.is_empty() {
        output.table(["RULE", "SEVERITY", "COLLECTOR", "TARGETS", "TAGS", "SOURCE"], rows)?;
        output.line("")?;
    }
    let rows: Vec<_> = chosen
        .iter()
        .filter_map(|entry| entry.rule.fingerprint().map(|rule| fingerprint::row(rule, &super::source(entry))))
        .collect();
    if !rows.is_empty() {
        output.table(["FINGERPRINT", "SERVICE", "PORTS", "PROBES", "SOURCE"], rows)?;
        output.line("")?;
    }
    let all = library.entries().len();
    let of = if chosen.len() == all { String::new() } else { format!(" of {all}") };
    output.line(format!("{}{of} rules", chosen.len()))?;
    Ok(Outcome::Clean)
}

fn is_wanted(arguments: &List, entry: &Entry) -> bool {
    let is_builtin = entry.origin == Origin::Builtin;
    let is_of_sort = match &entry.rule {
        AnyRule::Detection(rule) => !arguments.fingerprints && is_selected(arguments, rule),
        AnyRule::Fingerprint(_) => !selects_detection(arguments),
    };
    is_of_sort && (is_builtin || !arguments.builtin_only) && !(is_builtin && arguments.custom_only)
}

/// Whether the rules are chosen by something that only detection rules have.
fn selects_detection(arguments: &List) -> bool {
    arguments.collector.is_some()
        || arguments.severity.is_some()
        || arguments.tag.is_some()
        || arguments.finding.is_some()
}

fn is_selected(arguments: &List, rule: &Rule) -> bool {
    let is_read_by = |scope: RuleScope| match scope {
        RuleScope::All => rule.scope.collector.is_none(),
        RuleScope::Only(collector) => rule.scope.collector.is_none_or(|own| own == collector),
    };
    arguments.collector.is_none_or(is_read_by)
        && arguments.severity.is_none_or(|severity| rule.severity == severity)
        && arguments.tag.as_ref().is_none_or(|tag| rule.tags.contains(tag))
        && arguments.finding.as_ref().is_none_or(|finding| rule.emit.finding_type == *finding)
}

fn row(rule: &Rule, entry: &Entry) -> [String; 6] {
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
    let mut json = match &entry.rule {
        AnyRule::Detection(rule) => json!({
            "sort": "detection",
            "severity": rule.severity.name(),
            "collector": collector(rule),
            "targets": targets(rule),
            "tags": rule.tags,
            "finding_type": rule.emit.finding_type,
        }),
        AnyRule::Fingerprint(rule) => json!({
            "sort": "fingerprint",
            "service_kind": rule.kind.name(),
            "ports": rule.ports,
            "probes": fingerprint::requests(rule),
        }),
    };
    let common = json!({
        "id": entry.rule.id(),
        "name": entry.rule.name(),
        "version": entry.rule.version(),
        "enabled": entry.rule.is_enabled(),
        "origin": super::describe::origin(entry.origin),
        "file": entry.file.name,
    });
    if let (Value::Object(json), Value::Object(common)) = (&mut json, common) {
        json.extend(common);
    }
    json
}
