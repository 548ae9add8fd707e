//! The scan log.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use tracehound_graph::{Error, Moment, ScanRecord};

use super::{bad_cursor, limit};
use crate::App;
use crate::api::Paging;
use crate::api::estate_shape::ScanRow;
use crate::body::{Asked, Path};
use crate::caller::Caller;
use crate::problem::Problem;

/// A part of the scan log.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ScanPage {
    /// The newest first.
    items: Vec<ScanRow>,
    /// What to ask for to get the next page; nothing if this is the last.
    next_cursor: Option<String>,
    /// How many scans there are.
    total: usize,
}

pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    Asked(paging): Asked<Paging>,
) -> Result<Json<ScanPage>, Problem> {
    let behind = paging.cursor.as_deref().map(|cursor| parse(cursor).ok_or_else(bad_cursor)).transpose()?;
    let limit = limit(paging.limit);
    let page = app.estate(&caller.tenant, move |estate| {
        let mut scans = estate.scans();
        let total = scans.len();
        scans.reverse();
        if let Some((time, scan_id)) = &behind {
            scans.retain(|scan| (scan.time, &scan.scan_id) < (*time, scan_id));
        }
        let has_more = scans.len() > limit;
        scans.truncate(limit);
        let last = scans.last().filter(|_| has_more);
        let next_cursor = last.map(|scan| format!("{}.{}", scan.time.0, scan.scan_id));
        Ok(ScanPage { items: scans.into_iter().map(ScanRow::from).collect(), next_cursor, total })
    });
    page.await.map(Json)
}

/// The time and id of the last scan of a page.
fn parse(cursor: &str) -> Option<(Moment, String)> {
    let (time, scan_id) = cursor.split_once('.')?;
    Some((Moment(time.parse().ok()?), scan_id.to_owned()))
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<ScanRow>, Problem> {
    let scan = app.estate(&caller.tenant, move |estate| estate.scan(&id).map(ScanRow::from));
    scan.await.map(Json)
}

pub(crate) async fn delete(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<ScanRow>, Problem> {
    // What is not there must not cost everybody what was derived.
    let looked_for = id.clone();
    app.estate(&caller.tenant, move |estate| estate.scan(&looked_for).map(drop)).await?;
    let deleted = app.change_estate(&caller.tenant, move |estate| {
        let deleted: Vec<ScanRecord> = estate.delete_scans(&[&id])?;
        let gone = Error::NoSuchScan { scan_id: id, hint: String::new() };
        deleted.first().map(ScanRow::from).ok_or(gone)
    });
    deleted.await.map(Json)
}
