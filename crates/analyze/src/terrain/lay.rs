//! Laying out the arcs.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use tracehound_graph::{EdgeIx, NodeIx, View as _};
use tracehound_model::{EdgeKind, EdgeRole, Movement, NodeKind};

use super::Shortcuts;
use super::copies::{Copies, agree, is_among};
use crate::Picture;
use crate::basis::{Basis, Capabilities, Family};
use crate::derived::Link;
use crate::processors::reach::spots;
use crate::routes::Arc;

/// Machines up to which tools that run commands are connected with each; with more, a hub stands between.
const FEW: usize = 4;

/// What an arc stands for. An arc to a hub and one from it stand for one hop together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// An edge, walked forward.
    Along(EdgeIx),
    /// An edge, walked from its target to its source.
    Against(EdgeIx),
    /// A tool has access to a resource of this server.
    Access(NodeIx),
    /// A tool runs commands on a machine of this server.
    Execution(NodeIx),
    /// Two secrets are one.
    SameSecret,
    /// A tool of this server reads a secret.
    Reads(NodeIx, Link),
    /// The second half of a hop.
    Onwards,
}

/// Arcs on their way into a terrain.
pub(super) struct Laid {
    pub(super) arcs: Vec<Arc>,
    pub(super) meanings: Vec<Meaning>,
    pub(super) copies: Copies,
    hubs: u32,
    /// Whether some agent trusts both of two servers.
    meetings: FxHashMap<(NodeIx, NodeIx), bool>,
}

impl Laid {
    pub(super) fn new(picture: &Picture<'_>, copies: Copies, shortcuts: Shortcuts) -> Self {
        let mut laid = Self { arcs: Vec::new(), meanings: Vec::new(), copies, hubs: 0, meetings: FxHashMap::default() };
        let basis = Basis::new(picture.view);
        for kind in EdgeKind::ALL.iter().copied() {
            let is_walked = match kind.role() {
                EdgeRole::Observed => true,
                EdgeRole::Derived => !matches!(kind, EdgeKind::HasAccessTo | EdgeKind::CanExecute),
                EdgeRole::Shortcut => shortcuts == Shortcuts::Yes,
            };
            if is_walked {
                laid.edges(picture, &basis, kind);
            }
        }
        for server in picture.view.nodes_of(NodeKind::McpServer) {
            laid.access(&basis, server);
            laid.execution(picture, &basis, server);
        }
        laid.secrets(&basis);
        laid.readings(picture, &basis);
        laid
    }

    pub(super) fn place_count(&self) -> u32 {
        self.copies.len() + self.hubs
    }

    fn hub(&mut self) -> u32 {
        self.hubs += 1;
        self.copies.len() + self.hubs - 1
    }

    fn arc(&mut self, from: u32, to: u32, weight: f64, meaning: Meaning) {
        let hops = u8::from(meaning != Meaning::Onwards);
        self.arcs.push(Arc { from, to, weight, hops });
        self.meanings.push(meaning);
    }

    fn edges(&mut self, picture: &Picture<'_>, basis: &Basis<'_>, kind: EdgeKind) {
        let movement = kind.movement();
        if movement == Movement::Never {
            return;
        }
        for number in 0..picture.edge_count_of(kind) as u32 {
            let edge = EdgeIx { kind, number };
            if matches!(kind, EdgeKind::Shadows | EdgeKind::Taints) && !self.meet(basis, picture.ends(edge)) {
                continue;
            }
            let weight = match picture.analysis.derived.get(edge) {
                Some(composite) => composite.weight,
                None => basis.weight(edge),
            };
            for (from, to) in self.copies.pairs(picture, edge) {
                if matches!(movement, Movement::Forward | Movement::Both) {
                    self.arc(from.place, to.place, weight, Meaning::Along(edge));
                }
                if matches!(movement, Movement::Reverse | Movement::Both) {
                    self.arc(to.place, from.place, weight, Meaning::Against(edge));
                }
            }
        }
    }

