//! The observed edges of one kind.

use std::hash::BuildHasher as _;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::column::Column;
use super::ids::NodeFact;

/// Both ends of an edge.
pub(crate) type Ends = (NodeFact, NodeFact);

/// Edges of one kind, found by their ends.
#[derive(Debug, Default)]
pub(crate) struct EdgeTable {
    ends: Vec<Ends>,
    table: HashTable<u32>,
    hasher: RandomState,
    /// What was observed of each.
    pub(crate) seen: Column,
}

impl EdgeTable {
    /// The number of the edge between two nodes, given a new one if it has none.
    pub(crate) fn number(&mut self, ends: Ends) -> u32 {
        let hash = self.hasher.hash_one(ends);
        let is_same = |edge: &u32| self.ends.get(*edge as usize) == Some(&ends);
        if let Some(edge) = self.table.find(hash, is_same) {
            return *edge;
        }
        self.insert(ends);
        self.seen.add()
    }

    /// Adds an edge as a snapshot has it.
    pub(crate) fn restore(&mut self, ends: Ends) {
        self.insert(ends);
    }

    /// Makes room for so many edges at once.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.ends.reserve_exact(count);
        // Rehashing an empty table touches no edge.
        self.table.reserve(count, |_| 0);
    }

    fn insert(&mut self, ends: Ends) {
        let edge = self.ends.len() as u32;
        self.ends.push(ends);
        let (all, hasher) = (&self.ends, &self.hasher);
        let hash = |edge: &u32| all.get(*edge as usize).map_or(0, |ends| hasher.hash_one(ends));
        self.table.insert_unique(hash(&edge), edge, hash);
    }

    /// The ends of all edges, in order of their numbers.
    pub(crate) fn ends(&self) -> &[Ends] {
        &self.ends
    }

    /// Gives back memory that growth left over.
    pub(crate) fn shrink(&mut self) {
        self.ends.shrink_to_fit();
        self.seen.shrink();
    }
}
