//! The tools of an MCP server: approved in exactly one form, or turned off.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::json;
use tracehound_evidence::identity::{McpServer, McpTool, McpToolStatus};
use tracehound_evidence::{Error, Ledger};

use super::known;
use crate::App;
use crate::api::tools::lookup_name;
use crate::body::{Body, Path};
use crate::caller::Caller;
use crate::problem::Problem;

/// What somebody agrees to.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[schema(as = ToolAgreement)]
#[serde(deny_unknown_fields)]
pub(crate) struct Agreed {
    /// The hash of the tool that they looked at.
    #[serde(default)]
    hash: Option<String>,
    #[serde(default)]
    reason: Option<String>,
}

/// Approves a tool in the form that it has. Any other form of it is pending again.
pub(crate) async fn approve(
    State(app): State<App>,
    caller: Caller,
    Path(place): Path<(String, String)>,
    Body(agreed): Body<Agreed>,
) -> Result<Json<McpServer>, Problem> {
    change(&app, caller, place, "tool_approved", agreed.reason, move |tool, by| {
        if agreed.hash.as_ref().is_some_and(|seen| *seen != tool.hash) {
            let message = format!("the tool is `{}`, not what you looked at; look at it again", tool.hash);
            return Err(Error::Conflict { code: "hash_differs", message });
        }
        tool.status = McpToolStatus::Approved;
        (tool.approved_hash, tool.approved_by) = (Some(tool.hash.clone()), Some(by.to_owned()));
        Ok(())
    })
    .await
}

/// Turns a tool off until somebody approves it.
pub(crate) async fn disable(
    State(app): State<App>,
    caller: Caller,
    Path(place): Path<(String, String)>,
    Body(agreed): Body<Agreed>,
) -> Result<Json<McpServer>, Problem> {
    change(&app, caller, place, "tool_disabled", agreed.reason, |tool, _| {
        tool.status = McpToolStatus::Disabled;
        (tool.approved_hash, tool.approved_by) = (None, None);
        Ok(())
    })
    .await
}

async fn change(
    app: &App,
    caller: Caller,
    (key, tool): (String, String),
    what: &'static str,
    reason: Option<String>,
    edit: impl FnOnce(&mut McpTool, &str) -> Result<(), Error> + Send + 'static,
) -> Result<Json<McpServer>, Problem> {
    if let Some(reason) = &reason {
        super::check_reason(reason)?;
    }
    let key = lookup_name(&key).map_err(|_| Problem::unknown("MCP server"))?;
    let tool = lookup_name(&tool).map_err(|_| Problem::unknown("MCP tool"))?;
    let written = app.write(move |ledger: &mut Ledger<'_>| {
        let mut server = known(ledger, &caller.tenant, &key)?;
        let found = server.tools.iter_mut().find(|it| it.tool_key == tool);
        let found = found.ok_or(Error::Unknown { what: "MCP tool", id: tool })?;
        edit(found, caller.name())?;
        let about = json!({ "tool": found.tool_key, "hash": found.hash, "reason": reason });
        ledger.put_server(&caller.tenant, server, what, &about, caller.name())
    });
    Ok(Json(written.await?))
}
