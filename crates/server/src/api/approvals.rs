//! Approvals: looked at, answered, edited, used.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use tracehound_evidence::Step;
use tracehound_evidence::approval::{Answer, Approval, ApprovalStatus, Edit};
use tracehound_evidence::decision::Page;
use tracehound_model::Verdict;
use tracehound_policy::request::ToolCall;

use crate::App;
use crate::api::Paging;
use crate::body::{Asked, Body};
use crate::caller::{Caller, Who};
use crate::problem::Problem;
use crate::shown;

/// Which approvals are asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct Filter {
    status: Option<String>,
    cursor: Option<String>,
    limit: Option<usize>,
}

pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<Filter>,
) -> Result<Json<Page<Value>>, Problem> {
    let is_pending = match asked.status.as_deref() {
        None | Some("pending") => true,
        Some("all") => false,
        Some(_) => return Err(Problem::invalid("bad_query", "`status` is `pending` or `all`")),
    };
    let slice = Paging { cursor: asked.cursor, limit: asked.limit }.slice();
    let page = app.read(move |evidence| evidence.approvals(&caller.tenant, is_pending, &slice)).await?;
    Ok(Json(Page { items: page.items.iter().map(told).collect(), next_cursor: page.next_cursor }))
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    Ok(Json(told(&find(&app, &caller, id).await?)))
}

async fn find(app: &App, caller: &Caller, id: String) -> Result<Approval, Problem> {
    let tenant = caller.tenant.clone();
    let found = app.read(move |evidence| evidence.approval(&tenant, &id)).await?;
    let is_theirs = |approval: &Approval| match &caller.who {
        Who::Agent(agent) => approval.agent_id == agent.id,
        Who::Person(_) | Who::Operator => true,
    };
    found.filter(is_theirs).ok_or_else(|| Problem::unknown("Approval"))
}

/// An approval with the names that clients know.
fn told(approval: &Approval) -> Value {
    let mut shown = serde_json::to_value(approval).unwrap_or_default();
    if let Some(members) = shown.as_object_mut() {
        let is_edited = approval.content.edited_tool_call.is_some();
        members.insert("is_edited".to_owned(), json!(is_edited));
        members.insert("effective_action_hash".to_owned(), json!(approval.effective_hash));
        members.insert("edited_action_hash".to_owned(), json!(is_edited.then_some(&approval.effective_hash)));
    }
    shown
}

/// What a person says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Said {
    reason: Option<String>,
    /// The hash of the call that they looked at.
    action_hash: Option<String>,
    /// Older clients name themselves; who they are, their token says.
    #[serde(default, rename = "approver_user_id")]
    _approver_user_id: Option<String>,
}

pub(crate) async fn approve(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(said): Body<Said>,
) -> Result<Json<Value>, Problem> {
    let answer = Answer { person: caller.name().to_owned(), reason: said.reason };
    let step = app.write(move |ledger| ledger.approve(&caller.tenant, &id, &answer, said.action_hash.as_deref()));
    taken(&app, step.await?, "success")
}

pub(crate) async fn reject(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(said): Body<Said>,
) -> Result<Json<Value>, Problem> {
    let answer = Answer { person: caller.name().to_owned(), reason: said.reason };
    let step = app.write(move |ledger| ledger.reject(&caller.tenant, &id, &answer)).await?;
    taken(&app, step, "success")
}

/// Another call.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Edited {
    edited_tool_call: ToolCall,
    reason: Option<String>,
    action_hash: Option<String>,
    #[serde(default, rename = "approver_user_id")]
    _approver_user_id: Option<String>,
}

/// What is put in place is decided like any call: what policies deny can't be edited in.
pub(crate) async fn edit(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(edited): Body<Edited>,
) -> Result<Json<Value>, Problem> {
    let approval = find(&app, &caller, id.clone()).await?;
    let decision = crate::edited::decide(&app, &caller, &approval, &edited.edited_tool_call).await?;
    if matches!(decision.verdict, Verdict::Deny | Verdict::Quarantine) {
        let detail = format!("policies do not allow the edited call: {} ({})", decision.reason, decision.code);
        return Err(Problem::new(StatusCode::CONFLICT, "edit_denied", detail));
    }
    let call = &edited.edited_tool_call;
    let hash = tracehound_policy::action_hash(
        &call.tool,
        &call.action,
        call.resource.as_deref(),
        call.mutates_state,
        &call.parameters,
    );
    let edit = Edit {
        answer: Answer { person: caller.name().to_owned(), reason: edited.reason },
        shown_call: shown::call(call, &decision.redacted_fields),
        action_hash: hash,
        seen_hash: edited.action_hash,
    };
    let step = app.write(move |ledger| ledger.edit(&caller.tenant, &id, &edit)).await?;
    taken(&app, step, "success")
}

/// What an agent says it will do.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claimed {
    claimed_action_hash: Option<String>,
}

pub(crate) async fn consume(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(claimed): Body<Claimed>,
) -> Result<Json<Value>, Problem> {
    let agent = caller.agent()?.id.clone();
    let step =
        app.write(move |ledger| ledger.consume(&caller.tenant, &id, &agent, claimed.claimed_action_hash.as_deref()));
    taken(&app, step.await?, "consumed")
}

fn taken(app: &App, step: Step, status: &str) -> Result<Json<Value>, Problem> {
    match step {
        Step::Taken(approval, receipt) => {
            app.announce_approval(&approval, &receipt);
            let is_open = approval.status == ApprovalStatus::Created;
            Ok(Json(json!({
                "status": status, "approval_id": approval.id, "action_hash": approval.effective_hash,
                "original_action_hash": approval.original_action_hash,
                "effective_action_hash": approval.effective_hash, "approval_status": approval.status,
                "is_open": is_open, "receipt": receipt,
            })))
        }
        Step::Tampering { code, message, .. } => Err(Problem::new(StatusCode::CONFLICT, code, message)),
    }
}
