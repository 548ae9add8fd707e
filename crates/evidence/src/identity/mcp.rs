//! Registered MCP servers, and which of their tools may be called.

use serde::{Deserialize, Serialize};
use tracehound_model::RiskLevel;

use super::words;
use crate::Moment;

/// A registered MCP server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct McpServer {
    /// The name in a call, behind `mcp:`.
    pub server_key: String,
    /// What people call it.
    pub name: String,
    /// Who answers for it.
    pub owner_team: Option<String>,
    /// `stdio`, `http` or `sse`.
    pub transport: String,
    /// What starts it, if it is started.
    pub command: Option<String>,
    /// The arguments of the command.
    pub args: Vec<String>,
    /// Where it is, if it is called over the network.
    pub endpoint: Option<String>,
    /// How far it is trusted, in the words of whoever registered it.
    pub trust_level: String,
    /// Its id in the trust graph.
    pub node_id: String,
    /// Whether it may be called.
    pub status: McpServerStatus,
    /// Why its status is what it is.
    pub status_reason: Option<String>,
    /// The hash of the last manifest, once there was one.
    pub manifest_hash: Option<String>,
    /// The tools of the last manifest.
    pub tools: Vec<McpTool>,
    /// When it was registered.
    pub created_at: Moment,
    /// When anything about it changed last.
    pub updated_at: Moment,
}

/// Whether a server may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum McpServerStatus {
    /// It may.
    Active,
    /// It may not until somebody restores it.
    Quarantined,
    /// It is gone. Its key stays taken, so that what was decided about it is not forgotten.
    Removed,
}

words!(McpServerStatus, "a status of a server",
    Active => "active", Quarantined => "quarantined", Removed => "removed");

/// A tool of an MCP server, as its manifest has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct McpTool {
    /// The name in a call.
    pub tool_key: String,
    /// What people call it.
    pub name: String,
    /// What it says about itself.
    pub description: Option<String>,
    /// The JSON schema of its arguments.
    pub input_schema: Option<serde_json::Value>,
    /// How bad it can get.
    pub risk: RiskLevel,
    /// Whether it changes anything.
    pub mutates_state: bool,
    /// Whether a person has to agree to each call.
    pub approval_required: bool,
    /// The hash of all of the above.
    pub hash: String,
    /// Whether it may be called.
    pub status: McpToolStatus,
    /// The hash that somebody agreed to.
    pub approved_hash: Option<String>,
    /// Who agreed.
    pub approved_by: Option<String>,
}

/// Whether a tool may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum McpToolStatus {
    /// Nobody has looked at it in this form.
    Pending,
    /// It may, as long as it stays as it is.
    Approved,
    /// It may not.
    Disabled,
}

words!(McpToolStatus, "a status of a tool", Pending => "pending", Approved => "approved", Disabled => "disabled");
