//! One call asked of Cedar: its principal, action, resource and context, against the policies that could match.

use std::collections::BTreeMap;
use std::sync::Arc;

use cedar_policy::{Effect, EntityUid};
use cedar_policy_core::ast::{Context, EntityUIDEntry, Literal, Request, SlotEnv, Value, ValueKind};
use cedar_policy_core::entities::Entities;
use cedar_policy_core::evaluator::{EvaluationError, Evaluator};
use cedar_policy_core::extensions::Extensions;
use smol_str::SmolStr;

use crate::call::Call;
use crate::catalogue::RegisteredAction;
use crate::cedar::{self, text};
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

impl<'a> Question<'a> {
    /// Puts a call as a question.
    pub(crate) fn new(call: &Call<'a>, action: &'a RegisteredAction, facts: &Facts) -> Result<Self, Unasked> {
        let agent = call.agent.uid();
        let target = call.target.unwrap_or_default();
        let resource = cedar::resource(target);
        let known = |uid: &EntityUid| EntityUIDEntry::known(uid.clone().into(), None);
        let context = Context::Value(Arc::new(context(call, action, facts)?));
        let request = Request::new_unchecked(known(agent), known(&action.uid), known(&resource), Some(context));
        let resource = cedar::entity(&resource, [("name", target)], [&action.holder], []);
        let others = call.agent.entities().iter().cloned().chain([resource]);
        let entities = cedar::with_entities(action.entities.clone(), others).map_err(Unasked::Broken)?;
        let scope = Scope { agent, team: call.agent.team(), action: &action.uid, group: &action.group };
        Ok(Self { request, entities, scope })
    }

    /// Asks it. Cost grows with the policies whose scope could match.
    ///
    /// This is what Cedar's authorizer does, but for putting the condition of each policy together again; a test
    /// compares the two.
    pub(crate) fn ask<'r>(&self, index: &'r Index) -> Answer<'r>
    where
        'a: 'r,
    {
        let evaluator = Evaluator::new(self.request.clone(), &self.entities, Extensions::all_available());
        // Templates are refused, so there is nothing to fill in.
        let no_slots = SlotEnv::new();
        let (mut permits, mut forbids, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for rule in index.candidates(self.scope) {
            match evaluator.interpret(&rule.condition, &no_slots).map(|value| is_true(&value)) {
                Ok(Some(true)) if rule.effect == Effect::Permit => permits.push(rule),
                Ok(Some(true)) => forbids.push(rule),
                Ok(Some(false)) => {}
                Ok(None) => errors.push(EvaluationProblem { policy: rule.matched.name.clone(), message: NO_CONDITION }),
                Err(error) => {
                    errors.push(EvaluationProblem { policy: rule.matched.name.clone(), message: message(&error) })
                }
            }
        }
        let is_permitted = forbids.is_empty() && !permits.is_empty();
        let mut determining = if forbids.is_empty() { permits } else { forbids };
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

fn is_true(value: &Value) -> Option<bool> {
    match value.value_kind() {
        ValueKind::Lit(Literal::Bool(holds)) => Some(*holds),
        _ => None,
    }
}

/// What is known of a call by the time Cedar is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) mutates_state: bool,
    pub(crate) risk_score: u8,
    pub(crate) is_mcp: bool,
}

type Record = BTreeMap<SmolStr, Value>;

fn record<const N: usize>(members: [(&'static str, Option<&str>); N]) -> Value {
    Value::record(members.into_iter().filter_map(|(name, value)| Some((name, text(value?)))), None)
}

/// The values of the context. [`crate::schema`] has the types.
fn context(call: &Call<'_>, action: &RegisteredAction, facts: &Facts) -> Result<Record, Unasked> {
    let flag = |holds: bool| Value::new(Literal::from(holds), None);
    let trust = text(call.effective_trust.name());
    let always = [
        ("tool", text(&action.facts.tool)),
        ("action", text(&action.facts.action)),
        ("environment", text(call.environment)),
        ("agent_risk_tier", text(&call.agent.facts().risk_tier)),
        ("trust_level", trust.clone()),
        ("root_trust_level", trust),
        ("contains_sensitive_data", flag(call.contains_sensitive_data)),
        ("mutates_state", flag(facts.mutates_state)),
        ("is_mcp", flag(facts.is_mcp)),
        ("risk", Value::new(Literal::from(i64::from(facts.risk_score)), None)),
    ];
    let input =
        action.input.as_ref().map(|input| input.convert(call.arguments)).transpose().map_err(Unasked::Misfit)?;
    let mcp = call.mcp.filter(|_| facts.is_mcp);
    let sometimes = [
        ("run", call.run.map(|run| record([("id", Some(run.id)), ("parent", run.parent)]))),
        ("user", call.user.map(|user| record([("id", Some(user.id)), ("role", Some(user.role))]))),
        ("mcp", mcp.map(|mcp| record([("server", Some(mcp.server_key)), ("trust_level", Some(mcp.trust_level))]))),
        ("input", input),
    ];
    let sometimes = sometimes.into_iter().filter_map(|(name, value)| Some((name, value?)));
    Ok(always.into_iter().chain(sometimes).map(|(name, value)| (SmolStr::new_static(name), value)).collect())
}

const NO_CONDITION: &str = "its condition is neither true nor false";

/// Why a policy could not be evaluated, without the values that Cedar's own text could hold.
const fn message(error: &EvaluationError) -> &'static str {
    match error {
        EvaluationError::EntityDoesNotExist(_) => "it reads an attribute of an entity that is not part of the call",
        EvaluationError::EntityAttrDoesNotExist(_) | EvaluationError::RecordAttrDoesNotExist(_) => {
            "it reads an attribute that is not there; ask with `has` first"
        }
        EvaluationError::TypeError(_) => "a value is of another type than it expects",
        EvaluationError::IntegerOverflow(_) => "a calculation overflows",
        EvaluationError::FailedExtensionFunctionExecution(_) => "a function refuses its argument",
        EvaluationError::RecursionLimit(_) => "it is nested too deep",
        _ => "it could not be evaluated",
    }
}
