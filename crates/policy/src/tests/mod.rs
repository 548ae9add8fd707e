//! The room as a whole, asked as the server asks it.

mod compile;
mod defaults;
mod faults;
mod order;
mod sliced;
mod trials;

use serde_json::{Value, json};
use tracehound_model::{RiskLevel, TrustLevel, Verdict};

use crate::{
    ActionFacts, AgentFacts, AgentStatus, Call, Catalogue, Check, Decision, DefaultDecision, Known, McpFacts, Policies,
    Principal, Problem, RiskWeights, TenantPolicy, Warning, decide,
};

pub(super) const TRUSTED: TrustLevel = TrustLevel::TrustedInternalSigned;

pub(crate) fn action(tool: &str, action: &str, mutates_state: bool) -> ActionFacts {
    ActionFacts {
        tool: tool.to_owned(),
        action: action.to_owned(),
        risk: RiskLevel::Low,
        mutates_state,
        approval_required: false,
        default_decision: DefaultDecision::Policy,
        input_schema: None,
    }
}

pub(super) fn merge_facts() -> ActionFacts {
    let schema = json!({"type": "object", "required": ["number"], "properties": {
        "base_branch": {"type": "string"}, "number": {"type": "integer"}, "ratio": {"type": "number"},
    }});
    ActionFacts { input_schema: Some(schema), risk: RiskLevel::Medium, ..action("github", "merge_pull_request", true) }
}

pub(super) fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::default();
    for facts in [
        merge_facts(),
        action("github", "read_issue", false),
        action("shop", "refund", true),
        action("secrets", "rotate_credential", false),
        action("quarantine_canary", "trigger", false),
        action("mcp:files", "read_file", false),
    ] {
        catalogue.add(facts).unwrap();
    }
    catalogue
}

pub(super) fn agent() -> AgentFacts {
    AgentFacts {
        id: "a1".to_owned(),
        key: "billing".to_owned(),
        name: "Billing".to_owned(),
        environment: "production".to_owned(),
        risk_tier: "low".to_owned(),
        owner_team: Some("payments".to_owned()),
        framework: None,
        allowed_environments: Vec::new(),
        allowed_tools: Vec::new(),
        status: AgentStatus::Active,
        force_approval: false,
    }
}

/// A call with everything in order; tests change what they are about.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(super) catalogue: Catalogue,
    pub(super) agent: AgentFacts,
    pub(super) tool: String,
    pub(super) action: String,
    pub(super) target: Option<String>,
    pub(super) arguments: Value,
    pub(super) claims_mutation: bool,
    pub(super) trust: TrustLevel,
    pub(super) environment: String,
    pub(super) mcp: Option<McpFacts<'static>>,
}

impl Asked {
    pub(crate) fn of(tool: &str, action: &str) -> Self {
        Self {
            catalogue: catalogue(),
            agent: agent(),
            tool: tool.to_owned(),
            action: action.to_owned(),
            target: None,
            arguments: json!({}),
            claims_mutation: false,
            trust: TRUSTED,
            environment: "production".to_owned(),
            mcp: None,
        }
    }

    pub(super) fn merge(branch: &str) -> Self {
        Self { arguments: json!({"number": 12, "base_branch": branch}), ..Self::of("github", "merge_pull_request") }
    }

    pub(super) fn with_call<T>(&self, use_it: impl FnOnce(&Call<'_>) -> T) -> T {
        let principal = Principal::new(self.agent.clone());
        let weights = RiskWeights::default();
        use_it(&Call {
            agent: &principal,
            registered: self.catalogue.find(&self.tool, &self.action),
            mcp: self.mcp,
            tool: &self.tool,
            action: &self.action,
            target: self.target.as_deref(),
            arguments: &self.arguments,
            claims_mutation: self.claims_mutation,
            contains_sensitive_data: false,
            environment: &self.environment,
            declared_trust: self.trust,
            effective_trust: self.trust,
            run: None,
            user: None,
            weights: &weights,
        })
    }

    pub(crate) fn decided(&self, tenant: &[&str]) -> Decision {
        let (policies, _) = compile(tenant, &self.catalogue, Check::Report).unwrap();
        self.with_call(|call| decide(&policies, call))
    }

    /// Checks verdict, code and the names of what determined it.
    #[track_caller]
    pub(super) fn check(&self, tenant: &[&str], verdict: Verdict, code: &str, policies: &[&str]) -> Decision {
        let decision = self.decided(tenant);
        assert_eq!((decision.verdict, decision.code.name()), (verdict, code), "{decision:#?}");
        assert_eq!(names(&decision), policies, "{decision:#?}");
        decision
    }
}

pub(super) fn names(decision: &Decision) -> Vec<&str> {
    decision.policies.iter().map(|policy| &*policy.name).collect()
}

/// Compiles texts as the policies `t0`, `t1` and so on.
pub(crate) fn compile(
    tenant: &[&str],
    catalogue: &Catalogue,
    check: Check,
) -> Result<(Policies, Vec<Warning>), Vec<Problem>> {
    let numbered = tenant.iter().enumerate();
    let tenant: Vec<TenantPolicy> =
        numbered.map(|(at, body)| TenantPolicy::new(&format!("t{at}"), "", 7, body)).collect();
    Policies::compile(&tenant, &Known::tools(catalogue), check)
}
