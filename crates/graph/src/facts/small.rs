//! Small blobs are stored once: most edges of a foreign document carry the same few properties.

use std::hash::BuildHasher as _;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::pool::{Pool, Spot};

/// Longer blobs hardly ever repeat, and looking them up would cost more than it saves.
const SMALL: usize = 64;

/// Where each small blob is stored.
#[derive(Debug, Default)]
pub(crate) struct SmallBlobs {
    table: HashTable<Spot>,
    hasher: RandomState,
}

impl SmallBlobs {
    /// Stores bytes, or finds where the same bytes are stored already.
    pub(crate) fn store(&mut self, pool: &mut Pool, bytes: &[u8]) -> Spot {
        if bytes.len() > SMALL {
            return pool.push(bytes);
        }
        let hash = self.hasher.hash_one(bytes);
        if let Some(spot) = self.table.find(hash, |spot| pool.get(*spot) == bytes) {
            return *spot;
        }
        let spot = pool.push(bytes);
        let hasher = &self.hasher;
        self.table.insert_unique(hash, spot, |spot| hasher.hash_one(pool.get(*spot)));
        spot
    }
}
