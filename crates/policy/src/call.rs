//! One tool call as it is decided: what the caller said, beside what is registered.

use serde_json::Value;
use tracehound_model::TrustLevel;

use crate::agent::Principal;
use crate::catalogue::Lookup;
use crate::request::AuthorizeRequest;
use crate::risk::{RiskWeights, effective_trust};

/// One tool call, and everything that is known about it.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// Who authenticated. What the body says of the agent's id doesn't count.
    pub agent: &'a Principal,
    /// What [`Catalogue::find`](crate::Catalogue::find) said about the tool and the action.
    pub registered: Lookup<'a>,
    /// The MCP server, if it is registered and the tool is one of an MCP server.
    pub mcp: Option<McpFacts<'a>>,
    /// The tool, as received.
    pub tool: &'a str,
    /// The action, as received.
    pub action: &'a str,
    /// What it is done to.
    pub target: Option<&'a str>,
    /// The arguments.
    pub arguments: &'a Value,
    /// Whether the caller thinks that it changes something. Only a yes counts.
    pub claims_mutation: bool,
    /// Whether the caller thinks that sensitive data is in it.
    pub contains_sensitive_data: bool,
    /// Where the caller says it runs.
    pub environment: &'a str,
    /// How far the caller says that the cause is trusted.
    pub declared_trust: TrustLevel,
    /// What is left of it along the chain of runs.
    pub effective_trust: TrustLevel,
    /// The run.
    pub run: Option<Run<'a>>,
    /// The person behind the run.
    pub user: Option<User<'a>>,
    /// What counts how much in the composite score.
    pub weights: &'a RiskWeights,
}

impl<'a> Call<'a> {
    /// The call of a request, as the authenticated agent's. `inherited` is what the records say is left of the trust
    /// along the chain of runs; the request's own word about it counts only if it is weaker.
    #[must_use]
    pub fn of_request(
        request: &'a AuthorizeRequest,
        agent: &'a Principal,
        registered: Lookup<'a>,
        weights: &'a RiskWeights,
        inherited: Option<TrustLevel>,
    ) -> Self {
        Self {
            agent,
            registered,
            mcp: None,
            tool: &request.tool_call.tool,
            action: &request.tool_call.action,
            target: request.tool_call.resource.as_deref(),
            arguments: &request.tool_call.parameters,
            claims_mutation: request.tool_call.mutates_state,
            contains_sensitive_data: request.context.contains_sensitive_data,
            environment: &request.agent.environment,
            declared_trust: request.context.source_trust,
            effective_trust: effective_trust(request.effective_trust(), inherited),
            run: request.trace.as_ref().map(|trace| Run { id: &trace.run_id, parent: trace.parent_run_id.as_deref() }),
            user: request.user.as_ref().map(|user| User { id: &user.id, role: &user.role }),
            weights,
        }
    }
}

/// The run that a call belongs to.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// Its id.
    pub id: &'a str,
    /// The run that started it.
    pub parent: Option<&'a str>,
}

/// The person behind a run.
#[derive(Debug, Clone, Copy)]
pub struct User<'a> {
    /// Their id.
    pub id: &'a str,
    /// Their role.
    pub role: &'a str,
}

/// What is registered about the MCP server of a call, and about its tool.
#[derive(Debug, Clone, Copy)]
pub struct McpFacts<'a> {
    /// The server's key.
    pub server_key: &'a str,
    /// How far the server is trusted, as registered.
    pub trust_level: &'a str,
    /// Whether the server is quarantined.
    pub is_quarantined: bool,
    /// Whether somebody approved the tool.
    pub tool_status: McpToolStatus,
    /// Whether the tool is still the one that was approved.
    pub hash_matches: bool,
}

/// Whether somebody approved a tool of an MCP server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum McpToolStatus {
    /// Somebody did.
    Approved,
    /// Nobody looked at it yet.
    Pending,
    /// Somebody turned it off.
    Disabled,
}
