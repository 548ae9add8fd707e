//! What was decided, and why: a safe part for agents, and the policies and clauses for operators.

use std::sync::Arc;

use serde::Serialize;
use tracehound_model::{RiskLevel, TrustLevel, Verdict};

use crate::code::Code;

/// What was decided about one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// What was decided.
    pub verdict: Verdict,
    /// Why, as a code that never changes. Safe for agents.
    pub code: Code,
    /// Why, in words. Safe for agents.
    pub reason: String,
    /// The score of the registered action.
    pub risk_score: u8,
    /// Its level.
    pub risk_level: RiskLevel,
    /// The score with all circumstances. It informs and decides nothing.
    pub composite_risk_score: u8,
    /// What determined the verdict, by name.
    pub policies: Vec<MatchedPolicy>,
    /// Who has to agree.
    pub approver_group: Option<String>,
    /// The fields whose values must not be passed on, by name.
    pub redacted_fields: Vec<String>,
    /// What is left of the trust in this call.
    pub effective_trust: TrustLevel,
    /// Whether it changes something, as registered or as the caller said.
    pub mutates_state: bool,
    /// For operators only.
    pub explanation: Explanation,
}

/// Something that determined a verdict.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MatchedPolicy {
    /// Its stable name.
    pub name: Arc<str>,
    /// Its version.
    pub version: u32,
    /// The SHA-256 of its text; empty for what is built in.
    pub hash: Arc<str>,
    /// Where it comes from.
    pub source: PolicySource,
}

/// Where a policy comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PolicySource {
    /// It comes with the product.
    Default,
    /// The tenant wrote it.
    Tenant,
    /// It is in the file that holds for all tenants.
    File,
    /// It is a check that no policy can lift.
    Builtin,
}

/// Why it was decided so, for operators.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Explanation {
    /// In words. It names fields of the arguments, never their values.
    pub text: String,
    /// The clauses that matched, by policy.
    #[schema(value_type = Vec<Clause>)]
    pub clauses: Vec<Arc<Clause>>,
    /// The policies that could not be evaluated, by name.
    pub errors: Vec<EvaluationProblem>,
}

/// The condition of a policy, as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = PolicyClause)]
pub struct Clause {
    /// The policy's stable name.
    #[schema(value_type = String)]
    pub policy: Arc<str>,
    /// Its version.
    pub version: u32,
    /// The line in the policy's text, counted from one.
    pub line: usize,
    /// The condition, or the head of a policy without one.
    pub text: String,
}

/// A policy that could not be evaluated.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, utoipa::ToSchema)]
pub struct EvaluationProblem {
    /// Its stable name.
    #[schema(value_type = String)]
    pub policy: Arc<str>,
    /// Why, without any value of the call.
    pub message: &'static str,
}
