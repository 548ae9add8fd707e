//! Agent → server → secret = a service's secret → the service → the other secrets that it holds.
//!
//! Growth: linear in servers' and services' secrets, and for each agent in the secrets behind those that its servers have.

use std::collections::BTreeMap;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::{Found, trusted};
use crate::basis::{Basis, Cost};
use crate::derived::{Hop, Via};

/// How an agent gets to a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    pub(crate) cost: Cost,
    pub(crate) server: NodeIx,
    pub(crate) credential: NodeIx,
    pub(crate) gateway: NodeIx,
    pub(crate) copy: NodeIx,
}

/// A secret that a service answers to: the service and its copy.
type Door = (Cost, NodeIx, NodeIx);

/// Secrets that open services.
pub(crate) struct Chains<'a, 'g> {
    basis: &'a Basis<'g>,
    /// By the value of the secret: what it opens, and the secrets behind, each with its best doors.
    by_value: BTreeMap<String, BTreeMap<NodeIx, Vec<Door>>>,
}

impl<'a, 'g> Chains<'a, 'g> {
    pub(crate) fn new(basis: &'a Basis<'g>) -> Self {
        let mut by_value: BTreeMap<String, BTreeMap<NodeIx, Vec<Door>>> = BTreeMap::new();
        for gateway in services(basis) {
            let held: Vec<(NodeIx, Cost)> = basis
                .view
                .outgoing(EdgeKind::ExposesCredential, gateway)
                .map(|(credential, edge)| (credential, basis.cost(edge)))
                .collect();
            let is_used = |copy: NodeIx| Some((basis.known_secret(copy)?.into_owned(), copy));
            for ((value, copy), cost) in held.iter().filter_map(|(copy, cost)| Some((is_used(*copy)?, *cost))) {
                let behind = by_value.entry(value.clone()).or_default();
                for (other, onwards) in &held {
                    // Another copy of the same secret is nothing that was not there before.
                    if *other != copy && basis.known_secret(*other).as_deref() != Some(&value) {
                        behind.entry(*other).or_default().push((cost + onwards, gateway, copy));
                    }
                }
            }
        }
        for doors in by_value.values_mut().flat_map(BTreeMap::values_mut) {
            doors.sort_unstable();
        }
        Self { basis, by_value }
    }

    /// What an agent reaches.
    pub(crate) fn of(&self, agent: NodeIx) -> Found<Way> {
        let mut best: BTreeMap<NodeIx, Way> = BTreeMap::new();
        for (cost, server, credential, value) in self.held_by(agent) {
            for (target, doors) in self.by_value.get(&value).into_iter().flatten() {
                // A secret that both hold as one node opens nothing: it was not found twice.
                let Some((onwards, gateway, copy)) = doors.iter().find(|(_, _, copy)| *copy != credential) else {
                    continue;
                };
                if *target == credential {
                    continue;
                }
                let way = Way { cost: cost + onwards, server, credential, gateway: *gateway, copy: *copy };
                best.entry(*target).and_modify(|best| *best = way.min(*best)).or_insert(way);
            }
        }
        Found::best(best.into_iter().map(|(target, way)| (way.cost, target, way)).collect())
    }

    /// The secrets that the servers of an agent are given: the cost, the server, the secret and its value.
    fn held_by(&self, agent: NodeIx) -> Vec<(Cost, NodeIx, NodeIx, String)> {
        let mut held = Vec::new();
        for (trust, server) in trusted(self.basis, agent) {
            for (credential, edge) in self.basis.view.outgoing(EdgeKind::HasEnvVar, server) {
                let value =
                    self.basis.known_secret(credential).filter(|value| self.by_value.contains_key(value.as_ref()));
                held.extend(value.map(|value| (trust + self.basis.cost(edge), server, credential, value.into_owned())));
            }
        }
        held
    }

    /// Secrets that open services, with the value of each.
    pub(crate) fn opens(&self, credential: NodeIx) -> Option<String> {
        let value = self.basis.known_secret(credential)?;
        self.by_value.get(value.as_ref()).is_some_and(|behind| !behind.is_empty()).then(|| value.into_owned())
    }
}

/// The hops of a way, as they are walked.
pub(crate) fn path(agent: NodeIx, target: NodeIx, way: &Way) -> [Hop; 5] {
    [
        Hop::along(EdgeKind::TrustsServer, agent, way.server),
        Hop::along(EdgeKind::HasEnvVar, way.server, way.credential),
        Hop { via: Via::SameSecret, from: way.credential, to: way.copy },
        Hop::against(EdgeKind::ExposesCredential, way.copy, way.gateway),
        Hop::along(EdgeKind::ExposesCredential, way.gateway, target),
    ]
}

/// Every AI service.
pub(crate) fn services<'b>(basis: &'b Basis<'_>) -> impl Iterator<Item = NodeIx> + 'b {
    let kinds = NodeKind::ALL.iter().filter(|kind| kind.umbrella().is_some() || **kind == NodeKind::AiService);
    kinds.flat_map(|kind| basis.nodes(*kind))
}
