//! The order of the checks. What is built in comes first and last; neither end can be lifted by a policy.

use std::sync::Arc;

use tracehound_model::{RiskLevel, Verdict};

use crate::agent::AgentStatus;
use crate::call::{Call, McpFacts, McpToolStatus};
use crate::catalogue::{DefaultDecision, Lookup, RegisteredAction};
use crate::code::Code;
use crate::decision::{Decision, Explanation, MatchedPolicy, PolicySource};
use crate::evaluate::{Answer, Facts, Question, Unasked};
use crate::policies::Policies;
use crate::risk::{Composite, composite_score};
use crate::rule::Rule;

/// The version of the built-in checks.
const BUILTIN_VERSION: u32 = 1;
/// The score of what is not registered, or must not act at all.
const WORST: u8 = 100;

/// Decides whether a call may happen. Pure: no clock, no store, no I/O; errors deny.
#[must_use]
pub fn decide(policies: &Policies, call: &Call<'_>) -> Decision {
    let facts = facts(call);
    let action = match check_before(call) {
        Ok(action) => action,
        Err(refusal) => return refused(call, &facts, refusal),
    };
    let ruling = match Question::new(call, action, &facts) {
        Ok(question) => Ruling::of(question.ask(&policies.index)),
        Err(Unasked::Misfit(misfit)) => {
            let place = if misfit.path.is_empty() { String::new() } else { format!(" `{}`", misfit.path) };
            let text = format!("the argument{place} {}", misfit.why);
            return refused(call, &facts, Refusal { text: Some(text), ..Code::ArgumentsDoNotFit.into() });
        }
        Err(Unasked::Broken(why)) => {
            return refused(call, &facts, Refusal { text: Some(why.to_owned()), ..Code::PolicyError.into() });
        }
    };
    tightened(ruling, call, action, &facts).into_decision(call, &facts)
}

/// What is known of a call whatever is decided. A claim of the caller's can only add to what is registered.
fn facts(call: &Call<'_>) -> Facts {
    match call.registered {
        Lookup::Known(action) => Facts {
            mutates_state: action.facts.mutates_state || call.claims_mutation,
            risk_score: action.facts.risk.score(),
            is_mcp: action.is_mcp(),
        },
        Lookup::Unknown { is_mcp } => {
            let risk_score = if is_mcp { WORST } else { RiskLevel::Low.score() };
            Facts { mutates_state: call.claims_mutation, risk_score, is_mcp }
        }
        Lookup::NameRefused => Facts { mutates_state: call.claims_mutation, risk_score: WORST, is_mcp: false },
    }
}

/// A denial without a policy.
struct Refusal {
    code: Code,
    /// In the place of the score of the action.
    risk_score: Option<u8>,
    /// For agents, in the place of the code's own text.
    reason: Option<String>,
    /// For operators.
    text: Option<String>,
}

impl From<Code> for Refusal {
    fn from(code: Code) -> Self {
        Self { code, risk_score: None, reason: None, text: None }
    }
}

impl Refusal {
    fn worst(code: Code) -> Self {
        Self { risk_score: Some(WORST), ..code.into() }
    }
}

/// The checks that come before the policies. Gives the registered action if all are passed.
fn check_before<'a>(call: &Call<'a>) -> Result<&'a RegisteredAction, Refusal> {
    match call.agent.facts().status {
        AgentStatus::Active => {}
        AgentStatus::Frozen => return Err(Refusal::worst(Code::AgentFrozen)),
        AgentStatus::Revoked => return Err(Refusal::worst(Code::AgentRevoked)),
        AgentStatus::Quarantined => return Err(Refusal::worst(Code::AgentQuarantined)),
    }
    if !call.agent.may_run_in(call.environment) {
        return Err(Code::EnvironmentNotAllowed.into());
    }
    let is_permitted = match call.registered {
        Lookup::NameRefused => return Err(Code::NameRefused.into()),
        Lookup::Known(action) => call.agent.may_call(&action.facts.tool),
        Lookup::Unknown { .. } => crate::name::normal(call.tool).is_some_and(|tool| call.agent.may_call(&tool)),
    };
    if !is_permitted {
        return Err(Code::ToolNotPermitted.into());
    }
    match call.registered {
        Lookup::Known(action) if action.is_mcp() => check_mcp(call.mcp, Some(action)),
        Lookup::Known(action) => Ok(action),
        Lookup::Unknown { is_mcp: true } => check_mcp(call.mcp, None),
        _ => Err(Refusal { reason: Some(unknown_tool(call)), ..Code::ToolUnknown.into() }),
    }
}

