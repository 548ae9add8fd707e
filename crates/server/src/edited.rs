//! An edited call, decided anew: as the same agent, with the trust that the first call had.

use tracehound_evidence::approval::Approval;
use tracehound_policy::request::ToolCall;
use tracehound_policy::{self as policy, Call, Decision};

use crate::App;
use crate::caller::Caller;
use crate::problem::Problem;

/// Decides an edited call. The environment is the one that the agent is registered with.
pub(crate) async fn decide(
    app: &App,
    caller: &Caller,
    approval: &Approval,
    call: &ToolCall,
) -> Result<Decision, Problem> {
    let (tenant, id) = (caller.tenant.clone(), approval.decision_id.clone());
    let first = app.read(move |evidence| evidence.decision(&tenant, &id)).await?;
    let first = first.ok_or_else(|| Problem::unknown("Decision"))?.decision;
    let agent = app.evidence().registry().agent(&caller.tenant, &approval.agent_id);
    let agent = agent.ok_or_else(|| Problem::unknown("Agent"))?;
    let rules = app.rules(&caller.tenant);
    let principal = app.principal(&agent);
    let Some(policies) = &rules.policies else {
        return Err(Problem::invalid("policies_unusable", "the policies can't be read, so nothing is allowed"));
    };
    let server = crate::api::authorize::server_of(&rules, &call.tool);
    let run = first.call.run_id.as_deref();
    let edited = Call {
        agent: &principal,
        registered: rules.catalogue.find(&call.tool, &call.action),
        mcp: server.and_then(|server| crate::api::authorize::mcp_facts(server, &call.action)),
        tool: &call.tool,
        action: &call.action,
        target: call.resource.as_deref(),
        arguments: &call.parameters,
        claims_mutation: call.mutates_state,
        contains_sensitive_data: false,
        environment: &agent.profile.environment,
        declared_trust: first.call.source_trust,
        effective_trust: first.call.root_trust_level,
        run: run.map(|id| policy::Run { id, parent: first.call.parent_run_id.as_deref() }),
        user: None,
        weights: &rules.weights,
        anomaly: 0,
        has_prior_approval: false,
    };
    Ok(policy::decide(policies, &edited))
}
