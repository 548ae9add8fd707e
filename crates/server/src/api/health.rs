//! Whether the server is well, what it is, and what it counts.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::App;
use crate::problem::Problem;

pub(crate) async fn live() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// Ready is who can record: an empty change goes all the way to the disk's transaction and back.
pub(crate) async fn ready(State(app): State<App>) -> Response {
    match app.write(|ledger| ledger.probe()).await {
        Ok(()) => Json(json!({ "status": "ok" })).into_response(),
        Err(error) => {
            crate::log::failure("readiness", &error);
            let detail = "nothing can be recorded, so nothing is allowed";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "evidence_unavailable", detail).into_response()
        }
    }
}

pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let sort = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (sort, app.counters().text(app.live().viewers())).into_response()
}

pub(crate) async fn version() -> Json<Value> {
    Json(json!({ "name": "tracehound", "version": env!("CARGO_PKG_VERSION") }))
}

pub(crate) async fn openapi() -> Json<Value> {
    Json(crate::openapi::document())
}
