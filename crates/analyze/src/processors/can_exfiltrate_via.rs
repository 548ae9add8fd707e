//! Which agents reach guarded data and also have a tool that sends things out.
//!
//! Growth: for each agent linear in its servers, in the spots at which these get at secrets, and in what is written down; what
//! lies behind secrets is asked for only by agents that get at nothing critical without them, see `reach::behind`. Outbound
//! tools that several servers provide, which only documents of others have, are looked at one by one, and so are those of
//! commands that show other things on one machine than on another.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind, Weight};

use super::reach::{Asked, behind, direct, trusted};
use super::{Output, Pair, Processor, Reads, Stage, Writes};
use crate::basis::{Accessible, Basis, Capabilities, Cost, Sensitivity, cost};
use crate::derived::{Detail, Harvest, Hop, NewComposite, RawEdge};

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
    holds: Some(holds),
};

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let outbound = outbound_tools(basis);
    let mut guarded = Guarded::new(stage);
    let mut harvest = Harvest::default();
    for agent in basis.nodes(NodeKind::AgentInstance) {
        let servers = trusted(basis, agent);
        let (shown, count) = tools(basis, agent, &outbound, &servers);
        if count == 0 {
            continue;
        }
        let Some((sensitivity, resource, reached)) = guarded.reached(agent, &servers) else { continue };
        let written = shown.len() as u64;
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

fn holds(stage: &Stage<'_>, pairs: &[Pair]) -> Vec<bool> {
    let basis = stage.basis;
    let mut guarded = Guarded::new(stage);
    let mut answers = Vec::with_capacity(pairs.len());
    for pairs in pairs.chunk_by(|a, b| a.0 == b.0) {
        let Some((agent, _)) = pairs.first().copied() else { continue };
        let trusts = basis.view.outgoing(EdgeKind::TrustsServer, agent);
        let reaches = guarded.reached(agent, &trusted(basis, agent)).is_some();
        let has = |tool: NodeIx| {
            let mut servers = basis.sources(EdgeKind::ProvidesTool, tool).filter(|it| trusts.to(*it).is_some());
            servers.any(|server| basis.machines().have(server, &basis.used_on(agent, server), tool))
        };
        let sends = |tool: NodeIx| basis.capabilities(tool).meets(Capabilities::OUTBOUND) && has(tool);
        answers.extend(pairs.iter().map(|(_, tool)| reaches && sends(*tool)));
    }
    answers
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
    let most = basis.bound(MOST);
    let mut shown = Vec::new();
    let (mut own, mut shared) = (0, BTreeSet::new());
    for group in servers.chunk_by(|a, b| a.0 == b.0) {
        let mut all: Vec<(NodeIx, NodeIx)> = Vec::new();
        for (_, server) in group {
            let Some(tools) = outbound.get(server) else { continue };
            own += tools.own.len() as u64;
            let left = most.saturating_sub(shown.len());
            all.extend(tools.own.iter().take(left).map(|tool| (*tool, *server)));
            let on = if basis.machines().differ(*server) { basis.used_on(agent, *server) } else { None };
            let has = |tool: &&NodeIx| basis.machines().have(*server, &on, **tool);
            // Of several servers with one tool the first counts.
            let fresh = tools.shared.iter().filter(has).filter(|tool| shared.insert(**tool));
            all.extend(fresh.map(|tool| (*tool, *server)));
        }
        all.sort_unstable();
        shown.extend(all.into_iter().take(most.saturating_sub(shown.len())));
    }
    (shown, own + shared.len() as u64)
}

/// How sensitive a resource is that an agent reaches, the resource, and the path to it.
type Reached = (Sensitivity, NodeIx, Vec<Hop>);

/// What is to be guarded, and how agents reach it.
struct Guarded<'a> {
    basis: &'a Basis<'a>,
    asked: Asked<'a>,
    /// The most sensitive resource behind each server.
    by_server: FxHashMap<NodeIx, (Sensitivity, NodeIx)>,
}

impl<'a> Guarded<'a> {
    fn new(stage: &'a Stage<'_>) -> Self {
        let basis = stage.basis;
        let mut by_server = FxHashMap::default();
        for server in basis.nodes(NodeKind::McpServer) {
            if let Some(worst) = worst(basis, basis.access().accessible(server)) {
                by_server.insert(server, worst);
            }
        }
        Self { basis, asked: stage.ways().asked(basis), by_server }
    }

    /// The most sensitive resource behind a server of an agent.
    fn behind(&self, agent: NodeIx, server: NodeIx) -> Option<(Sensitivity, NodeIx)> {
        if self.basis.machines().differ(server) {
            return worst(self.basis, &self.basis.accessible_to(agent, server));
        }
        self.by_server.get(&server).copied()
    }

    /// The most sensitive resource that an agent reaches; of several one that it reaches directly, then the one that is easiest
    /// to reach, then by id.
    fn reached(&mut self, agent: NodeIx, servers: &[(Cost, NodeIx)]) -> Option<Reached> {
        let behind = servers.iter().filter_map(|(cost, server)| {
            let (sensitivity, resource) = self.behind(agent, *server)?;
            Some((Reverse(sensitivity), *cost, resource))
        });
        let direct = behind.min().map(|(sensitivity, _, resource)| (sensitivity.0, resource));
        for sensitivity in [Sensitivity::Critical, Sensitivity::High] {
            if let Some((_, resource)) = direct.filter(|(level, _)| *level == sensitivity) {
                return Some((sensitivity, resource, direct_path(self.basis, agent, resource)));
            }
            let ways = self.asked.first_of(agent, sensitivity).into_iter().flatten();
            let paths = ways.map(|(resource, way)| (resource, behind::path(agent, resource, &way)));
            let first = paths.min_by_key(|(resource, path)| (cost_of(self.basis, path), *resource));
            if let Some((resource, path)) = first {
                return Some((sensitivity, resource, path));
            }
        }
        None
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

fn worst_first((sensitivity, resource): &(Sensitivity, NodeIx)) -> (Reverse<Sensitivity>, NodeIx) {
    (Reverse(*sensitivity), *resource)
}

/// How an agent reaches a resource of a server that it trusts.
fn direct_path(basis: &Basis<'_>, agent: NodeIx, resource: NodeIx) -> Vec<Hop> {
    let way = direct::way(basis, agent, resource).into_iter();
    let path = way.flat_map(|way| {
        [
            Hop::along(EdgeKind::TrustsServer, agent, way.server),
            Hop::along(EdgeKind::ProvidesTool, way.server, way.tool),
            Hop::along(EdgeKind::HasAccessTo, way.tool, resource),
        ]
    });
    path.collect()
}
