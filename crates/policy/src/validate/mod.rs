//! Policies checked against the schema before they are used: types, attributes, actions; and what is probably not meant.

mod relevant;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use cedar_policy::{
    Effect, EntityUid, Policy, PolicyId, PolicySet, Schema, ValidationMode, ValidationWarning, Validator,
};
use tracehound_model::Verdict;

use crate::cedar::{AGENT, MCP_PREFIX, MCP_SERVER, TEAM, TOOL};
use crate::policies::Known;
use crate::problem::{Problem, Warning};
use crate::rule::Rule;
use crate::schema;

use relevant::Actions;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) problems: Vec<Problem>,
    pub(crate) warnings: Vec<Warning>,
}

/// A policy in the text that it was read from.
pub(crate) struct Checked<'a> {
    pub(crate) rule: &'a Arc<Rule>,
    pub(crate) body: &'a str,
}

/// Checks policies. Grows with the policies and, for each, with the actions that make a difference to it.
pub(crate) fn validate(checked: &[Checked<'_>], known: &Known<'_>) -> Findings {
    let actions = Actions::of(known.catalogue);
    let mut alike: BTreeMap<BTreeSet<&str>, Vec<&Checked<'_>>> = BTreeMap::new();
    for it in checked {
        alike.entry(actions.relevant(it.rule)).or_default().push(it);
    }
    let mut findings = Findings::default();
    for (ids, checked) in alike {
        let schema = schema::of_actions(ids.into_iter().filter_map(|id| actions.get(id)));
        check(&checked, schema, &mut findings);
    }
    for it in checked {
        it.doubts(known, &mut findings.warnings);
    }
    findings.problems.sort_unstable();
    findings.problems.dedup();
    findings.warnings.sort_unstable();
    findings.warnings.dedup();
    findings
}

/// Checks policies against one schema.
fn check(checked: &[&Checked<'_>], schema: Result<Schema, String>, findings: &mut Findings) {
    let set = PolicySet::from_policies(checked.iter().map(|it| it.rule.policy.clone()));
    let (schema, set) = match (schema, set) {
        (Ok(schema), Ok(set)) => (schema, set),
        (Err(message), _) => {
            let message = format!("the registered tools give no schema: {message}");
            findings.problems.extend(checked.iter().map(|it| it.problem(0, message.clone())));
            return;
        }
        (_, Err(error)) => {
            let message = error.to_string();
            findings.problems.extend(checked.iter().map(|it| it.problem(0, message.clone())));
            return;
        }
    };
    let by_id: HashMap<&PolicyId, &&Checked<'_>> = checked.iter().map(|it| (it.rule.policy.id(), it)).collect();
    let result = Validator::new(schema).validate(&set, ValidationMode::Strict);
    for error in result.validation_errors() {
        let place = by_id.get(error.policy_id());
        findings.problems.extend(place.map(|it| Problem::of(&it.rule.key, it.body, error, it.rule.offset)));
    }
    for warning in result.validation_warnings() {
        let place = by_id.get(warning.policy_id());
        findings.warnings.extend(place.map(|it| it.warning(warning)));
    }
}

impl Checked<'_> {
    fn problem(&self, offset: usize, message: impl Into<String>) -> Problem {
        Problem::at(&self.rule.key, self.body, self.rule.offset + offset, message)
    }

    fn warning(&self, warning: &ValidationWarning) -> Warning {
        let told = Problem::of(&self.rule.key, self.body, warning, self.rule.offset);
        match warning {
            ValidationWarning::ImpossiblePolicy(_) | ValidationWarning::InvalidActionApplication(_) => {
                let message = format!("the policy `{}` can never match a call", self.rule.name());
                let help = told
                    .help
                    .unwrap_or_else(|| "a condition of it is always false for the registered tools".to_owned());
                Problem { message, help: Some(help), ..told }
            }
            _ => told,
        }
    }

    /// What Cedar has no reason to doubt, but we have.
    fn doubts(&self, known: &Known<'_>, warnings: &mut Vec<Warning>) {
        warnings.extend(self.rule.warnings.iter().cloned());
        for uid in literals(&self.rule.policy) {
            if let Some(what) = unknown(&uid, known) {
                let offset = self.body.get(self.rule.offset..).and_then(|text| text.find(&uid.to_string()));
                let message = format!("there is no {what} `{}`", uid.id().unescaped());
                warnings.push(self.problem(offset.unwrap_or(0), message).with_help("is it spelt as it is registered?"));
            }
        }
        if self.rule.effect == Effect::Permit && self.rule.verdict == Verdict::Allow {
            let message = format!("the permit `{}` changes nothing", self.rule.name());
            let help = "what the default policies forbid stays forbidden, and all else is permitted already; to tighten, \
                        write a forbid, or a permit with `@decision(\"require_approval\")`";
            warnings.push(self.problem(0, message).with_help(help));
        }
    }
}

fn literals(policy: &Policy) -> Vec<EntityUid> {
    let mut literals = policy.entity_literals();
    literals.sort_unstable();
    literals.dedup();
    literals
}

/// What kind of thing it is, if it is not known.
fn unknown(uid: &EntityUid, known: &Known<'_>) -> Option<&'static str> {
    let id = uid.id().unescaped();
    let is_missing = match uid.type_name().basename() {
        AGENT => known.agents.is_some_and(|agents| !agents.contains(id)),
        TEAM => known.teams.is_some_and(|teams| !teams.contains(id)),
        TOOL => !known.catalogue.has_tool(id),
        MCP_SERVER => !known.catalogue.has_tool(&format!("{MCP_PREFIX}{id}")),
        _ => false,
    };
    let what = match uid.type_name().basename() {
        AGENT => "agent",
        TEAM => "team",
        TOOL => "tool",
        _ => "MCP server",
    };
    is_missing.then_some(what)
}