fn check_mcp<'a>(
    mcp: Option<McpFacts<'_>>,
    action: Option<&'a RegisteredAction>,
) -> Result<&'a RegisteredAction, Refusal> {
    let mcp = mcp.ok_or_else(|| Refusal::worst(Code::McpServerUnknown))?;
    if mcp.is_quarantined {
        return Err(Refusal::worst(Code::McpServerQuarantined));
    }
    let Some(action) = action else {
        let reason = format!(
            "{} An administrator adds it by sending the manifest of the MCP server to POST /v1/mcp/servers/{}/tools.",
            Code::ToolUnknown.text(),
            mcp.server_key
        );
        return Err(Refusal { reason: Some(reason), ..Refusal::worst(Code::ToolUnknown) });
    };
    if mcp.tool_status != McpToolStatus::Approved {
        return Err(Code::McpToolNotApproved.into());
    }
    if !mcp.hash_matches {
        return Err(Refusal::worst(Code::McpToolChanged));
    }
    Ok(action)
}

fn unknown_tool(call: &Call<'_>) -> String {
    let (tool, action) = (crate::name::normal(call.tool), crate::name::normal(call.action));
    format!(
        "The action `{}` of the tool `{}` is not registered. An administrator registers it with POST /v1/tools.",
        action.unwrap_or_default(),
        tool.unwrap_or_default()
    )
}

fn refused(call: &Call<'_>, facts: &Facts, refusal: Refusal) -> Decision {
    let facts = Facts { risk_score: refusal.risk_score.unwrap_or(facts.risk_score), ..*facts };
    let ruling = Ruling {
        verdict: Verdict::Deny,
        code: refusal.code,
        reason: refusal.reason,
        policies: refusal.code.marker().map(builtin).into_iter().collect(),
        approver_group: None,
        redacted_fields: Vec::new(),
        explanation: Explanation { text: refusal.text.unwrap_or_default(), ..Explanation::default() },
    };
    ruling.into_decision(call, &facts)
}

/// What is decided so far.
struct Ruling {
    verdict: Verdict,
    code: Code,
    reason: Option<String>,
    policies: Vec<MatchedPolicy>,
    approver_group: Option<String>,
    redacted_fields: Vec<String>,
    explanation: Explanation,
}

