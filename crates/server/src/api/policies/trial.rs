//! Policies tried out: nothing is stored, nothing is put in force.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tracehound_policy::{Case, Policies, Problem as PolicyProblem, TenantPolicy, Trial};

use super::check::{Bench, refused};
use crate::App;
use crate::body::Body;
use crate::caller::Caller;
use crate::problem::Problem;

/// The key of a policy that has none yet.
const UNNAMED: &str = "proposed";
/// Most described calls in one request.
const MOST_CASES: usize = 1_000;
/// Most policies in one request.
const MOST_POLICIES: usize = 100;

/// A policy that is not in force.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(as = ProposedPolicy)]
#[serde(deny_unknown_fields)]
pub(crate) struct Proposed {
    #[serde(default)]
    policy_key: Option<String>,
    #[serde(default)]
    name: Option<String>,
    body: String,
}

impl Proposed {
    fn policy(&self, at: usize) -> TenantPolicy {
        let unnamed = if at == 0 { UNNAMED.to_owned() } else { format!("{UNNAMED}-{}", at + 1) };
        let key = self.policy_key.as_deref().unwrap_or(&unnamed);
        TenantPolicy::new(key, self.name.as_deref().unwrap_or(key), 0, &self.body)
    }
}

/// A policy that can be put in force.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ValidPolicy {
    is_valid: bool,
    policy_key: String,
    body_hash: String,
    warnings: Vec<PolicyProblem>,
}

/// Says of a policy what would be said if it was added.
pub(crate) async fn validate(
    State(app): State<App>,
    caller: Caller,
    Body(proposed): Body<Proposed>,
) -> Result<Json<ValidPolicy>, Problem> {
    blocking(move || {
        let book = app.evidence().registry().rulebook(&caller.tenant);
        let policy = proposed.policy(0);
        super::check::check_key(&policy.key)?;
        let warnings = Bench::new(&app, &caller.tenant, &book).admit(&policy)?;
        Ok(Json(ValidPolicy { is_valid: true, policy_key: policy.key, body_hash: policy.hash, warnings }))
    })
    .await
}

/// Calls that somebody describes, with what is expected of them.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(as = PolicyTest)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    #[serde(default)]
    policies: Vec<Proposed>,
    cases: Vec<Case>,
}

/// What became of calls that somebody described.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct TestedPolicies {
    /// How many were decided as expected.
    met: usize,
    failed: usize,
    results: Vec<Trial>,
    warnings: Vec<PolicyProblem>,
}

/// Tries described calls with the policies in force, and with others on top of them.
pub(crate) async fn test(
    State(app): State<App>,
    caller: Caller,
    Body(asked): Body<Asked>,
) -> Result<Json<TestedPolicies>, Problem> {
    check_count("cases", asked.cases.len(), MOST_CASES)?;
    check_count("policies", asked.policies.len(), MOST_POLICIES)?;
    blocking(move || {
        let book = app.evidence().registry().rulebook(&caller.tenant);
        let bench = Bench::new(&app, &caller.tenant, &book);
        let (policies, warnings) = with(&bench, &asked.policies)?;
        let results = policies.test(&bench.catalogue, &asked.cases);
        let met = results.iter().filter(|trial| trial.is_met).count();
        Ok(Json(TestedPolicies { met, failed: results.len() - met, results, warnings }))
    })
    .await
}

fn with(bench: &Bench, proposed: &[Proposed]) -> Result<(Policies, Vec<tracehound_policy::Warning>), Problem> {
    let added: Vec<TenantPolicy> = proposed.iter().enumerate().map(|(at, it)| it.policy(at)).collect();
    bench.compile(&added).map_err(|problems| refused(&problems))
}

pub(super) fn check_count(what: &str, count: usize, most: usize) -> Result<(), Problem> {
    if count > most {
        return Err(Problem::invalid("too_many", format!("there are {count} {what}; send at most {most} at once")));
    }
    Ok(())
}

/// Compiling and trying takes a while, and other requests must not wait for it.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(tracehound_evidence::Error::Closed.into()))
}
