use std::collections::BTreeMap;
use std::convert::Infallible;

use proptest::prelude::*;

use super::*;

/// The leaves that the implementations of RFC 6962 publish their known answers for.
const INPUTS: [&str; 8] =
    ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];

/// The roots over the first leaf, the first two and so on.
const ROOTS: [&str; 8] = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

/// A tree whose complete subtrees are kept as the frontier tells them.
#[derive(Default)]
struct Tree {
    frontier: Frontier,
    subtrees: BTreeMap<(u32, u64), Hash>,
}

impl Tree {
    fn of(leaves: impl IntoIterator<Item = Hash>) -> Self {
        let mut tree = Self::default();
        for leaf in leaves {
            let Self { frontier, subtrees } = &mut tree;
            frontier.append(leaf, |level, index, hash| assert_eq!(subtrees.insert((level, index), hash), None));
        }
        tree
    }
}

impl Subtrees for Tree {
    type Error = Infallible;

    fn hash(&self, level: u32, index: u64) -> Result<Hash, Infallible> {
        Ok(self.subtrees[&(level, index)])
    }
}

fn known_leaves() -> Vec<Hash> {
    let bytes = |text: &str| -> Vec<u8> {
        (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
    };
    INPUTS.iter().map(|input| leaf_of(&bytes(input))).collect()
}

/// The definition of RFC 6962, word for word.
fn naive(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => empty_root(),
        [leaf] => *leaf,
        _ => {
            let split = (1..).map(|bit| 1 << (bit - 1)).take_while(|size| *size < leaves.len()).last().unwrap();
            node(&naive(&leaves[..split]), &naive(&leaves[split..]))
        }
    }
}

fn numbered(count: u64) -> Vec<Hash> {
    (0..count).map(|number| leaf(&sha256(number.to_be_bytes()))).collect()
}

#[test]
fn roots_are_those_that_are_known() {
    let leaves = known_leaves();
    assert_eq!(empty_root().hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    for (size, root) in (1..).zip(ROOTS) {
        assert_eq!(Tree::of(leaves[..size].to_vec()).frontier.root().hex(), root, "{size}");
    }
}

#[test]
fn proofs_are_those_that_are_known() {
    let tree = Tree::of(known_leaves());
    let hex = |proof: Result<Option<Vec<Hash>>, Infallible>| -> Vec<String> {
        proof.unwrap().unwrap().iter().map(Hash::hex).collect()
    };
    assert_eq!(
        hex(inclusion_proof(&tree, 0, 8)),
        [
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ]
    );
    assert_eq!(
        hex(inclusion_proof(&tree, 5, 8)),
        [
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ]
    );
    assert_eq!(
        hex(consistency_proof(&tree, 6, 8)),
        [
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ]
    );
    assert_eq!(hex(consistency_proof(&tree, 1, 1)), [""; 0]);
}

#[test]
fn what_is_not_in_a_tree_has_no_proof() {
    let tree = Tree::of(numbered(5));
    assert_eq!(inclusion_proof(&tree, 5, 5), Ok(None));
    assert_eq!(consistency_proof(&tree, 6, 5), Ok(None));
    let leaves = numbered(5);
    assert!(!is_included(&leaves[0], 5, 5, &[], &naive(&leaves)));
    assert!(!is_consistent((6, &naive(&leaves)), (5, &naive(&leaves)), &[]));
    assert!(!is_consistent((0, &naive(&leaves)), (5, &naive(&leaves)), &[]), "an empty tree has one root");
    assert!(is_consistent((0, &empty_root()), (5, &naive(&leaves)), &[]));
    assert!(!is_consistent((3, &naive(&leaves[..3])), (5, &naive(&leaves)), &[]));
}

#[test]
fn a_damaged_edge_is_refused() {
    let edge = Tree::of(numbered(6)).frontier;
    let bytes = edge.to_bytes();
    assert_eq!(Frontier::from_bytes(&bytes), Ok(edge));
    for wrong in [&bytes[1..], &bytes[..bytes.len() - 1], &bytes[..bytes.len() - 32], &[]] {
        assert_eq!(Frontier::from_bytes(wrong), Err(BadFrontier));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_leaf_can_be_proved_and_nothing_else(size in 1_u64..70, index in 0_u64..70, wrong in 0_u64..70, bit in 0_usize..256) {
        let index = index % size;
        let leaves = numbered(size);
        let tree = Tree::of(leaves.clone());
        let root = naive(&leaves);
        prop_assert_eq!(tree.frontier.root(), root);
        let proof = inclusion_proof(&tree, index, size).unwrap().unwrap();
        let leaf = leaves[index as usize];
        prop_assert!(is_included(&leaf, index, size, &proof, &root));
        let wrong = wrong % size;
        prop_assert_eq!(is_included(&leaf, wrong, size, &proof, &root), wrong == index);
        let longer: Vec<Hash> = proof.iter().copied().chain([root]).collect();
        prop_assert!(!is_included(&leaf, index, size, &longer, &root));
        if let Some((_, shorter)) = proof.split_last() {
            prop_assert!(!is_included(&leaf, index, size, shorter, &root));
            let mut bent = proof.clone();
            bent[bit % proof.len()].0[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(!is_included(&leaf, index, size, &bent, &root));
        }
    }

    #[test]
    fn every_beginning_can_be_proved_and_nothing_else(new in 1_u64..70, old in 0_u64..70, bit in 0_usize..256) {
        let old = old % (new + 1);
        let leaves = numbered(new);
        let tree = Tree::of(leaves.clone());
        let (old_root, new_root) = (naive(&leaves[..old as usize]), naive(&leaves));
        let proof = consistency_proof(&tree, old, new).unwrap().unwrap();
        prop_assert!(is_consistent((old, &old_root), (new, &new_root), &proof));
        let longer: Vec<Hash> = proof.iter().copied().chain([new_root]).collect();
        prop_assert!(!is_consistent((old, &old_root), (new, &new_root), &longer));
        let mut other = leaves.clone();
        if old > 0 && old < new {
            other[old as usize - 1] = sha256("rewritten");
            prop_assert!(!is_consistent((old, &naive(&other[..old as usize])), (new, &new_root), &proof));
            let mut bent = proof.clone();
            bent[bit % proof.len()].0[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(!is_consistent((old, &old_root), (new, &new_root), &bent));
        }
    }

    #[test]
    fn a_stored_edge_goes_on_where_it_was(size in 0_u64..200, more in 0_u64..20) {
        let leaves = numbered(size + more);
        let edge = Tree::of(leaves[..size as usize].to_vec()).frontier;
        let mut edge = Frontier::from_bytes(&edge.to_bytes()).unwrap();
        leaves[size as usize..].iter().for_each(|leaf| edge.append(*leaf, |_, _, _| ()));
        prop_assert_eq!(edge.size(), size + more);
        prop_assert_eq!(edge.root(), naive(&leaves));
    }
}
