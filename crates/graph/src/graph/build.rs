//! Laying out the live facts.

use std::sync::{Arc, OnceLock};

use foldhash::fast::RandomState;
use tracehound_model::{EdgeKind, NodeId, NodeKind};

use super::adjacency::{EdgeSet, NewEdge};
use super::change::{self, Acknowledged, Change, Look, Looks};
use super::{Graph, Hidden, NodeRow, Sightings, Unplaceable, Unplaced};
use crate::bag::{self, Bag, Scalar};
use crate::facts::{Facts, HistoryId, NodeFact};
use crate::fold::{Fold, Rank, State};
use crate::keys::Keys;
use crate::labels::Labels;
use crate::pool::{Pool, PoolPair, PoolView, Spot};
use crate::{looks, packed_id};

/// That a node has no number in the graph.
const NONE: u32 = u32::MAX;

impl Graph {
    /// Lays out the facts that are live in a fold.
    pub(crate) fn new(facts: &mut Facts, fold: &Fold, acknowledged: &Acknowledged) -> Self {
        let first = facts.pool.share();
        let facts = &*facts;
        let mut builder = Builder {
            facts,
            fold,
            acknowledged,
            pool: &first,
            merged: Pool::default(),
            keys: facts.keys.clone(),
            changes: Vec::new(),
            looks: Vec::new(),
        };
        let order = builder.node_order();
        let nodes: Vec<NodeRow> = order.iter().map(|(_, _, fact)| builder.node(*fact)).collect();
        let kinds = kind_starts(&order);
        let mut numbers = vec![NONE; facts.ids.len()];
        for (number, (_, _, fact)) in (0..).zip(&order) {
            numbers[*fact as usize] = number;
        }
        drop(order);
        let edges = EdgeKind::observed().map(|kind| EdgeSet::new(&builder.edges(kind, &numbers))).collect();
        let unplaced = builder.unplaced();
        let Builder { mut merged, keys, changes, looks, .. } = builder;
        let second = merged.share();
        let pool = PoolPair { first, second };
        let records = fold.timeline.order().iter().map(|scan| Arc::new(facts.scans[*scan as usize].record.clone()));
        Self {
            scans: records.collect(),
            ranks: (0..facts.scans.len() as u32).map(|scan| fold.timeline.rank(scan)).collect(),
            histories: facts.histories.rows().to_vec(),
            sightings: sightings(facts, fold),
            hidden: hidden(fold),
            origins: fold.origins.sets(),
            edges,
            keys,
            pool,
            nodes,
            kinds,
            by_id: OnceLock::new(),
            hasher: RandomState::default(),
            changes,
            looks,
            unplaced,
            token: Arc::clone(&facts.token),
        }
    }
}

struct Builder<'a> {
    facts: &'a Facts,
    fold: &'a Fold,
    acknowledged: &'a Acknowledged,
    pool: &'a PoolView,
    merged: Pool,
    keys: Keys,
    changes: Vec<Change>,
    looks: Vec<Looks>,
}

/// A node on its way to its place: kind, first bytes of its id, number among the facts.
type Placed = (NodeKind, u64, NodeFact);

