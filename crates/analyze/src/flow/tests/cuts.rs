//! Cuts of pipes.

use proptest::prelude::*;

use super::naive::{arcs, cheapest, is_separated, largest_flow, reached};
use super::{Question, finite, infinite, question};
use crate::flow::{Capacity, Certificate, Ends, Flaw, FlowError, FlowNetwork, Pipe, max_flow};

/// The cheapest cut and its cost, proved.
fn check(node_count: u32, pipes: &[Pipe], ends: [&[u32]; 2], (cut, cost): (&[u32], u64)) {
    let network = FlowNetwork::new(node_count, pipes.to_vec()).unwrap();
    let ends = Ends { sources: ends[0], targets: ends[1] };
    let certificate = Certificate::find(&network, ends).unwrap();
    assert_eq!(certificate.check(&network, ends), Ok(()));
    assert_eq!((&certificate.cut[..], certificate.cost), (cut, cost));
}

/// Nothing of finite cost cuts, for this path.
fn check_uncut(node_count: u32, pipes: &[Pipe], ends: [&[u32]; 2], (start, path): (u32, &[u32])) {
    let network = FlowNetwork::new(node_count, pipes.to_vec()).unwrap();
    let found = Certificate::find(&network, Ends { sources: ends[0], targets: ends[1] });
    assert_eq!(found, Err(FlowError::NoFiniteCut { start, path: path.to_vec() }));
}

#[test]
fn the_cheaper_of_two_levels_is_cut() {
    let pipes = [finite(0, 2, 2), finite(1, 2, 2), finite(2, 3, 3)];
    check(4, &pipes, [&[0, 1], &[3]], (&[2], 3));
}

#[test]
fn of_equal_cuts_the_one_nearest_to_the_sources_is_taken() {
    let pipes = [finite(2, 3, 1), finite(1, 2, 1), finite(0, 1, 1)];
    check(4, &pipes, [&[0], &[3]], (&[2], 1));
}

#[test]
fn flow_is_led_back_where_a_greedy_way_blocks() {
    let pipes = [finite(0, 1, 1), finite(0, 2, 1), finite(1, 2, 1), finite(1, 3, 1), finite(2, 3, 1)];
    check(4, &pipes, [&[0], &[3]], (&[0, 1], 2));
}

#[test]
fn the_side_of_the_sources_goes_back_along_flow() {
    // Node 1 is on that side only because what flows from it to 2 could come over 4 instead.
    let first = [finite(0, 1, 1), finite(1, 2, 1), finite(2, 3, 1), finite(0, 4, 5)];
    let second = [finite(4, 2, 5), finite(1, 5, 1), finite(0, 5, 1), finite(5, 3, 1)];
    check(6, &[first, second].concat(), [&[0], &[3]], (&[2, 7], 2));
}

#[test]
fn flow_that_goes_round_is_in_no_path() {
    // The first way goes from 1 to 2, the second from 2 to 1 over the opposite pipe.
    let ways = [[0, 1], [1, 2], [2, 3], [0, 4], [4, 5], [5, 2], [1, 6], [6, 7], [7, 3]];
    let pipes: Vec<Pipe> = [[2, 1]].iter().chain(&ways).map(|[from, to]| finite(*from, *to, 1)).collect();
    let network = FlowNetwork::new(8, pipes).unwrap();
    let flow = max_flow(&network, Ends { sources: &[0], targets: &[3] }).unwrap();
    assert_eq!(flow.on_pipe(), [1; 10]);
    let paths: Vec<Vec<u32>> = flow.paths().map(|path| path.pipes).collect();
    assert_eq!(paths, [[1, 7, 8, 9], [4, 5, 6, 3]]);
}

#[test]
fn loops_cycles_and_parallel_pipes_are_no_trouble() {
    let pipes = [finite(0, 0, 9), finite(0, 1, 1), finite(0, 1, 2), finite(1, 0, 7), finite(1, 2, 9), infinite(2, 1)];
    check(3, &pipes, [&[0], &[2]], (&[1, 2], 3));
}

#[test]
fn nothing_is_cut_where_no_path_is() {
    check(3, &[finite(1, 0, 1), finite(2, 1, 1)], [&[0], &[2]], (&[], 0));
    check(3, &[finite(0, 1, 1)], [&[], &[1]], (&[], 0));
    check(3, &[finite(0, 1, 1)], [&[0], &[]], (&[], 0));
    check(0, &[], [&[], &[]], (&[], 0));
}

#[test]
fn a_source_that_is_a_target_cannot_be_cut_off() {
    check_uncut(2, &[finite(0, 1, 1)], [&[0, 1], &[1]], (1, &[]));
}

#[test]
fn the_shortest_way_that_cannot_be_cut_is_told() {
    let pipes = [infinite(0, 1), infinite(1, 2), infinite(2, 3), finite(0, 3, 1), infinite(1, 3)];
    check_uncut(4, &pipes, [&[0], &[3]], (0, &[0, 4]));
}

