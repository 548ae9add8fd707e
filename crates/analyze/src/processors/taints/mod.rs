//! What one tool brings in from outside can become the arguments of a tool of another server. Two commands meet only where
//! both are, on one machine.
//!
//! Growth: linear in tools, in pairs of different sets of arguments that have something less common than their commonest
//! name in common, and in what is written down. However many tools have the same arguments, their set is compared once.

mod overlap;

use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::{NodeIx, PropertyValue};
use tracehound_model::{EdgeKind, NodeKind};

use super::alike::{Alike, Place, Places};
use super::crowd::{Crowd, Owner, Seen, is_stranger, owner_of_tool};
use super::{Output, Pair, Processor, Reads, Stage, Writes, hops};
use crate::basis::Basis;
use crate::derived::{Detail, Harvest, Hop, NewComposite};
use overlap::{LEAST, Overlaps};

/// How many tools are written down for one that brings something in: those with the smallest ids.
const MOST: usize = 10;

pub(super) const PROCESSOR: Processor = Processor {
    name: "taints",
    purpose: "A tool that brings in content from outside has arguments in common with a tool of another server.",
    reads: &[
        Reads::Edges(EdgeKind::ProvidesTool, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesResource, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesPrompt, &["origin"]),
        Reads::Edges(EdgeKind::TrustsServer, &["origin"]),
        Reads::Edges(EdgeKind::RunsOn, &["origin"]),
        Reads::Edges(EdgeKind::HasEnvVar, &["origin"]),
        Reads::Edges(EdgeKind::AuthenticatesWith, &["origin"]),
        Reads::Edges(EdgeKind::ConfiguredIn, &["origin"]),
        Reads::Nodes(NodeKind::McpServer, &["transport"]),
        Reads::Edges(EdgeKind::IngestsUntrusted, &["risk_weight"]),
        Reads::Nodes(NodeKind::McpTool, &["schema_keys", "source_trust"]),
    ],
    writes: &[Writes::Edges(EdgeKind::Taints)],
    run,
    holds: Some(holds),
};

/// Tools with the same arguments.
#[derive(Debug, Default)]
struct Class {
    tools: Vec<(NodeIx, Owner)>,
    /// Those that bring something in, by owner and where they are.
    sources: BTreeSet<(Owner, Place, NodeIx)>,
}

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let places = Places::new(basis);
    let classes = classes(basis, &places);
    let overlaps = Overlaps::new(classes.keys());
    let (tools, sources): (Vec<_>, Vec<_>) = classes.into_values().map(|class| (class.tools, class.sources)).unzip();
    let alike: Vec<Alike> = tools.into_iter().map(|tools| Alike::new(&places, tools)).collect();
    let mut harvest = Harvest::default();
    for (number, sources) in sources.into_iter().enumerate().filter(|(_, sources)| !sources.is_empty()) {
        let overlapping = overlaps.with(number);
        let sources: Vec<(Owner, Place, NodeIx)> = sources.into_iter().collect();
        for group in sources.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let Some((owner, place, _)) = group.first() else { continue };
            let met = overlapping.iter().filter_map(|(other, keys)| Some((alike.get(*other)?, *keys)));
            let met = met.flat_map(|(alike, keys)| alike.met_at(&places, *place).map(move |crowd| (keys, ((), crowd))));
            let (keys, crowds): (Vec<u32>, Vec<((), &Crowd)>) = met.unzip();
            let seen = Seen::new(&crowds, *owner, basis.bound(MOST));
            group.iter().for_each(|(.., source)| add(basis, *source, &seen, &keys, &mut harvest));
        }
    }
    Output::of_edges(EdgeKind::Taints, harvest)
}

fn holds(stage: &Stage<'_>, pairs: &[Pair]) -> Vec<bool> {
    let basis = stage.basis;
    let keys = |tool: NodeIx| -> BTreeSet<String> {
        let keys = basis.view.property(tool, "schema_keys");
        keys.iter().flat_map(PropertyValue::texts).map(str::to_owned).collect()
    };
    let taints = |(source, sink): &Pair| {
        brings_in(basis, *source)
            && is_stranger(basis, *source, *sink)
            && keys(*source).intersection(&keys(*sink)).count() >= LEAST as usize
    };
    pairs.iter().map(taints).collect()
}

/// The tools that somebody provides, by their arguments. A tool with fewer than are to be equal has nothing to compare.
fn classes(basis: &Basis<'_>, places: &Places) -> BTreeMap<BTreeSet<String>, Class> {
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
            class.sources.insert((owner, places.of(tool), tool));
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
