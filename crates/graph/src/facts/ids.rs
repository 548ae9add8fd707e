//! Node ids and their numbers.

use std::hash::BuildHasher as _;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::packed_id;
use crate::pool::{Pool, Spot};

/// The number of a node within a store, in order of first mention (as a node or as an end of an edge).
pub(crate) type NodeFact = u32;

/// All packed ids of a store.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    spots: Vec<Spot>,
    /// The ids of the usual form once more, side by side: finding a node is the most frequent thing that ingest does,
    /// and this way it touches memory once less than through the pool.
    digests: Vec<[u8; packed_id::DIGEST_BYTES]>,
    table: HashTable<NodeFact>,
    hasher: RandomState,
}

impl Ids {
    /// The number of a packed id, if it was ever mentioned.
    pub(crate) fn find(&self, pool: &Pool, id: &[u8]) -> Option<NodeFact> {
        let hash = self.hasher.hash_one(id);
        if id.len() == packed_id::DIGEST_BYTES {
            let is_same = |node: &NodeFact| self.digests.get(*node as usize).is_some_and(|digest| digest == id);
            return self.table.find(hash, is_same).copied();
        }
        let is_same = |node: &NodeFact| self.spots.get(*node as usize).is_some_and(|spot| pool.get(*spot) == id);
        self.table.find(hash, is_same).copied()
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
        // What stands in the place of an id of another length begins as no packed id does.
        self.digests.push(pool.get(spot).try_into().unwrap_or([u8::MAX; packed_id::DIGEST_BYTES]));
        let (spots, hasher) = (&self.spots, &self.hasher);
        let hash = |node: &NodeFact| spots.get(*node as usize).map_or(0, |spot| hasher.hash_one(pool.get(*spot)));
        self.table.insert_unique(hash(&node), node, hash);
        node
    }

    /// Makes room for so many ids at once.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.spots.reserve_exact(count);
        self.digests.reserve_exact(count);
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
