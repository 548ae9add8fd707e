//! The few changes with which most of some findings are gone.
//!
//! One change after the other is chosen: the one with which most of what is left is gone. What goes with it is tried out, so
//! the numbers are exact; that no other changes do more is not proven, since only the likeliest ones are tried.
//!
//! Growth: for each change that is tried, that of [`crate::Analysis::again`], and that of [`crate::holding`] for what is not written
//! down then.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use tracehound_graph::{EdgeIx, NodeIx, View};
use tracehound_model::EdgeKind;

use super::carriers::most;
use crate::derived::RawEdge;
use crate::what_if::{Alteration, what_if};
use crate::{Analysis, holding};

/// A composite edge by what it means, whatever number it has.
type Pair = (EdgeKind, NodeIx, NodeIx);

/// How much may be tried. Counted and not timed, so that the same question always has the same answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Changes to choose.
    pub changes: usize,
    /// Changes to try for each that is chosen.
    pub tries: usize,
}

/// Changes, and what is gone with all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Best {
    /// The edges to take away, in the order in which they were chosen.
    pub edges: Vec<RawEdge>,
    /// How many of the findings are gone with all of them.
    pub removes: usize,
    /// How many findings there are.
    pub of: usize,
}

/// The changes with which most of these findings are gone. `meant` are their composite edges.
#[must_use]
pub fn best(view: &dyn View, analysis: &Analysis, meant: &[EdgeIx], effort: Effort) -> Best {
    let pair = |edge: &EdgeIx| {
        let (source, target) = analysis.derived.of(edge.kind).ends(edge.number);
        (edge.kind, source, target)
    };
    let meant: BTreeSet<Pair> = meant.iter().map(pair).collect();
    let mut best = Best { edges: Vec::new(), removes: 0, of: meant.len() };
    while best.edges.len() < effort.changes && best.removes < best.of {
        let Some((edge, removes)) = next(view, analysis, &meant, &best, effort.tries) else { break };
        best.edges.push(edge);
        best.removes = removes;
    }
    best
}

/// The change with which, besides those that are chosen, most is gone; and how much is gone then.
fn next(
    view: &dyn View,
    analysis: &Analysis,
    meant: &BTreeSet<Pair>,
    chosen: &Best,
    tries: usize,
) -> Option<(RawEdge, usize)> {
    let (altered, after) = what_if(view, analysis, &alterations(&chosen.edges));
    let is_meant = |edge: EdgeIx| {
        let (source, target) = after.derived.of(edge.kind).ends(edge.number);
        meant.contains(&(edge.kind, source, target))
    };
    let mut waiting: Vec<(usize, RawEdge)> =
        most(&altered, &after, &is_meant).into_iter().map(|(edge, most)| (most, edge)).collect();
    waiting.sort_unstable_by_key(|(most, edge)| (Reverse(*most), *edge));
    let mut found: Option<(RawEdge, usize)> = None;
    for (most, edge) in waiting.into_iter().take(tries) {
        let gained = found.map_or(0, |(_, removes)| removes - chosen.removes);
        if most <= gained {
            break;
        }
        let mut edges = chosen.edges.clone();
        edges.push(edge);
        let removes = gone(view, analysis, meant, &edges);
        if removes > chosen.removes + gained {
            found = Some((edge, removes));
        }
    }
    found
}

/// How many of these are gone without some edges.
fn gone(view: &dyn View, analysis: &Analysis, meant: &BTreeSet<Pair>, edges: &[RawEdge]) -> usize {
    let (altered, after) = what_if(view, analysis, &alterations(edges));
    let edge = |(kind, source, target): &Pair| RawEdge { kind: *kind, source: *source, target: *target };
    let meant: Vec<RawEdge> = meant.iter().map(edge).collect();
    holding(&altered, &after.derived, &meant).into_iter().filter(|holds| !holds).count()
}

fn alterations(edges: &[RawEdge]) -> Vec<Alteration> {
    edges.iter().map(|edge| Alteration::RemoveEdge(*edge)).collect()
}
