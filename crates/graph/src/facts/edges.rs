//! The observed edges of one kind.

use std::hash::BuildHasher as _;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::column::Column;
use super::ids::NodeFact;

/// Both ends of an edge.
pub(crate) type Ends = (NodeFact, NodeFact);

/// That an edge has no number yet.
const NEW: u32 = u32::MAX;

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
    /// The numbers of many edges, all different, new ones in the order given.
    ///
    /// The table is larger than any cache, and edges fall anywhere in it. Visiting them in the order in which they lie
    /// there costs a sort of what one document brings, and saves most of the waiting for memory.
    pub(crate) fn numbers(&mut self, many: &[Ends]) -> Vec<u32> {
        self.index(many.len());
        let mask = self.table.num_buckets() as u64 - 1;
        let hashed = |(position, ends): (u32, &Ends)| (self.hasher.hash_one(ends), position);
        let mut order: Vec<(u64, u32)> = (0..).zip(many).map(hashed).collect();
        order.sort_unstable_by_key(|(hash, _)| hash & mask);
        let mut numbers = vec![NEW; many.len()];
        for (hash, position) in &order {
            let (Some(ends), Some(number)) = (many.get(*position as usize), numbers.get_mut(*position as usize)) else {
                continue;
            };
            let is_same = |edge: &u32| self.ends.get(*edge as usize) == Some(ends);
            *number = self.table.find(*hash, is_same).copied().unwrap_or(NEW);
        }
        let known = self.ends.len() as u32;
        for (number, ends) in numbers.iter_mut().zip(many).filter(|(number, _)| **number == NEW) {
            *number = self.seen.add();
            self.ends.push(*ends);
        }
        let (all, hasher) = (&self.ends, &self.hasher);
        let rehash = |edge: &u32| all.get(*edge as usize).map_or(0, |ends| hasher.hash_one(ends));
        for (hash, position) in order {
            if let Some(number) = numbers.get(position as usize).filter(|number| **number >= known) {
                self.table.insert_unique(hash, *number, rehash);
            }
        }
        numbers
    }

    /// Adds an edge as a snapshot has it.
    pub(crate) fn restore(&mut self, ends: Ends) {
        self.ends.push(ends);
    }

    /// Makes room for so many edges of a snapshot.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.ends.reserve_exact(count);
    }

    /// Brings the table up to date, with room for more. After a snapshot was read it is empty: whoever only reads
    /// the graph never needs it.
    fn index(&mut self, more: usize) {
        let (all, hasher) = (&self.ends, &self.hasher);
        let hash = |edge: &u32| all.get(*edge as usize).map_or(0, |ends| hasher.hash_one(ends));
        let missing = self.table.len() as u32..all.len() as u32;
        self.table.reserve(missing.len() + more, hash);
        for edge in missing {
            self.table.insert_unique(hash(&edge), edge, hash);
        }
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
