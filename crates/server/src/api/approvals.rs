//! Approvals: looked at, answered, edited, used.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tracehound_evidence::approval::{Answer, Approval, ApprovalStatus, Edit};
use tracehound_evidence::decision::{Page, ReceiptRef};
use tracehound_evidence::{Error, Step};
use tracehound_policy::request::ToolCall;

use crate::App;
use crate::again;
use crate::api::Paging;
use crate::api::authorize::ATTEMPTS;
use crate::body::{Asked, Body, Path};
use crate::caller::{Caller, Who};
use crate::problem::Problem;
use crate::shown;

/// Which approvals are asked for.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub(crate) struct Filter {
    /// `pending`, which it is if nothing is said, or `all`.
    status: Option<String>,
    /// Where the page before ended: its `next_cursor`.
    cursor: Option<String>,
    /// How many.
    limit: Option<usize>,
}

pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<Filter>,
) -> Result<Json<Page<ShownApproval>>, Problem> {
    let is_pending = match asked.status.as_deref() {
        None | Some("pending") => true,
        Some("all") => false,
        Some(_) => return Err(Problem::invalid("bad_query", "`status` is `pending` or `all`")),
    };
    let slice = Paging { cursor: asked.cursor, limit: asked.limit }.slice();
    let page = app.read(move |evidence| evidence.approvals(&caller.tenant, is_pending, &slice)).await?;
    Ok(Json(Page { items: page.items.into_iter().map(ShownApproval::of).collect(), next_cursor: page.next_cursor }))
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<ShownApproval>, Problem> {
    Ok(Json(ShownApproval::of(find(&app, &caller, id).await?)))
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
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ShownApproval {
    #[serde(flatten)]
    approval: Approval,
    is_edited: bool,
    /// The hash of the call that may be made.
    effective_action_hash: String,
    /// The same, if it was edited.
    edited_action_hash: Option<String>,
}

impl ShownApproval {
    fn of(approval: Approval) -> Self {
        let is_edited = approval.content.edited_tool_call.is_some();
        let effective_action_hash = approval.effective_hash.clone();
        let edited_action_hash = is_edited.then(|| effective_action_hash.clone());
        Self { approval, is_edited, effective_action_hash, edited_action_hash }
    }
}

/// What a person says.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(as = ApprovalAnswer)]
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
) -> Result<Json<ApprovalStep>, Problem> {
    let answer = answer_of(&caller, said.reason);
    let step = app.write(move |ledger| ledger.approve(&caller.tenant, &id, &answer, said.action_hash.as_deref()));
    taken(&app, step.await?, "success")
}

pub(crate) async fn reject(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(said): Body<Said>,
) -> Result<Json<ApprovalStep>, Problem> {
    let answer = answer_of(&caller, said.reason);
    let step = app.write(move |ledger| ledger.reject(&caller.tenant, &id, &answer)).await?;
    taken(&app, step, "success")
}

fn answer_of(caller: &Caller, reason: Option<String>) -> Answer {
    let person_id = match &caller.who {
        Who::Person(person) => Some(person.id.clone()),
        Who::Agent(_) | Who::Operator => None,
    };
    Answer { person: caller.name().to_owned(), person_id, reason }
}

/// Another call.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(as = EditedCall)]
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
) -> Result<Json<ApprovalStep>, Problem> {
    let answer = answer_of(&caller, edited.reason);
    let call = &edited.edited_tool_call;
    for _ in 0..ATTEMPTS {
        let approval = find(&app, &caller, id.clone()).await?;
        let decided = again::edited(&app, &approval, call).await?;
        let edit = Edit {
            answer: answer.clone(),
            shown_call: shown::call(call, &decided.redacted_fields),
            action_hash: again::hash(call),
            seen_hash: edited.action_hash.clone(),
            standing: decided.standing,
        };
        let (tenant, id) = (caller.tenant.clone(), id.clone());
        match app.write(move |ledger| ledger.edit(&tenant, &id, &edit)).await {
            Err(Error::Stale) => {}
            step => return taken(&app, step?, "success"),
        }
    }
    Err(Error::Stale.into())
}

/// What an agent says it will do.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[schema(as = ClaimedCall)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claimed {
    claimed_action_hash: Option<String>,
}

pub(crate) async fn consume(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(claimed): Body<Claimed>,
) -> Result<Json<ApprovalStep>, Problem> {
    caller.agent()?;
    for _ in 0..ATTEMPTS {
        let approval = find(&app, &caller, id.clone()).await?;
        let standing = again::agreed(&app, &approval).await?.standing;
        let (tenant, id, claimed) = (caller.tenant.clone(), id.clone(), claimed.claimed_action_hash.clone());
        match app.write(move |ledger| ledger.consume(&tenant, &id, claimed.as_deref(), &standing)).await {
            Err(Error::Stale) => {}
            step => return taken(&app, step?, "consumed"),
        }
    }
    Err(Error::Stale.into())
}

/// What became of an approval.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ApprovalStep {
    /// `success` or `consumed`.
    status: &'static str,
    approval_id: String,
    action_hash: String,
    original_action_hash: String,
    effective_action_hash: String,
    approval_status: ApprovalStatus,
    /// Whether somebody has still to answer.
    is_open: bool,
    receipt: ReceiptRef,
}

fn taken(app: &App, step: Step, status: &'static str) -> Result<Json<ApprovalStep>, Problem> {
    match step {
        Step::Taken(approval, receipt) => {
            app.announce_approval(&approval, &receipt);
            Ok(Json(ApprovalStep {
                status,
                approval_id: approval.id,
                action_hash: approval.effective_hash.clone(),
                original_action_hash: approval.original_action_hash,
                effective_action_hash: approval.effective_hash,
                approval_status: approval.status,
                is_open: approval.status == ApprovalStatus::Created,
                receipt,
            }))
        }
        Step::Tampering { code, message, .. } => Err(refused(app, code, message)),
        Step::Refused { code, message, .. } => Err(refused(app, &code, message)),
    }
}

/// A step that was not taken is an event, too.
fn refused(app: &App, code: &str, message: String) -> Problem {
    app.detection().ring();
    Problem::new(StatusCode::CONFLICT, code, message)
}
