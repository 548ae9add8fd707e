//! The cheapest changes that separate some nodes from others, with a proof that nothing is cheaper.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tracehound_analyze::Picture;
use tracehound_analyze::basis::Basis;
use tracehound_analyze::choke::{
    Between, Change, FixCost, FixCosts, Removal, Removed, Separation, Uncut, gone_without, sentence, separate,
    where_to_change,
};
use tracehound_analyze::derived::{RawEdge, Via};
use tracehound_analyze::terrain::{Shortcuts, Terrain, TrailHop};
use tracehound_analyze::walk::bounded_words;
use tracehound_analyze::what_if::Alteration;
use tracehound_graph::{NodeIx, View as _};

use super::shape::Ends;
use super::told::composite;
use super::walking::why_empty;
use super::{check_count, choose};
use crate::App;
use crate::api::estate_shape::{FilePlace, NodeRef, Step};
use crate::body::Body;
use crate::caller::Caller;
use crate::estate::{At, Said};
use crate::problem::Problem;

/// Kinds that costs may be given for.
const MOST_COSTS: usize = 100;
/// Changes that are tried alone: each derives again what depends on it.
const TRIED: usize = 12;
/// Ways that are told as a proof; their number and worth are told exactly.
const WAYS: usize = 200;

/// What is to be separated from what.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CutsAsked {
    /// Where attackers start: names, ids, sets such as `agents` or `owned`, with commas between them.
    from: String,
    /// What they must not get to.
    to: String,
    /// Whether nodes between the two are removed instead of edges.
    #[serde(default)]
    nodes: bool,
    /// What removing an edge (or a node) of a kind costs, from 1 to 1,000,000; null if it is never done. Otherwise 1.
    #[serde(default)]
    costs: BTreeMap<String, Option<u64>>,
    /// A scan id, a time, a date or `now`; the present if nothing is said.
    #[serde(default)]
    at: Option<String>,
}

/// The cheapest changes.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct CutsAnswer {
    pub(crate) from: Ends,
    pub(crate) to: Ends,
    /// What all changes cost together. Nothing is cheaper.
    pub(crate) value: u64,
    /// The edges to be removed.
    pub(crate) cuts: Vec<Cut>,
    /// The nodes to be removed, if nodes were asked for.
    pub(crate) nodes: Vec<NodeCut>,
    /// Ways that no single change closes two of: they alone cost as much to close as the cut.
    pub(crate) paths: Vec<CertificatePath>,
    /// How many such ways there are.
    pub(crate) paths_total: usize,
    /// Nodes through which every way goes.
    pub(crate) unavoidable: Vec<NodeRef>,
    /// Nodes of `from` from which something of `to` is reached.
    pub(crate) connected_sources: usize,
    /// Nodes of `to` that are reached.
    pub(crate) connected_targets: usize,
    /// What else has to be known of the answer.
    pub(crate) notes: Vec<String>,
}

/// An edge to be removed.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct Cut {
    pub(crate) edge: Step,
    pub(crate) cost: u64,
    /// What to do, as a sentence.
    pub(crate) change: String,
    /// The machine on which, where the same server is started on several.
    pub(crate) machine: Option<String>,
    /// How many findings about derived edges are gone with it alone; null if nobody tried.
    pub(crate) findings: Option<usize>,
}

/// A node to be removed.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct NodeCut {
    pub(crate) node: NodeRef,
    /// The machine on which, where the node is on several.
    pub(crate) machine: Option<String>,
    /// How many findings about derived edges are gone with it alone; null if nobody tried.
    pub(crate) findings: Option<usize>,
}

/// A way that has to be closed.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct CertificatePath {
    /// How much of the cost it accounts for.
    pub(crate) amount: u64,
    /// The nodes that it goes through.
    pub(crate) nodes: Vec<NodeRef>,
    /// What leads from each node to the next.
    pub(crate) steps: Vec<Step>,
}

pub(crate) async fn find(
    State(app): State<App>,
    caller: Caller,
    Body(asked): Body<CutsAsked>,
) -> Result<Json<CutsAnswer>, Problem> {
    let removed = if asked.nodes { Removed::Nodes } else { Removed::Edges };
    let costs = costs(&asked.costs, removed)?;
    let point = asked.at.clone();
    let look = move |at: &At<'_>, said: &Said| {
        let (from, to) = (choose(at, said, &asked.from)?, choose(at, said, &asked.to)?);
        let (picture, terrain) = (at.picture(), at.terrain(Shortcuts::No));
        let between = Between { sources: &from, targets: &to };
        let cut = separate(&picture, terrain, between, &costs, removed).map_err(uncut)?;
        let mut answer = told(&picture, terrain, &cut);
        (answer.from, answer.to) = (ends(&asked.from, &from), ends(&asked.to, &to));
        let empty = [(&asked.from, &from), (&asked.to, &to)];
        let empty = empty.into_iter().filter_map(|(said, nodes)| why_empty(said.trim(), nodes.len(), nodes.len()));
        answer.notes.extend(empty.chain(bounded_words(terrain)));
        Ok(Json(answer))
    };
    app.at(&caller.tenant, point.as_deref(), look).await
}

