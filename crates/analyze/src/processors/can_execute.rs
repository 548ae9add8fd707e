//! Which tools run commands or code on which machines.
//!
//! Growth: linear in tools and in the machines of their servers.

use std::collections::BTreeMap;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::{Output, Processor, Reads, Stage, Writes};
use crate::basis::{Basis, Capabilities};
use crate::derived::{Detail, Harvest, Hop, NewComposite};

/// How many machines are written down for one tool: those with the smallest ids.
const MOST: usize = 20;

pub(super) const PROCESSOR: Processor = Processor {
    name: "can_execute",
    purpose: "A tool that runs commands or code does so on the machine that its server runs on.",
    reads: &[
        Reads::Edges(EdgeKind::ProvidesTool, &[]),
        Reads::Edges(EdgeKind::RunsOn, &[]),
        Reads::Nodes(NodeKind::McpTool, &["capability_surface"]),
    ],
    writes: &[Writes::Edges(EdgeKind::CanExecute)],
    run,
};

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let mut harvest = Harvest::default();
    let runs = |tool: &NodeIx| basis.capabilities(*tool).meets(Capabilities::EXECUTION);
    for tool in basis.nodes(NodeKind::McpTool).filter(runs) {
        let (hosts, count) = hosts(basis, tool);
        for (host, server) in hosts.iter().take(MOST) {
            let path =
                [Hop::along(EdgeKind::ProvidesTool, *server, tool), Hop::along(EdgeKind::RunsOn, *server, *host)];
            let edge = NewComposite { confidence: 1.0, weight: 0.1, collector: "mcp", detail: Detail::Execution };
            harvest.add((tool, *host), edge, &path);
        }
        harvest.beyond(tool, count.saturating_sub(MOST) as u64);
    }
    Output::of_edges(EdgeKind::CanExecute, harvest)
}

/// The first machines that the servers of a tool run on, each with the server, and how many there are.
fn hosts(basis: &Basis<'_>, tool: NodeIx) -> (BTreeMap<NodeIx, NodeIx>, usize) {
    if let Some(server) = basis.sole_provider(EdgeKind::ProvidesTool, tool) {
        let hosts = basis.targets(EdgeKind::RunsOn, server);
        let count = hosts.len();
        return (hosts.take(MOST).map(|host| (host, server)).collect(), count);
    }
    let mut hosts = BTreeMap::new();
    for server in basis.sources(EdgeKind::ProvidesTool, tool) {
        for host in basis.targets(EdgeKind::RunsOn, server) {
            hosts.entry(host).or_insert(server);
        }
    }
    let count = hosts.len();
    (hosts, count)
}
