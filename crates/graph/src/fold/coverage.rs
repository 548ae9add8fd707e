//! What was read to the end, by whom, and when.

use rustc_hash::FxHashMap;
use tracehound_model::{Collector, NodeKind, NodeRole};

use super::claims::{Owner, Owners};
use super::lifetimes::collector_of;
use super::timeline::{Rank, Timeline};
use crate::facts::{CoveredFor, Facts, NodeFact};
use crate::labels::Labels;
use crate::looks;

/// The ranks of the scans that covered a thing, ascending, by owner.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    by_owner: FxHashMap<(Owner, NodeFact), Vec<Rank>>,
    /// When an owner last said of a thing that it looked for the thing itself.
    looked_for: FxHashMap<(Owner, NodeFact), Rank>,
}

impl Coverage {
    /// Gathers what the scans of a timeline covered. `labels` are those of the nodes at that point.
    pub(crate) fn new(facts: &Facts, timeline: &Timeline, owners: &Owners, labels: &[Option<Labels>]) -> Self {
        let mut coverage = Self::default();
        let places = services_by_place(facts, timeline, labels);
        for (rank, scan_ix) in (1..).zip(timeline.order()) {
            let scan = &facts.scans[*scan_ix as usize];
            if !owners.looked_again(owners.owner(*scan_ix, Collector::Scan)) {
                continue;
            }
            for (node, covered_for) in &scan.nodes {
                let collector = match covered_for {
                    CoveredFor::Collector(collector) => *collector,
                    CoveredFor::Listed(kind) => match labels[*node as usize] {
                        Some(labels) => collector_of(*kind, labels),
                        None => kind.collector(),
                    },
                    CoveredFor::ItsKind => match labels[*node as usize] {
                        Some(labels) => labels.primary.covered_by(),
                        // A thing that nobody ever saw has nothing below it.
                        None => continue,
                    },
                };
                let owner = owners.owner(*scan_ix, collector);
                coverage.add(owner, *node, rank);
                if scan.says_covered {
                    coverage.look_for(owner, *node, rank);
                }
            }
            for node in scan.ports.iter().filter_map(|port| places.get(port)).flatten() {
                let owner = owners.owner(*scan_ix, Collector::Network);
                coverage.add(owner, *node, rank);
                coverage.look_for(owner, *node, rank);
            }
        }
        coverage
    }

    fn add(&mut self, owner: Owner, node: NodeFact, rank: Rank) {
        for owner in [owner, Owners::whole_machine(owner)] {
            let ranks = self.by_owner.entry((owner, node)).or_default();
            if ranks.last() != Some(&rank) {
                ranks.push(rank);
            }
        }
    }

    fn look_for(&mut self, owner: Owner, node: NodeFact, rank: Rank) {
        for owner in [owner, Owners::whole_machine(owner)] {
            self.looked_for.insert((owner, node), rank);
        }
    }

    /// When anybody last covered each of so many things.
    pub(crate) fn last_by_node(&self, nodes: usize) -> Vec<Rank> {
        let mut last = vec![0; nodes];
        for ((_, node), ranks) in &self.by_owner {
            let rank: &mut Rank = &mut last[*node as usize];
            *rank = ranks.last().copied().unwrap_or(0).max(*rank);
        }
        last
    }

    /// When an owner last looked for the thing itself; zero for never.
    pub(crate) fn looked_for(&self, owner: Owner, node: NodeFact) -> Rank {
        self.looked_for.get(&(owner, node)).copied().unwrap_or(0)
    }

    /// When an owner last covered a thing; zero for never.
    pub(crate) fn latest(&self, owner: Owner, node: NodeFact) -> Rank {
        self.by_owner.get(&(owner, node)).and_then(|ranks| ranks.last().copied()).unwrap_or(0)
    }

    /// When an owner last covered two things at once; zero for never.
    pub(crate) fn latest_of_both(&self, owner: Owner, one: NodeFact, other: NodeFact) -> Rank {
        let ranks = |node| self.by_owner.get(&(owner, node)).map_or(&[][..], Vec::as_slice);
        let others = ranks(other);
        ranks(one).iter().rev().find(|rank| others.binary_search(rank).is_ok()).copied().unwrap_or(0)
    }
}

/// The service nodes at each `host:port`, when any scan of the timeline covered ports at all.
fn services_by_place(
    facts: &Facts,
    timeline: &Timeline,
    labels: &[Option<Labels>],
) -> FxHashMap<String, Vec<NodeFact>> {
    let mut places: FxHashMap<String, Vec<NodeFact>> = FxHashMap::default();
    let covers_ports = timeline.order().iter().any(|scan| !facts.scans[*scan as usize].ports.is_empty());
    let Some(endpoint) = facts.keys.find("endpoint").filter(|_| covers_ports) else { return places };
    let is_service = |kind: NodeKind| matches!(kind.role(), NodeRole::Service | NodeRole::Umbrella);
    for (node, labels) in (0..).zip(labels) {
        if labels.is_none_or(|labels| !is_service(labels.primary)) {
            continue;
        }
        if let Some(url) = looks::text(facts, node, endpoint, timeline) {
            places.entry(place_of(&url).to_owned()).or_default().push(node);
        }
    }
    places
}

/// The `host:port` of a base URL.
fn place_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_service_is_its_host_and_port() {
        assert_eq!(place_of("http://10.0.0.10:11434"), "10.0.0.10:11434");
        assert_eq!(place_of("http://[fc00::1]:11434/api"), "[fc00::1]:11434");
        assert_eq!(place_of("10.0.0.1:80"), "10.0.0.1:80");
    }
}
