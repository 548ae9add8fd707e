//! How sensitive the most sensitive thing is that a tool has access to.
//!
//! Of a tool with access to very many resources not every edge is written down; this looks at all of them.
//!
//! Growth: linear in tools, resources, their provider edges and the resources that descriptions name. A command that shows
//! other things on one machine than on another is looked at once for each set of machines that have the same tools.

use rustc_hash::FxHashMap;
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
        Reads::Edges(EdgeKind::ProvidesTool, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesResource, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesPrompt, &["origin"]),
        Reads::Edges(EdgeKind::TrustsServer, &["origin"]),
        Reads::Edges(EdgeKind::RunsOn, &["origin"]),
        Reads::Edges(EdgeKind::HasEnvVar, &["origin"]),
        Reads::Edges(EdgeKind::AuthenticatesWith, &["origin"]),
        Reads::Edges(EdgeKind::ConfiguredIn, &["origin"]),
        Reads::Nodes(NodeKind::McpServer, &["transport"]),
        Reads::Nodes(NodeKind::McpTool, &["capability_surface", "description"]),
        Reads::Nodes(NodeKind::McpResource, &["name", "sensitivity", "uri", "uri_scheme"]),
    ],
    writes: &[Writes::Property(ACCESS_SENSITIVITY)],
    run,
    holds: None,
};

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let mut families: FxHashMap<Part, [(Family, Sensitivity); 2]> = FxHashMap::default();
    let mut properties = NodeProperties::default();
    for tool in basis.nodes(NodeKind::McpTool) {
        let servers = basis.sources(EdgeKind::ProvidesTool, tool);
        let of_server = |server: NodeIx| {
            let part = (server, basis.machines().shown(server, tool).map(<[u32]>::to_vec));
            let families = families.entry(part).or_insert_with(|| of_families(basis, server, tool));
            highest(basis, families, server, tool)
        };
        let highest = servers.map(of_server).max();
        if let Some(highest) = highest.filter(|highest| *highest != Sensitivity::Unknown) {
            properties.set(ACCESS_SENSITIVITY, tool, PropertyValue::Text(highest.name().into()));
        }
    }
    Output { properties, ..Output::default() }
}

/// A server, and where its machines differ: those that showed a tool.
type Part = (NodeIx, Option<Vec<u32>>);

/// The highest sensitivity of all databases and of all files of a server that are on a machine with a tool.
fn of_families(basis: &Basis<'_>, server: NodeIx, tool: NodeIx) -> [(Family, Sensitivity); 2] {
    [Family::Database, Family::File].map(|family| {
        let resources = basis.access().of_family(server, family).iter();
        let meeting = resources.filter(|resource| basis.machines().share(server, &None, tool, **resource));
        (family, meeting.map(|resource| basis.sensitivity(*resource)).max().unwrap_or_default())
    })
}

fn highest(basis: &Basis<'_>, families: &[(Family, Sensitivity); 2], server: NodeIx, tool: NodeIx) -> Sensitivity {
    let access = basis.access();
    let is_opened = |family: Family| access.openers(server, family).binary_search(&tool).is_ok();
    let opened = families.iter().filter(|(family, _)| is_opened(*family)).map(|(_, highest)| *highest);
    let named = access.named_by(server, tool).iter();
    let named = named.filter(|resource| basis.machines().share(server, &None, tool, **resource));
    opened.chain(named.map(|resource| basis.sensitivity(*resource))).max().unwrap_or_default()
}
