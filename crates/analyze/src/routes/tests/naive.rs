//! The definitions, done as they read: every way along arcs that visits no node twice, then put in order.

use std::collections::BTreeMap;

use super::super::{Arc, By, COST_OF_ONE, Direction, Route};
use super::Case;

/// Cost and hops in the order that counts, then arcs.
fn key(by: By, route: &Route) -> (u64, u64, usize) {
    let (cost, hops) = (route.cost, u64::from(route.hops));
    match by {
        By::Hops => (hops, cost, route.arcs.len()),
        By::Weight => (cost, hops, route.arcs.len()),
    }
}

/// All paths in order, each with the arcs that make it best.
pub(super) fn routes(case: &Case) -> Vec<Route> {
    let mut all = Vec::new();
    let mut sources = case.sources.clone();
    sources.sort_unstable();
    sources.dedup();
    for source in sources {
        extend(case, Route { nodes: vec![source], arcs: Vec::new(), cost: 0, hops: 0 }, &mut all);
    }
    all.retain(|route| case.max_hops.is_none_or(|most| route.hops <= most));
    let mut by_nodes: BTreeMap<Vec<u32>, Route> = BTreeMap::new();
    for route in all {
        let order = |route: &Route| (key(case.by, route), route.arcs.clone());
        let kept = by_nodes.entry(route.nodes.clone()).or_insert_with(|| route.clone());
        if order(&route) < order(kept) {
            *kept = route;
        }
    }
    let mut routes: Vec<Route> = by_nodes.into_values().collect();
    routes.sort_by_key(|route| (key(case.by, route), route.nodes.clone()));
    routes
}

fn extend(case: &Case, route: Route, all: &mut Vec<Route>) {
    let last = *route.nodes.last().unwrap();
    if case.targets.contains(&last) {
        all.push(route.clone());
    }
    for (number, arc) in (0..).zip(&case.arcs) {
        if arc.from == last && !case.banned[number as usize] && !route.nodes.contains(&arc.to) {
            let mut longer = route.clone();
            longer.nodes.push(arc.to);
            longer.arcs.push(number);
            longer.cost += cost(arc);
            longer.hops += u32::from(arc.hops);
            extend(case, longer, all);
        }
    }
}

pub(super) fn cost(arc: &Arc) -> u64 {
    (arc.weight * COST_OF_ONE as f64).round() as u64
}

/// The least sum over arcs from the sources to each node, by going over all arcs until nothing changes. By node.
pub(super) fn lengths(case: &Case, direction: Direction, of: impl Fn(&Arc) -> u64) -> Vec<(u32, u64)> {
    let mut lengths: BTreeMap<u32, u64> = case.sources.iter().map(|node| (*node, 0)).collect();
    for _ in 0..=case.node_count {
        for (arc, _) in case.arcs.iter().zip(&case.banned).filter(|(_, is_banned)| !**is_banned) {
            let (near, far) = match direction {
                Direction::Forward => (arc.from, arc.to),
                Direction::Backward => (arc.to, arc.from),
            };
            if let Some(length) = lengths.get(&near).map(|length| length + of(arc)) {
                let known = lengths.entry(far).or_insert(length);
                *known = length.min(*known);
            }
        }
    }
    lengths.into_iter().collect()
}

/// The arc by which a node is reached, which must be one that may be taken, and where it comes from.
pub(super) fn ends(case: &Case, direction: Direction, number: u32, node: u32) -> (Arc, u32) {
    assert!(!case.banned[number as usize]);
    let arc = case.arcs[number as usize];
    let (near, far) = match direction {
        Direction::Forward => (arc.from, arc.to),
        Direction::Backward => (arc.to, arc.from),
    };
    assert_eq!(far, node);
    (arc, near)
}