#[test]
fn a_free_pipe_is_cut_where_it_connects_and_left_where_it_leads_nowhere() {
    let pipes = [finite(0, 1, 0), finite(0, 2, 0), finite(1, 3, 5)];
    check(4, &pipes, [&[0], &[3]], (&[0], 0));
}

#[test]
fn infinite_pipes_carry_whatever_is_asked() {
    let most = u64::MAX / 2 - 1;
    check(4, &[infinite(0, 1), finite(1, 2, most), infinite(2, 3)], [&[0], &[3]], (&[1], most));
}

#[test]
fn a_million_pipes_at_one_node() {
    let count = 500_000;
    let (out, back) = ((1..=count).map(|node| finite(0, node, 1)), (1..=count).map(|node| infinite(node, count + 1)));
    let network = FlowNetwork::new(count + 2, out.chain(back).collect()).unwrap();
    let flow = max_flow(&network, Ends { sources: &[0], targets: &[count + 1] }).unwrap();
    assert_eq!((flow.value(), flow.cut().pipes.len()), (u64::from(count), count as usize));
    assert_eq!(flow.paths().count(), count as usize);
}

#[test]
fn a_long_way_before_a_wide_place_is_walked_once() {
    // A walk that begins again for each pipe of the wide place would take ten thousand million steps.
    let count = 100_000;
    let way = (0..count).map(|node| infinite(node, node + 1));
    let network =
        FlowNetwork::new(count + 2, way.chain((0..count).map(|_| finite(count, count + 1, 1))).collect()).unwrap();
    let flow = max_flow(&network, Ends { sources: &[0], targets: &[count + 1] }).unwrap();
    assert_eq!((flow.value(), flow.cut().cost), (u64::from(count), u64::from(count)));
    assert_eq!(flow.paths().next().map(|path| (path.amount, path.pipes.len())), Some((1, count as usize + 1)));
}

#[test]
fn what_does_not_exist_is_refused() {
    let refused = |node| Some(FlowError::NoSuchNode { node, node_count: 2 });
    assert_eq!(FlowNetwork::new(2, vec![finite(0, 2, 1)]).err(), refused(2));
    let network = FlowNetwork::new(2, vec![finite(0, 1, 1)]).unwrap();
    assert_eq!(max_flow(&network, Ends { sources: &[7], targets: &[1] }).err(), refused(7));
    assert_eq!(max_flow(&network, Ends { sources: &[0], targets: &[8] }).err(), refused(8));
}

#[test]
fn costs_that_cannot_be_added_up_are_refused() {
    let pipes = vec![finite(0, 1, u64::MAX / 2 - 1), finite(0, 1, 1)];
    assert_eq!(FlowNetwork::new(2, pipes).err(), Some(FlowError::TooLarge));
    assert_eq!(FlowNetwork::new(2, vec![finite(0, 1, u64::MAX), finite(0, 1, 1)]).err(), Some(FlowError::TooLarge));
}

/// A certificate of the chain 0 → 1 → 2 beside the pipe 0 → 2, spoiled.
fn check_flaw(spoil: impl FnOnce(&mut Certificate), expected: Flaw) {
    let pipes = vec![finite(0, 1, 2), finite(1, 2, 3), finite(0, 2, 1), infinite(2, 0)];
    let network = FlowNetwork::new(3, pipes).unwrap();
    let ends = Ends { sources: &[0], targets: &[2] };
    let mut certificate = Certificate::find(&network, ends).unwrap();
    assert_eq!((certificate.check(&network, ends), &certificate.cut[..]), (Ok(()), &[0, 2][..]));
    spoil(&mut certificate);
    assert_eq!(certificate.check(&network, ends), Err(expected));
}

#[test]
fn each_flaw_of_a_certificate_is_named() {
    check_flaw(|spoiled| spoiled.cost += 1, Flaw::Cost { stated: 4, actual: 3 });
    check_flaw(|spoiled| spoiled.cut = vec![2, 0], Flaw::OutOfOrder(0));
    check_flaw(|spoiled| spoiled.cut.push(2), Flaw::OutOfOrder(2));
    check_flaw(|spoiled| spoiled.cut.push(3), Flaw::Infinite(3));
    check_flaw(|spoiled| spoiled.cut.push(9), Flaw::NoSuchPipe(9));
    check_flaw(|spoiled| (spoiled.cut, spoiled.cost) = (vec![1], 3), Flaw::NotSeparated(2));
    check_flaw(|spoiled| (spoiled.cut, spoiled.cost) = (vec![1, 2], 4), Flaw::Value { stated: 4, actual: 3 });
    check_flaw(|spoiled| spoiled.paths[1].amount += 1, Flaw::Overloaded(2));
    check_flaw(|spoiled| spoiled.paths[0].pipes = vec![1], Flaw::NoPath(0));
    check_flaw(|spoiled| spoiled.paths[0].pipes = vec![0], Flaw::NoPath(0));
    check_flaw(|spoiled| spoiled.paths[0].pipes = vec![0, 2], Flaw::NoPath(0));
    check_flaw(|spoiled| spoiled.paths[0].pipes.clear(), Flaw::NoPath(0));
    check_flaw(|spoiled| spoiled.paths[0].pipes = vec![9], Flaw::NoSuchPipe(9));
    check_flaw(|spoiled| _ = spoiled.paths.pop(), Flaw::Value { stated: 3, actual: 2 });
}

