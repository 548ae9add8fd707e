//! What a node is connected to, page by page.
//!
//! Growth: linear in the edges of the node, and in the nodes of the estate.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use tracehound_graph::{EdgeIx, NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind};

use super::cursor::Cursor;
use super::graph::{Composites, told_kinds};
use super::shape::Subgraph;
use super::told::Teller;
use super::{edge_kinds, node_kinds, within, words};
use crate::App;
use crate::api::estate_shape::find_node;
use crate::body::{Asked, Path};
use crate::caller::Caller;
use crate::estate::{At, Said};
use crate::problem::Problem;

/// Edges on a page.
const MOST: usize = 5_000;
/// Edges on a page if nobody says how many.
const USUAL: usize = 200;

/// Which neighbours are wanted.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
pub(crate) struct NeighboursAsked {
    /// A scan id, a time, a date or `now`; the present if nothing is said.
    at: Option<String>,
    /// Only edges that start here, or end here.
    #[param(inline)]
    direction: Option<Side>,
    /// Only neighbours of these kinds, with commas between them.
    kinds: Option<String>,
    /// Only edges of these kinds, with commas between them.
    edge_kinds: Option<String>,
    /// How many edges, up to 5,000.
    limit: Option<usize>,
    /// Where the page before ended: its `next_cursor`.
    cursor: Option<String>,
}

/// At which end of its edges a node stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    /// Edges end here.
    In,
    /// Edges start here.
    Out,
    /// Either.
    #[default]
    Both,
}

struct Wanted {
    direction: Side,
    kinds: Vec<NodeKind>,
    edge_kinds: Vec<EdgeKind>,
    limit: usize,
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(name): Path<String>,
    Asked(asked): Asked<NeighboursAsked>,
) -> Result<Json<Subgraph>, Problem> {
    let wanted = Wanted {
        direction: asked.direction.unwrap_or_default(),
        kinds: node_kinds(words(asked.kinds.as_deref())?)?,
        edge_kinds: told_kinds(&edge_kinds(words(asked.edge_kinds.as_deref())?)?, Composites::Yes),
        limit: within(asked.limit, USUAL, MOST, "limit")?,
    };
    let NeighboursAsked { at, cursor, .. } = asked;
    let look = move |at: &At<'_>, said: &Said| {
        let node = find_node(&at.picture(), &name)?;
        let cursor = Cursor::read(at, cursor.as_deref())?;
        Ok(Json(neighbours(at, said, node, &wanted, cursor)))
    };
    app.at(&caller.tenant, at.as_deref(), look).await
}

fn neighbours(at: &At<'_>, said: &Said, node: NodeIx, wanted: &Wanted, cursor: Cursor) -> Subgraph {
    let picture = at.picture();
    let all = edges(at, node, wanted);
    let (end, next_cursor) = cursor.page(at, &all, wanted.limit);
    let teller = Teller::new(at, said);
    let page = all.get(cursor.offset.min(end)..end).unwrap_or_default();
    let mut shown: Vec<NodeIx> = page.iter().map(|(other, _)| *other).chain([node]).collect();
    let mut others: Vec<NodeIx> = all.iter().map(|(other, _)| *other).chain([node]).collect();
    for nodes in [&mut shown, &mut others] {
        nodes.sort_unstable();
        nodes.dedup();
    }
    let beyond = |kind: &&EdgeKind| !kind.is_input() && wanted.direction != Side::In;
    let derived = &picture.analysis.derived;
    let unwritten = |kind: &EdgeKind| derived.of(*kind).count(node) - derived.outgoing(*kind, node).len() as u64;
    Subgraph {
        nodes: shown.iter().map(|node| teller.node(*node)).collect(),
        edges: page.iter().map(|(_, edge)| teller.edge(*edge)).collect(),
        total_nodes: others.len(),
        total_edges: all.len(),
        unwritten_edges: wanted.edge_kinds.iter().filter(beyond).map(unwritten).sum(),
        truncated: page.len() < all.len(),
        next_cursor,
    }
}

/// The edges of a node that are wanted, with their other ends: by kind, those that start here first, then by the other end.
/// An edge from a node to itself is told once.
fn edges(at: &At<'_>, node: NodeIx, wanted: &Wanted) -> Vec<(NodeIx, EdgeIx)> {
    let picture = at.picture();
    let bits = wanted.kinds.iter().fold(0, |bits, kind| bits | kind.bit());
    let is_wanted =
        |(other, _): &(NodeIx, EdgeIx)| bits == 0 || (picture.labels(*other) | picture.kind(*other).bit()) & bits != 0;
    let mut all = Vec::new();
    for kind in &wanted.edge_kinds {
        if wanted.direction != Side::In {
            all.extend(picture.outgoing(*kind, node).filter(is_wanted));
        }
        if wanted.direction != Side::Out {
            let is_told = |end: &(NodeIx, EdgeIx)| wanted.direction == Side::In || end.0 != node;
            all.extend(picture.incoming(*kind, node).filter(is_wanted).filter(is_told));
        }
    }
    all
}
