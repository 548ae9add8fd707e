//! Spots at which a secret passes from one server to another: a machine on which a tool of the one reads what the other is
//! given, a file that such tools lead to, and a secret that both are given.
//!
//! For each spot it is known who gets in and what is kept there; what lies behind is the business of `behind`. Without such a
//! link no secret is reached.
//!
//! Growth: linear in the servers at spots and in the secrets there; a secret in a file is at a spot for each folder above it
//! that a tool leads to.

use std::collections::BTreeMap;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::behind::Entry;
use crate::basis::{Auth, Basis, Capabilities, Family, On, common};
use crate::derived::Link;

/// Servers, each with a secret that it is given; and where machines of the server differ, those on which that is so.
pub(crate) type Held = BTreeMap<(NodeIx, NodeIx), On>;

/// On which machine one has to use a server to get in by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Where {
    /// On whichever.
    Anywhere,
    /// On one that never showed what the server provides.
    Unasked,
    /// On this one.
    On(u32),
}

/// A spot.
#[derive(Debug)]
pub(crate) struct Spot {
    /// Who gets in.
    pub(crate) entries: Vec<(Where, Entry)>,
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
        for (host, edge) in basis.view.outgoing(EdgeKind::RunsOn, key.server) {
            let on = common(&basis.on(key.server, edge), &key.on);
            if !on.as_ref().is_some_and(Vec::is_empty) {
                key.hold(basis, on, on_host.entry(host).or_default());
            }
        }
        for origin in key.origins.iter().flatten() {
            let on = key.on.as_ref().and_then(|_| basis.machines().number(origin)).map(|machine| vec![machine]);
            for host in by_name.get(&origin.to_lowercase()).into_iter().flatten() {
                key.hold(basis, on.clone(), on_host.entry(*host).or_default());
            }
        }
    }
    let mut readers = Readers { basis, divided: BTreeMap::new() };
    for (host, held) in on_host {
        let servers = basis.view.incoming(EdgeKind::RunsOn, host);
        let servers = servers.filter(|(node, _)| basis.view.kind(*node) == NodeKind::McpServer);
        let entries =
            servers.flat_map(|(server, edge)| readers.on_host(server, host, basis.on(server, edge))).collect();
        add(&mut spots, entries, held);
    }
    files(basis, &keys, &mut spots);
    spots
}

