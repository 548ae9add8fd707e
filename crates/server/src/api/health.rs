//! Whether the server is well, what it is, and what it counts.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;

use crate::App;
use crate::problem::Problem;

/// That all is well.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct Health {
    /// `ok`.
    status: &'static str,
}

/// All is well.
const WELL: Health = Health { status: "ok" };

pub(crate) async fn live() -> Json<Health> {
    Json(WELL)
}

/// Ready is who can record: a change of the size of a busy group goes all the way to the disk, and there is room for more.
pub(crate) async fn ready(State(app): State<App>) -> Response {
    if let Err(error) = app.write(|ledger| ledger.probe()).await {
        crate::log::failure("readiness", &error);
        let detail = "nothing can be recorded, so nothing is allowed";
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, "evidence_unavailable", detail).into_response();
    }
    let (free, least) = (app.evidence().free_bytes(), app.settings().least_free_bytes);
    if let Some(free) = free.filter(|free| *free < least) {
        let detail = format!("only {free} bytes are free where the evidence is; less than {least} are too few");
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, "disk_almost_full", detail).into_response();
    }
    Json(WELL).into_response()
}

pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let sort = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (sort, app.counters().text(app.live().viewers())).into_response()
}

/// What runs here.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct Version {
    name: &'static str,
    version: &'static str,
}

pub(crate) async fn version() -> Json<Version> {
    Json(Version { name: "tracehound", version: env!("CARGO_PKG_VERSION") })
}

pub(crate) async fn openapi() -> Json<Value> {
    Json(crate::openapi::document())
}
