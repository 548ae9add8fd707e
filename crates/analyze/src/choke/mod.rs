//! Choke points: the cheapest changes after which nothing gets from some nodes to others, and a proof that nothing is cheaper.
//!
//! What is cut are raw edges, because those are what a person can change. A tool or resource that one server provides goes when
//! its provider edge goes, and with it every derived hop that rests on it; running commands on a machine rests on the server
//! running there. So a derived hop is cut through the raw edges that it rests on, and an edge that several hops rest on
//! is paid for once. What else goes because nothing holds it any more is not counted on. An agent that reads like another rests on no single edge; to tell the two apart is a change of its own.
//!
//! Growth: that of a maximum flow over the terrain (see `flow`), which is laid out in linear time.

mod best;
mod carriers;
mod connected;
mod costs;
mod fix_cost;
mod pipes;
mod remedy;
mod separation;

use tracehound_graph::{EdgeIx, NodeIx, View as _};

use crate::Picture;
use crate::flow::{Capacity, Certificate, Dominators, Ends, Flaw, FlowError, FlowNetwork, Pipe, SplitNodes};
use crate::terrain::Terrain;
pub use best::{Best, Effort, best};
pub use carriers::{Carrier, carried_by, gone_without, is_reaching, strongest};
pub use connected::{Connected, connected};
pub use costs::FixCosts;
pub use fix_cost::{FixCost, NoCost, Removed};
pub use remedy::{sentence, where_to_change, without};
pub use separation::{Separation, separate};

use pipes::Pipes;

/// Between which nodes.
#[derive(Debug, Clone, Copy)]
pub struct Between<'a> {
    /// Where attackers start.
    pub sources: &'a [NodeIx],
    /// What they must not get to.
    pub targets: &'a [NodeIx],
}

/// One change of a cut: an edge to be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The edge.
    pub edge: EdgeIx,
    /// The machine on which, where the same server is started on several.
    pub machine: Option<String>,
    /// What it costs.
    pub cost: u64,
}

/// A cheapest set of edges, with the proof.
#[derive(Debug, Clone)]
pub struct EdgeCut {
    /// What all changes cost together.
    pub cost: u64,
    /// The changes.
    pub changes: Vec<Change>,
    /// Ways from sources to targets that share no more than the changes allow, with how many each stands for: as many as the
    /// cut costs, so no cheaper cut exists.
    pub proof: Vec<(u64, Vec<NodeIx>)>,
}

/// One change of a cut of nodes: a node to be removed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Removal {
    /// The node.
    pub node: NodeIx,
    /// The machine on which, where the node is on several.
    pub machine: Option<String>,
    /// What it costs.
    pub cost: u64,
}

/// A cheapest set of nodes, with the proof.
#[derive(Debug, Clone)]
pub struct NodeCut {
    /// What all nodes cost together.
    pub cost: u64,
    /// The nodes.
    pub removals: Vec<Removal>,
    /// Ways that share none of their inner nodes beyond what these cost.
    pub proof: Vec<(u64, Vec<NodeIx>)>,
}

/// Why there is no cut.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Uncut {
    /// A node is on both sides.
    #[error("`{0}` is both where attackers start and what they must not get to")]
    SameNode(String),
    /// Nothing that may be changed lies between.
    #[error("a way from a source to a target has nothing in it that may be changed")]
    Nothing,
    /// The numbers are too large.
    #[error(transparent)]
    Flow(FlowError),
    /// The proof does not hold, which is a fault of ours.
    #[error("the proof of the cut does not hold")]
    Unproven(#[source] Flaw),
}

/// The cheapest edges to remove.
///
/// # Errors
///
/// When a node is on both sides, or something between can't be cut.
pub fn edges(
    picture: &Picture<'_>,
    terrain: &Terrain,
    between: Between<'_>,
    costs: &FixCosts,
) -> Result<EdgeCut, Uncut> {
    distinct(picture, between)?;
    let pipes = Pipes::new(picture, terrain, costs);
    let network = pipes.network().map_err(Uncut::Flow)?;
    let sources = terrain.places(between.sources);
    let targets: Vec<u32> = terrain.places(between.targets).iter().map(|place| pipes.out(*place)).collect();
    let ends = Ends { sources: &sources, targets: &targets };
    let certificate = proven(&network, ends)?;
    let changes = certificate.cut.iter().filter_map(|pipe| pipes.change(terrain, *pipe)).collect();
    let place = |node: u32| terrain.node(pipes.place(node)?);
    let proof = certificate.paths.iter().map(|path| {
        let ends = path.pipes.iter().filter_map(|pipe| network.pipes().get(*pipe as usize));
        let nodes = ends.flat_map(|pipe| [pipe.from, pipe.to]).filter_map(place);
        (path.amount, without_repeats(nodes))
    });
    Ok(EdgeCut { cost: certificate.cost, changes, proof: proof.collect() })
}

