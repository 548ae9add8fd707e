//! Which tools run commands or code on which machines.
//!
//! Growth: linear in tools and in the machines of their servers. A command that shows other tools on one machine than on
//! another is looked at once for each set of machines that have the same tools.

use std::collections::BTreeMap;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::{Output, Pair, Processor, Reads, Stage, Writes};
use crate::basis::{Basis, Capabilities, Spread};
use crate::derived::{Detail, Harvest, Hop, NewComposite};

/// How many machines are written down for one tool: those with the smallest ids.
const MOST: usize = 20;

pub(super) const PROCESSOR: Processor = Processor {
    name: "can_execute",
    purpose: "A tool that runs commands or code does so on the machine that its server runs on.",
    reads: &[
        Reads::Edges(EdgeKind::ProvidesTool, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesResource, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesPrompt, &["origin"]),
        Reads::Edges(EdgeKind::RunsOn, &["origin"]),
        Reads::Nodes(NodeKind::McpServer, &["transport"]),
        Reads::Nodes(NodeKind::McpTool, &["capability_surface"]),
    ],
    writes: &[Writes::Edges(EdgeKind::CanExecute)],
    run,
    holds: Some(holds),
};

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let mut harvest = Harvest::default();
    let most = basis.bound(MOST);
    let mut hosts = Hosts { basis, divided: BTreeMap::new() };
    let runs = |tool: &NodeIx| basis.capabilities(*tool).meets(Capabilities::EXECUTION);
    for tool in basis.nodes(NodeKind::McpTool).filter(runs) {
        let (first, count) = hosts.of(tool);
        for (host, server) in first.iter().take(most) {
            let path =
                [Hop::along(EdgeKind::ProvidesTool, *server, tool), Hop::along(EdgeKind::RunsOn, *server, *host)];
            let edge = NewComposite { confidence: 1.0, weight: 0.1, collector: "mcp", detail: Detail::Execution };
            harvest.add((tool, *host), edge, &path);
        }
        harvest.beyond(tool, count.saturating_sub(most) as u64);
    }
    Output::of_edges(EdgeKind::CanExecute, harvest)
}

fn holds(stage: &Stage<'_>, pairs: &[Pair]) -> Vec<bool> {
    let basis = stage.basis;
    let runs = |(tool, host): &Pair| {
        let runs_there = |server: NodeIx| {
            let edge = basis.view.outgoing(EdgeKind::RunsOn, server).to(*host);
            edge.is_some_and(|edge| basis.machines().have(server, &basis.on(server, edge), *tool))
        };
        basis.capabilities(*tool).meets(Capabilities::EXECUTION)
            && basis.sources(EdgeKind::ProvidesTool, *tool).any(runs_there)
    };
    pairs.iter().map(runs).collect()
}

/// The machines that servers run on.
struct Hosts<'a, 'g> {
    basis: &'a Basis<'g>,
    /// Those of commands whose machines differ.
    divided: BTreeMap<NodeIx, Divided>,
}

/// The machines of a command, and by who showed a tool: those that it is on.
struct Divided {
    spread: Spread<NodeIx>,
    meeting: BTreeMap<Option<Vec<u32>>, Vec<NodeIx>>,
}

impl Hosts<'_, '_> {
    /// The first machines that a tool runs something on, each with the server, and how many there are.
    fn of(&mut self, tool: NodeIx) -> (BTreeMap<NodeIx, NodeIx>, usize) {
        let basis = self.basis;
        if let Some(server) = basis.sole_provider(EdgeKind::ProvidesTool, tool) {
            if basis.machines().differ(server) {
                let hosts = self.divided(server, tool);
                return (hosts.iter().take(basis.bound(MOST)).map(|host| (*host, server)).collect(), hosts.len());
            }
            let hosts = basis.targets(EdgeKind::RunsOn, server);
            let count = hosts.len();
            return (hosts.take(basis.bound(MOST)).map(|host| (host, server)).collect(), count);
        }
        let mut hosts = BTreeMap::new();
        for server in basis.sources(EdgeKind::ProvidesTool, tool) {
            for (host, edge) in basis.view.outgoing(EdgeKind::RunsOn, server) {
                if basis.machines().have(server, &basis.on(server, edge), tool) {
                    hosts.entry(host).or_insert(server);
                }
            }
        }
        let count = hosts.len();
        (hosts, count)
    }

    fn divided(&mut self, server: NodeIx, tool: NodeIx) -> &[NodeIx] {
        let basis = self.basis;
        let Divided { spread, meeting } = self.divided.entry(server).or_insert_with(|| {
            let spread = Spread::new(basis, server, basis.view.outgoing(EdgeKind::RunsOn, server));
            Divided { spread, meeting: BTreeMap::new() }
        });
        let shown = basis.machines().shown(server, tool);
        meeting.entry(shown.map(<[u32]>::to_vec)).or_insert_with(|| spread.meeting(shown))
    }
}