fn add(spots: &mut Vec<Spot>, entries: Vec<(Where, Entry)>, held: Held) {
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
        let given = basis.view.incoming(EdgeKind::HasEnvVar, credential);
        let held: Held =
            given.map(|(server, edge)| ((server, credential), narrow(basis, server, basis.on(server, edge)))).collect();
        // Whoever gets into one copy gets into all of them.
        let group = match basis.known_secret(credential) {
            Some(value) => {
                let (group, all) = by_value.entry(value.into_owned()).or_insert_with(|| (next(), Held::new()));
                all.extend(held.iter().map(|(pair, on)| (*pair, on.clone())));
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

/// Machines matter only where they differ.
fn narrow(basis: &Basis<'_>, server: NodeIx, on: On) -> On {
    on.filter(|_| basis.machines().differ(server))
}

/// A spot between servers that are given copies of one secret.
fn copies(basis: &Basis<'_>, held: Held, group: usize) -> Option<Spot> {
    if held.len() < 2 {
        return None;
    }
    let mut entries = Vec::new();
    for (server, credential) in held.keys().copied() {
        let Some(edge) = basis.view.outgoing(EdgeKind::HasEnvVar, server).to(credential) else { continue };
        let entry = Entry { cost: basis.cost(edge), server, by: credential, link: None };
        match basis.on(server, edge) {
            None => entries.push((Where::Anywhere, entry)),
            Some(on) => entries.extend(on.into_iter().map(|machine| (Where::On(machine), entry))),
        }
    }
    Some(Spot { entries, held, group })
}

/// A secret that a server is given.
struct Key {
    server: NodeIx,
    credential: NodeIx,
    /// The machines on which it is, by name; none if it may be on any.
    origins: Option<Vec<String>>,
    /// The same by number, if the server is a command.
    on: On,
}

impl Key {
    /// Puts it among the secrets of a spot.
    fn hold(&self, basis: &Basis<'_>, on: On, held: &mut Held) {
        let on = narrow(basis, self.server, on);
        let all = held.entry((self.server, self.credential)).or_insert_with(|| on.clone());
        match (all.as_mut(), on) {
            (Some(all), Some(on)) => {
                all.extend(on);
                all.sort_unstable();
                all.dedup();
            }
            _ => *all = None,
        }
    }
}

fn keys(basis: &Basis<'_>, is_meant: fn(&Basis<'_>, NodeIx, NodeIx) -> bool) -> Vec<Key> {
    let mut keys = Vec::new();
    for server in basis.nodes(NodeKind::McpServer) {
        for (credential, edge) in basis.view.outgoing(EdgeKind::HasEnvVar, server) {
            if is_meant(basis, server, credential) {
                let origins = basis.view.origins(edge);
                let origins = origins.map(|all| all.into_iter().map(std::borrow::Cow::into_owned).collect());
                keys.push(Key { server, credential, origins, on: basis.on(server, edge) });
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

/// How servers read what lies in a place: they have a tool for it, and nearly anybody may call it.
struct Readers<'a, 'g> {
    basis: &'a Basis<'g>,
    /// The reading tools of commands whose machines differ.
    divided: BTreeMap<NodeIx, ByMachine>,
}

impl Readers<'_, '_> {
    /// How a server that runs on a host reads what lies there.
    fn on_host(&mut self, server: NodeIx, host: NodeIx, on: On) -> Vec<(Where, Entry)> {
        let (basis, link) = (self.basis, Link::Host(host));
        if !is_open(basis, server) {
            return Vec::new();
        }
        if basis.machines().differ(server) {
            let tools =
                self.divided.entry(server).or_insert_with(|| ByMachine::new(basis, server, tools(basis, server)));
            return entries(server, link, tools.on(basis, server, &on));
        }
        let tool = tools(basis, server).next();
        let places = on.map_or_else(|| vec![Where::Anywhere], |on| on.into_iter().map(Where::On).collect());
        let tools = places.into_iter().filter_map(|place| Some((place, tool?))).collect();
        entries(server, link, tools)
    }
}

/// How a server reads what lies in a file of it.
fn in_file(basis: &Basis<'_>, server: NodeIx, file: NodeIx) -> Vec<(Where, Entry)> {
    if !is_open(basis, server) {
        return Vec::new();
    }
    let mut able = tools(basis, server).filter(|tool| basis.access().why(server, *tool, file).is_some());
    if !basis.machines().differ(server) {
        return entries(
            server,
            Link::File(file),
            able.next().map(|tool| (Where::Anywhere, tool)).into_iter().collect(),
        );
    }
    let able = ByMachine::new(basis, server, able).on(basis, server, &None).into_iter();
    let has_file = |place: &Where| match place {
        Where::On(machine) => basis.machines().have(server, &Some(vec![*machine]), file),
        Where::Anywhere | Where::Unasked => true,
    };
    entries(server, Link::File(file), able.filter(|(place, _)| has_file(place)).collect())
}

fn entries(server: NodeIx, link: Link, tools: Vec<(Where, NodeIx)>) -> Vec<(Where, Entry)> {
    let entry = |(place, by)| (place, Entry { cost: 0, server, by, link: Some(link) });
    tools.into_iter().map(entry).collect()
}

fn is_open(basis: &Basis<'_>, server: NodeIx) -> bool {
    matches!(basis.auth(server), Auth::None | Auth::ApiKey)
}

/// The tools of a server that read, by id. Of those that get into one spot the first is its entry, as it is the witness.
pub(crate) fn tools<'b>(basis: &'b Basis<'_>, server: NodeIx) -> impl Iterator<Item = NodeIx> + 'b {
    let reads = |tool: &NodeIx| basis.capabilities(*tool).meets(Capabilities::READING);
    basis.targets(EdgeKind::ProvidesTool, server).filter(reads)
}

/// The first of several tools of a command on each machine.
#[derive(Debug, Default)]
struct ByMachine {
    /// Where a tool was shown.
    shown: BTreeMap<u32, NodeIx>,
    /// Of those that may be on any machine.
    anywhere: Option<NodeIx>,
    /// Of all: a machine that was never asked may have it.
    first: Option<NodeIx>,
}

impl ByMachine {
    fn new(basis: &Basis<'_>, server: NodeIx, tools: impl Iterator<Item = NodeIx>) -> Self {
        let mut all = Self::default();
        for tool in tools {
            all.first.get_or_insert(tool);
            match basis.machines().shown(server, tool) {
                Some(on) => {
                    for machine in on {
                        all.shown.entry(*machine).or_insert(tool);
                    }
                }
                None => all.anywhere = all.anywhere.or(Some(tool)),
            }
        }
        all
    }

    /// The first tool on each of some machines.
    fn on(&self, basis: &Basis<'_>, server: NodeIx, on: &On) -> Vec<(Where, NodeIx)> {
        let asked = basis.machines().asked(server);
        let on_machine = |machine: &u32| {
            let shown = self.shown.get(machine).into_iter().chain(&self.anywhere).min();
            let tool = if asked.binary_search(machine).is_ok() { shown.copied() } else { self.first };
            Some((Where::On(*machine), tool?))
        };
        match on {
            Some(on) => on.iter().filter_map(on_machine).collect(),
            None => {
                let unasked = self.first.map(|tool| (Where::Unasked, tool));
                asked.iter().filter_map(on_machine).chain(unasked).collect()
            }
        }
    }
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
        let is_placed = key.origins.is_some() || basis.targets(EdgeKind::RunsOn, key.server).len() > 0;
        for place in upwards(path) {
            key.hold(basis, key.on.clone(), held.entry((is_placed, place.to_owned())).or_default());
        }
    }
    if held.is_empty() {
        return;
    }
    let mut entries: BTreeMap<Place, Vec<(Where, Entry)>> = BTreeMap::new();
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
            let readers = in_file(basis, server, *file);
            if !readers.is_empty() {
                places.into_iter().for_each(|place| entries.entry(place).or_default().extend(&readers));
            }
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
