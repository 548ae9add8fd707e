//! What differs between two points.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tracehound_analyze::findings::{Fate, Found, List};
use tracehound_graph::{
    Acknowledgement, Change, Changed, Difference, EdgeSummary, Graph, Moment, NodeSummary, PropertyChange,
    PropertyValue, Rewrite, View as _,
};
use tracehound_model::{EdgeKind, Severity, WATCHED_HASHES};

use super::MOST;
use crate::App;
use crate::api::estate_shape::{FindingRow, NodeRef};
use crate::body::Asked;
use crate::caller::Caller;
use crate::estate::{Compared, Said};
use crate::problem::Problem;

/// How many entries of each list are usual.
const USUAL: usize = 200;

/// Which points are compared.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub(crate) struct DiffAsked {
    /// The point that is compared with: a scan id, a date, a time, or `now`.
    from: String,
    /// The point that is looked at; `now` if nothing is said.
    to: Option<String>,
    /// How many entries of each list; 1,000 at most.
    limit: Option<usize>,
}

/// What differs between two points. Lists hold as many entries as were asked for; counts are exact.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct EstateDiff {
    from: DiffPoint,
    to: DiffPoint,
    counts: DiffCounts,
    nodes: Vec<NodeDiff>,
    edges: Vec<EdgeDiff>,
    findings: Vec<FindingDiff>,
    rug_pulls: Vec<RugPull>,
    /// Whether a list is shorter than its count.
    truncated: bool,
}

/// A point in the life of an estate.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct DiffPoint {
    /// As it was asked for.
    point: String,
    /// The last scan before it, if there is one.
    scan_id: Option<String>,
    /// When that scan was.
    #[schema(value_type = Option<String>, format = DateTime)]
    time: Option<Moment>,
}

/// How many things differ.
#[derive(Debug, Default, Clone, Serialize, utoipa::ToSchema)]
pub(crate) struct DiffCounts {
    pub(super) nodes_added: usize,
    pub(super) nodes_removed: usize,
    pub(super) nodes_changed: usize,
    pub(super) edges_added: usize,
    pub(super) edges_removed: usize,
    pub(super) edges_changed: usize,
    pub(super) findings_new: usize,
    pub(super) findings_fixed: usize,
    pub(super) findings_changed: usize,
    pub(super) findings_persisting: usize,
    pub(super) findings_reopened: usize,
    pub(super) rug_pulls: usize,
}

/// How something differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ChangeName {
    Added,
    Removed,
    Changed,
}

/// A node that differs.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct NodeDiff {
    #[schema(inline)]
    change: ChangeName,
    node: NodeRef,
    properties: Vec<PropertyDiff>,
}

/// An edge that differs.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct EdgeDiff {
    #[schema(inline)]
    change: ChangeName,
    kind: EdgeKind,
    source: NodeRef,
    target: NodeRef,
    properties: Vec<PropertyDiff>,
}

/// A property that differs.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct PropertyDiff {
    name: String,
    /// What it was; nothing when it is new.
    before: Option<Value>,
    /// What it is; nothing when it is gone.
    after: Option<Value>,
}

/// How a finding differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FindingChange {
    New,
    Reopened,
    Changed,
    Fixed,
}

/// A finding that differs.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct FindingDiff {
    #[schema(inline)]
    change: FindingChange,
    finding: FindingRow,
    /// How bad it was, if that differs.
    #[schema(inline)]
    before_severity: Option<Severity>,
    /// Whether it rests on another path.
    other_path: bool,
}

/// A content that rewrote itself.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct RugPull {
    node: NodeRef,
    /// The property whose content changed.
    property: String,
    before: Option<String>,
    after: Option<String>,
    /// When the scan was that saw it first.
    #[schema(value_type = String, format = DateTime)]
    time: Moment,
    scan_id: String,
    /// The scan that it is compared with.
    since_scan_id: Option<String>,
    /// Whether somebody has looked at it.
    acknowledged: bool,
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<DiffAsked>,
) -> Result<Json<EstateDiff>, Problem> {
    let to = asked.to.unwrap_or_else(|| "now".to_owned());
    let limit = asked.limit.unwrap_or(USUAL).clamp(1, MOST);
    let looked_at = acknowledgements(&app, &caller, &to).await?;
    let points = (asked.from.clone(), to.clone());
    let from = asked.from;
    let diff = app.compared(&caller.tenant, points, move |both, said| {
        let all = Differing::new(both, &looked_at);
        let counts = all.counts.clone();
        let nodes = all.nodes(limit);
        let edges = all.edges(limit);
        let findings = findings(both, said, limit);
        let rug_pulls: Vec<RugPull> = all.rug_pulls.into_iter().take(limit).collect();
        let truncated = nodes.len() < counts.nodes_added + counts.nodes_removed + counts.nodes_changed
            || edges.len() < counts.edges_added + counts.edges_removed + counts.edges_changed
            || findings.len() < counts.findings_listed()
            || rug_pulls.len() < counts.rug_pulls;
        let (from, to) = (DiffPoint::new(from, both.then.graph), DiffPoint::new(to, both.now.graph));
        Ok(EstateDiff { from, to, counts, nodes, edges, findings, rug_pulls, truncated })
    });
    diff.await.map(Json)
}

