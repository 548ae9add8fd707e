//! What is live, what is retired, what waits for its ends.

use rustc_hash::FxHashMap;
use tracehound_model::{Anchor, Collector, EdgeKind, NodeId, NodeKind, NodeRole};

use super::claims::{Claim, Claims, Owner, Owners};
use super::coverage::Coverage;
use super::origins::{Origins, OriginsId};
use super::timeline::{Rank, Timeline};
use crate::facts::{EdgeTable, Facts, HistoryId, NodeFact};
use crate::labels::Labels;
use crate::{looks, packed_id};

/// What a fact is at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum State {
    /// No scan up to the point saw it.
    Absent,
    /// It is part of the graph.
    Live,
    /// It was, and is kept for history.
    Retired,
    /// An edge at least one of whose ends nobody ever saw.
    Pending,
    /// An edge whose ends are of kinds that it can't have.
    Misfit,
}

/// The rank of what is not there.
const ABSENT: u8 = u8::MAX;

/// Ranks of holders: holders of rank 0 are settled first, what they hold next.
const RANKS: u8 = 6;

/// The fold of the facts at a point.
#[derive(Debug)]
pub(crate) struct Fold {
    pub(crate) timeline: Timeline,
    /// What each node is called; nothing for one that is absent.
    pub(crate) labels: Vec<Option<Labels>>,
    pub(crate) nodes: Vec<State>,
    /// One list for each observed edge kind.
    pub(crate) edges: Vec<Vec<State>>,
    /// The machines of edges that several machines know.
    pub(crate) origins: Origins,
}

impl Fold {
    /// Folds the facts up to the end of a timeline.
    pub(crate) fn new(facts: &Facts, timeline: Timeline) -> Self {
        let labels: Vec<Option<Labels>> =
            (0..facts.ids.len() as NodeFact).map(|node| labels_at(facts, &timeline, node)).collect();
        let owners = Owners::new(facts, &timeline);
        let coverage = Coverage::new(facts, &timeline, &owners, &labels);
        let mut work = Lifetimes {
            facts,
            timeline: &timeline,
            owners: &owners,
            coverage: &coverage,
            claims: Claims::new(facts, &timeline, &owners),
            anchors: anchors(facts),
            ranks: labels.iter().map(|labels| labels.map_or(ABSENT, Labels::rank)).collect(),
            held: Held::new(labels.len()),
            inherited: FxHashMap::default(),
            last_covered: coverage.last_by_node(labels.len()),
            live: vec![false; labels.len()],
            labels: &labels,
            origins: Origins::default(),
            last_origins: None,
        };
        work.note_sole_owners();
        for rank in 0..RANKS {
            work.settle_nodes(rank);
            work.settle_held(rank);
        }
        let edges = EdgeKind::observed().map(|kind| work.edge_states(kind)).collect();
        let nodes = labels
            .iter()
            .zip(&work.live)
            .map(|(labels, live)| match (labels, live) {
                (None, _) => State::Absent,
                (Some(_), true) => State::Live,
                (Some(_), false) => State::Retired,
            })
            .collect();
        let mut origins = work.origins;
        origins.name(owners.names());
        Self { timeline, labels, nodes, edges, origins }
    }
}

/// What a node is called by the scans of a timeline, in fold order.
fn labels_at(facts: &Facts, timeline: &Timeline, node: NodeFact) -> Option<Labels> {
    let history = facts.nodes.history(node);
    let is_there = facts.histories.scans(history).any(|scan| timeline.rank(scan) > 0);
    if !is_there {
        return None;
    }
    let read = |blob| Labels::split(facts.pool.get(blob)).map(|(labels, _)| labels);
    if facts.nodes.looks(node).is_none() {
        return read(facts.nodes.blob(node));
    }
    looks::in_order(facts, &facts.nodes, node, timeline)
        .into_iter()
        .filter_map(|(_, blob)| read(blob))
        .reduce(Labels::with)
}

