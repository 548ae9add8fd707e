//! Resources of one server that share scheme and root, as one node: the tables of a database, the files of a folder.
//!
//! The root of a database is its host, without a port. The root of a file is the first two folders of its path, after the
//! host if there is one; so is that of a database which is a file. The root of anything else is its host with the port. Users
//! and passwords in addresses are never part of a root.
//!
//! A resource that several servers provide is a member with the first of them. One without an address is in no group.
//!
//! Growth: linear in resources, but for sorting.

use std::collections::BTreeMap;

use tracehound_graph::{NodeIx, PropertyValue};
use tracehound_model::{EdgeKind, NodeId, NodeKind};

use super::{Output, Processor, Reads, Stage, Synthetic, Writes};
use crate::basis::scheme::scheme_of;
use crate::basis::{Basis, Family, Sensitivity};

/// The property that names a resource's group.
const RESOURCE_GROUP: &str = "resource_group";
/// How many folders belong to a root.
const FOLDERS: usize = 2;

pub(super) const PROCESSOR: Processor = Processor {
    name: "resource_groups",
    purpose: "Resources of one server that share scheme and root are a group.",
    reads: &[
        Reads::Nodes(NodeKind::McpServer, &[]),
        Reads::Nodes(NodeKind::JupyterServer, &[]),
        Reads::Nodes(NodeKind::McpResource, &["sensitivity", "uri", "uri_scheme"]),
        Reads::Edges(EdgeKind::ProvidesResource, &[]),
    ],
    writes: &[Writes::Nodes(NodeKind::ResourceGroup), Writes::Property(RESOURCE_GROUP)],
    run,
    holds: None,
};

/// What the members of a group share.
type Key = (NodeIx, String, String);

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let mut groups: BTreeMap<Key, Vec<NodeIx>> = BTreeMap::new();
    for resource in basis.nodes(NodeKind::McpResource) {
        let server = basis.sources(EdgeKind::ProvidesResource, resource).next();
        if let Some((server, (scheme, root))) = server.zip(address(basis, resource)) {
            groups.entry((server, scheme, root)).or_default().push(resource);
        }
    }
    let mut output = Output::default();
    let mut groups_of: Vec<(NodeIx, usize)> = Vec::new();
    for (number, (key, members)) in groups.into_iter().enumerate() {
        output.nodes.push(group(basis, &key, &members));
        groups_of.extend(members.into_iter().map(|member| (member, number)));
    }
    // Properties are quickest to write in the order of nodes.
    groups_of.sort_unstable();
    for (member, number) in groups_of {
        if let Some(group) = output.nodes.get(number) {
            let id = PropertyValue::Text(group.id.as_str().to_owned().into());
            output.properties.set(RESOURCE_GROUP, member, id);
        }
    }
    output
}

fn group(basis: &Basis<'_>, (server, scheme, root): &Key, members: &[NodeIx]) -> Synthetic {
    let text = |text: String| PropertyValue::Text(text.into());
    let name = if root.is_empty() { format!("{scheme}:") } else { format!("{scheme}://{root}") };
    let highest = members.iter().map(|member| basis.sensitivity(*member)).max().unwrap_or(Sensitivity::Unknown);
    let server = NodeId::from_wire(basis.view.id(*server));
    Synthetic {
        id: NodeId::resource_group(&server, scheme, root),
        kind: NodeKind::ResourceGroup,
        properties: BTreeMap::from([
            ("name", text(name)),
            ("type", text(Family::of(scheme).name().to_owned())),
            ("sensitivity", text(highest.name().to_owned())),
            ("resource_count", PropertyValue::Integer(i64::try_from(members.len()).unwrap_or(i64::MAX))),
        ]),
    }
}

/// The scheme and the root of a resource.
fn address(basis: &Basis<'_>, resource: NodeIx) -> Option<(String, String)> {
    let uri = basis.text(resource, "uri").unwrap_or_default();
    let scheme = basis.text(resource, "uri_scheme").map_or_else(|| scheme_of(&uri).to_owned(), Into::into);
    let scheme = scheme.to_ascii_lowercase();
    (!scheme.is_empty()).then(|| (root(Family::of(&scheme), &uri), scheme)).map(|(root, scheme)| (scheme, root))
}

fn root(family: Family, uri: &str) -> String {
    let rest = uri.split_once(':').map_or("", |(_, rest)| rest);
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.find('/').and_then(|slash| rest.split_at_checked(slash)).unwrap_or((rest, "")),
        None => ("", rest),
    };
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host).to_ascii_lowercase();
    let (host, port) = host_and_port(&authority);
    match family {
        Family::File => file_root(if host == "localhost" { "" } else { host }, path),
        Family::Database if host.is_empty() => file_root("", path),
        Family::Database => host.to_owned(),
        Family::Other if port.is_empty() => host.to_owned(),
        Family::Other => format!("{host}:{port}"),
    }
}

/// A host and its port. What stands in a port's place and is no number may be the rest of a password, and is left out.
fn host_and_port(authority: &str) -> (&str, &str) {
    let after = authority.find(']').map_or(0, |bracket| bracket + 1);
    let colon = authority.get(after..).and_then(|rest| rest.find(':')).map(|colon| after + colon);
    let Some((host, port)) = colon.and_then(|colon| authority.split_at_checked(colon)) else { return (authority, "") };
    let port = port.get(1..).unwrap_or_default();
    (host, if port.bytes().all(|byte| byte.is_ascii_digit()) { port } else { "" })
}

/// The first folders of a path. What follows the last slash is a file.
fn file_root(host: &str, path: &str) -> String {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let mut root = host.to_owned();
    for folder in folders.split('/').filter(|folder| !folder.is_empty()).take(FOLDERS) {
        root.push('/');
        root.push_str(folder);
    }
    if root.is_empty() && path.starts_with('/') { "/".to_owned() } else { root }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_hosts_or_folders() {
        for (uri, expected) in [
            ("postgres://app:secret@Prod-DB:5432/customers", "prod-db"),
            ("postgres://app:pa/ss@db/x", "app"),
            ("mongodb+srv://m.example.com/x", "m.example.com"),
            ("sqlite:///home/lena/data/app.db", "/home/lena"),
            ("file:///home/lena/notes/a.txt", "/home/lena"),
            ("file:///home/lena", "/home"),
            ("file:///etc/passwd", "/etc"),
            ("file:///passwd", "/"),
            ("file://localhost/etc/passwd", "/etc"),
            ("file://nas/share/x/y/z.txt", "nas/share/x"),
            ("https://u@Example.com:8443/a/b?c=/d", "example.com:8443"),
            ("https://[::1]:80/x", "[::1]:80"),
            ("https://user:pass", "user"),
            ("memo:shopping", ""),
            ("memo", ""),
        ] {
            assert_eq!(root(Family::of(scheme_of(uri)), uri), expected, "{uri}");
        }
    }
}
