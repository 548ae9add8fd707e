//! Approvals: bound to one exact call, good once, for a while, and never by whoever wants it.

use axum::http::Method;
use serde_json::{Value, json};

use crate::gateway::{Answer, Gateway, request};

/// A gateway with an agent whose merge waits for a person: agent id, agent token, approval id, hash.
async fn asked(gateway: &Gateway) -> (String, String, String, String) {
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let mut body = request(&id, "merge_pull_request", "semi_trusted_customer");
    body["user"] = json!({ "id": "kim", "role": "developer" });
    let answer = gateway.post("/v1/authorize", &token, body).await;
    assert_eq!(answer.body["decision"], "require_approval", "{answer:?}");
    let text = |name: &str| answer.body["approval"][name].as_str().unwrap().to_owned();
    (id, token, text("approval_id"), text("action_hash"))
}

async fn act(gateway: &Gateway, approval: &str, verb: &str, token: &str, body: Value) -> Answer {
    gateway.ask(Method::POST, &format!("/v1/approvals/{approval}/{verb}"), token, Some(body)).await
}

fn refused(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.body["code"].as_str().unwrap_or_default())
}

#[tokio::test]
async fn an_approval_is_used_once_for_exactly_its_call() {
    let gateway = Gateway::new();
    let (_, token, approval, hash) = asked(&gateway).await;
    let lee = gateway.person("lee", "approver").await;
    let early = act(&gateway, &approval, "consume", &token, json!({ "claimed_action_hash": hash })).await;
    assert_eq!(refused(&early), (409, "approval_not_approved"));
    let agreed = act(&gateway, &approval, "approve", &lee, json!({ "reason": "fine", "action_hash": hash })).await;
    assert_eq!(agreed.status, 200, "{agreed:?}");
    let swapped = act(&gateway, &approval, "consume", &token, json!({ "claimed_action_hash": "0".repeat(64) })).await;
    assert_eq!(refused(&swapped), (409, "consume_hash_mismatch"), "approve, then swap");
    let used = act(&gateway, &approval, "consume", &token, json!({ "claimed_action_hash": hash })).await;
    assert_eq!((used.status, &used.body["status"]), (200, &json!("consumed")), "{used:?}");
    let again = act(&gateway, &approval, "consume", &token, json!({ "claimed_action_hash": hash })).await;
    assert_eq!(refused(&again), (409, "approval_consumed"));
    let kinds: Vec<String> = receipts(&gateway).await.iter().map(|it| it["detail"]["what"].to_string()).collect();
    let attempts = kinds.iter().filter(|what| what.contains("tamper_attempt")).count();
    assert_eq!(attempts, 3, "every attempt is on record: {kinds:?}");
}

async fn receipts(gateway: &Gateway) -> Vec<Value> {
    let listed = gateway.get("/v1/receipts?from=0", &gateway.admin).await;
    let verified = gateway.post("/v1/receipts/verify-chain", &gateway.admin, listed.body.clone()).await;
    assert_eq!(verified.body["verified"], true, "{verified:?}");
    listed.body.as_array().unwrap().clone()
}

#[tokio::test]
async fn nobody_agrees_to_what_they_want_themselves() {
    let gateway = Gateway::new();
    let (_, token, approval, _) = asked(&gateway).await;
    let kim = gateway.person("kim", "approver").await;
    let own = act(&gateway, &approval, "approve", &kim, json!({ "reason": "mine" })).await;
    assert_eq!(refused(&own), (409, "self_approval"), "the run acts for kim");
    let agent = act(&gateway, &approval, "approve", &token, json!({ "reason": "mine" })).await;
    assert_eq!(refused(&agent), (403, "forbidden"), "agents never agree");
    let auditor = gateway.person("ada", "auditor").await;
    let reader = act(&gateway, &approval, "approve", &auditor, json!({ "reason": "mine" })).await;
    assert_eq!(refused(&reader), (403, "forbidden"));
}

