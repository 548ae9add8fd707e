//! Agent → server → secret of another server → that server's tool → resource.
//!
//! There are three sorts of spots at which a secret passes from one server to another: a machine on which a tool of the one
//! reads what the other is given, a file that such tools lead to, and a secret that both are given. For each spot it is known
//! who gets in and what lies behind; an agent reaches what lies behind the spots that its servers get into. Without such a
//! link no secret is reached.
//!
//! Growth: linear in the servers at spots, and for each spot in the secrets there and the resources behind each; a secret in
//! a file is at a spot for each folder above it that a tool leads to. For each agent linear in the resources behind its
//! spots.

use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::{Found, best_two, trusted};
use crate::basis::{Auth, Basis, Capabilities, Cost, Family};
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
pub(crate) struct Spots<'a, 'g> {
    basis: &'a Basis<'g>,
    /// Which spots a server gets into, and by what.
    entries: BTreeMap<NodeIx, Vec<(usize, Entry)>>,
    /// The resources behind each spot, each with the two best ways that go through different servers.
    behind: Vec<BTreeMap<NodeIx, Vec<Behind>>>,
    contents: Vec<Contents>,
}

/// Who gets into a spot, and the secrets there.
#[derive(Debug)]
pub(crate) struct Contents {
    pub(crate) entries: Vec<Entry>,
    pub(crate) secrets: BTreeSet<NodeIx>,
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
            for host in hosts.chain(kept_on.into_iter().flatten().copied()) {
                on_host.entry(host).or_default().insert((key.server, key.credential));
            }
        }
        for (host, held) in on_host {
            let readers =
                basis.sources(EdgeKind::RunsOn, host).filter(|it| basis.view.kind(*it) == NodeKind::McpServer);
            let entries = readers.filter_map(|server| reader(basis, server, Link::Host(host), &|_| true)).collect();
            spots.add(entries, &held);
        }
        files(basis, &keys, &mut spots);
        spots
    }

    /// Secrets that several servers are given.
    pub(crate) fn reuse(basis: &'a Basis<'g>) -> Self {
        let mut spots = Self::empty(basis);
        let mut by_value: BTreeMap<String, BTreeSet<(NodeIx, NodeIx)>> = BTreeMap::new();
        for credential in basis.nodes(NodeKind::Credential) {
            let held: BTreeSet<(NodeIx, NodeIx)> =
                basis.sources(EdgeKind::HasEnvVar, credential).map(|server| (server, credential)).collect();
            // One node is one secret, whether or not somebody saw it. It is a spot of its own because the way through it is
            // shorter than one from copy to copy.
            spots.add_copies(&held);
            if let Some(value) = basis.known_secret(credential) {
                by_value.entry(value.into_owned()).or_default().extend(held);
            }
        }
        for held in by_value.values() {
            spots.add_copies(held);
        }
        spots
    }

    const fn empty(basis: &'a Basis<'g>) -> Self {
        Self { basis, entries: BTreeMap::new(), behind: Vec::new(), contents: Vec::new() }
    }

    /// A spot between servers that are given copies of one secret.
    fn add_copies(&mut self, held: &BTreeSet<(NodeIx, NodeIx)>) {
        if held.len() < 2 {
            return;
        }
        let entry = |(server, credential): &(NodeIx, NodeIx)| {
            let edge = self.basis.view.outgoing(EdgeKind::HasEnvVar, *server).to(*credential)?;
            Some(Entry { cost: self.basis.cost(edge), server: *server, by: *credential, link: None })
        };
        self.add(held.iter().filter_map(entry).collect(), held);
    }

    fn add(&mut self, entries: Vec<Entry>, held: &BTreeSet<(NodeIx, NodeIx)>) {
        if entries.is_empty() {
            return;
        }
        let secrets = held.iter().map(|(_, credential)| *credential).collect();
        self.contents.push(Contents { entries: entries.clone(), secrets });
        let mut behind: BTreeMap<NodeIx, Vec<Behind>> = BTreeMap::new();
        for (server, credential) in held.iter().copied() {
            let Some(edge) = self.basis.view.outgoing(EdgeKind::HasEnvVar, server).to(credential) else { continue };
            let cost = self.basis.cost(edge);
            for accessible in self.basis.access().accessible(server) {
                let way = Behind { cost, credential, server, tool: accessible.tool };
                behind.entry(accessible.resource).or_default().push(way);
            }
        }
        if behind.is_empty() {
            return;
        }
        for ways in behind.values_mut() {
            best_two(ways, |way| way.server);
        }
        let number = self.behind.len();
        for entry in entries {
            self.entries.entry(entry.server).or_default().push((number, entry));
        }
        self.behind.push(behind);
    }

    /// All spots, with who gets in and what is there.
    pub(crate) fn contents(&self) -> &[Contents] {
        &self.contents
    }

    /// The spots that the servers of an agent get into.
    pub(crate) fn open_to(&self, agent: NodeIx) -> Open<'_> {
        let mut entries: BTreeMap<usize, Vec<Entry>> = BTreeMap::new();
        for (cost, server) in trusted(self.basis, agent) {
            for (spot, entry) in self.entries.get(&server).into_iter().flatten() {
                let entry = Entry { cost: entry.cost + cost, ..*entry };
                entries.entry(*spot).or_default().push(entry);
            }
        }
        for entries in entries.values_mut() {
            best_two(entries, |entry| entry.server);
        }
        Open { entries, behind: &self.behind }
    }
}

