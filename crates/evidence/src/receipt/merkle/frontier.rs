//! The right edge of a tree: the roots of its complete subtrees, from the largest to the smallest.

use super::{Hash, empty_root, node};

/// Enough of a tree to add leaves and to know its root: one hash for each bit that is set in its size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    // INVARIANT: as many as bits are set in `size`; each is the root of a complete subtree.
    roots: Vec<Hash>,
}

/// Stored bytes are not those of a frontier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the stored edge of the Merkle tree is damaged")]
pub struct BadFrontier;

impl Frontier {
    /// How many leaves the tree has.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Adds a leaf. `completed` is told every subtree that it completes, itself first, as level, index within the level
    /// and hash: these are what [`Subtrees`](super::Subtrees) is asked for. O(log n) at worst, two hashes on average.
    pub fn append(&mut self, leaf: Hash, mut completed: impl FnMut(u32, u64, Hash)) {
        let mut hash = leaf;
        completed(0, self.size, hash);
        for level in 0..self.size.trailing_ones() {
            let Some(left) = self.roots.pop() else { break };
            hash = node(&left, &hash);
            completed(level + 1, self.size >> (level + 1), hash);
        }
        self.roots.push(hash);
        self.size += 1;
    }

    /// The root of the whole tree. O(log n).
    #[must_use]
    pub fn root(&self) -> Hash {
        let mut smallest_first = self.roots.iter().rev().copied();
        let Some(last) = smallest_first.next() else { return empty_root() };
        smallest_first.fold(last, |right, left| node(&left, &right))
    }

    /// Bytes to be stored: the size, then the hashes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let hashes = self.roots.iter().flat_map(|hash| hash.0);
        self.size.to_be_bytes().into_iter().chain(hashes).collect()
    }

    /// Reads stored bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BadFrontier> {
        let (size, rest) = bytes.split_first_chunk().ok_or(BadFrontier)?;
        let size = u64::from_be_bytes(*size);
        let (roots, rest) = rest.as_chunks();
        if !rest.is_empty() || roots.len() != size.count_ones() as usize {
            return Err(BadFrontier);
        }
        Ok(Self { size, roots: roots.iter().copied().map(Hash).collect() })
    }
}
