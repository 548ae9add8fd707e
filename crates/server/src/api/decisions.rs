//! Decisions on record.

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::Value;
use tracehound_evidence::Moment;
use tracehound_evidence::decision::{Decision, DecisionFilter, Page, Recorded};
use tracehound_model::Verdict;

use crate::App;
use crate::api::Paging;
use crate::body::Asked;
use crate::caller::{Caller, Who};
use crate::problem::Problem;

/// Which decisions are asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct Filter {
    agent_id: Option<String>,
    run_id: Option<String>,
    decision: Option<Verdict>,
    from: Option<Moment>,
    to: Option<Moment>,
    cursor: Option<String>,
    limit: Option<usize>,
}

pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<Filter>,
) -> Result<Json<Page<Value>>, Problem> {
    let slice = Paging { cursor: asked.cursor, limit: asked.limit }.slice();
    let filter = DecisionFilter {
        agent_id: asked.agent_id,
        run_id: asked.run_id,
        verdict: asked.decision,
        from: asked.from,
        to: asked.to,
    };
    let tenant = caller.tenant.clone();
    let page = app.read(move |evidence| evidence.decisions(&tenant, &filter, &slice)).await?;
    let items = page.items.iter().map(|decision| shown(decision, &caller)).collect();
    Ok(Json(Page { items, next_cursor: page.next_cursor }))
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    let tenant = caller.tenant.clone();
    let found = app.read(move |evidence| evidence.decision(&tenant, &id)).await?;
    let recorded = found.ok_or_else(|| Problem::unknown("Decision"))?;
    let mut shown = shown(&recorded.decision, &caller);
    let Recorded { approval, receipt, .. } = recorded;
    if let Some(members) = shown.as_object_mut() {
        members.insert("approval".to_owned(), serde_json::to_value(approval).unwrap_or_default());
        members.insert("receipt".to_owned(), serde_json::to_value(receipt).unwrap_or_default());
    }
    Ok(Json(shown))
}

/// A decision as the caller may see it: agents are not told which clause stopped them.
fn shown(decision: &Decision, caller: &Caller) -> Value {
    let mut shown = serde_json::to_value(decision).unwrap_or_default();
    let Some(members) = shown.as_object_mut() else { return shown };
    let explanation = serde_json::from_str(&decision.ruling.explanation);
    match &caller.who {
        Who::Agent(_) => members.remove("explanation"),
        Who::Person(_) | Who::Operator => match explanation {
            Ok(explanation) => members.insert("explanation".to_owned(), explanation),
            Err(_) => None,
        },
    };
    shown
}
