//! What lies behind spots, and what of it an agent reaches: agent → server → secret of another server → that server's tool →
//! resource.
//!
//! Nearly every resource belongs to one server alone. Whoever gets into a spot at which a secret of that server is kept, and
//! does not trust the server anyway, reaches all resources of it. So those are counted by the server (see `together`), and
//! only the easiest are looked at: they stand sorted at each spot, and those of several spots are merged.
//!
//! Growth: for each spot linear in the secrets there and in the resources behind, but for sorting. For each agent linear in the
//! entries of its servers to spots, in what is written down, and in the easier resources at these spots that the agent reaches
//! more simply. Resources that several servers provide, which only documents of others have, are looked at one by one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use rustc_hash::{FxHashMap, FxHashSet};
use tracehound_graph::NodeIx;
use tracehound_model::EdgeKind;

use super::best_two;
use super::direct::Direct;
use super::spots::{Held, Spot, Where};
use crate::basis::{Accessible, Basis, Cost, On, Sensitivity};
use crate::derived::{Hop, Link, Via};

/// Who gets in: a server's tool that reads, or a server that is given a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) cost: Cost,
    pub(crate) server: NodeIx,
    /// The tool that reads, or the copy of the secret.
    pub(crate) by: NodeIx,
    /// Where the tool reads; nowhere if the server is given a copy.
    pub(crate) link: Option<Link>,
}

/// What lies behind: a secret, the server that it belongs to, and the server's tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Behind {
    pub(crate) cost: Cost,
    pub(crate) credential: NodeIx,
    pub(crate) server: NodeIx,
    pub(crate) tool: NodeIx,
}

/// How an agent gets to a resource through a spot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) cost: Cost,
    pub(crate) entry: Entry,
    pub(crate) behind: Behind,
}

impl Way {
    /// The easiest first, then the one with the fewest hops, then by ids in walking order.
    fn key(&self) -> impl Ord + use<> {
        let Self { cost, entry, behind } = *self;
        let is_longer = entry.by != behind.credential;
        let ids = [entry.server, entry.by, behind.credential, behind.server, behind.tool];
        (cost, is_longer, ids, entry.link)
    }

    fn easier(self, other: Self) -> Self {
        if self.key() < other.key() { self } else { other }
    }
}

/// All spots of one sort.
#[derive(Debug)]
pub(crate) struct Spots {
    /// By server.
    entries: FxHashMap<NodeIx, Doors>,
    lying: Vec<Lying>,
}

/// Which spots a server gets into, and by what.
#[derive(Debug, Default)]
struct Doors {
    anywhere: Vec<(u32, Entry)>,
    /// On machines that never showed what the server provides.
    unasked: Vec<(u32, Entry)>,
    /// By machine.
    on: BTreeMap<u32, Vec<(u32, Entry)>>,
}

impl Doors {
    fn add(&mut self, place: Where, entry: (u32, Entry)) {
        match place {
            Where::Anywhere => self.anywhere.push(entry),
            Where::Unasked => self.unasked.push(entry),
            Where::On(machine) => self.on.entry(machine).or_default().push(entry),
        }
    }

    /// Takes those that are open to an agent which uses the server at this cost.
    fn open_to(&self, basis: &Basis<'_>, agent: NodeIx, (cost, server): (Cost, NodeIx), open: &mut Vec<(u32, Entry)>) {
        let dearer = |(spot, entry): &(u32, Entry)| (*spot, Entry { cost: entry.cost + cost, ..*entry });
        open.extend(self.anywhere.iter().map(dearer));
        if self.on.is_empty() && self.unasked.is_empty() {
            return;
        }
        let Some(machines) = basis.used_on(agent, server) else {
            // It may be any on which the server is started.
            let unasked = self.unasked.iter().filter(|_| basis.machines().has_silent(server));
            open.extend(self.on.values().flatten().chain(unasked).map(dearer));
            return;
        };
        open.extend(machines.iter().filter_map(|machine| self.on.get(machine)).flatten().map(dearer));
        let asked = basis.machines().asked(server);
        if machines.iter().any(|machine| asked.binary_search(machine).is_err()) {
            open.extend(self.unasked.iter().map(dearer));
        }
    }
}

/// What lies behind a spot.
#[derive(Debug)]
struct Lying {
    group: usize,
    /// Resources that one server alone provides, the easiest first, then by id.
    own: Vec<(NodeIx, Behind)>,
    /// Which of these are critical, and which highly sensitive, in the same order.
    critical: Vec<u32>,
    high: Vec<u32>,
    /// The others, each with the two best ways that go through different servers.
    shared: BTreeMap<NodeIx, Vec<Behind>>,
}

