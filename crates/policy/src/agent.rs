//! Agents as policies see them.

use std::collections::HashSet;
use std::sync::Arc;

use cedar_policy::EntityUid;
use cedar_policy_core::ast::Entity;
use serde::{Deserialize, Serialize};

use crate::{cedar, name};

/// What is registered about an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFacts {
    /// Given by us; the principal's id.
    pub id: String,
    /// Given by whoever registered it.
    pub key: String,
    /// What people call it.
    pub name: String,
    /// Where it is registered to run.
    pub environment: String,
    /// How much damage it could do: `low`, `medium` or `high`.
    pub risk_tier: String,
    /// Who answers for it; the principal's parent.
    pub owner_team: Option<String>,
    /// What it is written with.
    pub framework: Option<String>,
    /// The environments that it may say it runs in; any if there are none.
    pub allowed_environments: Vec<String>,
    /// The tools that it may call; any if there are none.
    pub allowed_tools: Vec<String>,
    /// Whether it may act.
    pub status: AgentStatus,
    /// Whether a person has to agree to everything that would be allowed.
    pub force_approval: bool,
}

/// Whether an agent may act.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentStatus {
    /// It may.
    #[default]
    Active,
    /// It may not until somebody says so.
    Frozen,
    /// It may never again.
    Revoked,
    /// It may not, because of what it did.
    Quarantined,
}

/// An agent, prepared once for all its calls.
#[derive(Debug, Clone)]
pub struct Principal {
    facts: AgentFacts,
    allowed_tools: HashSet<String>,
    uid: EntityUid,
    team: Option<EntityUid>,
    entities: Vec<Arc<Entity>>,
}

impl Principal {
    /// Prepares an agent.
    #[must_use]
    pub fn new(facts: AgentFacts) -> Self {
        let uid = cedar::agent(&facts.id);
        let team = facts.owner_team.as_deref().map(cedar::team);
        let always = [
            ("key", facts.key.as_str()),
            ("name", &facts.name),
            ("environment", &facts.environment),
            ("risk_tier", &facts.risk_tier),
        ];
        let told = [("owner_team", facts.owner_team.as_deref()), ("framework", facts.framework.as_deref())];
        let told = told.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let own = cedar::entity(&uid, always.into_iter().chain(told), &team, []);
        let others = team.iter().map(|team| cedar::entity(team, [], [], []));
        let entities = std::iter::once(own).chain(others).collect();
        // A name that has no normal form can't be called, so it needs no place here.
        let allowed_tools = facts.allowed_tools.iter().filter_map(|tool| name::normal(tool)).collect();
        Self { facts, allowed_tools, uid, team, entities }
    }

    /// What is registered about it.
    #[must_use]
    pub const fn facts(&self) -> &AgentFacts {
        &self.facts
    }

    /// Whether it may say that it runs there.
    pub(crate) fn may_run_in(&self, environment: &str) -> bool {
        let allowed = &self.facts.allowed_environments;
        allowed.is_empty() || allowed.iter().any(|it| it == environment)
    }

    /// Whether it may call the tool with this normal name.
    pub(crate) fn may_call(&self, tool: &str) -> bool {
        self.facts.allowed_tools.is_empty() || self.allowed_tools.contains(tool)
    }

    pub(crate) const fn uid(&self) -> &EntityUid {
        &self.uid
    }

    pub(crate) const fn team(&self) -> Option<&EntityUid> {
        self.team.as_ref()
    }

    pub(crate) fn entities(&self) -> &[Arc<Entity>] {
        &self.entities
    }
}
