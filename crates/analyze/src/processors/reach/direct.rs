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
pub(crate) struct Direct<'a, 'g> {
    basis: &'a Basis<'g>,
    first_server: u32,
    servers: Vec<Counted>,
}

#[derive(Debug, Default)]
struct Counted {
    /// Resources that this server alone provides.
    alone: u64,
    /// Resources that others provide as well.
    shared: Vec<NodeIx>,
}

impl<'a, 'g> Direct<'a, 'g> {
    pub(crate) fn new(basis: &'a Basis<'g>) -> Self {
        let range = basis.view.range_of(NodeKind::McpServer);
        let is_shared = |resource: &NodeIx| basis.view.incoming(EdgeKind::ProvidesResource, *resource).len() > 1;
        let count = |server: u32| {
            let all = basis.access().accessible(NodeIx(server));
            let shared: Vec<NodeIx> = all.iter().map(|it| it.resource).filter(is_shared).collect();
            Counted { alone: (all.len() - shared.len()) as u64, shared }
        };
        Self { basis, first_server: range.start, servers: range.map(count).collect() }
    }

    /// What an agent reaches.
    pub(crate) fn of(&self, agent: NodeIx) -> Found<Way> {
        let servers = trusted(self.basis, agent);
        let mut shown: Vec<(NodeIx, Way)> = Vec::new();
        let mut seen = BTreeSet::new();
        for group in servers.chunk_by(|a, b| a.0 == b.0) {
            if shown.len() >= MOST {
                break;
            }
            for (resource, way) in self.easiest(agent, group) {
                if shown.len() < MOST && seen.insert(resource) {
                    shown.push((resource, way));
                }
            }
        }
        let beyond = self.count(agent, &servers) - shown.len() as u64;
        Found { shown, beyond }
    }

    /// The first resources behind servers that are equally easy to use.
    fn easiest(&self, agent: NodeIx, group: &[(Cost, NodeIx)]) -> BTreeMap<NodeIx, Way> {
        let mut all = BTreeMap::new();
        for (cost, server) in group {
            for accessible in self.basis.accessible_to(agent, *server).iter().take(MOST) {
                let way = Way { cost: *cost, server: *server, tool: accessible.tool };
                all.entry(accessible.resource).or_insert(way);
            }
        }
        all
    }

    fn count(&self, agent: NodeIx, servers: &[(Cost, NodeIx)]) -> u64 {
        let counted = |server: NodeIx| self.servers.get(server.0.checked_sub(self.first_server)? as usize);
        let (mut alone, mut shared) = (0, BTreeSet::new());
        for (_, server) in servers {
            if self.basis.machines().differ(*server) {
                let own = self.basis.accessible_to(agent, *server);
                shared.extend(own.iter().map(|accessible| accessible.resource));
            } else if let Some(counted) = counted(*server) {
                alone += counted.alone;
                shared.extend(counted.shared.iter().copied());
            }
        }
        alone + shared.len() as u64
    }

    /// The best way from an agent to a resource, if there is one.
    pub(crate) fn way(&self, agent: NodeIx, resource: NodeIx) -> Option<Way> {
        let trusts = self.basis.view.outgoing(EdgeKind::TrustsServer, agent);
        let ways = self.basis.sources(EdgeKind::ProvidesResource, resource).filter_map(|server| {
            let edge = trusts.to(server)?;
            let tool = self.basis.tool_for(agent, server, resource)?;
            Some(Way { cost: self.basis.cost(edge), server, tool })
        });
        ways.min()
    }
}
