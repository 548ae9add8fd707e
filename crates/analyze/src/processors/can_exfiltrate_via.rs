//! Which agents reach guarded data and also have a tool that sends things out.
//!
//! Growth: for each agent linear in what it reaches as written down, in its servers, and in what is written down. Outbound
//! tools that several servers provide, which only documents of others have, are looked at one by one, and so are those of
//! commands that show other things on one machine than on another.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use tracehound_graph::{EdgeIx, NodeIx};
use tracehound_model::{EdgeKind, NodeKind, Weight};

use super::reach::{direct, trusted};
use super::{Output, Processor, Reads, Stage, Writes};
use crate::basis::{Accessible, Basis, Capabilities, Cost, Sensitivity, cost};
use crate::derived::{Detail, Harvest, Hop, NewComposite, RawEdge, Reach};

/// How many tools are written down for one agent: those of the servers that are easiest to use, then by id.
const MOST: usize = 20;

pub(super) const PROCESSOR: Processor = Processor {
    name: "can_exfiltrate_via",
    purpose: "An agent reaches guarded data and has a tool that sends things out.",
    reads: &[
        Reads::Edges(EdgeKind::CanReach, &[]),
        Reads::Edges(EdgeKind::TrustsServer, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesTool, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesResource, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesPrompt, &["origin"]),
        Reads::Edges(EdgeKind::HasEnvVar, &["risk_weight"]),
        Reads::Nodes(NodeKind::AgentInstance, &[]),
        Reads::Nodes(NodeKind::McpServer, &["auth_method", "transport"]),
        Reads::Nodes(NodeKind::McpTool, &["capability_surface"]),
        Reads::Nodes(NodeKind::McpResource, &["sensitivity"]),
    ],
    writes: &[Writes::Edges(EdgeKind::CanExfiltrateVia)],
    run,
};

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let outbound = outbound_tools(basis);
    let guarded = Guarded::new(basis);
    let mut harvest = Harvest::default();
    for agent in basis.nodes(NodeKind::AgentInstance) {
        let servers = trusted(basis, agent);
        let Some((sensitivity, resource)) = guarded.reached(stage, agent, &servers) else { continue };
        let (shown, count) = tools(basis, agent, &outbound, &servers);
        let written = shown.len() as u64;
        let reached = path_to(stage, agent, resource);
        for (tool, server) in shown {
            let mut path = reached.clone();
            path.push(Hop::along(EdgeKind::TrustsServer, agent, server));
            path.push(Hop::along(EdgeKind::ProvidesTool, server, tool));
            let detail = Detail::Exfiltration { resource, sensitivity };
            harvest.add((agent, tool), NewComposite { confidence: 0.8, weight: 0.1, collector: "mcp", detail }, &path);
        }
        harvest.beyond(agent, count - written);
    }
    Output::of_edges(EdgeKind::CanExfiltrateVia, harvest)
}

/// The outbound tools of a server, by id.
#[derive(Debug, Default)]
struct Outbound {
    /// Those that every agent of the server has, and that no other server provides.
    own: Vec<NodeIx>,
    /// The others.
    shared: Vec<NodeIx>,
}

/// The outbound tools of each server that has any.
fn outbound_tools(basis: &Basis<'_>) -> FxHashMap<NodeIx, Outbound> {
    let mut by_server: FxHashMap<NodeIx, Outbound> = FxHashMap::default();
    for tool in basis.nodes(NodeKind::McpTool).filter(|it| basis.capabilities(*it).meets(Capabilities::OUTBOUND)) {
        let sole = basis.sole_provider(EdgeKind::ProvidesTool, tool);
        if let Some(server) = sole.filter(|server| !basis.machines().differ(*server)) {
            by_server.entry(server).or_default().own.push(tool);
            continue;
        }
        for server in basis.sources(EdgeKind::ProvidesTool, tool) {
            by_server.entry(server).or_default().shared.push(tool);
        }
    }
    by_server
}

/// The first outbound tools of an agent's servers, each with its server, and how many there are.
fn tools(
    basis: &Basis<'_>,
    agent: NodeIx,
    outbound: &FxHashMap<NodeIx, Outbound>,
    servers: &[(Cost, NodeIx)],
) -> (Vec<(NodeIx, NodeIx)>, u64) {
    let mut shown = Vec::new();
    let (mut own, mut shared) = (0, BTreeSet::new());
    for group in servers.chunk_by(|a, b| a.0 == b.0) {
        let mut all: Vec<(NodeIx, NodeIx)> = Vec::new();
        for (_, server) in group {
            let Some(tools) = outbound.get(server) else { continue };
            own += tools.own.len() as u64;
            let left = MOST.saturating_sub(shown.len());
            all.extend(tools.own.iter().take(left).map(|tool| (*tool, *server)));
            let on = if basis.machines().differ(*server) { basis.used_on(agent, *server) } else { None };
            let has = |tool: &&NodeIx| basis.machines().have(*server, &on, **tool);
            // Of several servers with one tool the first counts.
            let fresh = tools.shared.iter().filter(has).filter(|tool| shared.insert(**tool));
            all.extend(fresh.map(|tool| (*tool, *server)));
        }
        all.sort_unstable();
        shown.extend(all.into_iter().take(MOST.saturating_sub(shown.len())));
    }
    (shown, own + shared.len() as u64)
}

