//! Agent → server → secret of another server → that server's tool → resource.
//!
//! There are three spots at which a secret passes from one server to another: a machine on which a tool of the one reads what
//! the other is given, a file that such a tool leads to, and a secret that both are given. For each spot it is known who
//! gets in and what lies behind; an agent reaches what lies behind the spots that its servers get into. Without such a link no
//! secret is reached.
//!
//! Growth: linear in the servers, secrets and files at spots, and for each agent in the resources behind its spots.

use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::direct::Direct;
use super::{Found, trusted};
use crate::basis::{Auth, Basis, Capabilities, Cost, Family};
use crate::derived::{Hop, Link, Via};

/// Who gets in: a server's tool that reads, or a server that is given a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) cost: Cost,
    pub(crate) server: NodeIx,
    /// The tool that reads, or the copy of the secret.
    pub(crate) by: NodeIx,
}

/// What lies behind: a secret, the server that it belongs to, and the server's tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Behind {
    pub(crate) cost: Cost,
    pub(crate) server: NodeIx,
    pub(crate) credential: NodeIx,
    pub(crate) tool: NodeIx,
}

/// How an agent gets to a resource through a spot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    pub(crate) cost: Cost,
    pub(crate) entry: Entry,
    pub(crate) behind: Behind,
    pub(crate) spot: usize,
}

/// Where a secret passes from one server to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spot {
    /// A tool reads it.
    Reading(Link),
    /// Both are given it.
    Reuse,
}

/// All spots of one sort.
pub(crate) struct Spots<'a, 'g> {
    basis: &'a Basis<'g>,
    spots: Vec<Spot>,
    /// Which spots a server gets into, and by what.
    entries: BTreeMap<NodeIx, Vec<(usize, Entry)>>,
    /// The resources behind each spot, each with the two best ways that go through different servers.
    behind: Vec<BTreeMap<NodeIx, Vec<Behind>>>,
    /// Who gets into each spot, and the secrets there with the servers that they belong to.
    contents: Vec<Contents>,
}

/// Who gets into a spot, and what is there.
#[derive(Debug)]
pub(crate) struct Contents {
    pub(crate) spot: Spot,
    pub(crate) entries: Vec<Entry>,
    /// Servers with their secrets.
    pub(crate) held: Vec<(NodeIx, NodeIx)>,
}

impl<'a, 'g> Spots<'a, 'g> {
    /// Machines and files.
    pub(crate) fn reading(basis: &'a Basis<'g>) -> Self {
        let mut spots = Self::empty(basis);
        let keys = keys(basis, is_identity);
        let mut on_host: BTreeMap<NodeIx, BTreeSet<(NodeIx, NodeIx)>> = BTreeMap::new();
        let by_name = hosts_by_name(basis);
        for key in &keys {
            let hosts = basis.targets(EdgeKind::RunsOn, key.server);
            let kept_on = key.origin.as_deref().and_then(|origin| by_name.get(&origin.to_lowercase()));
            for host in hosts.chain(kept_on.copied()) {
                on_host.entry(host).or_default().insert((key.server, key.credential));
            }
        }
        for (host, held) in on_host {
            let readers =
                basis.sources(EdgeKind::RunsOn, host).filter(|it| basis.view.kind(*it) == NodeKind::McpServer);
            let entries: Vec<Entry> = readers.filter_map(|server| reader(basis, server, &|_| true)).collect();
            spots.add(Spot::Reading(Link::Host(host)), &entries, held.into_iter());
        }
        files(basis, &keys, &mut spots);
        spots
    }

    /// Secrets that several servers are given.
    pub(crate) fn reuse(basis: &'a Basis<'g>) -> Self {
        let mut spots = Self::empty(basis);
        let mut by_value: BTreeMap<String, BTreeSet<(NodeIx, NodeIx)>> = BTreeMap::new();
        for server in basis.nodes(NodeKind::McpServer) {
            for credential in basis.targets(EdgeKind::HasEnvVar, server) {
                let Some(value) = basis.known_secret(credential) else { continue };
                by_value.entry(value.into_owned()).or_default().insert((server, credential));
            }
        }
        for held in by_value.into_values().filter(|held| held.len() > 1) {
            let entry = |(server, credential): &(NodeIx, NodeIx)| {
                let edge = basis.view.outgoing(EdgeKind::HasEnvVar, *server).to(*credential)?;
                Some(Entry { cost: basis.cost(edge), server: *server, by: *credential })
            };
            let entries: Vec<Entry> = held.iter().filter_map(entry).collect();
            spots.add(Spot::Reuse, &entries, held.into_iter());
        }
        spots
    }

    const fn empty(basis: &'a Basis<'g>) -> Self {
        Self { basis, spots: Vec::new(), entries: BTreeMap::new(), behind: Vec::new(), contents: Vec::new() }
    }