/// The changes that people had looked at by a point.
pub(super) async fn acknowledgements(app: &App, caller: &Caller, point: &str) -> Result<Vec<Acknowledgement>, Problem> {
    let point = point.to_owned();
    let looked_at = app.estate(&caller.tenant, move |estate| {
        let moment = estate.moment_of(&estate.point(&point)?)?;
        estate.acknowledgements(moment)
    });
    looked_at.await
}

/// Everything that differs.
pub(super) struct Differing {
    pub(super) counts: DiffCounts,
    difference: Difference,
    rug_pulls: Vec<RugPull>,
}

impl Differing {
    pub(super) fn new(both: &Compared<'_, '_, '_>, looked_at: &[Acknowledgement]) -> Self {
        let (then, now) = (both.then.graph, both.now.graph);
        let difference = Difference::between(then, now);
        let rug_pulls = rug_pulls(then, now, &difference, looked_at);
        let fates = both.lifecycle.counts();
        let of = |fate: Fate| fates.get(&fate).copied().unwrap_or(0);
        let counts = DiffCounts {
            nodes_added: difference.nodes_added.len(),
            nodes_removed: difference.nodes_removed.len(),
            nodes_changed: difference.nodes_changed.len(),
            edges_added: difference.edges_added.len(),
            edges_removed: difference.edges_removed.len(),
            edges_changed: difference.edges_changed.len(),
            findings_new: of(Fate::New),
            findings_fixed: of(Fate::Fixed),
            findings_changed: both.lifecycle.altered_count(),
            findings_persisting: of(Fate::Persisting),
            findings_reopened: of(Fate::Reopened),
            rug_pulls: rug_pulls.len(),
        };
        Self { counts, difference, rug_pulls }
    }

    fn nodes(&self, limit: usize) -> Vec<NodeDiff> {
        let plain = |change| move |node: &NodeSummary| NodeDiff { change, node: node.into(), properties: Vec::new() };
        let changed = |changed: &Changed<NodeSummary>| NodeDiff {
            change: ChangeName::Changed,
            node: (&changed.what).into(),
            properties: changed.properties.iter().map(PropertyDiff::from).collect(),
        };
        let added = self.difference.nodes_added.iter().map(plain(ChangeName::Added));
        let removed = self.difference.nodes_removed.iter().map(plain(ChangeName::Removed));
        let changed = self.difference.nodes_changed.iter().map(changed);
        added.chain(removed).chain(changed).take(limit).collect()
    }

    fn edges(&self, limit: usize) -> Vec<EdgeDiff> {
        let plain = |change| move |edge: &EdgeSummary| EdgeDiff::new(change, edge, &[]);
        let changed = |it: &Changed<EdgeSummary>| EdgeDiff::new(ChangeName::Changed, &it.what, &it.properties);
        let added = self.difference.edges_added.iter().map(plain(ChangeName::Added));
        let removed = self.difference.edges_removed.iter().map(plain(ChangeName::Removed));
        added.chain(removed).chain(self.difference.edges_changed.iter().map(changed)).take(limit).collect()
    }
}

impl DiffCounts {
    /// How many findings a list of all that differ holds.
    const fn findings_listed(&self) -> usize {
        self.findings_new + self.findings_fixed + self.findings_changed + self.findings_reopened
    }
}

/// Findings that came, came back, differ or went, the worst of each first.
fn findings(both: &Compared<'_, '_, '_>, said: &Said, limit: usize) -> Vec<FindingDiff> {
    let mut all = Vec::new();
    for (change, fate) in [
        (FindingChange::New, Fate::New),
        (FindingChange::Reopened, Fate::Reopened),
        (FindingChange::Changed, Fate::Persisting),
        (FindingChange::Fixed, Fate::Fixed),
    ] {
        let list = if fate == Fate::Fixed { both.then.findings() } else { both.now.findings() };
        let is_altered = |found: &Found<'_>| both.lifecycle.altered(&found.fingerprint).is_some();
        let is_meant = |found: &&Found<'_>| {
            both.lifecycle.of(&found.fingerprint) == Some(fate)
                && (change != FindingChange::Changed || is_altered(found))
        };
        let room = limit.saturating_sub(all.len());
        all.extend(
            list.iter().filter(is_meant).filter_map(|found| shown(both, said, (list, found), change)).take(room),
        );
    }
    all
}

