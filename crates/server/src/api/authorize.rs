//! `POST /v1/authorize`: read, gather, decide, record, answer from the record.

use std::sync::atomic::Ordering::Relaxed;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tracehound_evidence::approval::{Circumstances, NewApproval};
use tracehound_evidence::decision::{self, MatchedPolicy, NewDecision, Nonce, Outcome, Recorded, Ruling, ServerRef};
use tracehound_evidence::identity::{Agent, McpServerStatus, McpToolStatus};
use tracehound_evidence::{Error, Moment};
use tracehound_model::{RiskLevel, Verdict};
use tracehound_policy::{self as policy, AuthorizeRequest, Call, McpFacts};

use crate::App;
use crate::body::Raw;
use crate::caller::Caller;
use crate::problem::Problem;
use crate::rulebook::Compiled;
use crate::shown;

/// How far a request's time may lie from ours, in seconds.
const CLOCK_SKEW: i64 = 300;
/// How long a nonce without a time is remembered, in seconds.
const NONCE_SECONDS: i64 = 86_400;
/// How often a decision is made anew because what it rests on changed meanwhile.
pub(crate) const ATTEMPTS: usize = 5;

/// The answer.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = AuthorizeAnswer)]
pub(crate) struct Answer {
    decision_id: String,
    decision: Verdict,
    /// Why, as a code that does not change.
    code: String,
    /// Why, in words.
    reason: String,
    risk_score: u8,
    risk_level: RiskLevel,
    composite_risk_score: u8,
    matched_policies: Vec<String>,
    approval: Option<AskedApproval>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    redacted_fields: Vec<String>,
    /// What to hand on to the runs that this one starts.
    root_trust_level: String,
    dry_run: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<decision::ReceiptRef>,
}

/// What a person has to agree to.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct AskedApproval {
    approval_id: String,
    status: String,
    approver_group: Option<String>,
    expires_at: String,
    action_hash: String,
}

/// Decides whether an agent may make one tool call.
pub(crate) async fn authorize(State(app): State<App>, caller: Caller, Raw(body): Raw) -> Result<Response, Problem> {
    let received_at = app.evidence().now();
    let request = AuthorizeRequest::parse(&body).map_err(|error| {
        app.counters().unparsable.fetch_add(1, Relaxed);
        Problem::invalid("bad_request", error.to_string())
    })?;
    let asked = Asked { request, received_at };
    for attempt in 1..=ATTEMPTS {
        // The agent may have been stopped since it was identified.
        let agent = app.evidence().registry().agent(&caller.tenant, &caller.agent()?.id);
        let agent = agent.ok_or_else(Problem::unauthorized)?;
        let decided = asked.decide(&app, &agent).await?;
        if asked.request.dry_run {
            app.counters().dry_runs.fetch_add(1, Relaxed);
            return Ok(Json(dry(decided)).into_response());
        }
        // What can't be decided is denied, and that is on record like any denial.
        let last = (attempt == ATTEMPTS).then(|| decided.clone());
        let outcome = match (app.decide(decided).await, last) {
            (Err(Error::Stale), None) => continue,
            (Err(Error::Stale), Some(decided)) => app.deny_stale(decided).await,
            (outcome, _) => outcome,
        };
        return match outcome {
            Ok(outcome) => Ok(told(&app, outcome)),
            Err(error) => {
                app.counters().unavailable.fetch_add(1, Relaxed);
                Err(error.into())
            }
        };
    }
    Err(Error::Stale.into())
}

struct Asked {
    request: AuthorizeRequest,
    received_at: Moment,
}

