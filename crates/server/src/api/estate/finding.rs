//! One finding, with everything about it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tracehound_analyze::Picture;
use tracehound_analyze::choke::{Carrier, carried_by};
use tracehound_analyze::derived::rests_on;
use tracehound_analyze::findings::{Found, List, MatchedText, Origin, Unfound};
use tracehound_graph::{Moment, TriageRecord};
use tracehound_model::{EdgeKind, Severity, TriageState};

use crate::App;
use crate::api::estate_shape::{FindingRow, NodeRef, ScanRef, StandardRef, Step};
use crate::body::{Asked, Path};
use crate::caller::Caller;
use crate::estate::{At, Said};
use crate::problem::Problem;

/// What of a finding is asked for.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub(crate) struct FindingAsked {
    /// The point that is looked at: a scan id, a date, a time, or `now`.
    at: Option<String>,
    /// Whether to try what is gone without each edge that it rests on.
    alone: Option<bool>,
}

/// A finding, with everything about it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct FindingDetail {
    #[serde(flatten)]
    row: FindingRow,
    /// What sort of trouble it is.
    category: String,
    description: String,
    /// The fact that it rests on, in words.
    evidence: String,
    /// What to do.
    remediation: String,
    /// The entries of public catalogues that it falls under.
    standards: Vec<StandardRef>,
    /// The path that it rests on, as it is walked; empty where one fact is enough.
    path: Vec<Step>,
    total_weight: Option<f64>,
    /// The texts in which rules matched.
    matched: Vec<MatchedPart>,
    /// What is gone without each edge that it rests on, if that was asked for.
    carried_alone_by: Option<Vec<SoleCarrier>>,
    /// What people decided about it, the newest first.
    triage: Vec<TriageNote>,
    /// Whether it is worse than when somebody let it stay.
    outgrown: bool,
    /// The last scan after which it stood, if it is gone.
    last_seen: Option<ScanRef>,
    /// The scan since which it is gone.
    fixed_since: Option<ScanRef>,
}

/// A text in which rules matched.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct MatchedPart {
    /// The property that holds it.
    field: String,
    text: String,
    spans: Vec<MatchedSpan>,
}

/// Where a rule matched, in UTF-16 units.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct MatchedSpan {
    start: usize,
    end: usize,
    rule: String,
}

/// An edge, and what is gone without it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct SoleCarrier {
    kind: EdgeKind,
    source: NodeRef,
    target: NodeRef,
    /// Whether the finding itself is gone without it.
    removes_this: bool,
    /// How many findings are.
    findings: usize,
}

/// A decision about a finding.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct TriageNote {
    status: TriageState,
    reason: String,
    author: String,
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    /// From when on it does not hold.
    #[schema(value_type = Option<String>, format = DateTime)]
    until: Option<Moment>,
    /// How bad the finding was then.
    #[schema(inline)]
    severity: Option<Severity>,
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(digits): Path<String>,
    Asked(asked): Asked<FindingAsked>,
) -> Result<Json<FindingDetail>, Problem> {
    let alone = asked.alone == Some(true);
    let here = asked.at.unwrap_or_else(|| "now".to_owned());
    let name = digits.clone();
    let standing = app.at(&caller.tenant, Some(&here), move |at, said| detail(at, said, &name, alone)).await?;
    let mut detail = match standing {
        Some(detail) => detail,
        None => fixed(&app, &caller, (here.clone(), digits), alone).await?,
    };
    let fingerprint = detail.row.fingerprint;
    let history = app.estate(&caller.tenant, move |estate| {
        let moment = estate.moment_of(&estate.point(&here)?)?;
        let mut history = estate.triage_history(&fingerprint)?;
        history.retain(|record| record.at <= moment);
        Ok(history)
    });
    detail.triage = history.await?.into_iter().rev().map(TriageNote::from).collect();
    Ok(Json(detail))
}

