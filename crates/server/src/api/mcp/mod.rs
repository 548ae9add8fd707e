//! MCP servers: registered, looked at, stopped, let go, taken out. What they show is in `manifest`, their tools are in
//! `tools`.
//!
//! The gateway contacts no server. A server's id in the trust graph follows from what starts it or where it is, so that
//! a decision and a scan name the same thing.

mod manifest;
mod registration;
mod tools;

pub(crate) use manifest::{Manifest, ManifestOutcome, manifests, submit};
pub(crate) use registration::{Registration, add};
pub(crate) use tools::{Agreed, approve, disable};

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use tracehound_evidence::decision::Page;
use tracehound_evidence::identity::{McpServer, McpServerStatus, McpToolStatus};
use tracehound_evidence::{Error, Ledger};

use crate::App;
use crate::api::tools::lookup_name;
use crate::api::{Paging, Why};
use crate::body::{Asked, Body, Path};
use crate::caller::Caller;
use crate::problem::Problem;

/// Longest reason.
const LONGEST_REASON: usize = 1_000;

pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    Asked(paging): Asked<Paging>,
) -> Json<Page<Arc<McpServer>>> {
    use std::ops::Bound::{Excluded, Unbounded};
    let slice = paging.slice();
    let book = app.evidence().registry().rulebook(&caller.tenant);
    let range = (slice.cursor.as_deref().map_or(Unbounded, Excluded), Unbounded);
    let mut found: Vec<_> =
        book.servers.range::<str, _>(range).map(|(_, it)| it.clone()).take(slice.limit() + 1).collect();
    let has_more = found.len() > slice.limit();
    found.truncate(slice.limit());
    let next = found.last().filter(|_| has_more).map(|server| server.server_key.clone());
    Json(Page { items: found, next_cursor: next })
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<Json<McpServer>, Problem> {
    let book = app.evidence().registry().rulebook(&caller.tenant);
    let found = lookup_name(&key).ok().and_then(|key| book.servers.get(&key).cloned());
    found.map(|server| Json((*server).clone())).ok_or_else(|| Problem::unknown("MCP server"))
}

/// Takes a server out. What was agreed to about its tools ends with it.
pub(crate) async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<Json<McpServer>, Problem> {
    let change = Change { what: "server_removed", about: Value::Null };
    make(&app, caller, key, change, |server| {
        (server.status, server.status_reason) = (McpServerStatus::Removed, None);
        for tool in &mut server.tools {
            (tool.approved_hash, tool.approved_by) = (None, None);
            if tool.status == McpToolStatus::Approved {
                tool.status = McpToolStatus::Pending;
            }
        }
        Ok(())
    })
    .await
}

pub(crate) async fn quarantine(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
    Body(why): Body<Why>,
) -> Result<Json<McpServer>, Problem> {
    check_reason(&why.reason)?;
    let change = Change { what: "server_quarantined", about: json!({ "reason": why.reason }) };
    make(&app, caller, key, change, |server| {
        (server.status, server.status_reason) = (McpServerStatus::Quarantined, Some(why.reason));
        Ok(())
    })
    .await
}

/// Lets a server be called again. Tools that nobody approved in the form that they have stay out.
pub(crate) async fn restore(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
    Body(why): Body<Why>,
) -> Result<Json<McpServer>, Problem> {
    check_reason(&why.reason)?;
    let change = Change { what: "server_restored", about: json!({ "reason": why.reason }) };
    make(&app, caller, key, change, |server| {
        if server.status != McpServerStatus::Quarantined {
            let message = format!("MCP server `{}` is not quarantined", server.server_key);
            return Err(Error::Conflict { code: "not_quarantined", message });
        }
        (server.status, server.status_reason) = (McpServerStatus::Active, None);
        Ok(())
    })
    .await
}

/// What happens to a server, for the record.
struct Change {
    what: &'static str,
    about: Value,
}

/// Changes a server as it is at the moment of the change, and puts the change on record.
async fn make(
    app: &App,
    caller: Caller,
    key: String,
    change: Change,
    edit: impl FnOnce(&mut McpServer) -> Result<(), Error> + Send + 'static,
) -> Result<Json<McpServer>, Problem> {
    let key = lookup_name(&key).map_err(|_| Problem::unknown("MCP server"))?;
    let written = app.write(move |ledger| {
        let mut server = known(ledger, &caller.tenant, &key)?;
        edit(&mut server)?;
        ledger.put_server(&caller.tenant, server, change.what, &change.about, caller.name())
    });
    Ok(Json(written.await?))
}

/// A server that was not taken out.
fn known(ledger: &Ledger<'_>, tenant: &str, key: &str) -> Result<McpServer, Error> {
    let book = ledger.registry().rulebook(tenant);
    let unknown = || Error::Unknown { what: "MCP server", id: key.to_owned() };
    let server = book.servers.get(key).ok_or_else(unknown)?;
    if server.status == McpServerStatus::Removed {
        let message = format!("MCP server `{key}` was removed; register it again with POST /v1/mcp/servers");
        return Err(Error::Conflict { code: "mcp_server_removed", message });
    }
    Ok((**server).clone())
}

fn check_reason(reason: &str) -> Result<(), Problem> {
    if reason.trim().is_empty() || reason.len() > LONGEST_REASON {
        return Err(Problem::invalid("bad_reason", format!("say why, in at most {LONGEST_REASON} bytes: `reason`")));
    }
    Ok(())
}
