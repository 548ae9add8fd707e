//! An estate at a glance: how many agents get to what matters most, by which paths, and with which few changes they don't.

use tracehound_graph::{EdgeIx, NodeIx, View as _};
use tracehound_model::{NodeKind, Severity};

use crate::Picture;
use crate::basis::Basis;
use crate::choke::{self, Best, Between, Effort, connected};
use crate::findings::{Found, List, Origin};
use crate::naming::{Marks, Selection};
use crate::routes::{Allowed, By, Direction, Query, Route, Workspace, best, reach_by_cost};
use crate::terrain::{Terrain, Trail};

/// How many agents get to critical resources.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exposure {
    /// Agents from which a path leads to a critical resource.
    pub agents_reaching: usize,
    /// All agents.
    pub agents: usize,
    /// Critical resources to which a path leads from an agent.
    pub resources_reached: usize,
    /// All critical resources.
    pub resources: usize,
}

/// Where attacks begin, and what they must not get to.
#[derive(Debug, Clone)]
struct Ends {
    starts: Vec<NodeIx>,
    critical: Vec<NodeIx>,
}

impl Ends {
    /// Agents and critical resources, whatever people say about them.
    fn new(picture: &Picture<'_>) -> Self {
        let nodes = |text: &str| Selection::parse(text).nodes(picture, &Marks::default()).unwrap_or_default();
        Self { starts: nodes("agents"), critical: nodes("critical") }
    }

    /// The same, with what people say that an attacker holds, and what they say matters most.
    fn marked(picture: &Picture<'_>, marks: &Marks) -> Self {
        let nodes = |text: &str| Selection::parse(text).nodes(picture, marks).unwrap_or_default();
        Self { starts: nodes("agents, owned"), critical: nodes("critical, crown-jewels") }
    }
}

impl Exposure {
    /// Counts both ends. Two searches.
    #[must_use]
    pub fn new(picture: &Picture<'_>, terrain: &Terrain) -> Self {
        let ends = Ends::new(picture);
        let met = connected(terrain, Between { sources: &ends.starts, targets: &ends.critical });
        Self {
            agents_reaching: met.sources,
            agents: ends.starts.len(),
            resources_reached: met.targets,
            resources: ends.critical.len(),
        }
    }
}

/// The easiest path from an agent to a critical resource.
#[must_use]
pub fn easiest_to_critical(picture: &Picture<'_>, terrain: &Terrain) -> Option<Route> {
    let ends = Ends::new(picture);
    easiest(terrain, &ends.starts, &ends.critical)
}

/// The easiest path from any of some nodes to any of others.
#[must_use]
pub fn easiest(terrain: &Terrain, from: &[NodeIx], to: &[NodeIx]) -> Option<Route> {
    let (sources, targets) = (terrain.places(from), terrain.places(to));
    let query = Query { sources: &sources, targets: &targets, by: By::Weight, allowed: Allowed::Every, max_hops: None };
    best(terrain.arcs(), &query, &mut Workspace::default())
}

/// The easiest paths from agents and what an attacker holds to critical resources and crown jewels, the easiest first and
/// one for each end.
#[must_use]
pub fn worst_paths(picture: &Picture<'_>, terrain: &Terrain, marks: &Marks, count: usize) -> Vec<Trail> {
    let ends = Ends::marked(picture, marks);
    let starts = terrain.places(&ends.starts);
    let costed = reach_by_cost(terrain.arcs(), &starts, Direction::Forward, Allowed::Every);
    let mut nearest: Vec<NodeIx> = Vec::new();
    for node in costed.iter().filter_map(|reached| terrain.node(reached.node)) {
        if nearest.len() < count && ends.critical.binary_search(&node).is_ok() && !nearest.contains(&node) {
            nearest.push(node);
        }
    }
    let basis = Basis::new(picture.view);
    let trail = |node: NodeIx| {
        let route = easiest(terrain, &ends.starts, &[node])?;
        terrain.trail_with(picture, &basis, &route)
    };
    nearest.into_iter().filter_map(trail).collect()
}

/// The composite edges behind critical findings, sorted.
#[must_use]
pub fn critical_edges(list: &List<'_>) -> Vec<EdgeIx> {
    edges_behind(list.iter().filter(|found| found.severity == Severity::Critical))
}

/// The composite edges behind findings that end at a crown jewel or begin at what an attacker holds, sorted.
fn marked_edges(picture: &Picture<'_>, list: &List<'_>, marks: &Marks) -> Vec<EdgeIx> {
    if marks.is_empty() {
        return Vec::new();
    }
    let nodes = |text: &str| Selection::parse(text).nodes(picture, marks).unwrap_or_default();
    let (owned, jewels) = (nodes("owned"), nodes("crown-jewels"));
    let mut edges = edges_behind(list.iter());
    edges.retain(|edge| {
        let (source, target) = picture.ends(*edge);
        owned.binary_search(&source).is_ok() || jewels.binary_search(&target).is_ok()
    });
    edges
}

fn edges_behind<'f, 'a: 'f>(found: impl Iterator<Item = &'f Found<'a>>) -> Vec<EdgeIx> {
    let edge = |origin: Origin| match origin {
        Origin::Edge(edge) => Some(edge),
        Origin::Direct(_) => None,
    };
    let mut edges: Vec<EdgeIx> = found.filter_map(|found| edge(found.origin)).collect();
    edges.sort_unstable();
    edges
}

/// The changes with which most findings are gone that rest on paths and are critical, or that lead from what an attacker
/// holds or to a crown jewel.
#[must_use]
pub fn best_cuts(picture: &Picture<'_>, list: &List<'_>, marks: &Marks, effort: Effort) -> Best {
    let mut edges = critical_edges(list);
    edges.extend(marked_edges(picture, list, marks));
    edges.sort_unstable();
    edges.dedup();
    choke::best(picture.view, picture.analysis, &edges, effort)
}

/// How many tool servers demand nothing of their callers.
#[must_use]
pub fn unauthenticated_servers(picture: &Picture<'_>) -> usize {
    let basis = Basis::new(picture.view);
    picture.nodes_of(NodeKind::McpServer).filter(|server| basis.auth(*server).is_open()).count()
}