fn shown<'a>(
    both: &Compared<'_, '_, '_>,
    said: &Said,
    (list, found): (&List<'a>, &Found<'a>),
    change: FindingChange,
) -> Option<FindingDiff> {
    let altered = both.lifecycle.altered(&found.fingerprint);
    Some(FindingDiff {
        change,
        finding: FindingRow::new(list, found, said.state(found), both.lifecycle.of(&found.fingerprint))?,
        before_severity: altered.and_then(|altered| altered.severity_was),
        other_path: altered.is_some_and(|altered| altered.other_path),
    })
}

/// Contents that rewrote themselves between two points: those that nobody has looked at, then those that somebody has.
fn rug_pulls(then: &Graph, now: &Graph, difference: &Difference, looked_at: &[Acknowledgement]) -> Vec<RugPull> {
    let is_older = |rewrite: &Rewrite<'_>| {
        let change = rewrite.change;
        let is_same =
            |it: &Change| (&it.id, it.property, &it.scan_id) == (&change.id, change.property, &change.scan_id);
        then.changes().iter().any(is_same)
    };
    let mut all: Vec<RugPull> =
        now.rewrites().filter(|it| !is_older(it)).filter_map(|it| RugPull::of_rewrite(now, &it)).collect();
    let last = then.scans().last();
    let mut seen: BTreeMap<(&str, &str), &Acknowledgement> = BTreeMap::new();
    for it in looked_at.iter().filter(|it| last.is_none_or(|last| it.time > last.time)) {
        seen.insert((&it.node, &it.property), it);
    }
    for changed in &difference.nodes_changed {
        for watched in WATCHED_HASHES {
            let has_changed = changed.properties.iter().any(|property| property.key == watched.hash);
            let is_open = now.changes().iter().any(|it| it.id == changed.what.id && it.property == watched.hash);
            let Some(it) = seen.get(&(changed.what.id.as_str(), watched.hash)).filter(|_| has_changed && !is_open)
            else {
                continue;
            };
            let content = changed.properties.iter().find(|property| property.key == watched.content);
            let text = |value: Option<&Value>| value.and_then(Value::as_str).map(ToOwned::to_owned);
            all.push(RugPull {
                node: (&changed.what).into(),
                property: watched.content.to_owned(),
                before: text(content.and_then(|content| content.before.as_ref())),
                after: text(content.and_then(|content| content.after.as_ref())),
                time: it.time,
                scan_id: it.scan_id.clone(),
                since_scan_id: last.map(|scan| scan.scan_id.clone()),
                acknowledged: true,
            });
        }
    }
    all
}

impl RugPull {
    fn of_rewrite(graph: &Graph, rewrite: &Rewrite<'_>) -> Option<Self> {
        let change = rewrite.change;
        let watched = WATCHED_HASHES.iter().find(|watched| watched.hash == change.property);
        let content = watched.map_or(change.property, |watched| watched.content);
        let text = |value: Option<PropertyValue<'_>>| value.and_then(|value| value.as_text().map(ToOwned::to_owned));
        Some(Self {
            node: NodeRef::new(graph, graph.find(change.id.as_str())?),
            property: content.to_owned(),
            before: text(rewrite.before(content)),
            after: text(rewrite.after(content)),
            time: change.time,
            scan_id: change.scan_id.clone(),
            since_scan_id: Some(change.since_scan_id.clone()),
            acknowledged: false,
        })
    }
}

impl DiffPoint {
    fn new(point: String, graph: &Graph) -> Self {
        let last = graph.scans().last();
        Self { point, scan_id: last.map(|scan| scan.scan_id.clone()), time: last.map(|scan| scan.time) }
    }
}

impl EdgeDiff {
    fn new(change: ChangeName, edge: &EdgeSummary, properties: &[PropertyChange]) -> Self {
        Self {
            change,
            kind: edge.kind,
            source: (&edge.source).into(),
            target: (&edge.target).into(),
            properties: properties.iter().map(PropertyDiff::from).collect(),
        }
    }
}

impl From<&NodeSummary> for NodeRef {
    fn from(node: &NodeSummary) -> Self {
        Self { id: node.id.as_str().to_owned(), kind: node.kind, name: node.name.clone() }
    }
}

impl From<&PropertyChange> for PropertyDiff {
    fn from(change: &PropertyChange) -> Self {
        Self { name: change.key.clone(), before: change.before.clone(), after: change.after.clone() }
    }
}
