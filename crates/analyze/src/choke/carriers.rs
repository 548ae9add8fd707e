//! Raw edges that carry findings alone: without the edge the finding is gone, whatever other ways there are.
//!
//! Each edge that is asked about is taken out, and what depends on it is derived again; so the answer is exact by definition.
//! The edges that carry most are found without trying all: an edge can carry only findings whose witness goes over it, and
//! edges are tried in the order of how many those are, until no other can carry more.
//!
//! Growth: for each edge that is tried, that of [`Analysis::again`], and that of [`holding`] for what is not written down then.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::{EdgeIx, NodeIx, View};
use tracehound_model::EdgeKind;

use crate::derived::{RawEdge, rests_on};
use crate::what_if::{Alteration, what_if};
use crate::{Analysis, holding};

/// A raw edge and the composite edges that are gone without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carrier {
    /// The raw edge.
    pub edge: RawEdge,
    /// The composite edges, as the analysis numbers them.
    pub carries: Vec<EdgeIx>,
}

/// What a raw edge carries alone.
#[must_use]
pub fn carried_by(view: &dyn View, analysis: &Analysis, edge: RawEdge) -> Carrier {
    Carrier { edge, carries: gone_without(view, analysis, &[Alteration::RemoveEdge(edge)]) }
}

/// The composite edges that are gone after some alterations, as the analysis numbers them.
#[must_use]
pub fn gone_without(view: &dyn View, analysis: &Analysis, alterations: &[Alteration]) -> Vec<EdgeIx> {
    let (altered, after) = what_if(view, analysis, alterations);
    let (mut numbers, mut edges) = (Vec::new(), Vec::new());
    for (kind, relation) in analysis.derived.iter() {
        let left = after.derived.of(kind);
        // What was not derived again is the same to the last edge.
        if std::ptr::eq(relation, left) {
            continue;
        }
        let left: BTreeSet<(NodeIx, NodeIx)> = left.iter().map(|(_, source, target, _)| (source, target)).collect();
        for (number, source, target, _) in relation.iter().filter(|(_, from, to, _)| !left.contains(&(*from, *to))) {
            numbers.push(EdgeIx { kind, number });
            edges.push(RawEdge { kind, source, target });
        }
    }
    // What is not written down any more may only have been pushed out.
    let held = holding(&altered, &after.derived, &edges);
    numbers.into_iter().zip(held).filter(|(_, held)| !held).map(|(edge, _)| edge).collect()
}

/// The raw edges that carry most findings of some sort alone, the strongest first, then by kind and ends. Edges that carry none
/// are left out.
#[must_use]
pub fn strongest(
    view: &dyn View,
    analysis: &Analysis,
    count: usize,
    is_meant: &dyn Fn(EdgeIx) -> bool,
) -> Vec<Carrier> {
    let mut waiting: Vec<(usize, RawEdge)> =
        most(view, analysis, is_meant).into_iter().map(|(edge, most)| (most, edge)).collect();
    waiting.sort_unstable_by_key(|(most, edge)| (Reverse(*most), *edge));
    let mut best: Vec<Carrier> = Vec::new();
    for (most, edge) in waiting {
        let weakest = best.get(count.saturating_sub(1)).map_or(0, |carrier| carrier.carries.len());
        if most <= weakest {
            break;
        }
        let mut carrier = carried_by(view, analysis, edge);
        carrier.carries.retain(|edge| is_meant(*edge));
        if !carrier.carries.is_empty() {
            best.push(carrier);
            best.sort_by_key(|carrier| (Reverse(carrier.carries.len()), carrier.edge));
            best.truncate(count);
        }
    }
    best
}

/// How many witnesses go over each raw edge: no edge carries more.
pub(super) fn most(
    view: &dyn View,
    analysis: &Analysis,
    is_meant: &dyn Fn(EdgeIx) -> bool,
) -> BTreeMap<RawEdge, usize> {
    let mut most = BTreeMap::new();
    for (kind, relation) in analysis.derived.iter() {
        for (number, .., composite) in relation.iter() {
            if !is_meant(EdgeIx { kind, number }) {
                continue;
            }
            for edge in rests_on(view, relation.path(composite)) {
                *most.entry(edge).or_default() += 1;
            }
        }
    }
    most
}

/// The composite kinds whose edges say that somebody gets somewhere.
#[must_use]
pub const fn is_reaching(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::CanReach | EdgeKind::CanExfiltrateVia)
}
