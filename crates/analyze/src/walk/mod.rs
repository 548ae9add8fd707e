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
        format!("some nodes have more {} edges than are written down; only the easiest are walked", names.join(", "))
    })
}
