//! Whether the server says the truth about itself: a store that can't be written to, a disk that is almost full, receipts that
//! somebody changed.

use std::fs;
use std::time::Duration;

use rusqlite::Connection;
use serde_json::json;
use tracehound_server::{App, AppSettings, Doors, chain_check, detection, router};

use crate::gateway::{Gateway, request};

#[tokio::test]
async fn a_read_only_store_denies_and_recovers_without_a_restart() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let body = || request(&id, "get_pull_request", "trusted_internal_signed");
    let asked = gateway.post("/v1/authorize", &token, body()).await;
    assert_eq!(asked.body["decision"], "allow", "{asked:?}");
    let file = gateway.directory.path().join("evidence.db");
    let usual = fs::metadata(&file).unwrap().permissions();
    let mut closed = usual.clone();
    closed.set_readonly(true);
    fs::set_permissions(&file, closed).unwrap();
    for _ in 0..2 {
        let asked = gateway.post("/v1/authorize", &token, body()).await;
        assert_eq!((asked.status, asked.body["code"].as_str()), (503, Some("evidence_unavailable")), "{asked:?}");
        let ready = gateway.get("/readyz", "").await;
        assert_eq!((ready.status, ready.body["code"].as_str()), (503, Some("evidence_unavailable")), "{ready:?}");
    }
    // What is there can be read all the while.
    assert_eq!(gateway.get("/v1/decisions", &gateway.admin).await.body["items"].as_array().map(Vec::len), Some(1));
    fs::set_permissions(&file, usual).unwrap();
    assert_eq!(gateway.get("/readyz", "").await.status, 200);
    assert_eq!(gateway.post("/v1/authorize", &token, body()).await.body["decision"], "allow");
    let listed = gateway.get("/v1/receipts?from=0", &gateway.admin).await.body;
    let chain = gateway.post("/v1/receipts/verify-chain", &gateway.admin, listed).await.body;
    assert_eq!(chain["verified"], true, "{chain}");
}

#[tokio::test]
async fn a_disk_that_is_almost_full_is_not_ready() {
    let mut gateway = Gateway::new();
    assert_eq!(gateway.get("/readyz", "").await.status, 200);
    let settings = AppSettings { least_free_bytes: u64::MAX, ..AppSettings::new(gateway.directory.path()) };
    gateway.app = App::new(gateway.app.evidence().clone(), None, settings);
    gateway.router = router(&gateway.app, Doors::default());
    let ready = gateway.get("/readyz", "").await;
    assert_eq!((ready.status, ready.body["code"].as_str()), (503, Some("disk_almost_full")), "{ready:?}");
}

