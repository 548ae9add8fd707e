//! Two pictures side by side: what follows from the one and not from the other. Nodes have the same numbers in both.
//!
//! Growth: one pass over the derived edges of both, one over the nodes for each score, and that of the findings.

use std::cmp::Ordering;

use tracehound_analyze::Picture;
use tracehound_analyze::derived::Relation;
use tracehound_analyze::findings::{Altered, List};
use tracehound_graph::{NodeIx, View};
use tracehound_model::{EdgeKind, Finding};
use tracehound_rules::rule::Rule;

/// The properties of nodes that are scores.
const SCORES: &[&str] = &["risk_score"];

/// A derived edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) kind: EdgeKind,
    pub(super) source: NodeIx,
    pub(super) target: NodeIx,
}

/// A score that differs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Score {
    pub(super) node: NodeIx,
    pub(super) key: &'static str,
    pub(super) before: Option<f64>,
    pub(super) after: Option<f64>,
}

/// What differs.
pub(super) struct Compared {
    pub(super) edges_gone: Vec<Edge>,
    pub(super) edges_new: Vec<Edge>,
    pub(super) findings_gone: Vec<Finding>,
    pub(super) findings_new: Vec<Finding>,
    pub(super) findings_changed: Vec<(Finding, Altered)>,
    pub(super) scores: Vec<Score>,
}

impl Compared {
    pub(super) fn new(before: &Picture<'_>, after: &Picture<'_>, rules: &[Rule]) -> Self {
        let (mut edges_gone, mut edges_new) = (Vec::new(), Vec::new());
        for kind in EdgeKind::ALL.iter().copied().filter(|kind| !kind.is_input()) {
            let (old, new) = (before.analysis.derived.of(kind), after.analysis.derived.of(kind));
            only_in_first(kind, old, new, &mut edges_gone);
            only_in_first(kind, new, old, &mut edges_new);
        }
        let (old, new) = (List::new(*before, rules), List::new(*after, rules));
        let (findings_gone, findings_new) = (missing_from(&new, &old), missing_from(&old, &new));
        let findings_changed = altered(&old, &new);
        let scores = scores(before, after);
        Self { edges_gone, edges_new, findings_gone, findings_new, findings_changed, scores }
    }
}

/// Findings of both lists that differ, each with how.
fn altered(old: &List<'_>, new: &List<'_>) -> Vec<(Finding, Altered)> {
    let altered = |fingerprint| Altered::between(new, old, fingerprint);
    new.iter().filter_map(|found| altered(&found.fingerprint).and_then(|it| Some((new.render(found)?, it)))).collect()
}

/// Findings of the one list that are not in the other.
fn missing_from(other: &List<'_>, list: &List<'_>) -> Vec<Finding> {
    let missing = list.iter().filter(|found| other.get(&found.fingerprint).is_none());
    missing.filter_map(|found| list.render(found)).collect()
}

/// Edges of the one relation that are not in the other. Both are sorted by their ends.
fn only_in_first(kind: EdgeKind, first: &Relation, second: &Relation, found: &mut Vec<Edge>) {
    let mut others = second.iter().map(|(_, source, target, _)| (source, target)).peekable();
    for (_, source, target, _) in first.iter() {
        while others.peek().is_some_and(|other| other.cmp(&(source, target)) == Ordering::Less) {
            others.next();
        }
        if others.peek() != Some(&(source, target)) {
            found.push(Edge { kind, source, target });
        }
    }
}

fn scores(before: &Picture<'_>, after: &Picture<'_>) -> Vec<Score> {
    let number = |picture: &Picture<'_>, node: NodeIx, key: &str| {
        picture.has(node).then(|| picture.property(node, key)).flatten().and_then(|value| value.as_number())
    };
    let mut found = Vec::new();
    for key in SCORES {
        for node in (0..before.view.node_count() as u32).map(NodeIx) {
            let (old, new) = (number(before, node, key), number(after, node, key));
            if old != new {
                found.push(Score { node, key, before: old, after: new });
            }
        }
    }
    found
}
