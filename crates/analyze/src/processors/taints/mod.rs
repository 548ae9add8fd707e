//! What one tool brings in from outside can become the arguments of a tool of another server.
//!
//! Growth: linear in tools, in pairs of different sets of arguments that have something less common than their commonest
//! name in common, and in what is written down. However many tools have the same arguments, their set is compared once.

mod overlap;

use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::{NodeIx, PropertyValue};
use tracehound_model::{EdgeKind, NodeKind};

use super::crowd::{Crowd, Owner, Seen, owner_of_tool};
use super::{Output, Processor, Reads, Stage, Writes, hops};
use crate::basis::Basis;
use crate::derived::{Detail, Harvest, Hop, NewComposite};
use overlap::{LEAST, Overlaps};

/// How many tools are written down for one that brings something in: those with the smallest ids.
const MOST: usize = 10;

pub(super) const PROCESSOR: Processor = Processor {
    name: "taints",
    purpose: "A tool that brings in content from outside has arguments in common with a tool of another server.",
    reads: &[
        Reads::Edges(EdgeKind::ProvidesTool, &[]),
        Reads::Edges(EdgeKind::IngestsUntrusted, &["risk_weight"]),
        Reads::Nodes(NodeKind::McpTool, &["schema_keys", "source_trust"]),
    ],
    writes: &[Writes::Edges(EdgeKind::Taints)],
    run,
};

/// Tools with the same arguments.
#[derive(Debug, Default)]
struct Class {
    tools: Vec<(NodeIx, Owner)>,
    /// Those that bring something in, by owner.
    sources: BTreeSet<(Owner, NodeIx)>,
}

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let classes = classes(basis);
    let overlaps = Overlaps::new(classes.keys());
    let (tools, sources): (Vec<_>, Vec<_>) = classes.into_values().map(|class| (class.tools, class.sources)).unzip();
    let crowds: Vec<Crowd> = tools.into_iter().map(Crowd::new).collect();
    let mut harvest = Harvest::default();
    for (place, sources) in sources.into_iter().enumerate().filter(|(_, sources)| !sources.is_empty()) {
        let (keys, alike): (Vec<u32>, Vec<((), &Crowd)>) =
            overlaps.with(place).into_iter().filter_map(|(other, keys)| Some((keys, ((), crowds.get(other)?)))).unzip();
        let sources: Vec<(Owner, NodeIx)> = sources.into_iter().collect();
        for group in sources.chunk_by(|a, b| a.0 == b.0) {
            let Some((owner, _)) = group.first() else { continue };
            let seen = Seen::new(&alike, *owner, MOST);
            group.iter().for_each(|(_, source)| add(basis, *source, &seen, &keys, &mut harvest));
        }
    }
    Output::of_edges(EdgeKind::Taints, harvest)
}

/// The tools that somebody provides, by their arguments. A tool with fewer than are to be equal has nothing to compare.
fn classes(basis: &Basis<'_>) -> BTreeMap<BTreeSet<String>, Class> {
    let mut classes: BTreeMap<BTreeSet<String>, Class> = BTreeMap::new();
    for tool in basis.nodes(NodeKind::McpTool) {
        let Some(keys) = basis.view.property(tool, "schema_keys") else { continue };
        let keys: BTreeSet<String> = keys.texts().map(str::to_owned).collect();
        if keys.len() < LEAST as usize || basis.sources(EdgeKind::ProvidesTool, tool).len() == 0 {
            continue;
        }
        let class = classes.entry(keys).or_default();
        let owner = owner_of_tool(basis, tool);
        class.tools.push((tool, owner));
        if brings_in(basis, tool) {
            class.sources.insert((owner, tool));
        }
    }
    classes
}

/// Whether what a tool answers comes from somebody who is not to be trusted, or is nobody else's business.
fn brings_in(basis: &Basis<'_>, tool: NodeIx) -> bool {
    let trust = basis.view.property(tool, "source_trust");
    let is_foreign = |trust: &str| trust.starts_with("untrusted") || trust == "private";
    trust.as_ref().and_then(PropertyValue::as_text).is_some_and(is_foreign)
        || basis.targets(EdgeKind::IngestsUntrusted, tool).len() > 0
}

fn add(basis: &Basis<'_>, source: NodeIx, seen: &Seen, keys: &[u32], harvest: &mut Harvest) {
    let (shown, beyond) = seen.by(source, true);
    let ingested = hops::easiest(basis, basis.view.outgoing(EdgeKind::IngestsUntrusted, source));
    for (sink, place) in shown {
        let Some((server, beside)) = hops::apart(basis, source, sink) else { continue };
        let mut path = vec![Hop::along(EdgeKind::ProvidesTool, server, source)];
        path.extend(ingested.map(|(_, resource)| Hop::along(EdgeKind::IngestsUntrusted, source, resource)));
        path.push(Hop::along(EdgeKind::ProvidesTool, beside, sink));
        let detail = Detail::Taint { keys: keys.get(place).copied().unwrap_or(LEAST) };
        harvest.add((source, sink), NewComposite { confidence: 0.7, weight: 0.3, collector: "mcp", detail }, &path);
    }
    harvest.beyond(source, beyond);
}
