//! What rules found in texts: instruction files, and what servers and agents say of themselves.

use std::collections::BTreeMap;

use tracehound_graph::NodeIx;
use tracehound_model::{Finding, Fingerprint, NodeKind, NodeRole};
use tracehound_rules::rule::Rule;

use super::ground::{Ground, Matched, severity};

/// Kinds whose matches are findings. What matches on a credential means is decided where credentials are.
const KINDS: &[NodeKind] = &[
    NodeKind::InstructionFile,
    NodeKind::McpServer,
    NodeKind::McpTool,
    NodeKind::McpResource,
    NodeKind::McpPrompt,
    NodeKind::A2aAgent,
    NodeKind::A2aSkill,
    NodeKind::AiModel,
];

/// Whether a match of the rule says that something is wrong, and not only what a thing is: what a tool can do or how
/// sensitive a resource is makes no finding by itself.
pub(super) fn accuses(rule: &Rule) -> bool {
    !rule.emit.finding_type.ends_with("_classification") && severity(rule.severity).is_some()
}

/// Whether a match of the rule says of a text that it instructs whoever reads it.
pub(super) fn calls_poisoned(rule: &Rule) -> bool {
    rule.emit.finding_type == "has_injection_patterns"
}

/// One finding for each rule that matched a thing.
pub(super) fn find<'a>(ground: &Ground<'a>) -> Vec<(NodeIx, &'a Rule, Finding)> {
    let mut found = Vec::new();
    let services = NodeKind::ALL.iter().filter(|kind| kind.role() == NodeRole::Service);
    for node in KINDS.iter().chain(services).flat_map(|kind| ground.nodes(*kind)) {
        let mut by_rule: BTreeMap<String, Vec<Matched>> = BTreeMap::new();
        for matched in ground.matches(node) {
            by_rule.entry(matched.rule.clone()).or_default().push(matched);
        }
        for (id, matches) in by_rule {
            let Some(rule) = ground.rule(&id).filter(|rule| accuses(rule)) else { continue };
            found.extend(finding(ground, node, rule, &matches).map(|finding| (node, rule, finding)));
        }
    }
    found
}

/// What to do. Rules for several sorts of texts speak of servers, which does not help with a file.
fn remediation(rule: &Rule, kind: NodeKind) -> String {
    let is_for_files = rule.scope.targets.iter().all(|target| target.kind == Some(NodeKind::InstructionFile));
    if kind == NodeKind::InstructionFile && !is_for_files {
        return "Remove the passage, and find out how it came into the file.".to_owned();
    }
    let own = rule.remediation.clone().filter(|text| !text.is_empty());
    own.unwrap_or_else(|| "Look at the text, and take it out if nobody can say what it is for.".to_owned())
}

fn finding(ground: &Ground<'_>, node: NodeIx, rule: &Rule, matches: &[Matched]) -> Option<Finding> {
    let subject = ground.subject(node);
    let first = matches.first()?;
    let more = match matches.len() {
        1 => String::new(),
        count => format!(" (and {} more places)", count - 1),
    };
    Some(Finding {
        fingerprint: Fingerprint::new(&rule.id, &subject.id, &subject.id),
        kind: rule.id.clone(),
        category: "Suspicious text".to_owned(),
        severity: severity(rule.severity)?,
        confidence: 0.9,
        title: title(ground, node, rule, &first.field),
        description: rule.description.clone(),
        source: subject.clone(),
        target: subject,
        evidence: format!("the text says: {}{more}", first.excerpt),
        remediation: remediation(rule, ground.view.kind(node)),
        place: ground.cause(node),
        standards: rule.owasp.iter().chain(&rule.atlas).cloned().collect(),
        path: Vec::new(),
        total_weight: None,
    })
}

/// What the rule says, of the text that it was found in. Names of rules speak of a text, a tool, or of what stands in it.
fn title(ground: &Ground<'_>, node: NodeIx, rule: &Rule, field: &str) -> String {
    if ground.view.kind(node) == NodeKind::InstructionFile {
        return format!("{}: {}", rule.name, ground.name(node));
    }
    let called = ground.called(node);
    let part = match field {
        "instructions" => "instruction text",
        "input_schema" | "output_schema" => "schema",
        "name" | "title" | "uri" | "endpoint" => field,
        "args" | "command" => "command",
        _ => "description",
    };
    match (rule.name.strip_prefix("Text "), rule.name.strip_prefix("Tool ")) {
        (Some(rest), _) => format!("The {part} of {called} {rest}"),
        (None, Some(rest)) => format!("The {called} {rest}"),
        (None, None) => format!("{}: the {part} of {called}", rule.name),
    }
}