/// The most sensitive resources behind each server.
struct Guarded<'a, 'g> {
    basis: &'a Basis<'g>,
    by_server: FxHashMap<NodeIx, (Sensitivity, NodeIx)>,
    first_resource: u32,
    /// By resource.
    sensitivities: Vec<Sensitivity>,
}

impl<'a, 'g> Guarded<'a, 'g> {
    fn new(basis: &'a Basis<'g>) -> Self {
        let mut by_server = FxHashMap::default();
        for server in basis.nodes(NodeKind::McpServer) {
            if let Some(worst) = worst(basis, basis.access().accessible(server)) {
                by_server.insert(server, worst);
            }
        }
        let resources = basis.view.range_of(NodeKind::McpResource);
        let first_resource = resources.start;
        let sensitivities = resources.map(|resource| basis.sensitivity(NodeIx(resource))).collect();
        Self { basis, by_server, first_resource, sensitivities }
    }

    /// The most sensitive resource behind a server of an agent.
    fn behind(&self, agent: NodeIx, server: NodeIx) -> Option<(Sensitivity, NodeIx)> {
        if self.basis.machines().differ(server) {
            return worst(self.basis, &self.basis.accessible_to(agent, server));
        }
        self.by_server.get(&server).copied()
    }

    /// The most sensitive resource that an agent reaches; of several the one that is easiest to reach, then by id.
    fn reached(&self, stage: &Stage<'_>, agent: NodeIx, servers: &[(Cost, NodeIx)]) -> Option<(Sensitivity, NodeIx)> {
        let behind = servers.iter().filter_map(|(cost, server)| {
            let (sensitivity, resource) = self.behind(agent, *server)?;
            Some((std::cmp::Reverse(sensitivity), *cost, resource))
        });
        if let Some((sensitivity, _, resource)) = behind.min() {
            // A critical one is as bad as it gets; a merely high one may be outdone by what secrets lead to.
            if sensitivity.0 == Sensitivity::Critical {
                return Some((sensitivity.0, resource));
            }
            let other = self.reached_otherwise(stage, agent);
            return other.filter(|(other, _)| *other > sensitivity.0).or(Some((sensitivity.0, resource)));
        }
        self.reached_otherwise(stage, agent)
    }

    /// The same of what secrets lead to.
    fn reached_otherwise(&self, stage: &Stage<'_>, agent: NodeIx) -> Option<(Sensitivity, NodeIx)> {
        let through_secret = |edge: EdgeIx| {
            let detail = stage.derived.get(edge).map(|edge| edge.detail);
            matches!(detail, Some(Detail::Reach(Reach::Credential { .. })))
        };
        let reached = stage.derived.outgoing(EdgeKind::CanReach, agent).filter(|(_, edge)| through_secret(*edge));
        let mut worst = Sensitivity::Unknown;
        let mut all = Vec::new();
        for (resource, edge) in reached {
            let sensitivity = self.sensitivity(resource);
            if sensitivity > worst {
                worst = sensitivity;
                all.clear();
            }
            if sensitivity == worst && sensitivity.is_guarded() {
                all.push((resource, edge));
            }
        }
        let relation = stage.derived.of(EdgeKind::CanReach);
        let path = |edge: EdgeIx| relation.get(edge.number).map_or(&[][..], |edge| relation.path(edge));
        let costs = all.into_iter().map(|(resource, edge)| (cost_of(self.basis, path(edge)), resource));
        Some((worst, costs.min()?.1))
    }

    fn sensitivity(&self, resource: NodeIx) -> Sensitivity {
        let offset = resource.0.checked_sub(self.first_resource);
        offset.and_then(|offset| self.sensitivities.get(offset as usize)).copied().unwrap_or_default()
    }
}

/// What a path costs.
fn cost_of(basis: &Basis<'_>, path: &[Hop]) -> Cost {
    let of_edge = |edge: RawEdge| match edge.kind.weight() {
        Weight::Fixed(weight) => Some(cost(weight)),
        _ => Some(basis.cost(basis.view.outgoing(edge.kind, edge.source).to(edge.target)?)),
    };
    path.iter().filter_map(|hop| of_edge(hop.edge()?)).sum()
}

/// The most sensitive of several resources, if it is to be guarded.
fn worst(basis: &Basis<'_>, accessible: &[Accessible]) -> Option<(Sensitivity, NodeIx)> {
    let all = accessible.iter().map(|it| (basis.sensitivity(it.resource), it.resource));
    all.filter(|(sensitivity, _)| sensitivity.is_guarded()).min_by_key(worst_first)
}

fn worst_first((sensitivity, resource): &(Sensitivity, NodeIx)) -> (std::cmp::Reverse<Sensitivity>, NodeIx) {
    (std::cmp::Reverse(*sensitivity), *resource)
}

/// How the agent reaches the data.
fn path_to(stage: &Stage<'_>, agent: NodeIx, resource: NodeIx) -> Vec<Hop> {
    if let Some(way) = direct::way(stage.basis, agent, resource) {
        return vec![
            Hop::along(EdgeKind::TrustsServer, agent, way.server),
            Hop::along(EdgeKind::ProvidesTool, way.server, way.tool),
            Hop::along(EdgeKind::HasAccessTo, way.tool, resource),
        ];
    }
    let relation = stage.derived.of(EdgeKind::CanReach);
    let edge = stage.derived.outgoing(EdgeKind::CanReach, agent).to(resource);
    edge.and_then(|edge| relation.get(edge.number)).map_or_else(Vec::new, |edge| relation.path(edge).to_vec())
}
