//! The evidence graph.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use tracehound_evidence::graph::EvidenceGraph;

use crate::App;
use crate::body::{Asked, Path};
use crate::caller::Caller;
use crate::problem::Problem;

/// Where to go on, and how deep to look.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub(crate) struct Part {
    /// Where the part before ended: its `next_cursor`.
    cursor: Option<String>,
    /// How far to look around an agent, from 1 to 5.
    depth: Option<i64>,
}

type Told = Result<Json<EvidenceGraph>, Problem>;

pub(crate) async fn run(
    State(app): State<App>,
    caller: Caller,
    Path(run): Path<String>,
    Asked(part): Asked<Part>,
) -> Told {
    let found = app.read(move |evidence| evidence.run_graph(&caller.tenant, &run, part.cursor.as_deref())).await?;
    found.map(Json).ok_or_else(|| Problem::unknown("Run"))
}

pub(crate) async fn incident(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Asked(part): Asked<Part>,
) -> Told {
    let found = app.read(move |evidence| evidence.incident_graph(&caller.tenant, &id, part.cursor.as_deref())).await?;
    found.map(Json).ok_or_else(|| Problem::unknown("Incident"))
}

pub(crate) async fn agent(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Asked(part): Asked<Part>,
) -> Told {
    // Depths beyond the range mean its ends.
    let depth = u8::try_from(part.depth.unwrap_or(3).clamp(1, 5)).unwrap_or(3);
    let cursor = part.cursor;
    let found = app.read(move |evidence| evidence.agent_graph(&caller.tenant, &id, depth, cursor.as_deref())).await?;
    found.map(Json).ok_or_else(|| Problem::unknown("Agent"))
}

pub(crate) async fn chain(
    State(app): State<App>,
    caller: Caller,
    Path(run): Path<String>,
    Asked(part): Asked<Part>,
) -> Told {
    let found = app.read(move |evidence| evidence.chain_graph(&caller.tenant, &run, part.cursor.as_deref())).await?;
    found.map(Json).ok_or_else(|| Problem::unknown("Run"))
}
