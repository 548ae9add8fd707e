//! Tenants, people and machines.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use tracehound_evidence::identity::Role;

use crate::App;
use crate::body::Body;
use crate::caller::{Caller, Who};
use crate::problem::Problem;

pub(crate) async fn whoami(caller: Caller) -> Json<Value> {
    let who = match &caller.who {
        Who::Agent(agent) => json!({ "sort": "agent", "id": agent.id, "name": agent.key }),
        Who::Person(person) => json!({ "sort": "person", "id": person.id, "name": person.name, "role": person.role }),
        Who::Operator => json!({ "sort": "operator", "name": "operator", "role": "admin" }),
    };
    Json(json!({ "tenant_id": caller.tenant, "who": who }))
}

pub(crate) async fn tenants(State(app): State<App>) -> Json<Value> {
    let all = app.evidence().registry().tenants();
    let shown = |(id, name, created_at)| json!({ "tenant_id": id, "name": name, "created_at": created_at });
    Json(json!({ "items": all.into_iter().map(shown).collect::<Vec<_>>(), "next_cursor": null }))
}

/// A tenant that is to be added.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTenant {
    tenant_id: String,
    name: String,
}

pub(crate) async fn add_tenant(
    State(app): State<App>,
    Body(new): Body<NewTenant>,
) -> Result<(StatusCode, Json<Value>), Problem> {
    let id = new.tenant_id.clone();
    let (person, token) = app
        .write(move |ledger| {
            ledger.add_tenant(&new.tenant_id, &new.name)?;
            ledger.add_person(&new.tenant_id, "admin", Role::Admin, "operator")
        })
        .await?;
    let admin = json!({ "person": person, "token": token.reveal() });
    Ok((StatusCode::CREATED, Json(json!({ "tenant_id": id, "admin": admin }))))
}

pub(crate) async fn list(State(app): State<App>, caller: Caller) -> Json<Value> {
    Json(json!({ "items": app.evidence().registry().people(&caller.tenant), "next_cursor": null }))
}

/// Somebody who is to be added.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPerson {
    name: String,
    role: Role,
}

pub(crate) async fn add(
    State(app): State<App>,
    caller: Caller,
    Body(new): Body<NewPerson>,
) -> Result<(StatusCode, Json<Value>), Problem> {
    let added = app.write(move |ledger| ledger.add_person(&caller.tenant, &new.name, new.role, caller.name())).await;
    let (person, token) = added?;
    Ok((StatusCode::CREATED, Json(json!({ "person": person, "token": token.reveal() }))))
}

pub(crate) async fn rotate(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    let person = id.clone();
    let token = app.write(move |ledger| ledger.rotate_person(&caller.tenant, &person, caller.name())).await?;
    Ok(Json(json!({ "id": id, "token": token.reveal() })))
}

pub(crate) async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    app.write(move |ledger| ledger.remove_person(&caller.tenant, &id, caller.name())).await?;
    Ok(StatusCode::NO_CONTENT)
}
