//! The property table: what is known about each property's type.
//!
//! Properties are free on the wire. The table serves two ends: a value that a template wrote as text ("true", "3")
//! gets its type back where the table knows it, and the reference page lists what each kind carries.

use crate::NodeKind;

/// The type of a property's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PropertyType {
    /// Text.
    Text,
    /// True or false; the texts "true" and "false" are read as such.
    Boolean,
    /// A whole number; its decimal text is read as such.
    Integer,
    /// A number; a whole one or its decimal text is read as such.
    Number,
    /// A list of texts.
    TextList,
    /// Text that itself is JSON.
    JsonText,
}

impl PropertyType {
    /// How the reference page calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::TextList => "list of text",
            Self::JsonText => "JSON as text",
        }
    }
}

/// One property: its key, its type and the node kinds that carry it (none: every edge may).
#[derive(Debug, Clone, Copy)]
pub struct Property {
    /// The key, in snake_case.
    pub key: &'static str,
    /// The type of its value.
    pub value: PropertyType,
    /// The node kinds that carry it.
    pub kinds: &'static [NodeKind],
}

/// The type of the property with this key, the same for every kind that carries it.
#[must_use]
pub fn property_type(key: &str) -> Option<PropertyType> {
    // PROPERTIES is sorted by key, which a test holds.
    let row = PROPERTIES.binary_search_by(|row| row.key.cmp(key)).ok()?;
    PROPERTIES.get(row).map(|row| row.value)
}

/// A hash whose change from scan to scan means that something rewrote itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchedHash {
    /// The property that holds the hash.
    pub hash: &'static str,
    /// The property that keeps the former hash until a person has seen the change.
    pub previous: &'static str,
    /// The property that holds what is hashed, or most of it.
    pub content: &'static str,
}

/// Every watched hash. A card's own hash is not among them: it changes with each release of an agent, and what agents
/// read of a card has hashes of its own.
pub const WATCHED_HASHES: [WatchedHash; 3] = [
    WatchedHash { hash: "description_hash", previous: "previous_description_hash", content: "description" },
    WatchedHash { hash: "input_schema_hash", previous: "previous_input_schema_hash", content: "input_schema" },
    WatchedHash { hash: "instructions_hash", previous: "previous_instructions_hash", content: "instructions" },
];

macro_rules! properties {
    ($( $key:literal $value:ident [$($kind:ident)*]; )+) => {
        /// Every known property, sorted by key.
        pub const PROPERTIES: &[Property] = &[$(
            Property { key: $key, value: PropertyType::$value, kinds: &[$( NodeKind::$kind, )*] },
        )+];
    };
}

