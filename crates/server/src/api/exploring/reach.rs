//! What is reached from some nodes, or who reaches them, page by page.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tracehound_analyze::routes::Direction;
use tracehound_analyze::walk::{Reaching, Walk, bounded_words};
use tracehound_graph::{NodeIx, View as _};
use tracehound_model::NodeKind;

use super::cursor::Cursor;
use super::paths::max_hops;
use super::shape::Ends;
use super::walking::{Allowed, why_empty};
use super::{MOST_WORDS, check_count, choose, node_kinds, within};
use crate::App;
use crate::api::estate_shape::NodeRef;
use crate::body::Body;
use crate::caller::Caller;
use crate::estate::{At, Said};
use crate::problem::Problem;

/// Nodes on a page.
const MOST: usize = 10_000;
/// Nodes on a page if nobody says how many.
const USUAL: usize = 1_000;

/// From where, which way and how far.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReachAsked {
    /// Where it begins: names, ids, sets such as `agents` or `owned`, with commas between them.
    from: String,
    /// Where one gets from there, or who gets there.
    #[serde(default)]
    direction: Way,
    /// Only nodes of these kinds are told; all are walked through.
    #[serde(default)]
    kinds: Vec<String>,
    /// Only hops of these kinds: kinds of edges, `same-secret`, `reads`.
    #[serde(default)]
    hop_kinds: Vec<String>,
    /// No hops of these kinds.
    #[serde(default)]
    without: Vec<String>,
    /// Not through these nodes, named as the ends are.
    #[serde(default)]
    avoid: Option<String>,
    /// Whether edges that stand for whole paths are walked as well.
    #[serde(default)]
    shortcuts: bool,
    /// Only what is within so many hops, up to 1,000.
    #[serde(default)]
    max_hops: Option<usize>,
    /// A scan id, a time, a date or `now`; the present if nothing is said.
    #[serde(default)]
    at: Option<String>,
    /// How many nodes, up to 10,000.
    #[serde(default)]
    limit: Option<usize>,
    /// Where the page before ended: its `next_cursor`.
    #[serde(default)]
    cursor: Option<String>,
}

/// Which way hops are followed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[schema(as = ReachDirection)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Way {
    /// Where one gets from there.
    #[default]
    Forward,
    /// Who gets there.
    Reverse,
}

/// What is reached.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct ReachAnswer {
    pub(crate) from: Ends,
    /// By distance, then by kind and id.
    pub(crate) nodes: Vec<Reached>,
    /// On all pages.
    pub(crate) total: usize,
    /// How many of each kind there are on all pages.
    pub(crate) by_kind: BTreeMap<NodeKind, usize>,
    /// How many there are so many hops away.
    pub(crate) by_distance: BTreeMap<String, usize>,
    /// What else has to be known of the answer.
    pub(crate) notes: Vec<String>,
    /// Where the next page begins.
    pub(crate) next_cursor: Option<String>,
}

/// A node that is reached.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct Reached {
    pub(crate) node: NodeRef,
    /// The fewest hops to it.
    pub(crate) distance: u32,
    /// How hard the easiest way to it is, however many hops it has.
    pub(crate) weight: f64,
}

pub(crate) async fn find(
    State(app): State<App>,
    caller: Caller,
    Body(asked): Body<ReachAsked>,
) -> Result<Json<ReachAnswer>, Problem> {
    let max_hops = max_hops(asked.max_hops)?;
    let limit = within(asked.limit, USUAL, MOST, "limit")?;
    check_count(asked.kinds.len(), MOST_WORDS, "kinds")?;
    let kinds = node_kinds(asked.kinds.iter().map(String::as_str))?;
    let point = asked.at.clone();
    let look = move |at: &At<'_>, said: &Said| {
        let cursor = Cursor::read(at, asked.cursor.as_deref())?;
        let allowed = Allowed {
            kinds: &asked.hop_kinds,
            without: &asked.without,
            avoid: asked.avoid.as_deref(),
            shortcuts: asked.shortcuts,
        };
        let walking = allowed.read(at, said)?;
        let chosen = choose(at, said, &asked.from)?;
        let walk = Walk::new(at.terrain(walking.shortcuts), walking);
        let count = chosen.len();
        let from = walk.passable(chosen);
        let direction = match asked.direction {
            Way::Forward => Direction::Forward,
            Way::Reverse => Direction::Backward,
        };
        let reaching = Reaching { from: &from, direction, max_hops, kinds: &kinds };
        let mut answer = reached(at, &walk, &reaching, cursor, limit);
        answer.from.selection = asked.from.trim().to_owned();
        answer
            .notes
            .extend(why_empty(asked.from.trim(), count, from.len()).into_iter().chain(bounded_words(walk.terrain)));
        Ok(Json(answer))
    };
    app.at(&caller.tenant, point.as_deref(), look).await
}

fn reached(at: &At<'_>, walk: &Walk<'_>, asked: &Reaching<'_>, cursor: Cursor, limit: usize) -> ReachAnswer {
    let picture = at.picture();
    let rings = walk.rings(&picture, asked);
    let all: Vec<(u32, NodeIx)> =
        rings.iter().flat_map(|ring| ring.nodes.iter().map(|node| (ring.hops, *node))).collect();
    let mut by_kind = BTreeMap::new();
    for (_, node) in &all {
        *by_kind.entry(picture.kind(*node)).or_default() += 1;
    }
    let (end, next_cursor) = cursor.page(at, &all, limit);
    let page = all.get(cursor.offset.min(end)..end).unwrap_or_default();
    // Whoever wants a page of nothing needs no weights.
    let weights = if page.is_empty() { BTreeMap::new() } else { walk.weights(asked.from, asked.direction) };
    let told = |(distance, node): &(u32, NodeIx)| Reached {
        node: NodeRef::new(&picture, *node),
        distance: *distance,
        weight: weights.get(node).copied().unwrap_or(0.0),
    };
    ReachAnswer {
        from: Ends { selection: String::new(), nodes: asked.from.len() },
        nodes: page.iter().map(told).collect(),
        total: all.len(),
        by_kind,
        by_distance: rings.iter().map(|ring| (ring.hops.to_string(), ring.nodes.len())).collect(),
        notes: Vec::new(),
        next_cursor,
    }
}
