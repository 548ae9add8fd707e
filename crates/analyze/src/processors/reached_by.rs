//! How many agents reach a resource.
//!
//! Of an agent that reaches very many resources not every edge is written down. Those that it reaches directly are counted
//! all the same: whoever trusts a server reaches everything that the server's tools have access to.
//!
//! Growth: linear in resources, their providers and the edges of `CAN_REACH` that are written down. A resource
//! that several servers provide, which only documents of others have, costs as much as agents trust those, and so does one
//! of a command that shows other things on one machine than on another.

use std::collections::BTreeSet;

use tracehound_graph::{NodeIx, PropertyValue};
use tracehound_model::{EdgeKind, NodeKind};

use super::{NodeProperties, Output, Processor, Reads, Stage, Writes};
use crate::derived::{Detail, Reach};

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

/// For each resource, how many agents reach it that trust none of its servers, as far as it is written down.
fn through_more(stage: &Stage<'_>) -> Vec<usize> {
    let range = stage.basis.view.range_of(NodeKind::McpResource);
    let mut counts = vec![0; range.len()];
    for (_, _, target, composite) in stage.derived.of(EdgeKind::CanReach).iter() {
        // Whoever reaches something directly does so by no other way.
        if matches!(composite.detail, Detail::Reach(Reach::Direct { .. })) {
            continue;
        }
        let offset = target.0.checked_sub(range.start);
        let count = offset.and_then(|offset| counts.get_mut(offset as usize));
        count.into_iter().for_each(|count| *count += 1);
    }
    counts
}

fn agents(stage: &Stage<'_>, resource: NodeIx, others: usize) -> usize {
    let basis = stage.basis;
    let providers = basis.sources(EdgeKind::ProvidesResource, resource);
    let open: Vec<NodeIx> = providers.filter(|server| basis.access().find(*server, resource).is_some()).collect();
    let direct = |server: NodeIx| basis.sources(EdgeKind::TrustsServer, server);
    match open.as_slice() {
        [] => others,
        [server] if !basis.machines().differ(*server) => direct(*server).len() + others,
        servers => {
            let reaches = |server: NodeIx, agent: &NodeIx| basis.tool_for(*agent, server, resource).is_some();
            let all = servers.iter().flat_map(|server| direct(*server).filter(|agent| reaches(*server, agent)));
            all.collect::<BTreeSet<NodeIx>>().len() + others
        }
    }
}
