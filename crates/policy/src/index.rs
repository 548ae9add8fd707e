//! Policies by the scope that they name, so that a call meets only those that could match it.
//!
//! A policy is filed under the principal and the action of its scope. A call is in few such places: anybody, its agent,
//! its team; any action, its action, its tool. There is nothing to fill or to bound while calls are decided. Look-ups
//! don't grow with the number of policies, and neither does the work but for the policies that name nobody.

use std::collections::HashMap;
use std::sync::Arc;

use cedar_policy::{ActionConstraint, EntityUid, PrincipalConstraint};

use crate::cedar;
use crate::rule::Rule;

/// Something for anybody or anything, and something for each that is named.
#[derive(Debug, Clone)]
struct Filed<T> {
    any: T,
    named: HashMap<EntityUid, T>,
}

impl<T: Default> Default for Filed<T> {
    fn default() -> Self {
        Self { any: T::default(), named: HashMap::new() }
    }
}

impl<T: Default> Filed<T> {
    fn entry(&mut self, name: Option<EntityUid>) -> &mut T {
        match name {
            None => &mut self.any,
            Some(name) => self.named.entry(name).or_default(),
        }
    }

    fn look_up<'s, const N: usize>(&'s self, names: [Option<&EntityUid>; N]) -> impl Iterator<Item = &'s T> {
        let has_names = !self.named.is_empty();
        let named = names.map(|name| name.filter(|_| has_names).and_then(|name| self.named.get(name)));
        std::iter::once(&self.any).chain(named.into_iter().flatten())
    }
}

/// Policies by scope.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    by_principal: Filed<Filed<Vec<Arc<Rule>>>>,
}

/// What a call is in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) agent: &'a EntityUid,
    pub(crate) team: Option<&'a EntityUid>,
    pub(crate) action: &'a EntityUid,
    pub(crate) group: &'a EntityUid,
}

impl Index {
    /// Files the policies. Linear in them and in the actions that they list.
    pub(crate) fn of<'r>(rules: impl IntoIterator<Item = &'r Arc<Rule>>) -> Self {
        let mut index = Self::default();
        for rule in rules {
            let by_action = index.by_principal.entry(principal(rule));
            for action in actions(rule) {
                by_action.entry(action).push(rule.clone());
            }
        }
        index
    }

    /// Every policy whose scope could match. One that names an action and its tool comes more than once.
    pub(crate) fn candidates<'s>(&'s self, scope: Scope<'s>) -> impl Iterator<Item = &'s Arc<Rule>> {
        let by_action = self.by_principal.look_up([Some(scope.agent), scope.team]);
        by_action.flat_map(move |filed| filed.look_up([Some(scope.action), Some(scope.group)])).flatten()
    }
}

/// The principal that a policy names, if it names one.
fn principal(rule: &Rule) -> Option<EntityUid> {
    match rule.policy.principal_constraint() {
        PrincipalConstraint::Eq(uid) | PrincipalConstraint::In(uid) | PrincipalConstraint::IsIn(_, uid) => Some(uid),
        PrincipalConstraint::Any | PrincipalConstraint::Is(_) => None,
    }
}

/// The actions that a policy names. The one that all calls are in is as good as none.
fn actions(rule: &Rule) -> Vec<Option<EntityUid>> {
    let every = cedar::action(cedar::TOOL_CALL);
    match rule.policy.action_constraint() {
        ActionConstraint::Any => vec![None],
        ActionConstraint::In(uids) if uids.contains(&every) => vec![None],
        ActionConstraint::In(uids) => uids.into_iter().map(Some).collect(),
        ActionConstraint::Eq(uid) => vec![Some(uid)],
    }
}
