//! Walking an estate as people ask for it: which hops are allowed, the best paths between two selections, and what is reached
//! ring by ring.

mod hop_kind;
mod paths;
mod rings;

use tracehound_graph::NodeIx;

use crate::routes::Allowed;
use crate::terrain::{Shortcuts, Terrain};
pub use hop_kind::{HopKind, NoHop};
pub use paths::{Found, Path, PathSearch, Wanted};
pub use rings::{Reaching, Ring};

/// What may be walked.
#[derive(Debug, Clone, Default)]
pub struct Walking {
    /// Only hops of these kinds; all if there are none.
    pub only: Vec<HopKind>,
    /// No hops of these kinds.
    pub without: Vec<HopKind>,
    /// Nodes that are not to be passed, sorted.
    pub avoided: Vec<NodeIx>,
    /// Whether edges that stand for whole paths are walked.
    pub shortcuts: Shortcuts,
}

impl Walking {
    /// Sees that every kind can be walked.
    ///
    /// # Errors
    /// When a kind stands for whole paths and these are not walked.
    pub fn check(&self) -> Result<(), ShortcutsNeeded> {
        let needs = |kind: &&HopKind| kind.is_shortcut() && self.shortcuts == Shortcuts::No;
        self.only.iter().find(needs).map_or(Ok(()), |kind| Err(ShortcutsNeeded(*kind)))
    }

    fn is_everything(&self) -> bool {
        self.only.is_empty() && self.without.is_empty() && self.avoided.is_empty()
    }
}

/// A kind stands for whole paths and is walked only by those who ask for shortcuts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortcutsNeeded(pub HopKind);

/// A terrain, and what of it may be walked.
#[derive(Debug)]
pub struct Walk<'t> {
    /// The terrain.
    pub terrain: &'t Terrain,
    /// Nodes that are not passed, sorted.
    pub avoided: Vec<NodeIx>,
    /// By the number of an arc; none if all may be taken.
    is_allowed: Option<Vec<bool>>,
}

impl<'t> Walk<'t> {
    /// What may be walked of a terrain. Linear in it, and constant if everything may.
    #[must_use]
    pub fn new(terrain: &'t Terrain, walking: Walking) -> Self {
        if walking.is_everything() {
            return Self::everywhere(terrain);
        }
        let Walking { only, without, avoided, .. } = walking;
        let is_avoided = |place: u32| terrain.node(place).is_some_and(|node| avoided.binary_search(&node).is_ok());
        let is_of_kind = |number: u32| match terrain.meaning(number).and_then(HopKind::of) {
            Some(kind) => (only.is_empty() || only.contains(&kind)) && !without.contains(&kind),
            // The second half of a hop goes with the first.
            None => true,
        };
        let arcs = (0..).zip(terrain.all_ends());
        let is_allowed =
            arcs.map(|(number, (from, to))| is_of_kind(number) && !is_avoided(*from) && !is_avoided(*to)).collect();
        Self { terrain, avoided, is_allowed: Some(is_allowed) }
    }

    /// All of a terrain.
    #[must_use]
    pub const fn everywhere(terrain: &'t Terrain) -> Self {
        Self { terrain, avoided: Vec::new(), is_allowed: None }
    }

    /// The nodes that may be passed.
    #[must_use]
    pub fn passable(&self, mut nodes: Vec<NodeIx>) -> Vec<NodeIx> {
        nodes.retain(|node| self.avoided.binary_search(node).is_err());
        nodes
    }

    /// Searches with the arcs that may be taken.
    fn search<T>(&self, search: impl FnOnce(Allowed<'_>) -> T) -> T {
        match &self.is_allowed {
            None => search(Allowed::Every),
            Some(is_allowed) => {
                let permits = |arc: u32| is_allowed.get(arc as usize).copied().unwrap_or(false);
                search(Allowed::Where(&permits))
            }
        }
    }
}

/// What is to be said of kinds of edges that are not all walked.
#[must_use]
pub fn bounded_words(terrain: &Terrain) -> Option<String> {
    let names: Vec<&str> = terrain.bounded().iter().map(|kind| kind.name()).collect();
    (!names.is_empty()).then(|| {
        let names = names.join(", ");
        format!(
            "some nodes have more {names} edges than are written down; only the easiest are walked, so there may be paths \
             besides, which what is told here leaves open"
        )
    })
}

/// How far a claim about all paths goes, to be put into its sentence: nothing where all edges are walked.
#[must_use]
pub fn as_far_as_walked(terrain: &Terrain) -> &'static str {
    if terrain.bounded().is_empty() { "" } else { ", as far as edges are written down," }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tracehound_graph::{Limits, Moment, graph_of};

    use super::*;
    use crate::terrain::Shortcuts;
    use crate::{Analysis, Picture};

    /// What is claimed of an estate with so many tools of one name that all speak of it.
    fn claimed(tools: usize) -> (&'static str, Option<String>) {
        let mut nodes = Vec::new();
        let mut edges = Vec::new();
        for number in 0..tools {
            let (server, tool) = (format!("s{number}"), format!("t{number}"));
            nodes.push(json!({ "id": server, "kinds": ["MCPServer"], "properties": {} }));
            let properties = json!({ "name": "search", "description": "better than search" });
            nodes.push(json!({ "id": tool, "kinds": ["MCPTool"], "properties": properties }));
            edges.push(json!({ "source": server, "target": tool, "kind": "PROVIDES_TOOL", "properties": {} }));
        }
        let document = json!({
            "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": "s",
                      "timestamp": "2026-01-01T00:00:00Z" },
            "graph": { "nodes": nodes, "edges": edges },
        });
        let graph = graph_of(document.to_string().as_bytes(), &Limits::default(), Moment(0)).unwrap();
        let analysis = Analysis::of(&graph);
        let terrain = Terrain::new(&Picture::new(&graph, &analysis), Shortcuts::No);
        (as_far_as_walked(&terrain), bounded_words(&terrain))
    }

    #[test]
    fn where_not_every_edge_is_walked_nothing_is_claimed_of_all_paths() {
        assert_eq!(claimed(20), ("", None));
        let (claim, told) = claimed(30);
        assert_eq!(claim, ", as far as edges are written down,");
        assert!(told.is_some_and(|told| told.contains("more SHADOWS edges") && told.contains("paths besides")));
    }
}
