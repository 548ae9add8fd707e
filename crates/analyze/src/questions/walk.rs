//! How far it is from some nodes to everything that an attacker gets to, or from everything to them.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;
use tracehound_graph::NodeIx;

use crate::routes::{Arcs, Direction, Route};
use crate::terrain::Terrain;

/// How a place was come to.
#[derive(Debug, Clone, Copy)]
struct Step {
    hops: u32,
    /// The place before it and the arc between, but for the places where the walk began.
    before: Option<(u32, u32)>,
}

/// A walk over a terrain, by hops.
///
/// Growth: linear in the places that are reached and the arcs at them.
#[derive(Debug)]
pub(super) struct Walk {
    direction: Direction,
    steps: FxHashMap<u32, Step>,
}

impl Walk {
    /// Walks from some places as far as so many hops lead.
    pub(super) fn new(arcs: &Arcs, direction: Direction, from: &[u32], most_hops: u32) -> Self {
        let mut steps: FxHashMap<u32, Step> = FxHashMap::default();
        let mut waiting: VecDeque<u32> = VecDeque::new();
        for place in from {
            steps.insert(*place, Step { hops: 0, before: None });
            waiting.push_back(*place);
        }
        while let Some(place) = waiting.pop_front() {
            let Some(hops) = steps.get(&place).map(|step| step.hops) else { continue };
            for step in arcs.steps(direction, place) {
                let total = hops + step.hops;
                if total > most_hops || steps.get(&step.node).is_some_and(|known| known.hops <= total) {
                    continue;
                }
                steps.insert(step.node, Step { hops: total, before: Some((place, step.arc)) });
                // What costs no hop comes before everything else that waits.
                if step.hops == 0 { waiting.push_front(step.node) } else { waiting.push_back(step.node) }
            }
        }
        Self { direction, steps }
    }

    /// The nodes that were reached, with the hops and the nearest place of each; by kind and id.
    pub(super) fn nodes(&self, terrain: &Terrain) -> BTreeMap<NodeIx, (u32, u32)> {
        let mut nearest: BTreeMap<NodeIx, (u32, u32)> = BTreeMap::new();
        for (place, step) in &self.steps {
            let Some(node) = terrain.node(*place) else { continue };
            let found = (step.hops, *place);
            nearest.entry(node).and_modify(|best| *best = found.min(*best)).or_insert(found);
        }
        nearest
    }

    /// The way between where the walk began and a place, in the direction in which it is taken.
    pub(super) fn route(&self, place: u32) -> Route {
        let (mut nodes, mut arcs, mut at) = (vec![place], Vec::new(), place);
        while let Some((before, arc)) = self.steps.get(&at).and_then(|step| step.before) {
            nodes.push(before);
            arcs.push(arc);
            at = before;
        }
        if self.direction == Direction::Forward {
            nodes.reverse();
            arcs.reverse();
        }
        let hops = self.steps.get(&place).map_or(0, |step| step.hops);
        Route { nodes, arcs, cost: 0, hops }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::routes::Arc;

    const PLACES: u32 = 9;

    /// The fewest hops to each place, by trying every arc as often as a path can be long.
    fn naive(arcs: &[Arc], from: &[u32], most: u32) -> BTreeMap<u32, u32> {
        let mut hops: BTreeMap<u32, u32> = from.iter().map(|place| (*place, 0)).collect();
        for _ in 0..PLACES {
            for arc in arcs {
                let Some(total) = hops.get(&arc.from).map(|hops| hops + u32::from(arc.hops)) else { continue };
                if total <= most && hops.get(&arc.to).is_none_or(|known| total < *known) {
                    hops.insert(arc.to, total);
                }
            }
        }
        hops
    }

    fn turned(arcs: &[Arc]) -> Vec<Arc> {
        arcs.iter().map(|arc| Arc { from: arc.to, to: arc.from, ..*arc }).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_place_is_reached_in_the_fewest_hops(
            ends in prop::collection::vec((0..PLACES, 0..PLACES, 0..=1_u8), 0..24),
            from in prop::collection::vec(0..PLACES, 0..3),
            most in 0..6_u32,
            is_forward in any::<bool>(),
        ) {
            let list: Vec<Arc> = ends.iter().map(|(from, to, hops)| Arc { from: *from, to: *to, weight: 0.0, hops: *hops }).collect();
            let direction = if is_forward { Direction::Forward } else { Direction::Backward };
            let walk = Walk::new(&Arcs::new(PLACES, &list), direction, &from, most);
            let found: BTreeMap<u32, u32> = walk.steps.iter().map(|(place, step)| (*place, step.hops)).collect();
            let expected = if is_forward { naive(&list, &from, most) } else { naive(&turned(&list), &from, most) };
            prop_assert_eq!(&found, &expected);
            for place in found.keys() {
                let route = walk.route(*place);
                let steps = route.arcs.iter().zip(route.nodes.windows(2));
                for (arc, pair) in steps {
                    let arc = list[*arc as usize];
                    prop_assert_eq!((Some(&arc.from), Some(&arc.to)), (pair.first(), pair.last()));
                }
                let hops: u32 = route.arcs.iter().map(|arc| u32::from(list[*arc as usize].hops)).sum();
                prop_assert_eq!(hops, route.hops);
            }
        }
    }
}
