//! The terrain as pipes, each of which carries what it costs to close it.

use std::collections::BTreeMap;

use tracehound_graph::{EdgeIx, NodeIx, View as _};
use tracehound_model::{EdgeKind, EdgeRole, NodeKind};

use super::{Change, FixCosts};
use crate::Picture;
use crate::flow::{Capacity, FlowError, FlowNetwork, Pipe};
use crate::terrain::{Meaning, Terrain};

/// What closing a pipe means: removing an edge, at a place.
#[derive(Debug, Clone, Copy)]
struct Label {
    edge: EdgeIx,
    place: u32,
}

/// The pipes of a terrain.
pub(super) struct Pipes<'a> {
    picture: &'a Picture<'a>,
    costs: &'a FixCosts,
    pipes: Vec<Pipe>,
    labels: Vec<Option<Label>>,
    places: u32,
    /// Places with a gate, by the node that leaves it.
    gated: BTreeMap<u32, u32>,
    /// The place of each node beyond the places; none for the two ends of a shared edge.
    beyond: Vec<Option<u32>>,
    /// Both ends of an edge that several hops rest on, by the edge and the place at which it ends.
    shared: BTreeMap<(EdgeIx, u32), u32>,
}

impl<'a> Pipes<'a> {
    pub(super) fn new(picture: &'a Picture<'a>, terrain: &Terrain, costs: &'a FixCosts) -> Self {
        let places = terrain.arcs().node_count() as u32;
        let mut pipes = Self {
            picture,
            costs,
            pipes: Vec::new(),
            labels: Vec::new(),
            places,
            gated: BTreeMap::new(),
            beyond: Vec::new(),
            shared: BTreeMap::new(),
        };
        for place in 0..places {
            if let Some(edge) = terrain.node(place).and_then(|node| pipes.sole_provider(node)) {
                let out = pipes.node(Some(place));
                pipes.gated.insert(place, out);
                pipes.pipe(place, out, costs.of_edge(edge.kind), Some(Label { edge, place }));
            }
        }
        let hubs = hubs(terrain);
        for (number, (from, to)) in (0..).zip(terrain.all_ends()) {
            let meaning = terrain.meaning(number).unwrap_or(Meaning::Onwards);
            let meaning =
                if meaning == Meaning::Onwards { hubs.get(from).copied().unwrap_or(meaning) } else { meaning };
            pipes.arc(terrain, (*from, *to), meaning);
        }
        pipes
    }

    /// The edge without which a node is not there, if there is just one.
    fn sole_provider(&self, node: NodeIx) -> Option<EdgeIx> {
        let kind = match self.picture.kind(node) {
            NodeKind::McpTool => EdgeKind::ProvidesTool,
            NodeKind::McpResource => EdgeKind::ProvidesResource,
            NodeKind::McpPrompt => EdgeKind::ProvidesPrompt,
            NodeKind::A2aSkill => EdgeKind::AdvertisesSkill,
            _ => return None,
        };
        let mut providers = self.picture.incoming(kind, node);
        let (_, edge) = providers.next()?;
        providers.next().is_none().then_some(edge)
    }

    fn node(&mut self, place: Option<u32>) -> u32 {
        self.beyond.push(place);
        self.places + self.beyond.len() as u32 - 1
    }

    fn pipe(&mut self, from: u32, to: u32, capacity: Capacity, label: Option<Label>) {
        self.pipes.push(Pipe { from, to, capacity });
        self.labels.push(label);
    }

    /// Where a place is left.
    pub(super) fn out(&self, place: u32) -> u32 {
        self.gated.get(&place).copied().unwrap_or(place)
    }

    /// The place of a node of the network.
    pub(super) fn place(&self, node: u32) -> Option<u32> {
        match node.checked_sub(self.places) {
            None => Some(node),
            Some(beyond) => self.beyond.get(beyond as usize).copied().flatten(),
        }
    }