/// Which nodes decide the lifetime of some edge.
fn anchors(facts: &Facts) -> Vec<bool> {
    let mut anchors = vec![false; facts.ids.len()];
    for (kind, table) in EdgeKind::observed().zip(&facts.edges) {
        for (source, target) in table.ends() {
            match kind.anchor() {
                Anchor::Source | Anchor::SourceHolds => anchors[*source as usize] = true,
                Anchor::Target | Anchor::TargetHolds => anchors[*target as usize] = true,
                Anchor::Both => {}
            }
        }
    }
    anchors
}

/// Whether an owner has edges that hold a node, and whether one of them is live.
#[derive(Debug, Clone, Copy, Default)]
struct HeldBy {
    is_held: bool,
    is_live: bool,
}

/// Who holds each node. Most nodes are claimed by one owner, for whom a flat list serves.
#[derive(Debug)]
struct Held {
    sole: Vec<Option<Owner>>,
    by_sole: Vec<HeldBy>,
    by_others: FxHashMap<(Owner, NodeFact), HeldBy>,
}

impl Held {
    fn new(nodes: usize) -> Self {
        Self { sole: vec![None; nodes], by_sole: vec![HeldBy::default(); nodes], by_others: FxHashMap::default() }
    }

    fn note(&mut self, owner: Owner, node: NodeFact, is_live: bool) {
        let held = match self.sole[node as usize] {
            Some(sole) if sole == owner => &mut self.by_sole[node as usize],
            Some(_) => return,
            None => self.by_others.entry((owner, node)).or_default(),
        };
        held.is_held = true;
        held.is_live |= is_live;
    }

    fn get(&self, owner: Owner, node: NodeFact) -> HeldBy {
        match self.sole[node as usize] {
            Some(_) => self.by_sole[node as usize],
            None => self.by_others.get(&(owner, node)).copied().unwrap_or_default(),
        }
    }
}

struct Lifetimes<'a> {
    facts: &'a Facts,
    timeline: &'a Timeline,
    owners: &'a Owners,
    coverage: &'a Coverage,
    claims: Claims<'a>,
    labels: &'a [Option<Labels>],
    anchors: Vec<bool>,
    /// The rank of each node, close together: it is asked for at every edge.
    ranks: Vec<u8>,
    held: Held,
    /// When a thing was last covered through what holds it: the earliest among its live holders.
    inherited: FxHashMap<(Owner, NodeFact), Rank>,
    /// When anybody last covered each thing: most claims are younger, which saves asking who it was.
    last_covered: Vec<Rank>,
    live: Vec<bool>,
    origins: Origins,
    /// The machines that were found last: most edges of a thing are known to the same ones.
    last_origins: Option<(HistoryId, Collector, NodeFact, OriginsId)>,
}

