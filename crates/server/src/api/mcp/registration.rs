//! Registering an MCP server. Registering it again changes what is said about it and nothing else: what stopped it still
//! does, and what was approved still is.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::Value;
use tracehound_evidence::identity::{McpServer, McpServerStatus};
use tracehound_evidence::{Error, Ledger};
use tracehound_model::NodeId;

use crate::App;
use crate::api::tools::lookup_name;
use crate::body::Body;
use crate::caller::Caller;
use crate::problem::Problem;
use crate::shown;

/// Longest text of a registration.
const LONGEST: usize = 4_096;
/// Most arguments.
const MOST_ARGUMENTS: usize = 256;
/// Most servers of a tenant.
const MOST_SERVERS: usize = 10_000;

/// A server that is to be registered.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(as = McpRegistration)]
#[serde(deny_unknown_fields)]
pub(crate) struct Registration {
    server_key: String,
    name: String,
    #[serde(default)]
    owner_team: Option<String>,
    transport: Transport,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default, alias = "url")]
    endpoint: Option<String>,
    trust_level: String,
}

/// How a server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[schema(as = McpTransport)]
#[serde(rename_all = "lowercase")]
enum Transport {
    Stdio,
    #[serde(alias = "streamable-http", alias = "streamable_http")]
    Http,
    Sse,
}

impl Transport {
    const fn name(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::Sse => "sse",
        }
    }
}

pub(crate) async fn add(
    State(app): State<App>,
    caller: Caller,
    Body(mut asked): Body<Registration>,
) -> Result<(StatusCode, Json<McpServer>), Problem> {
    asked.server_key = lookup_name(&asked.server_key)?;
    asked.check()?;
    let written = app.write(move |ledger| {
        let is_new = !ledger.registry().rulebook(&caller.tenant).servers.contains_key(&asked.server_key);
        let (server, what) = asked.apply(ledger, &caller.tenant)?;
        let server = ledger.put_server(&caller.tenant, server, what, &Value::Null, caller.name())?;
        Ok((if is_new { StatusCode::CREATED } else { StatusCode::OK }, Json(server)))
    });
    Ok(written.await?)
}

impl Registration {
    fn check(&self) -> Result<(), Problem> {
        let invalid = |code: &str, detail: &str| Err(Problem::invalid(code, detail));
        if self.server_key.starts_with("mcp:") || self.server_key.contains('*') {
            return invalid("bad_name", "a server's key stands behind `mcp:` in calls; leave that out, and use no `*`");
        }
        if self.server_key.starts_with("sha256:") {
            return invalid("bad_name", "`sha256:` begins an id of the trust graph; choose another key");
        }
        let texts = [Some(&self.name), self.owner_team.as_ref(), self.command.as_ref(), self.endpoint.as_ref()];
        let texts = texts.into_iter().flatten().chain([&self.trust_level]).chain(&self.args);
        if self.args.len() > MOST_ARGUMENTS || texts.into_iter().any(|text| text.len() > LONGEST) {
            let detail =
                format!("a server has at most {MOST_ARGUMENTS} arguments, and no text of it more than {LONGEST} bytes");
            return invalid("too_long", &detail);
        }
        if self.trust_level.trim().is_empty() {
            return invalid("bad_trust_level", "say how far the server is trusted: `trust_level`");
        }
        let command = self.command.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let endpoint = self.endpoint.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let is_address = |text: &str| {
            ["http://", "https://"].iter().any(|scheme| text.len() > scheme.len() && text.starts_with(scheme))
        };
        match (self.transport, command, endpoint) {
            (Transport::Stdio, Some(_), None) => Ok(()),
            (Transport::Stdio, ..) => {
                invalid("bad_transport", "a server over `stdio` has a `command`, maybe `args`, and no `endpoint`")
            }
            (Transport::Http | Transport::Sse, None, Some(address)) if is_address(address) && self.args.is_empty() => {
                Ok(())
            }
            (Transport::Http | Transport::Sse, ..) => invalid(
                "bad_transport",
                "a server over `http` or `sse` has an `endpoint` that is an http or https URL, and no `command` or `args`",
            ),
        }
    }

    /// The id that a scan gives to the same server.
    fn node_id(&self) -> String {
        let id = match self.transport {
            Transport::Stdio => NodeId::stdio_server(self.command.as_deref().unwrap_or_default(), &self.args),
            Transport::Http | Transport::Sse => NodeId::http_server(self.endpoint.as_deref().unwrap_or_default()),
        };
        id.as_str().to_owned()
    }

    /// The server with what is said about it, and what that is for the record.
    fn apply(&self, ledger: &Ledger<'_>, tenant: &str) -> Result<(McpServer, &'static str), Error> {
        let book = ledger.registry().rulebook(tenant);
        let Some(old) = book.servers.get(&self.server_key) else {
            if book.servers.len() >= MOST_SERVERS {
                let message = format!("a tenant has at most {MOST_SERVERS} MCP servers");
                return Err(Error::Conflict { code: "too_many", message });
            }
            return Ok((self.server(ledger), "server_registered"));
        };
        let fresh = self.server(ledger);
        let is_another = old.node_id != fresh.node_id;
        let mut server = McpServer {
            status: old.status,
            status_reason: old.status_reason.clone(),
            manifest_hash: old.manifest_hash.clone(),
            tools: old.tools.clone(),
            created_at: old.created_at,
            ..fresh
        };
        let why = match old.status {
            McpServerStatus::Removed => {
                Some("it was removed and is registered again; restore it when somebody has looked at it")
            }
            McpServerStatus::Active if is_another => Some(
                "what starts it or where it is has changed, so it may be another server; restore it when somebody has looked at it",
            ),
            _ => None,
        };
        if let Some(why) = why {
            (server.status, server.status_reason) = (McpServerStatus::Quarantined, Some(why.to_owned()));
        }
        Ok((server, "server_registered_again"))
    }

    /// A server that nobody knew. Arguments and addresses are kept without what looks like a secret; the id is that of the
    /// whole.
    fn server(&self, ledger: &Ledger<'_>) -> McpServer {
        let trimmed =
            |text: &Option<String>| text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(shown::text);
        McpServer {
            server_key: self.server_key.clone(),
            name: self.name.clone(),
            owner_team: self.owner_team.clone(),
            transport: self.transport.name().to_owned(),
            command: trimmed(&self.command),
            args: shown::arguments(&self.args),
            endpoint: trimmed(&self.endpoint),
            trust_level: self.trust_level.trim().to_owned(),
            node_id: self.node_id(),
            status: McpServerStatus::Active,
            status_reason: None,
            manifest_hash: None,
            tools: Vec::new(),
            created_at: ledger.now(),
            updated_at: ledger.now(),
        }
    }
}
