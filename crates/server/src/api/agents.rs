//! Agents: registered, described, stopped, let go, given another token.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use tracehound_evidence::identity::{Agent, AgentProfile, AgentStatus};

use crate::App;
use crate::api::Paging;
use crate::body::{Asked, Body};
use crate::caller::Caller;
use crate::problem::Problem;

pub(crate) async fn list(State(app): State<App>, caller: Caller, Asked(paging): Asked<Paging>) -> Json<Value> {
    let slice = paging.slice();
    let mut found = app.evidence().registry().agents_after(&caller.tenant, slice.cursor.as_deref(), slice.limit() + 1);
    let has_more = found.len() > slice.limit();
    found.truncate(slice.limit());
    let next = found.last().filter(|_| has_more).map(|agent| agent.key.clone());
    Json(json!({ "items": found, "next_cursor": next }))
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Agent>, Problem> {
    let found = app.evidence().registry().agent_called(&caller.tenant, &id);
    found.map(|agent| Json((*agent).clone())).ok_or_else(|| Problem::unknown("Agent"))
}

/// An agent that is to be registered.
#[derive(Debug, Deserialize)]
pub(crate) struct NewAgent {
    agent_key: String,
    #[serde(flatten)]
    profile: AgentProfile,
}

pub(crate) async fn add(
    State(app): State<App>,
    caller: Caller,
    Body(mut new): Body<NewAgent>,
) -> Result<(StatusCode, Json<Value>), Problem> {
    // What follows from decisions can't be registered.
    new.profile.status_reason = None;
    let added =
        app.write(move |ledger| ledger.add_agent(&caller.tenant, &new.agent_key, new.profile, caller.name())).await;
    let (agent, token) = added?;
    let told = json!({ "id": agent.id, "agent_key": agent.key, "agent_token": token.reveal(), "agent": agent });
    Ok((StatusCode::CREATED, Json(told)))
}

pub(crate) async fn describe(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(profile): Body<AgentProfile>,
) -> Result<Json<Agent>, Problem> {
    let changed = app.write(move |ledger| ledger.describe_agent(&caller.tenant, &id, profile, caller.name())).await;
    Ok(Json(changed?))
}

pub(crate) async fn rotate(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    let agent = id.clone();
    let token = app.write(move |ledger| ledger.rotate_agent(&caller.tenant, &agent, caller.name())).await?;
    Ok(Json(json!({ "id": id, "agent_token": token.reveal() })))
}

/// Why somebody does something.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Why {
    reason: String,
}

pub(crate) async fn freeze(
    app: State<App>,
    caller: Caller,
    id: Path<String>,
    why: Body<Why>,
) -> Result<Json<Agent>, Problem> {
    set(app, caller, id, why, AgentStatus::Frozen).await
}

pub(crate) async fn quarantine(
    app: State<App>,
    caller: Caller,
    id: Path<String>,
    why: Body<Why>,
) -> Result<Json<Agent>, Problem> {
    set(app, caller, id, why, AgentStatus::Quarantined).await
}

pub(crate) async fn revoke(
    app: State<App>,
    caller: Caller,
    id: Path<String>,
    why: Body<Why>,
) -> Result<Json<Agent>, Problem> {
    set(app, caller, id, why, AgentStatus::Revoked).await
}

pub(crate) async fn restore(
    app: State<App>,
    caller: Caller,
    id: Path<String>,
    why: Body<Why>,
) -> Result<Json<Agent>, Problem> {
    set(app, caller, id, why, AgentStatus::Active).await
}

async fn set(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(why): Body<Why>,
    status: AgentStatus,
) -> Result<Json<Agent>, Problem> {
    let changed =
        app.write(move |ledger| ledger.set_agent_status(&caller.tenant, &id, status, &why.reason, caller.name()));
    Ok(Json(changed.await?))
}