/// A finding that is gone, as it last stood.
async fn fixed(
    app: &App,
    caller: &Caller,
    (here, digits): (String, String),
    alone: bool,
) -> Result<FindingDetail, Problem> {
    let seen = app.last_seen(&caller.tenant, &here, &digits).await?;
    let Some((last, gone)) = seen else { return Err(unknown(&digits)) };
    let (scan_id, name) = (last.scan_id.clone(), digits.clone());
    // What people think of it counts as of the point that was asked for.
    let said = app.at(&caller.tenant, Some(&here), |_, said| Ok(said.clone())).await?;
    let found = app.at(&caller.tenant, Some(&scan_id), move |at, _| detail(at, &said, &name, alone)).await?;
    let mut detail = found.ok_or_else(|| unknown(&digits))?;
    detail.last_seen = Some(ScanRef::from(&*last));
    detail.fixed_since = Some(ScanRef::from(&*gone));
    Ok(detail)
}

fn unknown(digits: &str) -> Problem {
    let detail = format!(
        "there is no finding `{digits}` at this point or before; a finding is named by the first 4 to 16 hex digits of its fingerprint"
    );
    Problem::new(StatusCode::NOT_FOUND, "finding_not_found", detail)
}

/// The finding that digits mean; none if there is none at this point.
fn detail(at: &At<'_>, said: &Said, digits: &str, alone: bool) -> Result<Option<FindingDetail>, Problem> {
    let list = at.findings();
    let found = match list.find(digits) {
        Ok(found) => found,
        Err(Unfound::Malformed) => return Err(unknown(digits)),
        Err(Unfound::Unknown) => return Ok(None),
        Err(ambiguous @ Unfound::Ambiguous(..)) => {
            return Err(Problem::invalid("finding_ambiguous", ambiguous.to_string()));
        }
    };
    let Some(finding) = list.render(found) else { return Ok(None) };
    let picture = at.picture();
    let decision = said.decisions.get(&finding.fingerprint);
    Ok(Some(FindingDetail {
        row: FindingRow::of(&finding, said.state(found), None),
        category: finding.category,
        description: finding.description,
        evidence: finding.evidence,
        remediation: finding.remediation,
        standards: finding.standards.iter().map(StandardRef::from).collect(),
        path: finding.path.iter().map(|step| Step::of_finding(&picture, step)).collect(),
        total_weight: finding.total_weight,
        matched: list.matched_texts(found).into_iter().map(MatchedPart::from).collect(),
        carried_alone_by: alone.then(|| carriers(&picture, list, found)),
        triage: Vec::new(),
        outgrown: decision.is_some_and(|decision| decision.outgrown(found.severity).is_some()),
        last_seen: None,
        fixed_since: None,
    }))
}

/// What each edge that a finding rests on carries alone.
fn carriers(picture: &Picture<'_>, list: &List<'_>, found: &Found<'_>) -> Vec<SoleCarrier> {
    let Origin::Edge(edge) = found.origin else { return Vec::new() };
    let relation = picture.analysis.derived.of(edge.kind);
    let Some(composite) = relation.get(edge.number) else { return Vec::new() };
    let shown = |carrier: Carrier| {
        let is_carried = |origin| matches!(origin, Origin::Edge(edge) if carrier.carries.binary_search(&edge).is_ok());
        SoleCarrier {
            kind: carrier.edge.kind,
            source: NodeRef::new(picture, carrier.edge.source),
            target: NodeRef::new(picture, carrier.edge.target),
            removes_this: is_carried(found.origin),
            findings: list.iter().filter(|found| is_carried(found.origin)).count(),
        }
    };
    let edges = rests_on(picture.view, relation.path(composite)).into_iter();
    edges.map(|edge| shown(carried_by(picture.view, picture.analysis, edge))).collect()
}

impl From<MatchedText> for MatchedPart {
    fn from(matched: MatchedText) -> Self {
        let MatchedText { field, text, spans } = matched;
        let units = |byte: usize| text.get(..byte).map_or(0, |before| before.encode_utf16().count());
        let span = |(place, rule): (std::ops::Range<usize>, String)| MatchedSpan {
            start: units(place.start),
            end: units(place.end),
            rule,
        };
        let spans = spans.into_iter().map(span).collect();
        Self { field, text, spans }
    }
}

impl From<TriageRecord> for TriageNote {
    fn from(record: TriageRecord) -> Self {
        let TriageRecord { state, reason, author, at, expires, severity } = record;
        Self { status: state, reason, author, at, until: expires, severity }
    }
}
