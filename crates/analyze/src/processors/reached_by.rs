//! How many agents reach a resource.
//!
//! Of an agent that reaches very many resources not every edge is written down, so these are not looked at: whoever trusts a
//! server reaches everything that the server's tools have access to, whoever gets at a secret of a server does so too (see
//! `reach::reached`), and what lies behind machines is asked of `cross_protocol`.
//!
//! Growth: linear in resources, their providers and the ways of agents to secrets and machines. A resource that several servers
//! provide, which only documents of others have, costs as much as agents trust those, and so does one of a command that shows
//! other things on one machine than on another.

use std::collections::BTreeSet;

use tracehound_graph::{NodeIx, PropertyValue};
use tracehound_model::{EdgeKind, NodeKind};

use super::{NodeProperties, Output, Processor, Reads, Stage, Writes, cross_protocol};

/// The property of resources that some agent reaches.
pub(crate) const REACHED_BY: &str = "reached_by";

pub(super) const PROCESSOR: Processor = Processor {
    name: "reached_by",
    purpose: "How many agents reach a resource.",
    reads: &[
        Reads::Edges(EdgeKind::CanReach, &[]),
        // Access itself is read from the graph; this is what it depends on.
        Reads::Edges(EdgeKind::HasAccessTo, &[]),
        Reads::Edges(EdgeKind::TrustsServer, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesTool, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesResource, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesPrompt, &["origin"]),
        Reads::Nodes(NodeKind::McpServer, &["transport"]),
        Reads::Nodes(NodeKind::McpTool, &["capability_surface", "description"]),
        Reads::Nodes(NodeKind::McpResource, &["name", "uri", "uri_scheme"]),
    ],
    writes: &[Writes::Property(REACHED_BY)],
    run,
    holds: None,
};

fn run(stage: &Stage<'_>) -> Output {
    let through_more = through_more(stage);
    let mut properties = NodeProperties::default();
    for (resource, others) in stage.basis.nodes(NodeKind::McpResource).zip(through_more) {
        let count = agents(stage, resource, others);
        if count > 0 {
            properties.set(REACHED_BY, resource, PropertyValue::Integer(i64::try_from(count).unwrap_or(i64::MAX)));
        }
    }
    Output { properties, ..Output::default() }
}

/// For each resource, how many agents reach it, but not directly.
fn through_more(stage: &Stage<'_>) -> Vec<u64> {
    let start = stage.basis.view.range_of(NodeKind::McpResource).start;
    let mut counts = stage.ways().reached(stage.basis);
    for resource in cross_protocol::reached(stage.basis).flatten() {
        let count = resource.0.checked_sub(start).and_then(|place| counts.get_mut(place as usize));
        count.into_iter().for_each(|count| *count += 1);
    }
    counts
}

fn agents(stage: &Stage<'_>, resource: NodeIx, others: u64) -> u64 {
    let basis = stage.basis;
    let providers = basis.sources(EdgeKind::ProvidesResource, resource);
    let open: Vec<NodeIx> = providers.filter(|server| basis.access().find(*server, resource).is_some()).collect();
    let direct = |server: NodeIx| basis.sources(EdgeKind::TrustsServer, server);
    match open.as_slice() {
        [] => others,
        [server] if !basis.machines().differ(*server) => direct(*server).len() as u64 + others,
        servers => {
            let reaches = |server: NodeIx, agent: &NodeIx| basis.tool_for(*agent, server, resource).is_some();
            let all = servers.iter().flat_map(|server| direct(*server).filter(|agent| reaches(*server, agent)));
            all.collect::<BTreeSet<NodeIx>>().len() as u64 + others
        }
    }
}
