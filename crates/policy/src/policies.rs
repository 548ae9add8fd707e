//! The policies of one tenant, compiled: those that come with the product, and the tenant's own.
//!
//! A tenant's policies can only tighten. The default policies leave no call undecided: each is either forbidden by one of
//! them, which no permit lifts, or permitted, at most after approval, which only a stronger demand replaces.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::call::Call;
use crate::catalogue::{Catalogue, Lookup};
use crate::decision::{MatchedPolicy, PolicySource};
use crate::default;
use crate::hash::body_hash;
use crate::index::{Index, Scope};
use crate::problem::{Problem, Warning};
use crate::rule::{Origin, Rule};
use crate::validate::{Checked, validate};

/// The most policies of one tenant.
const MOST_POLICIES: usize = 20_000;

/// A policy on top of the default ones: one or more Cedar policies under one key. A tenant wrote it, or it is in the file
/// that holds for all tenants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantPolicy {
    /// The name that stays.
    pub key: String,
    /// What people call it.
    pub name: String,
    /// Counts from one.
    pub version: u32,
    /// Cedar.
    pub body: String,
    /// The SHA-256 of the body.
    pub hash: String,
    /// Where it comes from.
    pub source: PolicySource,
}

impl TenantPolicy {
    /// A policy with the hash of its body.
    #[must_use]
    pub fn new(key: &str, name: &str, version: u32, body: &str) -> Self {
        let hash = body_hash(body);
        let source = PolicySource::Tenant;
        Self { key: key.to_owned(), name: name.to_owned(), version, body: body.to_owned(), hash, source }
    }

    /// The same as one of the file that holds for all tenants.
    #[must_use]
    pub fn of_file(self) -> Self {
        Self { source: PolicySource::File, ..self }
    }
}

/// What is registered, for checking policies against it.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The tools.
    pub catalogue: &'a Catalogue,
    /// The ids of the agents, if policies are to be checked for others.
    pub agents: Option<&'a BTreeSet<String>>,
    /// The names of the teams, likewise.
    pub teams: Option<&'a BTreeSet<String>>,
}

impl<'a> Known<'a> {
    /// Only tools are known.
    #[must_use]
    pub const fn tools(catalogue: &'a Catalogue) -> Self {
        Self { catalogue, agents: None, teams: None }
    }
}

/// What a policy that does not fit the registered tools means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// It is refused: somebody is adding it.
    Refuse,
    /// It is told as a warning: it is in force, and the tools changed under it. A policy that can't be evaluated denies.
    Report,
}

/// The compiled policies of one tenant.
#[derive(Debug, Clone)]
pub struct Policies {
    /// By name.
    pub(crate) rules: BTreeMap<Arc<str>, Arc<Rule>>,
    pub(crate) index: Index,
}

impl Policies {
    /// Compiles the default policies and a tenant's own.
    ///
    /// # Errors
    /// All problems of all policies, with their places: texts that are no Cedar, names that occur twice, and, if they
    /// are to be refused, policies that don't fit the registered tools.
    pub fn compile(
        tenant: &[TenantPolicy],
        known: &Known<'_>,
        check: Check,
    ) -> Result<(Self, Vec<Warning>), Vec<Problem>> {
        let mut problems = Vec::new();
        let mut read: Vec<(Arc<Rule>, &TenantPolicy)> = Vec::new();
        for policy in tenant {
            match Rule::read(&origin(policy)) {
                Ok(rules) => read.extend(rules.into_iter().map(|rule| (Arc::new(rule), policy))),
                Err(found) => problems.extend(found),
            }
        }
        problems.extend(same_names(&read));
        if read.len() > MOST_POLICIES {
            let message = format!("a tenant has at most {MOST_POLICIES} policies");
            problems
                .extend(read.last().map(|(rule, policy)| Problem::at(&rule.key, &policy.body, rule.offset, message)));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let checked: Vec<Checked<'_>> =
            read.iter().map(|(rule, policy)| Checked { rule, body: &policy.body }).collect();
        let mut found = validate(&checked, known);
        if check == Check::Report {
            found.warnings.append(&mut found.problems);
            found.warnings.sort_unstable();
        }
        if !found.problems.is_empty() {
            return Err(found.problems);
        }
        let own = read.into_iter().map(|(rule, _)| rule);
        Ok((Self::of_rules(default::RULES.iter().cloned().chain(own)), found.warnings))
    }

    /// The default policies alone.
    #[must_use]
    pub fn defaults() -> Self {
        Self::of_rules(default::RULES.iter().cloned())
    }

    fn of_rules(rules: impl Iterator<Item = Arc<Rule>>) -> Self {
        let rules: BTreeMap<Arc<str>, Arc<Rule>> = rules.map(|rule| (rule.matched.name.clone(), rule)).collect();
        Self { index: Index::of(rules.values()), rules }
    }

    /// All policies, by name.
    #[must_use]
    pub fn list(&self) -> Vec<MatchedPolicy> {
        self.rules.values().map(|rule| rule.matched.clone()).collect()
    }

    /// Which of these words are in the text of a policy whose scope could match the call. Each is told once, in the order
    /// given. A word in a comment or a string counts too, so this says too much rather than too little.
    #[must_use]
    pub fn mentioned<'w>(&self, call: &Call<'_>, words: &[&'w str]) -> Vec<&'w str> {
        let Lookup::Known(action) = call.registered else { return Vec::new() };
        let (agent, team) = (call.agent.uid(), call.agent.team());
        let scope = Scope { agent, team, action: &action.uid, group: &action.group };
        let texts: Vec<String> = self.index.candidates(scope).filter_map(|rule| rule.policy.to_cedar()).collect();
        words.iter().copied().filter(|word| texts.iter().any(|text| text.contains(word))).collect()
    }

    /// The text of the default policies.
    #[must_use]
    pub const fn default_text() -> &'static str {
        default::TEXT
    }

    /// The Cedar schema for the registered tools, in Cedar's JSON form: what policies are checked against.
    #[must_use]
    pub fn schema(catalogue: &Catalogue) -> serde_json::Value {
        crate::schema::document(catalogue.actions())
    }
}

fn origin(policy: &TenantPolicy) -> Origin<'_> {
    let TenantPolicy { key, version, hash, body, source, .. } = policy;
    Origin { key, version: *version, hash, body, source: *source }
}

/// Policies whose names another policy has, in any case.
fn same_names(read: &[(Arc<Rule>, &TenantPolicy)]) -> Vec<Problem> {
    let mut owners: HashMap<String, &str> = HashMap::new();
    owners.extend(default::RULES.iter().map(|rule| (rule.name().to_lowercase(), "the default policies")));
    let mut problems = Vec::new();
    for (rule, policy) in read {
        if let Some(owner) = owners.insert(rule.name().to_lowercase(), &policy.key) {
            let message = format!("the name `{}` is taken by {owner}", rule.name());
            let problem = Problem::at(&rule.key, &policy.body, rule.offset, message);
            problems.push(problem.with_help("give the policy another `@id`"));
        }
    }
    problems
}
