//! Whether composite edges hold, asked of single ones. Of a source with very many edges of a kind only some are written down, so
//! that one is not among them does not say that it is not there.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use tracehound_graph::View;
use tracehound_model::EdgeKind;

use crate::basis::Basis;
use crate::derived::{Derived, RawEdge};
use crate::processors::{NodeProperties, PROCESSORS, Pair, Stage, Writes};

/// Which of some composite edges hold in a graph, given what was derived from it, whether or not they are written down.
///
/// Growth: as good as nothing where everything is written down at the sources that are asked about. Else what the processors of
/// those kinds say of reading the graph, and of each pair.
#[must_use]
pub fn holding(view: &dyn View, derived: &Derived, asked: &[RawEdge]) -> Vec<bool> {
    let is_written = |edge: &RawEdge| derived.outgoing(edge.kind, edge.source).to(edge.target).is_some();
    let mut answers: Vec<bool> = asked.iter().map(is_written).collect();
    let is_cut_short = |edge: &RawEdge| {
        let written = derived.outgoing(edge.kind, edge.source).len() as u64;
        derived.of(edge.kind).count(edge.source) > written
    };
    let mut open: BTreeMap<EdgeKind, Vec<(Pair, usize)>> = BTreeMap::new();
    for (place, edge) in asked.iter().enumerate() {
        if answers.get(place) == Some(&false) && is_cut_short(edge) {
            open.entry(edge.kind).or_default().push(((edge.source, edge.target), place));
        }
    }
    if open.is_empty() {
        return answers;
    }
    let (basis, properties, ways) = (Basis::new(view), NodeProperties::default(), OnceCell::new());
    let stage = Stage { basis: &basis, derived, properties: &properties, ways: &ways };
    for (kind, mut places) in open {
        places.sort_unstable();
        let pairs: Vec<Pair> = places.iter().map(|(pair, _)| *pair).collect();
        let writers = PROCESSORS.iter().filter(|processor| processor.writes.contains(&Writes::Edges(kind)));
        for holds in writers.filter_map(|processor| processor.holds) {
            for ((_, place), answer) in places.iter().zip(holds(&stage, &pairs)) {
                answers.get_mut(*place).into_iter().for_each(|known| *known |= answer);
            }
        }
    }
    answers
}