/// The spots that the servers of an agent get into, each with the two best entries by different servers.
pub(crate) struct Open<'s> {
    entries: BTreeMap<usize, Vec<Entry>>,
    behind: &'s [BTreeMap<NodeIx, Vec<Behind>>],
}

impl Open<'_> {
    /// What the agent reaches and does not reach more simply.
    pub(crate) fn reached(&self, is_simpler: &dyn Fn(NodeIx) -> bool) -> Found<Way> {
        let mut best: BTreeMap<NodeIx, Way> = BTreeMap::new();
        for (spot, entries) in &self.entries {
            for (resource, behind) in self.behind.get(*spot).into_iter().flatten() {
                let Some(way) = easiest(entries, behind) else { continue };
                best.entry(*resource).and_modify(|best| *best = way.easier(*best)).or_insert(way);
            }
        }
        let all = best.into_iter().filter(|(resource, _)| !is_simpler(*resource));
        Found::best(all.map(|(resource, way)| (way.cost, resource, way)).collect())
    }

    /// Whether the agent reaches a resource.
    pub(crate) fn reaches(&self, resource: NodeIx) -> bool {
        self.entries.iter().any(|(spot, entries)| {
            let behind = self.behind.get(*spot).and_then(|behind| behind.get(&resource));
            behind.is_some_and(|behind| easiest(entries, behind).is_some())
        })
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
fn easiest(entries: &[Entry], behind: &[Behind]) -> Option<Way> {
    let pairs = entries.iter().flat_map(|entry| behind.iter().map(move |behind| (*entry, *behind)));
    let ways = pairs.filter(|(entry, behind)| entry.server != behind.server);
    ways.map(|(entry, behind)| Way { cost: entry.cost + behind.cost, entry, behind }).reduce(Way::easier)
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

/// How a server reads what lies in a place: it has a tool for it, and nearly anybody may call it.
fn reader(basis: &Basis<'_>, server: NodeIx, link: Link, is_meant: &dyn Fn(NodeIx) -> bool) -> Option<Entry> {
    if !matches!(basis.auth(server), Auth::None | Auth::ApiKey) {
        return None;
    }
    let reads = |tool: &NodeIx| basis.capabilities(*tool).meets(Capabilities::READING) && is_meant(*tool);
    let by = basis.targets(EdgeKind::ProvidesTool, server).find(reads)?;
    Some(Entry { cost: 0, server, by, link: Some(link) })
}

/// Machines by name, in lower case. Two networks may each have one of the same name.
fn hosts_by_name(basis: &Basis<'_>) -> BTreeMap<String, Vec<NodeIx>> {
    let mut all: BTreeMap<String, Vec<NodeIx>> = BTreeMap::new();
    for host in basis.nodes(NodeKind::Host) {
        if let Some(name) = basis.text(host, "hostname") {
            all.entry(name.to_lowercase()).or_default().push(host);
        }
    }
    all
}

/// A file or folder, and whether the machine of the secrets in it is known.
type Place = (bool, String);

/// Files that tools lead to and in which secrets stand, where the machine of one of the two is not known. Where both are,
/// the machine decides.
fn files(basis: &Basis<'_>, keys: &[Key], spots: &mut Spots<'_, '_>) {
    let mut held: BTreeMap<Place, BTreeSet<(NodeIx, NodeIx)>> = BTreeMap::new();
    for key in keys {
        let Some(source) = basis.text(key.credential, "source") else { continue };
        let Some((path, _)) = source.split_once('#') else { continue };
        let is_placed = key.origin.is_some() || basis.targets(EdgeKind::RunsOn, key.server).len() > 0;
        for place in upwards(path) {
            held.entry((is_placed, place.to_owned())).or_default().insert((key.server, key.credential));
        }
    }
    if held.is_empty() {
        return;
    }
    let mut entries: BTreeMap<Place, Vec<Entry>> = BTreeMap::new();
    for server in basis.nodes(NodeKind::McpServer) {
        let is_placed = basis.targets(EdgeKind::RunsOn, server).len() > 0;
        for file in basis.access().of_family(server, Family::File) {
            let Some(path) = basis.text(*file, "uri").and_then(|uri| path_of(&uri)) else { continue };
            let open = [(false, path.clone()), (true, path)].into_iter().filter(|(other, _)| !(*other && is_placed));
            let places: Vec<Place> = open.filter(|place| held.contains_key(place)).collect();
            // Most files hold nothing, and to look for a tool takes time.
            if places.is_empty() {
                continue;
            }
            let is_meant = |tool: NodeIx| basis.access().why(server, tool, *file).is_some();
            let Some(entry) = reader(basis, server, Link::File(*file), &is_meant) else { continue };
            places.into_iter().for_each(|place| entries.entry(place).or_default().push(entry));
        }
    }
    for (place, held) in &held {
        spots.add(entries.remove(place).unwrap_or_default(), held);
    }
}

/// A file and the folders above it, but for those that hold everything.
fn upwards(file: &str) -> impl Iterator<Item = &str> {
    let file = file.trim_end_matches('/');
    let is_narrow = |path: &&str| path.matches('/').count() >= 2;
    let paths = std::iter::successors(Some(file), |path| path.rsplit_once('/').map(|(above, _)| above));
    let folders = paths.skip(1).take_while(is_narrow);
    Some(file).filter(|file| file.starts_with('/')).into_iter().chain(folders)
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
        assert_eq!(upwards("/mcp.json").collect::<Vec<_>>(), ["/mcp.json"]);
        assert_eq!(upwards("mcp.json").count(), 0);
    }
}
