//! Which tools have access to which resources of the same server; of a command, where both are on one machine.
//!
//! Growth: linear in tools, resources and what is written down. A tool that opens all files of a server with very many is
//! given [`MOST`] edges, and the count of the rest; paths go through all of them (see `routes`). A command that shows other
//! things on one machine than on another is looked at once for each set of machines that have the same tools.

use std::collections::BTreeMap;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::{Output, Pair, Processor, Reads, Stage, Writes};
use crate::basis::{Basis, Family, MatchType};
use crate::derived::{Detail, Harvest, Hop, NewComposite};

/// How many edges are written down for one tool: those to the resources with the smallest ids.
pub(crate) const MOST: usize = 20;

pub(super) const PROCESSOR: Processor = Processor {
    name: "has_access_to",
    purpose: "A tool's capabilities fit a resource of the same server, or its description names the resource.",
    reads: READS,
    writes: &[Writes::Edges(EdgeKind::HasAccessTo)],
    run,
    holds: Some(holds),
};

/// What access depends on.
pub(crate) const READS: &[Reads] = &[
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
    Reads::Nodes(NodeKind::McpResource, &["name", "uri", "uri_scheme"]),
];

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let mut harvest = Harvest::default();
    let mut opened = Opened { basis, divided: BTreeMap::new() };
    for tool in basis.nodes(NodeKind::McpTool) {
        let (shown, count) = opened.by(tool);
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

fn holds(stage: &Stage<'_>, pairs: &[Pair]) -> Vec<bool> {
    let basis = stage.basis;
    let opens = |(tool, resource): &Pair| {
        basis.sources(EdgeKind::ProvidesTool, *tool).any(|server| {
            basis.view.outgoing(EdgeKind::ProvidesResource, server).to(*resource).is_some()
                && basis.access().why(server, *tool, *resource).is_some()
                && basis.machines().share(server, &None, *tool, *resource)
        })
    };
    pairs.iter().map(opens).collect()
}

/// Resources, each with why it is opened and through which server.
type Shown = BTreeMap<NodeIx, (MatchType, NodeIx)>;

/// A command, who showed a tool of it, and which of its resources are meant.
type Part = (NodeIx, Option<Vec<u32>>, MatchType);

/// What tools open.
struct Opened<'a, 'g> {
    basis: &'a Basis<'g>,
    /// Of commands whose machines differ: what those have of a family that showed a tool.
    divided: BTreeMap<Part, Vec<NodeIx>>,
}

impl Opened<'_, '_> {
    /// The first resources that a tool has access to, and how many there are in all.
    fn by(&mut self, tool: NodeIx) -> (Shown, u64) {
        let basis = self.basis;
        let mut servers = basis.sources(EdgeKind::ProvidesTool, tool);
        if let (Some(server), 1) = (servers.next(), servers.len() + 1) {
            if basis.machines().differ(server) {
                return self.by_part(server, tool);
            }
            return of_one_server(basis, server, basis.access().lists(server, tool));
        }
        // Several servers provide one tool only in documents of others, and may provide one resource there, too.
        let mut all = Shown::new();
        for server in basis.sources(EdgeKind::ProvidesTool, tool) {
            for (why, resources) in basis.access().lists(server, tool) {
                for resource in resources.iter().filter(|it| basis.machines().share(server, &None, tool, **it)) {
                    let best = all.entry(*resource).or_insert((why, server));
                    *best = (*best).min((why, server));
                }
            }
        }
        let count = all.len() as u64;
        (all.into_iter().take(basis.bound(MOST)).collect(), count)
    }

    /// The same for a tool of a command whose machines differ: what is on a machine with it.
    fn by_part(&mut self, server: NodeIx, tool: NodeIx) -> (Shown, u64) {
        let basis = self.basis;
        let meets = |resource: &&NodeIx| basis.machines().share(server, &None, tool, **resource);
        let lists = basis.access().lists(server, tool);
        let shown = basis.machines().shown(server, tool).map(<[u32]>::to_vec);
        let part = |why: MatchType| (server, shown.clone(), why);
        let [(_, databases), (_, files), (_, named)] = lists;
        for (why, resources) in [(MatchType::Database, databases), (MatchType::File, files)] {
            if !resources.is_empty() {
                let meeting = || resources.iter().filter(meets).copied().collect();
                self.divided.entry(part(why)).or_insert_with(meeting);
            }
        }
        // Names are few, and each tool has its own.
        let named: Vec<NodeIx> = named.iter().filter(meets).copied().collect();
        let lists = lists.map(|(why, all)| match why {
            MatchType::Description => (why, named.as_slice()),
            _ if all.is_empty() => (why, all),
            _ => (why, self.divided.get(&part(why)).map_or(&[][..], Vec::as_slice)),
        });
        of_one_server(basis, server, lists)
    }
}

fn of_one_server(basis: &Basis<'_>, server: NodeIx, lists: [(MatchType, &[NodeIx]); 3]) -> (Shown, u64) {
    let [(_, databases), (_, files), (_, named)] = lists;
    let most = basis.bound(MOST);
    let is_opened = |resource: &&NodeIx| match basis.access().family(**resource) {
        Family::Database => databases.binary_search(resource).is_ok(),
        Family::File => files.binary_search(resource).is_ok(),
        Family::Other => false,
    };
    let only_named = named.len() - named.iter().filter(is_opened).count();
    let mut shown = BTreeMap::new();
    for (why, resources) in lists {
        for resource in resources.iter().take(most) {
            shown.entry(*resource).or_insert((why, server));
        }
    }
    while shown.len() > most {
        shown.pop_last();
    }
    (shown, (databases.len() + files.len() + only_named) as u64)
}
