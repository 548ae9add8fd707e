//! Whether a policy can be put in force: by itself against the registered tools, and beside the policies that are there.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use serde_json::{Value, json};
use tracehound_evidence::Rulebook;
use tracehound_policy::{Catalogue, Check, Known, Policies, Problem as PolicyProblem, TenantPolicy, Warning};

use crate::App;
use crate::policy_file::POLICY_FILE;
use crate::problem::Problem;
use crate::rulebook::{catalogue, policies};

/// Keys that are parts of addresses or stand for what holds for everybody.
const RESERVED: [&str; 7] = [super::DEFAULT, POLICY_FILE, "schema", "validate", "test", "diff", "reload"];
/// Most agents that policies are checked against; with more, a name that nobody has is not noticed.
const MOST_AGENTS: usize = 100_000;

/// Everything that a policy is checked against.
pub(super) struct Bench {
    pub(super) catalogue: Catalogue,
    pub(super) file: Option<TenantPolicy>,
    /// The policies in force.
    pub(super) own: Vec<TenantPolicy>,
    agents: Option<BTreeSet<String>>,
    teams: Option<BTreeSet<String>>,
}

impl Bench {
    pub(super) fn new(app: &App, tenant: &str, book: &Rulebook) -> Self {
        let registry = app.evidence().registry();
        let (mut agents, mut teams) = (None, None);
        if registry.agent_count(tenant) <= MOST_AGENTS {
            let all = registry.agents_after(tenant, None, MOST_AGENTS);
            teams = Some(all.iter().filter_map(|agent| agent.profile.owner_team.clone()).collect());
            agents = Some(all.iter().map(|agent| agent.id.clone()).collect());
        }
        let file = app.policy_file().current().map(|file| (*file).clone());
        Self { catalogue: catalogue(book), file, own: policies(book), agents, teams }
    }

    fn known(&self) -> Known<'_> {
        Known { catalogue: &self.catalogue, agents: self.agents.as_ref(), teams: self.teams.as_ref() }
    }

    /// The policies as they would be with others on top, each in the place of one with its key.
    fn with(&self, added: &[TenantPolicy]) -> Vec<TenantPolicy> {
        let is_kept = |policy: &&TenantPolicy| added.iter().all(|it| it.key != policy.key);
        let kept = self.own.iter().filter(is_kept);
        self.file.iter().chain(kept).chain(added).cloned().collect()
    }

    /// Compiles the policies as they would be, or says what is wrong with what is added. What was wrong before is not
    /// held against it.
    pub(super) fn compile(&self, added: &[TenantPolicy]) -> Result<(Policies, Vec<Warning>), Vec<PolicyProblem>> {
        if !added.is_empty() {
            Policies::compile(added, &self.known(), Check::Refuse)?;
        }
        let is_about = |warning: &Warning| added.iter().any(|policy| policy.key == warning.policy);
        match Policies::compile(&self.with(added), &self.known(), Check::Report) {
            Ok((policies, mut warnings)) => {
                warnings.retain(is_about);
                Ok((policies, warnings))
            }
            Err(problems) => Err(problems),
        }
    }

    /// The policies as they are.
    pub(super) fn in_force(&self) -> Result<Policies, Problem> {
        self.compile(&[]).map(|(policies, _)| policies).map_err(|problems| refused(&problems))
    }

    /// What is probably not meant by a policy that can be put in force; or why it can't.
    pub(super) fn admit(&self, policy: &TenantPolicy) -> Result<Vec<Warning>, Problem> {
        let added = std::slice::from_ref(policy);
        let problems = match self.compile(added) {
            Ok((_, warnings)) => return Ok(warnings),
            Err(problems) => problems,
        };
        let before: BTreeSet<PolicyProblem> = self.compile(&[]).err().unwrap_or_default().into_iter().collect();
        let is_its = |problem: &PolicyProblem| problem.policy == policy.key || !before.contains(problem);
        let fresh: Vec<_> = problems.into_iter().filter(is_its).collect();
        if fresh.is_empty() { Ok(Vec::new()) } else { Err(refused(&fresh)) }
    }
}

/// A key that a tenant may give.
pub(super) fn check_key(key: &str) -> Result<(), Problem> {
    if RESERVED.contains(&key.to_lowercase().as_str()) {
        return Err(Problem::invalid("reserved_key", format!("`{key}` can't be the key of a policy; choose another")));
    }
    Ok(())
}

/// Why policies are not taken.
pub(super) fn refused(problems: &[PolicyProblem]) -> Problem {
    let more = if problems.len() > 1 { format!(" (and {} more)", problems.len() - 1) } else { String::new() };
    let first = problems.first().map(ToString::to_string).unwrap_or_default();
    let detail = format!("the policy can't be used: {first}{more}");
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "policy_refused", detail).with(told(problems))
}

pub(super) fn told(problems: &[PolicyProblem]) -> Vec<Value> {
    problems.iter().map(|problem| json!(problem)).collect()
}
