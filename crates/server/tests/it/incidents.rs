//! Detection from the call to the incident, the rules that fire, and what is done about agents.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use axum::http::Method;
use serde_json::{Value, json};
use tracehound_evidence::event::{CHAIN_BROKEN, Event, MCP_MANIFEST_DRIFT};
use tracehound_server::detection;

use crate::gateway::{Gateway, request};

const TRUSTED: &str = "trusted_internal_signed";
const OUTSIDE: &str = "untrusted_external";

impl Gateway {
    /// Registers what these tests call besides.
    async fn office(&self) {
        let action = |key: &str, risk: &str, mutates: bool, needs_approval: bool| json!({ "action_key": key, "risk": risk, "mutates_state": mutates, "approval_required": needs_approval });
        let actions = [
            action("get_pull_request", "low", false, false),
            action("merge_pull_request", "high", true, false),
            action("label", "low", true, false),
            action("send_email", "low", false, false),
            action("pay", "low", false, true),
        ];
        let body = json!({ "tool_key": "github", "name": "GitHub", "type": "http", "actions": actions });
        assert_eq!(self.post("/v1/tools", &self.admin, body).await.status, 201);
    }

    async fn call(&self, agent: &(String, String), action: &str, trust: &str) -> Value {
        let answer = self.post("/v1/authorize", &agent.1, request(&agent.0, action, trust)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    }

    async fn denied(&self, agent: &(String, String), times: usize) -> Vec<String> {
        let mut ids = Vec::new();
        for _ in 0..times {
            let answer = self.call(agent, "merge_pull_request", OUTSIDE).await;
            assert_eq!(answer["decision"], "deny", "{answer}");
            ids.push(answer["decision_id"].as_str().unwrap().to_owned());
        }
        ids
    }

    /// Asks again and again until the answer is as it should be.
    async fn until(&self, path: &str, is_right: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            let answer = self.get(path, &self.admin).await;
            if is_right(&answer.body) {
                return answer.body;
            }
            assert!(started.elapsed() < Duration::from_secs(30), "{path} stays {answer:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Waits until everything that is on record was looked at.
    pub(crate) async fn detected(&self) {
        let started = Instant::now();
        let evidence = self.app.evidence();
        while evidence.detected().unwrap() != evidence.end().unwrap() {
            assert!(started.elapsed() < Duration::from_secs(30), "detection does not keep up");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn items(&self, path: &str) -> Vec<Value> {
        let answer = self.get(path, &self.admin).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body["items"].as_array().unwrap().clone()
    }

    async fn alerted(&self) -> BTreeSet<String> {
        self.detected().await;
        let alerts = self.items("/v1/alerts?limit=200").await;
        alerts.iter().map(|alert| alert["rule"].as_str().unwrap().to_owned()).collect()
    }
}

fn count(items: &Value) -> usize {
    items["items"].as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn a_storm_of_denials_is_an_incident_whose_graph_shows_every_decision() {
    let gateway = Gateway::new();
    gateway.office().await;
    let agent = gateway.agent("bot").await;
    let _detection = detection::start(&gateway.app);
    let denied = gateway.denied(&agent, 5).await;
    let found =
        gateway.until("/v1/incidents?kind=deny_storm&severity=high&status=open", |found| count(found) == 1).await;
    let incident = &found["items"][0];
    let id = incident["incident_id"].as_str().unwrap();
    assert_eq!(incident["agent_id"], json!(agent.0));
    // An agent's own token is enough to look.
    let shown = gateway.get(&format!("/v1/incidents/{id}"), &agent.1).await.body;
    assert_eq!((&shown["decision_ids"], &shown["event_count"]), (&json!(denied), &json!(5)), "{shown}");
    let graph = gateway.get(&format!("/v1/graph/incident/{id}"), &agent.1).await.body;
    assert_eq!(graph["total_decisions"], json!(5), "{graph}");
    let ids: BTreeSet<&str> =
        graph["nodes"].as_array().unwrap().iter().map(|node| node["id"].as_str().unwrap()).collect();
    for decision in &denied {
        assert!(ids.contains(&*format!("decision:{decision}")), "{decision} is missing in {ids:?}");
        assert!(ids.contains(&*format!("tool_call:{decision}")));
    }
    for edge in graph["edges"].as_array().unwrap() {
        for end in ["from", "to"] {
            assert!(ids.contains(edge[end].as_str().unwrap()), "{edge} leads nowhere");
        }
    }
    // More of the same grows the incident.
    gateway.denied(&agent, 3).await;
    gateway.until(&format!("/v1/incidents/{id}"), |shown| shown["event_count"] == 8).await;
    gateway.detected().await;
    assert_eq!(gateway.items("/v1/alerts?rule=rule_deny_storm").await.len(), 1, "one alert for one storm");
    let summary = gateway.get("/v1/soc/summary", &gateway.admin).await.body;
    assert_eq!((&summary["incidents_open"], &summary["risk_posture"]), (&json!(1), &json!("critical")), "{summary}");
}

#[tokio::test]
async fn every_rule_that_calls_can_set_off_does_fire() {
    let gateway = Gateway::new();
    gateway.office().await;
    let _detection = detection::start(&gateway.app);
    let agent = gateway.agent("bot").await;
    // First seen, needs approval ten times, then more than twenty calls at once.
    for _ in 0..10 {
        assert_eq!(gateway.call(&agent, "pay", TRUSTED).await["decision"], "require_approval");
    }
    // What an outsider caused is denied; the same call is then allowed.
    assert_eq!(gateway.call(&agent, "label", OUTSIDE).await["decision"], "deny");
    assert_eq!(gateway.call(&agent, "label", TRUSTED).await["decision"], "allow");
    gateway.call(&agent, "get_pull_request", TRUSTED).await;
    gateway.call(&agent, "send_email", TRUSTED).await;
    gateway.denied(&agent, 6).await;
    // A nonce is used twice; the refusal is of critical risk.
    let mut body = request(&agent.0, "get_pull_request", TRUSTED);
    body["nonce"] = json!("n1");
    assert_eq!(gateway.post("/v1/authorize", &agent.1, body.clone()).await.status, 200);
    assert_eq!(gateway.post("/v1/authorize", &agent.1, body).await.status, 409);
    let expected = [
        "approval_required_surface",
        "behavioral_anomaly_new_tool",
        "confused_deputy_block",
        "critical_deny",
        "data_exfil_pattern",
        "repeated_approval",
        "replay_attempt",
        "rule_deny_storm",
        "runaway",
        "trust_escalation",
    ];
    let alerted = gateway.alerted().await;
    for rule in expected {
        assert!(alerted.contains(rule), "{rule} did not fire: {alerted:?}");
    }
    // Six denials are one too many for the risk tier.
    let shown = gateway.get("/v1/agents/bot", &gateway.admin).await.body;
    assert_eq!(shown["risk_tier"], "high", "eight denials raise it twice: {shown}");
}

#[tokio::test]
async fn rules_about_other_events_fire_too() {
    let gateway = Gateway::new();
    let _detection = detection::start(&gateway.app);
    let noted = gateway.app.evidence().write(|ledger| {
        for (kind, risk_score) in [(MCP_MANIFEST_DRIFT, 90), (CHAIN_BROKEN, 100)] {
            let event = Event {
                event_id: kind.to_owned(),
                occurred_at: ledger.now(),
                kind: kind.to_owned(),
                risk_score,
                ..Event::about_agent("default", None)
            };
            ledger.note(&event)?;
        }
        Ok(())
    });
    noted.unwrap();
    let alerted = gateway.alerted().await;
    assert!(
        alerted.contains("mcp_manifest_drift") && alerted.contains("receipt_chain_integrity_failure"),
        "{alerted:?}"
    );
    assert_eq!(gateway.items("/v1/alerts?severity=critical").await.len(), 1);
}

#[tokio::test]
async fn what_is_usual_is_still_known_after_a_restart() {
    let mut gateway = Gateway::new();
    gateway.office().await;
    let agent = gateway.agent("bot").await;
    let mut running = Some(detection::start(&gateway.app));
    for hour in 0..26 {
        for _ in 0..=hour % 2 {
            gateway.call(&agent, "get_pull_request", TRUSTED).await;
        }
        gateway.wait(3_600);
        if hour == 12 || hour == 25 {
            gateway.detected().await;
            running.take();
            gateway = gateway.reopened();
            running = Some(detection::start(&gateway.app));
        }
    }
    for _ in 0..9 {
        gateway.call(&agent, "get_pull_request", TRUSTED).await;
    }
    let alerted = gateway.alerted().await;
    assert!(alerted.contains("behavioral_anomaly_rate"), "{alerted:?}");
    // The hour was told of, and so was the first call of all.
    running.take();
    let gateway = gateway.reopened();
    let running = detection::start(&gateway.app);
    gateway.call(&agent, "get_pull_request", TRUSTED).await;
    gateway.detected().await;
    assert_eq!(gateway.items("/v1/alerts?rule=behavioral_anomaly_rate").await.len(), 1);
    assert_eq!(gateway.items("/v1/alerts?rule=behavioral_anomaly_new_tool").await.len(), 1);
    drop(running);
}

#[tokio::test]
async fn a_restart_loses_nothing_and_repeats_nothing() {
    let gateway = Gateway::new();
    gateway.office().await;
    let agent = gateway.agent("bot").await;
    // Detection runs for the first three denials, is off for two, and starts again.
    let running = detection::start(&gateway.app);
    let mut denied = gateway.denied(&agent, 3).await;
    gateway.detected().await;
    drop(running);
    let gateway = gateway.reopened();
    denied.extend(gateway.denied(&agent, 2).await);
    let gateway = gateway.reopened();
    let running = detection::start(&gateway.app);
    gateway.detected().await;
    let incidents = gateway.items("/v1/incidents").await;
    assert_eq!(incidents.len(), 1, "{incidents:?}");
    let id = incidents[0]["incident_id"].as_str().unwrap().to_owned();
    let shown = gateway.get(&format!("/v1/incidents/{id}"), &gateway.admin).await.body;
    assert_eq!(shown["decision_ids"], json!(denied));
    let alerts = gateway.items("/v1/alerts?limit=200").await;
    drop(running);
    // Started once more, it says nothing again, and what follows belongs to the same incident.
    let gateway = gateway.reopened();
    let _running = detection::start(&gateway.app);
    gateway.detected().await;
    assert_eq!(gateway.items("/v1/alerts?limit=200").await, alerts);
    gateway.denied(&agent, 1).await;
    gateway.until(&format!("/v1/incidents/{id}"), |shown| shown["event_count"] == 6).await;
    assert_eq!(gateway.items("/v1/alerts?rule=rule_deny_storm").await.len(), 1);
    assert_eq!(gateway.items("/v1/incidents").await.len(), 1);
}

#[tokio::test]
async fn incidents_are_closed_once_and_what_follows_opens_another() {
    let gateway = Gateway::new();
    gateway.office().await;
    let agent = gateway.agent("bot").await;
    let _detection = detection::start(&gateway.app);
    gateway.denied(&agent, 5).await;
    let found = gateway.until("/v1/incidents", |found| count(found) == 1).await;
    let path = format!("/v1/incidents/{}", found["items"][0]["incident_id"].as_str().unwrap());
    let close = format!("{path}/close");
    let viewer = gateway.person("vera", "auditor").await;
    assert_eq!(gateway.post(&close, &viewer, json!({ "reason": "no" })).await.status, 403);
    assert_eq!(gateway.post(&close, &gateway.admin, json!({ "reason": " " })).await.status, 400);
    let closed = gateway.post(&close, &gateway.admin, json!({ "reason": "a test" })).await.body;
    assert_eq!((&closed["status"], &closed["already_closed"]), (&json!("closed"), &json!(false)), "{closed}");
    let again = gateway.post(&close, &gateway.admin, json!({ "reason": "again" })).await.body;
    assert_eq!((&again["already_closed"], &again["closed_at"]), (&json!(true), &closed["closed_at"]));
    gateway.detected().await;
    gateway.wait(120);
    gateway.denied(&agent, 5).await;
    gateway.until("/v1/incidents?status=open", |found| count(found) == 1).await;
    assert_eq!(gateway.items("/v1/incidents").await.len(), 2);
}

#[tokio::test]
async fn another_tenant_sees_nothing() {
    let gateway = Gateway::new();
    gateway.office().await;
    let agent = gateway.agent("bot").await;
    let _detection = detection::start(&gateway.app);
    gateway.denied(&agent, 5).await;
    let found = gateway.until("/v1/incidents", |found| count(found) == 1).await;
    let incident = found["items"][0]["incident_id"].as_str().unwrap().to_owned();
    let contained =
        gateway.post("/v1/agents/bot/contain", &gateway.admin, json!({ "kind": "freeze", "reason": "storm" })).await;
    let containment = contained.body["containment_id"].as_str().unwrap().to_owned();
    let added = gateway.app.evidence().write(|ledger| {
        ledger.add_tenant("other", "Other")?;
        ledger.add_person("other", "olga", tracehound_evidence::identity::Role::Admin, "test")
    });
    let other = added.unwrap().1.reveal().to_owned();
    for path in [format!("/v1/incidents/{incident}"), format!("/v1/graph/incident/{incident}")] {
        assert_eq!(gateway.get(&path, &other).await.status, 404, "{path}");
    }
    let why = json!({ "reason": "mine" });
    for path in [format!("/v1/incidents/{incident}/close"), format!("/v1/containments/{containment}/undo")] {
        assert_eq!(gateway.post(&path, &other, why.clone()).await.status, 404, "{path}");
    }
    let contain = json!({ "kind": "freeze", "reason": "mine", "incident_id": incident });
    assert_eq!(gateway.post("/v1/agents/bot/contain", &other, contain).await.status, 404);
    for path in ["/v1/incidents", "/v1/alerts", "/v1/containments"] {
        let answer = gateway.get(path, &other).await;
        assert_eq!((answer.status, count(&answer.body)), (200, 0), "{path}");
    }
}

const PROBE: &str = "
rule_key: merge_probe
name: Merges are tried out
severity: medium
condition: { tool: github, action: merge_pull_request, decision: deny }
count: { at_least: 2, within_seconds: 60 }
incident: merge_probe
summary: \"{count} merges of {agent_id}\"
tests:
  - description: two
    events: [{ tool: github, action: merge_pull_request, decision: deny, repeat: 2 }]
    fires: true
";

#[tokio::test]
async fn a_rule_of_ones_own_is_tried_added_fires_and_goes() {
    let gateway = Gateway::new();
    gateway.office().await;
    let agent = gateway.agent("bot").await;
    let analyst = gateway.person("anna", "analyst").await;
    let denied = gateway.denied(&agent, 2).await;
    let tried = gateway.post("/v1/soc/rules/backtest", &analyst, json!({ "body": PROBE })).await;
    assert_eq!((&tried.body["match_count"], &tried.body["is_cut"]), (&json!(1), &json!(false)), "{tried:?}");
    assert_eq!(tried.body["matched_decision_ids"], json!(denied));
    let long_ago = json!({ "body": PROBE, "from": "2020-01-01T00:00:00Z", "to": "2020-01-02T00:00:00Z" });
    assert_eq!(gateway.post("/v1/soc/rules/backtest", &analyst, long_ago).await.body["scanned"], json!(0));
    // Nothing was written by trying.
    assert_eq!(gateway.items("/v1/alerts").await.len(), 0);
    let _detection = detection::start(&gateway.app);
    gateway.detected().await;
    let added = gateway.post("/v1/soc/rules", &analyst, json!({ "body": PROBE })).await;
    assert_eq!((added.status, &added.body["replaces_builtin"]), (201, &json!(false)), "{added:?}");
    gateway.wait(120);
    gateway.denied(&agent, 2).await;
    gateway.until("/v1/incidents?kind=merge_probe&severity=medium", |found| count(found) == 1).await;
    let tested = gateway.post("/v1/soc/rules/merge_probe/backtest", &analyst, json!({})).await.body;
    assert_eq!((&tested["source"], &tested["match_count"]), (&json!("tenant"), &json!(2)), "{tested}");
    let rules = gateway.items("/v1/soc/rules").await;
    assert_eq!(rules.iter().filter(|rule| rule["source"] == "tenant").count(), 1);
    assert!(rules.iter().any(|rule| rule["rule_key"] == "rule_deny_storm" && rule["source"] == "builtin"));
    let gone = gateway.ask(Method::DELETE, "/v1/soc/rules/merge_probe", &analyst, None).await;
    assert_eq!(gone.status, 204);
    assert_eq!(gateway.post("/v1/soc/rules/merge_probe/backtest", &analyst, json!({})).await.status, 404);
    assert_eq!(gateway.ask(Method::DELETE, "/v1/soc/rules/runaway", &analyst, None).await.status, 409);
}

#[tokio::test]
async fn a_rule_that_is_wrong_is_refused_with_its_place() {
    let gateway = Gateway::new();
    let wrong = gateway.post("/v1/soc/rules", &gateway.admin, json!({ "body": PROBE.replace("medium", "bad") })).await;
    assert_eq!((wrong.status, &wrong.body["problems"][0]["line"]), (400, &json!(4)), "{wrong:?}");
    let untrue = PROBE.replace("fires: true", "fires: false");
    let untrue = gateway.post("/v1/soc/rules", &gateway.admin, json!({ "body": untrue })).await;
    assert_eq!((untrue.status, &untrue.body["problems"]), (400, &json!([{ "test": "two" }])), "{untrue:?}");
}

#[tokio::test]
async fn a_description_does_not_change_why_an_agent_is_stopped() {
    let gateway = Gateway::new();
    gateway.agent("bot").await;
    gateway.post("/v1/agents/bot/freeze", &gateway.admin, json!({ "reason": "it storms" })).await;
    // Whoever describes an agent may send back all that was shown of it; why it is stopped stays what it is.
    let said = json!({
        "name": "Bot", "environment": "prod", "risk_tier": "low", "purpose": "Reviews", "status_reason": "nothing",
    });
    let described = gateway.ask(Method::PUT, "/v1/agents/bot", &gateway.admin, Some(said)).await;
    assert_eq!(described.status, 200, "{described:?}");
    assert_eq!((&described.body["purpose"], &described.body["status"]), (&json!("Reviews"), &json!("frozen")));
    assert_eq!(described.body["status_reason"], "it storms", "{described:?}");
}

#[tokio::test]
async fn containments_stop_an_agent_and_are_undone_in_any_order() {
    let gateway = Gateway::new();
    gateway.office().await;
    let agent = gateway.agent("bot").await;
    let contain = |kind: &str| json!({ "kind": kind, "reason": "it storms" });
    let freeze = gateway.post("/v1/agents/bot/contain", &gateway.admin, contain("freeze")).await;
    assert_eq!(freeze.status, 201, "{freeze:?}");
    assert_eq!(gateway.call(&agent, "get_pull_request", TRUSTED).await["code"], "agent_frozen");
    let quarantine = gateway.post("/v1/agents/bot/contain", &gateway.admin, contain("quarantine")).await;
    let undo =
        |containment: &Value| format!("/v1/containments/{}/undo", containment["containment_id"].as_str().unwrap());
    let why = json!({ "reason": "it was a test" });
    // The later one still holds it.
    assert_eq!(gateway.post(&undo(&freeze.body), &gateway.admin, why.clone()).await.status, 200);
    assert_eq!(gateway.call(&agent, "get_pull_request", TRUSTED).await["code"], "agent_quarantined");
    assert_eq!(gateway.post(&undo(&freeze.body), &gateway.admin, why.clone()).await.status, 409);
    assert_eq!(gateway.post(&undo(&quarantine.body), &gateway.admin, why.clone()).await.status, 200);
    assert_eq!(gateway.call(&agent, "get_pull_request", TRUSTED).await["decision"], "allow");
    let force = gateway.post("/v1/agents/bot/contain", &gateway.admin, contain("force_approval")).await;
    assert_eq!(gateway.call(&agent, "get_pull_request", TRUSTED).await["decision"], "require_approval");
    assert_eq!(gateway.post(&undo(&force.body), &gateway.admin, why).await.status, 200);
    assert_eq!(gateway.call(&agent, "get_pull_request", TRUSTED).await["decision"], "allow");
    let first = gateway.get("/v1/containments?limit=2", &gateway.admin).await.body;
    let rest = format!("/v1/containments?cursor={}", first["next_cursor"].as_str().unwrap());
    assert_eq!((count(&first), gateway.items(&rest).await.len()), (2, 1));
    let listed = gateway.get("/v1/receipts", &gateway.admin).await;
    let verified = gateway.post("/v1/receipts/verify-chain", &gateway.admin, listed.body).await;
    assert_eq!(verified.body["verified"], json!(true));
}

#[tokio::test]
async fn responses_are_carried_out_only_when_somebody_says_so() {
    let gateway = Gateway::new();
    gateway.office().await;
    let (calm, wild) = (gateway.agent("calm").await, gateway.agent("wild").await);
    let _detection = detection::start(&gateway.app);
    gateway.denied(&calm, 5).await;
    gateway.until("/v1/incidents?agent_id=calm&kind=deny_storm", |found| count(found) == 1).await;
    assert_eq!(gateway.items("/v1/containments").await.len(), 0);
    let on = gateway.ask(Method::PUT, "/v1/tenants/response", &gateway.admin, Some(json!({ "automatic": true }))).await;
    assert_eq!((on.status, on.body), (200, json!({ "automatic": true })));
    gateway.denied(&wild, 5).await;
    let found = gateway.until("/v1/containments", |found| count(found) == 1).await;
    let done = &found["items"][0];
    assert_eq!(
        (&done["kind"], &done["author"], &done["agent_id"]),
        (&json!("freeze"), &json!("automatic"), &json!(wild.0))
    );
    let incident = gateway.items("/v1/incidents?agent_id=wild").await[0]["incident_id"].clone();
    assert_eq!(done["incident_id"], incident);
    assert_eq!(gateway.call(&wild, "get_pull_request", TRUSTED).await["code"], "agent_frozen");
    assert_eq!(gateway.call(&calm, "get_pull_request", TRUSTED).await["decision"], "allow");
    let undo = format!("/v1/containments/{}/undo", done["containment_id"].as_str().unwrap());
    assert_eq!(gateway.post(&undo, &gateway.admin, json!({ "reason": "fixed" })).await.status, 200);
    assert_eq!(gateway.call(&wild, "get_pull_request", TRUSTED).await["decision"], "allow");
}

#[tokio::test]
async fn settings_are_checked_and_only_administrators_change_them() {
    let gateway = Gateway::new();
    let analyst = gateway.person("anna", "analyst").await;
    let put =
        async |path: &str, token: &str, body: Value| gateway.ask(Method::PUT, path, token, Some(body)).await.status;
    let path = "/v1/tenants/risk-escalation";
    assert_eq!(gateway.get(path, &analyst).await.body, json!({ "enabled": true, "denies": 5, "minutes": 60 }));
    assert_eq!(put(path, &analyst, json!({ "denies": 2 })).await, 403);
    assert_eq!(put(path, &gateway.admin, json!({ "denies": 0 })).await, 400);
    assert_eq!(put(path, &gateway.admin, json!({ "denies": 2, "minutes": 5 })).await, 200);
    assert_eq!(gateway.get(path, &analyst).await.body, json!({ "enabled": true, "denies": 2, "minutes": 5 }));
    let path = "/v1/tenants/risk-weights";
    let mut weights = gateway.get(path, &analyst).await.body;
    weights["mcp_trust_penalty"] = json!(101);
    assert_eq!(put(path, &gateway.admin, weights.clone()).await, 400);
    weights["mcp_trust_penalty"] = json!(20);
    assert_eq!(put(path, &gateway.admin, weights.clone()).await, 200);
    assert_eq!(gateway.get(path, &analyst).await.body, weights);
    assert_eq!(put("/v1/tenants/response", &gateway.admin, json!({ "automatic": "yes" })).await, 400);
}
