//! Incidents and alerts, and what is done to stop an agent.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use tracehound_evidence::Order;
use tracehound_evidence::decision::Page;
use tracehound_evidence::incident::{Alert, Containment, ContainmentKind, Incident, IncidentStatus, Severity};
use tracehound_evidence::reading::IncidentFilter;

use crate::App;
use crate::api::Paging;
use crate::body::{Asked, Body};
use crate::caller::Caller;
use crate::problem::Problem;

/// Most sources that are listed with an incident; the graph gives the others in pages.
const MOST_SOURCES: i64 = 1_000;
/// Longest reason, in bytes.
const LONGEST_REASON: usize = 2_000;

/// Which incidents are asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct Filter {
    status: Option<IncidentStatus>,
    severity: Option<Severity>,
    agent_id: Option<String>,
    kind: Option<String>,
    cursor: Option<String>,
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

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    let found = app.read(move |evidence| {
        let Some(incident) = evidence.incident(&caller.tenant, &id)? else { return Ok(None) };
        let (sources, listed) = evidence.incident_sources(&caller.tenant, &id, 0, MOST_SOURCES)?;
        Ok(Some((incident, sources, listed)))
    });
    let (incident, sources, listed) = found.await?.ok_or_else(|| Problem::unknown("Incident"))?;
    let is_cut = incident.event_count > sources.len() as u64;
    let decisions: Vec<&String> = sources.iter().filter_map(|source| source.decision_id.as_ref()).collect();
    let events: Vec<&String> = sources.iter().map(|source| &source.event_id).collect();
    let mut shown = serde_json::to_value(&incident).unwrap_or_default();
    if let Some(members) = shown.as_object_mut() {
        members.insert("decision_ids".to_owned(), json!(decisions));
        members.insert("source_event_ids".to_owned(), json!(events));
        members.insert("listed_event_count".to_owned(), json!(listed));
        members.insert("truncated".to_owned(), json!(is_cut));
    }
    Ok(Json(shown))
}

/// Why somebody does something.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Why {
    reason: String,
}

fn check_reason(reason: &str) -> Result<(), Problem> {
    if reason.trim().is_empty() || reason.len() > LONGEST_REASON {
        let detail = format!("say why, in at most {LONGEST_REASON} bytes: it is on record for good");
        return Err(Problem::invalid("bad_reason", detail));
    }
    Ok(())
}

pub(crate) async fn close(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(why): Body<Why>,
) -> Result<Json<Value>, Problem> {
    check_reason(&why.reason)?;
    let closed = app.write(move |ledger| ledger.close_incident(&caller.tenant, &id, caller.name(), &why.reason)).await;
    let (incident, was_open) = closed?;
    app.detection().ring();
    Ok(Json(json!({
        "incident_id": incident.id, "status": incident.status, "closed_at": incident.closed_at,
        "already_closed": !was_open,
    })))
}

/// Which alerts are asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct AlertFilter {
    severity: Option<Severity>,
    agent_id: Option<String>,
    rule: Option<String>,
    cursor: Option<String>,
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
#[derive(Debug, Deserialize)]
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
