//! How many agents reach each resource through secrets: the question of `together`, asked from the other side. Agents lie at the
//! spots that they get into, and for each server it is asked how many lie at one of those behind which the server does.
//!
//! Growth: for each agent linear in the entries of its servers to spots and in the shared resources there, for each server in the
//! spots that it lies behind and in the agents that trust it, and for each resource once.

use std::collections::BTreeSet;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::together::{Opened, Together};
use super::{Ways, direct, trusted};
use crate::basis::Basis;

impl Ways {
    /// For each resource, how many agents reach it through secrets and not directly.
    pub(crate) fn reached(&self, basis: &Basis<'_>) -> Vec<u64> {
        let resources = basis.view.range_of(NodeKind::McpResource);
        let mut counts = vec![0; resources.len()];
        let mut add = |resource: NodeIx, count: u64| {
            let place = resource.0.checked_sub(resources.start).and_then(|place| counts.get_mut(place as usize));
            place.into_iter().for_each(|known| *known += count);
        };
        let agents = basis.view.range_of(NodeKind::AgentInstance);
        let mut inside: Vec<Vec<u32>> = vec![Vec::new(); self.groups.len()];
        for (number, agent) in (0..).zip(agents.clone().map(NodeIx)) {
            let trusted = trusted(basis, agent);
            let reading = self.reading.open_to(basis, agent, &trusted);
            let reuse = self.reuse.open_to(basis, agent, &trusted);
            for group in reading.groups().chain(reuse.groups().map(|group| self.first_reuse + group)) {
                inside.get_mut(group).into_iter().for_each(|agents| agents.push(number));
            }
            let is_direct = |resource| direct::way(basis, agent, resource).is_some();
            let shared = reading.shared(&is_direct).into_iter().chain(reuse.shared(&is_direct));
            let shared: BTreeSet<NodeIx> = shared.map(|(_, resource, _)| resource).collect();
            shared.into_iter().for_each(|resource| add(resource, 1));
        }
        let together = Together::new(vec![1; agents.len()], &inside);
        let mut opened = Opened::new(&together);
        for (server, groups) in self.groups_of_servers(basis) {
            opened.close();
            groups.into_iter().for_each(|group| opened.open(group));
            let trusting =
                basis.sources(EdgeKind::TrustsServer, server).map(|agent| agent.0.wrapping_sub(agents.start));
            let count = opened.amount_without(trusting);
            let own = basis.access().accessible(server).iter().map(|accessible| accessible.resource);
            own.filter(|resource| !self.direct.is_shared(server, *resource)).for_each(|resource| add(resource, count));
        }
        counts
    }

    /// The servers that lie behind spots, with the groups of these.
    fn groups_of_servers(&self, basis: &Basis<'_>) -> Vec<(NodeIx, Vec<usize>)> {
        let servers = basis.view.range_of(NodeKind::McpServer);
        let mut all: Vec<(NodeIx, Vec<usize>)> = servers.map(|server| (NodeIx(server), Vec::new())).collect();
        for (group, servers) in self.groups.iter().enumerate() {
            for server in servers {
                let groups = all.get_mut(*server as usize);
                groups.into_iter().for_each(|(_, groups)| groups.push(group));
            }
        }
        all.retain(|(_, groups)| !groups.is_empty());
        all
    }
}
