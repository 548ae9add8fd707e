//! Documents in.

use std::io::{self, Read};
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use bytes::Bytes;
use futures_util::StreamExt as _;
use serde::Serialize;
use tokio::sync::mpsc;
use tracehound_graph::{Added, Ingested, Problem as Place, Warning, read_document};

use crate::App;
use crate::api::estate_shape::ScanRow;
use crate::caller::Caller;
use crate::estate::now;
use crate::problem::Problem;

/// What a document may be sent as. What it is, its first bytes say.
pub(crate) const MEDIA: &[&str] =
    &["application/json", "application/gzip", "application/x-gzip", "application/zstd", "application/octet-stream"];
/// Parts of a document that wait to be read.
const WAITING: usize = 4;

/// What became of a document.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct IngestedDocument {
    scan: ScanRow,
    /// What it added; nothing when the same document was stored before.
    added: Option<AddedFacts>,
    /// What was put right or left out, by sort.
    warnings: Vec<DocumentWarning>,
}

/// What a document added.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct AddedFacts {
    new_nodes: u64,
    changed_nodes: u64,
    same_nodes: u64,
    new_edges: u64,
    changed_edges: u64,
    same_edges: u64,
}

/// What was put right or left out, of one sort.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct DocumentWarning {
    #[schema(value_type = String)]
    code: tracehound_graph::WarningCode,
    /// How many there are.
    total: usize,
    /// The first thousand of them.
    places: Vec<DocumentPlace>,
}

/// Something in a document.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct DocumentPlace {
    /// Where, such as `graph.nodes[3].kinds[0]`.
    path: String,
    message: String,
}

pub(crate) async fn add(
    State(app): State<App>,
    caller: Caller,
    request: Request,
) -> Result<(StatusCode, Json<IngestedDocument>), Problem> {
    check_sort(&request)?;
    let turn = app.estates().upload().await?;
    let bytes = receive(&app, request.into_body()).await?;
    let ingested = app.change_estate(&caller.tenant, move |estate| estate.ingest(&bytes, now())).await?;
    drop(turn);
    let status = if ingested.added.is_some() { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(ingested.into())))
}

fn check_sort(request: &Request) -> Result<(), Problem> {
    let sort = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let name = sort.split(';').next().unwrap_or_default().trim();
    if MEDIA.iter().any(|media| media.eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    let detail = format!("send a scan document and say what it is: `Content-Type: {}`", MEDIA.join("`, `"));
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_a_document", detail))
}

/// Reads and decompresses a document while it comes in, so that no more of it than its content is ever in memory.
async fn receive(app: &App, body: Body) -> Result<Vec<u8>, Problem> {
    let limit = app.estates().limits().document_bytes;
    let (sender, receiver) = mpsc::channel(WAITING);
    let reading = tokio::task::spawn_blocking(move || {
        let arriving = Arriving { receiver, part: Bytes::new(), is_whole: false };
        read_document(arriving, limit)
    });
    let sent = forward(body, sender, app.estates().stalled()).await;
    let read = reading.await;
    // Whoever stopped sending is told that, not that the document ends too early.
    sent?;
    let failed = |_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the document could not be read");
    Ok(read.map_err(failed)??)
}

/// Hands on what comes in, up to the end; it ends early when nobody wants more.
async fn forward(body: Body, sender: mpsc::Sender<Option<Bytes>>, stalled: Duration) -> Result<(), Problem> {
    let mut parts = body.into_data_stream();
    loop {
        let next = tokio::time::timeout(stalled, parts.next()).await.map_err(|_| {
            let detail = format!("nothing came for {} seconds; send the document again", stalled.as_secs_f32());
            Problem::new(StatusCode::REQUEST_TIMEOUT, "upload_stalled", detail)
        })?;
        let part = next.transpose().map_err(|_| Problem::invalid("cut_off", "the document was cut off on its way"))?;
        let is_end = part.is_none();
        if sender.send(part).await.is_err() || is_end {
            return Ok(());
        }
    }
}

/// A document on its way, to be read part by part.
struct Arriving {
    receiver: mpsc::Receiver<Option<Bytes>>,
    part: Bytes,
    is_whole: bool,
}

impl Read for Arriving {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.part.is_empty() && !self.is_whole {
            match self.receiver.blocking_recv() {
                Some(Some(part)) => self.part = part,
                Some(None) => self.is_whole = true,
                None => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the document was cut off")),
            }
        }
        let count = self.part.len().min(buffer.len());
        let part = self.part.split_to(count);
        for (place, byte) in buffer.iter_mut().zip(part.iter()) {
            *place = *byte;
        }
        Ok(count)
    }
}

impl From<Ingested> for IngestedDocument {
    fn from(ingested: Ingested) -> Self {
        Self {
            scan: ScanRow::from(&ingested.scan),
            added: ingested.added.map(AddedFacts::from),
            warnings: ingested.warnings.into_iter().map(DocumentWarning::from).collect(),
        }
    }
}

impl From<Added> for AddedFacts {
    fn from(added: Added) -> Self {
        let Added { new_nodes, changed_nodes, same_nodes, new_edges, changed_edges, same_edges } = added;
        Self { new_nodes, changed_nodes, same_nodes, new_edges, changed_edges, same_edges }
    }
}

impl From<Warning> for DocumentWarning {
    fn from(warning: Warning) -> Self {
        let place = |Place { path, message }: Place| DocumentPlace { path, message };
        Self { code: warning.code, total: warning.total, places: warning.places.into_iter().map(place).collect() }
    }
}
