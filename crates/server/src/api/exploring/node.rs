//! Everything about one node.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::Value;
use tracehound_analyze::scores::explain;
use tracehound_analyze::words::place;
use tracehound_graph::{Moment, NodeIx, Rewrite, View as _};
use tracehound_model::{EdgeKind, Mark, NodeKind, WATCHED_HASHES};

use super::Point;
use super::told::{mark_of, rows};
use crate::App;
use crate::api::estate_shape::{FilePlace, FindingRow, ScanRef, find_node};
use crate::body::{Asked, Path};
use crate::caller::Caller;
use crate::estate::{At, Said};
use crate::problem::Problem;

/// Findings that are told with a node; the list of findings has them all.
const FINDINGS: usize = 200;
/// Scans that are told with a node, the latest first.
const SCANS: usize = 200;
/// Edges that are looked at for where a node is set up.
const LOOKED_AT: usize = 1_000;

/// Everything about a node.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct NodeDetail {
    pub(crate) id: String,
    pub(crate) kind: NodeKind,
    /// Everything that it is called, its own kind first.
    pub(crate) kinds: Vec<NodeKind>,
    /// What people call it.
    pub(crate) name: String,
    /// What was seen of it, and what analysis wrote on it.
    #[schema(value_type = std::collections::HashMap<String, Value>)]
    pub(crate) properties: BTreeMap<String, Value>,
    /// Marked as held by an attacker.
    pub(crate) owned: bool,
    /// Marked as what matters most.
    pub(crate) crown_jewel: bool,
    /// Kinds that are no danger have none.
    pub(crate) score: Option<NodeScore>,
    /// The worst findings in which it is a party.
    pub(crate) findings: Vec<FindingRow>,
    /// How many there are.
    pub(crate) findings_total: usize,
    /// How many edges of each kind it has.
    pub(crate) connections: Vec<Connection>,
    pub(crate) history: NodeHistory,
    /// The machines whose scans saw it.
    pub(crate) origins: Vec<String>,
    /// Where it is set up.
    pub(crate) place: Option<FilePlace>,
}

/// How dangerous a node is, and why.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct NodeScore {
    /// From 0 to 100.
    pub(crate) value: f64,
    /// The weightiest first.
    pub(crate) components: Vec<ScoreComponent>,
}

/// Part of a score.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct ScoreComponent {
    pub(crate) name: String,
    /// From 0 to 100.
    pub(crate) value: f64,
    /// What it is worth; the weights of all components add up to 1.
    pub(crate) weight: f64,
    /// Why it has this value.
    pub(crate) reason: String,
}

/// How many edges of a kind a node has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct Connection {
    pub(crate) kind: EdgeKind,
    /// Whether they start or end here.
    pub(crate) direction: End,
    /// Also those that are true but not written down.
    pub(crate) count: u64,
}

/// At which end of an edge a node stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = EdgeEnd)]
#[serde(rename_all = "lowercase")]
pub(crate) enum End {
    /// It ends here.
    In,
    /// It starts here.
    Out,
}

/// When scans saw a node, and how its contents changed.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct NodeHistory {
    /// How many scans saw it.
    pub(crate) scans: usize,
    pub(crate) first: Option<ScanRef>,
    pub(crate) last: Option<ScanRef>,
    /// The latest first, and not more than 200.
    pub(crate) seen: Vec<Seen>,
    /// Contents that rewrote themselves and that nobody has acknowledged.
    pub(crate) changes: Vec<NodeRewrite>,
}

/// That a scan saw a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct Seen {
    pub(crate) scan_id: String,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) time: Moment,
    /// The machine that the scan spoke for, if it named one.
    pub(crate) origin: Option<String>,
    /// Whether it was the first to see a change that nobody has acknowledged.
    pub(crate) changed: bool,
}

/// A content that is not what it was.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct NodeRewrite {
    /// The node.
    pub(crate) id: String,
    pub(crate) name: String,
    /// The property whose text changed.
    pub(crate) content: String,
    /// The text before, as far as it was seen.
    pub(crate) before: Option<String>,
    /// The text after.
    pub(crate) after: Option<String>,
    /// The scan that saw it changed first.
    pub(crate) scan_id: String,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) time: Moment,
    /// The last scan that saw what somebody has looked at, or what was there at first.
    pub(crate) since_scan_id: String,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) since: Moment,
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(name): Path<String>,
    Asked(point): Asked<Point>,
) -> Result<Json<NodeDetail>, Problem> {
    let look = move |at: &At<'_>, said: &Said| {
        let node = find_node(&at.picture(), &name)?;
        Ok(Json(detail(at, said, node)))
    };
    app.at(&caller.tenant, point.at.as_deref(), look).await
}

