//! What an MCP server shows: compared with what it showed before. A server that shows something else is stopped until
//! somebody has looked at it; one that shows the same changes nothing.
//!
//! The gateway contacts no server, so a manifest is as true as whoever hands it in.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tracehound_evidence::decision::Page;
use tracehound_evidence::event::{Event, MCP_MANIFEST_DRIFT};
use tracehound_evidence::identity::{McpServer, McpServerStatus, McpTool};
use tracehound_evidence::mcp::{Drift, MAX_TOOLS, SeenTool, drift, manifest_hash, merged};
use tracehound_evidence::reading::Manifest as SeenManifest;
use tracehound_evidence::{Error, Ledger, Rulebook};
use tracehound_model::Severity;

use super::known;
use crate::App;
use crate::api::tools::lookup_name;
use crate::body::{Body, Path};
use crate::caller::Caller;
use crate::poison::{self, Poison};
use crate::problem::Problem;
use crate::rulebook::uncallable;

/// Longest name of a tool.
const LONGEST_NAME: usize = 256;
/// Longest description.
const LONGEST_DESCRIPTION: usize = 64 << 10;
/// Longest schema, as JSON.
const LONGEST_SCHEMA: usize = 256 << 10;
/// How many manifests are shown.
const SHOWN: i64 = 100;
/// How much of what is different the reason of an event tells.
const TOLD: usize = 5;

/// What a server shows.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(as = McpManifest)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    tools: Vec<SeenTool>,
}

/// What came of a manifest.
struct Outcome {
    server: McpServer,
    is_changed: bool,
    drift: Vec<Drift>,
}

/// What came of a manifest, as it is told.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ManifestOutcome {
    server_key: String,
    manifest_hash: Option<String>,
    is_changed: bool,
    is_quarantined: bool,
    status: McpServerStatus,
    status_reason: Option<String>,
    drift: Vec<Drift>,
    /// Texts that try to steer whoever reads them.
    rule_matches: Vec<Poison>,
    tools: Vec<McpTool>,
}

pub(crate) async fn submit(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
    Body(manifest): Body<Manifest>,
) -> Result<Json<ManifestOutcome>, Problem> {
    let key = lookup_name(&key).map_err(|_| Problem::unknown("MCP server"))?;
    let tools = checked(manifest.tools)?;
    let book = app.evidence().registry().rulebook(&caller.tenant);
    let work = move || -> Result<_, Problem> {
        check_callable(&book, &key, &tools)?;
        Ok((poison::find(&tools), tools, key))
    };
    let looked = tokio::task::spawn_blocking(work).await.map_err(|_| Problem::from(Error::Closed))?;
    let (poison, tools, key) = looked?;
    let found = poison.clone();
    let outcome = app.write(move |ledger| take(ledger, &caller, &key, tools, &found)).await?;
    // Detection tells live viewers of what is noted.
    app.detection().ring();
    let Outcome { server, is_changed, drift } = outcome;
    Ok(Json(ManifestOutcome {
        server_key: server.server_key,
        manifest_hash: server.manifest_hash,
        is_changed,
        is_quarantined: server.status == McpServerStatus::Quarantined,
        status: server.status,
        status_reason: server.status_reason,
        drift,
        rule_matches: poison,
        tools: server.tools,
    }))
}

/// Takes a manifest in, within the transaction.
fn take(
    ledger: &mut Ledger<'_>,
    caller: &Caller,
    key: &str,
    tools: Vec<SeenTool>,
    poison: &[Poison],
) -> Result<Outcome, Error> {
    let mut server = known(ledger, &caller.tenant, key)?;
    let hash = manifest_hash(&tools)?;
    if server.manifest_hash.as_ref() == Some(&hash) {
        return Ok(Outcome { server, is_changed: false, drift: Vec::new() });
    }
    let is_first = server.manifest_hash.is_none();
    let drift = if is_first { Vec::new() } else { drift(&server.tools, &tools)? };
    let manifest = json!(tools);
    server.tools = merged(&server, tools)?;
    server.manifest_hash = Some(hash);
    let worst = drift.iter().map(|drift| drift.severity).max();
    let why = reason(&drift, poison);
    if worst >= Some(Severity::Medium) && server.status == McpServerStatus::Active {
        server.status = McpServerStatus::Quarantined;
        server.status_reason = Some(format!("it shows something else than before: {why}"));
    }
    let rules: BTreeSet<&str> = poison.iter().map(|poison| poison.rule.as_str()).collect();
    let about = json!({ "drift": drift, "rule_matches": rules });
    let what = if is_first { "manifest_first_seen" } else { "manifest_changed" };
    let server = ledger.put_server(&caller.tenant, server, what, &about, caller.name())?;
    ledger.keep_manifest(&caller.tenant, &server, &manifest, &drift)?;
    if let Some(worst) = worst {
        ledger.note(&event(ledger, &caller.tenant, key, worst, &why))?;
    }
    Ok(Outcome { server, is_changed: true, drift })
}