#[tokio::test]
async fn an_edited_call_is_decided_anew_and_needs_another_person() {
    let gateway = Gateway::new();
    let (_, token, approval, first) = asked(&gateway).await;
    let (lee, mo) = (gateway.person("lee", "approver").await, gateway.person("mo", "approver").await);
    let unknown = json!({ "tool": "github", "action": "delete_everything", "mutates_state": true, "parameters": {} });
    let denied = act(&gateway, &approval, "edit", &lee, json!({ "edited_tool_call": unknown, "reason": "x" })).await;
    assert_eq!(refused(&denied), (409, "edit_denied"), "what policies deny can't be edited in");
    let call = json!({
        "tool": "github", "action": "merge_pull_request", "resource": "shop/api#13", "mutates_state": true,
        "parameters": { "base_branch": "dev" },
    });
    let edited = act(&gateway, &approval, "edit", &lee, json!({ "edited_tool_call": call, "reason": "not 12" })).await;
    assert_eq!(edited.status, 200, "{edited:?}");
    let second = edited.body["effective_action_hash"].as_str().unwrap().to_owned();
    assert_ne!(first, second);
    let stale = act(&gateway, &approval, "approve", &mo, json!({ "reason": "y", "action_hash": first })).await;
    assert_eq!(refused(&stale), (409, "approval_changed"), "mo looked at the first call");
    let own = act(&gateway, &approval, "approve", &lee, json!({ "reason": "y", "action_hash": second })).await;
    assert_eq!(refused(&own), (409, "self_approval"));
    let agreed = act(&gateway, &approval, "approve", &mo, json!({ "reason": "y", "action_hash": second })).await;
    assert_eq!(agreed.status, 200, "{agreed:?}");
    let old = act(&gateway, &approval, "consume", &token, json!({ "claimed_action_hash": first })).await;
    assert_eq!(refused(&old), (409, "consume_hash_mismatch"));
    let used = act(&gateway, &approval, "consume", &token, json!({ "claimed_action_hash": second })).await;
    assert_eq!(used.status, 200, "{used:?}");
}

#[tokio::test]
async fn what_is_past_its_time_can_not_be_answered_or_used() {
    let gateway = Gateway::new();
    let (id, token, approval, hash) = asked(&gateway).await;
    let lee = gateway.person("lee", "approver").await;
    let body = request(&id, "merge_pull_request", "semi_trusted_customer");
    let other = gateway.post("/v1/authorize", &token, body).await;
    let other = other.body["approval"]["approval_id"].as_str().unwrap().to_owned();
    assert_eq!(act(&gateway, &other, "approve", &lee, json!({ "reason": "ok" })).await.status, 200);
    gateway.wait(1_801);
    let late = act(&gateway, &approval, "approve", &lee, json!({ "reason": "ok" })).await;
    assert_eq!(refused(&late), (409, "approval_expired"));
    let shown = gateway.get(&format!("/v1/approvals/{approval}"), &token).await;
    assert_eq!(shown.body["status"], "EXPIRED");
    let unused = act(&gateway, &other, "consume", &token, json!({})).await;
    assert_eq!(refused(&unused), (409, "approval_expired"), "agreed to, but too late");
    assert!(!hash.is_empty());
}

#[tokio::test]
async fn of_32_callers_who_race_one_wins() {
    let gateway = Gateway::new();
    let (id, token, approval, hash) = asked(&gateway).await;
    let lee = gateway.person("lee", "approver").await;
    let path = format!("/v1/approvals/{approval}/consume");
    let agree = || act(&gateway, &approval, "approve", &lee, json!({ "reason": "ok" }));
    let answers = futures_util::future::join_all((0..32).map(|_| agree())).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    let consume = || gateway.post(&path, &token, json!({ "claimed_action_hash": hash }));
    let answers = futures_util::future::join_all((0..32).map(|_| consume())).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    let with = |name: &str, value: &str| {
        let mut body = request(&id, "get_pull_request", "trusted_internal_signed");
        body[name] = json!(value);
        body
    };
    let nonces = (0..32).map(|_| gateway.post("/v1/authorize", &token, with("nonce", "n")));
    let answers = futures_util::future::join_all(nonces).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    let named = (0..32).map(|_| gateway.post("/v1/authorize", &token, with("request_id", "r")));
    let answers = futures_util::future::join_all(named).await;
    let mut ids: Vec<&str> = answers.iter().map(|it| it.body["decision_id"].as_str().unwrap()).collect();
    ids.dedup();
    assert_eq!(ids.len(), 1, "one decision, told 32 times");
    receipts(&gateway).await;
}

/// An approval that somebody agreed to: agent id, agent token, approval id.
async fn agreed(gateway: &Gateway) -> (String, String, String) {
    let (id, token, approval, _) = asked(gateway).await;
    let lee = gateway.person("lee", "approver").await;
    assert_eq!(act(gateway, &approval, "approve", &lee, json!({ "reason": "ok" })).await.status, 200);
    (id, token, approval)
}

