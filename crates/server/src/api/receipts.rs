//! Receipts: listed exactly as they verify, verified, proven, and reported upon.

use axum::Json;
use axum::body::Body as HttpBody;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tracehound_evidence::decision::ReceiptRef;
use tracehound_evidence::reading::{Inclusion, MAX_PAGE, PAGE, StoredReceipt};
use tracehound_evidence::receipt::{self, Hash, Lines, PublicKey, Status};
use tracehound_evidence::{Dropped, Error, Evidence, Moment, Report};

use crate::App;
use crate::body::{Asked, Body, Path, Raw};
use crate::caller::Caller;
use crate::problem::Problem;

/// Most receipts in one answer when they are asked for from a place on.
const MOST: usize = 1_000;

/// The last place that a chain can have.
const LAST: u64 = i64::MAX as u64;

/// The header that says where the next page begins.
const NEXT_CURSOR: HeaderName = HeaderName::from_static("x-next-cursor");

/// Which receipts are asked for: the newest, or those from a place on.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub(crate) struct Part {
    /// Oldest first, from this sequence on.
    from: Option<u64>,
    /// Newest first, before this sequence: what the header `x-next-cursor` of the page before said.
    cursor: Option<u64>,
    /// How many.
    limit: Option<usize>,
}

/// A bare list of the receipts as they are stored, byte for byte, so that what is listed verifies. Where the next page begins
/// is told in a header.
pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    Asked(part): Asked<Part>,
) -> Result<Response, Problem> {
    let (found, next) = app.read(move |evidence| page(evidence, &caller.tenant, &part)).await?;
    let mut text = String::from("[");
    for (place, receipt) in found.iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        text.push_str(&receipt.json);
    }
    text.push(']');
    let mut response = ([(header::CONTENT_TYPE, "application/json")], HttpBody::from(text)).into_response();
    if let Some(next) = next {
        response.headers_mut().insert(NEXT_CURSOR, HeaderValue::from(next));
    }
    Ok(response)
}

fn page(evidence: &Evidence, tenant: &str, part: &Part) -> Result<(Vec<StoredReceipt>, Option<u64>), Error> {
    if let Some(from) = part.from.map(|from| from.min(LAST)) {
        let limit = part.limit.unwrap_or(MOST).clamp(1, MOST);
        let mut found = evidence.receipts_from(tenant, from, limit + 1)?;
        let next = found.get(limit).map(|receipt| receipt.sequence);
        found.truncate(limit);
        return Ok((found, next));
    }
    let limit = part.limit.unwrap_or(PAGE).clamp(1, MAX_PAGE);
    let before = part.cursor.unwrap_or(LAST).min(LAST);
    let mut found = evidence.receipts_before(tenant, before, limit + 1)?;
    let has_more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| has_more).map(|receipt| receipt.sequence);
    Ok((found, next))
}

async fn find(app: &App, tenant: String, id: String) -> Result<StoredReceipt, Problem> {
    let found = app.read(move |evidence| evidence.receipt(&tenant, &id)).await?;
    found.ok_or_else(|| Problem::unknown("Receipt"))
}

pub(crate) async fn show(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Response, Problem> {
    let found = find(&app, caller.tenant, id).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], found.json).into_response())
}

/// What is known of a stored receipt.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct VerifiedReceipt {
    receipt_id: String,
    /// Whether the receipt verifies, and the decision on record is what it says.
    verified: bool,
    /// The members of the receipt that the decision on record contradicts.
    differences: Vec<&'static str>,
    report: receipt::Report,
}

