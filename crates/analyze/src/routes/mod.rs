//! Paths between sets of nodes, over plain arrays.
//!
//! Searches by hops and by weight, the best paths in order, all paths within some hops, and what is reached from a set.
//! Nothing here knows what a node or an arc stands for.
//!
//! A path visits no node twice. Paths are ordered by cost and hops (the one or the other first), then by the number of
//! their arcs, then by their nodes, one after the other. So the answer never depends on the order in which arcs are given.
//!
//! One search from both ends serves all questions about paths: it finds the region in which all paths up to some length
//! run, and the paths are then taken from that region in order.

mod arcs;
mod between;
mod labels;
mod length;
mod ordered;
mod reach;
mod region;
mod route;
mod spur;
mod taken;

#[cfg(test)]
mod tests;

pub use arcs::{Arc, Arcs, COST_OF_ONE, Direction, Step};
pub use between::Workspace;
pub use length::By;
pub use reach::{CostedNode, Reached, ReachedNode, reach, reach_by_cost};
pub use route::{Allowed, Query, Route, Within};

use between::{Between, Rest};
use length::Length;
use ordered::{Next, Ordered};
use region::Region;

/// The best path. Touches about the square root of what a search from one end does, in a graph that widens quickly.
///
/// With `max_hops` and by weight, if the best path has too many hops, the region of all paths of so many hops is
/// searched, once for each number of hops.
pub fn best(arcs: &Arcs, query: &Query<'_>, space: &mut Workspace) -> Option<Route> {
    let mut between = Between::shortest(arcs, query, hop_limit(query), space);
    between.run(Rest::Met);
    let region = Region::covered(arcs, query, &between);
    let route = first(&region, 1, None).pop()?;
    let is_short = query.max_hops.is_none_or(|most| route.hops <= most);
    if is_short { Some(route) } else { first_of_hops(arcs, query, 1, space).pop() }
}

/// The `count` best paths, in order; fewer if there are no more.
///
/// The search from both ends goes on, by a quarter of its work each time, until it covers enough paths.
pub fn k_best(arcs: &Arcs, query: &Query<'_>, count: usize, space: &mut Workspace) -> Vec<Route> {
    let mut between = Between::within(arcs, query, hop_limit(query), space);
    let mut rest = Rest::Met;
    let routes = loop {
        let is_all = between.run(rest);
        let routes = first(&Region::covered(arcs, query, &between), count, None);
        if is_all || routes.len() >= count {
            break routes;
        }
        rest = Rest::Work(between.work() + between.work() / 4 + 1);
    };
    let is_short = query.max_hops.is_none_or(|most| routes.iter().all(|route| route.hops <= most));
    if is_short { routes } else { first_of_hops(arcs, query, count, space) }
}

/// What a search for all paths may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most {
    /// Paths to give.
    pub routes: usize,
    /// Arcs to look at, counted each time. Counted and not timed, so that the same question always has the same answer.
    pub work: usize,
}

/// All paths of at most `max_hops`, in order of hops, then cost; `by` is not asked. If there are too many, the first of
/// them, and `is_complete` is false.
///
/// There can be exponentially many. The search for their region goes half of the hops from either end.
pub fn all_within(arcs: &Arcs, query: &Query<'_>, most: Most, space: &mut Workspace) -> Within {
    let query = Query { by: By::Hops, ..*query };
    let mut between = Between::within(arcs, &query, hop_limit(&query), space);
    let is_covered = between.run(Rest::Work(most.work));
    let left = most.work.saturating_sub(between.work());
    let region = Region::covered(arcs, &query, &between);
    let mut ordered = Ordered::new(&region, None);
    let mut routes = Vec::new();
    loop {
        match ordered.next_within(left) {
            Next::Path(_) if routes.len() >= most.routes => return Within { routes, is_complete: false },
            Next::Path(path) => routes.push(taken::route(&region, &path, None)),
            Next::None => return Within { routes, is_complete: is_covered },
            Next::Spent => return Within { routes, is_complete: false },
        }
    }
}

/// What bounds the lengths from the start: hops, where they count first.
fn hop_limit(query: &Query<'_>) -> Length {
    match (query.by, query.max_hops) {
        (By::Hops, Some(most)) => Length::of_hops(most),
        _ => Length::LONGEST,
    }
}

/// The best paths by weight of so many hops, from the region of all such paths.
fn first_of_hops(arcs: &Arcs, query: &Query<'_>, count: usize, space: &mut Workspace) -> Vec<Route> {
    let by_hops = Query { by: By::Hops, ..*query };
    let mut between = Between::within(arcs, &by_hops, hop_limit(&by_hops), space);
    between.run(Rest::Work(usize::MAX));
    let region = Region::covered(arcs, &by_hops, &between).by_weight();
    first(&region, count, query.max_hops)
}

/// The first paths of a region.
fn first(region: &Region, count: usize, max_hops: Option<u32>) -> Vec<Route> {
    let mut ordered = Ordered::new(region, max_hops);
    let mut routes = Vec::new();
    while routes.len() < count
        && let Next::Path(path) = ordered.next_within(usize::MAX)
    {
        routes.push(taken::route(region, &path, max_hops));
    }
    routes
}