impl Asked {
    async fn decide(&self, app: &App, agent: &std::sync::Arc<Agent>) -> Result<NewDecision, Problem> {
        let request = &self.request;
        let rules = app.rules(&agent.tenant);
        let principal = app.principal(agent);
        let inherited = self.inherited(app, &agent.tenant).await?;
        let (tool, action) = (&request.tool_call.tool, &request.tool_call.action);
        let registered = rules.catalogue.find(tool, action);
        let mut call = Call::of_request(request, &principal, registered, &rules.weights, inherited);
        let server = server_of(&rules, tool);
        call.mcp = server.and_then(|server| mcp_facts(server, action));
        let effective_trust = call.effective_trust;
        let (mut ruling, mutates_state, group) = match &rules.policies {
            Some(policies) => ruling_of(policy::decide(policies, &call)),
            None => (unusable(), request.tool_call.mutates_state, None),
        };
        if let Some((code, why)) = self.refusal(agent) {
            ruling = ruling.refused(code, why);
        }
        let approval = ruling.needs_approval().then(|| NewApproval {
            approver_group: group,
            seconds: app.settings().approval_seconds,
            shown_call: shown::call(&request.tool_call, &ruling.redacted_fields),
            circumstances: Circumstances {
                environment: request.agent.environment.clone(),
                user_role: request.user.as_ref().map(|user| user.role.clone()),
                contains_sensitive_data: request.context.contains_sensitive_data,
            },
        });
        let trace = request.trace.as_ref();
        let (action_hash, argument_hash) = request.hashes();
        Ok(NewDecision {
            agent: agent.clone(),
            rules_epoch: rules.epoch,
            request_id: request.request_id.clone(),
            // Only a request that has an id can come again.
            request_hash: request.request_id.as_ref().map(|_| request.fingerprint()).unwrap_or_default(),
            nonce: self.nonce(),
            call: decision::Call {
                user_id: request.user.as_ref().map(|user| user.id.clone()),
                run_id: trace.map(|trace| trace.run_id.clone()),
                trace_id: trace.map(|trace| trace.trace_id.clone()),
                parent_run_id: trace.and_then(|trace| trace.parent_run_id.clone()),
                tool: tool.clone(),
                action: action.clone(),
                resource: request.tool_call.resource.as_deref().map(shown::text),
                mcp_server: server.map(|server| ServerRef {
                    server_key: server.server_key.clone(),
                    node_id: server.node_id.clone(),
                    name: server.name.clone(),
                }),
                source_trust: request.context.source_trust,
                root_trust_level: effective_trust,
                mutates_state,
                action_hash,
                argument_hash,
            },
            ruling,
            approval,
            received_at: self.received_at,
        })
    }

    /// What is left of the trust in the run that started this one, whatever the caller says about it.
    async fn inherited(&self, app: &App, tenant: &str) -> Result<Option<tracehound_model::TrustLevel>, Problem> {
        let parent = self.request.trace.as_ref().and_then(|trace| trace.parent_run_id.clone());
        let Some(parent) = parent else { return Ok(None) };
        if let Some(known) = app.runs().known(tenant, &parent) {
            return Ok(Some(known));
        }
        let (shared, tenant) = (app.clone(), tenant.to_owned());
        app.read(move |evidence| shared.runs().trust(evidence, &tenant, &parent)).await
    }

    /// What no policy has to look at: an agent that says it is another, and a request that is too old.
    fn refusal(&self, agent: &Agent) -> Option<(&'static str, &'static str)> {
        let said = &self.request.agent.id;
        if *said != agent.id && *said != agent.key {
            return Some(("agent_mismatch", "the body names another agent than the one whose token was sent"));
        }
        let (Some(_), Some(time)) = (&self.request.nonce, &self.request.timestamp) else { return None };
        let Some(time) = Moment::parse(time) else {
            return Some(("replay_timestamp_expired", "`timestamp` is not an RFC 3339 time"));
        };
        let age = (self.received_at.micros() - time.micros()).abs();
        let is_old = age > CLOCK_SKEW * 1_000_000;
        is_old.then_some(("replay_timestamp_expired", "the request's time is more than 300 seconds from the server's"))
    }

    fn nonce(&self) -> Option<Nonce> {
        let value = self.request.nonce.clone()?;
        // A request with a time is refused when it is old; until then its nonce has to be remembered.
        let seconds = if self.request.timestamp.is_some() { 2 * CLOCK_SKEW } else { NONCE_SECONDS };
        Some(Nonce { value, expires_at: self.received_at.plus_seconds(seconds) })
    }
}

/// The registered server that a tool names.
pub(crate) fn server_of<'r>(rules: &'r Compiled, tool: &str) -> Option<&'r tracehound_evidence::identity::McpServer> {
    let name = policy::name::normal(tool)?;
    rules.servers.get(name.strip_prefix("mcp:")?).map(|server| &**server)
}

/// What is known of a server and its tool; nothing of one that was removed, whatever was agreed to before.
pub(crate) fn mcp_facts<'r>(
    server: &'r tracehound_evidence::identity::McpServer,
    action: &str,
) -> Option<McpFacts<'r>> {
    if server.status == McpServerStatus::Removed {
        return None;
    }
    let key = policy::name::normal(action).unwrap_or_default();
    let tool = server.tools.iter().find(|tool| tool.tool_key == key);
    Some(McpFacts {
        server_key: &server.server_key,
        trust_level: &server.trust_level,
        is_quarantined: server.status != McpServerStatus::Active,
        tool_status: match tool.map(|tool| tool.status) {
            Some(McpToolStatus::Approved) => policy::McpToolStatus::Approved,
            Some(McpToolStatus::Disabled) => policy::McpToolStatus::Disabled,
            Some(McpToolStatus::Pending) | None => policy::McpToolStatus::Pending,
        },
        hash_matches: tool.is_some_and(|tool| tool.approved_hash.as_ref() == Some(&tool.hash)),
    })
}

