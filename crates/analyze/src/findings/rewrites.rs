//! Rug pulls: contents that rewrote themselves after they were first seen or last looked at by a person.

use std::collections::BTreeSet;

use tracehound_graph::{NodeIx, PropertyValue, Rewrite};
use tracehound_model::{Finding, NodeId, Severity, WATCHED_HASHES};

use super::Check;
use super::ground::{Case, Ground, Matched};
use super::rule_matches::accuses;
use crate::difference::{self, Effort};

const STANDARDS: &[(&str, &str)] =
    &[("MCP03:2025", "Tool Poisoning"), ("ASI04", "Agentic Supply Chain Vulnerabilities")];

/// A description was rewritten.
pub(super) const DESCRIPTION: Check = Check {
    id: "rewritten-description",
    category: "Rewritten content",
    title: "A description was rewritten",
    description: "The description is not the one that was there when it was first seen, or last looked at. Agents follow what \
                  descriptions say, so whoever rewrites one can steer every agent that trusts it (a rug pull).",
    remediation: "Read the difference. If it is not meant, keep agents away from the server and ask who changed it.",
    standards: STANDARDS,
    find: |ground, check| find(ground, check, "description_hash"),
};

/// A schema was rewritten.
pub(super) const SCHEMA: Check = Check {
    id: "rewritten-schema",
    category: "Rewritten content",
    title: "A schema was rewritten",
    description: "The tool asks for other arguments than when it was first seen, or last looked at. A further argument can \
                  carry data out that nobody meant to give away, and texts within a schema steer agents as descriptions do.",
    remediation: "Read the difference. If it is not meant, keep agents away from the tool and ask who changed it.",
    standards: STANDARDS,
    find: |ground, check| find(ground, check, "input_schema_hash"),
};

/// The instructions of a server were rewritten.
pub(super) const INSTRUCTIONS: Check = Check {
    id: "rewritten-instructions",
    category: "Rewritten content",
    title: "The instructions of a server were rewritten",
    description: "The instructions are not those that were there when they were first seen, or last looked at. Clients put them \
                  before everything that the agent reads, so whoever rewrites them can steer the agent.",
    remediation: "Read the difference. If it is not meant, keep agents away from the server and ask who changed it.",
    standards: STANDARDS,
    find: |ground, check| find(ground, check, "instructions_hash"),
};

/// The fields of matches that are part of what a hash is about.
fn fields(hash: &str) -> &'static [&'static str] {
    match hash {
        "input_schema_hash" => &["input_schema"],
        "instructions_hash" => &["instructions"],
        _ => &["name", "title", "description"],
    }
}

fn find(ground: &Ground<'_>, check: &Check, hash: &str) -> Vec<Finding> {
    let rewrites = ground.view.rewrites();
    let with_schema: BTreeSet<&NodeId> = ids(&rewrites, "input_schema_hash").collect();
    let mut effort = Effort::default();
    let mut found = Vec::new();
    for rewrite in rewrites.iter().filter(|rewrite| rewrite.change.property == hash) {
        // The hash of a tool's description covers its schema; a change of that alone is told once.
        if is_same_description(rewrite) && with_schema.contains(&rewrite.change.id) {
            continue;
        }
        let node = ground.view.find(rewrite.change.id.as_str());
        found.extend(node.map(|node| finding(ground, check, node, rewrite, &mut effort)));
    }
    found
}

fn ids<'r>(rewrites: &'r [Rewrite<'_>], hash: &str) -> impl Iterator<Item = &'r NodeId> {
    rewrites.iter().filter(move |rewrite| rewrite.change.property == hash).map(|rewrite| &rewrite.change.id)
}

fn is_same_description(rewrite: &Rewrite<'_>) -> bool {
    let key = content("description_hash");
    rewrite.change.property == "description_hash" && rewrite.before(key) == rewrite.after(key)
}

/// The property that holds what a hash is about.
fn content(hash: &str) -> &'static str {
    WATCHED_HASHES.iter().find(|watched| watched.hash == hash).map_or("", |watched| watched.content)
}

