//! A tool whose text instructs the model stands in one agent's context with a tool that can be steered.
//!
//! Growth: servers that the same agents trust at the same cost form a group, and the work is done once for each. What stays
//! are the pairs of groups that agents have in common, once per agent that they have in common. Within a pair nothing is
//! walked but what is written down, so neither the tools of a server nor the servers of an agent multiply. A command that
//! shows other tools on one machine than on another counts as a server for each set of machines that have the same tools.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::{Output, Pair, Processor, Reads, Stage, Writes};
use crate::basis::{Basis, Capabilities, Cost, Spread};
use crate::derived::{Detail, Harvest, Hop, NewComposite};

/// How many sinks are written down for one source: those with the easiest way, then those with the smallest ids.
const MOST: usize = 20;

pub(super) const PROCESSOR: Processor = Processor {
    name: "poisons_context",
    purpose: "A tool whose text instructs the model stands beside a tool that can be steered, in one agent.",
    reads: &[
        Reads::Edges(EdgeKind::TrustsServer, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesTool, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesResource, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesPrompt, &["origin"]),
        Reads::Nodes(NodeKind::McpServer, &["auth_method", "transport"]),
        Reads::Nodes(NodeKind::McpTool, &["capability_surface", "has_injection_patterns"]),
    ],
    writes: &[Writes::Edges(EdgeKind::PoisonsContext)],
    run,
    holds: Some(holds),
};

/// A group of servers.
type GroupNumber = usize;

/// The groups whose servers provide a tool, each with the smallest of those servers.
type Places = BTreeMap<GroupNumber, NodeIx>;

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let mut sources: BTreeMap<Vec<GroupNumber>, Vec<NodeIx>> = BTreeMap::new();
    let groups = Groups::new(basis);
    for tool in basis.nodes(NodeKind::McpTool).filter(|tool| basis.is(*tool, "has_injection_patterns")) {
        let places: Vec<GroupNumber> = groups.places(basis, tool).into_keys().collect();
        if !places.is_empty() {
            sources.entry(places).or_default().push(tool);
        }
    }
    let mut harvest = Harvest::default();
    let mut table = Table::new(groups.all.len());
    for (places, tools) in sources {
        let beside = Beside::new(&groups, &places, basis.bound(MOST), &mut table);
        tools.into_iter().for_each(|tool| beside.add(basis, tool, &mut harvest));
    }
    Output::of_edges(EdgeKind::PoisonsContext, harvest)
}

fn holds(stage: &Stage<'_>, pairs: &[Pair]) -> Vec<bool> {
    let basis = stage.basis;
    let groups = Groups::new(basis);
    let mut met: FxHashMap<(GroupNumber, GroupNumber), bool> = FxHashMap::default();
    let mut steers = |(source, sink): &Pair| {
        if source == sink || !basis.is(*source, "has_injection_patterns") || !is_sink(basis, *sink) {
            return false;
        }
        let (from, to) = (groups.places(basis, *source), groups.places(basis, *sink));
        let mut pairs = from.keys().flat_map(|one| to.keys().map(move |other| (*one.min(other), *one.max(other))));
        pairs.any(|pair| *met.entry(pair).or_insert_with(|| groups.meet(pair)))
    };
    pairs.iter().map(&mut steers).collect()
}

fn is_sink(basis: &Basis<'_>, tool: NodeIx) -> bool {
    basis.capabilities(tool).meets(Capabilities::STEERABLE)
}

/// Servers that the same agents trust at the same cost.
#[derive(Debug, Default)]
struct Group {
    agents: Vec<(NodeIx, Cost)>,
    /// Sinks that one of its servers provides, and nobody else; by id.
    own: Vec<NodeIx>,
    /// Sinks that several servers provide; only documents of others have such.
    shared: BTreeSet<NodeIx>,
}

/// A server, and where its machines differ: those that showed a tool.
type Part = (NodeIx, Option<Vec<u32>>);

/// All groups.
#[derive(Debug, Default)]
struct Groups {
    of_part: FxHashMap<Part, GroupNumber>,
    all: Vec<Group>,
    /// The groups with sinks whose servers an agent trusts.
    of_agent: FxHashMap<NodeIx, Vec<(GroupNumber, Cost)>>,
}

