//! Node ids: content hashes, so that whoever sees a thing gives it the same id.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{NodeKind, hash};

/// The id of a node. Ours are `sha256:` and 64 hex digits; foreign producers may use any non-empty text, and two
/// texts that differ in a single byte are two nodes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(String);

impl NodeId {
    /// Takes an id as it stands in a document.
    #[must_use]
    pub fn from_wire(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A server that is started as a command and spoken to over its standard streams.
    #[must_use]
    pub fn stdio_server<S: AsRef<str>>(command: &str, args: &[S]) -> Self {
        let mut args: Vec<&str> = args.iter().map(|arg| arg.as_ref().trim()).collect();
        args.sort_unstable();
        let args = args.join(",");
        let parts = ["stdio", command.trim(), &args];
        // The argument part and its colon are left out when there is nothing in it.
        Self::of(NodeKind::McpServer, if args.is_empty() { &parts[..2] } else { &parts })
    }

    /// A server that is reached at a URL, taken as written but for white space around it.
    #[must_use]
    pub fn http_server(url: &str) -> Self {
        Self::of(NodeKind::McpServer, &["http", url.trim()])
    }

    /// A tool of a server.
    #[must_use]
    pub fn mcp_tool(server: &Self, name: &str) -> Self {
        Self::of(NodeKind::McpTool, &[server.as_str(), name])
    }

    /// A resource (or resource template) of an MCP or Jupyter server.
    #[must_use]
    pub fn mcp_resource(server: &Self, uri: &str) -> Self {
        Self::of(NodeKind::McpResource, &[server.as_str(), uri])
    }

    /// A prompt of a server.
    #[must_use]
    pub fn mcp_prompt(server: &Self, name: &str) -> Self {
        Self::of(NodeKind::McpPrompt, &[server.as_str(), name])
    }

    /// An A2A agent, by its base URL or the address of its card.
    #[must_use]
    pub fn a2a_agent(url: &str) -> Self {
        Self::of(NodeKind::A2aAgent, &[&a2a_base_url(url)])
    }

    /// A skill of an A2A agent, by the skill's own id.
    #[must_use]
    pub fn a2a_skill(agent: &Self, skill: &str) -> Self {
        Self::of(NodeKind::A2aSkill, &[agent.as_str(), skill])
    }

    /// A configuration file, by its absolute path.
    #[must_use]
    pub fn config_file(path: &str) -> Self {
        Self::of(NodeKind::ConfigFile, &[path])
    }

    /// One client as one configuration file sets it up.
    #[must_use]
    pub fn agent_instance(config_file: &Self, client: &str) -> Self {
        Self::of(NodeKind::AgentInstance, &[config_file.as_str(), client])
    }

    /// An instruction file, by its absolute path.
    #[must_use]
    pub fn instruction_file(path: &str) -> Self {
        Self::of(NodeKind::InstructionFile, &[path])
    }

    /// A machine, by host name or IP text.
    #[must_use]
    pub fn host(name: &str) -> Self {
        Self::of(NodeKind::Host, &[name])
    }

    /// An identity of a server or agent, by its type.
    #[must_use]
    pub fn identity(parent: &Self, identity_type: &str) -> Self {
        Self::of(NodeKind::Identity, &[parent.as_str(), identity_type])
    }

    /// A credential, by where it is kept and what it is called there.
    #[must_use]
    pub fn credential(source: &str, name: &str) -> Self {
        Self::of(NodeKind::Credential, &[source, name])
    }

    /// An AI service, by its base URL `scheme://host:port`.
    #[must_use]
    pub fn service(kind: NodeKind, base_url: &str) -> Self {
        Self::of(kind, &[base_url])
    }

    /// A model, by the id of the instance that serves it.
    #[must_use]
    pub fn ai_model(instance: &Self, name: &str) -> Self {
        Self::of(NodeKind::AiModel, &[instance.as_str(), name])
    }

    /// Resources of a server that share a scheme and a root.
    #[must_use]
    pub fn resource_group(server: &Self, scheme: &str, root: &str) -> Self {
        Self::of(NodeKind::ResourceGroup, &[server.as_str(), scheme, root])
    }

    /// A trust zone, by its name.
    #[must_use]
    pub fn trust_zone(name: &str) -> Self {
        Self::of(NodeKind::TrustZone, &[name])
    }

    /// `sha256:` over the kind and its parts joined by `:`, the wire's rule for every node.
    fn of(kind: NodeKind, parts: &[&str]) -> Self {
        let mut digest = Sha256::new_with_prefix(kind.name());
        for part in parts {
            digest.update(":");
            digest.update(part);
        }
        Self(format!("sha256:{}", hash::hex(&digest.finalize())))
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The base URL that identifies an A2A agent: scheme added if missing, trailing slashes and card paths removed.
#[must_use]
pub fn a2a_base_url(url: &str) -> String {
    let url = url.trim();
    let with_scheme = if url.contains("://") { url.to_owned() } else { format!("https://{url}") };
    let mut base = with_scheme.trim_end_matches('/');
    for card in ["/.well-known/agent-card.json", "/.well-known/agent.json"] {
        base = base.strip_suffix(card).unwrap_or(base);
    }
    base.to_owned()
}

#[cfg(test)]
mod tests;
