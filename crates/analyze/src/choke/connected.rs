//! How many of some nodes there is a way from, and of others to.

use tracehound_graph::NodeIx;

use super::Between;
use crate::routes::{Allowed, Direction, reach};
use crate::terrain::Terrain;

/// How many of the ends there is a way from or to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Connected {
    /// Sources from which a way leads to a target.
    pub sources: usize,
    /// Targets to which a way leads from a source.
    pub targets: usize,
}

/// How many ends are connected. Both lists are sorted. Two searches, one from either side.
#[must_use]
pub fn connected(terrain: &Terrain, between: Between<'_>) -> Connected {
    Connected {
        sources: met(terrain, between.targets, Direction::Backward, between.sources),
        targets: met(terrain, between.sources, Direction::Forward, between.targets),
    }
}

fn met(terrain: &Terrain, starts: &[NodeIx], direction: Direction, ends: &[NodeIx]) -> usize {
    let starts = terrain.places(starts);
    let reached = reach(terrain.arcs(), &starts, direction, Allowed::Every, None);
    let reached = reached.nodes.iter().filter_map(|reached| terrain.node(reached.node));
    let mut met: Vec<NodeIx> = reached.filter(|node| ends.binary_search(node).is_ok()).collect();
    met.sort_unstable();
    met.dedup();
    met.len()
}
