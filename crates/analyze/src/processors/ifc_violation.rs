//! Untrusted content that one tool brings in lies where a tool finds it whose actions have consequences.
//!
//! Growth: linear in what is ingested, in the descriptions that name it, and in what is written down. Tools that open
//! everything of a kind on a server are one list for all of its resources; tools that ingest the same are answered once.
//! Tools that several servers provide, which only documents of others have, are looked at one by one, and so are those of
//! commands that show other things on one machine than on another.

use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::{EdgeIx, NodeIx};
use tracehound_model::{EdgeKind, NodeKind};

use super::{Output, Pair, Processor, Reads, Stage, Writes};
use crate::basis::{Basis, Capabilities, Cost, Family, On};
use crate::derived::{Detail, Harvest, Hop, NewComposite};

/// How many tools are written down for one that ingests: those with the easiest way, then those with the smallest ids.
const MOST: usize = 20;

pub(super) const PROCESSOR: Processor = Processor {
    name: "ifc_violation",
    purpose: "A tool brings in untrusted content where a tool whose actions have consequences has access.",
    reads: &[
        Reads::Edges(EdgeKind::HasAccessTo, &[]),
        Reads::Edges(EdgeKind::IngestsUntrusted, &["origin", "risk_weight"]),
        Reads::Edges(EdgeKind::ProvidesTool, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesResource, &["origin"]),
        Reads::Nodes(NodeKind::McpTool, &["capability_surface"]),
    ],
    writes: &[Writes::Edges(EdgeKind::IfcViolation)],
    run,
    holds: Some(holds),
};

/// What a tool ingests, with what each edge costs, and on which machines that was seen, where they matter.
type Ingested = Vec<(Cost, NodeIx, On)>;

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let mut harvest = Harvest::default();
    let mut by_ingested: BTreeMap<Ingested, Vec<NodeIx>> = BTreeMap::new();
    for tool in basis.nodes(NodeKind::McpTool) {
        let ingested = ingested(basis, tool);
        if !ingested.is_empty() {
            by_ingested.entry(ingested).or_default().push(tool);
        }
    }
    let mut openers = Openers { basis, servers: BTreeMap::new() };
    for (ingested, tools) in by_ingested {
        let actors = Actors::of(&mut openers, &ingested);
        tools.into_iter().for_each(|tool| add(basis, tool, &ingested, &actors, &mut harvest));
    }
    Output::of_edges(EdgeKind::IfcViolation, harvest)
}

fn holds(stage: &Stage<'_>, pairs: &[Pair]) -> Vec<bool> {
    let basis = stage.basis;
    let steers = |(tool, actor): &Pair| {
        tool != actor && is_consequential(basis, *actor) && has_access(basis, *actor, &ingested(basis, *tool))
    };
    pairs.iter().map(steers).collect()
}

/// What a tool ingests.
fn ingested(basis: &Basis<'_>, tool: NodeIx) -> Ingested {
    let edges = basis.view.outgoing(EdgeKind::IngestsUntrusted, tool);
    edges.map(|(resource, edge)| (basis.cost(edge), resource, seen_on(basis, resource, edge))).collect()
}

/// The machines on which something was seen of a resource; none unless machines of one who provides it differ.
fn seen_on(basis: &Basis<'_>, resource: NodeIx, edge: EdgeIx) -> On {
    if basis.machines().are_alike() {
        return None;
    }
    let mut differing =
        basis.sources(EdgeKind::ProvidesResource, resource).filter(|server| basis.machines().differ(*server));
    basis.on(differing.next()?, edge)
}

fn add(basis: &Basis<'_>, tool: NodeIx, ingested: &Ingested, actors: &Actors, harvest: &mut Harvest) {
    let shown: Vec<_> = actors.first.iter().filter(|(_, actor, _)| *actor != tool).take(basis.bound(MOST)).collect();
    let itself = u64::from(is_consequential(basis, tool) && has_access(basis, tool, ingested));
    harvest.beyond(tool, actors.count.saturating_sub(itself).saturating_sub(shown.len() as u64));
    for (_, actor, resource) in shown {
        let path = [
            Hop::along(EdgeKind::IngestsUntrusted, tool, *resource),
            Hop::against(EdgeKind::HasAccessTo, *resource, *actor),
        ];
        let detail = Detail::Flow { resource: *resource };
        harvest.add((tool, *actor), NewComposite { confidence: 0.6, weight: 0.3, collector: "mcp", detail }, &path);
    }
}

fn is_consequential(basis: &Basis<'_>, tool: NodeIx) -> bool {
    basis.capabilities(tool).meets(Capabilities::CONSEQUENTIAL)
}

/// Whether a tool has access to something that is ingested.
fn has_access(basis: &Basis<'_>, tool: NodeIx, ingested: &Ingested) -> bool {
    let mut servers = basis.sources(EdgeKind::ProvidesTool, tool);
    servers.any(|server| {
        let provides = basis.view.outgoing(EdgeKind::ProvidesResource, server);
        let is_read = |(_, resource, on): &(Cost, NodeIx, On)| {
            provides.to(*resource).is_some()
                && basis.access().why(server, tool, *resource).is_some()
                && basis.machines().share(server, on, tool, *resource)
        };
        ingested.iter().any(is_read)
    })
}

/// Tools of one server whose actions have consequences, and that open everything of a family.
#[derive(Debug, Default)]
struct Opening {
    /// Those that no other server provides, by id.
    own: Vec<NodeIx>,
    /// The others.
    shared: Vec<NodeIx>,
}

