//! Searches against what the definitions say.

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
    (1_u32..8).prop_flat_map(|node_count| {
        let weight = prop_oneof![Just(0.0), Just(0.1), Just(0.2), Just(0.3), Just(1.0)];
        let arc = (0..node_count, 0..node_count, weight, prop_oneof![1 => Just(0_u8), 3 => Just(1_u8)]);
        let arcs = prop::collection::vec(arc, 0..18);
        let set = || prop::collection::vec(0..node_count, 0..3);
        let banned = prop::collection::vec(prop::bool::weighted(0.1), 18);
        let max_hops = prop::option::of(0_u32..5);
        let by = prop_oneof![Just(By::Hops), Just(By::Weight)];
        (arcs, set(), set(), banned, max_hops, by).prop_map(move |(arcs, sources, targets, banned, max_hops, by)| {
            let arcs = arcs.into_iter().map(|(from, to, weight, hops)| Arc { from, to, weight, hops }).collect();
            Case { node_count, arcs, sources, targets, banned, max_hops, by }
        })
    })
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
}
