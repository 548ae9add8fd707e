//! Places: one for each node, and several for what is started as a command on several machines.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::{EdgeIx, NodeIx, PropertyValue, View as _};
use tracehound_model::{EdgeKind, NodeKind};

use crate::Picture;

/// Edges that belong to one machine: what its configuration says of a server.
const BOUND: &[EdgeKind] = &[
    EdgeKind::TrustsServer,
    EdgeKind::RunsOn,
    EdgeKind::HasEnvVar,
    EdgeKind::AuthenticatesWith,
    EdgeKind::ConfiguredIn,
];

/// One place of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Copy {
    /// The number of the machine, if the node has places on several.
    pub(crate) machine: Option<u32>,
    pub(crate) place: u32,
}

/// All places that stand for nodes.
#[derive(Debug)]
pub(crate) struct Copies {
    node_count: u32,
    machines: Vec<String>,
    /// Nodes with several places.
    split: BTreeMap<NodeIx, Vec<Copy>>,
    /// The node and machine of the places after the first of each node.
    extra: Vec<(NodeIx, u32)>,
}

impl Copies {
    pub(crate) fn new(picture: &Picture<'_>) -> Self {
        let mut copies = Self {
            node_count: picture.node_count() as u32,
            machines: Vec::new(),
            split: BTreeMap::new(),
            extra: Vec::new(),
        };
        let is_command = |server: &NodeIx| {
            let transport = picture.view.property(*server, "transport");
            transport.as_ref().and_then(PropertyValue::as_text) == Some("stdio")
        };
        for server in picture.view.nodes_of(NodeKind::McpServer).filter(is_command) {
            let machines = machines(picture, server);
            if machines.len() < 2 {
                continue;
            }
            let numbers: Vec<u32> = machines.into_iter().map(|machine| copies.number(machine)).collect();
            copies.split(server, &numbers);
            for kind in [EdgeKind::ProvidesTool, EdgeKind::ProvidesResource, EdgeKind::ProvidesPrompt] {
                for (below, _) in picture.view.outgoing(kind, server) {
                    // What another server provides as well has no machine of its own.
                    if picture.view.incoming(kind, below).len() == 1 {
                        copies.split(below, &numbers);
                    }
                }
            }
        }
        copies
    }

    fn number(&mut self, machine: String) -> u32 {
        let known = self.machines.iter().position(|known| *known == machine);
        known.unwrap_or_else(|| {
            self.machines.push(machine);
            self.machines.len() - 1
        }) as u32
    }

    fn split(&mut self, node: NodeIx, machines: &[u32]) {
        let mut all = Vec::with_capacity(machines.len());
        for (position, machine) in machines.iter().enumerate() {
            let place = if position == 0 { node.0 } else { self.node_count + self.extra.len() as u32 };
            if position > 0 {
                self.extra.push((node, *machine));
            }
            all.push(Copy { machine: Some(*machine), place });
        }
        self.split.insert(node, all);
    }

    /// How many places there are.
    pub(crate) fn len(&self) -> u32 {
        self.node_count + self.extra.len() as u32
    }

    /// The places of a node.
    pub(crate) fn places(&self, node: NodeIx) -> Cow<'_, [Copy]> {
        match self.split.get(&node) {
            Some(all) => Cow::Borrowed(all.as_slice()),
            None => Cow::Owned(vec![Copy { machine: None, place: node.0 }]),
        }
    }

    /// The places that an edge connects: those of one machine with each other. An edge of one machine connects only places
    /// of that machine.
    pub(crate) fn pairs(&self, picture: &Picture<'_>, edge: EdgeIx) -> Vec<(Copy, Copy)> {
        let (source, target) = picture.ends(edge);
        if self.split.is_empty() || !(self.split.contains_key(&source) || self.split.contains_key(&target)) {
            return vec![(Copy { machine: None, place: source.0 }, Copy { machine: None, place: target.0 })];
        }
        let machine = BOUND.contains(&edge.kind).then(|| self.machine_of(picture, edge)).flatten();
        let mut pairs = Vec::new();
        for from in self.places(source).iter().filter(|copy| agree(copy.machine, machine)) {
            for to in self.places(target).iter().filter(|copy| agree(copy.machine, machine)) {
                if agree(from.machine, to.machine) {
                    pairs.push((*from, *to));
                }
            }
        }
        pairs
    }

    /// The machine of an edge, if places differ by it.
    pub(crate) fn machine_of(&self, picture: &Picture<'_>, edge: EdgeIx) -> Option<u32> {
        let origin = picture.edge_property(edge, "origin");
        let origin = origin.as_ref().and_then(PropertyValue::as_text)?;
        self.machines.iter().position(|machine| machine == origin).map(|number| number as u32)
    }

    pub(crate) fn node(&self, place: u32) -> Option<NodeIx> {
        match place.checked_sub(self.node_count) {
            None => Some(NodeIx(place)),
            Some(extra) => self.extra.get(extra as usize).map(|(node, _)| *node),
        }
    }

    pub(crate) fn machine(&self, place: u32) -> Option<&str> {
        let node = self.node(place)?;
        let copy = self.split.get(&node)?.iter().find(|copy| copy.place == place)?;
        self.machines.get(copy.machine? as usize).map(String::as_str)
    }
}

/// Whether two can be on one machine.
pub(crate) const fn agree(one: Option<u32>, other: Option<u32>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}

/// The machines on which a server is started, sorted.
fn machines(picture: &Picture<'_>, server: NodeIx) -> BTreeSet<String> {
    let edges = BOUND.iter().flat_map(|kind| {
        let incoming = picture.view.incoming(*kind, server);
        picture.view.outgoing(*kind, server).chain(incoming)
    });
    let origin = |edge: EdgeIx| picture.view.edge_property(edge, "origin")?.as_text().map(str::to_owned);
    edges.filter_map(|(_, edge)| origin(edge)).filter(|origin| !origin.is_empty()).collect()
}
