//! Changes that close a way, in words: what to do, and in which file.

use tracehound_graph::{EdgeIx, NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind};

use super::Change;
use crate::Picture;
use crate::derived::RawEdge;
use crate::words::place;

/// The change that takes away an edge.
#[must_use]
pub fn without(picture: &Picture<'_>, edge: RawEdge) -> Option<Change> {
    let edge = picture.outgoing(edge.kind, edge.source).to(edge.target)?;
    Some(Change { edge, machine: None, cost: 1 })
}

/// What to do, as one sentence. Names are as they are; whoever prints them escapes them.
#[must_use]
pub fn sentence(picture: &Picture<'_>, change: &Change) -> String {
    let (source, target) = picture.ends(change.edge);
    let (from, to) = (picture.name(source), picture.name(target));
    let on = change.machine.as_ref().map_or_else(String::new, |machine| format!(" on `{machine}`"));
    match change.edge.kind {
        EdgeKind::TrustsServer => format!("take server `{to}` out of agent `{from}`{on}"),
        EdgeKind::ProvidesTool => format!("switch off tool `{to}` of server `{from}`{on}"),
        EdgeKind::ProvidesResource => format!("do not offer `{to}` through `{from}`{on}"),
        EdgeKind::ProvidesPrompt => format!("switch off prompt `{to}` of server `{from}`{on}"),
        EdgeKind::AdvertisesSkill => format!("take skill `{to}` from agent `{from}`"),
        EdgeKind::DelegatesTo => format!("do not let agent `{from}` hand tasks to agent `{to}`"),
        EdgeKind::AuthenticatesWith => format!("do not let `{from}` authenticate as `{to}`{on}"),
        EdgeKind::UsesCredential => format!("do not let identity `{from}` rest on the secret `{to}`"),
        EdgeKind::RunsOn => format!("do not run `{from}` on machine `{to}`"),
        EdgeKind::ConfiguredIn => format!("let nobody write `{to}`, which decides what server `{from}` is{on}"),
        EdgeKind::HasEnvVar => format!("do not give the secret `{to}` to server `{from}`{on}"),
        EdgeKind::LoadsInstructions => format!("let nobody write `{to}`, or do not have agent `{from}` follow it"),
        EdgeKind::SameAuthDomain => format!("do not let agents `{from}` and `{to}` accept the same identities"),
        EdgeKind::Exposes => format!("do not let `{from}` pass requests on to `{to}`"),
        EdgeKind::ExposesCredential => format!("take the secret `{to}` from `{from}`"),
        EdgeKind::IngestsUntrusted => format!("do not let tool `{from}` bring in `{to}`"),
        EdgeKind::CanImpersonate => format!("make agents `{from}` and `{to}` easy to tell apart"),
        kind => format!("remove {kind} from `{from}` to `{to}`{on}"),
    }
}

/// The file to be changed, and the line: where the edge itself stands, or else where its server is configured.
#[must_use]
pub fn where_to_change(picture: &Picture<'_>, change: &Change) -> Option<(String, Option<u64>)> {
    place(picture, change.edge).or_else(|| {
        let (source, target) = picture.ends(change.edge);
        let server = [source, target].into_iter().find(|node| picture.kind(*node) == NodeKind::McpServer)?;
        let mut defined: Vec<Defined> = definitions(picture, server).collect();
        let own = text(picture, source, "config_path");
        // Of several files the agent's own, then those of the machine that is meant, then the first by name.
        defined.sort_by_key(|defined| {
            let is_own = own.as_ref() == Some(&defined.path);
            let is_there = change.machine.is_some() && change.machine == defined.machine;
            (!is_own, !is_there, defined.path.clone(), defined.line)
        });
        defined.into_iter().next().map(|defined| (defined.path, defined.line))
    })
}

/// Where a server is defined.
struct Defined {
    path: String,
    line: Option<u64>,
    machine: Option<String>,
}

fn definitions<'p>(picture: &'p Picture<'_>, server: NodeIx) -> impl Iterator<Item = Defined> + 'p {
    picture.outgoing(EdgeKind::ConfiguredIn, server).filter_map(|(file, edge): (NodeIx, EdgeIx)| {
        let machine = picture.edge_property(edge, "origin").and_then(|origin| origin.as_text().map(str::to_owned));
        let (path, line) = place(picture, edge).or_else(|| Some((text(picture, file, "path")?, None)))?;
        Some(Defined { path, line, machine })
    })
}

fn text(picture: &Picture<'_>, node: NodeIx, key: &str) -> Option<String> {
    picture.property(node, key).and_then(|value| value.as_text().map(str::to_owned)).filter(|text| !text.is_empty())
}
