//! How sensitive the most sensitive thing is that a tool has access to.
//!
//! Of a tool with access to very many resources not every edge is written down; this looks at all of them.
//!
//! Growth: linear in tools, resources, their provider edges and the resources that descriptions name.

use std::collections::BTreeMap;

use tracehound_graph::{NodeIx, PropertyValue};
use tracehound_model::{EdgeKind, NodeKind};

use super::{NodeProperties, Output, Processor, Reads, Stage, Writes};
use crate::basis::{Basis, Family, Sensitivity};

/// The property of tools. A tool with access to nothing, or to nothing whose sensitivity is known, has none.
pub(crate) const ACCESS_SENSITIVITY: &str = "access_sensitivity";

pub(super) const PROCESSOR: Processor = Processor {
    name: "access_sensitivity",
    purpose: "How sensitive the most sensitive resource is that a tool has access to.",
    reads: &[
        // Access itself is read from the graph; this is what it depends on.
        Reads::Edges(EdgeKind::HasAccessTo, &[]),
        Reads::Edges(EdgeKind::ProvidesTool, &[]),
        Reads::Edges(EdgeKind::ProvidesResource, &[]),
        Reads::Nodes(NodeKind::McpServer, &[]),
        Reads::Nodes(NodeKind::McpTool, &["capability_surface", "description"]),
        Reads::Nodes(NodeKind::McpResource, &["name", "sensitivity", "uri", "uri_scheme"]),
    ],
    writes: &[Writes::Property(ACCESS_SENSITIVITY)],
    run,
};

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let families: BTreeMap<NodeIx, [(Family, Sensitivity); 2]> =
        basis.nodes(NodeKind::McpServer).map(|server| (server, of_families(basis, server))).collect();
    let mut properties = NodeProperties::default();
    for tool in basis.nodes(NodeKind::McpTool) {
        let servers = basis.sources(EdgeKind::ProvidesTool, tool);
        let highest = servers.map(|server| highest(basis, families.get(&server), server, tool)).max();
        if let Some(highest) = highest.filter(|highest| *highest != Sensitivity::Unknown) {
            properties.set(ACCESS_SENSITIVITY, tool, PropertyValue::Text(highest.name().into()));
        }
    }
    Output { properties, ..Output::default() }
}

/// The highest sensitivity of all databases and of all files of a server.
fn of_families(basis: &Basis<'_>, server: NodeIx) -> [(Family, Sensitivity); 2] {
    [Family::Database, Family::File].map(|family| {
        let resources = basis.access().of_family(server, family).iter();
        (family, resources.map(|resource| basis.sensitivity(*resource)).max().unwrap_or_default())
    })
}

fn highest(
    basis: &Basis<'_>,
    families: Option<&[(Family, Sensitivity); 2]>,
    server: NodeIx,
    tool: NodeIx,
) -> Sensitivity {
    let access = basis.access();
    let is_opened = |family: Family| access.openers(server, family).binary_search(&tool).is_ok();
    let opened = families.into_iter().flatten().filter(|(family, _)| is_opened(*family)).map(|(_, highest)| *highest);
    let named = access.named_by(server, tool).iter().map(|resource| basis.sensitivity(*resource));
    opened.chain(named).max().unwrap_or_default()
}
