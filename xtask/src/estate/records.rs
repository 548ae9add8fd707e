//! The properties of each node kind, as the collectors write them: one borrowed struct a kind.
//!
//! INVARIANT: fields stand in the order of their names, which is the order of keys on the wire.

use serde::Serialize;
use tracehound_model::NodeId;

/// A configuration file.
#[derive(Debug, Serialize)]
pub(super) struct ConfigFile<'a> {
    pub(super) client: &'a str,
    pub(super) objectid: &'a NodeId,
    pub(super) path: &'a str,
    pub(super) server_count: usize,
}

/// One client as one file sets it up.
#[derive(Debug, Serialize)]
pub(super) struct AgentInstance<'a> {
    pub(super) config_path: &'a str,
    pub(super) framework: &'a str,
    pub(super) name: &'a str,
    pub(super) objectid: &'a NodeId,
}

/// A file of standing instructions.
#[derive(Debug, Serialize)]
pub(super) struct InstructionFile<'a> {
    pub(super) hash: &'a str,
    pub(super) is_suspicious: bool,
    pub(super) objectid: &'a NodeId,
    pub(super) path: &'a str,
    pub(super) r#type: &'a str,
}

/// A machine.
#[derive(Debug, Serialize)]
pub(super) struct Host<'a> {
    pub(super) hostname: &'a str,
    pub(super) ip: &'a str,
    pub(super) is_local: bool,
    pub(super) is_private: bool,
    pub(super) is_public: bool,
    pub(super) objectid: &'a NodeId,
}

/// A tool server.
#[derive(Debug, Serialize)]
pub(super) struct McpServer<'a> {
    pub(super) auth_method: &'a str,
    pub(super) capabilities: &'a [&'a str],
    pub(super) endpoint: &'a str,
    pub(super) has_tasks_capability: bool,
    pub(super) instructions: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) instructions_has_injection: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) instructions_hash: Option<&'a str>,
    pub(super) is_pinned: bool,
    pub(super) name: &'a str,
    pub(super) objectid: &'a NodeId,
    pub(super) protocol_version: &'a str,
    pub(super) server_version: &'a str,
    pub(super) status: &'a str,
    pub(super) transport: &'a str,
}

/// A tool.
#[derive(Debug, Serialize)]
pub(super) struct McpTool<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) annotations: Option<&'a str>,
    pub(super) capability_surface: &'a [&'a str],
    pub(super) description: &'a str,
    pub(super) description_hash: &'a str,
    pub(super) has_cross_references: bool,
    pub(super) has_injection_patterns: bool,
    pub(super) input_schema: &'a str,
    pub(super) input_schema_hash: &'a str,
    pub(super) name: &'a str,
    pub(super) objectid: &'a NodeId,
    pub(super) output_schema: &'a str,
    pub(super) schema_keys: &'a [&'a str],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source_trust: Option<&'a str>,
}

/// A resource.
#[derive(Debug, Serialize)]
pub(super) struct McpResource<'a> {
    pub(super) description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) is_template: Option<bool>,
    pub(super) mime_type: &'a str,
    pub(super) name: &'a str,
    pub(super) objectid: &'a NodeId,
    pub(super) sensitivity: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) size: Option<usize>,
    pub(super) uri: &'a str,
    pub(super) uri_scheme: &'a str,
}

/// A prompt template.
#[derive(Debug, Serialize)]
pub(super) struct McpPrompt<'a> {
    pub(super) arguments: &'a str,
    pub(super) description: &'a str,
    pub(super) name: &'a str,
    pub(super) objectid: &'a NodeId,
}

/// What a server or agent authenticates as.
#[derive(Debug, Serialize)]
pub(super) struct Identity<'a> {
    pub(super) is_static: bool,
    pub(super) objectid: &'a NodeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scope: Option<&'a str>,
    pub(super) r#type: &'a str,
}

/// A secret.
#[derive(Debug, Serialize)]
pub(super) struct Credential<'a> {
    pub(super) format: &'a str,
    pub(super) high_entropy: bool,
    pub(super) is_exposed: bool,
    pub(super) name: &'a str,
    pub(super) objectid: &'a NodeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) provider: Option<&'a str>,
    pub(super) source: &'a str,
    pub(super) r#type: &'a str,
    pub(super) value_hash: &'a str,
    pub(super) value_known: bool,
}

/// An agent on the network.
#[derive(Debug, Serialize)]
pub(super) struct A2aAgent<'a> {
    pub(super) auth_method: &'a str,
    pub(super) auth_posture: u8,
    pub(super) capabilities: &'a [&'a str],
    pub(super) card_hash: &'a str,
    pub(super) description: &'a str,
    pub(super) is_https: bool,
    pub(super) is_signed: bool,
    pub(super) name: &'a str,
    pub(super) objectid: &'a NodeId,
    pub(super) protocol_versions: &'a [&'a str],
    pub(super) provider: &'a str,
    pub(super) security_schemes: &'a str,
    pub(super) signature_valid: bool,
    pub(super) url: &'a str,
    pub(super) version: &'a str,
}

/// A skill of such an agent.
#[derive(Debug, Serialize)]
pub(super) struct A2aSkill<'a> {
    pub(super) description: &'a str,
    pub(super) description_hash: &'a str,
    pub(super) has_injection_patterns: bool,
    pub(super) id: &'a str,
    pub(super) input_modes: &'a [&'a str],
    pub(super) name: &'a str,
    pub(super) objectid: &'a NodeId,
    pub(super) output_modes: &'a [&'a str],
}

/// An AI service; what only some kinds carry is left out for the others.
#[derive(Debug, Serialize)]
pub(super) struct Service<'a> {
    pub(super) auth_method: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) chains: Option<&'a [&'a str]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) collection_count: Option<usize>,
    pub(super) discovered_via: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) docs_enabled: Option<bool>,
    pub(super) endpoint: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) experiment_count: Option<usize>,
    pub(super) is_anonymous_loot: bool,
    pub(super) name: &'a str,
    pub(super) objectid: &'a NodeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) token_required: Option<bool>,
    pub(super) version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) webui_auth_enabled: Option<bool>,
}

/// A model.
#[derive(Debug, Serialize)]
pub(super) struct AiModel<'a> {
    pub(super) digest: &'a str,
    pub(super) family: &'a str,
    pub(super) name: &'a str,
    pub(super) objectid: &'a NodeId,
    pub(super) parameter_size: &'a str,
    pub(super) quantization: &'a str,
    pub(super) size: usize,
    pub(super) value_hash: &'a str,
}