/// Asks until something is so.
async fn wait_for(gateway: &Gateway, path: &str, is_so: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
    for _ in 0..600 {
        let body = gateway.get(path, &gateway.admin).await.body;
        if is_so(&body) {
            return body;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it never came to be: {path}");
}

#[tokio::test(flavor = "multi_thread")]
async fn receipts_that_somebody_changed_are_found_without_being_asked() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    for _ in 0..3 {
        gateway.post("/v1/authorize", &token, request(&id, "merge_pull_request", "untrusted_external")).await;
    }
    let store = Connection::open(gateway.directory.path().join("evidence.db")).unwrap();
    let sql = "UPDATE receipts SET receipt = replace(receipt, '\"decision\":\"deny\"', '\"decision\":\"allow\"') \
               WHERE number = (SELECT max(number) - 1 FROM receipts)";
    assert_eq!(store.execute(sql, []).unwrap(), 1);
    let (_detection, _check) = (detection::start(&gateway.app), chain_check::start(&gateway.app));
    let alerts = wait_for(&gateway, "/v1/alerts", |body| {
        let rules = body["items"].as_array().into_iter().flatten().map(|alert| &alert["rule"]);
        rules.into_iter().any(|rule| *rule == json!("receipt_chain_integrity_failure"))
    })
    .await;
    let alert = alerts["items"].as_array().unwrap().iter().find(|it| it["severity"] == "critical").unwrap();
    assert!(alert["summary"].as_str().unwrap().contains("sequence"), "{alert}");
}

#[tokio::test(flavor = "multi_thread")]
async fn decisions_that_somebody_changed_after_they_were_checked_are_found() {
    for (change, told) in [
        ("UPDATE decisions SET verdict = 'allow' WHERE number = 1", "differs"),
        ("UPDATE decisions SET verdict = 'perhaps' WHERE number = 1", "can't hold"),
        ("DELETE FROM decisions WHERE number = 1", "missing"),
        ("UPDATE decisions SET receipt_sequence = receipt_sequence + 1 WHERE number = 1", "sequence"),
        ("UPDATE receipts SET decision_id = 'other' WHERE kind = 'decision'", "no receipt of its own"),
    ] {
        let gateway = Gateway::new();
        gateway.tool().await;
        let (id, token) = gateway.agent("bot").await;
        for _ in 0..3 {
            gateway.post("/v1/authorize", &token, request(&id, "merge_pull_request", "untrusted_external")).await;
        }
        let (every, whole) = (Duration::from_millis(5), Duration::from_millis(20));
        let (_detection, _check) =
            (detection::start(&gateway.app), chain_check::start_with(&gateway.app, every, whole));
        let head = gateway.get("/v1/receipts/chain-head", &gateway.admin).await.body["head"]["sequence"].as_u64();
        let checked = format!("tracehound_receipts_checked {}\n", head.unwrap() + 1);
        let mut tries = 0;
        while !gateway.text("/metrics", &gateway.admin).await.contains(&checked) {
            tokio::time::sleep(Duration::from_millis(10)).await;
            tries += 1;
            assert!(tries < 1_000, "it was never checked");
        }
        let store = Connection::open(gateway.directory.path().join("evidence.db")).unwrap();
        store.busy_timeout(Duration::from_secs(10)).unwrap();
        assert!(store.execute(change, []).unwrap() > 0, "{change}");
        wait_for(&gateway, "/v1/alerts", |body| {
            let mut alerts = body["items"].as_array().into_iter().flatten();
            let is_it = |alert: &serde_json::Value| alert["rule"] == "receipt_chain_integrity_failure";
            alerts.any(|alert| is_it(alert) && alert["summary"].as_str().is_some_and(|text| text.contains(told)))
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sound_chain_is_checked_and_counted() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    gateway.post("/v1/authorize", &token, request(&id, "get_pull_request", "trusted_internal_signed")).await;
    let _check = chain_check::start(&gateway.app);
    let head = gateway.get("/v1/receipts/chain-head", &gateway.admin).await.body["head"]["sequence"].as_u64().unwrap();
    let expected = format!("tracehound_receipts_checked {}\n", head + 1);
    for _ in 0..600 {
        let text = gateway.text("/metrics", &gateway.admin).await;
        if text.contains(&expected) {
            assert!(text.contains("tracehound_chains_broken 0\n"), "{text}");
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it was never counted");
}

#[tokio::test]
async fn details_are_dropped_on_demand_and_the_list_says_so() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    gateway.post("/v1/authorize", &token, request(&id, "get_pull_request", "trusted_internal_signed")).await;
    for days in [0, 36_526, u32::MAX] {
        let answer = gateway.post("/v1/receipts/retain", &gateway.admin, json!({ "keep_days": days })).await;
        assert_eq!((answer.status, &answer.body["code"]), (400, &json!("bad_retention")));
    }
    let analyst = gateway.person("ann", "analyst").await;
    assert_eq!(gateway.post("/v1/receipts/retain", &analyst, json!({ "keep_days": 1 })).await.status, 403);
    gateway.wait(3 * 86_400);
    let end = gateway.app.evidence().end().unwrap();
    gateway.app.evidence().write(move |ledger| ledger.detected_up_to(end)).unwrap();
    let answer = gateway.post("/v1/receipts/retain", &gateway.admin, json!({ "keep_days": 1 })).await;
    assert_eq!(answer.body["dropped"]["decisions"], 1, "{answer:?}");
    let decisions = gateway.get("/v1/decisions", &gateway.admin).await.body;
    assert!(decisions["items"][0]["details_dropped_at"].is_string(), "{decisions}");
    let graph = gateway.get("/v1/graph/run/run_7", &gateway.admin).await.body;
    assert_eq!(graph["details_dropped"], 1, "{graph}");
    let decided = graph["nodes"].as_array().unwrap().iter().find(|node| node["group"] == "decision").unwrap();
    assert_eq!(decided["metadata"].get("reason"), Some(&json!(null)), "it is there and says nothing: {decided}");
    let receipt = gateway.get("/v1/receipts?limit=2", &gateway.admin).await.body[1]["event_id"].clone();
    let path = format!("/v1/receipts/{}/verify", receipt.as_str().unwrap());
    assert_eq!(gateway.get(&path, &gateway.admin).await.body["verified"], true, "what retention took is no difference");
    let listed = gateway.get("/v1/receipts?from=0", &gateway.admin).await.body;
    let chain = gateway.post("/v1/receipts/verify-chain", &gateway.admin, listed).await.body;
    assert_eq!(
        (chain["verified"].as_bool(), chain["report"]["details_dropped"].as_u64()),
        (Some(true), Some(1)),
        "{chain}"
    );
}
