//! Graphs too large for the definitions: bad shapes, and larger random ones against the search of everything.

use super::*;

fn arc(from: u32, to: u32, weight: f64) -> Arc {
    Arc { from, to, weight, hops: 1 }
}

fn between<'a>(sources: &'a [u32], targets: &'a [u32], by: By) -> Query<'a> {
    Query { sources, targets, by, allowed: Allowed::Every, max_hops: None }
}

#[test]
fn nothing_is_found_between_empty_sets_and_nodes_that_do_not_exist() {
    let arcs = Arcs::new(2, &[arc(0, 1, 0.5), arc(0, 7, 0.5)]);
    assert_eq!(arcs.arc_count(), 1);
    let mut space = Workspace::default();
    for (sources, targets) in [(&[][..], &[1][..]), (&[0], &[]), (&[], &[]), (&[9], &[1]), (&[0], &[9]), (&[9], &[9])] {
        let query = between(sources, targets, By::Weight);
        assert_eq!(best(&arcs, &query, &mut space), None);
        assert_eq!(k_best(&arcs, &query, 3, &mut space), []);
        let within = all_within(&arcs, &query, Most { routes: 3, work: 100 }, &mut space);
        assert_eq!(within, Within { routes: Vec::new(), is_complete: true });
    }
    assert_eq!(reach(&arcs, &[9], Direction::Forward, Allowed::Every, None), Reached::default());
    assert_eq!(reach_by_cost(&arcs, &[9], Direction::Forward, Allowed::Every), []);
    let nowhere = Arcs::default();
    assert_eq!(best(&nowhere, &between(&[0], &[0], By::Hops), &mut space), None);
}

#[test]
fn a_source_that_is_a_target_is_its_own_path() {
    let arcs = Arcs::new(2, &[arc(0, 0, 0.0), arc(0, 1, 0.0), arc(1, 0, 0.0)]);
    let route = best(&arcs, &between(&[0], &[0], By::Weight), &mut Workspace::default());
    assert_eq!(route, Some(Route { nodes: vec![0], arcs: Vec::new(), cost: 0, hops: 0 }));
}

#[test]
fn a_million_arcs_at_a_node_on_the_way() {
    // 0 -> 1, 1 -> everything, everything -> 2.
    let count = 1_000_000;
    let mut list = vec![arc(0, 1, 0.1)];
    list.extend((3..count).map(|node| arc(1, node, 0.5)));
    list.extend((3..count).map(|node| arc(node, 2, 0.5)));
    // The last is the only better one.
    list.push(arc(1, count - 1, 0.4));
    let arcs = Arcs::new(count, &list);
    let route = best(&arcs, &between(&[0], &[2], By::Weight), &mut Workspace::default()).unwrap();
    assert_eq!((route.nodes, route.cost), (vec![0, 1, count - 1, 2], 1_000_000));
}

#[test]
fn many_arcs_between_the_same_nodes_are_one_path() {
    let list: Vec<Arc> = (0..100_000).map(|number| arc(0, 1, if number == 77 { 0.2 } else { 0.3 })).collect();
    let arcs = Arcs::new(2, &list);
    let routes = k_best(&arcs, &between(&[0], &[1], By::Weight), 5, &mut Workspace::default());
    assert_eq!(routes, [Route { nodes: vec![0, 1], arcs: vec![77], cost: 200_000, hops: 1 }]);
}

#[test]
fn a_path_may_be_very_long() {
    let count = 70_000;
    let list: Vec<Arc> = (1..count).map(|node| arc(node - 1, node, 1.0)).collect();
    let arcs = Arcs::new(count, &list);
    for by in [By::Weight, By::Hops] {
        let route = best(&arcs, &between(&[0], &[count - 1], by), &mut Workspace::default()).unwrap();
        assert_eq!((route.cost, route.hops), (u64::from(count - 1) * COST_OF_ONE, count - 1));
        assert!(route.arcs.iter().copied().eq(0..count - 1));
    }
}

#[test]
fn all_paths_through_a_tangle_that_costs_nothing_stop_at_the_budget() {
    let join = |from: u32, to: u32| Arc { from, to, weight: 0.0, hops: 0 };
    let list: Vec<Arc> = (0..60).flat_map(|from| (0..60).map(move |to| join(from, to))).collect();
    let arcs = Arcs::new(60, &list);
    let query = Query { max_hops: Some(1), ..between(&[0], &[59], By::Hops) };
    let mut space = Workspace::default();
    let within = all_within(&arcs, &query, Most { routes: usize::MAX, work: 100_000 }, &mut space);
    assert!(!within.is_complete);
    assert!(within.routes.len() > 10);
    assert_eq!(within.routes[0].nodes, [0, 59]);
    assert_eq!(within.routes[1].nodes, [0, 1, 59]);
}

/// As many arcs as make a graph of a few thousand nodes hang together, with many equal lengths.
fn random_arcs(node_count: u32) -> impl Strategy<Value = Vec<Arc>> {
    let weight = prop_oneof![Just(0.1), Just(0.2), Just(0.5)];
    let arc = (0..node_count, 0..node_count, weight);
    prop::collection::vec(arc.prop_map(|(from, to, weight)| Arc { from, to, weight, hops: 1 }), 6_000)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn in_larger_graphs_the_search_from_both_ends_finds_what_the_search_of_everything_finds(list in random_arcs(2_000)) {
        let arcs = Arcs::new(2_000, &list);
        let mut space = Workspace::default();
        for source in 0..5 {
            let costs = reach_by_cost(&arcs, &[source], Direction::Forward, Allowed::Every);
            for target in 1_000..1_040 {
                let expected = costs.iter().find(|node| node.node == target).map(|node| (node.cost, node.hops));
                let route = best(&arcs, &between(&[source], &[target], By::Weight), &mut space);
                prop_assert_eq!(route.as_ref().map(|route| (route.cost, route.hops)), expected);
                if target < 1_003 && let Some(route) = route {
                    let routes = k_best(&arcs, &between(&[source], &[target], By::Weight), 8, &mut space);
                    prop_assert_eq!(&routes[0], &route);
                    prop_assert!(routes.is_sorted_by_key(|route| (route.cost, route.hops, route.nodes.clone())));
                }
            }
        }
    }
}
