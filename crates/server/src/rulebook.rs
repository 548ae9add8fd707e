//! What is registered, turned into what decisions are made with.

use std::collections::BTreeMap;

use tracehound_evidence::Rulebook;
use tracehound_evidence::identity::{Agent, AgentStatus, DefaultDecision, McpServer};
use tracehound_policy::{
    ActionFacts, AgentFacts, AgentStatus as PolicyAgentStatus, Catalogue, Check, DefaultDecision as PolicyDefault, Known,
    Policies, Problem, RiskWeights, TenantPolicy, Warning,
};

/// The name of the setting that holds a tenant's risk weights.
pub(crate) const RISK_WEIGHTS: &str = "risk_weights";

/// The compiled rules of a tenant.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// Which rulebook it was made from.
    pub(crate) epoch: u64,
    pub(crate) catalogue: Catalogue,
    pub(crate) servers: BTreeMap<String, std::sync::Arc<McpServer>>,
    /// Nothing if they can't be used; then nothing is allowed.
    pub(crate) policies: Option<Policies>,
    pub(crate) weights: RiskWeights,
    pub(crate) problems: Vec<Problem>,
    pub(crate) warnings: Vec<Warning>,
}

/// Compiles what is in force. Policies that can't be used are told loudly, and nothing is allowed until they can.
pub(crate) fn compile(tenant: &str, book: &Rulebook) -> Compiled {
    let catalogue = catalogue(book);
    let made = Policies::compile(&policies(book), &Known::tools(&catalogue), Check::Report);
    let (policies, problems, warnings) = match made {
        Ok((policies, warnings)) => (Some(policies), Vec::new(), warnings),
        Err(problems) => (None, problems, Vec::new()),
    };
    for problem in &problems {
        crate::log::note(&format!("policies of tenant `{tenant}` can't be used, so nothing is allowed: {problem}"));
    }
    let weights = book.settings.get(RISK_WEIGHTS);
    let weights = weights.and_then(|value| serde_json::from_value((**value).clone()).ok()).unwrap_or_default();
    Compiled { epoch: book.epoch, catalogue, servers: book.servers.clone(), policies, weights, problems, warnings }
}

/// The policies that count.
pub(crate) fn policies(book: &Rulebook) -> Vec<TenantPolicy> {
    let active = book.policies.values().filter(|policy| policy.is_active);
    active.map(|policy| TenantPolicy::new(&policy.policy_key, &policy.name, policy.version, &policy.body)).collect()
}

/// The actions that can be called: those of tools, and the tools of MCP servers.
pub(crate) fn catalogue(book: &Rulebook) -> Catalogue {
    let mut catalogue = Catalogue::default();
    for facts in actions(book) {
        // What is registered was checked when it was; what has no name can't be called.
        if let Err(error) = catalogue.add(facts) {
            crate::log::note(&format!("a registered action can't be called: {error}"));
        }
    }
    catalogue
}

fn actions(book: &Rulebook) -> Vec<ActionFacts> {
    let tools = book.tools.values().flat_map(|tool| {
        tool.actions.iter().map(|action| ActionFacts {
            tool: tool.tool_key.clone(),
            action: action.action_key.clone(),
            risk: action.risk,
            mutates_state: action.mutates_state,
            approval_required: action.approval_required,
            default_decision: match action.default_decision {
                DefaultDecision::Policy => PolicyDefault::Policy,
                DefaultDecision::Deny => PolicyDefault::Deny,
                DefaultDecision::RequireApproval => PolicyDefault::RequireApproval,
            },
            input_schema: action.input_schema.clone(),
        })
    });
    let served = book.servers.values().flat_map(|server| {
        server.tools.iter().map(|tool| ActionFacts {
            tool: format!("mcp:{}", server.server_key),
            action: tool.tool_key.clone(),
            risk: tool.risk,
            mutates_state: tool.mutates_state,
            approval_required: tool.approval_required,
            default_decision: PolicyDefault::Policy,
            input_schema: tool.input_schema.clone(),
        })
    });
    tools.chain(served).collect()
}

/// An agent as decisions see it.
pub(crate) fn facts_of(agent: &Agent) -> AgentFacts {
    let profile = &agent.profile;
    AgentFacts {
        id: agent.id.clone(),
        key: agent.key.clone(),
        name: profile.name.clone(),
        environment: profile.environment.clone(),
        risk_tier: profile.risk_tier.name().to_owned(),
        owner_team: profile.owner_team.clone(),
        framework: profile.framework.clone(),
        allowed_environments: profile.allowed_environments.clone(),
        allowed_tools: profile.allowed_tools.clone(),
        status: match agent.status {
            AgentStatus::Active => PolicyAgentStatus::Active,
            AgentStatus::Frozen => PolicyAgentStatus::Frozen,
            AgentStatus::Revoked => PolicyAgentStatus::Revoked,
            AgentStatus::Quarantined => PolicyAgentStatus::Quarantined,
        },
        force_approval: profile.force_approval,
    }
}