fn ruling_of(decision: policy::Decision) -> (Ruling, bool, Option<String>) {
    let policies = decision.policies.iter().map(|policy| MatchedPolicy {
        name: policy.name.to_string(),
        version: policy.version,
        hash: policy.hash.to_string(),
    });
    let explanation = serde_json::to_string(&decision.explanation).unwrap_or_default();
    let ruling = Ruling {
        verdict: decision.verdict,
        code: decision.code.name().to_owned(),
        reason: decision.reason,
        explanation,
        risk_score: decision.risk_score,
        composite_risk_score: decision.composite_risk_score,
        policies: policies.collect(),
        redacted_fields: decision.redacted_fields,
    };
    (ruling, decision.mutates_state, decision.approver_group)
}

/// The policies of the tenant can't be used.
fn unusable() -> Ruling {
    let nothing = Ruling {
        verdict: Verdict::Deny,
        code: String::new(),
        reason: String::new(),
        explanation: String::new(),
        risk_score: 100,
        composite_risk_score: 100,
        policies: Vec::new(),
        redacted_fields: Vec::new(),
    };
    nothing.refused(
        "policies_unusable",
        "the policies can't be read, so nothing is allowed; tell whoever runs the gateway",
    )
}

fn told(app: &App, outcome: Outcome) -> Response {
    let (recorded, is_new) = match &outcome {
        Outcome::Recorded(recorded) => (recorded, true),
        Outcome::Repeated(recorded) => (recorded, false),
        Outcome::Refused(recorded) => {
            app.counters().decided(Verdict::Deny);
            app.announce(&recorded.decision);
            let ruling = &recorded.decision.ruling;
            let mut problem = Problem::new(StatusCode::CONFLICT, &ruling.code, ruling.reason.as_str());
            problem.decision_id = Some(recorded.decision.id.clone());
            return problem.into_response();
        }
    };
    if is_new {
        app.counters().decided(recorded.decision.ruling.verdict);
        app.announce(&recorded.decision);
    }
    Json(answer(recorded)).into_response()
}

fn answer(recorded: &Recorded) -> Answer {
    let Recorded { decision, approval, receipt } = recorded;
    let ruling = &decision.ruling;
    Answer {
        decision_id: decision.id.clone(),
        decision: ruling.verdict,
        code: ruling.code.clone(),
        reason: ruling.reason.clone(),
        risk_score: ruling.risk_score,
        risk_level: RiskLevel::of_score(ruling.risk_score),
        composite_risk_score: ruling.composite_risk_score,
        matched_policies: ruling.policies.iter().map(|policy| policy.name.clone()).collect(),
        approval: approval.as_ref().map(|approval| AskedApproval {
            approval_id: approval.id.clone(),
            status: approval.status.name().to_owned(),
            approver_group: approval.approver_group.clone(),
            expires_at: approval.expires_at.to_string(),
            action_hash: approval.effective_hash.clone(),
        }),
        redacted_fields: ruling.redacted_fields.clone(),
        root_trust_level: decision.call.root_trust_level.name().to_owned(),
        dry_run: false,
        receipt: Some(receipt.clone()),
    }
}

/// What would have been decided. It has an id so that the answer has its usual form; nothing is recorded under it.
fn dry(decided: NewDecision) -> Answer {
    let NewDecision { call, ruling, approval, .. } = decided;
    Answer {
        decision_id: uuid::Uuid::nil().hyphenated().to_string(),
        decision: ruling.verdict,
        risk_level: RiskLevel::of_score(ruling.risk_score),
        code: ruling.code,
        reason: ruling.reason,
        risk_score: ruling.risk_score,
        composite_risk_score: ruling.composite_risk_score,
        matched_policies: ruling.policies.into_iter().map(|policy| policy.name).collect(),
        approval: approval.map(|approval| AskedApproval {
            approval_id: String::new(),
            status: "dry_run".to_owned(),
            approver_group: approval.approver_group,
            expires_at: String::new(),
            action_hash: call.action_hash,
        }),
        redacted_fields: ruling.redacted_fields,
        root_trust_level: call.root_trust_level.name().to_owned(),
        dry_run: true,
        receipt: None,
    }
}
