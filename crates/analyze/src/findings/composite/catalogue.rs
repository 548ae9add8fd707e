//! Entries of public catalogues under their published names: OWASP MCP Top 10 (2025), OWASP Top 10 for Agentic
//! Applications (2026) and MITRE ATLAS (data 5.6).

/// An entry: its id and its name.
pub(super) type Entry = (&'static str, &'static str);

pub(super) const MCP01: Entry = ("MCP01:2025", "Token Mismanagement & Secret Exposure");
pub(super) const MCP02: Entry = ("MCP02:2025", "Privilege Escalation via Scope Creep");
pub(super) const MCP03: Entry = ("MCP03:2025", "Tool Poisoning");
pub(super) const MCP05: Entry = ("MCP05:2025", "Command Injection & Execution");
pub(super) const MCP06: Entry = ("MCP06:2025", "Intent Flow Subversion");
pub(super) const MCP07: Entry = ("MCP07:2025", "Insufficient Authentication & Authorization");
pub(super) const MCP10: Entry = ("MCP10:2025", "Context Injection & Over-Sharing");

pub(super) const ASI01: Entry = ("ASI01", "Agent Goal Hijack");
pub(super) const ASI02: Entry = ("ASI02", "Tool Misuse and Exploitation");
pub(super) const ASI03: Entry = ("ASI03", "Identity and Privilege Abuse");
pub(super) const ASI05: Entry = ("ASI05", "Unexpected Code Execution (RCE)");
pub(super) const ASI06: Entry = ("ASI06", "Memory & Context Poisoning");
pub(super) const ASI07: Entry = ("ASI07", "Insecure Inter-Agent Communication");

pub(super) const PROMPT_INJECTION: Entry = ("AML.T0051", "LLM Prompt Injection");
pub(super) const TOOL_INVOCATION: Entry = ("AML.T0053", "AI Agent Tool Invocation");
pub(super) const UNSECURED_CREDENTIALS: Entry = ("AML.T0055", "Unsecured Credentials");
pub(super) const IMPERSONATION: Entry = ("AML.T0073", "Impersonation");
pub(super) const CONTEXT_POISONING: Entry = ("AML.T0080", "AI Agent Context Poisoning");
pub(super) const AGENT_CONFIGURATION: Entry = ("AML.T0081", "Modify AI Agent Configuration");
pub(super) const CONFIGURED_CREDENTIALS: Entry = ("AML.T0083", "Credentials from AI Agent Configuration");
pub(super) const DATA_FROM_SERVICES: Entry = ("AML.T0085", "Data from AI Services");
pub(super) const EXFILTRATION: Entry = ("AML.T0086", "Exfiltration via AI Agent Tool Invocation");
pub(super) const CREDENTIAL_HARVESTING: Entry = ("AML.T0098", "AI Agent Tool Credential Harvesting");
pub(super) const DATA_POISONING: Entry = ("AML.T0099", "AI Agent Tool Data Poisoning");
pub(super) const TOOL_POISONING: Entry = ("AML.T0110", "AI Agent Tool Poisoning");
