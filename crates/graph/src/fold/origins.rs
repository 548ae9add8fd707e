//! On which machines an edge is seen, for edges that several machines know.
//!
//! Most edges belong to one machine, which the scan that saw them names. Only where claims of several machines meet is
//! there something to write down, and sets of machines that are equal are written down once.

use rustc_hash::FxHashMap;
use tracehound_model::EdgeKind;

/// The number of a set of machines.
pub(crate) type OriginsId = u32;

/// The machines of edges.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    /// What the machines are called, by their numbers; empty for documents that name none.
    machines: Vec<String>,
    sets: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, OriginsId>,
    /// One for each observed kind, by the number of the edge among the facts.
    edges: Vec<FxHashMap<u32, OriginsId>>,
}

impl Origins {
    /// The number of a set of machines, which is sorted.
    pub(crate) fn number(&mut self, machines: Vec<u32>) -> OriginsId {
        let next = self.sets.len() as OriginsId;
        *self.numbers.entry(machines).or_insert_with_key(|machines| {
            self.sets.push(machines.clone());
            next
        })
    }

    /// Notes the machines of an edge.
    pub(crate) fn note(&mut self, kind: EdgeKind, edge: u32, machines: OriginsId) {
        self.edges.resize_with(self.edges.len().max(kind as usize + 1), FxHashMap::default);
        if let Some(edges) = self.edges.get_mut(kind as usize) {
            edges.insert(edge, machines);
        }
    }

    /// Says what the machines are called.
    pub(crate) fn name(&mut self, machines: Vec<String>) {
        self.machines = machines;
    }

    /// The machines of an edge, if several know it.
    pub(crate) fn of(&self, kind: EdgeKind, edge: u32) -> Option<OriginsId> {
        self.edges.get(kind as usize)?.get(&edge).copied()
    }

    /// All sets, as names; a document that names no machine gives an empty one.
    pub(crate) fn sets(&self) -> Vec<Vec<String>> {
        let names = |set: &Vec<u32>| {
            let mut names: Vec<String> =
                set.iter().filter_map(|machine| self.machines.get(*machine as usize)).cloned().collect();
            names.sort_unstable();
            names
        };
        self.sets.iter().map(names).collect()
    }
}