impl Lifetimes<'_> {
    fn note_sole_owners(&mut self) {
        for node in 0..self.labels.len() as NodeFact {
            if let [claim] = self.claims.of(self.facts.nodes.history(node), Collector::Scan) {
                self.held.sole[node as usize] = Some(claim.owner);
            }
        }
    }

    /// When an owner last covered a thing, itself or through what holds it.
    fn covered(&self, owner: Owner, node: NodeFact) -> Rank {
        let inherited = self.inherited.get(&(owner, node)).copied().unwrap_or(0);
        self.coverage.latest(owner, node).max(inherited)
    }

    /// Whether a claim outlives what its owner covered since.
    fn stands(&self, claim: Claim, anchor: NodeFact) -> bool {
        self.last_covered[anchor as usize] <= claim.seen || self.covered(claim.owner, anchor) <= claim.seen
    }

    /// Decides the nodes of a rank; everything that may hold them is decided.
    fn settle_nodes(&mut self, rank: u8) {
        for node in 0..self.labels.len() as NodeFact {
            if self.ranks[node as usize] != rank {
                continue;
            }
            // In a document of several collectors a node is everybody's: what holds it tells whose it still is.
            let claims = self.claims.of(self.facts.nodes.history(node), Collector::Scan);
            self.live[node as usize] = claims.iter().any(|claim| {
                let held = self.held.get(claim.owner, node);
                let is_gone = self.last_covered[node as usize] > claim.seen
                    && self.coverage.looked_for(claim.owner, node) > claim.seen;
                !is_gone && (!held.is_held || held.is_live)
            });
        }
    }

    /// Follows the holding edges that start at holders of a rank.
    fn settle_held(&mut self, rank: u8) {
        for (kind, table) in EdgeKind::observed().zip(&self.facts.edges) {
            let is_holder = |(source, target): &(NodeFact, NodeFact)| match kind.anchor() {
                Anchor::SourceHolds => self.ranks[*source as usize] == rank,
                Anchor::TargetHolds => self.ranks[*target as usize] == rank,
                _ => false,
            };
            if table.ends().iter().any(is_holder) {
                self.settle_held_of(kind, table, rank);
            }
        }
        if rank == NodeKind::ConfigFile.rank() {
            self.settle_by_path();
        }
    }

    fn settle_held_of(&mut self, kind: EdgeKind, table: &EdgeTable, rank: u8) {
        for (edge, ends) in (0..).zip(table.ends()) {
            let (holder, below) = if kind.anchor() == Anchor::SourceHolds { *ends } else { (ends.1, ends.0) };
            if self.ranks[holder as usize] != rank || !self.fits(kind, *ends) {
                continue;
            }
            let Some(holder_labels) = self.labels[holder as usize] else { continue };
            let collector = collector_of(kind, holder_labels);
            let claims = self.claims.of(table.seen.history(edge), collector).len();
            for position in 0..claims {
                let claim = self.claims.of(table.seen.history(edge), collector)[position];
                self.hold(holder, below, claim);
            }
        }
    }

    /// A client hangs on its configuration file by a property, not by an edge; so does a secret in the file that is no
    /// server's.
    fn settle_by_path(&mut self) {
        let Some(config_path) = self.facts.keys.find("config_path") else { return };
        for node in 0..self.labels.len() as NodeFact {
            let hangs = |kind: NodeKind| matches!(kind, NodeKind::AgentInstance | NodeKind::Credential);
            if self.labels[node as usize].is_none_or(|labels| !hangs(labels.primary)) {
                continue;
            }
            let Some(path) = looks::text(self.facts, node, config_path, self.timeline) else { continue };
            let file = packed_id::pack(NodeId::config_file(&path).as_str());
            let Some(file) = self.facts.ids.find(&self.facts.pool, &file) else { continue };
            if self.labels[file as usize].is_none() {
                continue;
            }
            let history = self.facts.nodes.history(node);
            for position in 0..self.claims.of(history, Collector::Config).len() {
                let claim = self.claims.of(history, Collector::Config)[position];
                self.hold(file, node, claim);
            }
        }
    }

    /// Notes what one claim on "this holds that" means for what is held.
    fn hold(&mut self, holder: NodeFact, below: NodeFact, claim: Claim) {
        let is_live = self.live[holder as usize] && self.stands(claim, holder);
        self.held.note(claim.owner, below, is_live);
        self.held.note(Owners::whole_machine(claim.owner), below, is_live);
        if is_live && self.anchors[below as usize] && self.owners.looked_again(claim.owner) {
            let covered = self.covered(claim.owner, holder);
            let last = &mut self.last_covered[below as usize];
            *last = covered.max(*last);
            self.inherited
                .entry((claim.owner, below))
                .and_modify(|earliest| *earliest = covered.min(*earliest))
                .or_insert(covered);
        }
    }

    fn fits(&self, kind: EdgeKind, (source, target): (NodeFact, NodeFact)) -> bool {
        let labels = |node: NodeFact| self.labels[node as usize].map_or(0, |labels| labels.all);
        kind.accepts_source(labels(source)) && kind.accepts_target(labels(target))
    }

    /// Decides the edges of a kind; all nodes are decided.
    fn edge_states(&mut self, kind: EdgeKind) -> Vec<State> {
        let facts = self.facts;
        let Some(table) = facts.edges_of(kind) else { return Vec::new() };
        let mut states = Vec::with_capacity(table.ends().len());
        for (edge, ends) in (0..).zip(table.ends()) {
            let history = table.seen.history(edge);
            let state = self.edge_state(kind, history, *ends);
            if state == State::Live
                && let Some(machines) = self.machines(kind, history, *ends)
            {
                self.origins.note(kind, edge, machines);
            }
            states.push(state);
        }
        states
    }

    /// The machines whose claims on an edge stand, if several ever made one.
    fn machines(&mut self, kind: EdgeKind, history: HistoryId, ends: (NodeFact, NodeFact)) -> Option<OriginsId> {
        let (anchor, collector) = self.anchor(kind, ends);
        let claims = self.claims.of(history, collector);
        let machine = |claim: &Claim| Owners::machine(claim.owner);
        let first = claims.first().map(machine);
        if claims.iter().all(|claim| Some(machine(claim)) == first) {
            return None;
        }
        let is_shared = kind.anchor() != Anchor::Both;
        if let Some((last_history, last_collector, last_anchor, machines)) = self.last_origins
            && is_shared
            && (last_history, last_collector, last_anchor) == (history, collector, anchor)
        {
            return Some(machines);
        }
        let claims = claims.to_vec();
        let mut machines: Vec<u32> = claims
            .into_iter()
            .filter(|claim| self.stands_on(kind, *claim, ends))
            .map(|claim| machine(&claim))
            .collect();
        machines.sort_unstable();
        machines.dedup();
        let machines = self.origins.number(machines);
        self.last_origins = is_shared.then_some((history, collector, anchor, machines));
        Some(machines)
    }

    /// The end that decides about an edge, and whose fact the edge is.
    fn anchor(&self, kind: EdgeKind, (source, target): (NodeFact, NodeFact)) -> (NodeFact, Collector) {
        let anchor = match kind.anchor() {
            Anchor::Source | Anchor::SourceHolds | Anchor::Both => source,
            Anchor::Target | Anchor::TargetHolds => target,
        };
        (anchor, self.labels[anchor as usize].map_or(kind.collector(), |labels| collector_of(kind, labels)))
    }

    /// Whether a claim on an edge outlives what its owner covered since.
    fn stands_on(&self, kind: EdgeKind, claim: Claim, ends: (NodeFact, NodeFact)) -> bool {
        match kind.anchor() {
            Anchor::Both => self.coverage.latest_of_both(claim.owner, ends.0, ends.1) <= claim.seen,
            _ => self.stands(claim, self.anchor(kind, ends).0),
        }
    }

    fn edge_state(&mut self, kind: EdgeKind, history: u32, ends: (NodeFact, NodeFact)) -> State {
        let (source, target) = ends;
        let (_, collector) = self.anchor(kind, ends);
        let claims = self.claims.of(history, collector).len();
        if claims == 0 {
            return State::Absent;
        }
        let stands = (0..claims).any(|position| {
            let claim = self.claims.of(history, collector)[position];
            self.stands_on(kind, claim, ends)
        });
        if !stands {
            State::Retired
        } else if self.labels[source as usize].is_none() || self.labels[target as usize].is_none() {
            State::Pending
        } else if !self.fits(kind, ends) {
            State::Misfit
        } else if self.live[source as usize] && self.live[target as usize] {
            State::Live
        } else {
            State::Retired
        }
    }
}

/// Whose fact an edge is in a document of several collectors: kinds that start at several sorts of things belong to
/// whoever looks at the thing that this one starts at.
pub(super) fn collector_of(kind: EdgeKind, anchor: Labels) -> Collector {
    match anchor.primary.role() {
        NodeRole::Service | NodeRole::Umbrella => Collector::Network,
        _ if anchor.primary == NodeKind::A2aAgent => Collector::A2a,
        _ => kind.collector(),
    }
}