impl Groups {
    fn new(basis: &Basis<'_>) -> Self {
        let mut groups = Self::default();
        let mut numbers: BTreeMap<Vec<(NodeIx, Cost)>, GroupNumber> = BTreeMap::new();
        for server in basis.nodes(NodeKind::McpServer) {
            for (shown, agents) in parts(basis, server).into_iter().filter(|(_, agents)| !agents.is_empty()) {
                let next = numbers.len();
                let number = *numbers.entry(agents).or_insert(next);
                groups.of_part.insert((server, shown), number);
            }
        }
        groups.all.resize_with(numbers.len(), Group::default);
        for (agents, number) in numbers {
            if let Some(group) = groups.all.get_mut(number) {
                group.agents = agents;
            }
        }
        groups.take_sinks(basis);
        groups
    }

    fn take_sinks(&mut self, basis: &Basis<'_>) {
        for tool in basis.nodes(NodeKind::McpTool).filter(|tool| is_sink(basis, *tool)) {
            let is_shared = basis.sources(EdgeKind::ProvidesTool, tool).len() > 1;
            for number in self.places(basis, tool).into_keys() {
                let Some(group) = self.all.get_mut(number) else { continue };
                if is_shared {
                    group.shared.insert(tool);
                } else {
                    group.own.push(tool);
                }
            }
        }
        for (number, group) in self.all.iter().enumerate() {
            if !group.own.is_empty() || !group.shared.is_empty() {
                for (agent, cost) in &group.agents {
                    self.of_agent.entry(*agent).or_default().push((number, *cost));
                }
            }
        }
    }

    /// Whether some agent uses servers of both.
    fn meet(&self, (one, other): (GroupNumber, GroupNumber)) -> bool {
        let agents = |group: GroupNumber| self.all.get(group).map_or(&[][..], |group| group.agents.as_slice());
        let (one, other) = (agents(one), agents(other));
        let (few, many) = if one.len() < other.len() { (one, other) } else { (other, one) };
        few.iter().any(|(agent, _)| many.binary_search_by_key(agent, |(agent, _)| *agent).is_ok())
    }

    fn places(&self, basis: &Basis<'_>, tool: NodeIx) -> Places {
        let mut places = Places::new();
        for server in basis.sources(EdgeKind::ProvidesTool, tool) {
            let shown = basis.machines().shown(server, tool).map(<[u32]>::to_vec);
            if let Some(group) = self.of_part.get(&(server, shown)) {
                places.entry(*group).or_insert(server);
            }
        }
        places
    }
}

/// The agents that use a server, with what it costs each; where machines differ, by who showed a tool.
fn parts(basis: &Basis<'_>, server: NodeIx) -> BTreeMap<Option<Vec<u32>>, Vec<(NodeIx, Cost)>> {
    let trusts = basis.view.incoming(EdgeKind::TrustsServer, server);
    let agents = trusts.map(|(agent, edge)| ((agent, basis.cost(edge)), edge));
    if !basis.machines().differ(server) {
        return BTreeMap::from([(None, agents.map(|(agent, _)| agent).collect())]);
    }
    let spread = Spread::new(basis, server, agents);
    let tools = basis.targets(EdgeKind::ProvidesTool, server);
    let shown: BTreeSet<Option<&[u32]>> = tools.map(|tool| basis.machines().shown(server, tool)).collect();
    shown.into_iter().map(|shown| (shown.map(<[u32]>::to_vec), spread.meeting(shown))).collect()
}

/// What an agent makes of two groups: the cost, and the agent.
type Meeting = (Cost, NodeIx);

/// The easiest meeting for each group, of those that were offered.
struct Table {
    best: Vec<Option<Meeting>>,
    offered: Vec<GroupNumber>,
}

impl Table {
    fn new(groups: usize) -> Self {
        Self { best: vec![None; groups], offered: Vec::new() }
    }

    fn offer(&mut self, group: GroupNumber, meeting: Meeting) {
        let Some(best) = self.best.get_mut(group) else { return };
        match best {
            Some(best) => *best = (*best).min(meeting),
            None => {
                self.offered.push(group);
                *best = Some(meeting);
            }
        }
    }

    /// What was offered, by group. The table is empty afterwards.
    fn take(&mut self) -> Vec<(GroupNumber, Meeting)> {
        self.offered.sort_unstable();
        let best = &mut self.best;
        let taken = self.offered.drain(..).filter_map(|group| Some((group, best.get_mut(group)?.take()?)));
        taken.collect()
    }
}

