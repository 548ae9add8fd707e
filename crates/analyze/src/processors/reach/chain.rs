//! Agent → server → secret = a service's secret → the service → the other secrets that it holds.
//!
//! Growth: linear in services' secrets, and for each agent in the secrets that its servers have and in those behind them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::{Found, best_two, trusted};
use crate::basis::{Basis, Cost};
use crate::derived::{Hop, Via};

/// How an agent gets to a secret; the easiest first, then by ids in walking order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    pub(crate) cost: Cost,
    pub(crate) server: NodeIx,
    pub(crate) credential: NodeIx,
    pub(crate) copy: NodeIx,
    pub(crate) gateway: NodeIx,
}

/// A secret that a server of the agent is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Given {
    cost: Cost,
    server: NodeIx,
    credential: NodeIx,
}

/// How an agent gets into a service, with the number of the secret's value.
type Entry = (Way, usize);

/// A service that answers to a secret: its copy of the secret, and what it costs to use.
#[derive(Debug, Clone, Copy)]
struct Door {
    cost: Cost,
    copy: NodeIx,
    gateway: NodeIx,
}

/// A secret that a service holds.
#[derive(Debug, Clone, Copy)]
struct Held {
    cost: Cost,
    credential: NodeIx,
    value: Option<usize>,
}

/// Secrets that open services.
pub(crate) struct Chains<'a, 'g> {
    basis: &'a Basis<'g>,
    /// The number of each value that a service holds.
    values: BTreeMap<String, usize>,
    first_credential: u32,
    /// By secret: the number of its value.
    numbers: Vec<Option<usize>>,
    /// By server: the secrets that it is given and that open services, each with the number of its value.
    given: FxHashMap<NodeIx, Vec<(usize, Given)>>,
    /// By the number of a value: the services with something else to give.
    doors: Vec<Vec<Door>>,
    held: BTreeMap<NodeIx, Vec<Held>>,
}

impl<'a, 'g> Chains<'a, 'g> {
    pub(crate) fn new(basis: &'a Basis<'g>) -> Self {
        let credentials = basis.view.range_of(NodeKind::Credential);
        let mut chains = Self {
            basis,
            values: BTreeMap::new(),
            first_credential: credentials.start,
            numbers: Vec::new(),
            given: FxHashMap::default(),
            doors: Vec::new(),
            held: BTreeMap::new(),
        };
        for gateway in services(basis) {
            let exposed = basis.view.outgoing(EdgeKind::ExposesCredential, gateway);
            let held: Vec<Held> = exposed
                .map(|(credential, edge)| Held { cost: basis.cost(edge), credential, value: chains.number(credential) })
                .collect();
            // Another copy of the same secret is nothing that was not there before.
            if held.windows(2).any(|pair| matches!(pair, [one, other] if one.value != other.value)) {
                for one in &held {
                    let doors = one.value.and_then(|value| chains.doors.get_mut(value));
                    doors.into_iter().for_each(|all| all.push(Door { cost: one.cost, copy: one.credential, gateway }));
                }
            }
            chains.held.insert(gateway, held);
        }
        let number = |credential| chains.values.get(basis.known_secret(NodeIx(credential))?.as_ref()).copied();
        chains.numbers = credentials.map(number).collect();
        basis.nodes(NodeKind::McpServer).for_each(|server| chains.give(server));
        chains
    }

    /// Notes the secrets of a server that open services.
    fn give(&mut self, server: NodeIx) {
        let secrets = self.basis.view.outgoing(EdgeKind::HasEnvVar, server);
        let given = secrets.filter_map(|(credential, edge)| {
            let value = self.value(credential)?;
            let is_door = self.doors.get(value).is_some_and(|doors| !doors.is_empty());
            is_door.then(|| (value, Given { cost: self.basis.cost(edge), server, credential }))
        });
        let given: Vec<(usize, Given)> = given.collect();
        if !given.is_empty() {
            self.given.insert(server, given);
        }
    }

    /// The number of a secret's value, if somebody saw it.
    fn number(&mut self, credential: NodeIx) -> Option<usize> {
        let value = self.basis.known_secret(credential)?;
        let next = self.values.len();
        let number = *self.values.entry(value.into_owned()).or_insert(next);
        if number == next {
            self.doors.push(Vec::new());
        }
        Some(number)
    }

    /// The number of a secret's value, if a service holds that.
    pub(crate) fn value(&self, credential: NodeIx) -> Option<usize> {
        self.numbers.get(credential.0.checked_sub(self.first_credential)? as usize).copied().flatten()
    }

    /// Whether a secret opens a service. One that both hold as one node does not: it was not found twice.
    pub(crate) fn opens(&self, credential: NodeIx) -> bool {
        let doors = self.value(credential).and_then(|value| self.doors.get(value));
        doors.is_some_and(|doors| doors.iter().any(|door| door.copy != credential))
    }

    /// What an agent reaches.
    pub(crate) fn of(&self, agent: NodeIx) -> Found<Way> {
        let mut best: BTreeMap<NodeIx, Way> = BTreeMap::new();
        for (gateway, entries) in self.entries(agent) {
            for held in self.held.get(&gateway).into_iter().flatten() {
                let Some((way, _)) = entries.iter().find(|(_, value)| held.value != Some(*value)) else { continue };
                let way = Way { cost: way.cost + held.cost, ..*way };
                best.entry(held.credential).and_modify(|best| *best = way.min(*best)).or_insert(way);
            }
        }
        Found::best(best.into_iter().map(|(target, way)| (way.cost, target, way)).collect())
    }

    /// The services that an agent gets into, each with the two best ways by different secrets.
    fn entries(&self, agent: NodeIx) -> BTreeMap<NodeIx, Vec<Entry>> {
        let mut entries: BTreeMap<NodeIx, Vec<Entry>> = BTreeMap::new();
        for (value, given) in self.given_to(agent) {
            for door in self.doors.get(value).into_iter().flatten() {
                let Some(given) = given.iter().find(|given| given.credential != door.copy) else { continue };
                let Given { cost, server, credential } = *given;
                let way = Way { cost: cost + door.cost, server, credential, copy: door.copy, gateway: door.gateway };
                entries.entry(door.gateway).or_default().push((way, value));
            }
        }
        entries.values_mut().for_each(|entries| best_two(entries, |(_, value)| *value));
        entries
    }

    /// The secrets that the servers of an agent are given, by value: the two best nodes of each.
    fn given_to(&self, agent: NodeIx) -> BTreeMap<usize, Vec<Given>> {
        let mut all: BTreeMap<usize, Vec<Given>> = BTreeMap::new();
        for (trust, server) in trusted(self.basis, agent) {
            for (value, given) in self.given.get(&server).into_iter().flatten() {
                all.entry(*value).or_default().push(Given { cost: trust + given.cost, ..*given });
            }
        }
        all.values_mut().for_each(|given| best_two(given, |given| given.credential));
        all
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
