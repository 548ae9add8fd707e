//! The call of an approval, decided anew: an edited one, and one that is about to be made after people agreed to it. As the same agent,
//! with the trust and the circumstances that the first call had.

use std::sync::Arc;

use tracehound_evidence::approval::{Approval, Standing};
use tracehound_evidence::decision::Decision as Recorded;
use tracehound_evidence::identity::Agent;
use tracehound_model::Verdict;
use tracehound_policy::request::ToolCall;
use tracehound_policy::{self as policy, Call, Code};

use crate::App;
use crate::api::authorize::{mcp_facts, server_of};
use crate::problem::Problem;

/// What is decided about a call now.
#[derive(Debug)]
pub(crate) struct Again {
    pub(crate) standing: Standing,
    pub(crate) redacted_fields: Vec<String>,
}

/// Decides the call that an editor puts in place.
pub(crate) async fn edited(app: &App, approval: &Approval, call: &ToolCall) -> Result<Again, Problem> {
    let first = first_of(app, approval).await?;
    decide(app, approval, &first, call, true)
}

/// Decides the call that was agreed to, as far as it was kept: what was taken out of it because it looks like a secret is not there to be
/// looked at again.
pub(crate) async fn agreed(app: &App, approval: &Approval) -> Result<Again, Problem> {
    let first = first_of(app, approval).await?;
    let kept = approval.content.edited_tool_call.as_ref().unwrap_or(&approval.content.tool_call);
    let Ok(call) = serde_json::from_value::<ToolCall>(kept.clone()) else {
        let agent = agent_of(app, approval)?;
        let rules_epoch = app.rules(&approval.tenant).epoch;
        let refusal = Some(("details_dropped".to_owned(), "the call is not on record any more; ask again".to_owned()));
        return Ok(Again { standing: Standing { agent, rules_epoch, refusal }, redacted_fields: Vec::new() });
    };
    let is_whole = hash(&call) == approval.effective_hash;
    decide(app, approval, &first, &call, is_whole)
}

/// The hash that binds a call.
pub(crate) fn hash(call: &ToolCall) -> String {
    policy::action_hash(&call.tool, &call.action, call.resource.as_deref(), call.mutates_state, &call.parameters)
}

async fn first_of(app: &App, approval: &Approval) -> Result<Recorded, Problem> {
    let (tenant, id) = (approval.tenant.clone(), approval.decision_id.clone());
    let first = app.read(move |evidence| evidence.decision(&tenant, &id)).await?;
    first.map(|found| found.decision).ok_or_else(|| Problem::unknown("Decision"))
}

fn agent_of(app: &App, approval: &Approval) -> Result<Arc<Agent>, Problem> {
    let agent = app.evidence().registry().agent(&approval.tenant, &approval.agent_id);
    agent.ok_or_else(|| Problem::unknown("Agent"))
}

fn decide(app: &App, approval: &Approval, first: &Recorded, call: &ToolCall, is_whole: bool) -> Result<Again, Problem> {
    let agent = agent_of(app, approval)?;
    let rules = app.rules(&approval.tenant);
    let principal = app.principal(&agent);
    let said = approval.content.circumstances.clone().unwrap_or_default();
    let run = first.call.run_id.as_deref();
    let asked = Call {
        agent: &principal,
        registered: rules.catalogue.find(&call.tool, &call.action),
        mcp: server_of(&rules, &call.tool).and_then(|server| mcp_facts(server, &call.action)),
        tool: &call.tool,
        action: &call.action,
        target: call.resource.as_deref(),
        arguments: &call.parameters,
        claims_mutation: call.mutates_state,
        contains_sensitive_data: said.contains_sensitive_data,
        // An approval that was asked for by an earlier version does not say where the agent ran.
        environment: if said.environment.is_empty() { &agent.profile.environment } else { &said.environment },
        declared_trust: first.call.source_trust,
        effective_trust: first.call.root_trust_level,
        run: run.map(|id| policy::Run { id, parent: first.call.parent_run_id.as_deref() }),
        user: first.call.user_id.as_deref().zip(said.user_role.as_deref()).map(|(id, role)| policy::User { id, role }),
        weights: &rules.weights,
    };
    let (refusal, redacted_fields) = match &rules.policies {
        Some(policies) => judged(policy::decide(policies, &asked), is_whole),
        None => (Some(unusable()), Vec::new()),
    };
    Ok(Again { standing: Standing { agent: agent.clone(), rules_epoch: rules.epoch, refusal }, redacted_fields })
}

fn judged(decision: policy::Decision, is_whole: bool) -> (Option<(String, String)>, Vec<String>) {
    let is_refused = matches!(decision.verdict, Verdict::Deny | Verdict::Quarantine);
    // Something that was taken out leaves a text in its place, which may not fit where a number belongs. That says nothing of the call.
    let is_artefact = !is_whole && decision.code == Code::ArgumentsDoNotFit;
    let refusal = (is_refused && !is_artefact).then(|| (decision.code.name().to_owned(), decision.reason));
    (refusal, decision.redacted_fields)
}

fn unusable() -> (String, String) {
    ("policies_unusable".to_owned(), "the policies can't be read, so nothing is allowed".to_owned())
}
