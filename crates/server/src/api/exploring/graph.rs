//! The graph, the most important nodes first.
//!
//! Nodes have one order. A page holds the next nodes, and the edges between them and all nodes up to them; so whoever has
//! all pages up to one has exactly the graph of these nodes, and nothing is told twice.
//!
//! Growth: linear in the nodes and edges of the estate.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use tracehound_analyze::Picture;
use tracehound_graph::{EdgeIx, NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind, Severity};

use super::cursor::Cursor;
use super::shape::Subgraph;
use super::told::Teller;
use super::{edge_kinds, node_kinds, within, words};
use crate::App;
use crate::body::Asked;
use crate::caller::Caller;
use crate::estate::{At, Said};
use crate::problem::Problem;

/// Nodes on a page.
const MOST_NODES: usize = 50_000;
/// Nodes on a page if nobody says how many.
const USUAL: usize = 10_000;
/// Edges on a page.
const MOST_EDGES: usize = 250_000;
/// No place in the order.
const NOWHERE: u32 = u32::MAX;

/// What is wanted of the graph.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
pub(crate) struct GraphAsked {
    /// A scan id, a time, a date or `now`; the present if nothing is said.
    at: Option<String>,
    /// Only nodes of these kinds, with commas between them.
    kinds: Option<String>,
    /// Only edges of these kinds, with commas between them.
    edge_kinds: Option<String>,
    /// Only nodes whose worst finding is one of these: `low`, `medium`, `high`, `critical`.
    severity: Option<String>,
    /// Only nodes that scans of this machine saw.
    origin: Option<String>,
    /// Whether derived edges are told besides those that were seen, or alone.
    #[param(inline)]
    composite: Option<Composites>,
    /// How many nodes, up to 50,000.
    limit: Option<usize>,
    /// Where the page before ended: its `next_cursor`.
    cursor: Option<String>,
}

/// Whether derived edges are told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Composites {
    /// Besides those that were seen.
    #[default]
    Yes,
    /// Not at all.
    No,
    /// Alone.
    Only,
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<GraphAsked>,
) -> Result<Json<Subgraph>, Problem> {
    let wanted = Wanted::read(&asked)?;
    let GraphAsked { at, cursor, .. } = asked;
    let look = move |at: &At<'_>, said: &Said| {
        let cursor = Cursor::read(at, cursor.as_deref())?;
        Ok(Json(Chosen::new(at, said, wanted).page(cursor)))
    };
    app.at(&caller.tenant, at.as_deref(), look).await
}

/// What is wanted, read.
struct Wanted {
    kinds: Vec<NodeKind>,
    edge_kinds: Vec<EdgeKind>,
    severities: Vec<Severity>,
    origin: Option<String>,
    limit: usize,
}

impl Wanted {
    fn read(asked: &GraphAsked) -> Result<Self, Problem> {
        let kinds = node_kinds(words(asked.kinds.as_deref())?)?;
        let named = edge_kinds(words(asked.edge_kinds.as_deref())?)?;
        let severity = |name: &str| {
            let detail = || format!("there is no severity `{name}`; there are low, medium, high and critical");
            Severity::from_name(name).ok_or_else(|| Problem::invalid("bad_severity", detail()))
        };
        let severities = words(asked.severity.as_deref())?.into_iter().map(severity).collect::<Result<_, _>>()?;
        Ok(Self {
            kinds,
            edge_kinds: told_kinds(&named, asked.composite.unwrap_or_default()),
            severities,
            origin: asked.origin.clone().filter(|origin| !origin.is_empty()),
            limit: within(asked.limit, USUAL, MOST_NODES, "limit")?,
        })
    }
}

/// The kinds of edges that are told, in order.
pub(super) fn told_kinds(named: &[EdgeKind], composites: Composites) -> Vec<EdgeKind> {
    let is_told = |kind: &EdgeKind| {
        let is_of_sort = match composites {
            Composites::Yes => true,
            Composites::No => kind.is_input(),
            Composites::Only => !kind.is_input(),
        };
        is_of_sort && (named.is_empty() || named.contains(kind))
    };
    EdgeKind::ALL.iter().copied().filter(is_told).collect()
}

