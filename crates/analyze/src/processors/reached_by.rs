//! How many agents reach a resource.
//!
//! Of an agent that reaches very many resources not every edge is written down. Those that it reaches directly are counted
//! all the same: whoever trusts a server reaches everything that the server's tools have access to.
//!
//! Growth: linear in resources, their providers and the edges of `CAN_REACH` that are written down, but for a logarithm. A
//! resource that several servers provide, which only documents of others have, costs as much as agents trust those, and so
//! does one of a command that shows other things on one machine than on another.

use std::collections::BTreeSet;

use tracehound_graph::{NodeIx, PropertyValue};
use tracehound_model::{EdgeKind, NodeKind};

use super::{NodeProperties, Output, Processor, Reads, Stage, Writes};

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
};

fn run(stage: &Stage<'_>) -> Output {
    let mut properties = NodeProperties::default();
    for resource in stage.basis.nodes(NodeKind::McpResource) {
        let count = agents(stage, resource);
        if count > 0 {
            properties.set(REACHED_BY, resource, PropertyValue::Integer(i64::try_from(count).unwrap_or(i64::MAX)));
        }
    }
    Output { properties, ..Output::default() }
}

fn agents(stage: &Stage<'_>, resource: NodeIx) -> usize {
    let basis = stage.basis;
    let written = stage.derived.incoming(EdgeKind::CanReach, resource).map(|(agent, _)| agent);
    let providers = basis.sources(EdgeKind::ProvidesResource, resource);
    let open: Vec<NodeIx> = providers.filter(|server| basis.access().find(*server, resource).is_some()).collect();
    match open.as_slice() {
        [] => written.len(),
        [server] if !basis.machines().differ(*server) => {
            let trusts = |agent: &NodeIx| basis.view.outgoing(EdgeKind::TrustsServer, *agent).to(*server).is_some();
            let direct = basis.sources(EdgeKind::TrustsServer, *server).len();
            direct + written.filter(|agent| !trusts(agent)).count()
        }
        servers => {
            let reaches = |server: NodeIx, agent: &NodeIx| basis.tool_for(*agent, server, resource).is_some();
            let direct = servers.iter().flat_map(|server| {
                basis.sources(EdgeKind::TrustsServer, *server).filter(|agent| reaches(*server, agent))
            });
            direct.chain(written).collect::<BTreeSet<NodeIx>>().len()
        }
    }
}
