//! Agent → trusted server → tool → resource.
//!
//! Growth: for each agent linear in the servers that it trusts and in what is written down. Resources that several servers
//! provide, which only documents of others have, are looked at one by one.

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
    /// Resources that this server alone provides.
    alone: u64,
    /// Resources that others provide as well, by id.
    shared: Vec<NodeIx>,
}

impl Direct {
    pub(crate) fn new(basis: &Basis<'_>) -> Self {
        let range = basis.view.range_of(NodeKind::McpServer);
        let is_shared = |resource: &NodeIx| basis.view.incoming(EdgeKind::ProvidesResource, *resource).len() > 1;
        let count = |server: u32| {
            let all = basis.access().accessible(NodeIx(server));
            let shared: Vec<NodeIx> = all.iter().map(|it| it.resource).filter(is_shared).collect();
            Counted { alone: (all.len() - shared.len()) as u64, shared }
        };
        Self { first_server: range.start, servers: range.map(count).collect() }
    }

    /// What an agent reaches.
    pub(crate) fn of(&self, basis: &Basis<'_>, agent: NodeIx) -> Found<Way> {
        let servers = trusted(basis, agent);
        let mut shown: Vec<(NodeIx, Way)> = Vec::new();
        let mut seen = BTreeSet::new();
        for group in servers.chunk_by(|a, b| a.0 == b.0) {
            if shown.len() >= MOST {
                break;
            }
            for (resource, way) in easiest(basis, group) {
                if shown.len() < MOST && seen.insert(resource) {
                    shown.push((resource, way));
                }
            }
        }
        let beyond = self.count(&servers) - shown.len() as u64;
        Found { shown, beyond }
    }

    fn count(&self, servers: &[(Cost, NodeIx)]) -> u64 {
        let all = || servers.iter().filter_map(|(_, server)| self.counted(*server));
        let alone: u64 = all().map(|counted| counted.alone).sum();
        let shared: BTreeSet<NodeIx> = all().flat_map(|counted| counted.shared.iter().copied()).collect();
        alone + shared.len() as u64
    }

    fn counted(&self, server: NodeIx) -> Option<&Counted> {
        self.servers.get(server.0.checked_sub(self.first_server)? as usize)
    }

    /// By server: how many of its resources no other server provides.
    pub(crate) fn amounts(&self) -> Vec<u64> {
        self.servers.iter().map(|counted| counted.alone).collect()
    }

    /// Whether a resource that tools of a server have access to is provided by others as well.
    pub(crate) fn is_shared(&self, server: NodeIx, resource: NodeIx) -> bool {
        self.counted(server).is_some_and(|counted| counted.shared.binary_search(&resource).is_ok())
    }
}

/// The first resources behind servers that are equally easy to use.
fn easiest(basis: &Basis<'_>, group: &[(Cost, NodeIx)]) -> BTreeMap<NodeIx, Way> {
    let mut all = BTreeMap::new();
    for (cost, server) in group {
        for accessible in basis.access().accessible(*server).iter().take(MOST) {
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
        let accessible = basis.access().find(server, resource)?;
        let edge = trusts.to(server)?;
        Some(Way { cost: basis.cost(edge), server, tool: accessible.tool })
    });
    ways.min()
}
