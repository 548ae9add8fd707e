//! Decisions on record.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tracehound_evidence::Moment;
use tracehound_evidence::approval::Approval;
use tracehound_evidence::decision::{Call, Decision, DecisionFilter, MatchedPolicy, Page, ReceiptRef, Recorded};
use tracehound_model::Verdict;
use tracehound_policy::Explanation;

use crate::App;
use crate::api::Paging;
use crate::body::{Asked, Path};
use crate::caller::{Caller, Who};
use crate::problem::Problem;

/// Which decisions are asked for.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub(crate) struct Filter {
    /// Of this agent.
    agent_id: Option<String>,
    /// Of this run.
    run_id: Option<String>,
    /// About calls of this MCP server: its key, or its id in the trust graph.
    mcp_server: Option<String>,
    /// With this verdict.
    #[param(inline)]
    decision: Option<Verdict>,
    /// Not older than this.
    #[param(inline)]
    from: Option<Moment>,
    /// Older than this.
    #[param(inline)]
    to: Option<Moment>,
    /// Where the page before ended: its `next_cursor`.
    cursor: Option<String>,
    /// How many.
    limit: Option<usize>,
}

pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<Filter>,
) -> Result<Json<Page<ShownDecision>>, Problem> {
    let slice = Paging { cursor: asked.cursor, limit: asked.limit }.slice();
    let filter = DecisionFilter {
        agent_id: asked.agent_id,
        run_id: asked.run_id,
        mcp_server: asked.mcp_server,
        verdict: asked.decision,
        from: asked.from,
        to: asked.to,
    };
    let tenant = caller.tenant.clone();
    let page = app.read(move |evidence| evidence.decisions(&tenant, &filter, &slice)).await?;
    let items = page.items.into_iter().map(|decision| ShownDecision::of(decision, &caller)).collect();
    Ok(Json(Page { items, next_cursor: page.next_cursor }))
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<DecisionWithOutcome>, Problem> {
    let tenant = caller.tenant.clone();
    let found = app.read(move |evidence| evidence.decision(&tenant, &id)).await?;
    let Recorded { decision, approval, receipt } = found.ok_or_else(|| Problem::unknown("Decision"))?;
    Ok(Json(DecisionWithOutcome { decision: ShownDecision::of(decision, &caller), approval, receipt }))
}

/// A decision as the caller may see it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ShownDecision {
    decision_id: String,
    tenant_id: String,
    agent_id: String,
    /// What the caller called the request.
    request_id: Option<String>,
    #[serde(flatten)]
    call: Call,
    decision: Verdict,
    /// Why, as a code that does not change.
    code: String,
    /// Why, in words.
    reason: String,
    /// Which clause decided. Agents are not told what stopped them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Explanation>)]
    explanation: Option<Value>,
    risk_score: u8,
    composite_risk_score: u8,
    policies: Vec<MatchedPolicy>,
    redacted_fields: Vec<String>,
    latency_us: i64,
    created_at: Moment,
    /// When retention took the readable parts out.
    #[serde(skip_serializing_if = "Option::is_none")]
    details_dropped_at: Option<Moment>,
}

/// A decision with what came out of it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct DecisionWithOutcome {
    #[serde(flatten)]
    decision: ShownDecision,
    approval: Option<Approval>,
    receipt: ReceiptRef,
}

impl ShownDecision {
    fn of(decision: Decision, caller: &Caller) -> Self {
        let ruling = decision.ruling;
        let explanation = match &caller.who {
            Who::Agent(_) => None,
            Who::Person(_) | Who::Operator => Some(explained(ruling.explanation)),
        };
        Self {
            decision_id: decision.id,
            tenant_id: decision.tenant,
            agent_id: decision.agent_id,
            request_id: decision.request_id,
            call: decision.call,
            decision: ruling.verdict,
            code: ruling.code,
            reason: ruling.reason,
            explanation,
            risk_score: ruling.risk_score,
            composite_risk_score: ruling.composite_risk_score,
            policies: ruling.policies,
            redacted_fields: ruling.redacted_fields,
            latency_us: decision.latency_us,
            created_at: decision.created_at,
            details_dropped_at: decision.dropped_at,
        }
    }
}

/// What policies say is JSON; what was refused without them is a sentence.
fn explained(text: String) -> Value {
    let read = serde_json::from_str(&text).ok().filter(Value::is_object);
    read.unwrap_or_else(|| json!({ "text": text, "clauses": [], "errors": [] }))
}
