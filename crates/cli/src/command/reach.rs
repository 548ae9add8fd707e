//! `tracehound reach`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tracehound_analyze::Picture;
use tracehound_analyze::routes::{Allowed, Direction, reach};
use tracehound_graph::{NodeIx, View as _};

use super::estate_view::{Chosen, EstateView, bounded_words, counted, name, node_json, tally};
use super::walk::Walk;
use crate::args::{Format, Reach};
use crate::outcome::Outcome;
use crate::output::{Output, SHOWN};
use crate::settings::Settings;

/// Nodes that are the same number of hops away.
struct Ring {
    hops: u32,
    nodes: Vec<NodeIx>,
}

pub(super) fn run(arguments: &Reach, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let estate = EstateView::open(&arguments.at.point, settings)?;
    let walk = Walk::new(&estate, &arguments.walking)?;
    let from = estate.choose(&arguments.from)?.without(&walk.avoided);
    let picture = estate.picture();
    let rings = rings(arguments, &picture, &walk, &from);
    match settings.format {
        Format::Json => output.json(&json!({
            "from": from.json(),
            "direction": if arguments.reverse { "reverse" } else { "forward" },
            "nodes": rings.iter().map(|ring| ring.nodes.len()).sum::<usize>(),
            "rings": rings.iter().map(|ring| ring.json(&picture)).collect::<Vec<_>>(),
            "bounded": walk.terrain.bounded(),
        }))?,
        Format::Table | Format::Markdown => {
            output.line(summary(arguments, &from, &rings))?;
            for ring in &rings {
                ring.print(&picture, output)?;
            }
            if let Some(words) = bounded_words(walk.terrain.bounded()) {
                output.line(words)?;
            }
        }
    }
    Ok(Outcome::Clean)
}

/// What is reached, without where it began; each node where it is reached first.
fn rings(arguments: &Reach, picture: &Picture<'_>, walk: &Walk, from: &Chosen) -> Vec<Ring> {
    let direction = if arguments.reverse { Direction::Backward } else { Direction::Forward };
    let permits = |arc: u32| walk.permits(arc);
    let starts = walk.terrain.places(&from.nodes);
    let reached = reach(walk.terrain.arcs(), &starts, direction, Allowed::Where(&permits), arguments.max_hops);
    let mut seen: BTreeSet<NodeIx> = from.nodes.iter().copied().collect();
    let is_shown = |node: &NodeIx| {
        let labels = picture.labels(*node) | picture.kind(*node).bit();
        arguments.kinds.is_empty() || arguments.kinds.iter().any(|kind| labels & kind.bit() != 0)
    };
    let mut rings: Vec<Ring> = Vec::new();
    for ring in reached.rings() {
        let hops = ring.first().map_or(0, |first| first.hops);
        let mut nodes: Vec<NodeIx> = ring.iter().filter_map(|reached| walk.terrain.node(reached.node)).collect();
        nodes.retain(|node| seen.insert(*node) && is_shown(node));
        nodes.sort_unstable();
        if !nodes.is_empty() {
            rings.push(Ring { hops, nodes });
        }
    }
    rings
}

fn summary(arguments: &Reach, from: &Chosen, rings: &[Ring]) -> String {
    if let Some(reason) = from.why_empty() {
        return format!("nothing is reached: {reason}");
    }
    let all = counted(rings.iter().map(|ring| ring.nodes.len()).sum(), "node");
    let kinds: Vec<&str> = arguments.kinds.iter().map(|kind| kind.name()).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(" ({} only)", kinds.join(", ")) };
    let within =
        arguments.max_hops.map_or_else(String::new, |hops| format!(" within {}", counted(hops as usize, "hop")));
    match arguments.reverse {
        true => format!("{} can be reached from {all}{kinds}{within}", from.words()),
        false => format!("{all}{kinds} can be reached from {}{within}", from.words()),
    }
}

impl Ring {
    fn json(&self, picture: &Picture<'_>) -> Value {
        let by_kind = tally(self.nodes.iter().map(|node| (picture.kind(*node), *node)));
        let counts: serde_json::Map<String, Value> =
            by_kind.iter().map(|(kind, nodes)| (kind.name().to_owned(), nodes.len().into())).collect();
        let nodes: Vec<Value> = self.nodes.iter().map(|node| node_json(picture, *node)).collect();
        json!({ "hops": self.hops, "by_kind": counts, "nodes": nodes })
    }

    fn print(&self, picture: &Picture<'_>, output: &mut Output) -> anyhow::Result<()> {
        output.line(format!("{}: {}", counted(self.hops as usize, "hop"), counted(self.nodes.len(), "node")))?;
        let mut left = SHOWN;
        for (kind, nodes) in tally(self.nodes.iter().map(|node| (picture.kind(*node), *node))) {
            let names: Vec<String> = nodes.iter().take(left).map(|node| name(picture, *node)).collect();
            left -= names.len();
            let rest = if names.len() < nodes.len() { ", …" } else { "" };
            let separator = if names.is_empty() { "" } else { ": " };
            let rest = if names.is_empty() { "" } else { rest };
            output.line(format!("  {} {kind}{separator}{}{rest}", nodes.len(), names.join(", ")))?;
        }
        output.rest(self.nodes.len(), "  ")
    }
}
