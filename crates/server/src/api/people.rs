//! Tenants, people and machines.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tracehound_evidence::Moment;
use tracehound_evidence::decision::Page;
use tracehound_evidence::identity::{Person, Role};

use crate::App;
use crate::body::{Body, Path};
use crate::caller::{Caller, Who};
use crate::problem::Problem;

/// Whose token was sent.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct WhoAmI {
    tenant_id: String,
    who: Identity,
}

/// Somebody with a token.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct Identity {
    /// `agent`, `person` or `operator`.
    sort: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
}

pub(crate) async fn whoami(caller: Caller) -> Json<WhoAmI> {
    let name = caller.name().to_owned();
    let (sort, id, role) = match &caller.who {
        Who::Agent(agent) => ("agent", Some(agent.id.clone()), None),
        Who::Person(person) => ("person", Some(person.id.clone()), Some(person.role)),
        Who::Operator => ("operator", None, Some(Role::Admin)),
    };
    Json(WhoAmI { tenant_id: caller.tenant, who: Identity { sort, id, name, role } })
}

/// A tenant.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct Tenant {
    tenant_id: String,
    name: String,
    created_at: Moment,
}

pub(crate) async fn tenants(State(app): State<App>) -> Json<Page<Tenant>> {
    let all = app.evidence().registry().tenants().into_iter();
    let items = all.map(|(tenant_id, name, created_at)| Tenant { tenant_id, name, created_at }).collect();
    Json(Page { items, next_cursor: None })
}

/// A tenant that is to be added.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTenant {
    tenant_id: String,
    name: String,
}

/// A tenant that was added, and who may do everything in it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct AddedTenant {
    tenant_id: String,
    admin: AddedPerson,
}

pub(crate) async fn add_tenant(
    State(app): State<App>,
    Body(new): Body<NewTenant>,
) -> Result<(StatusCode, Json<AddedTenant>), Problem> {
    let id = new.tenant_id.clone();
    let (person, token) = app
        .write(move |ledger| {
            ledger.add_tenant(&new.tenant_id, &new.name)?;
            ledger.add_person(&new.tenant_id, "admin", Role::Admin, "operator")
        })
        .await?;
    let admin = AddedPerson { person, token: token.reveal().to_owned() };
    Ok((StatusCode::CREATED, Json(AddedTenant { tenant_id: id, admin })))
}

pub(crate) async fn list(State(app): State<App>, caller: Caller) -> Json<Page<Arc<Person>>> {
    Json(Page { items: app.evidence().registry().people(&caller.tenant), next_cursor: None })
}

/// Somebody who is to be added.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPerson {
    name: String,
    role: Role,
}

/// Somebody who was added.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct AddedPerson {
    person: Person,
    /// Shown this once.
    token: String,
}

pub(crate) async fn add(
    State(app): State<App>,
    caller: Caller,
    Body(new): Body<NewPerson>,
) -> Result<(StatusCode, Json<AddedPerson>), Problem> {
    let added = app.write(move |ledger| ledger.add_person(&caller.tenant, &new.name, new.role, caller.name())).await;
    let (person, token) = added?;
    Ok((StatusCode::CREATED, Json(AddedPerson { person, token: token.reveal().to_owned() })))
}

/// Somebody's other token.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct PersonToken {
    id: String,
    /// Shown this once.
    token: String,
}

pub(crate) async fn rotate(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<PersonToken>, Problem> {
    let person = id.clone();
    let token = app.write(move |ledger| ledger.rotate_person(&caller.tenant, &person, caller.name())).await?;
    Ok(Json(PersonToken { id, token: token.reveal().to_owned() }))
}

pub(crate) async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    app.write(move |ledger| ledger.remove_person(&caller.tenant, &id, caller.name())).await?;
    Ok(StatusCode::NO_CONTENT)
}
