//! The estate at a glance.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tracehound_analyze::Picture;
use tracehound_analyze::choke::{Best, sentence, where_to_change, without};
use tracehound_analyze::overview::Exposure;
use tracehound_graph::{Graph, Moment};
use tracehound_model::{EdgeKind, Severity, TriageState};

use super::diff::{DiffCounts, Differing, acknowledgements};
use crate::App;
use crate::api::estate_shape::{FoundPath, NodeRef};
use crate::body::Asked;
use crate::caller::Caller;
use crate::estate::{At, PastPoint, Said};
use crate::problem::Problem;

/// How many scans the trend goes back.
const TREND: usize = 30;
/// How long the trend may take in one request. What was counted is kept, so that the next request gets further.
const PATIENCE: Duration = Duration::from_secs(2);

/// Which point is summed up.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub(crate) struct SummaryAsked {
    /// The point that is looked at: a scan id, a date, a time, or `now`.
    at: Option<String>,
}

/// The estate at a glance.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct EstateSummary {
    /// How many scans there are up to the point.
    scans: usize,
    last_scan: Option<LastScan>,
    nodes: usize,
    /// Edges that were seen.
    edges: usize,
    /// Edges that were derived, also those that are counted and not written down.
    composite_edges: u64,
    nodes_by_kind: BTreeMap<String, usize>,
    edges_by_kind: BTreeMap<String, usize>,
    findings: FindingCounts,
    /// Tool servers that demand nothing of their callers.
    unauthenticated_servers: usize,
    exposure: ExposureCounts,
    /// What stood after the last scans, in their order.
    trend: Vec<TrendPoint>,
    /// Whether all of it could be counted in time; who asks again gets more.
    trend_complete: bool,
    /// The easiest paths from agents and what is marked as owned to critical resources and crown jewels, one for each end.
    worst_paths: Vec<FoundPath>,
    /// The few changes with which most critical paths, and those from what is owned or to crown jewels, are gone; nothing where there are none or too many to try.
    best_cuts: Option<BestCuts>,
    /// What the last scan changed; nothing if there is one scan only.
    changes: Option<LastChanges>,
}

/// The last scan.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct LastScan {
    scan_id: String,
    #[schema(value_type = String, format = DateTime)]
    time: Moment,
    origin: String,
}

/// How many findings there are.
#[derive(Debug, Default, Serialize, utoipa::ToSchema)]
pub(crate) struct FindingCounts {
    /// All, also those that are counted and not written down.
    total: u64,
    /// Those that are written down and that nobody lets stay.
    open: u64,
    /// Those that are counted and not written down.
    unwritten: u64,
    by_severity: BTreeMap<String, u64>,
    open_by_severity: BTreeMap<String, u64>,
    by_kind: BTreeMap<String, u64>,
    owasp_mcp: BTreeMap<String, u64>,
    owasp_asi: BTreeMap<String, u64>,
    by_status: BTreeMap<String, u64>,
}

/// How many agents get to critical resources.
#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
pub(crate) struct ExposureCounts {
    agents_reaching: usize,
    agents: usize,
    resources_reached: usize,
    resources: usize,
}

/// What stood after a scan.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct TrendPoint {
    scan_id: String,
    #[schema(value_type = String, format = DateTime)]
    time: Moment,
    nodes: usize,
    edges: usize,
    findings_by_severity: BTreeMap<String, u64>,
    exposure: ExposureCounts,
}

/// The few changes with which most critical paths are gone.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct BestCuts {
    changes: Vec<ProposedCut>,
    /// How many critical paths are gone with all of them.
    removes: usize,
    /// How many there are.
    of: usize,
    percent: f64,
}

/// An edge to be removed.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ProposedCut {
    kind: EdgeKind,
    source: NodeRef,
    target: NodeRef,
    /// What to do, as a sentence.
    change: String,
    file: Option<String>,
    line: Option<u64>,
}

/// What the last scan changed.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct LastChanges {
    /// The scan before.
    since_scan_id: String,
    graph: GraphChanges,
    findings_new: usize,
    findings_fixed: usize,
    rug_pulls: usize,
}

/// How many nodes and edges differ.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct GraphChanges {
    nodes_added: usize,
    nodes_removed: usize,
    nodes_changed: usize,
    edges_added: usize,
    edges_removed: usize,
    edges_changed: usize,
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<SummaryAsked>,
) -> Result<Json<EstateSummary>, Problem> {
    let point = asked.at.unwrap_or_else(|| "now".to_owned());
    let summary = app.at(&caller.tenant, Some(&point), |at, said| {
        let scans = at.graph.scans();
        let before = scans.len().checked_sub(2).and_then(|before| scans.get(before));
        Ok((EstateSummary::new(at, said), before.map(|scan| scan.scan_id.clone())))
    });
    let (mut summary, before) = summary.await?;
    let (trend, is_complete) = app.trend(&caller.tenant, &point, TREND, PATIENCE).await?;
    summary.trend = trend.iter().map(|(scan, stood)| TrendPoint::new(&scan.scan_id, scan.time, stood)).collect();
    summary.trend_complete = is_complete;
    if let Some(since_scan_id) = before {
        let looked_at = acknowledgements(&app, &caller, &point).await?;
        let points = (since_scan_id.clone(), point);
        let counts = app.compared(&caller.tenant, points, move |both, _| Ok(Differing::new(both, &looked_at).counts));
        summary.changes = Some(LastChanges::new(since_scan_id, &counts.await?));
    }
    Ok(Json(summary))
}

