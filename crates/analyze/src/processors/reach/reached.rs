//! How many agents reach each resource through secrets. Agents get into groups of spots, and a server lies behind some of these: whoever
//! is in one of them, and does not trust the server, reaches what the server alone provides.
//!
//! Growth: for each agent linear in the entries of its servers to spots and in the shared resources there; for each server in the
//! agents that trust it, and for each group that it lies behind in a sixty-fourth of all agents at most; for each resource once.

use std::collections::BTreeSet;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

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
        let inside: Vec<Inside> = inside.into_iter().map(|all| Inside::new(all, agents.len())).collect();
        let mut union = Union { words: vec![0; agents.len().div_ceil(64)] };
        for (server, groups) in self.groups_of_servers(basis) {
            let groups: Vec<&Inside> = groups.into_iter().filter_map(|group| inside.get(group)).collect();
            let trusting =
                basis.sources(EdgeKind::TrustsServer, server).map(|agent| agent.0.wrapping_sub(agents.start));
            let count = union.count_without(&groups, trusting);
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

/// The agents in a group, by number: one by one where they are few, and else as bits.
#[derive(Debug)]
enum Inside {
    Few(Vec<u32>),
    Many(Vec<u64>),
}

impl Inside {
    fn new(agents: Vec<u32>, of: usize) -> Self {
        let words = of.div_ceil(64);
        if agents.len() <= words {
            return Self::Few(agents);
        }
        let mut union = Union { words: vec![0; words] };
        agents.iter().for_each(|agent| union.set(*agent));
        Self::Many(union.words)
    }
}

/// Agents as bits.
struct Union {
    words: Vec<u64>,
}

impl Union {
    fn set(&mut self, agent: u32) {
        let word = self.words.get_mut(agent as usize / 64);
        word.into_iter().for_each(|word| *word |= 1 << (agent % 64));
    }

    /// How many are in one of some groups, but for these.
    fn count_without(&mut self, groups: &[&Inside], without: impl Iterator<Item = u32>) -> u64 {
        let few = groups.iter().filter_map(|group| if let Inside::Few(all) = group { Some(all) } else { None });
        let many = groups.iter().filter_map(|group| if let Inside::Many(all) = group { Some(all) } else { None });
        if many.clone().next().is_none() {
            let mut agents: Vec<u32> = few.flatten().copied().collect();
            agents.sort_unstable();
            agents.dedup();
            let without = without.filter(|agent| agents.binary_search(agent).is_ok()).count();
            return (agents.len() - without) as u64;
        }
        self.words.fill(0);
        for words in many {
            self.words.iter_mut().zip(words).for_each(|(word, other)| *word |= other);
        }
        few.flatten().for_each(|agent| self.set(*agent));
        for agent in without {
            let word = self.words.get_mut(agent as usize / 64);
            word.into_iter().for_each(|word| *word &= !(1 << (agent % 64)));
        }
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn agents_in_several_groups_are_counted_once(
            groups in prop::collection::vec(prop::collection::btree_set(0..200_u32, 0..40), 0..5),
            without in prop::collection::btree_set(0..200_u32, 0..40),
        ) {
            let inside: Vec<Inside> = groups.iter().map(|all| Inside::new(all.iter().copied().collect(), 200)).collect();
            let mut union = Union { words: vec![0; 4] };
            let all: BTreeSet<u32> = groups.iter().flatten().copied().collect();
            let counted = union.count_without(&inside.iter().collect::<Vec<_>>(), without.iter().copied());
            prop_assert_eq!(counted, all.difference(&without).count() as u64);
        }
    }
}
