//! What people think of findings: one decision about many.

use std::collections::{BTreeMap, BTreeSet};

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tracehound_graph::{Moment, TriageDecision};
use tracehound_model::{Fingerprint, Severity, TriageState};

use super::author;
use crate::App;
use crate::body::Body;
use crate::caller::Caller;
use crate::estate::now;
use crate::problem::Problem;

/// Most findings that one request decides about.
const MOST: usize = 10_000;
/// How much of a fingerprint that is none is told back.
const TOLD: usize = 64;

/// A decision about findings.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TriageAsked {
    /// Which ones; 10,000 at most.
    fingerprints: Vec<String>,
    /// What they are.
    status: TriageState,
    /// Why; at most 4096 bytes.
    reason: String,
    /// From when on it does not hold any more: an RFC 3339 time, or a date for its end.
    #[serde(default)]
    until: Option<String>,
    /// Who says so, if it is not the caller. Only for whoever holds the data directory.
    #[serde(default)]
    author: Option<String>,
}

/// What became of a decision.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct TriagedFindings {
    /// How many findings were decided about.
    changed: usize,
    /// Which are not there at present; nothing was decided about them.
    unknown: Vec<String>,
}

pub(crate) async fn post(
    State(app): State<App>,
    caller: Caller,
    Body(asked): Body<TriageAsked>,
) -> Result<Json<TriagedFindings>, Problem> {
    let author = author(&caller, asked.author.clone())?;
    let expires = asked.until.as_deref().map(until).transpose()?;
    check(&asked)?;
    let (known, unknown) = there(&app, &caller, &asked.fingerprints).await?;
    let changed = known.len();
    let at = now();
    let decision = |(fingerprint, severity)| TriageDecision {
        fingerprint,
        state: asked.status,
        reason: asked.reason.clone(),
        author: author.clone(),
        at,
        expires,
        severity: Some(severity),
    };
    let decisions: Vec<TriageDecision> = known.into_iter().map(decision).collect();
    app.estate(&caller.tenant, move |estate| estate.triage(&decisions)).await?;
    Ok(Json(TriagedFindings { changed, unknown }))
}

fn check(asked: &TriageAsked) -> Result<(), Problem> {
    if asked.fingerprints.is_empty() || asked.fingerprints.len() > MOST {
        return Err(Problem::invalid("too_many", format!("name from 1 to {MOST} findings")));
    }
    if asked.reason.trim().is_empty() {
        return Err(Problem::invalid("bad_reason", "a decision needs a reason"));
    }
    Ok(())
}

fn until(text: &str) -> Result<Moment, Problem> {
    let moment = Moment::parse(text).or_else(|| Moment::end_of_day(text));
    moment.ok_or_else(|| {
        let detail = "`until` is no time: give a date such as 2027-03-31 or an RFC 3339 time";
        Problem::invalid("bad_time", detail)
    })
}

/// Which findings are there at present, with how bad each is; and which are not.
async fn there(
    app: &App,
    caller: &Caller,
    named: &[String],
) -> Result<(BTreeMap<Fingerprint, Severity>, Vec<String>), Problem> {
    let mut meant = BTreeSet::new();
    let mut unknown: BTreeSet<String> = BTreeSet::new();
    for text in named {
        match Fingerprint::parse(text) {
            Some(fingerprint) => drop(meant.insert(fingerprint)),
            None => drop(unknown.insert(text.chars().take(TOLD).collect())),
        }
    }
    let known = app.at(&caller.tenant, None, move |at, _| {
        let list = at.findings();
        let found = |fingerprint: &Fingerprint| list.get(fingerprint).map(|found| found.severity);
        let (known, gone): (Vec<_>, Vec<_>) =
            meant.iter().map(|fingerprint| (*fingerprint, found(fingerprint))).partition(|(_, found)| found.is_some());
        let known = known.into_iter().filter_map(|(fingerprint, severity)| Some((fingerprint, severity?))).collect();
        Ok((known, gone.into_iter().map(|(fingerprint, _)| fingerprint).collect::<Vec<_>>()))
    });
    let (known, gone) = known.await?;
    unknown.extend(gone.iter().map(ToString::to_string));
    Ok((known, unknown.into_iter().collect()))
}
