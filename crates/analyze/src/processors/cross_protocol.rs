//! What open agents on the network reach through machines that they, or agents they delegate to, share with tool servers.
//!
//! Growth: linear in agents, delegations and machines; and for each open agent in the delegations within three steps that lead
//! to resources, and in the resources behind the machines at their ends.

use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::reach::{Found, MOST};
use super::{Output, Pair, Processor, Reads, Stage, Writes};
use crate::basis::{Basis, Cost, On, common};
use crate::derived::{Detail, Harvest, Hop, NewComposite, Reach};

/// Over how many delegations a task is followed.
const DELEGATIONS: usize = 3;

pub(super) const PROCESSOR: Processor = Processor {
    name: "cross_protocol",
    purpose: "An agent that anybody may call shares a machine, itself or through agents it delegates to, with a tool server.",
    reads: &[
        Reads::Edges(EdgeKind::HasAccessTo, &[]),
        Reads::Edges(EdgeKind::DelegatesTo, &[]),
        Reads::Edges(EdgeKind::RunsOn, &["origin", "risk_weight"]),
        Reads::Edges(EdgeKind::TrustsServer, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesTool, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesResource, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesPrompt, &["origin"]),
        Reads::Nodes(NodeKind::McpServer, &["transport"]),
        Reads::Nodes(NodeKind::A2aAgent, &["auth_method"]),
        Reads::Nodes(NodeKind::Host, &[]),
    ],
    writes: &[Writes::Edges(EdgeKind::CanReach)],
    run,
    holds: Some(holds),
};

/// What lies behind a machine: the resource, and the best way to it from there.
type Behind = BTreeMap<NodeIx, Inner>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Inner {
    cost: Cost,
    server: NodeIx,
    tool: NodeIx,
}

/// The way to a machine: what it costs, and the agents on it, the open one first.
type Way = (Cost, Vec<NodeIx>);

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let map = Map::new(basis);
    let mut harvest = Harvest::default();
    for agent in basis.nodes(NodeKind::A2aAgent).filter(|agent| basis.auth(*agent).is_open()) {
        let hosts = map.hosts(agent);
        // The easiest first, then the one with the fewest agents on it, then by ids in walking order.
        let mut best: BTreeMap<NodeIx, (Cost, usize, &[NodeIx], NodeIx, Inner)> = BTreeMap::new();
        for (host, (cost, agents)) in &hosts {
            for (resource, inner) in map.behind.get(host).into_iter().flatten() {
                let way = (cost + inner.cost, agents.len(), agents.as_slice(), *host, *inner);
                best.entry(*resource).and_modify(|best| *best = way.min(*best)).or_insert(way);
            }
        }
        let best = best.into_iter().map(|(resource, way)| (way.0, resource, way));
        let found = Found::best(best.collect(), basis.bound(MOST));
        for (resource, (_, _, agents, host, inner)) in found.shown {
            let Inner { server, tool, .. } = inner;
            let detail = Detail::Reach(Reach::CrossProtocol { server, tool, host });
            let edge = NewComposite { confidence: 0.5, weight: 0.1, collector: "a2a", detail };
            harvest.add((agent, resource), edge, &path(agents, host, inner, resource));
        }
        harvest.beyond(agent, found.beyond);
    }
    Output::of_edges(EdgeKind::CanReach, harvest)
}

fn holds(stage: &Stage<'_>, pairs: &[Pair]) -> Vec<bool> {
    let basis = stage.basis;
    let map = Map::new(basis);
    let mut answers = Vec::with_capacity(pairs.len());
    for pairs in pairs.chunk_by(|a, b| a.0 == b.0) {
        let Some((agent, _)) = pairs.first().copied() else { continue };
        let is_open = basis.view.kind(agent) == NodeKind::A2aAgent && basis.auth(agent).is_open();
        let hosts = if is_open { map.hosts(agent) } else { BTreeMap::new() };
        let lies_behind = |resource: &NodeIx| {
            hosts.keys().any(|host| map.behind.get(host).is_some_and(|behind| behind.contains_key(resource)))
        };
        answers.extend(pairs.iter().map(|(_, resource)| lies_behind(resource)));
    }
    answers
}

/// The resources that each open agent reaches, one agent after the other.
pub(super) fn reached(basis: &Basis<'_>) -> impl Iterator<Item = BTreeSet<NodeIx>> {
    let map = Map::new(basis);
    let agents = basis.nodes(NodeKind::A2aAgent).filter(|agent| basis.auth(*agent).is_open());
    agents.map(move |agent| {
        let behind = map.hosts(agent).into_keys().filter_map(|host| map.behind.get(&host));
        behind.flat_map(BTreeMap::keys).copied().collect()
    })
}

/// Where delegations lead to resources.
struct Map<'a, 'g> {
    basis: &'a Basis<'g>,
    /// What lies behind each machine that agents run on, where something does.
    behind: BTreeMap<NodeIx, Behind>,
    /// By how many delegations may follow: the agents from which such a machine is reached.
    leading: Vec<BTreeSet<NodeIx>>,
}

