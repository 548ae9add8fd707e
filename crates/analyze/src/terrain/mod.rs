//! The terrain: how an attacker can move through an estate, as plain arcs that can be searched.
//!
//! Arcs come from the kinds table: each kind of edge is walked forward, in reverse, both ways or not at all, and edges that
//! stand for others are left out unless they are asked for. Three things are added that are no edges. Copies of one secret lead
//! to each other. A tool that reads files leads to the secrets on its machine. And where very many tools have access to very
//! many resources, a hub stands between them, so that no pair is left out and none is written down.
//!
//! A server that is started as a command on several machines is one node, but nobody gets from one machine to another by it:
//! it has a place of its own for each machine, and so has everything below it.
//!
//! A tool's text does something to another tool only where one agent has both, so such hops are laid out only there.
//!
//! Growth: linear in the graph and in its derived edges; for tools that speak of each other, also in the agents of their servers.

mod copies;
mod lay;
mod trail;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, EdgeRole};

use crate::Picture;
use crate::routes::Arcs;
pub use lay::Meaning;
pub use trail::{Trail, TrailHop};

use copies::Copies;

/// What may be walked besides the edges that are hops in their own right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Shortcuts {
    /// Nothing: every hop is a step that somebody takes.
    #[default]
    No,
    /// Also edges that stand for whole paths.
    Yes,
}

/// How an attacker can move.
#[derive(Debug)]
pub struct Terrain {
    arcs: Arcs,
    meanings: Vec<Meaning>,
    ends: Vec<(u32, u32)>,
    copies: Copies,
    /// Kinds of which only the easiest edges of some nodes are there.
    bounded: Vec<EdgeKind>,
}

impl Terrain {
    /// Lays out the terrain of a graph.
    #[must_use]
    pub fn new(picture: &Picture<'_>, shortcuts: Shortcuts) -> Self {
        let copies = Copies::new(picture);
        let laid = lay::Laid::new(picture, copies, shortcuts);
        let arcs = Arcs::new(laid.place_count(), &laid.arcs);
        let ends = laid.arcs.iter().map(|arc| (arc.from, arc.to)).collect();
        let walked = |kind: &EdgeKind| match kind.role() {
            EdgeRole::Observed => false,
            EdgeRole::Derived => !matches!(kind, EdgeKind::HasAccessTo | EdgeKind::CanExecute),
            EdgeRole::Shortcut => shortcuts == Shortcuts::Yes,
        };
        let is_bounded = |kind: &EdgeKind| picture.analysis.derived.of(*kind).counts().next().is_some();
        let bounded = EdgeKind::ALL.iter().copied().filter(|kind| walked(kind) && is_bounded(kind)).collect();
        Self { arcs, ends, meanings: laid.meanings, copies: laid.copies, bounded }
    }

    /// The arcs to be searched, between places.
    #[must_use]
    pub const fn arcs(&self) -> &Arcs {
        &self.arcs
    }

    /// What an arc stands for.
    #[must_use]
    pub fn meaning(&self, arc: u32) -> Option<Meaning> {
        self.meanings.get(arc as usize).copied()
    }

    /// Both ends of an arc.
    #[must_use]
    pub fn ends(&self, arc: u32) -> Option<(u32, u32)> {
        self.ends.get(arc as usize).copied()
    }

    /// Both ends of each arc, by its number.
    #[must_use]
    pub fn all_ends(&self) -> &[(u32, u32)] {
        &self.ends
    }

    /// The places of some nodes.
    #[must_use]
    pub fn places(&self, nodes: &[NodeIx]) -> Vec<u32> {
        nodes.iter().flat_map(|node| self.copies.places(*node).into_owned()).map(|copy| copy.place).collect()
    }

    /// The node of a place; none for a hub.
    #[must_use]
    pub fn node(&self, place: u32) -> Option<NodeIx> {
        self.copies.node(place)
    }

    /// The machine that a place stands for, where a node has several.
    #[must_use]
    pub fn machine(&self, place: u32) -> Option<&str> {
        self.copies.machine(place)
    }

    /// The kinds of edges of which not all are walked, because some node has more of them than are written down.
    #[must_use]
    pub fn bounded(&self) -> &[EdgeKind] {
        &self.bounded
    }
}