#[tokio::test]
async fn an_agent_that_was_stopped_since_cannot_use_what_was_agreed_to() {
    for (verb, code) in [("freeze", "agent_frozen"), ("quarantine", "agent_quarantined"), ("revoke", "agent_revoked")] {
        let gateway = Gateway::new();
        let (id, token, approval) = agreed(&gateway).await;
        let stopped = gateway.post(&format!("/v1/agents/{id}/{verb}"), &gateway.admin, json!({ "reason": "x" })).await;
        assert_eq!(stopped.status, 200, "{stopped:?}");
        let used = act(&gateway, &approval, "consume", &token, json!({})).await;
        assert_eq!(refused(&used), (409, code), "{used:?}");
        let last = receipts(&gateway).await.pop().unwrap();
        assert_eq!((&last["detail"]["what"], &last["detail"]["code"]), (&json!("refused"), &json!(code)), "{last}");
        if verb != "revoke" {
            gateway.post(&format!("/v1/agents/{id}/restore"), &gateway.admin, json!({ "reason": "x" })).await;
            let used = act(&gateway, &approval, "consume", &token, json!({})).await;
            assert_eq!(used.status, 200, "what was refused is not used up: {used:?}");
        }
    }
}

#[tokio::test]
async fn what_was_forbidden_since_is_not_lifted_by_an_approval() {
    let gateway = Gateway::new();
    let (_, token, approval) = agreed(&gateway).await;
    let forbid = json!({
        "policy_key": "stop", "name": "Stop", "reason": "x",
        "body": "@id(\"stop\") forbid (principal, action, resource);",
    });
    let added = gateway.post("/v1/policies", &gateway.admin, forbid).await;
    assert!([200, 201].contains(&added.status), "{added:?}");
    let used = act(&gateway, &approval, "consume", &token, json!({})).await;
    assert_eq!(refused(&used), (409, "forbidden_by_policy"), "{used:?}");
}

#[tokio::test]
async fn a_server_that_was_quarantined_since_is_not_called_on_an_approval() {
    let gateway = Gateway::new();
    let (id, token) = gateway.agent("bot").await;
    let server = json!({
        "server_key": "files", "name": "Files", "transport": "stdio", "command": "npx", "trust_level": "internal",
    });
    assert_eq!(gateway.post("/v1/mcp/servers", &gateway.admin, server).await.status, 201);
    let shown = json!({ "tools": [{
        "tool_key": "write", "name": "write", "description": "Writes.", "risk": "low", "mutates_state": true,
        "approval_required": true,
    }] });
    let shown = gateway.post("/v1/mcp/servers/files/tools", &gateway.admin, shown).await;
    assert_eq!(shown.status, 200, "{shown:?}");
    let why = json!({ "reason": "x" });
    let path = "/v1/mcp/servers/files/tools/write/approve";
    assert_eq!(gateway.post(path, &gateway.admin, why.clone()).await.status, 200);
    let mut body = request(&id, "write", "trusted_internal_signed");
    body["tool_call"] = json!({ "tool": "mcp:files", "action": "write", "mutates_state": true, "parameters": {} });
    let asked = gateway.post("/v1/authorize", &token, body).await.body;
    let approval = asked["approval"]["approval_id"].as_str().unwrap_or_else(|| panic!("{asked}")).to_owned();
    let agreed = act(&gateway, &approval, "approve", &gateway.admin, why.clone()).await;
    assert_eq!(agreed.status, 200, "{agreed:?}");
    assert_eq!(gateway.post("/v1/mcp/servers/files/quarantine", &gateway.admin, why).await.status, 200);
    let used = act(&gateway, &approval, "consume", &token, json!({})).await;
    assert_eq!(refused(&used), (409, "mcp_server_quarantined"), "{used:?}");
}

#[tokio::test]
async fn a_call_with_a_secret_in_it_can_be_used_although_the_secret_was_not_kept() {
    let gateway = Gateway::new();
    let schema = json!({ "type": "object", "properties": { "pin": { "type": "integer" } }, "required": ["pin"] });
    let actions = [json!({ "action_key": "pay", "risk": "high", "mutates_state": true, "input_schema": schema })];
    let tool = json!({ "tool_key": "github", "name": "GitHub", "type": "http", "actions": actions });
    assert_eq!(gateway.post("/v1/tools", &gateway.admin, tool).await.status, 201);
    let (id, token) = gateway.agent("bot").await;
    let mut body = request(&id, "pay", "semi_trusted_customer");
    body["tool_call"]["parameters"] = json!({ "pin": 1234 });
    let asked = gateway.post("/v1/authorize", &token, body).await.body;
    let approval = asked["approval"]["approval_id"].as_str().unwrap_or_else(|| panic!("{asked}")).to_owned();
    assert_eq!(act(&gateway, &approval, "approve", &gateway.admin, json!({ "reason": "x" })).await.status, 200);
    assert_eq!(act(&gateway, &approval, "consume", &token, json!({})).await.status, 200);
}