impl<'a, 'g> Map<'a, 'g> {
    fn new(basis: &'a Basis<'g>) -> Self {
        let agents = || basis.nodes(NodeKind::A2aAgent);
        let hosts: BTreeSet<NodeIx> = agents().flat_map(|agent| basis.targets(EdgeKind::RunsOn, agent)).collect();
        let mut used = BTreeMap::new();
        let behind = hosts.into_iter().map(|host| (host, behind_host(basis, host, &mut used)));
        let behind: BTreeMap<NodeIx, Behind> = behind.filter(|(_, behind)| !behind.is_empty()).collect();
        let runs = |agent: &NodeIx| basis.targets(EdgeKind::RunsOn, *agent).any(|host| behind.contains_key(&host));
        let mut leading: Vec<BTreeSet<NodeIx>> = vec![agents().filter(runs).collect()];
        for _ in 0..DELEGATIONS {
            let mut all = leading.last().cloned().unwrap_or_default();
            let before: Vec<NodeIx> =
                all.iter().flat_map(|agent| basis.sources(EdgeKind::DelegatesTo, *agent)).collect();
            all.extend(before);
            leading.push(all);
        }
        Self { basis, behind, leading }
    }

    /// Whether so many delegations, or fewer, lead from an agent to a resource.
    fn leads(&self, agent: NodeIx, delegations: usize) -> bool {
        self.leading.get(delegations).is_some_and(|leading| leading.contains(&agent))
    }

    /// The machines with resources of an agent and of those that it delegates to, with the easiest way to each.
    fn hosts(&self, agent: NodeIx) -> BTreeMap<NodeIx, Way> {
        let view = self.basis.view;
        let mut hosts: BTreeMap<NodeIx, Way> = BTreeMap::new();
        let mut level: BTreeMap<NodeIx, Way> = BTreeMap::new();
        if self.leads(agent, DELEGATIONS) {
            level.insert(agent, (0, vec![agent]));
        }
        for left in (0..=DELEGATIONS).rev() {
            let mut next: BTreeMap<NodeIx, Way> = BTreeMap::new();
            for (at, (cost, agents)) in level {
                let machines = view.outgoing(EdgeKind::RunsOn, at).filter(|(host, _)| self.behind.contains_key(host));
                for (host, edge) in machines {
                    keep_easier(&mut hosts, host, (cost + self.basis.cost(edge), agents.clone()));
                }
                let Some(left) = left.checked_sub(1) else { continue };
                let onwards = view.outgoing(EdgeKind::DelegatesTo, at);
                for (to, edge) in onwards.filter(|(to, _)| self.leads(*to, left) && !agents.contains(to)) {
                    let onwards: Vec<NodeIx> = agents.iter().copied().chain([to]).collect();
                    keep_easier(&mut next, to, (cost + self.basis.cost(edge), onwards));
                }
            }
            level = next;
        }
        hosts
    }
}

fn keep_easier(best: &mut BTreeMap<NodeIx, Way>, at: NodeIx, way: Way) {
    let is_easier = |other: &Way| (way.0, way.1.len(), &way.1) < (other.0, other.1.len(), &other.1);
    if best.get(&at).is_none_or(is_easier) {
        best.insert(at, way);
    }
}

/// By server: the machines on which agents use it.
type Used = BTreeMap<NodeIx, On>;

/// What tool servers on a machine lead to, if some agent uses them there.
fn behind_host(basis: &Basis<'_>, host: NodeIx, used: &mut Used) -> Behind {
    let mut behind = Behind::new();
    let servers = basis.view.incoming(EdgeKind::RunsOn, host);
    for (server, edge) in servers.filter(|(node, _)| basis.view.kind(*node) == NodeKind::McpServer) {
        if basis.sources(EdgeKind::TrustsServer, server).len() == 0 {
            continue;
        }
        let cost = basis.cost(edge);
        let used = used.entry(server).or_insert_with(|| used_on(basis, server));
        for accessible in basis.accessible_on(server, &common(used, &basis.on(server, edge))).iter() {
            let inner = Inner { cost, server, tool: accessible.tool };
            behind.entry(accessible.resource).and_modify(|best| *best = inner.min(*best)).or_insert(inner);
        }
    }
    behind
}

/// The machines on which agents use a server.
fn used_on(basis: &Basis<'_>, server: NodeIx) -> On {
    let mut all = BTreeSet::new();
    for (_, edge) in basis.view.incoming(EdgeKind::TrustsServer, server) {
        all.extend(basis.on(server, edge)?);
    }
    Some(all.into_iter().collect())
}

fn path(agents: &[NodeIx], host: NodeIx, inner: Inner, resource: NodeIx) -> Vec<Hop> {
    let Inner { server, tool, .. } = inner;
    let mut path: Vec<Hop> = agents
        .windows(2)
        .filter_map(|pair| match pair {
            [from, to] => Some(Hop::along(EdgeKind::DelegatesTo, *from, *to)),
            _ => None,
        })
        .collect();
    path.extend(agents.last().map(|last| Hop::along(EdgeKind::RunsOn, *last, host)));
    path.push(Hop::against(EdgeKind::RunsOn, host, server));
    path.push(Hop::along(EdgeKind::ProvidesTool, server, tool));
    path.push(Hop::along(EdgeKind::HasAccessTo, tool, resource));
    path
}
