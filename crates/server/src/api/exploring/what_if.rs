//! What if: the estate without some edges and nodes or with other properties, compared with what it is. Nothing is stored.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tracehound_analyze::Picture;
use tracehound_analyze::findings::{Found, List};
use tracehound_analyze::naming::Selection;
use tracehound_analyze::terrain::{Shortcuts, Terrain};
use tracehound_analyze::walk::Walk;
use tracehound_analyze::what_if::{Alteration, Compared, Rescored, property_value, seen_edge, what_if};
use tracehound_graph::{NodeIx, View as _};

use super::paths::{Chosen, MOST, Order, Sought, USUAL, answer, max_hops};
use super::shape::{PathsAnswer, ScoreChange};
use super::told::status_of;
use super::{check_count, choose, one_edge_kind, within};
use crate::App;
use crate::api::estate_shape::{FindingRow, NodeRef, find_node};
use crate::body::Body;
use crate::caller::Caller;
use crate::estate::{At, Said};
use crate::problem::Problem;

/// Alterations of each sort.
const MOST_ALTERATIONS: usize = 100;
/// Findings and scores that are told of each sort; how many there are is told exactly.
const TOLD: usize = 500;
/// The longest key of a property.
const LONGEST_KEY: usize = 256;

/// What is to be different.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhatIfAsked {
    /// Without these edges; only edges that were seen can be taken out.
    #[serde(default)]
    remove_edges: Vec<NamedEdge>,
    /// Without these nodes and all their edges.
    #[serde(default)]
    remove_nodes: Vec<String>,
    /// With other values of nodes' properties.
    #[serde(default)]
    set: Vec<NodeSetting>,
    /// With other values of edges' properties.
    #[serde(default)]
    set_edges: Vec<EdgeSetting>,
    /// Where the paths that are compared begin.
    #[serde(default)]
    from: Option<String>,
    /// Where they end.
    #[serde(default)]
    to: Option<String>,
    /// How many paths are compared, up to 100.
    #[serde(default)]
    k: Option<usize>,
    /// What makes a path good.
    #[serde(default)]
    by: Order,
    /// Only paths of at most so many hops, up to 1,000.
    #[serde(default)]
    max_hops: Option<usize>,
    /// A scan id, a time, a date or `now`; the present if nothing is said.
    #[serde(default)]
    at: Option<String>,
}

/// An edge, by names or ids.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedEdge {
    source: String,
    kind: String,
    target: String,
}

/// Another value of a node's property.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NodeSetting {
    node: String,
    property: String,
    /// True, false, a number, a text or a list of these; null takes the property away.
    value: Value,
}

/// Another value of an edge's property.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EdgeSetting {
    edge: NamedEdge,
    property: String,
    /// True, false, a number, a text or a list of these; null takes the property away.
    value: Value,
}

/// What would be different.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct WhatIfAnswer {
    /// All findings as it is, also those that are counted but not written down.
    pub(crate) findings_before: u64,
    /// All findings as it would be.
    pub(crate) findings_after: u64,
    /// Findings that would be gone, the worst first; not more than 500.
    pub(crate) gone: Vec<FindingRow>,
    pub(crate) gone_total: usize,
    /// Findings that would be new, the worst first; not more than 500.
    pub(crate) appeared: Vec<FindingRow>,
    pub(crate) appeared_total: usize,
    /// Findings that would be there but differ, the worst first; not more than 500.
    pub(crate) changed: Vec<FindingRow>,
    pub(crate) changed_total: usize,
    /// Derived edges that would not follow any more.
    pub(crate) edges_gone: usize,
    /// Derived edges that would follow besides.
    pub(crate) edges_appeared: usize,
    /// Scores that would differ, those that change most first; not more than 500.
    pub(crate) scores: Vec<ScoreChange>,
    pub(crate) scores_total: usize,
    /// The paths as it is, if both ends were named.
    pub(crate) paths_before: Option<PathsAnswer>,
    /// The paths as it would be.
    pub(crate) paths_after: Option<PathsAnswer>,
}

pub(crate) async fn find(
    State(app): State<App>,
    caller: Caller,
    Body(asked): Body<WhatIfAsked>,
) -> Result<Json<WhatIfAnswer>, Problem> {
    check(&asked)?;
    let sought =
        Sought { by: asked.by.by(), max_hops: max_hops(asked.max_hops)?, count: within(asked.k, USUAL, MOST, "k")? };
    let point = asked.at.clone();
    let look = move |at: &At<'_>, said: &Said| {
        let alterations = alterations(at, &asked)?;
        let (altered, analysis) = what_if(at.graph, at.analysis, &alterations);
        let (before, after) = (at.picture(), Picture::new(&altered, &analysis));
        let list = List::new(after, at.rules);
        let compared = Compared::new((&before, at.findings()), (&after, &list));
        let mut answer = told(at, said, &list, &compared);
        if let (Some(from), Some(to)) = (&asked.from, &asked.to) {
            let terrain = Terrain::new(&after, Shortcuts::No);
            let chosen = [choose(at, said, from)?, choose(at, said, to)?];
            let named = [from.as_str(), to.as_str()];
            let left = [0, 1].map(|end: usize| left(said, &after, named.get(end), chosen.get(end)));
            answer.paths_before = Some(paths(&before, at.terrain(Shortcuts::No), named, chosen, sought));
            answer.paths_after = Some(paths(&after, &terrain, named, left, sought));
        }
        Ok(Json(answer))
    };
    app.at(&caller.tenant, point.as_deref(), look).await
}