properties! {
    "access_sensitivity" Text [McpTool];
    "active_kernels" Integer [JupyterServer];
    "active_sessions" Integer [JupyterServer];
    "alias" Text [Credential];
    "also_named" TextList [];
    "annotations" JsonText [McpTool];
    "anonymous_listing" Boolean [QdrantInstance];
    "args" TextList [McpServer];
    "arguments" JsonText [McpPrompt];
    "auth_method" Text [McpServer A2aAgent OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance];
    "auth_observed" Text [McpServer];
    "auth_posture" Integer [A2aAgent];
    "auth_strength" Integer [McpServer A2aAgent OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance AiService];
    "auto_approve" TextList [];
    "blast_radius" Integer [Credential];
    "capabilities" TextList [McpServer A2aAgent];
    "capability_surface" TextList [McpTool];
    "card_hash" Text [A2aAgent];
    "card_version" Text [A2aAgent];
    "certificate_problem" Text [OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance];
    "chains" TextList [LangserveApp];
    "claimed_url" Text [A2aAgent];
    "client" Text [ConfigFile];
    "collection_count" Integer [QdrantInstance];
    "collections" TextList [QdrantInstance];
    "column" Integer [];
    "confidence" Number [];
    "config_path" Text [AgentInstance Credential];
    "cut_short" TextList [McpServer McpTool McpResource McpPrompt A2aAgent A2aSkill OllamaInstance QdrantInstance MlflowServer LitellmGateway JupyterServer OpenWebuiInstance];
    "default_user_role" Text [OpenWebuiInstance];
    "description" Text [McpTool McpResource McpPrompt A2aAgent A2aSkill];
    "description_hash" Text [McpTool A2aSkill];
    "digest" Text [AiModel];
    "discovered_via" Text [McpServer A2aAgent OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance];
    "docs_enabled" Boolean [LitellmGateway];
    "endpoint" Text [McpServer OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance];
    "error" Text [McpServer A2aAgent];
    "evidence" Text [];
    "experiment_count" Integer [MlflowServer];
    "experiments" TextList [MlflowServer];
    "family" Text [AiModel];
    "file" Text [];
    "format" Text [Credential];
    "framework" Text [AgentInstance];
    "has_cross_references" Boolean [McpTool];
    "has_injection_patterns" Boolean [McpTool McpResource McpPrompt A2aAgent A2aSkill];
    "has_tasks_capability" Boolean [McpServer];
    "hash" Text [InstructionFile];
    "high_entropy" Boolean [Credential];
    "hostname" Text [Host];
    "id" Text [A2aSkill];
    "image" Text [McpServer];
    "input_modes" TextList [A2aSkill];
    "input_schema" JsonText [McpTool];
    "input_schema_hash" Text [McpTool];
    "instructions" Text [McpServer];
    "instructions_has_injection" Boolean [McpServer];
    "instructions_hash" Text [McpServer];
    "interfaces" JsonText [A2aAgent];
    "ip" Text [Host];
    "is_anonymous_loot" Boolean [OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance];
    "is_composite" Boolean [];
    "is_enabled" Boolean [];
    "is_exposed" Boolean [Credential];
    "is_https" Boolean [A2aAgent];
    "is_local" Boolean [Host];
    "is_pinned" Boolean [McpServer];
    "is_private" Boolean [Host];
    "is_public" Boolean [Host];
    "is_signed" Boolean [A2aAgent];
    "is_static" Boolean [Identity];
    "is_suspicious" Boolean [InstructionFile];
    "is_template" Boolean [McpResource];
    "kept_in" Text [Credential];
    "labels" TextList [McpServer McpTool McpResource McpPrompt A2aAgent A2aSkill InstructionFile Credential OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance AiModel];
    "level" Integer [TrustZone];
    "line" Integer [];
    "mime_type" Text [McpResource];
    "model_count" Integer [OllamaInstance LitellmGateway];
    "models" TextList [Credential];
    "modified_at" Text [AiModel];
    "name" Text [McpServer McpTool McpResource McpPrompt A2aAgent A2aSkill AgentInstance Credential OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance AiModel ResourceGroup TrustZone];
    "node_count" Integer [TrustZone];
    "oauth_issuers" TextList [McpServer A2aAgent];
    "oauth_scopes" TextList [McpServer];
    "ollama_backend_url" Text [OpenWebuiInstance];
    "origin" Text [];
    "output_modes" TextList [A2aSkill];
    "output_schema" JsonText [McpTool];
    "package" Text [McpServer];
    "package_version" Text [McpServer];
    "parameter_size" Text [AiModel];
    "path" Text [ConfigFile InstructionFile];
    "previous_description_hash" Text [McpTool A2aSkill];
    "previous_input_schema_hash" Text [McpTool];
    "previous_instructions_hash" Text [McpServer];
    "protocol_version" Text [McpServer];
    "protocol_versions" TextList [A2aAgent];
    "provider" Text [A2aAgent Credential];
    "provider_endpoint" Text [Credential];
    "quantization" Text [AiModel];
    "reached_by" Integer [McpResource];
    "recognised_by" TextList [OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance];
    "registered_model_count" Integer [MlflowServer];
    "registry" Text [McpServer];
    "repeats_secret" Boolean [McpServer];
    "reported_name" Text [McpServer];
    "resource_count" Integer [ResourceGroup];
    "resource_group" Text [McpResource];
    "risk_components" JsonText [McpServer McpTool McpResource A2aAgent AgentInstance Credential Host OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance AiService];
    "risk_score" Number [McpServer McpTool McpResource A2aAgent AgentInstance Credential Host OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance AiService];
    "risk_weight" Number [];
    "rule_matches" JsonText [McpServer McpTool McpResource McpPrompt A2aAgent A2aSkill InstructionFile Credential OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance AiModel];
    "schema_keys" TextList [McpTool];
    "scope" Text [Identity];
    "section" Text [];
    "security_schemes" JsonText [A2aAgent];
    "sensitivity" Text [McpResource ResourceGroup];
    "server_count" Integer [ConfigFile];
    "server_name" Text [];
    "server_version" Text [McpServer];
    "service_kind" Text [OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance];
    "signature_keys" Text [A2aAgent];
    "signature_problem" Text [A2aAgent];
    "signature_valid" Boolean [A2aAgent];
    "signup_enabled" Boolean [OpenWebuiInstance];
    "size" Integer [McpResource AiModel];
    "source" Text [Credential];
    "source_trust" Text [McpTool];
    "spend_usd" Number [Credential];
    "spoken" Text [McpServer];
    "status" Text [McpServer A2aAgent];
    "stderr" Text [McpServer];
    "title" Text [McpServer McpTool McpResource McpPrompt];
    "token_required" Boolean [JupyterServer];
    "total_points" Integer [QdrantInstance];
    "transport" Text [McpServer];
    "trust_zone" Text [McpServer A2aAgent Host OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance AiService];
    "type" Text [Identity Credential InstructionFile ResourceGroup];
    "uri" Text [McpResource];
    "uri_scheme" Text [McpResource];
    "url" Text [A2aAgent];
    "value_hash" Text [Credential AiModel];
    "value_known" Boolean [Credential];
    "version" Text [A2aAgent OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance];
    "webui_auth_enabled" Boolean [OpenWebuiInstance];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_each_key_stands_once() {
        assert!(PROPERTIES.windows(2).all(|pair| pair[0].key < pair[1].key));
    }

    #[test]
    fn types_are_found_by_key() {
        assert_eq!(property_type("is_anonymous_loot"), Some(PropertyType::Boolean));
        assert_eq!(property_type("no_such_key"), None);
    }
}
