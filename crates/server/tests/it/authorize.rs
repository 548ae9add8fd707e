//! Decisions: made, recorded, repeated, refused.

use serde_json::{Value, json};

use crate::gateway::{Gateway, request};

#[tokio::test]
async fn a_call_is_decided_and_its_receipt_verifies() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let read = gateway.post("/v1/authorize", &token, request(&id, "get_pull_request", "untrusted_external")).await;
    assert_eq!((read.status, &read.body["decision"]), (200, &json!("allow")), "{read:?}");
    let merge = gateway.post("/v1/authorize", &token, request(&id, "merge_pull_request", "untrusted_external")).await;
    assert_eq!((merge.status, &merge.body["decision"]), (200, &json!("deny")), "{merge:?}");
    let listed = gateway.get("/v1/receipts", &gateway.admin).await;
    let verified = gateway.post("/v1/receipts/verify-chain", &gateway.admin, listed.body.clone()).await;
    assert_eq!(verified.body["verified"], json!(true), "{verified:?}");
    let graph = gateway.get("/v1/graph/run/run_7", &token).await;
    assert_eq!(graph.status, 200, "{graph:?}");
    assert_eq!(graph.body["total_decisions"], json!(2));
}

#[tokio::test]
async fn the_same_request_is_answered_the_same_and_another_under_its_name_is_refused() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let named = |action: &str| {
        let mut body = request(&id, action, "trusted_internal_signed");
        body["request_id"] = json!("r1");
        body
    };
    let first = gateway.post("/v1/authorize", &token, named("get_pull_request")).await;
    let again = gateway.post("/v1/authorize", &token, named("get_pull_request")).await;
    assert_eq!(first.body, again.body);
    let other = gateway.post("/v1/authorize", &token, named("merge_pull_request")).await;
    assert_eq!((other.status, &other.body["code"]), (409, &json!("request_id_reused")), "{other:?}");
    let recorded = other.body["decision_id"].as_str().unwrap();
    let shown = gateway.get(&format!("/v1/decisions/{recorded}"), &gateway.admin).await;
    assert_eq!(shown.body["decision"], json!("deny"), "the refusal is on record");
}

#[tokio::test]
async fn a_nonce_is_good_once() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let mut body: Value = request(&id, "get_pull_request", "trusted_internal_signed");
    body["nonce"] = json!("n1");
    assert_eq!(gateway.post("/v1/authorize", &token, body.clone()).await.status, 200);
    let again = gateway.post("/v1/authorize", &token, body).await;
    assert_eq!((again.status, &again.body["code"]), (409, &json!("replay_nonce_reused")));
}

#[tokio::test]
async fn a_run_is_not_trusted_further_than_its_parent_was_also_after_a_restart() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let read = request(&id, "get_pull_request", "untrusted_external");
    assert_eq!(gateway.post("/v1/authorize", &token, read).await.body["decision"], "allow");
    let gateway = gateway.reopened();
    // The parent's newest decision is trusted, which takes nothing back.
    let trusted = request(&id, "get_pull_request", "trusted_internal_signed");
    assert_eq!(gateway.post("/v1/authorize", &token, trusted).await.body["decision"], "allow");
    let mut child = request(&id, "merge_pull_request", "trusted_internal_signed");
    child["trace"] = json!({ "run_id": "run_8", "trace_id": "trace_7", "parent_run_id": "run_7" });
    let merge = gateway.post("/v1/authorize", &token, child).await.body;
    assert_eq!((&merge["decision"], &merge["root_trust_level"]), (&json!("deny"), &json!("untrusted_external")));
}

#[tokio::test]
async fn a_parent_run_that_is_not_on_record_takes_nothing_away() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let mut child = request(&id, "get_pull_request", "semi_trusted_customer");
    child["trace"]["parent_run_id"] = json!("never_seen");
    let asked = gateway.post("/v1/authorize", &token, child.clone()).await.body;
    assert_eq!(asked["root_trust_level"], "semi_trusted_customer", "as if it was not named: {asked}");
    child["trace"]["root_trust_level"] = json!("malicious_suspected");
    let asked = gateway.post("/v1/authorize", &token, child).await.body;
    assert_eq!(asked["root_trust_level"], "malicious_suspected", "what the caller hands on itself counts: {asked}");
}