/// The pipes out of the side of the sources from which a target is reached without coming back.
fn cut_around(question: &Question, side: &[bool]) -> Vec<u32> {
    let all_arcs = arcs(&question.pipes);
    let leads_on = |node: u32| {
        let is_outside = |number: usize| !side[all_arcs[number].0 as usize] && !side[all_arcs[number].1 as usize];
        let is_reached = reached(question.node_count, &all_arcs, &[node], is_outside);
        question.targets.iter().any(|target| is_reached[*target as usize])
    };
    let crosses = |(from, to): (u32, u32)| side[from as usize] && !side[to as usize] && leads_on(to);
    (0..).zip(all_arcs.clone()).filter(|(_, arc)| crosses(*arc)).map(|(number, _)| number).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_cut_is_the_cheapest_of_all_and_nearest_to_the_sources(question in question(6, 9)) {
        let network = question.network();
        let found = Certificate::find(&network, question.ends()).ok();
        let expected = cheapest(&question).map(|(cost, side)| (cost, cut_around(&question, &side)));
        prop_assert_eq!(found.map(|found| (found.cost, found.cut)), expected);
    }

    #[test]
    fn flow_cut_and_paths_agree_with_a_plain_search(question in question(12, 60)) {
        let network = question.network();
        let expected = largest_flow(&question);
        match Certificate::find(&network, question.ends()) {
            Ok(found) => {
                prop_assert_eq!(Some(found.cost), expected);
                prop_assert_eq!(found.check(&network, question.ends()), Ok(()));
                prop_assert!(found.paths.len() <= question.pipes.len());
                for back in &found.cut {
                    let is_left = |number: usize| number == *back as usize || !found.cut.contains(&(number as u32));
                    prop_assert!(!is_separated(&question, is_left), "pipe {} is superfluous", back);
                }
            }
            Err(FlowError::NoFiniteCut { start, path }) => {
                prop_assert_eq!(None, expected);
                let mut at = start;
                for pipe in path.iter().map(|number| question.pipes[*number as usize]) {
                    prop_assert_eq!((pipe.from, pipe.capacity), (at, Capacity::Infinite));
                    at = pipe.to;
                }
                prop_assert!(question.sources.contains(&start) && question.targets.contains(&at));
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn flow_is_kept_at_every_node(question in question(12, 60)) {
        let network = question.network();
        let Ok(flow) = max_flow(&network, question.ends()) else { return Ok(()) };
        let mut balance = vec![0_i128; question.node_count as usize];
        for (pipe, amount) in question.pipes.iter().zip(flow.on_pipe()) {
            prop_assert!(*amount <= pipe.capacity.amount());
            balance[pipe.from as usize] += i128::from(*amount);
            balance[pipe.to as usize] -= i128::from(*amount);
            let is_backwards = question.sources.contains(&pipe.to) || question.targets.contains(&pipe.from);
            prop_assert!(*amount == 0 || !is_backwards);
        }
        let given: i128 = balance.iter().filter(|balance| **balance > 0).sum();
        prop_assert_eq!(given, i128::from(flow.value()));
        let is_end = |node: u32| question.sources.contains(&node) || question.targets.contains(&node);
        prop_assert!((0..).zip(&balance).all(|(node, balance)| is_end(node) || *balance == 0));
    }

    #[test]
    fn the_order_of_the_ends_does_not_matter(question in question(12, 60)) {
        let network = question.network();
        let turned = |ends: &[u32]| -> Vec<u32> { ends.iter().rev().chain(ends).copied().collect() };
        let (sources, targets) = (turned(&question.sources), turned(&question.targets));
        let other = Certificate::find(&network, Ends { sources: &sources, targets: &targets });
        prop_assert_eq!(Certificate::find(&network, question.ends()), other);
    }

    #[test]
    fn a_spoiled_certificate_is_refused(question in question(8, 40), kind in 0..7, at: prop::sample::Index) {
        let network = question.network();
        let Ok(found) = Certificate::find(&network, question.ends()) else { return Ok(()) };
        let mut spoiled = found.clone();
        if kind == 0 {
            spoiled.cost += 1;
        } else if kind == 1 && !found.cut.is_empty() {
            spoiled.cut.remove(at.index(found.cut.len()));
        } else if !found.paths.is_empty() {
            let path = at.index(found.paths.len());
            match kind {
                2 => spoiled.paths[path].amount += 1,
                3 => spoiled.paths[path].amount -= 1,
                4 => _ = spoiled.paths.remove(path),
                5 => spoiled.paths.push(found.paths[path].clone()),
                _ => _ = spoiled.paths[path].pipes.pop(),
            }
        }
        prop_assert!(spoiled == found || spoiled.check(&network, question.ends()).is_err());
    }
}
