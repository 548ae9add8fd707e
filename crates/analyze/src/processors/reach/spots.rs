//! Spots at which a secret passes from one server to another: a machine on which a tool of the one reads what the other is
//! given, a file that such tools lead to, and a secret that both are given.
//!
//! For each spot it is known who gets in and what is kept there; what lies behind is the business of `behind`. Without such a
//! link no secret is reached.
//!
//! Growth: linear in the servers at spots and in the secrets there; a secret in a file is at a spot for each folder above it
//! that a tool leads to.

use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::behind::Entry;
use crate::basis::{Auth, Basis, Capabilities, Family};
use crate::derived::Link;

/// Servers, each with a secret that it is given.
pub(crate) type Held = BTreeSet<(NodeIx, NodeIx)>;

/// A spot.
#[derive(Debug)]
pub(crate) struct Spot {
    /// Who gets in.
    pub(crate) entries: Vec<Entry>,
    /// The secrets there.
    pub(crate) held: Held,
    /// Spots with one number have the same behind them for whoever gets into one.
    pub(crate) group: usize,
}

/// Machines and files.
pub(crate) fn reading(basis: &Basis<'_>) -> Vec<Spot> {
    let mut spots = Vec::new();
    let keys = keys(basis, is_identity);
    let mut on_host: BTreeMap<NodeIx, Held> = BTreeMap::new();
    let by_name = hosts_by_name(basis);
    for key in &keys {
        let hosts = basis.targets(EdgeKind::RunsOn, key.server);
        let kept_on = key.origin.as_deref().and_then(|origin| by_name.get(&origin.to_lowercase()));
        for host in hosts.chain(kept_on.into_iter().flatten().copied()) {
            on_host.entry(host).or_default().insert((key.server, key.credential));
        }
    }
    for (host, held) in on_host {
        let readers = basis.sources(EdgeKind::RunsOn, host).filter(|it| basis.view.kind(*it) == NodeKind::McpServer);
        let entries = readers.filter_map(|server| reader(basis, server, Link::Host(host), &|_| true)).collect();
        add(&mut spots, entries, held);
    }
    files(basis, &keys, &mut spots);
    spots
}

fn add(spots: &mut Vec<Spot>, entries: Vec<Entry>, held: Held) {
    if !entries.is_empty() {
        spots.push(Spot { entries, held, group: spots.len() });
    }
}

/// Secrets that several servers are given.
pub(crate) fn reuse(basis: &Basis<'_>) -> Vec<Spot> {
    let mut spots = Vec::new();
    let mut by_value: BTreeMap<String, (usize, Held)> = BTreeMap::new();
    let mut groups = 0;
    let mut next = || {
        groups += 1;
        groups - 1
    };
    for credential in basis.nodes(NodeKind::Credential) {
        let held: Held = basis.sources(EdgeKind::HasEnvVar, credential).map(|server| (server, credential)).collect();
        // Whoever gets into one copy gets into all of them.
        let group = match basis.known_secret(credential) {
            Some(value) => {
                let (group, all) = by_value.entry(value.into_owned()).or_insert_with(|| (next(), Held::new()));
                all.extend(held.iter().copied());
                *group
            }
            None => next(),
        };
        // One node is one secret, whether or not somebody saw it. It is a spot of its own because the way through it is
        // shorter than one from copy to copy.
        spots.extend(copies(basis, held, group));
    }
    spots.extend(by_value.into_values().filter_map(|(group, held)| copies(basis, held, group)));
    spots
}

/// A spot between servers that are given copies of one secret.
fn copies(basis: &Basis<'_>, held: Held, group: usize) -> Option<Spot> {
    let entry = |(server, credential): &(NodeIx, NodeIx)| {
        let edge = basis.view.outgoing(EdgeKind::HasEnvVar, *server).to(*credential)?;
        Some(Entry { cost: basis.cost(edge), server: *server, by: *credential, link: None })
    };
    let entries = |held: &Held| held.iter().filter_map(entry).collect();
    (held.len() > 1).then(|| Spot { entries: entries(&held), held, group })
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
fn files(basis: &Basis<'_>, keys: &[Key], spots: &mut Vec<Spot>) {
    let mut held: BTreeMap<Place, Held> = BTreeMap::new();
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
    for (place, held) in held {
        add(spots, entries.remove(&place).unwrap_or_default(), held);
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
