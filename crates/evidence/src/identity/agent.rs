//! Agents: programs that ask before they act.

use serde::{Deserialize, Serialize};

use super::words;
use crate::Moment;

/// A registered agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Agent {
    /// Given by us.
    pub id: String,
    /// The tenant that it belongs to.
    #[serde(rename = "tenant_id")]
    pub tenant: String,
    /// Given by whoever registered it; unique within the tenant.
    #[serde(rename = "agent_key")]
    pub key: String,
    /// Whether it may act.
    pub status: AgentStatus,
    /// When it was registered.
    pub created_at: Moment,
    /// When anything about it changed last.
    pub updated_at: Moment,
    /// What is said about it.
    #[serde(flatten)]
    pub profile: AgentProfile,
}

/// What is said about an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentProfile {
    /// What people call it.
    pub name: String,
    /// Where it runs.
    pub environment: String,
    /// How much damage it could do.
    pub risk_tier: RiskTier,
    /// Who answers for it.
    #[serde(default)]
    pub owner_team: Option<String>,
    /// What it is written with.
    #[serde(default)]
    pub framework: Option<String>,
    /// Whose model it uses.
    #[serde(default)]
    pub model_provider: Option<String>,
    /// Which model it uses.
    #[serde(default)]
    pub model_name: Option<String>,
    /// What it is for.
    #[serde(default)]
    pub purpose: Option<String>,
    /// The environments that it may say it runs in; any if there are none.
    #[serde(default)]
    pub allowed_environments: Vec<String>,
    /// The tools that it may call; any if there are none.
    #[serde(default)]
    pub allowed_tools: Vec<String>,
    /// Whether a person has to agree to everything that would be allowed.
    #[serde(default)]
    pub force_approval: bool,
    /// Why its status is what it is.
    #[serde(default)]
    pub status_reason: Option<String>,
}

/// Whether an agent may act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AgentStatus {
    /// It may.
    Active,
    /// It may not until somebody says so.
    Frozen,
    /// It may never again.
    Revoked,
    /// It may not, because of what it did.
    Quarantined,
}

words!(AgentStatus, "a status of an agent",
    Active => "active", Frozen => "frozen", Revoked => "revoked", Quarantined => "quarantined");

/// How much damage an agent could do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RiskTier {
    /// Little.
    Low,
    /// Some, or nobody knows.
    #[default]
    Medium,
    /// Much.
    High,
}

words!(RiskTier, "a risk tier", Low => "low", Medium => "medium", High => "high");

impl RiskTier {
    /// The next worse tier, if there is one.
    #[must_use]
    pub const fn raised(self) -> Option<Self> {
        match self {
            Self::Low => Some(Self::Medium),
            Self::Medium => Some(Self::High),
            Self::High => None,
        }
    }
}
