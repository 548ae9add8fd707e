//! Registered tools and their actions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use tracehound_evidence::Rulebook;
use tracehound_evidence::decision::Page;
use tracehound_evidence::identity::Tool;
use tracehound_policy::{Check, Known, Policies};

use crate::App;
use crate::body::{Body, Path};
use crate::caller::Caller;
use crate::problem::Problem;
use crate::rulebook::{catalogue, policies};

/// Most actions of one tool.
const MOST_ACTIONS: usize = 1_000;

pub(crate) async fn list(State(app): State<App>, caller: Caller) -> Json<Page<Arc<Tool>>> {
    let book = app.evidence().registry().rulebook(&caller.tenant);
    Json(Page { items: book.tools.values().cloned().collect(), next_cursor: None })
}

/// A tool that was registered.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct AddedTool {
    tool_key: String,
    /// How many actions it has.
    actions: usize,
    /// What policies in force have to say about it.
    warnings: Vec<String>,
}

pub(crate) async fn add(
    State(app): State<App>,
    caller: Caller,
    Body(mut tool): Body<Tool>,
) -> Result<(StatusCode, Json<AddedTool>), Problem> {
    tool.tool_key = lookup_name(&tool.tool_key)?;
    if tool.tool_key.starts_with("mcp:") {
        let detail = "names that begin with `mcp:` are those of MCP servers: register them with POST /v1/mcp/servers";
        return Err(Problem::invalid("reserved_name", detail));
    }
    if tool.actions.len() > MOST_ACTIONS {
        return Err(Problem::invalid("too_many", format!("a tool has at most {MOST_ACTIONS} actions")));
    }
    for action in &mut tool.actions {
        action.action_key = lookup_name(&action.action_key)?;
    }
    let book = app.evidence().registry().rulebook(&caller.tenant);
    let warnings = warnings_with(&book, &tool);
    let answer = AddedTool { tool_key: tool.tool_key.clone(), actions: tool.actions.len(), warnings };
    app.write(move |ledger| ledger.put_tool(&caller.tenant, tool, caller.name())).await?;
    Ok((StatusCode::CREATED, Json(answer)))
}

/// The form in which a name is looked up.
pub(crate) fn lookup_name(name: &str) -> Result<String, Problem> {
    tracehound_policy::name::normal(name).ok_or_else(|| {
        let detail =
            "a name of a tool or action is empty, too long, encoded twice or has characters that can't be seen";
        Problem::invalid("bad_name", detail)
    })
}

/// What policies in force have to say about a tool, once it is registered.
fn warnings_with(book: &Rulebook, tool: &Tool) -> Vec<String> {
    let mut after = book.clone();
    after.tools.insert(tool.tool_key.clone(), Arc::new(tool.clone()));
    let catalogue = catalogue(&after);
    match Policies::compile(&policies(&after), &Known::tools(&catalogue), Check::Report) {
        Ok((_, warnings)) => warnings.iter().map(ToString::to_string).collect(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

pub(crate) async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<StatusCode, Problem> {
    let key = lookup_name(&key)?;
    app.write(move |ledger| ledger.remove_tool(&caller.tenant, &key, caller.name())).await?;
    Ok(StatusCode::NO_CONTENT)
}
