//! What a change of policies would change: for the newest calls on record, or for calls that somebody describes.
//!
//! Arguments and some of what callers claimed are not recorded. Calls are decided again without them, under both sets of
//! policies alike, and each call for which a policy mentions one of them is named: its answer may differ.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tracehound_evidence::decision::{Decision, DecisionFilter};
use tracehound_evidence::reading::{MAX_PAGE, Slice};
use tracehound_evidence::{Error, Moment};
use tracehound_model::Verdict;
use tracehound_policy::{
    ActionFacts, Call, Case, Catalogue, Changed, Policies, Principal, Problem as PolicyProblem, Run, Summary,
    TenantPolicy, User, diff as compare,
};

use super::check::{Bench, check_key, refused};
use super::trial::{blocking, check_count};
use crate::App;
use crate::api::authorize::{mcp_facts, server_of};
use crate::body::Body;
use crate::caller::Caller;
use crate::problem::Problem;
use crate::rulebook::Compiled;

/// Most calls on record that are decided again.
const MOST_CALLS: usize = 1_000;
/// What is not recorded of a call, as policies name it.
const NOT_RECORDED: [&str; 4] = ["input", "contains_sensitive_data", "environment", "user"];

/// What would be different, and for which calls.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(as = PolicyChange)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// The policy that is changed; another one if nothing is said.
    #[serde(default)]
    policy_key: Option<String>,
    /// Its text; nothing if it is taken out.
    #[serde(default)]
    body: Option<String>,
    /// Described calls; the newest on record if there are none.
    #[serde(default)]
    #[schema(value_type = Vec<Object>)]
    cases: Vec<Value>,
    /// How many calls on record.
    #[serde(default)]
    limit: Option<usize>,
}

/// Which calls a change would decide differently.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct PolicyDiff {
    /// `recorded` or `cases`.
    over: &'static str,
    /// How many calls were decided both ways.
    compared: usize,
    changed: Vec<DiffedCall>,
    /// Calls of which something is not recorded that a policy asks for.
    inexact: Vec<Inexact>,
    /// Calls of agents that are not there any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_compared: Option<usize>,
    warnings: Vec<PolicyProblem>,
}

/// A call that would be decided differently: one on record, or one that was described.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct DiffedCall {
    #[serde(flatten)]
    recorded: Option<RecordedCall>,
    #[serde(flatten)]
    described: Option<DescribedCall>,
    before: Summary,
    after: Summary,
}

/// A call on record.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct RecordedCall {
    decision_id: String,
    agent_id: String,
    tool: String,
    action: String,
    resource: Option<String>,
    decided_at: Moment,
    recorded: RecordedRuling,
}

/// What was decided about it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct RecordedRuling {
    decision: Verdict,
    code: String,
}

/// A call that was described.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct DescribedCall {
    /// Which of those that were sent, from 0.
    case: usize,
    name: String,
}

/// A call of which something is not recorded.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct Inexact {
    decision_id: String,
    /// What is not recorded, as policies name it.
    because: Vec<&'static str>,
}

pub(crate) async fn diff(
    State(app): State<App>,
    caller: Caller,
    Body(asked): Body<Asked>,
) -> Result<Json<PolicyDiff>, Problem> {
    check_count("cases", asked.cases.len(), MOST_CALLS)?;
    blocking(move || asked.answer(&app, &caller.tenant).map(Json)).await
}

impl Asked {
    fn answer(&self, app: &App, tenant: &str) -> Result<PolicyDiff, Problem> {
        let book = app.evidence().registry().rulebook(tenant);
        let bench = Bench::new(app, tenant, &book);
        let old = bench.in_force()?;
        let (new, warnings) = self.changed(bench)?;
        let rules = app.rules(tenant);
        let mut answer = if self.cases.is_empty() {
            let decisions = newest(app, tenant, self.limit.unwrap_or(MOST_CALLS).clamp(1, MOST_CALLS))?;
            Recorded { app, tenant, rules: &rules, old: &old, new: &new }.compare(&decisions)
        } else {
            described(&rules.catalogue, &old, &new, &self.cases)?
        };
        answer.warnings = warnings;
        Ok(answer)
    }

    /// The policies as they would be.
    fn changed(&self, mut bench: Bench) -> Result<(Policies, Vec<tracehound_policy::Warning>), Problem> {
        let key = self.policy_key.as_deref().unwrap_or("proposed");
        check_key(key)?;
        let Some(body) = &self.body else {
            let count = bench.own.len();
            bench.own.retain(|policy| policy.key != key);
            if bench.own.len() == count {
                return Err(Problem::unknown("Policy"));
            }
            return bench.compile(&[]).map_err(|problems| refused(&problems));
        };
        let version = bench.own.iter().find(|policy| policy.key == key).map_or(1, |policy| policy.version + 1);
        bench.compile(&[TenantPolicy::new(key, key, version, body)]).map_err(|problems| refused(&problems))
    }
}

/// The newest decisions. At most a handful of pages.
fn newest(app: &App, tenant: &str, most: usize) -> Result<Vec<Decision>, Error> {
    let mut decisions = Vec::new();
    let mut cursor = None;
    loop {
        let limit = Some((most - decisions.len()).min(MAX_PAGE));
        let page = app.evidence().decisions(tenant, &DecisionFilter::default(), &Slice { cursor, limit })?;
        decisions.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_none() || decisions.len() >= most {
            return Ok(decisions);
        }
    }
}