/// How many derived edges of some kinds are true and not written down.
pub(super) fn unwritten(picture: &Picture<'_>, kinds: &[EdgeKind]) -> u64 {
    let derived = kinds.iter().filter(|kind| !kind.is_input()).map(|kind| picture.analysis.derived.of(*kind));
    derived.map(|relation| relation.total() - relation.len() as u64).sum()
}

/// The nodes that are wanted, in order.
struct Chosen<'t, 'a> {
    at: &'t At<'a>,
    picture: Picture<'a>,
    teller: Teller<'t, 'a>,
    order: Vec<NodeIx>,
    /// By the number of a node.
    places: Vec<u32>,
    wanted: Wanted,
}

impl<'t, 'a> Chosen<'t, 'a> {
    fn new(at: &'t At<'a>, said: &'t Said, wanted: Wanted) -> Self {
        let (picture, teller) = (at.picture(), Teller::new(at, said));
        let bits = wanted.kinds.iter().fold(0, |bits, kind| bits | kind.bit());
        let is_wanted = |node: &NodeIx| {
            let is_of_kind = bits == 0 || (picture.labels(*node) | picture.kind(*node).bit()) & bits != 0;
            let is_as_bad = || teller.severity(*node).is_some_and(|severity| wanted.severities.contains(&severity));
            let is_there = |origin: &String| at.listing().origins(*node).contains(origin);
            is_of_kind && (wanted.severities.is_empty() || is_as_bad()) && wanted.origin.as_ref().is_none_or(is_there)
        };
        let order: Vec<NodeIx> = at.listing().order.iter().copied().filter(is_wanted).collect();
        let mut places = vec![NOWHERE; picture.node_count()];
        for (place, node) in (0..).zip(&order) {
            if let Some(known) = places.get_mut(node.0 as usize) {
                *known = place;
            }
        }
        Self { at, picture, teller, order, places, wanted }
    }

    fn place(&self, node: NodeIx) -> u32 {
        self.places.get(node.0 as usize).copied().unwrap_or(NOWHERE)
    }

    fn page(&self, from: Cursor) -> Subgraph {
        let (mut nodes, mut edges, mut next) = (Vec::new(), Vec::new(), None);
        let end = from.offset.saturating_add(self.wanted.limit).min(self.order.len());
        for (offset, node) in self.order.iter().enumerate().take(end).skip(from.offset) {
            let told = if offset == from.offset { from.within } else { 0 };
            if told == 0 {
                nodes.push(self.teller.node(*node));
            }
            let room = MOST_EDGES - edges.len();
            let before = edges.len();
            edges.extend(self.edges_back(*node).skip(told).take(room + 1).map(|edge| self.teller.edge(edge)));
            if edges.len() > MOST_EDGES {
                edges.truncate(MOST_EDGES);
                next = Some(Cursor { offset, within: told + edges.len() - before });
                break;
            }
        }
        let next = next.or_else(|| (end < self.order.len()).then_some(Cursor { offset: end, within: 0 }));
        let total_edges = self.total_edges();
        Subgraph {
            truncated: nodes.len() < self.order.len() || edges.len() < total_edges,
            nodes,
            edges,
            total_nodes: self.order.len(),
            total_edges,
            unwritten_edges: unwritten(&self.picture, &self.wanted.edge_kinds),
            next_cursor: next.map(|next| next.told(self.at)),
        }
    }

    /// The edges between a node and those before it in the order, and itself.
    fn edges_back(&self, node: NodeIx) -> impl Iterator<Item = EdgeIx> {
        let own = self.place(node);
        self.wanted.edge_kinds.iter().flat_map(move |kind| {
            let outgoing = self.picture.outgoing(*kind, node).filter(move |(other, _)| self.place(*other) <= own);
            let incoming = self.picture.incoming(*kind, node).filter(move |(other, _)| self.place(*other) < own);
            outgoing.chain(incoming).map(|(_, edge)| edge)
        })
    }

    fn total_edges(&self) -> usize {
        let kinds = self.wanted.edge_kinds.iter();
        if self.order.len() == self.places.len() {
            return kinds.map(|kind| self.picture.edge_count_of(*kind)).sum();
        }
        let is_told = |(other, _): &(NodeIx, EdgeIx)| self.place(*other) != NOWHERE;
        let of = |kind: EdgeKind, node: NodeIx| self.picture.outgoing(kind, node).filter(is_told).count();
        kinds.map(|kind| self.order.iter().map(|node| of(*kind, *node)).sum::<usize>()).sum()
    }
}
