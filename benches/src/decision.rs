//! One decision in this process: a request read from its bytes, looked up and decided, against Cedar's bare evaluation.
//!
//! Sets have the default policies and two of the tenant's that name nobody, ten in all; the others name one agent each,
//! three an agent, as in an estate that grows by agents. Cedar itself gets the ten and a request that is ready.

use std::hint::black_box;
use std::str::FromStr as _;
use std::time::Instant;

use anyhow::Context as _;
use cedar_policy::{Authorizer, Context, Entities, EntityUid, PolicySet, Request};
use serde_json::{Value, json};
use tracehound_model::{RiskLevel, Verdict};
use tracehound_policy::{
    ActionFacts, AgentFacts, AgentStatus, AuthorizeRequest, Call, Catalogue, Check, DefaultDecision, Known, Policies,
    Principal, RiskWeights, TenantPolicy, decide,
};

use crate::figure::{Figures, say};

/// Rounds of each measurement, in turns; the quickest counts, as noise only ever slows.
const ROUNDS: usize = 60;
/// Calls in a round.
const CALLS: usize = 500;
/// Policies that each agent has to itself.
const OWN: usize = 3;
/// Policies that name nobody: eight come with the product.
const UNSCOPED: usize = 10;

const TENANT_UNSCOPED: [&str; 2] = [
    "@id(\"no-weekend\") forbid(principal, action, resource) when { context.environment == \"frozen\" && context.mutates_state };",
    "@id(\"no-interns\") forbid(principal, action, resource) when { context has user && context.user.role == \"intern\" };",
];

/// Measures decisions with 100 and 1,000 policies, and Cedar with ten.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let (hundred, thousand) = (Gateway::new(100)?, Gateway::new(1_000)?);
    let cedar = Cedar::new()?;
    let bodies: Vec<Vec<u8>> = (0..16).map(body).collect();
    let (mut at_hundred, mut at_thousand, mut bare) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        at_hundred = at_hundred.min(time(|at| hundred.decide(bodies.get(at % bodies.len()))));
        at_thousand = at_thousand.min(time(|at| thousand.decide(bodies.get(at % bodies.len()))));
        bare = bare.min(time(|_| cedar.is_authorized()));
    }
    say(&format!(
        "  one decision: {:.1} us with 100 policies, {:.1} us with 1,000; Cedar alone with {UNSCOPED}: {:.1} us",
        at_hundred * 1e6,
        at_thousand * 1e6,
        bare * 1e6
    ));
    figures.at_most("a decision with 100 policies against Cedar alone with 10", at_hundred / bare, 3.0, "x");
    figures.at_most("1,000 policies against 100", at_thousand / at_hundred, 1.5, "x");
    Ok(())
}

/// Seconds for one piece of work.
fn time(work: impl Fn(usize) -> bool) -> f64 {
    let start = Instant::now();
    let done = (0..CALLS).filter(|at| black_box(work(*at))).count();
    black_box(done);
    start.elapsed().as_secs_f64() / CALLS as f64
}

fn body(agent: usize) -> Vec<u8> {
    let body = json!({
        "request_id": "5f0c7c1e-6c1b-4f6e-9d0e-3a0f2f3f8a11",
        "agent": {"id": format!("agent-{agent}"), "environment": "production"},
        "user": {"id": "u-17", "role": "engineer"},
        "tool_call": {
            "tool": "GitHub", "action": "merge_pull_request", "resource": "shop/api#12", "mutates_state": true,
            "parameters": {"number": 12, "base_branch": "main", "title": "Say hello", "labels": ["a", "b"], "draft": false},
        },
        "context": {"source_trust": "trusted_internal_signed", "contains_sensitive_data": false},
        "trace": {"run_id": "run-1", "trace_id": "trace-1", "parent_run_id": "run-0", "root_trust_level": "trusted_internal_unsigned"},
        "nonce": "n-1",
        "timestamp": "2026-11-16T12:00:00Z",
    });
    body.to_string().into_bytes()
}

struct Gateway {
    policies: Policies,
    catalogue: Catalogue,
    agents: Vec<Principal>,
    weights: RiskWeights,
}

impl Gateway {
    fn new(policies: usize) -> anyhow::Result<Self> {
        let catalogue = catalogue()?;
        let scoped = policies - UNSCOPED;
        let own = (0..scoped).map(|at| own(at / OWN, at % OWN));
        let bodies = TENANT_UNSCOPED.iter().map(|text| (*text).to_owned()).chain(own);
        let tenant: Vec<TenantPolicy> =
            bodies.enumerate().map(|(at, body)| TenantPolicy::new(&format!("p{at}"), "", 1, &body)).collect();
        let (compiled, _) = Policies::compile(&tenant, &Known::tools(&catalogue), Check::Refuse)
            .map_err(|problems| anyhow::anyhow!("{problems:?}"))?;
        anyhow::ensure!(compiled.list().len() == policies, "there are {} policies", compiled.list().len());
        let agents = (0..scoped / OWN).map(|at| Principal::new(agent(at))).collect();
        let gateway = Self { policies: compiled, catalogue, agents, weights: RiskWeights::default() };
        anyhow::ensure!(gateway.decide(Some(&body(3))), "the call is not decided as it should be");
        Ok(gateway)
    }

