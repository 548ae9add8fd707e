//! Why something was decided, as codes that never change: safe for agents, and the names of what is built in.

/// Declares the codes: name on the wire, text for agents.
macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $text:literal;)+) => {
        /// Why it was decided so.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[doc = $doc])+ $variant,)+ }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// What an agent is told, unless a policy says it in other words.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    };
}

codes! {
    /// Policies permit it.
    Allowed "allowed" "It may happen.";
    /// Policies permit it without some values.
    Redacted "redacted" "It may happen without the values of some fields.";
    /// Policies permit it when a person agrees.
    ApprovalRequired "approval_required" "A person has to agree to exactly this call.";
    /// A policy stops the agent.
    QuarantinedByPolicy "quarantined_by_policy" "A policy stops this agent.";
    /// A policy forbids it.
    ForbiddenByPolicy "forbidden_by_policy" "A policy forbids it.";
    /// No policy permits it.
    NotPermitted "not_permitted" "No policy permits it.";
    /// A policy could not be evaluated.
    PolicyError "policy_error" "A policy could not be evaluated, so nothing is permitted. Tell whoever runs the gateway.";
    /// The agent is frozen.
    AgentFrozen "agent_frozen" "The agent is frozen.";
    /// The agent is revoked.
    AgentRevoked "agent_revoked" "The agent is revoked.";
    /// The agent is quarantined.
    AgentQuarantined "agent_quarantined" "The agent is quarantined.";
    /// The agent may not run there.
    EnvironmentNotAllowed "environment_not_allowed" "The agent may not act in this environment.";
    /// The agent may not call the tool.
    ToolNotPermitted "tool_not_permitted" "The agent may not call this tool.";
    /// A name has no normal form.
    NameRefused "tool_name_refused" "The name of the tool or action is empty, too long, encoded twice or has characters that can't be seen.";
    /// Nobody registered the action.
    ToolUnknown "tool_unknown" "The tool or its action is not registered.";
    /// Nobody registered the MCP server.
    McpServerUnknown "mcp_server_unknown" "The MCP server is not registered. An administrator registers it with POST /v1/mcp/servers.";
    /// The MCP server is quarantined.
    McpServerQuarantined "mcp_server_quarantined" "The MCP server is quarantined.";
    /// The tool of the MCP server is not approved.
    McpToolNotApproved "mcp_tool_not_approved" "The tool of the MCP server is not approved.";
    /// The tool of the MCP server is not the one that was approved.
    McpToolChanged "mcp_tool_changed" "The tool of the MCP server has changed since it was approved.";
    /// The arguments are not what the tool declares.
    ArgumentsDoNotFit "arguments_do_not_fit" "The arguments are not of the types that the tool declares.";
    /// The action is registered as denied.
    ActionDefaultDeny "registered_action_default_deny" "The action is registered as one that may not happen.";
    /// The action is registered as one that needs approval.
    ActionApprovalRequired "registered_action_approval_required" "The action is registered as one that a person has to agree to.";
    /// What is as bad as it gets needs approval.
    CriticalRisk "critical_risk_requires_approval" "The risk is critical, so a person has to agree.";
    /// Everything that the agent does needs approval.
    ForcedApproval "soc_response_force_approval" "A person has to agree to everything that this agent does.";
}

impl Code {
    /// The name under which it stands among the matched policies, for what is decided without a policy.
    #[must_use]
    pub const fn marker(self) -> Option<&'static str> {
        match self {
            Self::Allowed
            | Self::Redacted
            | Self::ApprovalRequired
            | Self::QuarantinedByPolicy
            | Self::ForbiddenByPolicy => None,
            // The names that these two have always had.
            Self::ToolUnknown => Some("mcp_unknown_tool"),
            Self::McpToolNotApproved => Some("mcp_tool_status"),
            _ => Some(self.name()),
        }
    }
}

/// Names that whoever records decisions uses besides those of the codes.
pub const MARKERS: &[&str] = &["admission_webhook_reject", "audit_writer_unavailable", "replay_nonce_reused"];

/// Whether no policy may have this name, in any case.
pub(crate) fn is_reserved(name: &str) -> bool {
    let same = |other: &str| other.eq_ignore_ascii_case(name);
    Code::ALL.iter().any(|code| same(code.name()) || code.marker().is_some_and(same))
        || MARKERS.iter().copied().any(same)
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