fn event(ledger: &Ledger<'_>, tenant: &str, key: &str, worst: Severity, why: &str) -> Event {
    Event {
        event_id: uuid::Uuid::now_v7().hyphenated().to_string(),
        occurred_at: ledger.now(),
        kind: MCP_MANIFEST_DRIFT.to_owned(),
        decision: Some("flag".to_owned()),
        tool: Some(format!("mcp:{key}")),
        reason: why.to_owned(),
        code: MCP_MANIFEST_DRIFT.to_owned(),
        risk_score: if worst >= Severity::High { 75 } else { 40 },
        ..Event::about_agent(tenant, None)
    }
}

/// What is different, in short.
fn reason(drift: &[Drift], poison: &[Poison]) -> String {
    let told = drift.iter().take(TOLD).map(|drift| format!("{} of `{}`", drift.kind, drift.tool_key));
    let mut parts: Vec<String> = told.collect();
    if drift.len() > TOLD {
        parts.push(format!("and {} more", drift.len() - TOLD));
    }
    let rules: BTreeSet<&str> = poison.iter().map(|poison| poison.rule.as_str()).collect();
    if !rules.is_empty() {
        let rules: Vec<&str> = rules.into_iter().take(TOLD).collect();
        parts.push(format!("descriptions match {}", rules.join(", ")));
    }
    parts.join(", ")
}

/// Tools under the names that they are looked up by, each of a size that can be kept.
fn checked(mut tools: Vec<SeenTool>) -> Result<Vec<SeenTool>, Problem> {
    if tools.len() > MAX_TOOLS {
        return Err(Problem::invalid("too_many", format!("a manifest has at most {MAX_TOOLS} tools")));
    }
    let mut names = BTreeSet::new();
    for tool in &mut tools {
        tool.tool_key = lookup_name(&tool.tool_key)?;
        let schema = tool.input_schema.as_ref().map_or(0, |schema| schema.to_string().len());
        let description = tool.description.as_ref().map_or(0, String::len);
        if tool.name.len() > LONGEST_NAME || description > LONGEST_DESCRIPTION || schema > LONGEST_SCHEMA {
            let detail = format!(
                "the tool `{}` is too long: a name has at most {LONGEST_NAME} bytes, a description \
                 {LONGEST_DESCRIPTION}, a schema {LONGEST_SCHEMA}",
                tool.tool_key
            );
            return Err(Problem::invalid("too_long", detail));
        }
        if !names.insert(tool.tool_key.clone()) {
            let detail = format!("two tools are called `{}`; names that differ in case are the same", tool.tool_key);
            return Err(Problem::invalid("same_name", detail));
        }
    }
    Ok(tools)
}

/// Policies must be able to tell each tool from every other.
fn check_callable(book: &Rulebook, key: &str, tools: &[SeenTool]) -> Result<(), Problem> {
    let Some(server) = book.servers.get(key) else { return Ok(()) };
    let before: BTreeSet<String> = uncallable(book).into_iter().collect();
    let mut after = book.clone();
    let server = McpServer { tools: merged(server, tools.to_vec())?, ..(**server).clone() };
    after.servers.insert(key.to_owned(), Arc::new(server));
    match uncallable(&after).into_iter().find(|why| !before.contains(why)) {
        Some(why) => Err(Problem::invalid("bad_name", format!("a tool can't be registered: {why}"))),
        None => Ok(()),
    }
}

pub(crate) async fn manifests(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<Json<Page<SeenManifest>>, Problem> {
    let key = lookup_name(&key).map_err(|_| Problem::unknown("MCP server"))?;
    if !app.evidence().registry().rulebook(&caller.tenant).servers.contains_key(&key) {
        return Err(Problem::unknown("MCP server"));
    }
    let found = app.read(move |evidence| evidence.manifests(&caller.tenant, &key, SHOWN)).await?;
    Ok(Json(Page { items: found, next_cursor: None }))
}
