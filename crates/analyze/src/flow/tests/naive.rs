//! The same questions, answered slowly.

use super::Question;
use crate::flow::{Capacity, Pipe};

/// The nodes that can be reached over the arcs that are left.
pub(super) fn reached(
    node_count: u32,
    arcs: &[(u32, u32)],
    sources: &[u32],
    is_left: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let mut is_reached = vec![false; node_count as usize];
    for source in sources {
        is_reached[*source as usize] = true;
    }
    loop {
        let is_way = |(number, (from, to)): (usize, &(u32, u32))| {
            (is_left(number) && is_reached[*from as usize] && !is_reached[*to as usize]).then_some(*to)
        };
        match arcs.iter().enumerate().find_map(is_way) {
            Some(node) => is_reached[node as usize] = true,
            None => return is_reached,
        }
    }
}

pub(super) fn arcs(pipes: &[Pipe]) -> Vec<(u32, u32)> {
    pipes.iter().map(|pipe| (pipe.from, pipe.to)).collect()
}

/// Whether no target is reached over the pipes that are left.
pub(super) fn is_separated(question: &Question, is_left: impl Fn(usize) -> bool) -> bool {
    let is_reached = reached(question.node_count, &arcs(&question.pipes), &question.sources, is_left);
    question.targets.iter().all(|target| !is_reached[*target as usize])
}

/// The least cost and the nodes that stay with the sources in every cut of that cost, by trying all sets of pipes.
pub(super) fn cheapest(question: &Question) -> Option<(u64, Vec<bool>)> {
    let pipes = &question.pipes;
    let all_arcs = arcs(pipes);
    let is_in = |set: u32, number: usize| set >> number & 1 == 1;
    let cost = |set: u32| {
        let members = pipes.iter().enumerate().filter(|(number, _)| is_in(set, *number));
        members
            .map(|(_, pipe)| match pipe.capacity {
                Capacity::Finite(cost) => Some(cost),
                Capacity::Infinite => None,
            })
            .sum::<Option<u64>>()
    };
    let mut best: Option<(u64, Vec<bool>)> = None;
    for set in 0..1_u32 << pipes.len() {
        let Some(cost) = cost(set).filter(|cost| best.as_ref().is_none_or(|(least, _)| cost <= least)) else {
            continue;
        };
        let side = reached(question.node_count, &all_arcs, &question.sources, |number| !is_in(set, number));
        if question.targets.iter().any(|target| side[*target as usize]) {
            continue;
        }
        best = match best {
            Some((least, shared)) if least == cost => {
                Some((cost, shared.iter().zip(&side).map(|(one, other)| *one && *other).collect()))
            }
            _ => Some((cost, side)),
        };
    }
    best
}

/// The largest flow by any augmenting path, or nothing when it has no bound.
pub(super) fn largest_flow(question: &Question) -> Option<u64> {
    const MUCH: u64 = 1 << 60;
    let mut left: Vec<[u64; 2]> = question
        .pipes
        .iter()
        .map(|pipe| match pipe.capacity {
            Capacity::Finite(amount) => [amount, 0],
            Capacity::Infinite => [MUCH, 0],
        })
        .collect();
    let mut value = 0;
    while let Some(path) = augmenting(question, &left) {
        let amount = path.iter().map(|(pipe, way)| left[*pipe][*way]).min().filter(|amount| *amount < MUCH / 2)?;
        for (pipe, way) in path {
            left[pipe][way] -= amount;
            left[pipe][1 - way] += amount;
        }
        value += amount;
    }
    Some(value)
}

/// A path over what is left of the pipes, along them (0) or against them (1).
fn augmenting(question: &Question, left: &[[u64; 2]]) -> Option<Vec<(usize, usize)>> {
    let mut ways: Vec<Option<Vec<(usize, usize)>>> = vec![None; question.node_count as usize];
    let mut stack = question.sources.clone();
    for source in &question.sources {
        ways[*source as usize] = Some(Vec::new());
    }
    while let Some(node) = stack.pop() {
        let way = ways[node as usize].clone()?;
        if question.targets.contains(&node) {
            return Some(way);
        }
        for (number, pipe) in question.pipes.iter().enumerate() {
            for (direction, from, to) in [(0, pipe.from, pipe.to), (1, pipe.to, pipe.from)] {
                if from == node && left[number][direction] > 0 && ways[to as usize].is_none() {
                    ways[to as usize] = Some(way.iter().copied().chain([(number, direction)]).collect());
                    stack.push(to);
                }
            }
        }
    }
    None
}