#[derive(Debug, Default)]
struct OfServer {
    databases: Opening,
    files: Opening,
    /// How many of its own open both.
    both: u64,
}

/// The opening tools of servers, each read when it is asked for.
struct Openers<'a, 'g> {
    basis: &'a Basis<'g>,
    servers: BTreeMap<NodeIx, OfServer>,
}

impl Openers<'_, '_> {
    fn of(&mut self, server: NodeIx) -> &OfServer {
        let basis = self.basis;
        self.servers.entry(server).or_insert_with(|| {
            let opening = |family| {
                let all = basis.access().openers(server, family).iter().copied();
                let all = all.filter(|tool| is_consequential(basis, *tool));
                let (own, shared) = all.partition(|tool| is_own(basis, server, *tool));
                Opening { own, shared }
            };
            let (databases, files) = (opening(Family::Database), opening(Family::File));
            let both = databases.own.iter().filter(|tool| files.own.binary_search(tool).is_ok()).count() as u64;
            OfServer { databases, files, both }
        })
    }
}

fn is_own(basis: &Basis<'_>, server: NodeIx, tool: NodeIx) -> bool {
    basis.sole_provider(EdgeKind::ProvidesTool, tool) == Some(server)
}

/// The easiest resource of each family on a server, if something of the family is ingested.
#[derive(Debug, Default)]
struct Families {
    database: Option<(Cost, NodeIx)>,
    file: Option<(Cost, NodeIx)>,
}

impl Families {
    fn offer(&mut self, family: Family, way: (Cost, NodeIx)) {
        let best = match family {
            Family::Database => &mut self.database,
            Family::File => &mut self.file,
            Family::Other => return,
        };
        *best = Some(best.map_or(way, |best| best.min(way)));
    }
}

/// Tools that have access to what is ingested, and whose actions have consequences.
#[derive(Debug)]
struct Actors {
    /// The first, by cost and id, each with the resource; one more than are wanted, since one may be who ingests.
    first: Vec<(Cost, NodeIx, NodeIx)>,
    count: u64,
}

impl Actors {
    fn of(openers: &mut Openers<'_, '_>, ingested: &Ingested) -> Self {
        let basis = openers.basis;
        let access = basis.access();
        let mut families: BTreeMap<NodeIx, Families> = BTreeMap::new();
        let mut best: BTreeMap<NodeIx, (Cost, NodeIx)> = BTreeMap::new();
        // Tools that are looked at by themselves, each with the server.
        let mut named: BTreeSet<(NodeIx, NodeIx)> = BTreeSet::new();
        for (cost, resource, on) in ingested {
            for server in basis.sources(EdgeKind::ProvidesResource, *resource) {
                let readers = access.readers(server, *resource);
                let mut single = readers.by_description.iter().chain(&[]);
                if basis.machines().differ(server) {
                    single = readers.by_description.iter().chain(readers.by_capability);
                } else {
                    families.entry(server).or_default().offer(access.family(*resource), (*cost, *resource));
                }
                let meets = |tool: &&NodeIx| basis.machines().share(server, on, **tool, *resource);
                for tool in single.filter(|tool| is_consequential(basis, **tool)).filter(meets) {
                    named.insert((*tool, server));
                    offer(&mut best, *tool, (*cost, *resource));
                }
            }
        }
        let most = basis.bound(MOST);
        let mut singles: BTreeSet<NodeIx> = BTreeSet::new();
        let mut count = 0;
        for (server, families) in &families {
            count += take(most, openers.of(*server), families, &mut best, &mut singles);
        }
        // What opens everything was counted with its server.
        let is_counted = |(tool, server): &(NodeIx, NodeIx)| {
            let families = families.get(server);
            let opens = |family| access.openers(*server, family).binary_search(tool).is_ok();
            let is_opener = families.is_some_and(|families| {
                families.database.is_some() && opens(Family::Database) || families.file.is_some() && opens(Family::File)
            });
            is_opener && is_own(basis, *server, *tool)
        };
        singles.extend(named.iter().filter(|one| !is_counted(one)).map(|(tool, _)| *tool));
        let mut first: Vec<_> = best.into_iter().map(|(tool, (cost, resource))| (cost, tool, resource)).collect();
        first.sort_unstable();
        first.truncate(most + 1);
        Self { first, count: count + singles.len() as u64 }
    }
}

/// Takes the first opening tools of a server, and says how many of its own there are.
fn take(
    most: usize,
    of: &OfServer,
    families: &Families,
    best: &mut BTreeMap<NodeIx, (Cost, NodeIx)>,
    singles: &mut BTreeSet<NodeIx>,
) -> u64 {
    let mut count = 0;
    for (way, opening) in [(families.database, &of.databases), (families.file, &of.files)] {
        let Some(way) = way else { continue };
        // A tool that stands further back in its easiest list has enough others before it.
        opening.own.iter().take(most + 1).for_each(|tool| offer(best, *tool, way));
        opening.shared.iter().for_each(|tool| offer(best, *tool, way));
        singles.extend(&opening.shared);
        count += opening.own.len() as u64;
    }
    if families.database.is_some() && families.file.is_some() { count - of.both } else { count }
}

fn offer(best: &mut BTreeMap<NodeIx, (Cost, NodeIx)>, tool: NodeIx, way: (Cost, NodeIx)) {
    best.entry(tool).and_modify(|best| *best = (*best).min(way)).or_insert(way);
}