fn costs(given: &BTreeMap<String, Option<u64>>, removed: Removed) -> Result<FixCosts, Problem> {
    check_count(given.len(), MOST_COSTS, "costs")?;
    let costs: Result<Vec<FixCost>, _> = given.iter().map(|(kind, cost)| FixCost::new(kind, *cost)).collect();
    costs.and_then(|costs| FixCosts::of(&costs, removed)).map_err(|none| Problem::invalid("bad_cost", none.to_string()))
}

fn uncut(why: Uncut) -> Problem {
    if let Uncut::Unproven(flaw) = &why {
        crate::log::failure("cut", flaw);
        return Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", why.to_string());
    }
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "no_cut", why.to_string())
}

fn ends(said: &str, nodes: &[NodeIx]) -> Ends {
    Ends { selection: said.trim().to_owned(), nodes: nodes.len() }
}

fn told(picture: &Picture<'_>, terrain: &Terrain, cut: &Separation) -> CutsAnswer {
    let basis = Basis::new(picture.view);
    let is_tried = |place: usize| place < TRIED;
    let edge = |(place, change): (usize, &Change)| cut_of(picture, &basis, change, is_tried(place));
    let node = |(place, removal): (usize, &Removal)| NodeCut {
        node: NodeRef::new(picture, removal.node),
        machine: removal.machine.clone(),
        findings: is_tried(place).then(|| {
            let alteration = Alteration::RemoveNode(removal.node);
            gone_without(picture.view, picture.analysis, &[alteration]).len()
        }),
    };
    let way = |(amount, nodes): &(u64, Vec<NodeIx>)| CertificatePath {
        amount: *amount,
        nodes: nodes.iter().map(|node| NodeRef::new(picture, *node)).collect(),
        steps: steps(picture, &basis, terrain, nodes),
    };
    let nobody = || Ends { selection: String::new(), nodes: 0 };
    CutsAnswer {
        from: nobody(),
        to: nobody(),
        value: cut.cost,
        cuts: cut.changes.iter().enumerate().map(edge).collect(),
        nodes: cut.removals.iter().enumerate().map(node).collect(),
        paths: cut.proof.iter().take(WAYS).map(way).collect(),
        paths_total: cut.proof.len(),
        unavoidable: cut.unavoidable.iter().map(|node| NodeRef::new(picture, *node)).collect(),
        connected_sources: cut.connected.sources,
        connected_targets: cut.connected.targets,
        notes: Vec::new(),
    }
}

fn cut_of(picture: &Picture<'_>, basis: &Basis<'_>, change: &Change, is_tried: bool) -> Cut {
    let (source, target) = picture.ends(change.edge);
    let kind = change.edge.kind;
    let derived = composite(picture, change.edge);
    let weight = derived.map_or_else(|| basis.weight(change.edge), |derived| derived.weight);
    let hop = TrailHop { via: Via::Along(kind), from: source, to: target, weight, edge: Some(change.edge) };
    let mut edge = Step::of_hop(picture, &hop);
    edge.place = where_to_change(picture, change).map(|(file, line)| FilePlace { file, line, column: None });
    // On one machine of several an edge stays, and a derived edge goes with what it rests on: neither can be tried.
    let can_be_tried = is_tried && change.machine.is_none() && kind.is_input();
    let findings = can_be_tried.then(|| {
        let alteration = Alteration::RemoveEdge(RawEdge { kind, source, target });
        gone_without(picture.view, picture.analysis, &[alteration]).len()
    });
    Cut { edge, cost: change.cost, change: sentence(picture, change), machine: change.machine.clone(), findings }
}

/// What leads from each node of a way to the next.
fn steps(picture: &Picture<'_>, basis: &Basis<'_>, terrain: &Terrain, nodes: &[NodeIx]) -> Vec<Step> {
    let pairs = nodes.iter().zip(nodes.iter().skip(1));
    let hops = pairs.filter_map(|(from, to)| terrain.hop_between(picture, basis, *from, *to));
    hops.map(|hop| Step::of_hop(picture, &hop)).collect()
}
