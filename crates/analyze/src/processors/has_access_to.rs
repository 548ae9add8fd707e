//! Which tools have access to which resources of the same server.
//!
//! Growth: linear in tools, resources and what is written down. A tool that opens all files of a server with very many is
//! given [`MOST`] edges, and the count of the rest; paths go through all of them (see `routes`).

use std::collections::BTreeMap;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::{Output, Processor, Reads, Stage, Writes};
use crate::basis::{Access, Basis, Family, MatchType};
use crate::derived::{Detail, Harvest, Hop, NewComposite};

/// How many edges are written down for one tool: those to the resources with the smallest ids.
pub(crate) const MOST: usize = 20;

pub(super) const PROCESSOR: Processor = Processor {
    name: "has_access_to",
    purpose: "A tool's capabilities fit a resource of the same server, or its description names the resource.",
    reads: READS,
    writes: &[Writes::Edges(EdgeKind::HasAccessTo)],
    run,
};

/// What access depends on.
pub(crate) const READS: &[Reads] = &[
    Reads::Edges(EdgeKind::ProvidesTool, &[]),
    Reads::Edges(EdgeKind::ProvidesResource, &[]),
    Reads::Nodes(NodeKind::McpServer, &[]),
    Reads::Nodes(NodeKind::McpTool, &["capability_surface", "description"]),
    Reads::Nodes(NodeKind::McpResource, &["name", "uri", "uri_scheme"]),
];

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let mut harvest = Harvest::default();
    for tool in basis.nodes(NodeKind::McpTool) {
        let (shown, count) = resources(basis, basis.access(), tool);
        let written = shown.len() as u64;
        for (resource, (why, server)) in shown {
            let path = [
                Hop::along(EdgeKind::ProvidesTool, server, tool),
                Hop::along(EdgeKind::ProvidesResource, server, resource),
            ];
            let edge = NewComposite {
                confidence: why.confidence(),
                weight: 0.2,
                collector: "mcp",
                detail: Detail::Access(why),
            };
            harvest.add((tool, resource), edge, &path);
        }
        harvest.beyond(tool, count - written);
    }
    Output::of_edges(EdgeKind::HasAccessTo, harvest)
}

/// The first resources that a tool has access to, with why and through which server, and how many there are in all.
fn resources(basis: &Basis<'_>, access: &Access, tool: NodeIx) -> (BTreeMap<NodeIx, (MatchType, NodeIx)>, u64) {
    let servers: Vec<NodeIx> = basis.sources(EdgeKind::ProvidesTool, tool).collect();
    if let [server] = servers.as_slice() {
        return of_one_server(access, *server, tool);
    }
    // Several servers provide one tool only in documents of others, and may provide one resource there, too.
    let mut all = BTreeMap::new();
    for server in servers {
        for (why, resources) in access.lists(server, tool) {
            for resource in resources {
                let best = all.entry(*resource).or_insert((why, server));
                *best = (*best).min((why, server));
            }
        }
    }
    let count = all.len() as u64;
    (all.into_iter().take(MOST).collect(), count)
}

fn of_one_server(access: &Access, server: NodeIx, tool: NodeIx) -> (BTreeMap<NodeIx, (MatchType, NodeIx)>, u64) {
    let lists = access.lists(server, tool);
    let [(_, databases), (_, files), (_, named)] = lists;
    let is_opened = |resource: &&NodeIx| match access.family(**resource) {
        Family::Database => !databases.is_empty(),
        Family::File => !files.is_empty(),
        Family::Other => false,
    };
    let only_named = named.len() - named.iter().filter(is_opened).count();
    let mut shown = BTreeMap::new();
    for (why, resources) in lists {
        for resource in resources.iter().take(MOST) {
            shown.entry(*resource).or_insert((why, server));
        }
    }
    while shown.len() > MOST {
        shown.pop_last();
    }
    (shown, (databases.len() + files.len() + only_named) as u64)
}