    /// Whether some agent has both tools: a text that no agent reads beside a tool does nothing to that tool.
    fn meet(&mut self, basis: &Basis<'_>, (one, other): (NodeIx, NodeIx)) -> bool {
        let servers = |tool: NodeIx| basis.sources(EdgeKind::ProvidesTool, tool).collect::<Vec<_>>();
        let others = servers(other);
        servers(one).into_iter().any(|one| {
            others.iter().any(|other| {
                let pair = (one.min(*other), one.max(*other));
                *self.meetings.entry(pair).or_insert_with(|| has_common(basis, pair))
            })
        })
    }

    /// Tools to resources, through a hub for each family and machine.
    fn access(&mut self, basis: &Basis<'_>, server: NodeIx) {
        let access = basis.access();
        for family in [Family::Database, Family::File] {
            let (tools, resources) = (access.openers(server, family), access.of_family(server, family));
            if !tools.is_empty() && !resources.is_empty() {
                self.through_hub(server, tools, resources, 0.2, Meaning::Access(server));
            }
        }
        let named: Vec<(NodeIx, NodeIx)> = access
            .described(server)
            .flat_map(|(resource, tools)| tools.iter().map(move |tool| (*tool, resource)))
            .filter(|(tool, resource)| access.readers(server, *resource).by_capability.binary_search(tool).is_err())
            .collect();
        for (tool, resource) in named {
            for from in self.copies.places(tool).into_owned() {
                for to in self.copies.places(resource).into_owned() {
                    if agree(from.machine, to.machine) {
                        self.arc(from.place, to.place, 0.2, Meaning::Access(server));
                    }
                }
            }
        }
    }

    /// Each of the one to each of the other, on each machine of the server.
    fn through_hub(&mut self, server: NodeIx, from: &[NodeIx], to: &[NodeIx], weight: f64, meaning: Meaning) {
        for machine in self.copies.places(server).into_owned() {
            let hub = self.hub();
            for node in from {
                for copy in self.copies.places(*node).into_owned() {
                    if agree(copy.machine, machine.machine) {
                        self.arc(copy.place, hub, weight, meaning);
                    }
                }
            }
            for node in to {
                for copy in self.copies.places(*node).into_owned() {
                    if agree(copy.machine, machine.machine) {
                        self.arc(hub, copy.place, 0.0, Meaning::Onwards);
                    }
                }
            }
        }
    }

    /// Tools that run commands to the machines of their server.
    fn execution(&mut self, picture: &Picture<'_>, basis: &Basis<'_>, server: NodeIx) {
        let runs = |tool: &NodeIx| basis.capabilities(*tool).meets(Capabilities::EXECUTION);
        let tools: Vec<NodeIx> = basis.targets(EdgeKind::ProvidesTool, server).filter(runs).collect();
        let hosts: Vec<(NodeIx, Option<Vec<u32>>)> = basis
            .view
            .outgoing(EdgeKind::RunsOn, server)
            .map(|(host, edge)| (host, self.copies.machines_of(picture, edge)))
            .collect();
        if tools.is_empty() || hosts.is_empty() {
            return;
        }
        let is_split = self.copies.places(server).len() > 1;
        if !is_split && hosts.len() > FEW {
            let hosts: Vec<NodeIx> = hosts.into_iter().map(|(host, _)| host).collect();
            self.through_hub(server, &tools, &hosts, 0.1, Meaning::Execution(server));
            return;
        }
        for tool in tools {
            for copy in self.copies.places(tool).into_owned() {
                for (host, _) in hosts.iter().filter(|(_, machines)| is_among(copy.machine, machines.as_deref())) {
                    self.arc(copy.place, host.0, 0.1, Meaning::Execution(server));
                }
            }
        }
    }