fn detail(at: &At<'_>, said: &Said, node: NodeIx) -> NodeDetail {
    let picture = at.picture();
    let id = picture.id(node).into_owned();
    let mark = mark_of(&said.marks, &id);
    let (findings, findings_total) = rows(at, said, FINDINGS, |found| found.source == node || found.target == node);
    let (own, labels) = (picture.kind(node), picture.labels(node));
    let others = NodeKind::ALL.iter().copied().filter(|kind| labels & kind.bit() != 0 && *kind != own);
    NodeDetail {
        kind: own,
        kinds: std::iter::once(own).chain(others).collect(),
        name: picture.name(node).into_owned(),
        properties: properties(at, node),
        owned: mark == Some(Mark::Owned),
        crown_jewel: mark == Some(Mark::CrownJewel),
        score: score(at, node),
        findings,
        findings_total,
        connections: connections(at, node),
        history: history(at, node, &id),
        origins: at.listing().origins(node).to_vec(),
        place: set_up_in(at, node),
        id,
    }
}

fn properties(at: &At<'_>, node: NodeIx) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    if (node.0 as usize) < at.graph.node_count() {
        let seen = at.graph.node(node).properties();
        all.extend(seen.into_iter().map(|(key, value)| (key.to_owned(), value.to_json())));
        all.extend(at.analysis.properties.of(node).map(|(key, value)| (key.to_owned(), value.to_json())));
    } else {
        let made_up = at.analysis.nodes.get(node.0 as usize - at.graph.node_count());
        let properties = made_up.into_iter().flat_map(|made_up| made_up.properties.iter());
        all.extend(properties.map(|(key, value)| (key.to_string(), value.to_json())));
    }
    all
}

fn score(at: &At<'_>, node: NodeIx) -> Option<NodeScore> {
    let score = explain(&at.picture(), node)?;
    let component = |part: tracehound_analyze::scores::Part| ScoreComponent {
        name: part.name.to_owned(),
        value: part.value,
        weight: part.weight,
        reason: part.why,
    };
    Some(NodeScore { value: score.total, components: score.parts.into_iter().map(component).collect() })
}

fn connections(at: &At<'_>, node: NodeIx) -> Vec<Connection> {
    let picture = at.picture();
    let mut all = Vec::new();
    for kind in EdgeKind::ALL.iter().copied() {
        let starting = if kind.is_input() {
            picture.outgoing(kind, node).len() as u64
        } else {
            at.analysis.derived.of(kind).count(node)
        };
        let ending = picture.incoming(kind, node).len() as u64;
        let counts = [(End::Out, starting), (End::In, ending)];
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        all.extend(counts.map(|(direction, count)| Connection { kind, direction, count }));
    }
    all
}

fn history(at: &At<'_>, node: NodeIx, id: &str) -> NodeHistory {
    let rewrites = at.graph.rewrites().filter(|rewrite| rewrite.change.id.as_str() == id);
    let changes: Vec<NodeRewrite> = rewrites.map(|rewrite| told(&rewrite)).collect();
    let scans = if (node.0 as usize) < at.graph.node_count() { at.graph.node(node).scans() } else { Vec::new() };
    let scan_ref = |scan: &std::sync::Arc<tracehound_graph::ScanRecord>| ScanRef::from(&**scan);
    let seen = scans.iter().rev().take(SCANS).map(|scan| Seen {
        scan_id: scan.scan_id.clone(),
        time: scan.time,
        origin: Some(scan.origin.clone()).filter(|origin| !origin.is_empty()),
        changed: changes.iter().any(|change| change.scan_id == scan.scan_id),
    });
    NodeHistory {
        scans: scans.len(),
        first: scans.first().map(scan_ref),
        last: scans.last().map(scan_ref),
        seen: seen.collect(),
        changes,
    }
}

fn told(rewrite: &Rewrite<'_>) -> NodeRewrite {
    let change = rewrite.change;
    let watched = WATCHED_HASHES.iter().find(|watched| watched.hash == change.property);
    let content = watched.map_or(change.property, |watched| watched.content);
    let text = |value: Option<tracehound_graph::PropertyValue<'_>>| {
        let value = value?;
        Some(value.as_text().map_or_else(|| value.to_json().to_string(), str::to_owned))
    };
    NodeRewrite {
        id: change.id.as_str().to_owned(),
        name: change.name.clone(),
        content: content.to_owned(),
        before: text(rewrite.before(content)),
        after: text(rewrite.after(content)),
        scan_id: change.scan_id.clone(),
        time: change.time,
        since_scan_id: change.since_scan_id.clone(),
        since: change.since,
    }
}

/// Where a node is set up: where it says that it is configured, else where an edge to it stands, else its own file.
fn set_up_in(at: &At<'_>, node: NodeIx) -> Option<FilePlace> {
    let picture = at.picture();
    let configured = picture.outgoing(EdgeKind::ConfiguredIn, node).take(LOOKED_AT);
    let to_it = EdgeKind::observed().flat_map(|kind| picture.incoming(kind, node).take(LOOKED_AT));
    let mut edges = configured.chain(to_it).map(|(_, edge)| edge);
    let found = edges.find_map(|edge| place(&picture, edge));
    let own = || {
        let mut paths = ["config_path", "path"].into_iter().filter_map(|key| picture.property(node, key));
        Some((paths.next()?.as_text()?.to_owned(), None))
    };
    found.or_else(own).map(|(file, line)| FilePlace { file, line, column: None })
}
