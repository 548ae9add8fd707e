//! The console: its pages, and logging in to them.
//!
//! The pages hold nothing that is worth a login; everything that they show comes from the API, which asks who it is.

mod assets;
pub(crate) mod cookie;
mod login;
mod page;
pub(crate) mod session;

use axum::Router;
use axum::response::Redirect;
use axum::routing::{get, post};

use crate::App;

/// Whether this program has the console in it, or finds it on disk.
#[must_use]
pub fn is_there() -> bool {
    assets::find("index.html").is_some()
}

/// The routes of the console. They are no part of the API.
pub(crate) fn router(app: &App) -> Router {
    Router::new()
        .route("/", get(|| async { Redirect::to("/console/") }))
        .route("/console", get(|| async { Redirect::to("/console/") }))
        .route("/console/", get(page::start))
        .route("/console/{*path}", get(page::show))
        .route("/console/login", get(login::follow).post(login::with_token))
        .route("/console/logout", post(login::leave))
        .with_state(app.clone())
}
