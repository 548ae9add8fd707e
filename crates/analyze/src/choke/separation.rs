//! Everything that is to be said of separating some nodes from others.

use tracehound_graph::NodeIx;

use super::{Between, Change, Connected, FixCosts, Removal, Removed, Uncut, connected, edges, nodes, unavoidable};
use crate::Picture;
use crate::terrain::Terrain;

/// What to change, what it costs, and why nothing cheaper does.
#[derive(Debug, Clone)]
pub struct Separation {
    /// What all changes cost together.
    pub cost: u64,
    /// Edges to be removed; none where nodes are.
    pub changes: Vec<Change>,
    /// Nodes to be removed; none where edges are.
    pub removals: Vec<Removal>,
    /// Ways that share no more than the changes allow, with how many each stands for.
    pub proof: Vec<(u64, Vec<NodeIx>)>,
    /// Nodes through which every way goes.
    pub unavoidable: Vec<NodeIx>,
    /// How many of the ends there is a way from or to.
    pub connected: Connected,
}

/// The cheapest changes that separate some nodes from others.
///
/// Growth: that of a maximum flow, and two searches.
///
/// # Errors
/// When a node is on both sides, or something between can't be cut.
pub fn separate(
    picture: &Picture<'_>,
    terrain: &Terrain,
    between: Between<'_>,
    costs: &FixCosts,
    removed: Removed,
) -> Result<Separation, Uncut> {
    let unavoidable = unavoidable(terrain, between)?;
    let connected = connected(terrain, between);
    Ok(match removed {
        Removed::Nodes => {
            let cut = nodes(picture, terrain, between, costs)?;
            let (cost, removals, proof) = (cut.cost, cut.removals, cut.proof);
            Separation { cost, changes: Vec::new(), removals, proof, unavoidable, connected }
        }
        Removed::Edges => {
            let cut = edges(picture, terrain, between, costs)?;
            let (cost, changes, proof) = (cut.cost, cut.changes, cut.proof);
            Separation { cost, changes, removals: Vec::new(), proof, unavoidable, connected }
        }
    })
}