impl Builder<'_> {
    /// The live nodes by kind and id.
    fn node_order(&self) -> Vec<Placed> {
        let id = |fact: NodeFact| self.pool.get(self.facts.ids.spot(fact));
        let place = |(fact, (state, labels)): (NodeFact, (&State, &Option<Labels>))| {
            let kind = labels.filter(|_| *state == State::Live)?.primary;
            let mut first = [0; 8];
            first.iter_mut().zip(id(fact)).for_each(|(to, from)| *to = *from);
            Some((kind, u64::from_be_bytes(first), fact))
        };
        let states = self.fold.nodes.iter().zip(&self.fold.labels);
        let mut order: Vec<Placed> = (0..).zip(states).filter_map(place).collect();
        order.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| id(a.2).cmp(id(b.2))));
        order
    }

    fn node(&mut self, fact: NodeFact) -> NodeRow {
        let column = &self.facts.nodes;
        let id = self.facts.ids.spot(fact);
        let blob = if column.looks(fact).is_some() { self.merged_node(fact, id) } else { column.blob(fact) };
        NodeRow { id, blob, history: column.history(fact) }
    }

    /// The overlay of a node's looks, with what its watched hashes were before.
    fn merged_node(&mut self, fact: NodeFact, id: Spot) -> Spot {
        let facts = self.facts;
        let looks = looks::of_each_scan(facts, &facts.nodes, fact, &self.fold.timeline);
        let record = |rank: Rank| {
            let scan = self.fold.timeline.order()[rank as usize - 1];
            &facts.scans[scan as usize].record
        };
        let split = |(rank, spot): &(Rank, Spot)| {
            let (_, bag) = Labels::split(self.pool.get(*spot))?;
            Some(Look { scan: record(*rank), bag, spot: *spot })
        };
        let looks: Vec<Look<'_>> = looks.iter().filter_map(split).collect();
        let mut merged = bag::overlay(looks.iter().map(|look| look.bag));
        let id = packed_id::text(self.pool.get(id));
        for turn in change::turns(&looks, &self.keys, &id, self.acknowledged) {
            let mut over = Vec::new();
            let mut value = Vec::new();
            bag::write_scalar(&mut value, Scalar::Text(&turn.from));
            bag::write_entries(&mut over, [(self.keys.intern(turn.watched.previous), value.as_slice())]);
            let name = self.keys.find("name").and_then(|name| Bag(&merged).get(name));
            self.changes.push(Change {
                id: NodeId::from_wire(id.as_ref()),
                name: name.and_then(|name| name.as_text().map(str::to_owned)).unwrap_or_default(),
                property: turn.watched.hash,
                from: turn.from,
                to: turn.to,
                scan_id: turn.scan.scan_id.clone(),
                time: turn.scan.time,
                since_scan_id: turn.since.scan_id.clone(),
                since: turn.since.time,
            });
            self.looks.push(turn.looks);
            merged = bag::overlay([Bag(&merged), Bag(&over)]);
        }
        let mut blob = Vec::new();
        if let Some(labels) = self.fold.labels[fact as usize] {
            labels.write(&mut blob);
        }
        blob.extend(merged);
        self.merged.push(&blob).in_second()
    }

    /// The live edges of a kind.
    fn edges(&mut self, kind: EdgeKind, numbers: &[u32]) -> Vec<NewEdge> {
        let states = &self.fold.edges[kind as usize];
        let table = &self.facts.edges[kind as usize];
        let live = states.iter().filter(|state| **state == State::Live).count();
        let mut edges = Vec::with_capacity(live);
        for (fact, (state, (source, target))) in (0..).zip(states.iter().zip(table.ends())) {
            if *state != State::Live {
                continue;
            }
            let bag = match table.seen.looks(fact) {
                None => table.seen.blob(fact),
                Some(_) => {
                    let looks = looks::in_order(self.facts, &table.seen, fact, &self.fold.timeline);
                    let merged = bag::overlay(looks.iter().map(|(_, spot)| Bag(self.pool.get(*spot))));
                    self.merged.push(&merged).in_second()
                }
            };
            let (source, target) = (numbers[*source as usize], numbers[*target as usize]);
            let origins = self.fold.origins.of(kind, fact);
            edges.push(NewEdge { source, target, bag, history: table.seen.history(fact), origins });
        }
        edges
    }

    /// The edges that are stored but can't be placed.
    fn unplaced(&self) -> Vec<Unplaced> {
        let id = |fact: NodeFact| packed_id::text(self.pool.get(self.facts.ids.spot(fact))).into_owned();
        let mut unplaced = Vec::new();
        for (kind, states) in EdgeKind::observed().zip(&self.fold.edges) {
            for (state, (source, target)) in states.iter().zip(self.facts.edges[kind as usize].ends()) {
                let reason = match state {
                    State::Pending => Unplaceable::EndMissing,
                    State::Misfit => Unplaceable::EndMisfit,
                    State::Absent | State::Live | State::Retired => continue,
                };
                unplaced.push(Unplaced { kind, source: id(*source), target: id(*target), reason });
            }
        }
        unplaced.sort_unstable();
        unplaced
    }
}

/// Where the nodes of each kind begin in the order, and the end of the last.
fn kind_starts(order: &[Placed]) -> Vec<u32> {
    let start = |kind: NodeKind| order.partition_point(|(other, _, _)| *other < kind) as u32;
    NodeKind::ALL.iter().map(|kind| start(*kind)).chain([order.len() as u32]).collect()
}

/// When each history begins and ends at the point of a fold. A history's beginning is shared, so one pass suffices.
fn sightings(facts: &Facts, fold: &Fold) -> Vec<Sightings> {
    let mut all = vec![Sightings::default()];
    for row in facts.histories.rows() {
        let before: Sightings = all[row.before as HistoryId as usize];
        let rank = fold.timeline.rank(row.scan);
        all.push(match (before.first, rank) {
            (_, 0) => before,
            (0, rank) => Sightings { first: rank, last: rank },
            (first, rank) => Sightings { first: first.min(rank), last: before.last.max(rank) },
        });
    }
    all
}

fn hidden(fold: &Fold) -> Hidden {
    let nodes = |state| fold.nodes.iter().filter(|other| **other == state).count() as u64;
    let edges = |state| fold.edges.iter().flatten().filter(|other| **other == state).count() as u64;
    Hidden {
        retired_nodes: nodes(State::Retired),
        retired_edges: edges(State::Retired),
        pending_edges: edges(State::Pending),
        misfit_edges: edges(State::Misfit),
    }
}
