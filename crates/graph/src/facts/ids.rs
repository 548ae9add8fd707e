//! Node ids and their numbers.

use std::hash::BuildHasher as _;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::pool::{Pool, Spot};

/// The number of a node within a store, in order of first mention (as a node or as an end of an edge).
pub(crate) type NodeFact = u32;

/// All packed ids of a store.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    spots: Vec<Spot>,
    table: HashTable<NodeFact>,
    hasher: RandomState,
}

impl Ids {
    /// The number of a packed id, if it was ever mentioned.
    pub(crate) fn find(&self, pool: &Pool, id: &[u8]) -> Option<NodeFact> {
        let is_same = |node: &NodeFact| self.spots.get(*node as usize).is_some_and(|spot| pool.get(*spot) == id);
        self.table.find(self.hasher.hash_one(id), is_same).copied()
    }

    /// Adds a packed id that has no number yet.
    pub(crate) fn add(&mut self, pool: &mut Pool, id: &[u8]) -> NodeFact {
        let spot = pool.push(id);
        self.restore(pool, spot)
    }

    /// Adds an id that is in the pool already.
    pub(crate) fn restore(&mut self, pool: &Pool, spot: Spot) -> NodeFact {
        let node = self.spots.len() as NodeFact;
        self.spots.push(spot);
        let (spots, hasher) = (&self.spots, &self.hasher);
        let hash = |node: &NodeFact| spots.get(*node as usize).map_or(0, |spot| hasher.hash_one(pool.get(*spot)));
        self.table.insert_unique(hash(&node), node, hash);
        node
    }

    /// Makes room for so many ids at once.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.spots.reserve_exact(count);
        // Rehashing an empty table touches no id.
        self.table.reserve(count, |_| 0);
    }

    /// Where an id is stored.
    pub(crate) fn spot(&self, node: NodeFact) -> Spot {
        self.spots.get(node as usize).copied().unwrap_or(Spot::EMPTY)
    }

    /// How many ids there are.
    pub(crate) const fn len(&self) -> usize {
        self.spots.len()
    }
}
