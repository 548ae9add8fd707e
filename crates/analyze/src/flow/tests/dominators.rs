//! Nodes and arcs that no path avoids.

use proptest::prelude::*;

use super::naive::{arcs, reached};
use super::{Question, question};
use crate::flow::{Dominators, FlowError};

#[test]
fn both_ways_of_a_diamond_come_together() {
    let arcs = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 5), (4, 1)];
    let found = Dominators::new(7, &arcs, &[0]).unwrap();
    assert_eq!(found.dominators_of(5), [0, 1, 4, 5]);
    assert_eq!(found.arcs_to(5), [0, 5]);
    assert_eq!(found.shared_by(&[2, 3, 6]), [0, 1]);
    assert_eq!(found.arcs_shared_by(&[2, 3, 6]), [0]);
    assert_eq!((found.immediate(4), found.immediate(0), found.immediate(6)), (Some(1), None, None));
    assert!(found.is_reached(5) && !found.is_reached(6) && !found.is_reached(99));
    assert!(found.dominators_of(6).is_empty() && found.shared_by(&[6]).is_empty());
}

#[test]
fn parallel_arcs_stand_in_for_each_other() {
    let found = Dominators::new(3, &[(0, 1), (0, 1), (1, 2), (2, 2)], &[0]).unwrap();
    assert_eq!((found.dominators_of(2), found.arcs_to(2)), (vec![0, 1, 2], vec![2]));
}

#[test]
fn a_long_chain_and_a_million_arcs_at_one_node() {
    let length = 200_000;
    let chain = (0..length).map(|node| (node, node + 1));
    let wide = (0..500_000).flat_map(|leaf| [(length, length + 1 + leaf), (length + 1 + leaf, 0)]);
    let arcs: Vec<(u32, u32)> = chain.chain(wide).collect();
    let found = Dominators::new(length + 500_001, &arcs, &[0]).unwrap();
    assert_eq!(found.dominators_of(length + 7).len(), length as usize + 2);
    assert_eq!(found.arcs_shared_by(&[length + 1, length + 2]).len(), length as usize);
}

#[test]
fn what_does_not_exist_is_refused() {
    let refused = Some(FlowError::NoSuchNode { node: 2, node_count: 2 });
    assert_eq!(Dominators::new(2, &[(0, 2)], &[0]).err(), refused);
    assert_eq!(Dominators::new(2, &[(0, 1)], &[2]).err(), refused);
    assert!(Dominators::new(0, &[], &[]).unwrap().shared_by(&[]).is_empty());
}

/// The nodes and the arcs without which none of the targets that are reached would be, by taking each away.
fn naive(question: &Question, targets: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let (count, all) = (question.node_count, arcs(&question.pipes));
    let is_reached = reached(count, &all, &question.sources, |_| true);
    let targets: Vec<u32> = targets.iter().copied().filter(|target| is_reached[*target as usize]).collect();
    if targets.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let needs_node = |node: u32| {
        let sources: Vec<u32> = question.sources.iter().copied().filter(|source| *source != node).collect();
        let left = reached(count, &all, &sources, |number| all[number].0 != node && all[number].1 != node);
        targets.iter().all(|target| !left[*target as usize])
    };
    let needs_arc = |arc: u32| {
        let left = reached(count, &all, &question.sources, |number| number != arc as usize);
        targets.iter().all(|target| !left[*target as usize])
    };
    let nodes = (0..count).filter(|node| needs_node(*node)).collect();
    (nodes, (0..all.len() as u32).filter(|arc| needs_arc(*arc)).collect())
}

fn sorted(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn they_are_those_whose_removal_cuts_off(question in question(10, 24)) {
        let found = Dominators::new(question.node_count, &arcs(&question.pipes), &question.sources).unwrap();
        for node in 0..question.node_count {
            let (nodes, arcs) = naive(&question, &[node]);
            prop_assert_eq!(sorted(found.dominators_of(node)), nodes);
            prop_assert_eq!(sorted(found.arcs_to(node)), arcs);
        }
        let (nodes, arcs) = naive(&question, &question.targets);
        prop_assert_eq!(sorted(found.shared_by(&question.targets)), nodes);
        prop_assert_eq!(sorted(found.arcs_shared_by(&question.targets)), arcs);
    }

    #[test]
    fn they_stand_in_the_order_of_the_path(question in question(10, 24)) {
        let found = Dominators::new(question.node_count, &arcs(&question.pipes), &question.sources).unwrap();
        for node in 0..question.node_count {
            let chain = found.dominators_of(node);
            for (position, dominator) in chain.iter().enumerate() {
                prop_assert_eq!(&found.dominators_of(*dominator)[..], &chain[..=position]);
            }
            let places: Vec<usize> = found.arcs_to(node).iter().map(|arc| {
                let entered = question.pipes[*arc as usize].to;
                chain.iter().position(|dominator| *dominator == entered).unwrap()
            }).collect();
            prop_assert!(places.is_sorted());
        }
    }
}
