//! Paths between two selections of nodes.

use tracehound_graph::NodeIx;

use super::Walk;
use crate::Picture;
use crate::basis::Basis;
use crate::routes::{By, Most, Query, Route, Workspace, all_within, best, k_best};
use crate::terrain::TrailHop;

/// What a search for all paths may cost; there can be exponentially many.
const MOST: Most = Most { routes: 10_000, work: 50_000_000 };

/// Which paths are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// So many of the best.
    Best(usize),
    /// All within the hops that are allowed, the shortest first; the first of them if there are too many.
    All,
}

/// From where to where, and what is a good path.
#[derive(Debug, Clone, Copy)]
pub struct PathSearch<'a> {
    /// Where paths begin.
    pub from: &'a [NodeIx],
    /// Where they end.
    pub to: &'a [NodeIx],
    /// What is to be small.
    pub by: By,
    /// How many hops a path may have.
    pub max_hops: Option<u32>,
    /// Which of them.
    pub wanted: Wanted,
}

/// A way from one node to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// The nodes, with the machine of each that is on several.
    pub nodes: Vec<(NodeIx, Option<String>)>,
    /// What leads from each to the next.
    pub hops: Vec<TrailHop>,
    /// The sum of the hops' weights.
    pub weight: f64,
}

/// Paths, and whether there are no others; none if nobody looked.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The paths, the best first.
    pub paths: Vec<Path>,
    /// Whether there are no others.
    pub is_complete: Option<bool>,
}

impl Walk<'_> {
    /// The paths that are asked for, the best first.
    #[must_use]
    pub fn find(&self, picture: &Picture<'_>, asked: &PathSearch<'_>) -> Found {
        let (sources, targets) = (self.terrain.places(asked.from), self.terrain.places(asked.to));
        let arcs = self.terrain.arcs();
        let (routes, is_complete) = self.search(|allowed| {
            let query = Query { sources: &sources, targets: &targets, by: asked.by, allowed, max_hops: asked.max_hops };
            let mut space = Workspace::default();
            match asked.wanted {
                Wanted::All => {
                    let within = all_within(arcs, &query, MOST, &mut space);
                    (within.routes, Some(within.is_complete))
                }
                Wanted::Best(1) => {
                    let routes: Vec<Route> = best(arcs, &query, &mut space).into_iter().collect();
                    let is_complete = routes.is_empty().then_some(true);
                    (routes, is_complete)
                }
                Wanted::Best(count) => {
                    let routes = k_best(arcs, &query, count, &mut space);
                    let is_complete = (routes.len() < count).then_some(true);
                    (routes, is_complete)
                }
            }
        });
        Found { paths: self.paths(picture, &routes), is_complete }
    }

    /// Routes as nodes and hops.
    #[must_use]
    pub fn paths(&self, picture: &Picture<'_>, routes: &[Route]) -> Vec<Path> {
        let basis = Basis::new(picture.view);
        routes.iter().filter_map(|route| self.path(picture, &basis, route)).collect()
    }

    fn path(&self, picture: &Picture<'_>, basis: &Basis<'_>, route: &Route) -> Option<Path> {
        let trail = self.terrain.trail_with(picture, basis, route)?;
        let machine = |place: &u32| self.terrain.machine(*place).map(str::to_owned);
        let places = route.nodes.iter().filter(|place| self.terrain.node(**place).is_some());
        let nodes = std::iter::once(trail.start).chain(trail.hops.iter().map(|hop| hop.to));
        let nodes = nodes.zip(places.map(machine)).collect();
        Some(Path { nodes, hops: trail.hops, weight: trail.weight })
    }
}