#[tokio::test]
async fn receipts_of_approvals_say_who_answered_and_whose_call_it_is() {
    let gateway = Gateway::new();
    let (id, token, approval) = agreed(&gateway).await;
    let used = act(&gateway, &approval, "consume", &token, json!({})).await;
    assert_eq!(used.status, 200, "without a claim the call that was agreed to is meant: {used:?}");
    let steps: Vec<Value> = receipts(&gateway).await.into_iter().filter(|it| it["kind"] == "approval").collect();
    let told: Vec<_> = steps.iter().map(|it| (&it["detail"]["what"], &it["approver"], &it["agent_id"])).collect();
    let (lee, bot) = (json!("lee"), json!(id));
    assert_eq!(told, [(&json!("approved"), &lee, &bot), (&json!("consumed"), &lee, &bot)]);
    assert!(steps.iter().all(|it| it["detail"]["approver"] == "lee"), "{steps:?}");
}

#[tokio::test]
async fn what_people_may_not_do_about_an_approval_is_on_record() {
    let gateway = Gateway::new();
    let (_, _, approval, _) = asked(&gateway).await;
    let (kim, lee) = (gateway.person("kim", "approver").await, gateway.person("lee", "approver").await);
    let unknown = json!({ "tool": "github", "action": "delete_everything", "mutates_state": true, "parameters": {} });
    act(&gateway, &approval, "edit", &lee, json!({ "edited_tool_call": unknown })).await;
    act(&gateway, &approval, "approve", &kim, json!({ "reason": "mine" })).await;
    act(&gateway, &approval, "approve", &lee, json!({ "reason": "y", "action_hash": "0".repeat(64) })).await;
    assert_eq!(act(&gateway, &approval, "reject", &lee, json!({ "reason": "no" })).await.status, 200);
    act(&gateway, &approval, "approve", &lee, json!({ "reason": "yes" })).await;
    let refused = receipts(&gateway).await.into_iter().filter(|it| it["detail"]["what"] == "refused");
    let told: Vec<String> = refused
        .map(|it| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            format!("{} {} {}", text(&it["approver"]), text(&it["detail"]["step"]), text(&it["detail"]["code"]))
        })
        .collect();
    let expected = [
        "lee edit edit_denied",
        "kim approve self_approval",
        "lee approve approval_changed",
        "lee approve approval_already_decided",
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn the_person_behind_a_run_is_known_by_id_and_in_any_case() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let kim = gateway.post("/v1/people", &gateway.admin, json!({ "name": "kim", "role": "approver" })).await.body;
    let (kim_id, kim) = (kim["person"]["id"].as_str().unwrap(), kim["token"].as_str().unwrap());
    for name in ["kim", "KIM", " Kim ", kim_id, &kim_id.to_uppercase()] {
        let mut body = request(&id, "merge_pull_request", "semi_trusted_customer");
        body["user"] = json!({ "id": name, "role": "developer" });
        let asked = gateway.post("/v1/authorize", &token, body).await.body;
        let approval = asked["approval"]["approval_id"].as_str().unwrap_or_else(|| panic!("{asked}"));
        let own = act(&gateway, approval, "approve", kim, json!({ "reason": "mine" })).await;
        assert_eq!(refused(&own), (409, "self_approval"), "{name}: {own:?}");
    }
}

#[tokio::test]
async fn whoever_approves_may_be_outside_the_group_that_a_policy_names() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let policy = json!({
        "policy_key": "ask", "name": "Ask", "reason": "x",
        "body": "@id(\"ask\") @decision(\"require_approval\") @approver_group(\"release-managers\") permit (principal, action, resource);",
    });
    let added = gateway.post("/v1/policies", &gateway.admin, policy).await;
    assert!([200, 201].contains(&added.status), "{added:?}");
    let asked =
        gateway.post("/v1/authorize", &token, request(&id, "get_pull_request", "trusted_internal_signed")).await;
    let approval = asked.body["approval"]["approval_id"].as_str().unwrap_or_else(|| panic!("{asked:?}"));
    assert_eq!(asked.body["approval"]["approver_group"], "release-managers", "it says whom to ask, no more");
    let lee = gateway.person("lee", "approver").await;
    assert_eq!(act(&gateway, approval, "approve", &lee, json!({ "reason": "ok" })).await.status, 200);
}