impl EstateSummary {
    fn new(at: &At<'_>, said: &Said) -> Self {
        let (graph, glance, ways) = (at.graph, at.glance(), at.ways(&said.marks));
        let picture = at.picture();
        let last = graph.scans().last();
        let derived: BTreeMap<EdgeKind, u64> =
            at.analysis.derived.iter().map(|(kind, relation)| (kind, relation.total())).collect();
        let derived_by_kind = derived.iter().filter(|(_, count)| **count > 0);
        Self {
            scans: graph.scans().len(),
            last_scan: last.map(|scan| LastScan {
                scan_id: scan.scan_id.clone(),
                time: scan.time,
                origin: scan.origin.clone(),
            }),
            nodes: graph.node_count(),
            edges: graph.edge_count(),
            composite_edges: derived.values().sum(),
            nodes_by_kind: graph.nodes_by_kind().map(|(kind, count)| (kind.name().to_owned(), count)).collect(),
            edges_by_kind: edges_by_kind(graph)
                .chain(derived_by_kind.map(|(kind, count)| (kind.name().to_owned(), *count as usize)))
                .collect(),
            findings: FindingCounts::new(at, said),
            unauthenticated_servers: glance.unauthenticated_servers,
            exposure: glance.exposure.into(),
            trend: Vec::new(),
            trend_complete: false,
            worst_paths: ways.worst_paths.iter().map(|trail| FoundPath::new(&picture, trail)).collect(),
            best_cuts: ways.best_cuts.as_ref().and_then(|best| BestCuts::new(&picture, best)),
            changes: None,
        }
    }
}

fn edges_by_kind(graph: &Graph) -> impl Iterator<Item = (String, usize)> + '_ {
    graph.edges_by_kind().map(|(kind, count)| (kind.name().to_owned(), count))
}

impl FindingCounts {
    fn new(at: &At<'_>, said: &Said) -> Self {
        let list = at.findings();
        let tally = list.tally();
        let mut counts = Self { total: tally.total, unwritten: tally.total - tally.written, ..Self::default() };
        counts.by_severity = by_severity(&tally.by_severity);
        counts.by_kind = tally.by_kind.clone();
        let mut open: BTreeMap<Severity, u64> = BTreeMap::new();
        let mut by_state: BTreeMap<TriageState, u64> = BTreeMap::new();
        for found in list.iter() {
            let state = said.state(found);
            *by_state.entry(state).or_default() += 1;
            if !state.is_suppressing() {
                *open.entry(found.severity).or_default() += 1;
            }
        }
        counts.open = open.values().sum();
        counts.open_by_severity = by_severity(&open);
        counts.by_status = by_state.into_iter().map(|(state, count)| (state.name().to_owned(), count)).collect();
        let of = |list: &str| {
            let all = at.glance().by_standard.iter().filter(|(id, _)| id.starts_with(list));
            all.map(|(id, count)| (id.clone(), *count)).collect()
        };
        counts.owasp_mcp = of("MCP");
        counts.owasp_asi = of("ASI");
        counts
    }
}

fn by_severity(counts: &BTreeMap<Severity, u64>) -> BTreeMap<String, u64> {
    counts.iter().map(|(severity, count)| (severity.name().to_owned(), *count)).collect()
}

impl From<Exposure> for ExposureCounts {
    fn from(exposure: Exposure) -> Self {
        let Exposure { agents_reaching, agents, resources_reached, resources } = exposure;
        Self { agents_reaching, agents, resources_reached, resources }
    }
}

impl TrendPoint {
    fn new(scan_id: &str, time: Moment, stood: &PastPoint) -> Self {
        Self {
            scan_id: scan_id.to_owned(),
            time,
            nodes: stood.nodes,
            edges: stood.edges,
            findings_by_severity: by_severity(&stood.by_severity),
            exposure: stood.exposure.into(),
        }
    }
}

impl BestCuts {
    #[expect(clippy::cast_precision_loss, reason = "a percentage of findings that are counted in thousands")]
    fn new(picture: &Picture<'_>, best: &Best) -> Option<Self> {
        if best.edges.is_empty() {
            return None;
        }
        let cut = |edge: &tracehound_analyze::derived::RawEdge| {
            let change = without(picture, *edge)?;
            let (file, line) = where_to_change(picture, &change).unzip();
            Some(ProposedCut {
                kind: edge.kind,
                source: NodeRef::new(picture, edge.source),
                target: NodeRef::new(picture, edge.target),
                change: sentence(picture, &change),
                file,
                line: line.flatten(),
            })
        };
        let changes = best.edges.iter().filter_map(cut).collect();
        let percent = best.removes as f64 * 100.0 / best.of.max(1) as f64;
        Some(Self { changes, removes: best.removes, of: best.of, percent })
    }
}

impl LastChanges {
    fn new(since_scan_id: String, counts: &DiffCounts) -> Self {
        Self {
            since_scan_id,
            graph: GraphChanges {
                nodes_added: counts.nodes_added,
                nodes_removed: counts.nodes_removed,
                nodes_changed: counts.nodes_changed,
                edges_added: counts.edges_added,
                edges_removed: counts.edges_removed,
                edges_changed: counts.edges_changed,
            },
            findings_new: counts.findings_new,
            findings_fixed: counts.findings_fixed,
            rug_pulls: counts.rug_pulls,
        }
    }
}
