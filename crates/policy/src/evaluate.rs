//! One call asked of Cedar: its principal, action, resource and context, against the policies that could match.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use cedar_policy::{
    AuthorizationError, Authorizer, Context, Decision, Entities, Entity, EvaluationError, PolicyId, Request,
    RestrictedExpression,
};

use crate::call::Call;
use crate::catalogue::RegisteredAction;
use crate::cedar;
use crate::decision::EvaluationProblem;
use crate::index::{Index, Scope};
use crate::input::Misfit;
use crate::rule::Rule;

/// What Cedar says to a call.
#[derive(Debug)]
pub(crate) struct Answer<'r> {
    pub(crate) is_permitted: bool,
    /// The forbids that matched, else the permits that did; by name.
    pub(crate) determining: Vec<&'r Arc<Rule>>,
    /// The policies that could not be evaluated; by name.
    pub(crate) errors: Vec<EvaluationProblem>,
}

/// Why Cedar could not be asked.
#[derive(Debug)]
pub(crate) enum Unasked {
    /// The arguments are not of their types.
    Misfit(Misfit),
    /// The question could not be put.
    Broken(&'static str),
}

/// A call as Cedar sees it.
pub(crate) struct Question<'a> {
    request: Request,
    entities: Entities,
    scope: Scope<'a>,
}

static AUTHORIZER: LazyLock<Authorizer> = LazyLock::new(Authorizer::new);

impl<'a> Question<'a> {
    /// Puts a call as a question.
    pub(crate) fn new(call: &Call<'a>, action: &'a RegisteredAction, facts: &Facts) -> Result<Self, Unasked> {
        let agent = call.agent.uid();
        let target = call.target.unwrap_or_default();
        let resource = cedar::resource(target);
        let context = context(call, action, facts)?;
        let request = Request::new(agent.clone(), action.uid.clone(), resource.clone(), context, None)
            .map_err(|_| Unasked::Broken("the request could not be made"))?;
        let name = HashMap::from([("name".to_owned(), text(target))]);
        let resource = Entity::new(resource, name, [action.holder.clone()].into())
            .map_err(|_| Unasked::Broken("the resource could not be made"))?;
        let others = call.agent.entities().iter().cloned().chain([resource]);
        let entities = action.entities.clone().add_entities(others, None);
        let entities = entities.map_err(|_| Unasked::Broken("the entities could not be put together"))?;
        let scope = Scope { agent, team: call.agent.team(), action: &action.uid, group: &action.group };
        Ok(Self { request, entities, scope })
    }

    /// Asks it. Cost grows with the policies whose scope could match.
    pub(crate) fn ask<'r>(&self, index: &Index, rules: &'r HashMap<PolicyId, Arc<Rule>>) -> Answer<'r> {
        let (mut permits, mut forbids, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_forbidden = false;
        for set in index.candidates(self.scope) {
            let response = AUTHORIZER.is_authorized(&self.request, set, &self.entities);
            let diagnostics = response.diagnostics();
            let is_permit = response.decision() == Decision::Allow;
            is_forbidden |= !is_permit && diagnostics.reason().next().is_some();
            let found = if is_permit { &mut permits } else { &mut forbids };
            found.extend(diagnostics.reason().filter_map(|id| rules.get(id)));
            errors.extend(diagnostics.errors().map(|error| problem(error, rules)));
        }
        let is_permitted = !is_forbidden && !permits.is_empty();
        let mut determining = if is_forbidden { forbids } else { permits };
        determining.sort_unstable_by(|one, other| one.name().cmp(other.name()));
        determining.dedup_by(|one, other| one.name() == other.name());
        errors.sort_unstable();
        errors.dedup();
        Answer { is_permitted, determining, errors }
    }

    #[cfg(test)]
    pub(crate) const fn parts(&self) -> (&Request, &Entities) {
        (&self.request, &self.entities)
    }
}

/// What is known of a call by the time Cedar is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) mutates_state: bool,
    pub(crate) risk_score: u8,
    pub(crate) is_mcp: bool,
}

fn text(value: &str) -> RestrictedExpression {
    RestrictedExpression::new_string(value.to_owned())
}

fn record<const N: usize>(members: [(&str, Option<&str>); N]) -> Result<RestrictedExpression, Unasked> {
    let members = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), text(value?))));
    RestrictedExpression::new_record(members).map_err(|_| Unasked::Broken("a record could not be made"))
}

/// The values of the context. [`crate::schema`] has the types.
fn context(call: &Call<'_>, action: &RegisteredAction, facts: &Facts) -> Result<Context, Unasked> {
    let flag = RestrictedExpression::new_bool;
    let trust = call.effective_trust.name();
    let mut pairs = Vec::with_capacity(14);
    let mut add = |name: &str, value: RestrictedExpression| pairs.push((name.to_owned(), value));
    add("tool", text(&action.facts.tool));
    add("action", text(&action.facts.action));
    add("environment", text(call.environment));
    add("agent_risk_tier", text(&call.agent.facts().risk_tier));
    add("trust_level", text(trust));
    add("root_trust_level", text(trust));
    add("contains_sensitive_data", flag(call.contains_sensitive_data));
    add("mutates_state", flag(facts.mutates_state));
    add("is_mcp", flag(facts.is_mcp));
    add("risk", RestrictedExpression::new_long(i64::from(facts.risk_score)));
    if let Some(run) = call.run {
        add("run", record([("id", Some(run.id)), ("parent", run.parent)])?);
    }
    if let Some(user) = call.user {
        add("user", record([("id", Some(user.id)), ("role", Some(user.role))])?);
    }
    if let Some(mcp) = call.mcp.filter(|_| facts.is_mcp) {
        add("mcp", record([("server", Some(mcp.server_key)), ("trust_level", Some(mcp.trust_level))])?);
    }
    if let Some(input) = &action.input {
        add("input", input.convert(call.arguments).map_err(Unasked::Misfit)?);
    }
    Context::from_pairs(pairs).map_err(|_| Unasked::Broken("the context could not be made"))
}

/// An error of Cedar's without the values that its own text could hold.
fn problem(error: &AuthorizationError, rules: &HashMap<PolicyId, Arc<Rule>>) -> EvaluationProblem {
    let AuthorizationError::PolicyEvaluationError(error) = error;
    let message = match error.inner() {
        EvaluationError::EntityDoesNotExist(_) => "it reads an attribute of an entity that is not part of the call",
        EvaluationError::EntityAttrDoesNotExist(_) | EvaluationError::RecordAttrDoesNotExist(_) => {
            "it reads an attribute that is not there; ask with `has` first"
        }
        EvaluationError::TypeError(_) => "a value is of another type than it expects",
        EvaluationError::IntegerOverflow(_) => "a calculation overflows",
        EvaluationError::FailedExtensionFunctionExecution(_) => "a function refuses its argument",
        EvaluationError::RecursionLimit(_) => "it is nested too deep",
        _ => "it could not be evaluated",
    };
    let id = error.policy_id();
    let policy = rules.get(id).map_or_else(|| id.to_string().into(), |rule| rule.matched.name.clone());
    EvaluationProblem { policy, message }
}
