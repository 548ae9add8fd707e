//! What is registered, turned into what decisions are made with.

use std::collections::BTreeMap;

use tracehound_evidence::Rulebook;
use tracehound_evidence::identity::{Agent, AgentStatus, DefaultDecision, McpServer, McpServerStatus};
use tracehound_policy::{
    ActionFacts, AgentFacts, AgentStatus as PolicyAgentStatus, Catalogue, Check, DefaultDecision as PolicyDefault,
    Known, Policies, Problem, RiskWeights, TenantPolicy, Warning,
};

/// The name of the setting that holds a tenant's risk weights.
pub(crate) const RISK_WEIGHTS: &str = "risk_weights";

/// The compiled rules of a tenant.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// Which rulebook it was made from.
    pub(crate) epoch: u64,
    /// Which version of the policy file; 0 if there is none.
    pub(crate) file_version: u32,
    pub(crate) catalogue: Catalogue,
    pub(crate) servers: BTreeMap<String, std::sync::Arc<McpServer>>,
    /// Nothing if they can't be used; then nothing is allowed.
    pub(crate) policies: Option<Policies>,
    pub(crate) weights: RiskWeights,
    pub(crate) problems: Vec<Problem>,
    pub(crate) warnings: Vec<Warning>,
}

/// Compiles what is in force. Policies that can't be used are told loudly, and nothing is allowed until they can.
pub(crate) fn compile(tenant: &str, book: &Rulebook, file: Option<&TenantPolicy>) -> Compiled {
    let catalogue = catalogue(book);
    let made = Policies::compile(&policies_with(book, file), &Known::tools(&catalogue), Check::Report);
    let (policies, problems, warnings) = match made {
        Ok((policies, warnings)) => (Some(policies), Vec::new(), warnings),
        Err(problems) => (None, problems, Vec::new()),
    };
    for problem in &problems {
        crate::log::note(&format!("policies of tenant `{tenant}` can't be used, so nothing is allowed: {problem}"));
    }
    let weights = book.settings.get(RISK_WEIGHTS);
    let weights = weights.and_then(|value| serde_json::from_value((**value).clone()).ok()).unwrap_or_default();
    let file_version = file.map_or(0, |file| file.version);
    let servers = book.servers.clone();
    Compiled { epoch: book.epoch, file_version, catalogue, servers, policies, weights, problems, warnings }
}

/// The rules of a tenant while the policy file was not read: none, so that nothing is allowed.
pub(crate) fn without_file(book: &Rulebook) -> Compiled {
    Compiled {
        epoch: book.epoch,
        file_version: 0,
        catalogue: catalogue(book),
        servers: book.servers.clone(),
        policies: None,
        weights: RiskWeights::default(),
        problems: Vec::new(),
        warnings: Vec::new(),
    }
}

/// The policies that count, with those of the file that holds for all tenants.
pub(crate) fn policies_with(book: &Rulebook, file: Option<&TenantPolicy>) -> Vec<TenantPolicy> {
    file.cloned().into_iter().chain(policies(book)).collect()
}

/// The policies that count.
pub(crate) fn policies(book: &Rulebook) -> Vec<TenantPolicy> {
    let active = book.policies.values().filter(|policy| policy.is_active);
    active.map(|policy| TenantPolicy::new(&policy.policy_key, &policy.name, policy.version, &policy.body)).collect()
}

/// What of a server can't be called, because its name can't be told from another's in policies.
pub(crate) fn uncallable(book: &Rulebook) -> Vec<String> {
    let mut catalogue = Catalogue::default();
    actions(book).into_iter().filter_map(|facts| catalogue.add(facts).err().map(|error| error.to_string())).collect()
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
    // What is removed can't be called.
    let servers = book.servers.values().filter(|server| server.status != McpServerStatus::Removed);
    let served = servers.flat_map(|server| {
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
