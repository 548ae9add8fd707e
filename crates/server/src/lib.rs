//! The HTTP server: who asks, what they may, what they are told.
//!
//! A handler translates, asks the rooms below, and translates back. Nothing is answered that is not on record first, and
//! every route says who may use it.

mod again;
mod announce;
mod api;
mod app;
pub mod body;
pub mod caller;
pub mod chain_check;
pub mod console;
mod counters;
pub mod detection;
mod estate;
mod guard;
pub mod listen;
mod live;
mod local;
mod log;
mod openapi;
mod poison;
mod policy_file;
pub mod problem;
mod remote;
pub mod retention;
mod route;
mod routes;
mod rulebook;
mod runs;
mod shape;
mod shown;

pub use app::{App, AppSettings};
pub use estate::EstateSettings;
pub use guard::{Doors, guarded};
pub use local::{Local, LocalAnswer};
pub use openapi::document;
pub use policy_file::{LoadedFile, PolicyFileError};
pub use remote::HandOver;
pub use route::Route;
pub use routes::routes;

use axum::Router;

/// Everything that the server answers, behind the checks of where a request comes from.
pub fn router(app: &App, doors: Doors) -> Router {
    guard::guarded(route::router(app, routes()).merge(console::router(app)), doors)
}
