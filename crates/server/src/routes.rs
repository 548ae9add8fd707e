//! All routes. A new one is a line here or in the part that it belongs to, and its handler.

mod detection;
mod estate;
mod evidence;
mod exploring;
mod identities;
mod mcp;
mod policies;

use crate::api::{health, people};
use crate::caller::Access::{Graph, Open, Read};
use crate::route::Route;
use crate::shape::JSON;

/// The table.
#[must_use]
pub fn routes() -> Vec<Route> {
    let mut all = server();
    all.extend(identities::routes());
    all.extend(policies::routes());
    all.extend(mcp::routes());
    all.extend(evidence::routes());
    all.extend(detection::routes());
    all.extend(estate::routes());
    all.extend(exploring::routes());
    all
}

/// What is asked about the server itself.
fn server() -> Vec<Route> {
    vec![
        Route::get("/livez", Open, "Whether the process runs", health::live).gives::<health::Health>(),
        Route::get("/readyz", Open, "Whether decisions can be recorded", health::ready).gives::<health::Health>(),
        Route::get("/health", Open, "Whether decisions can be recorded", health::ready).gives::<health::Health>(),
        Route::get("/metrics", Read, "Counters in Prometheus' text form", health::metrics).gives_content("text/plain"),
        Route::get("/v1/version", Open, "The version", health::version).gives::<health::Version>(),
        Route::get("/v1/openapi.json", Open, "This description", health::openapi).gives_content(JSON),
        Route::get("/v1/whoami", Graph, "Whose token was sent", people::whoami).gives::<people::WhoAmI>(),
    ]
}