    /// Whether the request came out as it should.
    fn decide(&self, body: Option<&Vec<u8>>) -> bool {
        let Some(Ok(request)) = body.map(|body| AuthorizeRequest::parse(body)) else { return false };
        let index = request.agent.id.rsplit('-').next().and_then(|index| index.parse::<usize>().ok());
        let Some(agent) = index.and_then(|index| self.agents.get(index)) else { return false };
        let found = self.catalogue.find(&request.tool_call.tool, &request.tool_call.action);
        let call = Call::of_request(&request, agent, found, &self.weights, None);
        black_box(decide(&self.policies, &call)).verdict == Verdict::RequireApproval
    }
}

/// The policies that an agent has to itself.
fn own(agent: usize, which: usize) -> String {
    let scope = format!("principal == Agent::\"agent-{agent}\"");
    match which {
        0 => format!(
            "forbid({scope}, action, resource) when {{ context.contains_sensitive_data && context.mutates_state }};"
        ),
        1 => format!(
            "forbid({scope}, action in Action::\"github.*\", resource) when {{ resource.name like \"secret/*\" }};"
        ),
        _ => format!(
            "@decision(\"require_approval\") permit({scope}, action == Action::\"github.merge_pull_request\", resource) \
             when {{ context.input.number > 5 }};"
        ),
    }
}

fn agent(at: usize) -> AgentFacts {
    AgentFacts {
        id: format!("agent-{at}"),
        key: format!("key-{at}"),
        name: format!("Agent {at}"),
        environment: "production".to_owned(),
        risk_tier: "medium".to_owned(),
        owner_team: Some(format!("team-{}", at % 7)),
        framework: Some("langgraph".to_owned()),
        allowed_environments: vec!["production".to_owned(), "staging".to_owned()],
        allowed_tools: Vec::new(),
        status: AgentStatus::Active,
        force_approval: false,
    }
}

fn catalogue() -> anyhow::Result<Catalogue> {
    let mut catalogue = Catalogue::default();
    for (tool, action) in
        [("github", "merge_pull_request"), ("github", "read_issue"), ("shop", "refund"), ("mail", "send")]
    {
        let schema = json!({"type": "object", "required": ["number"], "properties": {
            "number": {"type": "integer"}, "base_branch": {"type": "string"}, "title": {"type": "string"},
            "labels": {"type": "array", "items": {"type": "string"}}, "draft": {"type": "boolean"},
        }});
        let facts = ActionFacts {
            tool: tool.to_owned(),
            action: action.to_owned(),
            risk: RiskLevel::Medium,
            mutates_state: true,
            approval_required: false,
            default_decision: DefaultDecision::Policy,
            input_schema: Some(schema),
        };
        catalogue.add(facts)?;
    }
    Ok(catalogue)
}

/// Cedar alone, with everything ready.
struct Cedar {
    authorizer: Authorizer,
    set: PolicySet,
    request: Request,
    entities: Entities,
}

impl Cedar {
    fn new() -> anyhow::Result<Self> {
        let text = format!("{}\n{}", Policies::default_text(), TENANT_UNSCOPED.join("\n"));
        let set = PolicySet::from_str(&text)?;
        anyhow::ensure!(set.num_of_policies() == UNSCOPED, "Cedar has {} policies", set.num_of_policies());
        let uid = |text: &str| EntityUid::from_str(text).with_context(|| format!("`{text}` names nothing"));
        let (agent, action) = (uid("Agent::\"agent-3\"")?, uid("Action::\"github.merge_pull_request\"")?);
        let context = Context::from_json_value(context(), None)?;
        let request = Request::new(agent, action, uid("Resource::\"shop/api#12\"")?, context, None)?;
        let entities = Entities::from_json_value(entities(), None)?;
        let cedar = Self { authorizer: Authorizer::new(), set, request, entities };
        anyhow::ensure!(cedar.is_authorized(), "Cedar alone doesn't permit the call");
        Ok(cedar)
    }

    fn is_authorized(&self) -> bool {
        let response = self.authorizer.is_authorized(&self.request, &self.set, &self.entities);
        response.decision() == cedar_policy::Decision::Allow
    }
}

fn context() -> Value {
    json!({
        "tool": "github", "action": "merge_pull_request", "environment": "production", "agent_risk_tier": "medium",
        "trust_level": "trusted_internal_unsigned", "root_trust_level": "trusted_internal_unsigned",
        "contains_sensitive_data": false, "mutates_state": true, "is_mcp": false, "risk": 40,
        "run": {"id": "run-1", "parent": "run-0"}, "user": {"id": "u-17", "role": "engineer"},
        "input": {"number": 12, "base_branch": "main", "title": "Say hello", "labels": ["a", "b"], "draft": false},
    })
}

fn entities() -> Value {
    let entity = |kind: &str, id: &str, attributes: Value, parents: Value| {
        json!({
            "uid": {"type": kind, "id": id}, "attrs": attributes, "parents": parents,
        })
    };
    let of = |kind: &str, id: &str| json!([{"type": kind, "id": id}]);
    let agent = json!({"key": "key-3", "name": "Agent 3", "environment": "production", "risk_tier": "medium",
        "owner_team": "team-3", "framework": "langgraph"});
    json!([
        entity("Agent", "agent-3", agent, of("Team", "team-3")),
        entity("Team", "team-3", json!({}), json!([])),
        entity("Action", "github.merge_pull_request", json!({}), of("Action", "github.*")),
        entity("Action", "github.*", json!({}), of("Action", "tool_call")),
        entity("Action", "tool_call", json!({}), json!([])),
        entity("Tool", "github", json!({}), json!([])),
        entity("Resource", "shop/api#12", json!({"name": "shop/api#12"}), of("Tool", "github")),
    ])
}
