//! Agent → server → secret = a service's secret → the service → the other secrets that it holds.
//!
//! Nearly every secret that a service holds stands there alone. Whoever has a secret of another value that the service answers
//! to gets at it. So what lies behind is counted by service and value (see `together`), and for each value the easiest secrets
//! that it leads to are noted once, and merged for each agent.
//!
//! Growth: linear in services' secrets, and for each secret of servers in the secrets of the services that it opens. For each
//! agent linear in the secrets that its servers have, and in what is written down. For agents that get to secrets which
//! several services hold, or which both a server and a service hold as one node, everything is looked at one by one; only
//! documents of others have such. So it is for services that answer to more than [`MANY`] secrets of servers.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use rustc_hash::{FxHashMap, FxHashSet};
use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::together::{Opened, Together};
use super::{Found, MOST_BY_SECRET, best_two, trusted};
use crate::basis::{Basis, Cost, On, meet};
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

/// To how many secrets of servers a service may answer so that it is counted and not looked at.
const MANY: usize = 32;

/// What a value leads to.
#[derive(Debug, Default)]
struct Leads {
    /// The easiest secrets, each once, with what it costs to get from the door to each.
    easiest: Vec<Lead>,
    /// Whether nothing there stands twice.
    is_plain: bool,
}

/// A secret behind a door; the easiest first, then by id, then by the copy that opens it and the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Lead {
    cost: Cost,
    target: NodeIx,
    copy: NodeIx,
    gateway: NodeIx,
}