    fn arc(&mut self, terrain: &Terrain, (from, to): (u32, u32), meaning: Meaning) {
        let out = self.out(from);
        let is_gated = |pipes: &Self, place: u32| pipes.gated.contains_key(&place);
        match meaning {
            Meaning::Along(edge) if edge.kind == EdgeKind::RunsOn => self.through(edge, from, (out, to)),
            Meaning::Along(edge) if edge.kind == EdgeKind::ProvidesResource && !is_gated(self, to) => {
                self.through(edge, from, (out, to));
            }
            // The gate of what is provided is the provider edge.
            Meaning::Along(edge) if provides(edge.kind) && is_gated(self, to) => {
                self.pipe(out, to, Capacity::Infinite, None);
            }
            Meaning::Along(edge) | Meaning::Against(edge) => {
                let rests_on_ends = edge.kind.role() == EdgeRole::Derived && is_gated(self, from) && is_gated(self, to);
                if rests_on_ends {
                    self.pipe(out, to, Capacity::Infinite, None);
                } else {
                    let label = Label { edge, place: from };
                    self.pipe(out, to, self.costs.of_edge(edge.kind), Some(label));
                }
            }
            Meaning::Execution(server) if terrain.node(to).is_some() => {
                self.resting(terrain, server, EdgeKind::RunsOn, (out, to));
            }
            Meaning::Access(server) if terrain.node(to).is_some() && !is_gated(self, to) => {
                self.resting(terrain, server, EdgeKind::ProvidesResource, (out, to));
            }
            Meaning::Execution(_)
            | Meaning::Access(_)
            | Meaning::SameSecret
            | Meaning::Reads(..)
            | Meaning::Onwards => {
                self.pipe(out, to, Capacity::Infinite, None);
            }
        }
    }

    /// A hop that is there because of an edge from a server to where it ends.
    fn resting(&mut self, terrain: &Terrain, server: NodeIx, kind: EdgeKind, (out, to): (u32, u32)) {
        let edge = terrain.node(to).and_then(|target| self.picture.outgoing(kind, server).to(target));
        match edge {
            Some(edge) => self.through(edge, server.0, (out, to)),
            None => self.pipe(out, to, Capacity::Infinite, None),
        }
    }

    /// A hop through an edge that others rest on as well: it is paid for once.
    fn through(&mut self, edge: EdgeIx, place: u32, (out, to): (u32, u32)) {
        let enter = match self.shared.get(&(edge, to)) {
            Some(enter) => *enter,
            None => {
                let (enter, leave) = (self.node(None), self.node(None));
                let label = Label { edge, place };
                self.pipe(enter, leave, self.costs.of_edge(edge.kind), Some(label));
                self.pipe(leave, to, Capacity::Infinite, None);
                self.shared.insert((edge, to), enter);
                enter
            }
        };
        self.pipe(out, enter, Capacity::Infinite, None);
    }

    pub(super) fn network(&self) -> Result<FlowNetwork, FlowError> {
        FlowNetwork::new(self.places + self.beyond.len() as u32, self.pipes.clone())
    }

    /// The change that closes a pipe.
    pub(super) fn change(&self, terrain: &Terrain, pipe: u32) -> Option<Change> {
        let label = self.labels.get(pipe as usize).copied().flatten()?;
        let Capacity::Finite(cost) = self.pipes.get(pipe as usize)?.capacity else { return None };
        Some(Change { edge: label.edge, machine: terrain.machine(label.place).map(str::to_owned), cost })
    }
}

const fn provides(kind: EdgeKind) -> bool {
    matches!(
        kind,
        EdgeKind::ProvidesTool | EdgeKind::ProvidesResource | EdgeKind::ProvidesPrompt | EdgeKind::AdvertisesSkill
    )
}

/// What the hops through each hub are.
fn hubs(terrain: &Terrain) -> BTreeMap<u32, Meaning> {
    let into_hub = (0..).zip(terrain.all_ends()).filter(|(_, (_, to))| terrain.node(*to).is_none());
    into_hub.filter_map(|(number, (_, to))| Some((*to, terrain.meaning(number)?))).collect()
}