    fn add(&mut self, spot: Spot, entries: &[Entry], held: impl Iterator<Item = (NodeIx, NodeIx)>) {
        let mut behind: BTreeMap<NodeIx, Vec<Behind>> = BTreeMap::new();
        let held: Vec<(NodeIx, NodeIx)> = held.collect();
        if held.is_empty() || entries.is_empty() {
            return;
        }
        for (server, credential) in &held {
            let Some(edge) = self.basis.view.outgoing(EdgeKind::HasEnvVar, *server).to(*credential) else { continue };
            let cost = self.basis.cost(edge);
            for accessible in self.basis.access().accessible(*server) {
                let way = Behind { cost, server: *server, credential: *credential, tool: accessible.tool };
                behind.entry(accessible.resource).or_default().push(way);
            }
        }
        for ways in behind.values_mut() {
            best_two(ways, |way| way.server);
        }
        let number = self.spots.len();
        for entry in entries {
            self.entries.entry(entry.server).or_default().push((number, *entry));
        }
        self.spots.push(spot);
        self.behind.push(behind);
        self.contents.push(Contents { spot, entries: entries.to_vec(), held });
    }

    /// All spots, with who gets in and what is there.
    pub(crate) fn contents(&self) -> &[Contents] {
        &self.contents
    }

    pub(crate) fn spot(&self, number: usize) -> Option<Spot> {
        self.spots.get(number).copied()
    }

    /// What an agent reaches and does not reach more simply.
    pub(crate) fn of(&self, agent: NodeIx, is_simpler: &dyn Fn(NodeIx) -> bool) -> Found<Way> {
        let mut best: BTreeMap<NodeIx, Way> = BTreeMap::new();
        for (spot, entries) in self.entries_of(agent) {
            for (resource, behind) in self.behind.get(spot).into_iter().flatten() {
                let Some(way) = easiest(spot, &entries, behind) else { continue };
                best.entry(*resource).and_modify(|best| *best = way.min(*best)).or_insert(way);
            }
        }
        let all = best.into_iter().filter(|(resource, _)| !is_simpler(*resource));
        Found::best(all.map(|(resource, way)| (way.cost, resource, way)).collect())
    }

    /// The best way from an agent to a resource, if there is one.
    pub(crate) fn way(&self, agent: NodeIx, resource: NodeIx) -> Option<Way> {
        let ways = self.entries_of(agent).into_iter().filter_map(|(spot, entries)| {
            let behind = self.behind.get(spot)?.get(&resource)?;
            easiest(spot, &entries, behind)
        });
        ways.min()
    }

    /// The spots that the servers of an agent get into, each with the two best entries by different servers.
    fn entries_of(&self, agent: NodeIx) -> BTreeMap<usize, Vec<Entry>> {
        let mut all: BTreeMap<usize, Vec<Entry>> = BTreeMap::new();
        for (cost, server) in trusted(self.basis, agent) {
            for (spot, entry) in self.entries.get(&server).into_iter().flatten() {
                let entry = Entry { cost: entry.cost + cost, ..*entry };
                all.entry(*spot).or_default().push(entry);
            }
        }
        for entries in all.values_mut() {
            best_two(entries, |entry| entry.server);
        }
        all
    }

    /// The hops of a way, as they are walked.
    pub(crate) fn path(&self, agent: NodeIx, resource: NodeIx, way: &Way) -> Vec<Hop> {
        let Way { entry, behind, .. } = *way;
        let mut path = vec![Hop::along(EdgeKind::TrustsServer, agent, entry.server)];
        match self.spot(way.spot) {
            Some(Spot::Reading(link)) => {
                path.push(Hop::along(EdgeKind::ProvidesTool, entry.server, entry.by));
                path.push(Hop { via: Via::Reads(link), from: entry.by, to: behind.credential });
            }
            _ => {
                path.push(Hop::along(EdgeKind::HasEnvVar, entry.server, entry.by));
                if entry.by != behind.credential {
                    path.push(Hop { via: Via::SameSecret, from: entry.by, to: behind.credential });
                }
            }
        }
        path.push(Hop::against(EdgeKind::HasEnvVar, behind.credential, behind.server));
        path.push(Hop::along(EdgeKind::ProvidesTool, behind.server, behind.tool));
        path.push(Hop::along(EdgeKind::HasAccessTo, behind.tool, resource));
        path
    }
}

/// What is reached through machines and files, and not directly.
pub(crate) fn by_reading(spots: &Spots<'_, '_>, direct: &Direct<'_, '_>, agent: NodeIx) -> Found<Way> {
    spots.of(agent, &|resource| direct.way(agent, resource).is_some())
}

/// Keeps the best, and the best that goes through another server.
fn best_two<T: Ord + Copy>(ways: &mut Vec<T>, server: impl Fn(&T) -> NodeIx) {
    ways.sort_unstable();
    let Some(first) = ways.first().copied() else { return };
    let second = ways.iter().copied().find(|way| server(way) != server(&first));
    *ways = [Some(first), second].into_iter().flatten().collect();
}

/// The best combination in which nobody reads a secret of its own server.
fn easiest(spot: usize, entries: &[Entry], behind: &[Behind]) -> Option<Way> {
    let pairs = entries.iter().flat_map(|entry| behind.iter().map(move |behind| (*entry, *behind)));
    let ways = pairs.filter(|(entry, behind)| entry.server != behind.server);
    ways.map(|(entry, behind)| Way { cost: entry.cost + behind.cost, entry, behind, spot }).min()
}

