//! Two pictures side by side: what follows from the one and not from the other. Nodes have the same numbers in both.
//!
//! Growth: one pass over the derived edges of both, one over the nodes for each score, that of comparing the findings, and that of
//! [`crate::holding`] for what is written down in one only.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use tracehound_graph::{NodeIx, View as _};
use tracehound_model::{EdgeKind, Fingerprint};

use crate::derived::{RawEdge, Relation};
use crate::findings::{self, Found, List};
use crate::scores::RISK_SCORE;
use crate::{Picture, holding};

/// The properties of nodes that are scores.
const SCORES: &[&str] = &[RISK_SCORE];

/// A score that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Rescored {
    /// Whose.
    pub node: NodeIx,
    /// Which score.
    pub key: &'static str,
    /// What it is; none if there is none.
    pub before: Option<f64>,
    /// What it would be.
    pub after: Option<f64>,
}

/// What differs between two pictures. Findings are those of the lists that they were made from.
#[derive(Debug)]
pub struct Compared<'b, 'a> {
    /// Derived edges that would not follow any more.
    pub edges_gone: Vec<RawEdge>,
    /// Derived edges that would follow besides.
    pub edges_new: Vec<RawEdge>,
    /// Findings that would be gone, in the order of the list before.
    pub findings_gone: Vec<Found<'b>>,
    /// Findings that would be new, in the order of the list after.
    pub findings_new: Vec<Found<'a>>,
    /// Findings that would differ, of the list after, with how.
    pub findings_changed: Vec<(Found<'a>, findings::Altered)>,
    /// Scores that would differ, by node.
    pub scores: Vec<Rescored>,
}

impl<'b, 'a> Compared<'b, 'a> {
    /// Compares two pictures by themselves and by their findings.
    #[must_use]
    pub fn new(before: (&Picture<'_>, &List<'b>), after: (&Picture<'_>, &List<'a>)) -> Self {
        let ((before, old), (after, new)) = (before, after);
        let (mut edges_gone, mut edges_new) = (Vec::new(), Vec::new());
        for kind in EdgeKind::ALL.iter().copied().filter(|kind| !kind.is_input()) {
            let (old, new) = (before.analysis.derived.of(kind), after.analysis.derived.of(kind));
            only_in_first(kind, old, new, &mut edges_gone);
            only_in_first(kind, new, old, &mut edges_new);
        }
        // What is not written down may hold all the same.
        let (edges_gone, edges_new) = (not_in(after, edges_gone), not_in(before, edges_new));
        let altered = |found: &Found<'a>| {
            findings::Altered::between(new, old, &found.fingerprint).map(|altered| (*found, altered))
        };
        Self {
            edges_gone,
            edges_new,
            findings_gone: missing_from(new, old),
            findings_new: missing_from(old, new),
            findings_changed: new.iter().filter_map(altered).collect(),
            scores: scores(before, after),
        }
    }
}

/// Findings of the one list that don't hold in the other.
fn missing_from<'l>(other: &List<'_>, list: &List<'l>) -> Vec<Found<'l>> {
    let missing: Vec<&Found<'l>> = list.iter().filter(|found| other.get(&found.fingerprint).is_none()).collect();
    let held: BTreeSet<Fingerprint> = other.holding(list, &missing).map(|found| found.fingerprint).collect();
    missing.into_iter().filter(|found| !held.contains(&found.fingerprint)).copied().collect()
}

/// Those of some derived edges that don't follow in a picture.
fn not_in(picture: &Picture<'_>, edges: Vec<RawEdge>) -> Vec<RawEdge> {
    let held = holding(picture.view, &picture.analysis.derived, &edges);
    edges.into_iter().zip(held).filter(|(_, held)| !held).map(|(edge, _)| edge).collect()
}

/// Edges of the one relation that are not written down in the other. Both are sorted by their ends.
fn only_in_first(kind: EdgeKind, first: &Relation, second: &Relation, found: &mut Vec<RawEdge>) {
    let mut others = second.iter().map(|(_, source, target, _)| (source, target)).peekable();
    for (_, source, target, _) in first.iter() {
        while others.peek().is_some_and(|other| other.cmp(&(source, target)) == Ordering::Less) {
            others.next();
        }
        if others.peek() != Some(&(source, target)) {
            found.push(RawEdge { kind, source, target });
        }
    }
}

fn scores(before: &Picture<'_>, after: &Picture<'_>) -> Vec<Rescored> {
    let number = |picture: &Picture<'_>, node: NodeIx, key: &str| {
        picture.has(node).then(|| picture.property(node, key)).flatten().and_then(|value| value.as_number())
    };
    let mut found = Vec::new();
    for key in SCORES {
        for node in (0..before.view.node_count() as u32).map(NodeIx) {
            let (old, new) = (number(before, node, key), number(after, node, key));
            if old != new {
                found.push(Rescored { node, key, before: old, after: new });
            }
        }
    }
    found
}
