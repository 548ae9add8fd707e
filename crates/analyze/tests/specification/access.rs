//! Which tools have access to which resources.

use tracehound_graph::Graph;
use tracehound_model::EdgeKind;

use crate::commands::have;
use crate::expected::{Expected, Reader as _, first_of_each};

/// The names of databases in addresses, as far as the estates use them.
const DATABASES: &[&str] = &["postgres", "postgresql", "postgresql+asyncpg", "mongodb+srv", "mysql", "redis"];

/// Why a tool has access to a resource of a server that provides both; the first reason that fits.
pub(crate) fn why(graph: &Graph, tool: &str, resource: &str) -> Option<(&'static str, f64)> {
    let can = |power: &str| graph.list(tool, "capability_surface").iter().any(|other| other == power);
    let scheme = scheme(graph, resource);
    if can("database_access") && DATABASES.contains(&scheme.as_str()) {
        return Some(("capability_db", 0.7));
    }
    if (can("file_read") || can("file_write")) && scheme == "file" {
        return Some(("capability_file", 0.7));
    }
    let (description, name) = (graph.text(tool, "description")?, graph.text(resource, "name")?);
    names(&description, &name).then_some(("description", 0.9))
}

/// The scheme of a resource, in lower case.
pub(crate) fn scheme(graph: &Graph, resource: &str) -> String {
    let said = graph.text(resource, "uri_scheme");
    let seen = || Some(graph.text(resource, "uri")?.split_once(':')?.0.to_owned());
    said.or_else(seen).unwrap_or_default().to_lowercase()
}

/// Whether a text holds a name as a whole word. Names with fewer than four characters are none.
fn names(text: &str, name: &str) -> bool {
    let (text, name): (Vec<char>, Vec<char>) =
        (text.to_lowercase().chars().collect(), name.trim().to_lowercase().chars().collect());
    let is_inner = |character: &char| character.is_alphanumeric() || *character == '_';
    if name.len() < 4 || !name.iter().any(is_inner) {
        return false;
    }
    (0..text.len()).any(|start| {
        let after = start + name.len();
        let is_there = text[start..].starts_with(&name);
        let goes_on = |inside: Option<&char>, outside: Option<&char>| {
            inside.is_some_and(is_inner) && outside.is_some_and(is_inner)
        };
        let before = start.checked_sub(1).and_then(|before| text.get(before));
        is_there && !goes_on(name.first(), before) && !goes_on(name.last(), text.get(after))
    })
}

/// `HAS_ACCESS_TO`.
pub(crate) fn has_access_to(graph: &Graph) -> Vec<Expected> {
    let mut all = Vec::new();
    for server in graph.all("MCPServer") {
        for tool in graph.to(&server, EdgeKind::ProvidesTool) {
            for resource in graph.to(&server, EdgeKind::ProvidesResource) {
                let Some((_, confidence)) = why(graph, &tool, &resource) else { continue };
                let things = [(EdgeKind::ProvidesTool, tool.as_str()), (EdgeKind::ProvidesResource, resource.as_str())];
                if !have(graph, &server, &None, &things) {
                    continue;
                }
                let path =
                    vec![format!("{server} PROVIDES_TOOL {tool}"), format!("{server} PROVIDES_RESOURCE {resource}")];
                all.push(Expected::new(&tool, &resource, confidence, 0.2, "mcp", path));
            }
        }
    }
    first_of_each(all)
}
