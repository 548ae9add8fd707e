//! `tracehound reach`.

use serde_json::{Value, json};
use tracehound_analyze::Picture;
use tracehound_analyze::routes::Direction;
use tracehound_analyze::terrain::Terrain;
use tracehound_analyze::walk::{Reaching, Ring, Walk, bounded_words};
use tracehound_graph::View as _;

use super::estate_view::{Chosen, EstateView, counted, name, node_json, tally};
use super::walk::walking;
use crate::args::{Format, Reach};
use crate::outcome::Outcome;
use crate::output::{Output, SHOWN};
use crate::settings::Settings;

pub(super) fn run(arguments: &Reach, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let estate = EstateView::open(&arguments.at.point, settings)?;
    let walking = walking(&estate, &arguments.walking)?;
    let terrain = Terrain::new(&estate.picture(), walking.shortcuts);
    let walk = Walk::new(&terrain, walking);
    let from = estate.choose(&arguments.from)?.without(&walk.avoided);
    let picture = estate.picture();
    let direction = if arguments.reverse { Direction::Backward } else { Direction::Forward };
    let asked = Reaching { from: &from.nodes, direction, max_hops: arguments.max_hops, kinds: &arguments.kinds };
    let rings = walk.rings(&picture, &asked);
    match settings.format {
        Format::Json => output.json(&json!({
            "from": from.json(),
            "direction": if arguments.reverse { "reverse" } else { "forward" },
            "nodes": rings.iter().map(|ring| ring.nodes.len()).sum::<usize>(),
            "rings": rings.iter().map(|ring| ring_json(ring, &picture)).collect::<Vec<_>>(),
            "bounded": walk.terrain.bounded(),
        }))?,
        Format::Table | Format::Markdown => {
            output.line(summary(arguments, &from, &rings))?;
            for ring in &rings {
                print(ring, &picture, output)?;
            }
            if let Some(words) = bounded_words(walk.terrain) {
                output.line(words)?;
            }
        }
    }
    Ok(Outcome::Clean)
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

fn ring_json(ring: &Ring, picture: &Picture<'_>) -> Value {
    let by_kind = tally(ring.nodes.iter().map(|node| (picture.kind(*node), *node)));
    let counts: serde_json::Map<String, Value> =
        by_kind.iter().map(|(kind, nodes)| (kind.name().to_owned(), nodes.len().into())).collect();
    let nodes: Vec<Value> = ring.nodes.iter().map(|node| node_json(picture, *node)).collect();
    json!({ "hops": ring.hops, "by_kind": counts, "nodes": nodes })
}

fn print(ring: &Ring, picture: &Picture<'_>, output: &mut Output) -> anyhow::Result<()> {
    output.line(format!("{}: {}", counted(ring.hops as usize, "hop"), counted(ring.nodes.len(), "node")))?;
    let mut left = SHOWN;
    for (kind, nodes) in tally(ring.nodes.iter().map(|node| (picture.kind(*node), *node))) {
        let names: Vec<String> = nodes.iter().take(left).map(|node| name(picture, *node)).collect();
        left -= names.len();
        let rest = if names.len() < nodes.len() { ", …" } else { "" };
        let separator = if names.is_empty() { "" } else { ": " };
        let rest = if names.is_empty() { "" } else { rest };
        output.line(format!("  {} {kind}{separator}{}{rest}", nodes.len(), names.join(", ")))?;
    }
    output.rest(ring.nodes.len(), "  ")
}