/// Which of the resources at spots are looked for: so many of a sensitivity, or of any, but for servers that are left out.
pub(crate) struct Wanted<'f> {
    pub(crate) sensitivity: Option<Sensitivity>,
    pub(crate) most: usize,
    /// Those that the agent trusts have to be.
    pub(crate) is_left_out: &'f dyn Fn(NodeIx) -> bool,
}

impl Spots {
    pub(crate) fn new(basis: &Basis<'_>, direct: &Direct, spots: Vec<Spot>) -> Self {
        let mut all = Self { entries: FxHashMap::default(), lying: Vec::new() };
        for spot in spots {
            let lying = Lying::new(basis, direct, &spot.held, spot.group);
            if lying.own.is_empty() && lying.shared.is_empty() {
                continue;
            }
            let number = all.lying.len() as u32;
            for (place, entry) in spot.entries {
                all.entries.entry(entry.server).or_default().add(place, (number, entry));
            }
            all.lying.push(lying);
        }
        all
    }

    /// The spots that the servers of an agent get into, given what it costs to use each.
    pub(crate) fn open_to(&self, basis: &Basis<'_>, agent: NodeIx, servers: &[(Cost, NodeIx)]) -> Open<'_> {
        let mut entries: Vec<(u32, Entry)> = Vec::new();
        for server in servers {
            let doors = self.entries.get(&server.1);
            doors.into_iter().for_each(|doors| doors.open_to(basis, agent, *server, &mut entries));
        }
        entries.sort_unstable();
        let spots = entries.chunk_by(|a, b| a.0 == b.0).filter_map(|entries| {
            let (spot, first) = *entries.first()?;
            let second = entries.iter().map(|(_, entry)| *entry).find(|entry| entry.server != first.server);
            Some(Ajar { lying: self.lying.get(spot as usize)?, first, second })
        });
        Open { spots: spots.collect() }
    }
}

impl Lying {
    fn new(basis: &Basis<'_>, direct: &Direct, held: &Held, group: usize) -> Self {
        let mut own = Vec::new();
        let mut shared: BTreeMap<NodeIx, Vec<Behind>> = BTreeMap::new();
        // Secrets stand by server.
        let secrets: Vec<(NodeIx, NodeIx, &On)> =
            held.iter().map(|((server, secret), on)| (*server, *secret, on)).collect();
        for secrets in secrets.chunk_by(|a, b| a.0 == b.0) {
            let given = secrets.iter().filter_map(|(server, credential, on)| {
                let edge = basis.view.outgoing(EdgeKind::HasEnvVar, *server).to(*credential)?;
                Some((basis.cost(edge), *credential, *server, *on))
            });
            // Where machines differ, each secret opens what is on its own.
            if secrets.first().is_some_and(|(server, ..)| basis.machines().differ(*server)) {
                for (cost, credential, server, on) in given {
                    for Accessible { resource, tool } in basis.accessible_on(server, on).iter().copied() {
                        shared.entry(resource).or_default().push(Behind { cost, credential, server, tool });
                    }
                }
                continue;
            }
            let Some((cost, credential, server, _)) = given.min() else { continue };
            for accessible in basis.access().accessible(server) {
                let way = Behind { cost, credential, server, tool: accessible.tool };
                if direct.is_shared(server, accessible.resource) {
                    shared.entry(accessible.resource).or_default().push(way);
                } else {
                    own.push((accessible.resource, way));
                }
            }
        }
        own.sort_unstable_by_key(|(resource, way)| (way.cost, *resource));
        shared.values_mut().for_each(|ways| best_two(ways, |way| way.server));
        let (mut critical, mut high) = (Vec::new(), Vec::new());
        for (place, (resource, _)) in (0..).zip(&own) {
            match basis.sensitivity(*resource) {
                Sensitivity::Critical => critical.push(place),
                Sensitivity::High => high.push(place),
                _ => {}
            }
        }
        Self { group, own, critical, high, shared }
    }

    /// The resource at a place of those that are of a sensitivity, and what lies before it.
    fn at(&self, sensitivity: Option<Sensitivity>, place: usize) -> Option<&(NodeIx, Behind)> {
        let place = match sensitivity {
            Some(Sensitivity::Critical) => *self.critical.get(place)? as usize,
            Some(Sensitivity::High) => *self.high.get(place)? as usize,
            Some(_) => return None,
            None => place,
        };
        self.own.get(place)
    }
}

/// A spot that is open: the two best entries by different servers.
struct Ajar<'s> {
    lying: &'s Lying,
    first: Entry,
    second: Option<Entry>,
}

impl Ajar<'_> {
    fn easiest(&self, behind: &[Behind]) -> Option<Way> {
        let entries = [Some(self.first), self.second].into_iter().flatten();
        easiest(entries, behind)
    }
}

/// The spots that the servers of an agent get into.
pub(crate) struct Open<'s> {
    spots: Vec<Ajar<'s>>,
}

/// A place in the list of a spot: what it costs, the resource there, the spot, and the position. The easiest come first.
type At = Reverse<(Cost, NodeIx, usize, usize)>;