/// The cheapest nodes to remove between the two, if each takes only its own edges with it: what derived hops rest on besides
/// their ends is not counted, so that removing a server can do more than is told here, never less.
///
/// # Errors
///
/// When a node is on both sides, or sources and targets touch.
pub fn nodes(
    picture: &Picture<'_>,
    terrain: &Terrain,
    between: Between<'_>,
    costs: &FixCosts,
) -> Result<NodeCut, Uncut> {
    distinct(picture, between)?;
    let (sources, targets) = (terrain.places(between.sources), terrain.places(between.targets));
    let fixed: std::collections::BTreeSet<u32> = sources.iter().chain(&targets).copied().collect();
    let capacity = |place: u32| match terrain.node(place) {
        Some(node) if !fixed.contains(&place) => costs.of_node(picture.kind(node)),
        _ => Capacity::Infinite,
    };
    let capacities: Vec<Capacity> = (0..terrain.arcs().node_count() as u32).map(capacity).collect();
    let pipe = |(from, to): &(u32, u32)| Pipe { from: *from, to: *to, capacity: Capacity::Infinite };
    let arcs: Vec<Pipe> = terrain.all_ends().iter().map(pipe).collect();
    let split = SplitNodes::new(&capacities, &arcs).map_err(Uncut::Flow)?;
    let sources = split.sources(&sources).map_err(Uncut::Flow)?;
    let targets = split.targets(&targets).map_err(Uncut::Flow)?;
    let certificate = proven(split.network(), Ends { sources: &sources, targets: &targets })?;
    let node = |pipe: &u32| terrain.node(split.node_of(*pipe)?);
    let removal = |pipe: &u32| {
        let place = split.node_of(*pipe)?;
        let Capacity::Finite(cost) = *capacities.get(place as usize)? else { return None };
        Some(Removal { node: terrain.node(place)?, machine: terrain.machine(place).map(str::to_owned), cost })
    };
    let mut removals: Vec<Removal> = certificate.cut.iter().filter_map(removal).collect();
    removals.sort_unstable();
    let proof = certificate.paths.iter().map(|path| (path.amount, without_repeats(path.pipes.iter().filter_map(node))));
    Ok(NodeCut { cost: certificate.cost, removals, proof: proof.collect() })
}

/// The nodes, besides the ends, through which every way from a source to any of the targets goes, in the order in which they
/// are passed.
///
/// # Errors
///
/// When there are more nodes than can be numbered.
pub fn unavoidable(terrain: &Terrain, between: Between<'_>) -> Result<Vec<NodeIx>, Uncut> {
    let (sources, targets) = (terrain.places(between.sources), terrain.places(between.targets));
    let count = terrain.arcs().node_count() as u32;
    let dominators = Dominators::new(count, terrain.all_ends(), &sources).map_err(Uncut::Flow)?;
    let reached: Vec<u32> = targets.iter().copied().filter(|target| dominators.is_reached(*target)).collect();
    let is_end = |place: &u32| sources.contains(place) || targets.contains(place);
    let shared = dominators.shared_by(&reached).into_iter().filter(|place| !is_end(place));
    Ok(shared.filter_map(|place| terrain.node(place)).collect())
}

fn distinct(picture: &Picture<'_>, between: Between<'_>) -> Result<(), Uncut> {
    let targets: std::collections::BTreeSet<NodeIx> = between.targets.iter().copied().collect();
    match between.sources.iter().find(|source| targets.contains(source)) {
        Some(both) => Err(Uncut::SameNode(picture.name(*both).into_owned())),
        None => Ok(()),
    }
}

/// A cut whose proof was checked by something that shares nothing with the search.
fn proven(network: &FlowNetwork, ends: Ends<'_>) -> Result<Certificate, Uncut> {
    let certificate = Certificate::find(network, ends).map_err(refused)?;
    certificate.check(network, ends).map_err(Uncut::Unproven)?;
    Ok(certificate)
}

fn refused(error: FlowError) -> Uncut {
    match error {
        FlowError::NoFiniteCut { .. } => Uncut::Nothing,
        other => Uncut::Flow(other),
    }
}

/// Nodes in the order in which they are passed, each once where it stands several times in a row.
fn without_repeats(nodes: impl Iterator<Item = NodeIx>) -> Vec<NodeIx> {
    let mut all: Vec<NodeIx> = nodes.collect();
    all.dedup();
    all
}
