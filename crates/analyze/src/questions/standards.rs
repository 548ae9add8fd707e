//! The published catalogue entries that questions fall under, with their published names.

/// An entry: its id and name.
pub type Entry = (&'static str, &'static str);

pub(super) const SECRETS: Entry = ("MCP01:2025", "Token Mismanagement & Secret Exposure");
pub(super) const SCOPE: Entry = ("MCP02:2025", "Privilege Escalation via Scope Creep");
pub(super) const POISONING: Entry = ("MCP03:2025", "Tool Poisoning");
pub(super) const TAMPERING: Entry = ("MCP04:2025", "Software Supply Chain Attacks & Dependency Tampering");
pub(super) const COMMANDS: Entry = ("MCP05:2025", "Command Injection & Execution");
pub(super) const INTENT: Entry = ("MCP06:2025", "Intent Flow Subversion");
pub(super) const AUTHENTICATION: Entry = ("MCP07:2025", "Insufficient Authentication & Authorization");
pub(super) const CONTEXT: Entry = ("MCP10:2025", "Context Injection & Over-Sharing");
pub(super) const HIJACK: Entry = ("ASI01", "Agent Goal Hijack");
pub(super) const MISUSE: Entry = ("ASI02", "Tool Misuse and Exploitation");
pub(super) const PRIVILEGE: Entry = ("ASI03", "Identity and Privilege Abuse");
pub(super) const SUPPLY: Entry = ("ASI04", "Agentic Supply Chain Vulnerabilities");
pub(super) const EXECUTION: Entry = ("ASI05", "Unexpected Code Execution (RCE)");
pub(super) const MEMORY: Entry = ("ASI06", "Memory & Context Poisoning");
pub(super) const BETWEEN_AGENTS: Entry = ("ASI07", "Insecure Inter-Agent Communication");
pub(super) const CASCADES: Entry = ("ASI08", "Cascading Failures");
pub(super) const HUMAN_TRUST: Entry = ("ASI09", "Human-Agent Trust Exploitation");
pub(super) const ROGUE: Entry = ("ASI10", "Rogue Agents");
pub(super) const INJECTION: Entry = ("AML.T0051", "LLM Prompt Injection");
pub(super) const UNSECURED: Entry = ("AML.T0055", "Unsecured Credentials");
pub(super) const IMPERSONATION: Entry = ("AML.T0073", "Impersonation");
pub(super) const EXFILTRATION: Entry = ("AML.T0086", "Exfiltration via AI Agent Tool Invocation");
pub(super) const HARVESTING: Entry = ("AML.T0098", "AI Agent Tool Credential Harvesting");
pub(super) const ESCAPE: Entry = ("AML.T0105", "Escape to Host");
pub(super) const RUG_PULL: Entry = ("AML.T0109", "AI Supply Chain Rug Pull");
pub(super) const TOOL_POISONING: Entry = ("AML.T0110", "AI Agent Tool Poisoning");
