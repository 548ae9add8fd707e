//! Searches against what the definitions say.

mod large;
mod naive;

use proptest::prelude::*;

use super::*;

/// A small graph with everything that is awkward: cycles, arcs from a node to itself, several between the same two, arcs
/// that cost nothing or count nothing, parts that do not hang together.
#[derive(Debug, Clone)]
struct Case {
    node_count: u32,
    arcs: Vec<Arc>,
    sources: Vec<u32>,
    targets: Vec<u32>,
    banned: Vec<bool>,
    max_hops: Option<u32>,
    by: By,
}

fn cases() -> impl Strategy<Value = Case> {
    (1_u32..12).prop_flat_map(|node_count| {
        let weight = prop_oneof![Just(0.0), Just(0.1), Just(0.2), Just(0.3), Just(1.0)];
        let arc = (0..node_count, 0..node_count, weight, prop_oneof![1 => Just(0_u8), 3 => Just(1_u8)]);
        let arcs = prop::collection::vec(arc, 0..26);
        let set = || prop::collection::vec(0..node_count, 0..3);
        let banned = prop::collection::vec(prop::bool::weighted(0.1), 26);
        let max_hops = prop::option::of(0_u32..5);
        let by = prop_oneof![Just(By::Hops), Just(By::Weight)];
        (arcs, set(), set(), banned, max_hops, by).prop_map(move |(arcs, sources, targets, banned, max_hops, by)| {
            let arcs = arcs.into_iter().map(|(from, to, weight, hops)| Arc { from, to, weight, hops }).collect();
            Case { node_count, arcs, sources, targets, banned, max_hops, by }
        })
    })
}

/// Asks something of the graph itself.
fn reached<T>(case: &Case, question: impl Fn(&Arcs, Allowed<'_>) -> T) -> T {
    let allowed = |arc: u32| !case.banned[arc as usize];
    question(&Arcs::new(case.node_count, &case.arcs), Allowed::Where(&allowed))
}

/// Asks for something with a workspace that another search has used.
fn ask<T>(case: &Case, question: impl Fn(&Arcs, &Query<'_>, &mut Workspace) -> T) -> T {
    let arcs = Arcs::new(case.node_count, &case.arcs);
    let allowed = |arc: u32| !case.banned[arc as usize];
    let query = Query {
        sources: &case.sources,
        targets: &case.targets,
        by: case.by,
        allowed: Allowed::Where(&allowed),
        max_hops: case.max_hops,
    };
    let mut space = Workspace::default();
    let turned = Query { sources: query.targets, targets: query.sources, ..query };
    best(&arcs, &turned, &mut space);
    question(&arcs, &query, &mut space)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn the_best_path_is_the_first_of_all(case in cases()) {
        prop_assert_eq!(ask(&case, best), naive::routes(&case).into_iter().next());
    }

    #[test]
    fn the_best_paths_are_the_first_of_all(case in cases(), count in 0_usize..12) {
        let expected: Vec<Route> = naive::routes(&case).into_iter().take(count).collect();
        prop_assert_eq!(ask(&case, |arcs, query, space| k_best(arcs, query, count, space)), expected);
    }

    #[test]
    fn all_paths_within_some_hops_are_given_in_order(case in cases(), limit in 0_usize..30) {
        let case = Case { by: By::Hops, ..case };
        let expected = naive::routes(&case);
        let most = Most { routes: limit, work: usize::MAX };
        let within = ask(&case, |arcs, query, space| all_within(arcs, query, most, space));
        prop_assert_eq!(within.is_complete, expected.len() <= limit);
        prop_assert_eq!(within.routes, &expected[..limit.min(expected.len())]);
    }

    #[test]
    fn a_search_that_may_not_go_on_gives_the_first_and_says_so(case in cases(), work in 0_usize..60) {
        let case = Case { by: By::Hops, ..case };
        let expected = naive::routes(&case);
        let most = Most { routes: usize::MAX, work };
        let within = ask(&case, |arcs, query, space| all_within(arcs, query, most, space));
        prop_assert_eq!(&within.routes[..], &expected[..within.routes.len()]);
        prop_assert!(!within.is_complete || within.routes.len() == expected.len());
    }

    #[test]
    fn rings_are_the_least_hops(case in cases(), direction in directions()) {
        let reached = reached(&case, |arcs, allowed| reach(arcs, &case.sources, direction, allowed, case.max_hops));
        let ringed: Vec<(u32, u32)> = reached.nodes.iter().map(|node| (node.hops, node.node)).collect();
        let expected = naive::lengths(&case, direction, |arc| u64::from(arc.hops));
        let mut expected: Vec<(u32, u32)> = expected.into_iter().map(|(node, hops)| (hops as u32, node)).collect();
        expected.retain(|(hops, _)| case.max_hops.is_none_or(|most| *hops <= most));
        expected.sort_unstable();
        prop_assert_eq!(ringed, expected);
        let numbers: Vec<u32> = reached.rings().map(|ring| ring[0].hops).collect();
        prop_assert_eq!(&numbers, &(0..numbers.len() as u32).collect::<Vec<u32>>());
        for node in &reached.nodes {
            let hops = |node: u32| reached.nodes.iter().find(|other| other.node == node).map(|node| node.hops);
            if let Some((arc, from)) = node.parent.map(|arc| naive::ends(&case, direction, arc, node.node)) {
                prop_assert_eq!(hops(from), Some(node.hops - u32::from(arc.hops)));
            } else {
                prop_assert!(case.sources.contains(&node.node));
            }
        }
    }

    #[test]
    fn costs_are_the_least(case in cases(), direction in directions()) {
        let found = reached(&case, |arcs, allowed| reach_by_cost(arcs, &case.sources, direction, allowed));
        prop_assert!(found.is_sorted_by_key(|node| (node.cost, node.hops)));
        let mut costs: Vec<(u32, u64)> = found.iter().map(|node| (node.node, node.cost)).collect();
        costs.sort_unstable();
        prop_assert_eq!(costs, naive::lengths(&case, direction, naive::cost));
        for node in &found {
            let cost = |node: u32| found.iter().find(|other| other.node == node).map(|node| (node.cost, node.hops));
            if let Some((arc, from)) = node.parent.map(|arc| naive::ends(&case, direction, arc, node.node)) {
                prop_assert_eq!(cost(from), Some((node.cost - naive::cost(&arc), node.hops - u32::from(arc.hops))));
            } else {
                prop_assert!(case.sources.contains(&node.node));
            }
        }
    }

    #[test]
    fn the_order_of_arcs_does_not_matter(case in cases(), seed in any::<u64>()) {
        let mut order: Vec<usize> = (0..case.arcs.len()).collect();
        order.sort_by_key(|place| (*place as u64 + 1).wrapping_mul(seed | 1));
        let arcs = order.iter().map(|place| case.arcs[*place]).collect();
        let banned = order.iter().map(|place| case.banned[*place]).collect();
        let shuffled = Case { arcs, banned, ..case.clone() };
        let nodes = |case: &Case| {
            let routes = ask(case, |arcs, query, space| k_best(arcs, query, 5, space));
            routes.into_iter().map(|route| (route.nodes, route.cost, route.hops)).collect::<Vec<_>>()
        };
        prop_assert_eq!(nodes(&case), nodes(&shuffled));
    }
}

fn directions() -> impl Strategy<Value = Direction> {
    prop_oneof![Just(Direction::Forward), Just(Direction::Backward)]
}
