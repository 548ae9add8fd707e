//! The Merkle tree of RFC 6962 over a chain's receipts: whose root is signed, nothing before it can be changed unseen.
//!
//! A leaf is the 32 bytes of a receipt's hash. What stores the hashes of the tree is the caller's business; [`Frontier`]
//! is all that is needed to go on and to know the root.

mod frontier;
mod proof;
#[cfg(test)]
mod tests;

pub use frontier::{BadFrontier, Frontier};
pub use proof::{Subtrees, consistency_proof, inclusion_proof, is_consistent, is_included};

use super::hash::{Hash, sha256, sha256_of};

/// The root of a tree without leaves.
#[must_use]
pub fn empty_root() -> Hash {
    sha256("")
}

/// The hash of the leaf for a receipt.
#[must_use]
pub fn leaf(receipt: &Hash) -> Hash {
    leaf_of(&receipt.0)
}

/// The hash of a leaf: kept apart from that of a node by its first byte, so that neither can pass for the other.
fn leaf_of(content: &[u8]) -> Hash {
    sha256_of(&[&[0], content])
}

/// The hash of the node above two others.
fn node(left: &Hash, right: &Hash) -> Hash {
    sha256_of(&[&[1], &left.0, &right.0])
}
