//! Registered tools and their actions. What is registered binds the caller, who may only claim worse.

use serde::{Deserialize, Serialize};
use tracehound_model::RiskLevel;

use super::words;

/// A tool that agents may ask for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The name in a call, in the form in which names are looked up.
    #[serde(alias = "skill_key")]
    pub tool_key: String,
    /// What people call it.
    pub name: String,
    /// What sort of thing it is, in the words of whoever registered it.
    #[serde(default, rename = "type")]
    pub sort: Option<String>,
    /// How it authenticates.
    #[serde(default)]
    pub auth_type: Option<String>,
    /// Who answers for it.
    #[serde(default)]
    pub owner_team: Option<String>,
    /// What it can do.
    pub actions: Vec<ToolAction>,
}

/// One action of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolAction {
    /// The name in a call, in the form in which names are looked up.
    pub action_key: String,
    /// What it does.
    #[serde(default)]
    pub description: Option<String>,
    /// How bad it can get.
    pub risk: RiskLevel,
    /// Whether it changes anything.
    pub mutates_state: bool,
    /// What data it touches, in the words of whoever registered it.
    #[serde(default)]
    pub data_access: Option<String>,
    /// Whether a person has to agree to each call.
    #[serde(default)]
    pub approval_required: bool,
    /// What happens when policies allow it.
    #[serde(default)]
    pub default_decision: DefaultDecision,
    /// The JSON schema of its arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<serde_json::Value>,
}

/// What happens to a call that policies allow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum DefaultDecision {
    /// What they say.
    #[default]
    Policy,
    /// It is denied all the same.
    Deny,
    /// A person has to agree.
    RequireApproval,
}

words!(DefaultDecision, "a default decision",
    Policy => "policy", Deny => "deny", RequireApproval => "require_approval");
