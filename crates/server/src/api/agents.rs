//! Agents: registered, described, stopped, let go, given another token.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tracehound_evidence::decision::Page;
use tracehound_evidence::identity::{Agent, AgentProfile, AgentStatus};

use crate::App;
use crate::api::{Paging, Why};
use crate::body::{Asked, Body, Path};
use crate::caller::Caller;
use crate::problem::Problem;

pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    Asked(paging): Asked<Paging>,
) -> Json<Page<Arc<Agent>>> {
    let slice = paging.slice();
    let mut found = app.evidence().registry().agents_after(&caller.tenant, slice.cursor.as_deref(), slice.limit() + 1);
    let has_more = found.len() > slice.limit();
    found.truncate(slice.limit());
    let next = found.last().filter(|_| has_more).map(|agent| agent.key.clone());
    Json(Page { items: found, next_cursor: next })
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
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub(crate) struct NewAgent {
    /// What it is called; unique within the tenant.
    agent_key: String,
    #[serde(flatten)]
    profile: AgentProfile,
}

/// An agent that was registered.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct AddedAgent {
    id: String,
    agent_key: String,
    /// Shown this once.
    agent_token: String,
    agent: Agent,
}

pub(crate) async fn add(
    State(app): State<App>,
    caller: Caller,
    Body(mut new): Body<NewAgent>,
) -> Result<(StatusCode, Json<AddedAgent>), Problem> {
    // What follows from decisions can't be registered.
    new.profile.status_reason = None;
    let added =
        app.write(move |ledger| ledger.add_agent(&caller.tenant, &new.agent_key, new.profile, caller.name())).await;
    let (agent, token) = added?;
    let (id, agent_key, agent_token) = (agent.id.clone(), agent.key.clone(), token.reveal().to_owned());
    Ok((StatusCode::CREATED, Json(AddedAgent { id, agent_key, agent_token, agent })))
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

/// An agent's other token.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct AgentToken {
    id: String,
    /// Shown this once.
    agent_token: String,
}

pub(crate) async fn rotate(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<AgentToken>, Problem> {
    let agent = id.clone();
    let token = app.write(move |ledger| ledger.rotate_agent(&caller.tenant, &agent, caller.name())).await?;
    Ok(Json(AgentToken { id, agent_token: token.reveal().to_owned() }))
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