/// A secret that a server is given.
struct Key {
    server: NodeIx,
    credential: NodeIx,
    origin: Option<String>,
}

fn keys(basis: &Basis<'_>, is_meant: fn(&Basis<'_>, NodeIx, NodeIx) -> bool) -> Vec<Key> {
    let mut keys = Vec::new();
    for server in basis.nodes(NodeKind::McpServer) {
        for (credential, edge) in basis.view.outgoing(EdgeKind::HasEnvVar, server) {
            if is_meant(basis, server, credential) {
                keys.push(Key { server, credential, origin: basis.origin(edge).map(Into::into) });
            }
        }
    }
    keys
}

/// Whether a server authenticates with a secret.
fn is_identity(basis: &Basis<'_>, server: NodeIx, credential: NodeIx) -> bool {
    let identities = basis.view.outgoing(EdgeKind::AuthenticatesWith, server);
    basis.sources(EdgeKind::UsesCredential, credential).any(|identity| identities.to(identity).is_some())
}

/// How a server reads what lies on its machine: it has a tool for it, and nearly anybody may call it.
fn reader(basis: &Basis<'_>, server: NodeIx, is_meant: &dyn Fn(NodeIx) -> bool) -> Option<Entry> {
    if !matches!(basis.auth(server), Auth::None | Auth::ApiKey) {
        return None;
    }
    let reads = |tool: &NodeIx| basis.capabilities(*tool).meets(Capabilities::READING) && is_meant(*tool);
    let by = basis.targets(EdgeKind::ProvidesTool, server).find(reads)?;
    Some(Entry { cost: 0, server, by })
}

fn hosts_by_name(basis: &Basis<'_>) -> BTreeMap<String, NodeIx> {
    let named = |host: NodeIx| Some((basis.text(host, "hostname")?.to_lowercase(), host));
    basis.nodes(NodeKind::Host).filter_map(named).collect()
}

/// Files that tools lead to and in which secrets stand, where the machine of one of the two is not known. Where both are,
/// the machine decides.
fn files(basis: &Basis<'_>, keys: &[Key], spots: &mut Spots<'_, '_>) {
    let mut held: BTreeMap<String, BTreeSet<(NodeIx, NodeIx)>> = BTreeMap::new();
    for key in keys {
        let Some(source) = basis.text(key.credential, "source") else { continue };
        let Some((path, _)) = source.split_once('#') else { continue };
        let is_placed = key.origin.is_some() || basis.targets(EdgeKind::RunsOn, key.server).len() > 0;
        for folder in upwards(path) {
            // Two lists in one: a key whose machine is known can only be read by a server whose machine is not.
            held.entry(format!("{}{folder}", if is_placed { "+" } else { "-" }))
                .or_default()
                .insert((key.server, key.credential));
        }
    }
    if held.is_empty() {
        return;
    }
    for server in basis.nodes(NodeKind::McpServer) {
        let is_placed = basis.targets(EdgeKind::RunsOn, server).len() > 0;
        for file in basis.access().of_family(server, Family::File) {
            let Some(path) = basis.text(*file, "uri").and_then(|uri| path_of(&uri)) else { continue };
            let is_meant = |tool: NodeIx| basis.access().why(server, tool, *file).is_some();
            let unplaced = held.get(&format!("-{path}")).into_iter().flatten();
            let placed = held.get(&format!("+{path}")).into_iter().flatten().filter(|_| !is_placed);
            let behind: Vec<(NodeIx, NodeIx)> = unplaced.chain(placed).copied().collect();
            if let Some(entry) = reader(basis, server, &is_meant).filter(|_| !behind.is_empty()) {
                spots.add(Spot::Reading(Link::File(*file)), &[entry], behind.into_iter());
            }
        }
    }
}

/// A path and the folders above it, but for those that hold everything.
fn upwards(path: &str) -> impl Iterator<Item = &str> {
    let path = path.trim_end_matches('/');
    let is_narrow = |path: &&str| path.matches('/').count() >= 2;
    std::iter::successors(Some(path), |path| path.rsplit_once('/').map(|(above, _)| above)).take_while(is_narrow)
}

/// The path in the address of a file.
fn path_of(uri: &str) -> Option<String> {
    let rest = uri.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("file:")).and_then(|_| uri.get(5..))?;
    let path =
        rest.strip_prefix("//").map_or(rest, |rest| rest.find('/').and_then(|start| rest.get(start..)).unwrap_or(""));
    let path = path.trim_end_matches('/');
    (!path.is_empty()).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_files_are_paths() {
        assert_eq!(path_of("file:///home/lena/").as_deref(), Some("/home/lena"));
        assert_eq!(path_of("FILE://localhost/home/lena/x").as_deref(), Some("/home/lena/x"));
        assert_eq!([path_of("file:///"), path_of("https://x/y"), path_of("f")], [None, None, None]);
    }

    #[test]
    fn a_folder_that_holds_everything_says_nothing() {
        assert_eq!(upwards("/home/lena/.cursor/mcp.json").count(), 3);
        assert_eq!(upwards("/mcp.json").count(), 0);
    }
}
