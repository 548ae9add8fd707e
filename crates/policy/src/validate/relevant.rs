//! Which actions a policy has to be checked for.
//!
//! Cedar types a policy once for each action of the schema. Most policies name their actions, or are the same for all of
//! them, so each gets a schema of just the actions that make a difference to it. Policies that name no action but read
//! `context.input` differ by the type of the arguments only, and get one action for each type.

use std::collections::{BTreeMap, BTreeSet};

use crate::catalogue::{Catalogue, RegisteredAction};
use crate::cedar::{ACTION, TOOL_CALL};
use crate::rule::Rule;

/// The registered actions, as policies name them. Made once for all policies.
pub(super) struct Actions<'c> {
    by_id: BTreeMap<String, &'c RegisteredAction>,
    /// One for each type of arguments.
    by_input: BTreeMap<String, String>,
}

impl<'c> Actions<'c> {
    pub(super) fn of(catalogue: &'c Catalogue) -> Self {
        let by_id: BTreeMap<String, &RegisteredAction> =
            catalogue.actions().map(|action| (action.policy_name(), action)).collect();
        let mut by_input = BTreeMap::new();
        for (id, action) in &by_id {
            let input = action.input.as_ref().map_or_else(String::new, |input| input.cedar_type(true).to_string());
            by_input.entry(input).or_insert_with(|| id.clone());
        }
        Self { by_id, by_input }
    }

    pub(super) fn get(&self, id: &str) -> Option<&'c RegisteredAction> {
        self.by_id.get(id).copied()
    }

    /// The ids of the actions that make a difference to a policy. Each is registered.
    pub(super) fn relevant(&self, rule: &Rule) -> BTreeSet<&str> {
        let mut relevant = BTreeSet::new();
        let mut is_for_all = true;
        for uid in rule.policy.entity_literals() {
            if uid.type_name().basename() != ACTION {
                continue;
            }
            let id = uid.id().unescaped();
            is_for_all &= id == TOOL_CALL;
            match self.by_id.get_key_value(id) {
                Some((id, _)) => drop(relevant.insert(id.as_str())),
                // All of a tool's, or one that there is not: then its neighbours are what Cedar can suggest.
                None => relevant.extend(self.of_tool(id.rsplit_once('.').map_or(id, |(tool, _)| tool))),
            }
        }
        // A policy that names actions only in its conditions is for the others as well.
        let names_none = matches!(rule.policy.action_constraint(), cedar_policy::ActionConstraint::Any);
        if is_for_all || names_none || relevant.is_empty() {
            let reads_input = rule.policy.to_cedar().is_none_or(|text| text.contains("input"));
            let count = if reads_input { usize::MAX } else { 1 };
            relevant.extend(self.by_input.values().take(count).map(String::as_str));
        }
        relevant
    }

    fn of_tool<'s>(&'s self, tool: &str) -> impl Iterator<Item = &'s str> {
        let prefix = format!("{tool}.");
        let from = self.by_id.range(prefix.clone()..);
        from.take_while(move |(id, _)| id.starts_with(&prefix)).map(|(id, _)| id.as_str())
    }
}
