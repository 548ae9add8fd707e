//! Proofs: that a receipt is in a tree, and that a tree is the beginning of a larger one.

use super::{Hash, empty_root, node};

/// Where the hashes of complete subtrees come from.
pub trait Subtrees {
    /// Why one can't be given.
    type Error;

    /// The root of the complete subtree over the leaves `index * 2^level` up to, but without, `(index + 1) * 2^level`. Asked
    /// only for subtrees that lie within the tree that a proof is made for.
    fn hash(&self, level: u32, index: u64) -> Result<Hash, Self::Error>;
}

/// The hashes that prove that the leaf of an index is in the tree of the first `size` leaves; none if it is not.
/// O(log² n) hashes are asked for.
pub fn inclusion_proof<S: Subtrees>(source: &S, index: u64, size: u64) -> Result<Option<Vec<Hash>>, S::Error> {
    if index >= size {
        return Ok(None);
    }
    let (mut path, mut start, mut end) = (Vec::new(), 0, size);
    while end - start > 1 {
        let middle = start + left_size(end - start);
        if index < middle {
            path.push(range(source, middle, end)?);
            end = middle;
        } else {
            path.push(range(source, start, middle)?);
            start = middle;
        }
    }
    path.reverse();
    Ok(Some(path))
}

/// The hashes that prove that the tree of the first `old` leaves is the beginning of that of the first `new`; none if there
/// is no such proof. O(log² n) hashes are asked for.
pub fn consistency_proof<S: Subtrees>(source: &S, old: u64, new: u64) -> Result<Option<Vec<Hash>>, S::Error> {
    if old > new {
        return Ok(None);
    }
    if old == 0 || old == new {
        return Ok(Some(Vec::new()));
    }
    let (mut path, mut start, mut end) = (Vec::new(), 0, new);
    while old < end {
        let middle = start + left_size(end - start);
        if old <= middle {
            path.push(range(source, middle, end)?);
            end = middle;
        } else {
            path.push(range(source, start, middle)?);
            start = middle;
        }
    }
    // Who checks knows the old root; any other subtree has to be given.
    if start > 0 {
        path.push(range(source, start, end)?);
    }
    path.reverse();
    Ok(Some(path))
}

/// Whether a proof shows that a leaf is at an index of the tree with this root.
#[must_use]
pub fn is_included(leaf: &Hash, index: u64, size: u64, proof: &[Hash], root: &Hash) -> bool {
    if index >= size {
        return false;
    }
    let (mut place, mut last, mut hash) = (index, size - 1, *leaf);
    for sibling in proof {
        if last == 0 {
            return false;
        }
        if place & 1 == 1 || place == last {
            hash = node(sibling, &hash);
            // Levels at which the node is the last and has no sibling are passed over.
            while place & 1 == 0 && place != 0 {
                place >>= 1;
                last >>= 1;
            }
        } else {
            hash = node(&hash, sibling);
        }
        place >>= 1;
        last >>= 1;
    }
    last == 0 && hash == *root
}

/// Whether a proof shows that the tree of the first size and root is the beginning of that of the second.
#[must_use]
pub fn is_consistent((old, old_root): (u64, &Hash), (new, new_root): (u64, &Hash), proof: &[Hash]) -> bool {
    if old > new {
        return false;
    }
    if old == new || old == 0 {
        let is_empty = old > 0 || *old_root == empty_root();
        return proof.is_empty() && is_empty && (old != new || old_root == new_root);
    }
    let (first, rest) = match proof.split_first() {
        _ if old.is_power_of_two() => (old_root, proof),
        Some((first, rest)) => (first, rest),
        None => return false,
    };
    // Levels at which the old tree's last node is a right child are within the first hash.
    let skipped = (old - 1).trailing_ones();
    let (mut place, mut last) = ((old - 1) >> skipped, (new - 1) >> skipped);
    let (mut old_hash, mut new_hash) = (*first, *first);
    for sibling in rest {
        if last == 0 {
            return false;
        }
        if place & 1 == 1 || place == last {
            old_hash = node(sibling, &old_hash);
            new_hash = node(sibling, &new_hash);
            while place & 1 == 0 && place != 0 {
                place >>= 1;
                last >>= 1;
            }
        } else {
            new_hash = node(&new_hash, sibling);
        }
        place >>= 1;
        last >>= 1;
    }
    last == 0 && old_hash == *old_root && new_hash == *new_root
}

/// How many leaves are left of the root of a tree of more than one: the greatest power of two that is less.
const fn left_size(size: u64) -> u64 {
    1 << (u64::BITS - 1 - (size - 1).leading_zeros())
}

/// The hash over some leaves. Starts come from halving, so that each complete part is one subtree.
fn range<S: Subtrees>(source: &S, start: u64, end: u64) -> Result<Hash, S::Error> {
    let size = end - start;
    if size.is_power_of_two() {
        let level = size.trailing_zeros();
        return source.hash(level, start >> level);
    }
    let middle = start + left_size(size);
    Ok(node(&range(source, start, middle)?, &range(source, middle, end)?))
}
