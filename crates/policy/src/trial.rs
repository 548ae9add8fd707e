//! Trying policies out: calls that somebody describes, with what is expected of them; and what a change of policies would
//! change for given calls.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tracehound_model::{TrustLevel, Verdict};

use crate::agent::{AgentFacts, AgentStatus, Principal};
use crate::call::{Call, McpFacts, McpToolStatus, User};
use crate::catalogue::{Catalogue, Lookup};
use crate::decide::decide;
use crate::decision::{Clause, Decision};
use crate::policies::Policies;
use crate::risk::{RiskWeights, effective_trust};

/// A call that somebody describes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PolicyCase)]
pub struct Case {
    /// What it shows.
    #[serde(default)]
    pub name: String,
    /// Who calls.
    pub agent: CaseAgent,
    /// The tool.
    pub tool: String,
    /// The action.
    pub action: String,
    /// What it is done to.
    #[serde(default)]
    pub resource: Option<String>,
    /// The arguments.
    #[serde(default)]
    pub parameters: Value,
    /// Whether the caller says that it changes something.
    #[serde(default)]
    pub mutates_state: bool,
    /// Whether the caller says that sensitive data is in it.
    #[serde(default)]
    pub contains_sensitive_data: bool,
    /// How far the caller says that the cause is trusted.
    pub source_trust: TrustLevel,
    /// What was left of the trust further up.
    #[serde(default)]
    pub root_trust_level: Option<TrustLevel>,
    /// Where the caller says it runs; where it is registered to run, if it doesn't say.
    #[serde(default)]
    pub environment: Option<String>,
    /// The id and role of the person behind the run.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    pub user: Option<(String, String)>,
    /// What is expected.
    pub expect: Expected,
}

/// The agent of a described call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseAgent {
    /// Its id.
    pub id: String,
    /// Its key; its id if there is none.
    #[serde(default)]
    pub key: Option<String>,
    /// Where it is registered to run.
    #[serde(default)]
    pub environment: String,
    /// How much damage it could do; `medium` if nobody says.
    #[serde(default)]
    pub risk_tier: Option<String>,
    /// Who answers for it.
    #[serde(default)]
    pub owner_team: Option<String>,
    /// What it is written with.
    #[serde(default)]
    pub framework: Option<String>,
    /// Whether it may act.
    #[serde(default)]
    #[schema(value_type = String)]
    pub status: AgentStatus,
}

/// What is expected of a described call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ExpectedRuling)]
pub struct Expected {
    /// The verdict.
    pub decision: Verdict,
    /// The code, if it matters.
    #[serde(default)]
    pub code: Option<String>,
    /// The name of a policy that must be among those that determined it, if it matters.
    #[serde(default)]
    pub policy: Option<String>,
}

/// A decision in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = RulingSummary)]
pub struct Summary {
    /// The verdict.
    pub decision: Verdict,
    /// The code.
    pub code: &'static str,
    /// The reason that an agent would get.
    pub reason: String,
    /// What determined it, by name.
    pub policies: Vec<String>,
    /// Who would have to agree.
    pub approver_group: Option<String>,
    /// The fields whose values would not be passed on.
    pub redacted_fields: Vec<String>,
}

impl Summary {
    fn of(decision: &Decision) -> Self {
        Self {
            decision: decision.verdict,
            code: decision.code.name(),
            reason: decision.reason.clone(),
            policies: decision.policies.iter().map(|policy| policy.name.to_string()).collect(),
            approver_group: decision.approver_group.clone(),
            redacted_fields: decision.redacted_fields.clone(),
        }
    }

    fn meets(&self, expected: &Expected) -> bool {
        let has = |name: &String| self.policies.iter().any(|policy| policy == name);
        self.decision == expected.decision
            && expected.code.as_ref().is_none_or(|code| code == self.code)
            && expected.policy.as_ref().is_none_or(has)
    }
}

