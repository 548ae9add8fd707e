//! Paths between two selections of nodes, the best first.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use tracehound_analyze::Picture;
use tracehound_analyze::routes::By;
use tracehound_analyze::walk::{PathSearch, Walk, Wanted, bounded_words};
use tracehound_graph::NodeIx;

use super::shape::{Ends, PathsAnswer};
use super::walking::{Allowed, MOST_HOPS, found_path, why_empty};
use super::{choose, within};
use crate::App;
use crate::body::Body;
use crate::caller::Caller;
use crate::estate::{At, Said};
use crate::problem::Problem;

/// Paths in an answer.
pub(super) const MOST: usize = 100;
/// Paths in an answer if nobody says how many.
pub(super) const USUAL: usize = 3;

/// From where to where, and which paths.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PathsAsked {
    /// Where paths begin: names, ids, sets such as `agents` or `owned`, with commas between them.
    from: String,
    /// Where they end.
    to: String,
    /// How many of the best, up to 100.
    #[serde(default)]
    k: Option<usize>,
    /// What makes a path good.
    #[serde(default)]
    by: Order,
    /// Only hops of these kinds: kinds of edges, `same-secret`, `reads`.
    #[serde(default)]
    kinds: Vec<String>,
    /// No hops of these kinds.
    #[serde(default)]
    without: Vec<String>,
    /// Not through these nodes, named as the ends are.
    #[serde(default)]
    avoid: Option<String>,
    /// Only paths of at most so many hops, up to 1,000.
    #[serde(default)]
    max_hops: Option<usize>,
    /// Whether edges that stand for whole paths are walked as well.
    #[serde(default)]
    shortcuts: bool,
    /// A scan id, a time, a date or `now`; the present if nothing is said.
    #[serde(default)]
    at: Option<String>,
}

/// What makes a path good.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[schema(as = PathOrder)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Order {
    /// Little weight, then few hops.
    #[default]
    Weight,
    /// Few hops, then little weight.
    Hops,
}

impl Order {
    pub(super) const fn by(self) -> By {
        match self {
            Self::Weight => By::Weight,
            Self::Hops => By::Hops,
        }
    }
}

pub(crate) async fn find(
    State(app): State<App>,
    caller: Caller,
    Body(asked): Body<PathsAsked>,
) -> Result<Json<PathsAnswer>, Problem> {
    let count = within(asked.k, USUAL, MOST, "k")?;
    let max_hops = max_hops(asked.max_hops)?;
    let point = asked.at.clone();
    let look = move |at: &At<'_>, said: &Said| {
        let allowed = Allowed {
            kinds: &asked.kinds,
            without: &asked.without,
            avoid: asked.avoid.as_deref(),
            shortcuts: asked.shortcuts,
        };
        let walking = allowed.read(at, said)?;
        let (from, to) = (choose(at, said, &asked.from)?, choose(at, said, &asked.to)?);
        let terrain = at.terrain(walking.shortcuts);
        let walk = Walk::new(terrain, walking);
        let ends = [Chosen::new(&walk, &asked.from, from), Chosen::new(&walk, &asked.to, to)];
        let sought = Sought { by: asked.by.by(), max_hops, count };
        Ok(Json(answer(&at.picture(), &walk, &ends, sought)))
    };
    app.at(&caller.tenant, point.as_deref(), look).await
}

/// The most hops of a path.
pub(super) fn max_hops(given: Option<usize>) -> Result<Option<u32>, Problem> {
    let checked = given.map(|hops| within(Some(hops), MOST_HOPS, MOST_HOPS, "max_hops")).transpose()?;
    Ok(checked.and_then(|hops| u32::try_from(hops).ok()))
}

/// One end of paths: what was said, and the nodes that may be passed.
pub(super) struct Chosen<'b> {
    said: &'b str,
    all: usize,
    nodes: Vec<NodeIx>,
}

impl<'b> Chosen<'b> {
    pub(super) fn new(walk: &Walk<'_>, said: &'b str, nodes: Vec<NodeIx>) -> Self {
        Self { said: said.trim(), all: nodes.len(), nodes: walk.passable(nodes) }
    }

    fn told(&self) -> Ends {
        Ends { selection: self.said.to_owned(), nodes: self.nodes.len() }
    }

    fn why_empty(&self) -> Option<String> {
        why_empty(self.said, self.all, self.nodes.len())
    }
}

/// Which paths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sought {
    pub(super) by: By,
    pub(super) max_hops: Option<u32>,
    pub(super) count: usize,
}

/// The paths between two ends, in words.
pub(super) fn answer(
    picture: &Picture<'_>,
    walk: &Walk<'_>,
    [from, to]: &[Chosen<'_>; 2],
    Sought { by, max_hops, count }: Sought,
) -> PathsAnswer {
    let asked = PathSearch { from: &from.nodes, to: &to.nodes, by, max_hops, wanted: Wanted::Best(count) };
    let found = walk.find(picture, &asked);
    let notes = from.why_empty().into_iter().chain(to.why_empty()).chain(bounded_words(walk.terrain));
    PathsAnswer {
        from: from.told(),
        to: to.told(),
        paths: found.paths.iter().map(|path| found_path(picture, path)).collect(),
        complete: found.is_complete,
        notes: notes.collect(),
    }
}