/// Secrets that open services.
pub(crate) struct Chains<'a, 'g> {
    basis: &'a Basis<'g>,
    /// The number of each value that a service holds.
    values: BTreeMap<String, usize>,
    first_credential: u32,
    /// By secret: the number of its value.
    numbers: Vec<Option<usize>>,
    /// By server: the secrets that it is given and that open services, each with the number of its value, and the machines
    /// on which it is given them.
    given: FxHashMap<NodeIx, Vec<(usize, Given, On)>>,
    /// By the number of a value: the services with something else to give.
    doors: Vec<Vec<Door>>,
    held: BTreeMap<NodeIx, Vec<Held>>,
    /// By the number of a value that servers are given.
    leads: BTreeMap<usize, Leads>,
    /// What the values lead to together.
    together: Together,
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
            leads: BTreeMap::new(),
            together: Together::new(Vec::new(), &[]),
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
        chains.lead();
        chains
    }

    /// Notes what the values that servers are given lead to.
    fn lead(&mut self) {
        let given: BTreeSet<usize> = self.given.values().flatten().map(|(value, ..)| *value).collect();
        let (mut amounts, mut spots) = (Vec::new(), vec![Vec::new(); self.doors.len()]);
        let mut plain = BTreeSet::new();
        for (gateway, held) in &self.held {
            let mut counts: BTreeMap<Option<usize>, u64> = BTreeMap::new();
            held.iter().for_each(|held| *counts.entry(held.value).or_default() += 1);
            let doors: Vec<usize> = counts.keys().flatten().copied().filter(|value| given.contains(value)).collect();
            let is_alone = |held: &Held| self.basis.sources(EdgeKind::ExposesCredential, held.credential).len() == 1;
            if doors.len() > MANY || !held.iter().all(is_alone) {
                continue;
            }
            plain.insert(*gateway);
            for (value, count) in counts {
                let holder = amounts.len() as u32;
                amounts.push(count);
                for door in doors.iter().filter(|door| value != Some(**door)) {
                    spots.get_mut(*door).into_iter().for_each(|spot: &mut Vec<u32>| spot.push(holder));
                }
            }
        }
        self.together = Together::new(amounts, &spots);
        self.leads = given.into_iter().map(|value| (value, self.leads_of(value, &plain))).collect();
    }

    fn leads_of(&self, value: usize, plain: &BTreeSet<NodeIx>) -> Leads {
        let doors = self.doors.get(value).map_or(&[][..], Vec::as_slice);
        if !doors.iter().all(|door| plain.contains(&door.gateway)) {
            return Leads::default();
        }
        let mut easiest: BTreeMap<NodeIx, Lead> = BTreeMap::new();
        for Door { cost, copy, gateway } in doors.iter().copied() {
            for held in self.held.get(&gateway).into_iter().flatten().filter(|held| held.value != Some(value)) {
                let lead = Lead { cost: cost + held.cost, target: held.credential, copy, gateway };
                easiest.entry(held.credential).and_modify(|best| *best = lead.min(*best)).or_insert(lead);
            }
        }
        let mut easiest: Vec<Lead> = easiest.into_values().collect();
        easiest.sort_unstable();
        // What comes after has enough before it, whatever it costs to get to the door.
        easiest.truncate(self.basis.bound(MOST_BY_SECRET));
        Leads { easiest, is_plain: true }
    }

    /// To ask for one agent after the other.
    pub(crate) fn opened(&self) -> Opened<'_> {
        Opened::new(&self.together)
    }

    /// Notes the secrets of a server that open services.
    fn give(&mut self, server: NodeIx) {
        let secrets = self.basis.view.outgoing(EdgeKind::HasEnvVar, server);
        let given = secrets.filter_map(|(credential, edge)| {
            let value = self.value(credential)?;
            let is_door = self.doors.get(value).is_some_and(|doors| !doors.is_empty());
            let given = || Given { cost: self.basis.cost(edge), server, credential };
            is_door.then(|| (value, given(), self.basis.on(server, edge)))
        });
        let given: Vec<(usize, Given, On)> = given.collect();
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
    pub(crate) fn of(&self, agent: NodeIx, opened: &mut Opened<'_>) -> Found<Way> {
        let given = self.given_to(agent);
        let is_plain = |(value, given): (&usize, &Vec<Given>)| {
            let stands_twice =
                |given: &Given| self.basis.sources(EdgeKind::ExposesCredential, given.credential).len() > 0;
            self.leads.get(value).is_some_and(|leads| leads.is_plain) && !given.iter().any(stands_twice)
        };
        if !given.iter().all(is_plain) {
            return self.one_by_one(&given);
        }
        opened.close();
        given.keys().for_each(|value| opened.open(*value));
        let count = opened.amount_without(std::iter::empty());
        Found::of(self.basis, self.easiest(&given), count, Vec::new())
    }

    /// The easiest secrets that values lead to, merged.
    fn easiest(&self, given: &BTreeMap<usize, Vec<Given>>) -> Vec<(Cost, NodeIx, Way)> {
        let lists: Vec<(Given, &[Lead])> = given
            .iter()
            .filter_map(|(value, given)| Some((*given.first()?, self.leads.get(value)?.easiest.as_slice())))
            .collect();
        let at = |list: usize, place: usize| {
            let (given, leads) = lists.get(list)?;
            let lead = leads.get(place)?;
            Some(Reverse((given.cost + lead.cost, lead.target, list, place)))
        };
        let mut next: BinaryHeap<_> = (0..lists.len()).filter_map(|list| at(list, 0)).collect();
        let mut found: Vec<(Cost, NodeIx, Way)> = Vec::new();
        let mut seen = FxHashSet::default();
        while let Some(Reverse((cost, target, list, place))) = next.pop() {
            let is_another_way = found.last().is_some_and(|last| (last.0, last.1) == (cost, target));
            if found.len() == self.basis.bound(MOST_BY_SECRET) && !is_another_way {
                break;
            }
            next.extend(at(list, place + 1));
            let Some((given, lead)) = lists.get(list).and_then(|(given, leads)| Some((given, leads.get(place)?)))
            else {
                continue;
            };
            let Given { server, credential, .. } = *given;
            let way = Way { cost, server, credential, copy: lead.copy, gateway: lead.gateway };
            match found.last_mut().filter(|_| is_another_way) {
                Some(last) => last.2 = way.min(last.2),
                None if seen.insert(target) => found.push((cost, target, way)),
                None => {}
            }
        }
        found
    }

    fn one_by_one(&self, given: &BTreeMap<usize, Vec<Given>>) -> Found<Way> {
        let mut best: BTreeMap<NodeIx, Way> = BTreeMap::new();
        for (gateway, entries) in self.entries(given) {
            for held in self.held.get(&gateway).into_iter().flatten() {
                let Some((way, _)) = entries.iter().find(|(_, value)| held.value != Some(*value)) else { continue };
                let way = Way { cost: way.cost + held.cost, ..*way };
                best.entry(held.credential).and_modify(|best| *best = way.min(*best)).or_insert(way);
            }
        }
        let best = best.into_iter().map(|(target, way)| (way.cost, target, way));
        Found::best(best.collect(), self.basis.bound(MOST_BY_SECRET))
    }

    /// Which of some secrets an agent gets at through services.
    ///
    /// Growth: linear in the services that answer to secrets of the agent's servers; and for each secret in those that hold it.
    pub(crate) fn lead_to(&self, agent: NodeIx, secrets: impl Iterator<Item = NodeIx>) -> Vec<bool> {
        let entries = self.entries(&self.given_to(agent));
        let leads = |secret: NodeIx| {
            let value = self.value(secret);
            let mut services = self.basis.sources(EdgeKind::ExposesCredential, secret);
            services.any(|service| entries.get(&service).into_iter().flatten().any(|(_, door)| Some(*door) != value))
        };
        secrets.map(leads).collect()
    }

    /// The services that secrets open, each with the two best ways by different secrets.
    fn entries(&self, given: &BTreeMap<usize, Vec<Given>>) -> BTreeMap<NodeIx, Vec<Entry>> {
        let mut entries: BTreeMap<NodeIx, Vec<Entry>> = BTreeMap::new();
        for (value, given) in given {
            for door in self.doors.get(*value).into_iter().flatten() {
                let Some(given) = given.iter().find(|given| given.credential != door.copy) else { continue };
                let Given { cost, server, credential } = *given;
                let way = Way { cost: cost + door.cost, server, credential, copy: door.copy, gateway: door.gateway };
                entries.entry(door.gateway).or_default().push((way, *value));
            }
        }
        entries.values_mut().for_each(|entries| best_two(entries, |(_, value)| *value));
        entries
    }

    /// The secrets that the servers of an agent are given, by value: the two best nodes of each.
    fn given_to(&self, agent: NodeIx) -> BTreeMap<usize, Vec<Given>> {
        let mut all: BTreeMap<usize, Vec<Given>> = BTreeMap::new();
        for (trust, server) in trusted(self.basis, agent) {
            let Some(given) = self.given.get(&server) else { continue };
            let used = self.basis.used_on(agent, server);
            for (value, given, _) in given.iter().filter(|(.., on)| meet(on, &used)) {
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
