//! Agent → trusted server → tool → resource.
//!
//! Growth: for each agent linear in the servers that it trusts and in what is written down. Resources that several servers
//! provide, which only documents of others have, are looked at one by one, and so are those of commands that show other
//! things on one machine than on another.

use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::{Found, MOST, trusted};
use crate::basis::{Basis, Cost};

/// The best way to a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    pub(crate) cost: Cost,
    pub(crate) server: NodeIx,
    pub(crate) tool: NodeIx,
}

/// The resources of servers that their tools have access to, counted.
#[derive(Debug)]
pub(crate) struct Direct {
    first_server: u32,
    servers: Vec<Counted>,
}

#[derive(Debug, Default)]
struct Counted {
    /// Resources that this server alone provides, the same on all machines.
    alone: u64,
    /// Resources that others provide as well, or not all machines of the server; by id.
    shared: Vec<NodeIx>,
}

impl Direct {
    pub(crate) fn new(basis: &Basis<'_>) -> Self {
        let range = basis.view.range_of(NodeKind::McpServer);
        let is_shared = |resource: &NodeIx| basis.view.incoming(EdgeKind::ProvidesResource, *resource).len() > 1;
        let count = |server: u32| {
            let all = basis.access().accessible(NodeIx(server));
            // Who trusts a server whose machines differ does not reach all of it, so nothing of it can be counted at once.
            let differ = basis.machines().differ(NodeIx(server));
            let shared: Vec<NodeIx> = all.iter().map(|it| it.resource).filter(|it| differ || is_shared(it)).collect();
            Counted { alone: (all.len() - shared.len()) as u64, shared }
        };
        Self { first_server: range.start, servers: range.map(count).collect() }
    }

    /// What an agent reaches.
    pub(crate) fn of(&self, basis: &Basis<'_>, agent: NodeIx) -> Found<Way> {
        let servers = trusted(basis, agent);
        let mut shown: Vec<(NodeIx, Way)> = Vec::new();
        let mut seen = BTreeSet::new();
        let most = basis.bound(MOST);
        for group in servers.chunk_by(|a, b| a.0 == b.0) {
            if shown.len() >= most {
                break;
            }
            for (resource, way) in easiest(basis, agent, group) {
                if shown.len() < most && seen.insert(resource) {
                    shown.push((resource, way));
                }
            }
        }
        let beyond = self.count(basis, agent, &servers) - shown.len() as u64;
        Found { shown, beyond }
    }

    fn count(&self, basis: &Basis<'_>, agent: NodeIx, servers: &[(Cost, NodeIx)]) -> u64 {
        let (mut alone, mut shared) = (0, BTreeSet::new());
        for (_, server) in servers {
            if basis.machines().differ(*server) {
                let own = basis.accessible_to(agent, *server);
                shared.extend(own.iter().map(|accessible| accessible.resource));
            } else if let Some(counted) = self.counted(*server) {
                alone += counted.alone;
                shared.extend(counted.shared.iter().copied());
            }
        }
        alone + shared.len() as u64
    }

    fn counted(&self, server: NodeIx) -> Option<&Counted> {
        self.servers.get(server.0.checked_sub(self.first_server)? as usize)
    }

    /// By server: how many of its resources no other server provides.
    pub(crate) fn amounts(&self) -> Vec<u64> {
        self.servers.iter().map(|counted| counted.alone).collect()
    }

    /// Whether a resource that tools of a server have access to has to be looked at by itself.
    pub(crate) fn is_shared(&self, server: NodeIx, resource: NodeIx) -> bool {
        self.counted(server).is_some_and(|counted| counted.shared.binary_search(&resource).is_ok())
    }
}

/// The first resources behind servers that are equally easy to use.
fn easiest(basis: &Basis<'_>, agent: NodeIx, group: &[(Cost, NodeIx)]) -> BTreeMap<NodeIx, Way> {
    let mut all = BTreeMap::new();
    for (cost, server) in group {
        for accessible in basis.accessible_to(agent, *server).iter().take(basis.bound(MOST)) {
            let way = Way { cost: *cost, server: *server, tool: accessible.tool };
            all.entry(accessible.resource).or_insert(way);
        }
    }
    all
}

/// The best way from an agent to a resource, if there is one.
pub(crate) fn way(basis: &Basis<'_>, agent: NodeIx, resource: NodeIx) -> Option<Way> {
    let trusts = basis.view.outgoing(EdgeKind::TrustsServer, agent);
    let ways = basis.sources(EdgeKind::ProvidesResource, resource).filter_map(|server| {
        let edge = trusts.to(server)?;
        let tool = basis.tool_for(agent, server, resource)?;
        Some(Way { cost: basis.cost(edge), server, tool })
    });
    ways.min()
}