impl Ruling {
    /// What Cedar's answer means. Of several policies the strongest demand counts; of equal ones the first by name that
    /// gives a reason or a group.
    fn of(answer: Answer<'_>) -> Self {
        let mut policies: Vec<MatchedPolicy> = answer.determining.iter().map(|rule| rule.matched.clone()).collect();
        let clauses = answer.determining.iter().map(|rule| rule.clause.clone()).collect();
        let strongest = answer.determining.iter().map(|rule| rule.verdict).max().unwrap_or(Verdict::Deny);
        let (verdict, code) = match strongest {
            _ if !answer.errors.is_empty() => (Verdict::Deny, Code::PolicyError),
            _ if !answer.is_permitted && answer.determining.is_empty() => (Verdict::Deny, Code::NotPermitted),
            _ if !answer.is_permitted => (Verdict::Deny, Code::ForbiddenByPolicy),
            Verdict::Allow => (Verdict::Allow, Code::Allowed),
            Verdict::Redact => (Verdict::Redact, Code::Redacted),
            Verdict::RequireApproval => (Verdict::RequireApproval, Code::ApprovalRequired),
            Verdict::Quarantine => (Verdict::Quarantine, Code::QuarantinedByPolicy),
            Verdict::Deny => (Verdict::Deny, Code::ForbiddenByPolicy),
        };
        let of_strongest = || answer.determining.iter().filter(|rule| rule.verdict == verdict);
        let first = |part: fn(&Rule) -> Option<&String>| of_strongest().find_map(|rule| part(rule)).cloned();
        let is_error = code == Code::PolicyError;
        let reason = if is_error { None } else { first(|rule| rule.reason.as_ref()) };
        let approver_group = if is_error { None } else { first(|rule| rule.approver_group.as_ref()) };
        policies.extend(code.marker().map(builtin));
        let redacted_fields = if verdict < Verdict::Quarantine { fields(&answer.determining) } else { Vec::new() };
        let text = if is_error { "a policy could not be evaluated, which denies".to_owned() } else { String::new() };
        let explanation = Explanation { text, clauses, errors: answer.errors };
        Self { verdict, code, reason, policies, approver_group, redacted_fields, explanation }
    }

    /// Raises the verdict, never lowers it. What is said of a weaker verdict makes way.
    fn raise(&mut self, verdict: Verdict, code: Code) {
        if verdict <= self.verdict {
            return;
        }
        (self.verdict, self.code, self.reason) = (verdict, code, None);
        self.policies.extend(code.marker().map(builtin));
        if verdict == Verdict::Deny {
            self.redacted_fields.clear();
            self.approver_group = None;
        }
    }

    fn into_decision(mut self, call: &Call<'_>, facts: &Facts) -> Decision {
        self.policies.sort_unstable();
        self.policies.dedup();
        let composite = Composite {
            risk_score: facts.risk_score,
            mutates_state: facts.mutates_state,
            declared_trust: call.declared_trust,
            effective_trust: call.effective_trust,
            is_mcp: facts.is_mcp,
        };
        Decision {
            verdict: self.verdict,
            code: self.code,
            reason: self.reason.unwrap_or_else(|| self.code.text().to_owned()),
            risk_score: facts.risk_score,
            risk_level: RiskLevel::of_score(facts.risk_score),
            composite_risk_score: composite_score(call.weights, &composite),
            policies: self.policies,
            approver_group: self.approver_group,
            redacted_fields: self.redacted_fields,
            effective_trust: call.effective_trust,
            mutates_state: facts.mutates_state,
            explanation: self.explanation,
        }
    }
}

fn fields(determining: &[&Arc<Rule>]) -> Vec<String> {
    let mut fields: Vec<String> = determining.iter().flat_map(|rule| rule.redact_fields.iter().cloned()).collect();
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// The checks that come after the policies: what is registered for the action and for the agent.
fn tightened(mut ruling: Ruling, call: &Call<'_>, action: &RegisteredAction, facts: &Facts) -> Ruling {
    if action.facts.default_decision == DefaultDecision::Deny {
        ruling.raise(Verdict::Deny, Code::ActionDefaultDeny);
    }
    if action.facts.default_decision == DefaultDecision::RequireApproval || action.facts.approval_required {
        ruling.raise(Verdict::RequireApproval, Code::ActionApprovalRequired);
    }
    if RiskLevel::of_score(facts.risk_score) == RiskLevel::Critical {
        ruling.raise(Verdict::RequireApproval, Code::CriticalRisk);
    }
    if call.agent.facts().force_approval {
        ruling.raise(Verdict::RequireApproval, Code::ForcedApproval);
    }
    ruling
}

fn builtin(marker: &'static str) -> MatchedPolicy {
    MatchedPolicy { name: marker.into(), version: BUILTIN_VERSION, hash: Arc::from(""), source: PolicySource::Builtin }
}
