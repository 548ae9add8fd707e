//! Incidents and alerts, and what is done to stop an agent.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tracehound_evidence::decision::Page;
use tracehound_evidence::incident::{Alert, Containment, ContainmentKind, Incident, IncidentStatus, Severity};
use tracehound_evidence::reading::IncidentFilter;
use tracehound_evidence::{Moment, Order};

use crate::App;
use crate::api::{Paging, Why};
use crate::body::{Asked, Body, Path};
use crate::caller::Caller;
use crate::problem::Problem;

/// Most sources that are listed with an incident; the graph gives the others in pages.
const MOST_SOURCES: i64 = 1_000;
/// Longest reason, in bytes.
const LONGEST_REASON: usize = 2_000;

/// Which incidents are asked for.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub(crate) struct Filter {
    #[param(inline)]
    status: Option<IncidentStatus>,
    #[param(inline)]
    severity: Option<Severity>,
    /// About this agent, by id or key.
    agent_id: Option<String>,
    /// Of this kind.
    kind: Option<String>,
    /// Where the page before ended: its `next_cursor`.
    cursor: Option<String>,
    /// How many.
    limit: Option<usize>,
}

pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<Filter>,
) -> Result<Json<Page<Incident>>, Problem> {
    let slice = Paging { cursor: asked.cursor, limit: asked.limit }.slice();
    let agent_id = asked.agent_id.map(|name| agent_id(&app, &caller, name));
    let filter = IncidentFilter { status: asked.status, severity: asked.severity, agent_id, kind: asked.kind };
    app.read(move |evidence| evidence.incidents(&caller.tenant, &filter, &slice)).await.map(Json)
}

/// An agent may be named by its key, too.
fn agent_id(app: &App, caller: &Caller, name: String) -> String {
    app.evidence().registry().agent_called(&caller.tenant, &name).map_or(name, |agent| agent.id.clone())
}

/// An incident with the decisions behind it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct IncidentWithSources {
    #[serde(flatten)]
    incident: Incident,
    decision_ids: Vec<String>,
    source_event_ids: Vec<String>,
    /// How many events are on record for it.
    listed_event_count: u64,
    /// Whether there are more events than are listed here.
    truncated: bool,
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<IncidentWithSources>, Problem> {
    let found = app.read(move |evidence| {
        let Some(incident) = evidence.incident(&caller.tenant, &id)? else { return Ok(None) };
        let (sources, listed) = evidence.incident_sources(&caller.tenant, &id, 0, MOST_SOURCES)?;
        Ok(Some((incident, sources, listed)))
    });
    let (incident, sources, listed) = found.await?.ok_or_else(|| Problem::unknown("Incident"))?;
    Ok(Json(IncidentWithSources {
        truncated: incident.event_count > sources.len() as u64,
        incident,
        decision_ids: sources.iter().filter_map(|source| source.decision_id.clone()).collect(),
        source_event_ids: sources.into_iter().map(|source| source.event_id).collect(),
        listed_event_count: listed,
    }))
}

fn check_reason(reason: &str) -> Result<(), Problem> {
    if reason.trim().is_empty() || reason.len() > LONGEST_REASON {
        let detail = format!("say why, in at most {LONGEST_REASON} bytes: it is on record for good");
        return Err(Problem::invalid("bad_reason", detail));
    }
    Ok(())
}

/// What became of an incident.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ClosedIncident {
    incident_id: String,
    status: IncidentStatus,
    closed_at: Option<Moment>,
    already_closed: bool,
}

pub(crate) async fn close(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(why): Body<Why>,
) -> Result<Json<ClosedIncident>, Problem> {
    check_reason(&why.reason)?;
    let closed = app.write(move |ledger| ledger.close_incident(&caller.tenant, &id, caller.name(), &why.reason)).await;
    let (incident, was_open) = closed?;
    app.detection().ring();
    let Incident { id, status, closed_at, .. } = incident;
    Ok(Json(ClosedIncident { incident_id: id, status, closed_at, already_closed: !was_open }))
}

/// Which alerts are asked for.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub(crate) struct AlertFilter {
    #[param(inline)]
    severity: Option<Severity>,
    /// About this agent, by id or key.
    agent_id: Option<String>,
    /// By this rule.
    rule: Option<String>,
    /// Where the page before ended: its `next_cursor`.
    cursor: Option<String>,
    /// How many.
    limit: Option<usize>,
}

pub(crate) async fn alerts(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<AlertFilter>,
) -> Result<Json<Page<Alert>>, Problem> {
    let slice = Paging { cursor: asked.cursor, limit: asked.limit }.slice();
    let agent_id = asked.agent_id.map(|name| agent_id(&app, &caller, name));
    let filter = IncidentFilter { status: None, severity: asked.severity, agent_id, kind: asked.rule };
    app.read(move |evidence| evidence.alerts(&caller.tenant, &filter, &slice)).await.map(Json)
}

pub(crate) async fn containments(
    State(app): State<App>,
    caller: Caller,
    Asked(paging): Asked<Paging>,
) -> Result<Json<Page<Containment>>, Problem> {
    let slice = paging.slice();
    app.read(move |evidence| evidence.containments(&caller.tenant, &slice)).await.map(Json)
}

/// How an agent is to be stopped.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Contain {
    kind: ContainmentKind,
    reason: String,
    #[serde(default)]
    incident_id: Option<String>,
}

pub(crate) async fn contain(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(asked): Body<Contain>,
) -> Result<(StatusCode, Json<Containment>), Problem> {
    check_reason(&asked.reason)?;
    let contained = app.write(move |ledger| {
        let incident_id = asked.incident_id.as_deref();
        let order = Order { kind: asked.kind, incident_id, by: caller.name(), reason: &asked.reason };
        ledger.contain(&caller.tenant, &id, order)
    });
    let contained = contained.await?;
    app.detection().ring();
    Ok((StatusCode::CREATED, Json(contained)))
}

pub(crate) async fn undo(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(why): Body<Why>,
) -> Result<Json<Containment>, Problem> {
    check_reason(&why.reason)?;
    let undone =
        app.write(move |ledger| ledger.undo_containment(&caller.tenant, &id, caller.name(), &why.reason)).await?;
    app.detection().ring();
    Ok(Json(undone))
}