fn finding(ground: &Ground<'_>, check: &Check, node: NodeIx, rewrite: &Rewrite<'_>, effort: &mut Effort) -> Finding {
    let change = rewrite.change;
    let part = match change.property {
        "input_schema_hash" => "schema",
        "instructions_hash" => "instructions",
        _ => "description",
    };
    let (verb, other) = if part == "instructions" { ("were", "other") } else { ("was", "another") };
    let called = ground.called(node);
    let accused = newly_accused(ground, rewrite);
    // A rewritten text that rules take for an attack, where they did not before, is the attack and not the risk of one.
    let severity = if accused.is_empty() { Severity::High } else { Severity::Critical };
    let mut evidence = vec![flat(&format!(
        "scan {} at {} saw {other} {part} than scan {} at {}:",
        change.scan_id, change.time, change.since_scan_id, change.since
    ))];
    evidence.extend(told(rewrite, effort));
    evidence.extend(accused.iter().map(|name| format!("found in it now, and not before: {name}")));
    evidence.extend(gained(rewrite).map(|powers| format!("the tool can now do more: {powers}")));
    let title = format!("The {part} of {called} {verb} rewritten");
    let case =
        Case { severity, source: node, target: node, title, evidence: evidence.join("\n"), place: ground.cause(node) };
    let mut finding = ground.finding(check, case);
    finding.remediation = format!("{} {}", check.remediation, acknowledgement(change.id.as_str()));
    finding
}

/// The difference, or the hashes where no text was kept.
fn told(rewrite: &Rewrite<'_>, effort: &mut Effort) -> Vec<String> {
    let key = content(rewrite.change.property);
    let (before, after) = (rewrite.before(key), rewrite.after(key));
    let text = |value: &Option<PropertyValue<'_>>| value.as_ref().and_then(|it| it.as_text().map(str::to_owned));
    let lines = match (text(&before), text(&after)) {
        (None, None) => Vec::new(),
        (before, after) => {
            difference::of_property(key, &before.unwrap_or_default(), &after.unwrap_or_default(), effort)
        }
    };
    if lines.is_empty() {
        let change = rewrite.change;
        return vec![flat(&format!("the hash went from {} to {}; the texts are not known", change.from, change.to))];
    }
    lines.iter().map(ToString::to_string).collect()
}

/// The names of rules that find something wrong in the content and did not before.
fn newly_accused(ground: &Ground<'_>, rewrite: &Rewrite<'_>) -> Vec<String> {
    let fields = fields(rewrite.change.property);
    let rules = |matches: Option<PropertyValue<'_>>| -> BTreeSet<String> {
        let text = matches.and_then(|it| it.as_text().map(str::to_owned)).unwrap_or_default();
        let all: Vec<Matched> = serde_json::from_str(&text).unwrap_or_default();
        all.into_iter().filter(|matched| fields.contains(&matched.field.as_str())).map(|matched| matched.rule).collect()
    };
    let before = rules(rewrite.before("rule_matches"));
    let now = rules(rewrite.after("rule_matches"));
    let new = now.difference(&before).filter_map(|id| ground.rule(id)).filter(|rule| accuses(rule));
    new.map(|rule| format!("{} ({})", rule.name, rule.id)).collect()
}

/// What a tool can do that it could not before.
fn gained(rewrite: &Rewrite<'_>) -> Option<String> {
    let powers = |value: Option<PropertyValue<'_>>| -> BTreeSet<String> {
        value.map(|value| value.texts().map(str::to_owned).collect()).unwrap_or_default()
    };
    let (before, after) = (powers(rewrite.before("capability_surface")), powers(rewrite.after("capability_surface")));
    let gained: Vec<String> = after.difference(&before).map(|power| flat(power)).collect();
    (!gained.is_empty()).then(|| gained.join(", "))
}

/// How to say that a change was looked at. An id that is not of our making is not put into a command that people copy.
fn acknowledgement(id: &str) -> String {
    let is_ours = id.chars().all(|c| c.is_ascii_alphanumeric() || c == ':');
    let id = if is_ours { id } else { "NODE" };
    format!("If it is meant, `tracehound graph acknowledge {id}` records that you have looked at it.")
}

/// A text that can't pass for several lines of evidence.
fn flat(text: &str) -> String {
    text.replace('\n', "\\n")
}