/// What came of a described call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = PolicyTrial)]
pub struct Trial {
    /// What the case shows.
    pub name: String,
    /// Whether it came as expected.
    pub is_met: bool,
    /// What came.
    pub got: Summary,
    /// The clauses that matched.
    pub clauses: Vec<Clause>,
    /// Why, for operators.
    pub explanation: String,
}

static WEIGHTS: LazyLock<RiskWeights> = LazyLock::new(RiskWeights::default);

impl Policies {
    /// Tries described calls. MCP servers count as registered and their tools as approved.
    #[must_use]
    pub fn test(&self, catalogue: &Catalogue, cases: &[Case]) -> Vec<Trial> {
        cases.iter().map(|case| self.test_one(catalogue, case)).collect()
    }

    fn test_one(&self, catalogue: &Catalogue, case: &Case) -> Trial {
        let agent = Principal::new(case.agent.facts());
        let decision = decide(self, &case.call(&agent, catalogue.find(&case.tool, &case.action)));
        let got = Summary::of(&decision);
        let errors = decision.explanation.errors.iter().map(|error| format!("`{}`: {}", error.policy, error.message));
        let text = Some(decision.explanation.text.clone()).filter(|text| !text.is_empty());
        Trial {
            name: case.name.clone(),
            is_met: got.meets(&case.expect),
            got,
            clauses: decision.explanation.clauses.iter().map(|clause| Clause::clone(clause)).collect(),
            explanation: text.into_iter().chain(errors).collect::<Vec<_>>().join("; "),
        }
    }
}

impl CaseAgent {
    fn facts(&self) -> AgentFacts {
        let key = self.key.clone().unwrap_or_else(|| self.id.clone());
        AgentFacts {
            id: self.id.clone(),
            name: key.clone(),
            key,
            environment: self.environment.clone(),
            risk_tier: self.risk_tier.clone().unwrap_or_else(|| "medium".to_owned()),
            owner_team: self.owner_team.clone(),
            framework: self.framework.clone(),
            allowed_environments: Vec::new(),
            allowed_tools: Vec::new(),
            status: self.status,
            force_approval: false,
        }
    }
}

impl Case {
    fn call<'a>(&'a self, agent: &'a Principal, registered: Lookup<'a>) -> Call<'a> {
        let is_mcp = match registered {
            Lookup::Known(action) => action.is_mcp(),
            Lookup::Unknown { is_mcp } => is_mcp,
            Lookup::NameRefused => false,
        };
        let mcp = McpFacts {
            server_key: self.tool.split_once(':').map_or("", |(_, key)| key),
            trust_level: "unknown",
            is_quarantined: false,
            tool_status: McpToolStatus::Approved,
            hash_matches: true,
        };
        Call {
            agent,
            registered,
            mcp: is_mcp.then_some(mcp),
            tool: &self.tool,
            action: &self.action,
            target: self.resource.as_deref(),
            arguments: &self.parameters,
            claims_mutation: self.mutates_state,
            contains_sensitive_data: self.contains_sensitive_data,
            environment: self.environment.as_deref().unwrap_or(&self.agent.environment),
            declared_trust: self.source_trust,
            effective_trust: effective_trust(self.source_trust, self.root_trust_level),
            run: None,
            user: self.user.as_ref().map(|(id, role)| User { id, role }),
            weights: &WEIGHTS,
        }
    }
}

/// A call that other policies would decide differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// Which of the calls, counted from zero.
    pub call: usize,
    /// What is decided.
    pub before: Summary,
    /// What would be decided.
    pub after: Summary,
}

/// Which calls would be decided differently. Wording and policies without consequence don't count as different.
#[must_use]
pub fn diff<'a>(old: &Policies, new: &Policies, calls: impl IntoIterator<Item = Call<'a>>) -> Vec<Changed> {
    let compared = calls.into_iter().enumerate().map(|(call, it)| Changed {
        call,
        before: Summary::of(&decide(old, &it)),
        after: Summary::of(&decide(new, &it)),
    });
    let effect = |of: &Summary| (of.decision, of.code, of.approver_group.clone(), of.redacted_fields.clone());
    compared.filter(|changed| effect(&changed.before) != effect(&changed.after)).collect()
}
