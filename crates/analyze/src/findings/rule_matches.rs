//! What rules found in texts: instruction files, and servers where a user's rules look at them.

use std::collections::BTreeMap;

use tracehound_graph::NodeIx;
use tracehound_model::{Finding, Fingerprint, NodeKind, Place};
use tracehound_rules::rule::Rule;

use super::ground::{Ground, Matched, severity};

/// Kinds whose matches are findings. What matches on a credential means is decided where credentials are.
const KINDS: &[NodeKind] = &[NodeKind::InstructionFile, NodeKind::McpServer];

/// One finding for each rule that matched a thing.
pub(super) fn find(ground: &Ground<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for node in KINDS.iter().flat_map(|kind| ground.nodes(*kind)) {
        let mut by_rule: BTreeMap<String, Vec<Matched>> = BTreeMap::new();
        for matched in ground.matches(node) {
            by_rule.entry(matched.rule.clone()).or_default().push(matched);
        }
        for (id, matches) in by_rule {
            found.extend(ground.rule(&id).and_then(|rule| finding(ground, node, rule, &matches)));
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
    let place: Option<Place> = ground.place_of(node).or_else(|| ground.definitions(node).into_iter().next());
    Some(Finding {
        fingerprint: Fingerprint::new(&rule.id, &subject.id, &subject.id),
        kind: rule.id.clone(),
        severity: severity(rule.severity)?,
        confidence: 0.9,
        title: format!("{}: {}", rule.name, subject.name),
        description: rule.description.clone(),
        source: subject.clone(),
        target: subject,
        evidence: format!("the text says: {}{more}", first.excerpt),
        remediation: remediation(rule, ground.view.kind(node)),
        place,
        standards: rule.owasp.iter().chain(&rule.atlas).cloned().collect(),
    })
}