fn check(asked: &WhatIfAsked) -> Result<(), Problem> {
    let lists = [asked.remove_edges.len(), asked.remove_nodes.len(), asked.set.len(), asked.set_edges.len()];
    lists.into_iter().try_for_each(|count| check_count(count, MOST_ALTERATIONS, "alterations of a sort"))?;
    if lists.iter().all(|count| *count == 0) {
        return Err(Problem::invalid("nothing_altered", "say what is to be different: nothing is"));
    }
    if asked.from.is_some() != asked.to.is_some() {
        return Err(Problem::invalid("one_end", "paths need both `from` and `to`"));
    }
    Ok(())
}

/// Everything that is to be different. Whatever names nothing of the estate is refused.
fn alterations(at: &At<'_>, asked: &WhatIfAsked) -> Result<Vec<Alteration>, Problem> {
    let edge = |named: &NamedEdge| {
        let kind = one_edge_kind(&named.kind)?;
        let (source, target) = (find_node(at.graph, &named.source)?, find_node(at.graph, &named.target)?);
        seen_edge(at.graph, kind, source, target).map_err(|why| Problem::invalid("bad_edge", why.to_string()))
    };
    let value = |property: &String, value: &Value| {
        if property.is_empty() || property.len() > LONGEST_KEY {
            let detail = format!("the name of a property has 1 to {LONGEST_KEY} bytes");
            return Err(Problem::invalid("bad_property", detail));
        }
        let value = property_value(value).map_err(|why| Problem::invalid("bad_value", why.to_string()))?;
        Ok((property.clone(), value))
    };
    let mut all = Vec::new();
    for text in &asked.remove_nodes {
        all.push(Alteration::RemoveNode(find_node(at.graph, text)?));
    }
    for named in &asked.remove_edges {
        all.push(Alteration::RemoveEdge(edge(named)?));
    }
    for setting in &asked.set {
        let (key, value) = value(&setting.property, &setting.value)?;
        all.push(Alteration::SetNode(find_node(at.graph, &setting.node)?, key, value));
    }
    for setting in &asked.set_edges {
        let (key, value) = value(&setting.property, &setting.value)?;
        all.push(Alteration::SetEdge(edge(&setting.edge)?, key, value));
    }
    Ok(all)
}

/// The nodes that an end means in the altered estate. Single names are those of the estate as it is, so that a node that is
/// taken out is no unknown name.
fn left(said: &Said, after: &Picture<'_>, text: Option<&&str>, before: Option<&Vec<NodeIx>>) -> Vec<NodeIx> {
    let meant = text.and_then(|text| Selection::parse(text).nodes(after, &said.marks).ok());
    let mut nodes = meant.or_else(|| before.cloned()).unwrap_or_default();
    nodes.retain(|node| after.has(*node));
    nodes
}

fn paths(
    picture: &Picture<'_>,
    terrain: &Terrain,
    [from, to]: [&str; 2],
    [sources, targets]: [Vec<NodeIx>; 2],
    sought: Sought,
) -> PathsAnswer {
    let walk = Walk::everywhere(terrain);
    answer(picture, &walk, &[Chosen::new(&walk, from, sources), Chosen::new(&walk, to, targets)], sought)
}

fn told<'b, 'a>(at: &At<'b>, said: &Said, list: &List<'a>, compared: &Compared<'b, 'a>) -> WhatIfAnswer {
    let picture = at.picture();
    let mut scores: Vec<&Rescored> = compared.scores.iter().collect();
    let by = |score: &Rescored| (score.before.unwrap_or(0.0) - score.after.unwrap_or(0.0)).abs();
    scores.sort_by(|one, other| by(other).total_cmp(&by(one)).then(one.node.cmp(&other.node)));
    let score = |score: &&Rescored| ScoreChange {
        node: NodeRef::new(&picture, score.node),
        before: score.before,
        after: score.after,
    };
    let changed: Vec<Found<'a>> = compared.findings_changed.iter().map(|(found, _)| *found).collect();
    WhatIfAnswer {
        findings_before: at.findings().tally().total,
        findings_after: list.tally().total,
        gone: rows(at.findings(), said, &compared.findings_gone),
        gone_total: compared.findings_gone.len(),
        appeared: rows(list, said, &compared.findings_new),
        appeared_total: compared.findings_new.len(),
        changed: rows(list, said, &changed),
        changed_total: changed.len(),
        edges_gone: compared.edges_gone.len(),
        edges_appeared: compared.edges_new.len(),
        scores: scores.iter().take(TOLD).map(score).collect(),
        scores_total: compared.scores.len(),
        paths_before: None,
        paths_after: None,
    }
}

fn rows<'l>(list: &List<'l>, said: &Said, found: &[Found<'l>]) -> Vec<FindingRow> {
    let row = |found: &Found<'l>| FindingRow::new(list, found, status_of(said, found), None);
    found.iter().take(TOLD).filter_map(row).collect()
}
