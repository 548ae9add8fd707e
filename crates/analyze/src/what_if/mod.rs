//! What if: a graph with a few things taken out or changed, to be read like any graph. Nothing is stored.
//!
//! Kinds of edges that lose none share everything with the graph that is altered. What is derived is derived again only as far as
//! it depends on what was altered.
//!
//! Growth: linear in the edges of the kinds that lose some.

mod altered;
mod asked;
mod compared;

use tracehound_graph::{NodeIx, PropertyValue, View};

use crate::Analysis;
use crate::derived::RawEdge;
pub use altered::Altered;
pub use asked::{Unalterable, property_value, seen_edge};
pub use compared::{Compared, Rescored};

/// One thing that is taken out or changed.
#[derive(Debug, Clone, PartialEq)]
pub enum Alteration {
    /// A node, with all its edges and what nothing else holds.
    RemoveNode(NodeIx),
    /// An edge, with what nothing else holds.
    RemoveEdge(RawEdge),
    /// A property of a node; none takes it away.
    SetNode(NodeIx, String, Option<PropertyValue<'static>>),
    /// A property of an edge; none takes it away.
    SetEdge(RawEdge, String, Option<PropertyValue<'static>>),
}

/// The graph as it would be, with what follows from it.
#[must_use]
pub fn what_if<'v>(view: &'v dyn View, before: &Analysis, alterations: &[Alteration]) -> (Altered<'v>, Analysis) {
    let altered = Altered::new(view, alterations);
    let after = Analysis::again(&altered, before, altered.changes());
    (altered, after)
}

#[cfg(test)]
mod tests;
