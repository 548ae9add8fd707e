//! Walking an estate: what the arguments allow, and how paths are drawn.

use anyhow::bail;
use serde_json::{Value, json};
use tracehound_analyze::Picture;
use tracehound_analyze::derived::Via;
use tracehound_analyze::terrain::{Shortcuts, TrailHop};
use tracehound_analyze::walk::{Path, Walking};
use tracehound_analyze::words::place;
use tracehound_graph::NodeIx;

use super::estate_view::{EstateView, counted, name, node_json, place_words};
use crate::args;
use crate::output::{safe, titled};

/// What the arguments allow.
pub(super) fn walking(estate: &EstateView, arguments: &args::Walking) -> anyhow::Result<Walking> {
    let avoided = match &arguments.avoid {
        Some(text) => estate.choose(text)?.nodes,
        None => Vec::new(),
    };
    let walking = Walking {
        only: arguments.only_kinds.clone(),
        without: arguments.without_kinds.clone(),
        avoided,
        shortcuts: if arguments.shortcuts { Shortcuts::Yes } else { Shortcuts::No },
    };
    if let Err(needed) = walking.check() {
        bail!("`{}` stands for whole paths and is walked only with --shortcuts", needed.0.name());
    }
    Ok(walking)
}

/// A path as one line.
pub(super) fn line(path: &Path, picture: &Picture<'_>) -> String {
    let called = |(node, machine): &(NodeIx, Option<String>)| {
        let on = machine.as_ref().map_or_else(String::new, |machine| format!(" on {}", safe(machine)));
        format!("{}{on}", name(picture, *node))
    };
    let mut nodes = path.nodes.iter().map(called);
    let mut line = nodes.next().unwrap_or_default();
    for (hop, node) in path.hops.iter().zip(nodes) {
        let (kind, weight) = (hop.kind_name(), hop.weight);
        match hop.via {
            Via::Against(_) => line += &format!(" <-{kind} {weight:.2}- {node}"),
            Via::Along(_) | Via::SameSecret | Via::Reads(_) => line += &format!(" -{kind} {weight:.2}-> {node}"),
        }
    }
    format!("{line}   weight {:.2}, {}", path.weight, counted(path.hops.len(), "hop"))
}

/// Why each hop is there, a line for each.
pub(super) fn reasons(path: &Path, picture: &Picture<'_>) -> Vec<String> {
    let reason = |hop: &TrailHop| {
        let at = hop.edge.and_then(|edge| place(picture, edge));
        let at = at.map_or_else(String::new, |at| format!(" ({})", place_words(&at)));
        format!("{}: {}{at}", hop.kind_name(), titled(&hop.evidence(picture)))
    };
    path.hops.iter().map(reason).collect()
}

/// The path for programs.
pub(super) fn path_json(path: &Path, picture: &Picture<'_>) -> Value {
    let node = |(node, machine): &(NodeIx, Option<String>)| {
        let mut json = node_json(picture, *node);
        if let (Some(machine), Some(members)) = (machine, json.as_object_mut()) {
            members.insert("machine".to_owned(), Value::from(machine.as_str()));
        }
        json
    };
    let hop = |hop: &TrailHop| {
        let (file, line) = hop.edge.and_then(|edge| place(picture, edge)).unzip();
        json!({
            "kind": hop.kind_name(),
            "direction": direction(hop.via),
            "weight": hop.weight,
            "evidence": hop.evidence(picture),
            "file": file,
            "line": line.flatten(),
        })
    };
    json!({
        "weight": path.weight,
        "length": path.hops.len(),
        "nodes": path.nodes.iter().map(node).collect::<Vec<_>>(),
        "hops": path.hops.iter().map(hop).collect::<Vec<_>>(),
    })
}

/// Which way an edge is walked; a hop that is no edge has no way.
const fn direction(via: Via) -> Option<&'static str> {
    match via {
        Via::Along(_) => Some("along"),
        Via::Against(_) => Some("against"),
        Via::SameSecret | Via::Reads(_) => None,
    }
}
