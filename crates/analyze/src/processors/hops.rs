//! Choices of hops that several processors share: the easiest first, then the smallest ids.

use tracehound_graph::{Neighbours, NodeIx};
use tracehound_model::EdgeKind;

use crate::basis::{Basis, Cost};

/// The easiest of some edges, as what it costs and the node at its other end; of equally easy ones the smallest id.
pub(super) fn easiest(basis: &Basis<'_>, edges: Neighbours<'_>) -> Option<(Cost, NodeIx)> {
    edges.map(|(node, edge)| (basis.cost(edge), node)).min()
}

/// Two different servers of which the first provides one tool and the second another; those with the smallest ids.
///
/// Two providers of each are enough to look at: a third could only repeat what one of them says.
pub(super) fn apart(basis: &Basis<'_>, one: NodeIx, other: NodeIx) -> Option<(NodeIx, NodeIx)> {
    let firsts = basis.sources(EdgeKind::ProvidesTool, one).take(2);
    let mut pairs = firsts
        .flat_map(|first| basis.sources(EdgeKind::ProvidesTool, other).take(2).map(move |second| (first, second)));
    pairs.find(|(first, second)| first != second)
}
