//! What open agents on the network reach through machines that they, or agents they delegate to, share with tool servers.
//!
//! Growth: for each open agent linear in the delegations within three steps and in the resources behind the machines at
//! their ends.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::reach::Found;
use super::{Output, Processor, Reads, Stage, Writes};
use crate::basis::{Basis, Cost};
use crate::derived::{Detail, Harvest, Hop, NewComposite, Reach};

/// Over how many delegations a task is followed.
const DELEGATIONS: usize = 3;

pub(super) const PROCESSOR: Processor = Processor {
    name: "cross_protocol",
    purpose: "An agent that anybody may call shares a machine, itself or through agents it delegates to, with a tool server.",
    reads: &[
        Reads::Edges(EdgeKind::HasAccessTo, &[]),
        Reads::Edges(EdgeKind::DelegatesTo, &[]),
        Reads::Edges(EdgeKind::RunsOn, &["risk_weight"]),
        Reads::Edges(EdgeKind::TrustsServer, &[]),
        Reads::Edges(EdgeKind::ProvidesTool, &[]),
        Reads::Edges(EdgeKind::ProvidesResource, &[]),
        Reads::Nodes(NodeKind::A2aAgent, &["auth_method"]),
        Reads::Nodes(NodeKind::Host, &[]),
    ],
    writes: &[Writes::Edges(EdgeKind::CanReach)],
    run,
};

/// What lies behind a machine: the resource, and the best way to it from there.
type Behind = BTreeMap<NodeIx, Inner>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Inner {
    cost: Cost,
    server: NodeIx,
    tool: NodeIx,
}

/// A way; the easiest first, then the one with the fewest agents on it, then by ids in walking order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    cost: Cost,
    length: usize,
    /// The agents on the way, the open one first.
    agents: Vec<NodeIx>,
    host: NodeIx,
    inner: Inner,
}

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let mut behind: BTreeMap<NodeIx, Behind> = BTreeMap::new();
    let mut harvest = Harvest::default();
    for agent in basis.nodes(NodeKind::A2aAgent).filter(|agent| basis.auth(*agent).is_open()) {
        let mut best: BTreeMap<NodeIx, Way> = BTreeMap::new();
        for (host, (cost, agents)) in hosts(basis, agent) {
            for (resource, inner) in behind.entry(host).or_insert_with(|| behind_host(basis, host)) {
                let (cost, length) = (cost + inner.cost, agents.len());
                let way = Way { cost, length, agents: agents.clone(), host, inner: *inner };
                match best.entry(*resource) {
                    Entry::Vacant(free) => drop(free.insert(way)),
                    Entry::Occupied(mut taken) if way < *taken.get() => drop(taken.insert(way)),
                    Entry::Occupied(_) => {}
                }
            }
        }
        let found = Found::best(best.into_iter().map(|(resource, way)| (way.cost, resource, way)).collect());
        for (resource, way) in found.shown {
            let Inner { server, tool, .. } = way.inner;
            let detail = Detail::Reach(Reach::CrossProtocol { server, tool, host: way.host });
            let edge = NewComposite { confidence: 0.5, weight: 0.1, collector: "a2a", detail };
            harvest.add((agent, resource), edge, &path(&way, resource));
        }
        harvest.beyond(agent, found.beyond);
    }
    Output::of_edges(EdgeKind::CanReach, harvest)
}

/// The machines of an agent and of those that it delegates to, with the easiest way to each.
fn hosts(basis: &Basis<'_>, agent: NodeIx) -> BTreeMap<NodeIx, (Cost, Vec<NodeIx>)> {
    let mut hosts: BTreeMap<NodeIx, (Cost, Vec<NodeIx>)> = BTreeMap::new();
    let mut level: BTreeMap<NodeIx, (Cost, Vec<NodeIx>)> = BTreeMap::from([(agent, (0, vec![agent]))]);
    for step in 0..=DELEGATIONS {
        let mut next: BTreeMap<NodeIx, (Cost, Vec<NodeIx>)> = BTreeMap::new();
        for (at, (cost, agents)) in level {
            for (host, edge) in basis.view.outgoing(EdgeKind::RunsOn, at) {
                keep_easier(&mut hosts, host, (cost + basis.cost(edge), agents.clone()));
            }
            if step == DELEGATIONS {
                continue;
            }
            for (to, edge) in basis.view.outgoing(EdgeKind::DelegatesTo, at).filter(|(to, _)| !agents.contains(to)) {
                let onwards: Vec<NodeIx> = agents.iter().copied().chain([to]).collect();
                keep_easier(&mut next, to, (cost + basis.cost(edge), onwards));
            }
        }
        level = next;
    }
    hosts
}

fn keep_easier(best: &mut BTreeMap<NodeIx, (Cost, Vec<NodeIx>)>, at: NodeIx, way: (Cost, Vec<NodeIx>)) {
    let is_easier = |other: &(Cost, Vec<NodeIx>)| (way.0, way.1.len(), &way.1) < (other.0, other.1.len(), &other.1);
    if best.get(&at).is_none_or(is_easier) {
        best.insert(at, way);
    }
}

/// What tool servers on a machine lead to, if some agent trusts them.
fn behind_host(basis: &Basis<'_>, host: NodeIx) -> Behind {
    let mut behind = Behind::new();
    let servers = basis.view.incoming(EdgeKind::RunsOn, host);
    for (server, edge) in servers.filter(|(node, _)| basis.view.kind(*node) == NodeKind::McpServer) {
        if basis.sources(EdgeKind::TrustsServer, server).len() == 0 {
            continue;
        }
        let cost = basis.cost(edge);
        for accessible in basis.access().accessible(server) {
            let inner = Inner { cost, server, tool: accessible.tool };
            behind.entry(accessible.resource).and_modify(|best| *best = inner.min(*best)).or_insert(inner);
        }
    }
    behind
}

fn path(way: &Way, resource: NodeIx) -> Vec<Hop> {
    let Inner { server, tool, .. } = way.inner;
    let mut path: Vec<Hop> = way
        .agents
        .windows(2)
        .filter_map(|pair| match pair {
            [from, to] => Some(Hop::along(EdgeKind::DelegatesTo, *from, *to)),
            _ => None,
        })
        .collect();
    path.extend(way.agents.last().map(|last| Hop::along(EdgeKind::RunsOn, *last, way.host)));
    path.push(Hop::against(EdgeKind::RunsOn, way.host, server));
    path.push(Hop::along(EdgeKind::ProvidesTool, server, tool));
    path.push(Hop::along(EdgeKind::HasAccessTo, tool, resource));
    path
}
