//! One policy: its stable name, what its annotations ask for, and the clause that operators are shown.

mod annotation;
mod text;

use std::str::FromStr as _;
use std::sync::Arc;

use cedar_policy::{Effect, Policy, PolicyId, PolicySet};
use cedar_policy_core::ast::Expr;
use tracehound_model::Verdict;

use crate::code;
use crate::decision::{Clause, MatchedPolicy, PolicySource};
use crate::problem::{Problem, place};

/// The longest text of one tenant policy, in bytes.
const LONGEST_BODY: usize = 64 * 1024;
/// The longest name of a policy, in bytes.
const LONGEST_NAME: usize = 128;
/// How deep an expression may be.
const DEEPEST: usize = 160;

/// Where policies come from.
pub(crate) struct Origin<'a> {
    pub(crate) key: &'a str,
    pub(crate) version: u32,
    pub(crate) hash: &'a str,
    pub(crate) body: &'a str,
    pub(crate) source: PolicySource,
}

/// One policy.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The key of the text that it is in.
    pub(crate) key: String,
    /// Its stable name, version, hash and source.
    pub(crate) matched: MatchedPolicy,
    pub(crate) policy: Policy,
    /// Its scope and its conditions as one expression. Cedar would put it together anew for each call.
    pub(crate) condition: Expr,
    pub(crate) effect: Effect,
    /// What it asks for when it permits.
    pub(crate) verdict: Verdict,
    pub(crate) approver_group: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) redact_fields: Vec<String>,
    pub(crate) clause: Arc<Clause>,
    /// Where it begins in its text.
    pub(crate) offset: usize,
    /// Annotations that mean nothing here.
    pub(crate) warnings: Vec<Problem>,
}

impl Rule {
    /// The policies of a text, in its order.
    pub(crate) fn read(origin: &Origin<'_>) -> Result<Vec<Self>, Vec<Problem>> {
        let Origin { key, body, .. } = *origin;
        let problem = |offset: usize, message: &str| vec![Problem::at(key, body, offset, message)];
        if !is_name(key) {
            return Err(problem(
                0,
                "the key must be 1 to 128 letters, digits and `-_.:/`, beginning with a letter or digit",
            ));
        }
        if body.len() > LONGEST_BODY {
            return Err(problem(0, "the text is longer than 64 KiB: split it into several policies"));
        }
        if let Some(offset) = text::too_deep(body, DEEPEST) {
            let refused =
                Problem::at(key, body, offset, "the policy is nested too deep, or too long a chain of conditions");
            return Err(vec![refused.with_help("write several policies, or ask with `contains` of a list")]);
        }
        let set = PolicySet::from_str(body)
            .map_err(|errors| errors.iter().map(|error| Problem::of(key, body, error, 0)).collect::<Vec<_>>())?;
        if let Some(template) = set.templates().next() {
            let offset = body.find(&template.to_cedar()).unwrap_or(0);
            let refused = Problem::at(
                key,
                body,
                offset,
                "this is a template: nothing would ever fill `?principal` or `?resource`",
            );
            return Err(vec![refused.with_help("name the principal and the resource, or leave them open")]);
        }
        if set.num_of_policies() == 0 {
            return Err(problem(0, "there is no policy in the text"));
        }
        Self::of_set(origin, &set)
    }

    fn of_set(origin: &Origin<'_>, set: &PolicySet) -> Result<Vec<Self>, Vec<Problem>> {
        let (mut rules, mut problems, mut end) = (Vec::new(), Vec::new(), 0);
        let count = set.num_of_policies();
        for at in 0..count {
            // Cedar numbers the policies of a text from zero.
            let Some(policy) = set.policy(&PolicyId::new(format!("policy{at}"))) else { continue };
            let source = policy.to_cedar().unwrap_or_default();
            let offset = origin.body.get(end..).and_then(|rest| rest.find(&source)).map_or(end, |found| end + found);
            end = offset + source.len();
            let unnamed = if count == 1 { origin.key.to_owned() } else { format!("{}#{}", origin.key, at + 1) };
            match Self::of_policy(origin, policy, &Written { unnamed, source, offset }) {
                Ok(rule) => rules.push(rule),
                Err(found) => problems.extend(found),
            }
        }
        // INVARIANT: no policy of the text is lost on the way.
        if problems.is_empty() && rules.len() != count {
            problems.push(Problem::at(
                origin.key,
                origin.body,
                0,
                "the text could not be taken apart into its policies",
            ));
        }
        if problems.is_empty() { Ok(rules) } else { Err(problems) }
    }

    fn of_policy(origin: &Origin<'_>, policy: &Policy, written: &Written) -> Result<Self, Vec<Problem>> {
        let name = match policy.annotation("id") {
            Some(id) => checked_name(origin, id, written)?,
            None => written.unnamed.clone(),
        };
        if origin.source != PolicySource::Default && code::is_reserved(&name) {
            let problem = written.problem(origin, "@id", format!("`{name}` is the name of something that is built in"));
            return Err(vec![problem.with_help("give the policy another name")]);
        }
        let asked = annotation::read(origin, policy, written)?;
        let name: Arc<str> = name.into();
        let (start, clause) = text::clause(&written.source);
        let clause = Clause {
            policy: name.clone(),
            version: origin.version,
            line: place(origin.body, written.offset + start).0,
            text: clause,
        };
        Ok(Self {
            key: origin.key.to_owned(),
            policy: policy.new_id(PolicyId::new(&name)),
            condition: policy.as_ref().condition(),
            matched: MatchedPolicy { name, version: origin.version, hash: origin.hash.into(), source: origin.source },
            effect: policy.effect(),
            verdict: asked.verdict,
            approver_group: asked.approver_group,
            reason: asked.reason,
            redact_fields: asked.redact_fields,
            clause: Arc::new(clause),
            offset: written.offset,
            warnings: asked.warnings,
        })
    }

    pub(crate) fn name(&self) -> &str {
        &self.matched.name
    }
}

/// A policy in its text.
struct Written {
    /// Its name if it has no `@id`.
    unnamed: String,
    source: String,
    offset: usize,
}

impl Written {
    /// A problem where the first of these words is in the policy, or where the policy begins.
    fn problem(&self, origin: &Origin<'_>, word: &str, message: impl Into<String>) -> Problem {
        let offset = self.offset + self.source.find(word).unwrap_or(0);
        Problem::at(origin.key, origin.body, offset, message)
    }
}

fn checked_name(origin: &Origin<'_>, id: &str, written: &Written) -> Result<String, Vec<Problem>> {
    if is_name(id) {
        return Ok(id.to_owned());
    }
    let message = "the name in `@id` must be 1 to 128 letters, digits and `-_.:/`, beginning with a letter or digit";
    Err(vec![written.problem(origin, "@id", message)])
}

/// Whether it can be a policy's name. A `#` is only in the names that we give, so that those never collide.
fn is_name(text: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:/".contains(&byte);
    let begins_well = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    begins_well && text.len() <= LONGEST_NAME && text.bytes().all(is_inner)
}

#[cfg(test)]
mod tests;