/// Verifies a stored receipt together with the one before it, so that its link is looked at too, and compares it with the decision on record.
pub(crate) async fn verify(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<VerifiedReceipt>, Problem> {
    let found = find(&app, caller.tenant.clone(), id.clone()).await?;
    let (report, differences) = app
        .read(move |evidence| {
            let differences = evidence.differences(&caller.tenant, &found)?;
            let before = found.sequence.saturating_sub(1);
            let count = usize::try_from(found.sequence - before).unwrap_or(0) + 1;
            let lines = evidence.receipts_from(&caller.tenant, before, count)?;
            Ok((checked(evidence, lines.into_iter().map(|receipt| receipt.json))?, differences))
        })
        .await?;
    let verified = report.status == Status::Verified && differences.is_empty();
    Ok(Json(VerifiedReceipt { receipt_id: id, verified, differences, report }))
}

fn checked(evidence: &Evidence, lines: impl IntoIterator<Item = String>) -> Result<receipt::Report, Error> {
    let keys = evidence.trusted_keys()?;
    receipt::verify(lines.into_iter().map(Ok::<_, Error>), &keys, None)
}

/// What is known of receipts that somebody sent.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct VerifiedChain {
    verified: bool,
    /// The first thing that is wrong.
    error: Option<String>,
    report: receipt::Report,
}

/// Verifies what somebody sends: exactly what was listed, newest or oldest first.
pub(crate) async fn verify_chain(
    State(app): State<App>,
    caller: Caller,
    Raw(body): Raw,
) -> Result<Json<VerifiedChain>, Problem> {
    let report = app
        .read(move |evidence| {
            let keys = evidence.trusted_keys()?;
            let lines = Lines::new(&body[..]);
            let mut report = receipt::verify(lines, &keys, None)
                .map_err(|error| Error::Invalid { code: "bad_body", message: error.to_string() })?;
            // A chain of another tenant is whole, but it is not what this one may speak about.
            if report.tenant.as_ref().is_some_and(|tenant| *tenant != caller.tenant) {
                report.status = Status::Failed;
                report.notes.push("these are another tenant's receipts".to_owned());
            }
            Ok(report)
        })
        .await?;
    let verified = report.status == Status::Verified;
    let error =
        report.problems.first().map(|problem| problem.message.clone()).or_else(|| report.notes.first().cloned());
    Ok(Json(VerifiedChain { verified, error: error.filter(|_| !verified), report }))
}

/// The end of a chain, if it has begun.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ChainEnd {
    head: Option<ChainHead>,
}

/// The last receipt of a chain.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ChainHead {
    sequence: u64,
    receipt_hash: String,
}

pub(crate) async fn head(State(app): State<App>, caller: Caller) -> Result<Json<ChainEnd>, Problem> {
    let head = app.read(move |evidence| evidence.chain_head(&caller.tenant)).await?;
    Ok(Json(ChainEnd { head: head.map(|(sequence, receipt_hash)| ChainHead { sequence, receipt_hash }) }))
}

pub(crate) async fn checkpoint(State(app): State<App>, caller: Caller) -> Result<Response, Problem> {
    let checkpoint = app.read(move |evidence| evidence.checkpoint(&caller.tenant)).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], checkpoint).into_response())
}

/// The size of the tree that a proof is for.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub(crate) struct Size {
    /// How many receipts the tree has; all that there are if nothing is said.
    size: Option<u64>,
}

pub(crate) async fn proof(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Asked(asked): Asked<Size>,
) -> Result<Json<Inclusion>, Problem> {
    find(&app, caller.tenant.clone(), id.clone()).await?;
    let found = app.read(move |evidence| evidence.inclusion(&caller.tenant, &id, asked.size)).await?;
    let detail = "the tree of that size does not hold the receipt, or there is no tree of that size";
    found.map(Json).ok_or_else(|| Problem::invalid("no_such_tree", detail))
}

/// Two sizes of the tree.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub(crate) struct Sizes {
    /// The smaller tree.
    from: u64,
    /// The larger tree.
    to: u64,
}

/// That a tree begins another.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ConsistencyProof {
    from: u64,
    to: u64,
    #[schema(value_type = Vec<String>)]
    path: Vec<Hash>,
}

