//! Cuts of nodes.

use proptest::prelude::*;

use super::naive::{arcs, reached};
use super::{Question, capacity, finite, infinite, question};
use crate::flow::{Capacity, Certificate, Ends, FlowError, SplitNodes};

/// The nodes and arcs of the cheapest cut, and its cost.
fn cut(capacities: &[Capacity], question: &Question) -> Result<(Vec<u32>, Vec<u32>, u64), FlowError> {
    let split = SplitNodes::new(capacities, &question.pipes)?;
    let (sources, targets) = (split.sources(&question.sources)?, split.targets(&question.targets)?);
    let ends = Ends { sources: &sources, targets: &targets };
    let found = Certificate::find(split.network(), ends)?;
    assert_eq!(found.check(split.network(), ends), Ok(()));
    let nodes = found.cut.iter().filter_map(|pipe| split.node_of(*pipe)).collect();
    let arcs = found.cut.iter().filter_map(|pipe| split.arc_of(*pipe)).collect();
    Ok((nodes, arcs, found.cost))
}

/// The least cost of nodes without which no target is reached, by trying all sets.
fn cheapest(capacities: &[Capacity], question: &Question) -> Option<u64> {
    let all_arcs = arcs(&question.pipes);
    let costs = (0..1_u32 << capacities.len()).filter_map(|set| {
        let is_out = |node: u32| set >> node & 1 == 1;
        let members = (0..).zip(capacities).filter(|(node, _)| is_out(*node));
        let cost: Option<u64> = members
            .map(|(_, capacity)| match capacity {
                Capacity::Finite(cost) => Some(*cost),
                Capacity::Infinite => None,
            })
            .sum();
        let sources: Vec<u32> = question.sources.iter().copied().filter(|source| !is_out(*source)).collect();
        let is_left = |number: usize| !is_out(all_arcs[number].0) && !is_out(all_arcs[number].1);
        let is_reached = reached(question.node_count, &all_arcs, &sources, is_left);
        let is_cut = question.targets.iter().all(|target| is_out(*target) || !is_reached[*target as usize]);
        cost.filter(|_| is_cut)
    });
    costs.min()
}

#[test]
fn a_node_and_an_arc_can_be_cut_together() {
    let pipes = vec![infinite(0, 1), infinite(1, 2), finite(0, 2, 4)];
    let question = Question { node_count: 3, pipes, sources: vec![0], targets: vec![2] };
    let capacities = [Capacity::Infinite, Capacity::Finite(3), Capacity::Infinite];
    assert_eq!(cut(&capacities, &question), Ok((vec![1], vec![2], 7)));
}

#[test]
fn a_source_that_is_a_target_is_cut_itself() {
    let question = Question { node_count: 1, pipes: Vec::new(), sources: vec![0], targets: vec![0] };
    assert_eq!(cut(&[Capacity::Finite(2)], &question), Ok((vec![0], Vec::new(), 2)));
}

#[test]
fn what_does_not_exist_is_refused() {
    let refused = |node| Some(FlowError::NoSuchNode { node, node_count: 1 });
    let capacities = [Capacity::Finite(1)];
    assert_eq!(SplitNodes::new(&capacities, &[infinite(0, 1)]).err(), refused(1));
    let split = SplitNodes::new(&capacities, &[]).unwrap();
    assert_eq!((split.sources(&[3]).err(), split.targets(&[1]).err()), (refused(3), refused(1)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_nodes_are_the_cheapest_of_all(
        mut question in question(7, 20),
        capacities in prop::collection::vec(capacity(), 7),
    ) {
        for pipe in &mut question.pipes {
            pipe.capacity = Capacity::Infinite;
        }
        let capacities = &capacities[..question.node_count as usize];
        let expected = cheapest(capacities, &question);
        match cut(capacities, &question) {
            Ok((_, arcs, cost)) => prop_assert_eq!((Some(cost), arcs.len()), (expected, 0)),
            Err(FlowError::NoFiniteCut { .. }) => prop_assert_eq!(None, expected),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}