impl Open<'_> {
    /// Whether there is none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.spots.is_empty()
    }

    /// The groups of the spots.
    pub(crate) fn groups(&self) -> impl Iterator<Item = usize> + '_ {
        self.spots.iter().map(|spot| spot.lying.group)
    }

    /// The easiest resources that one server alone provides.
    pub(crate) fn easiest(&self, wanted: &Wanted<'_>) -> Vec<(Cost, NodeIx, Way)> {
        let mut next: BinaryHeap<At> = BinaryHeap::with_capacity(self.spots.len());
        next.extend((0..self.spots.len()).filter_map(|spot| self.from(spot, 0, wanted)));
        let mut found: Vec<(Cost, NodeIx, Way)> = Vec::new();
        let mut seen = FxHashSet::default();
        while let Some(Reverse((cost, resource, number, position))) = next.pop() {
            let is_another_way = found.last().is_some_and(|last| (last.0, last.1) == (cost, resource));
            if found.len() == wanted.most && !is_another_way {
                break;
            }
            next.extend(self.from(number, position + 1, wanted));
            let Some(way) = self.way(number, position, wanted) else { continue };
            match found.last_mut().filter(|_| is_another_way) {
                Some(last) => last.2 = way.easier(last.2),
                None if seen.insert(resource) => found.push((cost, resource, way)),
                None => {}
            }
        }
        found
    }

    fn way(&self, number: usize, position: usize, wanted: &Wanted<'_>) -> Option<Way> {
        let spot = self.spots.get(number)?;
        let (_, behind) = spot.lying.at(wanted.sensitivity, position)?;
        spot.easiest(std::slice::from_ref(behind))
    }

    /// The first place of a spot's list from a position on that is not left out.
    fn from(&self, number: usize, position: usize, wanted: &Wanted<'_>) -> Option<At> {
        let spot = self.spots.get(number)?;
        let mut rest = (position..).map_while(|place| Some((place, spot.lying.at(wanted.sensitivity, place)?)));
        let (position, (resource, behind)) = rest.find(|(_, (_, behind))| !(wanted.is_left_out)(behind.server))?;
        Some(Reverse((spot.first.cost + behind.cost, *resource, number, position)))
    }

    /// All resources that several servers provide, each with the best way, but for those that are reached more simply.
    pub(crate) fn shared(&self, is_simpler: &dyn Fn(NodeIx) -> bool) -> Vec<(Cost, NodeIx, Way)> {
        let mut best: BTreeMap<NodeIx, Way> = BTreeMap::new();
        for spot in &self.spots {
            for (resource, behind) in &spot.lying.shared {
                let Some(way) = spot.easiest(behind) else { continue };
                best.entry(*resource).and_modify(|best| *best = way.easier(*best)).or_insert(way);
            }
        }
        let all = best.into_iter().filter(|(resource, _)| !is_simpler(*resource));
        all.map(|(resource, way)| (way.cost, resource, way)).collect()
    }

    /// Whether the agent reaches a resource that several servers provide.
    pub(crate) fn reaches_shared(&self, resource: NodeIx) -> bool {
        self.spots.iter().any(|spot| spot.lying.shared.get(&resource).is_some_and(|ways| spot.easiest(ways).is_some()))
    }
}

/// The hops of a way, as they are walked.
pub(crate) fn path(agent: NodeIx, resource: NodeIx, way: &Way) -> Vec<Hop> {
    let Way { entry, behind, .. } = *way;
    let mut path = vec![Hop::along(EdgeKind::TrustsServer, agent, entry.server)];
    if let Some(link) = entry.link {
        path.push(Hop::along(EdgeKind::ProvidesTool, entry.server, entry.by));
        path.push(Hop { via: Via::Reads(link), from: entry.by, to: behind.credential });
    } else {
        path.push(Hop::along(EdgeKind::HasEnvVar, entry.server, entry.by));
        if entry.by != behind.credential {
            path.push(Hop { via: Via::SameSecret, from: entry.by, to: behind.credential });
        }
    }
    path.push(Hop::against(EdgeKind::HasEnvVar, behind.credential, behind.server));
    path.push(Hop::along(EdgeKind::ProvidesTool, behind.server, behind.tool));
    path.push(Hop::along(EdgeKind::HasAccessTo, behind.tool, resource));
    path
}

/// The best combination in which nobody reads a secret of its own server.
fn easiest(entries: impl Iterator<Item = Entry>, behind: &[Behind]) -> Option<Way> {
    let pairs = entries.flat_map(|entry| behind.iter().map(move |behind| (entry, *behind)));
    let ways = pairs.filter(|(entry, behind)| entry.server != behind.server);
    ways.map(|(entry, behind)| Way { cost: entry.cost + behind.cost, entry, behind }).reduce(Way::easier)
}
