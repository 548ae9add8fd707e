//! An estate at a point, at a glance: what takes a while to find out and is the same for everybody who asks, until somebody
//! marks something.

use std::collections::BTreeMap;

use tracehound_analyze::choke::{Best, Effort};
use tracehound_analyze::naming::Marks;
use tracehound_analyze::overview::{Exposure, best_cuts, unauthenticated_servers, worst_paths};
use tracehound_analyze::terrain::{Shortcuts, Trail};

use super::standing::At;

/// How many paths are shown.
const PATHS: usize = 5;
/// How many changes are looked for, and how much is tried.
const EFFORT: Effort = Effort { changes: 3, tries: 6 };
/// With more composite edges than this, to try changes takes longer than anybody waits for an overview.
const MOST_EDGES: usize = 50_000;

/// An estate at a glance.
#[derive(Debug)]
pub(crate) struct Glance {
    /// How many agents get to critical resources.
    pub(crate) exposure: Exposure,
    /// How many tool servers demand nothing of their callers.
    pub(crate) unauthenticated_servers: usize,
    /// How many findings fall under each entry of a public catalogue.
    pub(crate) by_standard: BTreeMap<String, u64>,
}

/// The ways to what matters, which depend on what people say that is.
#[derive(Debug)]
pub(crate) struct Ways {
    /// The easiest.
    pub(crate) worst_paths: Vec<Trail>,
    /// The changes with which most of them are gone; none where the estate is too large to try.
    pub(crate) best_cuts: Option<Best>,
}

impl Ways {
    pub(super) fn new(at: &At<'_>, marks: &Marks) -> Self {
        let picture = at.picture();
        let edges: usize = at.analysis.derived.iter().map(|(_, relation)| relation.len()).sum();
        Self {
            worst_paths: worst_paths(&picture, at.terrain(Shortcuts::No), marks, PATHS),
            best_cuts: (edges <= MOST_EDGES).then(|| best_cuts(&picture, at.findings(), marks, EFFORT)),
        }
    }
}

impl Glance {
    pub(super) fn new(at: &At<'_>) -> Self {
        let picture = at.picture();
        let terrain = at.terrain(Shortcuts::No);
        let list = at.findings();
        let mut by_standard: BTreeMap<String, u64> = BTreeMap::new();
        for found in list.iter() {
            for id in list.standards(found) {
                match by_standard.get_mut(id) {
                    Some(count) => *count += 1,
                    None => drop(by_standard.insert(id.to_owned(), 1)),
                }
            }
        }
        Self {
            exposure: Exposure::new(&picture, terrain),
            unauthenticated_servers: unauthenticated_servers(&picture),
            by_standard,
        }
    }
}
