//! Damage: rows that somebody changed behind the server's back, and names that are meant to confuse.

use rusqlite::Connection;
use serde_json::json;

use crate::gateway::{Gateway, request};

#[tokio::test]
async fn a_changed_row_is_found() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let decided = gateway.post("/v1/authorize", &token, request(&id, "merge_pull_request", "untrusted_external")).await;
    let receipt = decided.body["receipt"]["receipt_id"].as_str().unwrap();
    let path = format!("/v1/receipts/{receipt}/verify");
    assert_eq!(gateway.get(&path, &gateway.admin).await.body["verified"], true);
    let store = Connection::open(gateway.directory.path().join("evidence.db")).unwrap();
    let sql = "UPDATE receipts SET receipt = replace(receipt, '\"decision\":\"deny\"', '\"decision\":\"allow\"') WHERE id = ?1";
    assert_eq!(store.execute(sql, [receipt]).unwrap(), 1);
    let verified = gateway.get(&path, &gateway.admin).await.body;
    assert_eq!(verified["verified"], false, "{verified}");
    assert_eq!(verified["report"]["counts"]["altered"], 1, "{verified}");
    let listed = gateway.get("/v1/receipts?from=0", &gateway.admin).await.body;
    let chain = gateway.post("/v1/receipts/verify-chain", &gateway.admin, listed).await.body;
    assert_eq!(chain["verified"], false, "{chain}");
}

#[tokio::test]
async fn a_decision_that_is_not_what_its_receipt_says_is_found() {
    for (change, name) in [
        ("UPDATE decisions SET verdict = 'allow'", "decision"),
        ("UPDATE decisions SET reason = 'fine'", "reason"),
        ("UPDATE decisions SET policies = '[]'", "policies"),
        ("UPDATE decisions SET created_at = created_at - 1", "ts"),
        ("UPDATE decisions SET verdict = 'perhaps'", "decision_id"),
        ("DELETE FROM decisions", "decision_id"),
    ] {
        let gateway = Gateway::new();
        gateway.tool().await;
        let (id, token) = gateway.agent("bot").await;
        let body = request(&id, "merge_pull_request", "untrusted_external");
        let decided = gateway.post("/v1/authorize", &token, body).await.body;
        let path = format!("/v1/receipts/{}/verify", decided["receipt"]["receipt_id"].as_str().unwrap());
        let sound = gateway.get(&path, &gateway.admin).await.body;
        assert_eq!((&sound["verified"], &sound["differences"]), (&json!(true), &json!([])), "{sound}");
        let store = Connection::open(gateway.directory.path().join("evidence.db")).unwrap();
        assert_eq!(store.execute(change, []).unwrap(), 1);
        let verified = gateway.get(&path, &gateway.admin).await.body;
        assert_eq!((&verified["verified"], &verified["differences"]), (&json!(false), &json!([name])), "{change}");
    }
}

#[tokio::test]
async fn a_tool_is_the_same_tool_however_its_name_is_written() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    for name in ["GITHUB", "ＧｉｔＨｕｂ", "git%68ub", " github "] {
        let mut body = request(&id, "merge_pull_request", "untrusted_external");
        body["tool_call"]["tool"] = json!(name);
        body["tool_call"]["mutates_state"] = json!(false);
        let answer = gateway.post("/v1/authorize", &token, body).await;
        assert_eq!(answer.body["decision"], "deny", "{name}: {answer:?}");
        assert_ne!(answer.body["code"], "tool_unknown", "{name} is found, and what is registered counts: {answer:?}");
    }
    let mut body = request(&id, "get_pull_request", "trusted_internal_signed");
    body["tool_call"]["tool"] = json!("git%2568ub");
    let answer = gateway.post("/v1/authorize", &token, body).await;
    assert_eq!(answer.body["decision"], "deny", "encoded twice: {answer:?}");
}

#[tokio::test]
async fn hostile_texts_are_refused_or_recorded_but_never_break_anything() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    for hostile in ["\"", "'; DROP TABLE decisions; --", "\u{202e}evil", "a\u{0}b", "Agent::\"x\""] {
        let mut body = request(&id, "get_pull_request", "trusted_internal_signed");
        body["trace"]["run_id"] = json!(hostile);
        body["user"] = json!({ "id": hostile, "role": hostile });
        let answer = gateway.post("/v1/authorize", &token, body).await;
        assert!([200, 400].contains(&answer.status), "{hostile:?}: {answer:?}");
        let mut body = request(hostile, "get_pull_request", "trusted_internal_signed");
        body["tool_call"]["resource"] = json!(hostile);
        let answer = gateway.post("/v1/authorize", &token, body).await;
        assert!(answer.status == 400 || answer.body["code"] == "agent_mismatch", "{hostile:?}: {answer:?}");
    }
    let listed = gateway.get("/v1/receipts?from=0", &gateway.admin).await.body;
    let chain = gateway.post("/v1/receipts/verify-chain", &gateway.admin, listed).await.body;
    assert_eq!(chain["verified"], true, "{chain}");
}

#[tokio::test]
async fn texts_of_a_megabyte_are_refused_wherever_they_stand() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    // As long as a body may be, less what stands around it; and longer than any id may be.
    for long in ["x".repeat(1 << 20), "x".repeat((1 << 20) - 2_000), "x".repeat(5_000)] {
        for place in [
            "/request_id",
            "/nonce",
            "/agent/id",
            "/agent/environment",
            "/user/id",
            "/user/role",
            "/trace/run_id",
            "/trace/trace_id",
            "/trace/parent_run_id",
            "/tool_call/tool",
            "/tool_call/action",
            "/tool_call/resource",
        ] {
            let mut body = request(&id, "get_pull_request", "trusted_internal_signed");
            (body["request_id"], body["nonce"]) = (json!("r"), json!("n"));
            body["user"] = json!({ "id": "kim", "role": "developer" });
            body["trace"]["parent_run_id"] = json!("run_6");
            *body.pointer_mut(place).unwrap() = json!(long);
            let answer = gateway.post("/v1/authorize", &token, body).await;
            assert!([400, 413].contains(&answer.status), "{place}: {}", answer.status);
            assert!(answer.body.to_string().len() < 1_000, "{place} is not repeated");
        }
    }
    let before = gateway.get("/v1/receipts/chain-head", &gateway.admin).await.body;
    // Two of them make an address about as long as there can be.
    let long = "x".repeat(30_000);
    for route in tracehound_server::routes().into_iter().filter(|route| route.path.contains('{')) {
        let part = |part: &str| if part.starts_with('{') { long.clone() } else { part.to_owned() };
        let path = route.path.split('/').map(part).collect::<Vec<_>>().join("/");
        let has_body = matches!(route.method, axum::http::Method::POST | axum::http::Method::PUT);
        let body = has_body.then(|| json!({ "reason": "x" }));
        let answer = gateway.ask(route.method.clone(), &path, &gateway.admin, body).await;
        assert!((400..500).contains(&answer.status), "{route:?}: {}", answer.status);
    }
    let after = gateway.get("/v1/receipts/chain-head", &gateway.admin).await.body;
    let grown = after["head"]["sequence"].as_u64().unwrap() - before["head"]["sequence"].as_u64().unwrap();
    assert!(grown <= 2, "only a person who asks as an agent is recorded: {grown}");
}