/// What stands beside tools of certain groups.
struct Beside<'a> {
    groups: &'a Groups,
    /// By a group of the tools, and then by a group of sinks: what the easiest agent makes of both.
    meetings: BTreeMap<GroupNumber, Vec<(GroupNumber, Meeting)>>,
    /// The first sinks; one more than are wanted, since one may be the source.
    first: Vec<NodeIx>,
    count: u64,
}

impl<'a> Beside<'a> {
    fn new(groups: &'a Groups, places: &[GroupNumber], most: usize, table: &mut Table) -> Self {
        let mut meetings: BTreeMap<GroupNumber, Vec<(GroupNumber, Meeting)>> = BTreeMap::new();
        for place in places {
            for (agent, cost) in groups.all.get(*place).into_iter().flat_map(|group| &group.agents) {
                for (other, further) in groups.of_agent.get(agent).into_iter().flatten() {
                    table.offer(*other, (cost + further, *agent));
                }
            }
            meetings.insert(*place, table.take());
        }
        meetings.values().flatten().for_each(|(other, meeting)| table.offer(*other, *meeting));
        let (first, count) = sinks(groups, &table.take(), most);
        Self { groups, meetings, first, count }
    }

    fn add(&self, basis: &Basis<'_>, source: NodeIx, harvest: &mut Harvest) {
        let shown: Vec<NodeIx> =
            self.first.iter().copied().filter(|sink| *sink != source).take(basis.bound(MOST)).collect();
        let itself = u64::from(is_sink(basis, source));
        harvest.beyond(source, self.count.saturating_sub(itself).saturating_sub(shown.len() as u64));
        let from = self.groups.places(basis, source);
        for sink in shown {
            let Some((agent, server, beside)) = self.way(&from, &self.groups.places(basis, sink)) else { continue };
            let path = [
                Hop::along(EdgeKind::TrustsServer, agent, server),
                Hop::along(EdgeKind::ProvidesTool, server, source),
                Hop::along(EdgeKind::TrustsServer, agent, beside),
                Hop::along(EdgeKind::ProvidesTool, beside, sink),
            ];
            let detail = Detail::Context { agent };
            harvest.add((source, sink), NewComposite { confidence: 0.6, weight: 0.4, collector: "mcp", detail }, &path);
        }
    }

    /// The agent that has both, the server of the source and that of the sink: at the least cost, then the smallest ids.
    fn way(&self, from: &Places, to: &Places) -> Option<(NodeIx, NodeIx, NodeIx)> {
        let pairs = from.iter().flat_map(|one| to.iter().map(move |other| (one, other)));
        let ways = pairs.filter_map(|((place, server), (other, beside))| {
            let meetings = self.meetings.get(place)?;
            let (_, (cost, agent)) = meetings.get(meetings.binary_search_by_key(other, |(group, _)| *group).ok()?)?;
            Some((*cost, *agent, *server, *beside))
        });
        ways.min().map(|(_, agent, server, beside)| (agent, server, beside))
    }
}

/// The first sinks by cost and id, and how many there are, given how the groups of sinks are met.
fn sinks(groups: &Groups, met: &[(GroupNumber, Meeting)], most: usize) -> (Vec<NodeIx>, u64) {
    let mut first: Vec<(Cost, NodeIx)> = Vec::new();
    let mut shared: BTreeMap<NodeIx, Cost> = BTreeMap::new();
    let mut count = 0;
    for (number, (cost, _)) in met {
        let Some(group) = groups.all.get(*number) else { continue };
        count += group.own.len() as u64;
        // What stands further back in its group has enough others before it.
        first.extend(group.own.iter().take(most + 1).map(|sink| (*cost, *sink)));
        for sink in &group.shared {
            shared.entry(*sink).and_modify(|best| *best = (*best).min(*cost)).or_insert(*cost);
        }
    }
    count += shared.len() as u64;
    first.extend(shared.into_iter().map(|(sink, cost)| (cost, sink)));
    if first.len() > most + 1 {
        first.select_nth_unstable(most);
        first.truncate(most + 1);
    }
    first.sort_unstable();
    (first.into_iter().map(|(_, sink)| sink).collect(), count)
}
