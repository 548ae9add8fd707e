//! Finds the servers of a file: the containers that its clients name, and the entries in them.

use std::collections::HashSet;

use super::dialect::Slip;
use super::server::{self, Server, cut};
use super::tree::{Node, Position, Value};

/// Servers of one file. A file with more is reported, and nothing below it counts as complete.
pub(crate) const SERVERS: usize = 10_000;

/// Entries that are no servers and are told one by one.
const SLIPS: usize = 100;

/// What was found in a file for one client.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) servers: Vec<Server>,
    /// Whether a container is there, empty or not.
    pub(crate) has_container: bool,
    pub(crate) slips: Vec<Slip>,
    /// Whether there are more servers than were read.
    pub(crate) is_cut: bool,
}

/// The servers at any of these places.
pub(crate) fn servers(root: &Node, places: &[&str]) -> Found {
    let mut containers = Vec::new();
    for place in places.iter().filter(|place| !place.is_empty()) {
        resolve(root, place, None, &mut containers);
    }
    // `mcp.servers` and `mcp` are both places of servers, and the first must not be taken for a server of the second.
    let inner: HashSet<*const Node> = containers.iter().map(|container| std::ptr::from_ref(container.node)).collect();
    let mut found = Found::default();
    let mut seen = HashSet::new();
    for container in &containers {
        if !seen.insert(std::ptr::from_ref(container.node)) {
            continue;
        }
        found.has_container = true;
        take(container, &inner, &mut found);
    }
    if containers.is_empty() && places.contains(&"") {
        take_bare(root, &mut found);
    }
    found.servers.sort_by_key(|server| server.at);
    found
}

/// A place where servers stand.
struct Container<'n> {
    node: &'n Node,
    section: Option<&'n str>,
}

/// Sections of one file that are looked into.
const SECTIONS: usize = 10_000;

/// Follows keys joined by dots, where a key may have dots in it and `*` is any.
fn resolve<'n>(node: &'n Node, place: &str, section: Option<&'n str>, found: &mut Vec<Container<'n>>) {
    if found.len() >= SECTIONS {
        return;
    }
    if let Some(member) = node.get(place) {
        if matches!(member.value.value, Value::Object(_) | Value::List(_)) {
            found.push(Container { node: &member.value, section });
        }
        return;
    }
    for (dot, _) in place.match_indices('.') {
        let (key, rest) = (place.get(..dot).unwrap_or_default(), place.get(dot + 1..).unwrap_or_default());
        if key == "*" {
            for member in node.members() {
                resolve(&member.value, rest, Some(&member.key), found);
            }
        } else if let Some(member) = node.get(key) {
            resolve(&member.value, rest, section, found);
        }
    }
}

fn take(container: &Container<'_>, inner: &HashSet<*const Node>, found: &mut Found) {
    for member in container.node.members() {
        if inner.contains(&std::ptr::from_ref(&member.value)) {
            continue;
        }
        entry(&member.key, member.at, &member.value, container.section, found);
    }
    for (index, item) in container.node.items().iter().enumerate() {
        // A list of names enables servers that are defined elsewhere.
        if matches!(item.value, Value::Object(_)) {
            let name = item.get_any(&["name", "id", "key"]).and_then(|member| member.value.text());
            let unnamed = format!("#{}", index + 1);
            entry(name.unwrap_or(&unnamed), item.at, item, container.section, found);
        }
    }
}

/// A file that is itself the map or list of servers, which it is only if everything in it is one.
fn take_bare(root: &Node, found: &mut Found) {
    let is_server = |node: &Node| matches!(node.value, Value::Object(_)) && server::read("", node.at, node).is_some();
    let members = root.members().iter().filter(|member| !member.key.starts_with('$'));
    let mut all = members.map(|member| &member.value).chain(root.items()).peekable();
    if all.peek().is_some() && all.all(is_server) {
        take(&Container { node: root, section: None }, &HashSet::new(), found);
        found.has_container = true;
    }
}

fn entry(name: &str, at: Position, node: &Node, section: Option<&str>, found: &mut Found) {
    if found.servers.len() >= SERVERS {
        if !found.is_cut {
            let message = format!("there are more than {SERVERS} servers in the file; those from here on are left out");
            found.slips.push(Slip::new(at, message));
        }
        found.is_cut = true;
        return;
    }
    match server::read(name, at, node) {
        Some(server) => {
            found.servers.push(Server { section: section.map(|section| cut(section).into_owned()), ..server })
        }
        None if is_switch(node) || found.slips.len() >= SLIPS => {}
        None => {
            let message = format!("the server `{}` has neither a command nor a URL that can be one", cut(name));
            found.slips.push(Slip::remark(at, message));
        }
    }
}

/// An entry that only switches a server on or off that another file defines, or one of the client itself.
fn is_switch(node: &Node) -> bool {
    let kind = node.get_any(&["type", "source"]).and_then(|member| member.value.text());
    let members = node.members();
    !matches!(node.value, Value::Object(_))
        || matches!(
            kind,
            Some("builtin" | "platform" | "frontend" | "inline_python" | "extension" | "registry" | "sdk")
        )
        || members.iter().all(|member| matches!(member.key.as_str(), "enabled" | "disabled" | "settings" | "remote"))
}
