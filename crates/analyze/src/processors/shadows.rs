//! Which tools speak of tools of other servers. Two commands meet only where both are, on one machine.
//!
//! Growth: linear in the texts of descriptions and in what is written down. Tools of one name stand together, so that
//! thousands of them that all speak of each other are found by one name, and counted without being walked.

use std::collections::BTreeMap;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::alike::{Alike, Places};
use super::crowd::{Crowd, Owner, Seen, is_stranger, owner_of_tool};
use super::{Output, Pair, Processor, Reads, Stage, Writes, hops};
use crate::basis::Basis;
use crate::basis::words::Names;
use crate::derived::{Detail, Harvest, Hop, NewComposite};

/// How many tools are written down for one tool that speaks of them: those with the smallest ids.
const MOST: usize = 20;

pub(super) const PROCESSOR: Processor = Processor {
    name: "shadows",
    purpose: "The description of a tool names a tool of another server.",
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
        Reads::Nodes(NodeKind::McpTool, &["description", "has_injection_patterns", "name"]),
    ],
    writes: &[Writes::Edges(EdgeKind::Shadows)],
    run,
    holds: Some(holds),
};

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let by_name = by_name(basis);
    let names = Names::new((0..).zip(by_name.keys()).map(|(number, name)| (name.clone(), number)));
    let places = Places::new(basis);
    let alike: Vec<Alike> = by_name.into_values().map(|members| Alike::new(&places, members)).collect();
    let mut harvest = Harvest::default();
    for tool in basis.nodes(NodeKind::McpTool) {
        let Some(description) = basis.text(tool, "description") else { continue };
        let named = names.within(&description).into_iter();
        let named: Vec<&Alike> = named.filter_map(|name| alike.get(name as usize)).collect();
        if !named.is_empty() && basis.sources(EdgeKind::ProvidesTool, tool).len() > 0 {
            add(basis, &places, tool, &named, &mut harvest);
        }
    }
    Output::of_edges(EdgeKind::Shadows, harvest)
}

fn holds(stage: &Stage<'_>, pairs: &[Pair]) -> Vec<bool> {
    let basis = stage.basis;
    let speaks = |(tool, other): &Pair| {
        let (Some(text), Some(name)) = (basis.text(*tool, "description"), basis.text(*other, "name")) else {
            return false;
        };
        let names = Names::new(std::iter::once((name.into_owned(), 0)));
        is_stranger(basis, *tool, *other) && !names.within(&text).is_empty()
    };
    pairs.iter().map(speaks).collect()
}

/// The tools that somebody provides, by their names as descriptions are searched for them.
fn by_name(basis: &Basis<'_>) -> BTreeMap<String, Vec<(NodeIx, Owner)>> {
    let mut all: BTreeMap<String, Vec<(NodeIx, Owner)>> = BTreeMap::new();
    for tool in basis.nodes(NodeKind::McpTool) {
        let Some(name) = basis.text(tool, "name") else { continue };
        if basis.sources(EdgeKind::ProvidesTool, tool).len() > 0 {
            all.entry(name.trim().to_lowercase()).or_default().push((tool, owner_of_tool(basis, tool)));
        }
    }
    all
}

fn add(basis: &Basis<'_>, places: &Places, tool: NodeIx, named: &[&Alike], harvest: &mut Harvest) {
    let met = named.iter().flat_map(|alike| alike.met_at(places, places.of(tool)));
    let met: Vec<((), &Crowd)> = met.map(|crowd| ((), crowd)).collect();
    let seen = Seen::new(&met, owner_of_tool(basis, tool), basis.bound(MOST));
    let (shown, beyond) = seen.by(tool, named.iter().any(|alike| alike.has(tool)));
    let is_injected = basis.is(tool, "has_injection_patterns");
    let confidence = if is_injected { 0.9 } else { 0.6 };
    for (other, _) in shown {
        let Some((server, beside)) = hops::apart(basis, tool, other) else { continue };
        let path =
            [Hop::along(EdgeKind::ProvidesTool, server, tool), Hop::along(EdgeKind::ProvidesTool, beside, other)];
        let edge = NewComposite { confidence, weight: 0.4, collector: "mcp", detail: Detail::Shadow { is_injected } };
        harvest.add((tool, other), edge, &path);
    }
    harvest.beyond(tool, beyond);
}