    /// Copies of one secret, through a hub for each.
    fn secrets(&mut self, basis: &Basis<'_>) {
        let mut by_value: BTreeMap<String, Vec<NodeIx>> = BTreeMap::new();
        for credential in basis.nodes(NodeKind::Credential) {
            if let Some(value) = basis.known_secret(credential) {
                by_value.entry(value.into_owned()).or_default().push(credential);
            }
        }
        for copies in by_value.into_values().filter(|copies| copies.len() > 1) {
            let hub = self.hub();
            for credential in copies {
                self.arc(credential.0, hub, 0.0, Meaning::SameSecret);
                self.arc(hub, credential.0, 0.0, Meaning::Onwards);
            }
        }
    }

    /// Tools that read, to the secrets where they read.
    fn readings(&mut self, picture: &Picture<'_>, basis: &Basis<'_>) {
        let mut doors: BTreeMap<NodeIx, Doors> = BTreeMap::new();
        for spot in spots::reading(basis) {
            let hub = self.hub();
            // A tool that reads on several machines is one entry for each.
            let entries: BTreeSet<(NodeIx, Link)> =
                spot.entries.iter().filter_map(|(_, entry)| Some((entry.server, entry.link?))).collect();
            for (server, link) in entries {
                let doors = doors.entry(server).or_default();
                match link {
                    Link::Host(host) => doors.hosts.push((host, hub)),
                    Link::File(file) => doors.files.push((file, hub)),
                }
            }
            let secrets: BTreeSet<NodeIx> = spot.held.keys().map(|(_, credential)| *credential).collect();
            for credential in secrets {
                self.arc(hub, credential.0, 0.0, Meaning::Onwards);
            }
        }
        for (server, doors) in doors {
            self.readers(picture, basis, server, &doors);
        }
    }

    /// Every tool of a server that reads, to the spots that the server gets into. Where it runs on many machines, a hub stands
    /// between.
    fn readers(&mut self, picture: &Picture<'_>, basis: &Basis<'_>, server: NodeIx, doors: &Doors) {
        let tools: Vec<NodeIx> = spots::tools(basis, server).collect();
        let is_split = self.copies.places(server).len() > 1;
        if !is_split && doors.hosts.len() > FEW && tools.len() > 1 {
            let between = self.hub();
            for tool in &tools {
                for copy in self.copies.places(*tool).into_owned() {
                    self.arc(copy.place, between, 0.0, Meaning::Onwards);
                }
            }
            for (host, hub) in &doors.hosts {
                self.arc(between, *hub, 0.0, Meaning::Reads(server, Link::Host(*host)));
            }
        } else {
            for (host, hub) in &doors.hosts {
                let runs_on = basis.view.outgoing(EdgeKind::RunsOn, server).to(*host);
                let machines = runs_on.and_then(|edge| self.copies.machines_of(picture, edge));
                for copy in tools.iter().flat_map(|tool| self.copies.places(*tool).into_owned()).collect::<Vec<_>>() {
                    if is_among(copy.machine, machines.as_deref()) {
                        self.arc(copy.place, *hub, 0.0, Meaning::Reads(server, Link::Host(*host)));
                    }
                }
            }
        }
        for (file, hub) in &doors.files {
            let places = self.copies.places(*file).into_owned();
            for tool in tools.iter().filter(|tool| basis.access().why(server, **tool, *file).is_some()) {
                for copy in self.copies.places(*tool).into_owned() {
                    if places.iter().any(|place| agree(copy.machine, place.machine)) {
                        self.arc(copy.place, *hub, 0.0, Meaning::Reads(server, Link::File(*file)));
                    }
                }
            }
        }
    }
}

/// The spots that a server gets into, each with its hub: by machine and by file.
#[derive(Debug, Default)]
struct Doors {
    hosts: Vec<(NodeIx, u32)>,
    files: Vec<(NodeIx, u32)>,
}

/// Whether some agent trusts both servers. Walks the shorter list of agents.
fn has_common(basis: &Basis<'_>, (one, other): (NodeIx, NodeIx)) -> bool {
    let (one, other) =
        (basis.view.incoming(EdgeKind::TrustsServer, one), basis.view.incoming(EdgeKind::TrustsServer, other));
    let (mut few, many) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    few.any(|(agent, _)| many.to(agent).is_some())
}