struct Recorded<'a> {
    app: &'a App,
    tenant: &'a str,
    rules: &'a Compiled,
    old: &'a Policies,
    new: &'a Policies,
}

impl Recorded<'_> {
    /// Linear in the decisions; the texts of policies are looked through once for each agent and action.
    fn compare(&self, decisions: &[Decision]) -> PolicyDiff {
        let catalogue = without_inputs(&self.rules.catalogue);
        let principals = self.principals(decisions);
        let (mut calls, mut compared, mut inexact) = (Vec::new(), Vec::new(), Vec::new());
        let mut mentioned = HashMap::new();
        for decision in decisions {
            let Some(principal) = principals.get(decision.agent_id.as_str()) else { continue };
            let call = self.call(decision, principal, &catalogue);
            let place = (&decision.agent_id, &decision.call.tool, &decision.call.action);
            let why: &Vec<&str> = mentioned.entry(place).or_insert_with(|| self.mentioned(&call));
            if !why.is_empty() {
                inexact.push(Inexact { decision_id: decision.id.clone(), because: why.clone() });
            }
            calls.push(call);
            compared.push(decision);
        }
        let changed = compare(self.old, self.new, calls).into_iter();
        PolicyDiff {
            over: "recorded",
            compared: compared.len(),
            changed: changed.filter_map(|changed| Some(told(*compared.get(changed.call)?, changed))).collect(),
            inexact,
            not_compared: Some(decisions.len() - compared.len()),
            warnings: Vec::new(),
        }
    }

    fn principals<'d>(&self, decisions: &'d [Decision]) -> HashMap<&'d str, Arc<Principal>> {
        let registry = self.app.evidence().registry();
        let mut principals = HashMap::new();
        for decision in decisions {
            if !principals.contains_key(decision.agent_id.as_str())
                && let Some(agent) = registry.agent(self.tenant, &decision.agent_id)
            {
                principals.insert(decision.agent_id.as_str(), self.app.principal(&agent));
            }
        }
        principals
    }

    fn call<'c>(&'c self, decision: &'c Decision, principal: &'c Principal, catalogue: &'c Catalogue) -> Call<'c> {
        let call = &decision.call;
        Call {
            agent: principal,
            registered: catalogue.find(&call.tool, &call.action),
            mcp: server_of(self.rules, &call.tool).and_then(|server| mcp_facts(server, &call.action)),
            tool: &call.tool,
            action: &call.action,
            target: call.resource.as_deref(),
            arguments: &Value::Null,
            claims_mutation: call.mutates_state,
            contains_sensitive_data: false,
            environment: &principal.facts().environment,
            declared_trust: call.source_trust,
            effective_trust: call.root_trust_level,
            run: call.run_id.as_deref().map(|id| Run { id, parent: call.parent_run_id.as_deref() }),
            user: call.user_id.as_deref().map(|id| User { id, role: "" }),
            weights: &self.rules.weights,
        }
    }

    fn mentioned(&self, call: &Call<'_>) -> Vec<&'static str> {
        let mut all = self.old.mentioned(call, &NOT_RECORDED);
        all.extend(self.new.mentioned(call, &NOT_RECORDED));
        all.sort_unstable();
        all.dedup();
        all
    }
}

fn told(decision: &Decision, changed: Changed) -> DiffedCall {
    let (call, ruling) = (&decision.call, &decision.ruling);
    let recorded = RecordedCall {
        decision_id: decision.id.clone(),
        agent_id: decision.agent_id.clone(),
        tool: call.tool.clone(),
        action: call.action.clone(),
        resource: call.resource.clone(),
        decided_at: decision.created_at,
        recorded: RecordedRuling { decision: ruling.verdict, code: ruling.code.clone() },
    };
    DiffedCall { recorded: Some(recorded), described: None, before: changed.before, after: changed.after }
}

/// The registered actions without the types of their arguments, which are not there to be checked.
fn without_inputs(catalogue: &Catalogue) -> Catalogue {
    let mut bare = Catalogue::default();
    for action in catalogue.actions() {
        // What could be added once can be added again.
        let _ = bare.add(ActionFacts { input_schema: None, ..action.facts().clone() });
    }
    bare
}

fn described(catalogue: &Catalogue, old: &Policies, new: &Policies, cases: &[Value]) -> Result<PolicyDiff, Problem> {
    let cases = cases.iter().map(read_case).collect::<Result<Vec<Case>, Problem>>()?;
    let both = old.test(catalogue, &cases).into_iter().zip(new.test(catalogue, &cases));
    let effect = |of: &tracehound_policy::Trial| {
        (of.got.decision, of.got.code, of.got.approver_group.clone(), of.got.redacted_fields.clone())
    };
    let changed = both.enumerate().filter(|(_, (before, after))| effect(before) != effect(after));
    let told = changed.map(|(case, (before, after))| DiffedCall {
        recorded: None,
        described: Some(DescribedCall { case, name: before.name }),
        before: before.got,
        after: after.got,
    });
    Ok(PolicyDiff {
        over: "cases",
        compared: cases.len(),
        changed: told.collect(),
        inexact: Vec::new(),
        not_compared: None,
        warnings: Vec::new(),
    })
}

/// A described call. What is expected of it does not matter here and may be left out.
fn read_case(case: &Value) -> Result<Case, Problem> {
    let mut case = case.clone();
    if let Some(members) = case.as_object_mut() {
        members.entry("expect").or_insert_with(|| json!({ "decision": Verdict::Allow }));
    }
    serde_json::from_value(case).map_err(|error| Problem::invalid("bad_body", format!("a case can't be used: {error}")))
}
