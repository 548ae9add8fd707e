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