pub(crate) async fn consistency(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<Sizes>,
) -> Result<Json<ConsistencyProof>, Problem> {
    let Sizes { from, to } = asked;
    let found = app.read(move |evidence| evidence.consistency(&caller.tenant, from, to)).await?;
    let path =
        found.ok_or_else(|| Problem::invalid("no_such_tree", "there are no trees of these sizes, in this order"))?;
    Ok(Json(ConsistencyProof { from, to, path }))
}

/// A key that signs receipts.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct SigningKey {
    key_id: String,
    /// `ed25519`.
    algorithm: &'static str,
    /// 64 hex digits.
    public_key: String,
}

impl SigningKey {
    fn of(key: &PublicKey) -> Self {
        Self { key_id: key.id().to_owned(), algorithm: "ed25519", public_key: key.hex() }
    }
}

/// All keys that have signed receipts.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct SigningKeys {
    keys: Vec<SigningKey>,
}

pub(crate) async fn keys(State(app): State<App>) -> Result<Json<SigningKeys>, Problem> {
    let keys = app.read(Evidence::public_keys).await?;
    Ok(Json(SigningKeys { keys: keys.iter().map(SigningKey::of).collect() }))
}

/// What an agent says happened.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(as = ReportedOutcome)]
#[serde(deny_unknown_fields)]
pub(crate) struct Happened {
    status: HappenedStatus,
    result_hash: Option<String>,
    executed_action_hash: Option<String>,
}

/// How it ended.
#[derive(Debug, Clone, Copy, Deserialize, utoipa::ToSchema)]
#[schema(as = OutcomeStatus)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HappenedStatus {
    Succeeded,
    Failed,
    NotExecuted,
}

/// That a report is on record.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct RecordedOutcome {
    receipt: ReceiptRef,
}

pub(crate) async fn outcome(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(happened): Body<Happened>,
) -> Result<Json<RecordedOutcome>, Problem> {
    let hashes = [&happened.result_hash, &happened.executed_action_hash];
    let is_hash = |text: &String| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if hashes.into_iter().flatten().any(|text| !is_hash(text)) {
        return Err(Problem::invalid("bad_hash", "a hash is 64 hex digits (SHA-256)"));
    }
    let status = match happened.status {
        HappenedStatus::Succeeded => "succeeded",
        HappenedStatus::Failed => "failed",
        HappenedStatus::NotExecuted => "not_executed",
    };
    let report = Report {
        receipt_id: id,
        status: status.to_owned(),
        result_hash: happened.result_hash,
        executed_action_hash: happened.executed_action_hash,
    };
    let agent = caller.agent()?.id.clone();
    let receipt = app.write(move |ledger| ledger.report(&caller.tenant, &agent, &report)).await?;
    Ok(Json(RecordedOutcome { receipt }))
}

pub(crate) async fn rotate_key(State(app): State<App>) -> Result<Json<SigningKey>, Problem> {
    let key = app.read(Evidence::rotate_key).await?;
    Ok(Json(SigningKey::of(&key)))
}

/// For how long details are kept.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Keep {
    /// In days; at least one, at most a hundred years.
    #[schema(minimum = 1, maximum = 36_525)]
    keep_days: u32,
}

/// What was taken out.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct Retained {
    /// What happened before this.
    before: Moment,
    dropped: Dropped,
}

/// Takes the details out of what is older. Receipts stay.
pub(crate) async fn retain(
    State(app): State<App>,
    caller: Caller,
    Body(keep): Body<Keep>,
) -> Result<Json<Retained>, Problem> {
    if !crate::retention::DAYS.contains(&keep.keep_days) {
        let (least, most) = crate::retention::DAYS.into_inner();
        let message = format!("`keep_days` is {least} to {most}, not {}", keep.keep_days);
        return Err(Problem::invalid("bad_retention", message));
    }
    let seconds = i64::from(keep.keep_days) * crate::retention::DAY;
    let retained = app.read(move |evidence| {
        let before = evidence.now().plus_seconds(-seconds);
        let dropped = evidence.retain(&caller.tenant, before, caller.name())?;
        Ok(Retained { before, dropped })
    });
    Ok(Json(retained.await?))
}
