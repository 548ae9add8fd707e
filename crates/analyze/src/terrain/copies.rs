//! Places: one for each node, and several for what is started as a command on several machines.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::{EdgeIx, NodeIx, PropertyValue, View as _};
use tracehound_model::{EdgeKind, NodeKind};

use crate::Picture;

/// What a server provides. A command may show other tools on one machine than on another.
const PROVIDED: &[EdgeKind] = &[EdgeKind::ProvidesTool, EdgeKind::ProvidesResource, EdgeKind::ProvidesPrompt];

/// Edges that belong to machines: what configurations say of a server, and what it shows there.
const BOUND: &[EdgeKind] = &[
    EdgeKind::TrustsServer,
    EdgeKind::RunsOn,
    EdgeKind::HasEnvVar,
    EdgeKind::AuthenticatesWith,
    EdgeKind::ConfiguredIn,
    EdgeKind::ProvidesTool,
    EdgeKind::ProvidesResource,
    EdgeKind::ProvidesPrompt,
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
    numbers: BTreeMap<String, u32>,
    /// Machines that start a server and never showed what it provides there: it may be whatever others showed.
    silent: BTreeMap<NodeIx, Vec<u32>>,
    /// Nodes with places on machines, in the order of the machines.
    split: BTreeMap<NodeIx, Vec<Copy>>,
    /// The node and machine of the places after the first of each node.
    extra: Vec<(NodeIx, u32)>,
}

impl Copies {
    pub(crate) fn new(picture: &Picture<'_>) -> Self {
        let mut copies = Self {
            node_count: picture.node_count() as u32,
            machines: Vec::new(),
            numbers: BTreeMap::new(),
            silent: BTreeMap::new(),
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
            let mut numbers: Vec<u32> = machines.into_iter().map(|machine| copies.number(machine)).collect();
            numbers.sort_unstable();
            copies.split(server, &numbers);
            copies.note_silent(picture, server, &numbers);
            for kind in PROVIDED.iter().copied() {
                for (below, edge) in picture.view.outgoing(kind, server) {
                    // What another server provides as well has no machine of its own.
                    if picture.view.incoming(kind, below).len() == 1 {
                        let own = copies.machines_of(picture, edge).unwrap_or_else(|| numbers.clone());
                        copies.split(below, &own);
                    }
                }
            }
        }
        copies
    }

    fn note_silent(&mut self, picture: &Picture<'_>, server: NodeIx, machines: &[u32]) {
        let provided = PROVIDED.iter().flat_map(|kind| picture.view.outgoing(*kind, server));
        let origins = |edge: EdgeIx| picture.view.origins(edge).unwrap_or_default();
        let showing: BTreeSet<u32> = provided
            .flat_map(|(_, edge)| origins(edge))
            .filter_map(|origin| self.numbers.get(origin.as_ref()).copied())
            .collect();
        let silent = machines.iter().copied().filter(|machine| !showing.contains(machine)).collect();
        self.silent.insert(server, silent);
    }

    fn number(&mut self, machine: String) -> u32 {
        let next = self.machines.len() as u32;
        let number = *self.numbers.entry(machine.clone()).or_insert(next);
        if number == next {
            self.machines.push(machine);
        }
        number
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

    /// The places that an edge connects: those of one machine with each other. An edge of some machines connects only
    /// places of those.
    pub(crate) fn pairs(&self, picture: &Picture<'_>, edge: EdgeIx) -> Vec<(Copy, Copy)> {
        let (source, target) = picture.ends(edge);
        if self.split.is_empty() || !(self.split.contains_key(&source) || self.split.contains_key(&target)) {
            return vec![(Copy { machine: None, place: source.0 }, Copy { machine: None, place: target.0 })];
        }
        let machines = BOUND.contains(&edge.kind).then(|| self.machines_of(picture, edge)).flatten();
        let is_meant = |copy: &&Copy| is_among(copy.machine, machines.as_deref());
        let (from, to) = (self.places(source), self.places(target));
        // Machines are in order on both sides, so each place meets at most one of its own machine.
        let mut pairs = Vec::new();
        for from in from.iter().filter(is_meant) {
            let own = to.binary_search_by_key(&from.machine, |to| to.machine);
            match own.ok().and_then(|position| to.get(position)) {
                Some(own) if from.machine.is_some() => pairs.extend(Some(own).filter(is_meant).map(|to| (*from, *to))),
                _ => {
                    let agreeing = to.iter().filter(|to| agree(from.machine, to.machine));
                    pairs.extend(agreeing.filter(is_meant).map(|to| (*from, *to)));
                }
            }
        }
        pairs
    }

    /// The machines of an edge, in order, as far as places differ by them. None: it may be on any.
    pub(crate) fn machines_of(&self, picture: &Picture<'_>, edge: EdgeIx) -> Option<Vec<u32>> {
        let origins = picture.origins(edge)?;
        let number = |origin: &Cow<'_, str>| self.numbers.get(origin.as_ref()).copied();
        let mut machines: Vec<u32> = origins.iter().filter_map(number).collect();
        if PROVIDED.contains(&edge.kind) {
            machines.extend(self.silent.get(&picture.ends(edge).0).into_iter().flatten());
        }
        machines.sort_unstable();
        Some(machines).filter(|machines| !machines.is_empty())
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

/// Whether something on one machine can be on one of several.
pub(crate) fn is_among(one: Option<u32>, machines: Option<&[u32]>) -> bool {
    match (one, machines) {
        (Some(one), Some(machines)) => machines.binary_search(&one).is_ok(),
        _ => true,
    }
}

/// The machines on which a server is started, sorted.
fn machines(picture: &Picture<'_>, server: NodeIx) -> BTreeSet<String> {
    let edges = BOUND.iter().flat_map(|kind| {
        let incoming = picture.view.incoming(*kind, server);
        picture.view.outgoing(*kind, server).chain(incoming)
    });
    let origins = |edge: EdgeIx| picture.view.origins(edge).into_iter().flatten().map(Cow::into_owned);
    edges.flat_map(|(_, edge)| origins(edge)).collect()
}
