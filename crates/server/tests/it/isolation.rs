//! Tenants see nothing of each other, on any route, and nobody gets in without a token or by a stranger's page.

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::{Value, json};
use tracehound_server::caller::Access;
use tracehound_server::routes;

use crate::exploring;
use crate::gateway::{Gateway, request};

/// Everything that the first tenant has and another one might ask for.
async fn belongings(gateway: &Gateway) -> Vec<String> {
    gateway.ingest("default", &exploring::estate("scan_of_the_first", "2026-10-01T10:00:00Z", "Reads a file."));
    gateway.tool().await;
    let (agent, token) = gateway.agent("bot").await;
    let mut body = request(&agent, "merge_pull_request", "semi_trusted_customer");
    body["request_id"] = json!("r1");
    let asked = gateway.post("/v1/authorize", &token, body).await.body;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    crate::estate_sample::ingest(gateway, &[crate::estate_sample::monday()]).await;
    let findings = gateway.get("/v1/estate/findings?limit=1", &gateway.admin).await.body;
    let person = gateway.post("/v1/people", &gateway.admin, json!({ "name": "kim", "role": "auditor" })).await;
    let mut all = vec![
        agent.clone(),
        "bot".to_owned(),
        "run_7".to_owned(),
        "github".to_owned(),
        text(&asked["decision_id"]),
        text(&asked["approval"]["approval_id"]),
        text(&asked["receipt"]["receipt_id"]),
        text(&person.body["person"]["id"]),
        text(&findings["items"][0]["fingerprint"]),
        "monday".to_owned(),
        "files".to_owned(),
        "s1".to_owned(),
        "claude".to_owned(),
        "scan_of_the_first".to_owned(),
    ];
    all.extend(troubles(gateway, &agent, &token).await);
    all
}

/// What comes of trouble: an incident and what was done about it; and what is registered to keep it away.
async fn troubles(gateway: &Gateway, agent: &str, token: &str) -> Vec<String> {
    let added = async |path: &str, body: Value| {
        let answer = gateway.post(path, &gateway.admin, body).await;
        assert!([200, 201].contains(&answer.status), "{path}: {answer:?}");
        answer.body
    };
    let policy = "@id(\"theirs\") forbid (principal, action, resource) when { context.mutates_state };";
    added("/v1/policies", json!({ "policy_key": "theirs", "name": "Theirs", "body": policy, "reason": "x" })).await;
    let server = json!({
        "server_key": "their-server", "name": "Files", "transport": "stdio", "command": "npx", "trust_level": "internal",
    });
    added("/v1/mcp/servers", server).await;
    let rule = "rule_key: their_rule\nname: A rule\nseverity: low\ncondition: { decision: deny }\nsummary: x\n\
                tests:\n  - description: one\n    events: [{ decision: deny }]\n    fires: true\n";
    added("/v1/soc/rules", json!({ "body": rule })).await;
    let detection = tracehound_server::detection::start(&gateway.app);
    for _ in 0..5 {
        gateway.post("/v1/authorize", token, request(agent, "merge_pull_request", "untrusted_external")).await;
    }
    gateway.detected().await;
    drop(detection);
    let incident = gateway.get("/v1/incidents", &gateway.admin).await.body["items"][0]["incident_id"].clone();
    let order = json!({ "kind": "force_approval", "reason": "x", "incident_id": incident });
    let contained = added(&format!("/v1/agents/{agent}/contain"), order).await;
    let texts = [&incident, &contained["containment_id"]].map(|id| id.as_str().unwrap().to_owned());
    let keys = ["theirs", "their-server", "their_rule"].map(str::to_owned);
    texts.into_iter().chain(keys).collect()
}

#[tokio::test]
async fn another_tenants_id_is_like_one_that_is_not_there_on_every_route() {
    let gateway = Gateway::new();
    let ids = belongings(&gateway).await;
    let (admin, agent) = gateway.other_tenant("rival").await;
    let before = gateway.get("/v1/receipts?from=0", &gateway.admin).await.body;
    let mut walked = 0;
    for route in routes().into_iter().filter(|route| route.path.contains('{') && route.access != Access::Open) {
        let token = if matches!(route.access, Access::Agent | Access::Asker) { &agent } else { &admin };
        let has_body = matches!(route.method, Method::POST | Method::PUT);
        let body = || has_body.then(|| json!({ "reason": "x", "status": "succeeded", "version": 1, "kind": "freeze" }));
        let asked = |id: &str| path(route.path, id);
        let unknown = gateway.ask(route.method.clone(), &asked("nobody"), token, body()).await;
        for id in &ids {
            let foreign = gateway.ask(route.method.clone(), &asked(id), token, body()).await;
            assert_eq!(foreign.status, unknown.status, "{route:?} {id}: {foreign:?} {unknown:?}");
            let told = |answer: &Value, id: &str| answer.to_string().replace(id, "ID");
            assert_eq!(told(&foreign.body, id), told(&unknown.body, "nobody"), "{route:?} {id}");
            assert!(
                !(200..300).contains(&foreign.status) || route.method == Method::GET,
                "{route:?} {id}: {foreign:?}"
            );
            walked += 1;
        }
    }
    assert!(walked > 100, "{walked}");
    let after = gateway.get("/v1/receipts?from=0", &gateway.admin).await.body;
    assert_eq!(before, after, "nothing of the first tenant changed");
}

/// An answer without which word of ours may have been meant: that depends on the letters of an id, and says nothing of whose it is.
fn without_guess(answer: &Value) -> String {
    let mut answer = answer.clone();
    let known =
        answer["detail"].as_str().and_then(|text| text.split_once("; did you mean")).map(|(text, _)| json!(text));
    if let Some(text) = known {
        answer["detail"] = text;
    }
    answer.to_string()
}

fn path(pattern: &str, id: &str) -> String {
    let part = |part: &str| if part.starts_with('{') { id.to_owned() } else { part.to_owned() };
    pattern.split('/').map(part).collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn another_tenants_id_is_like_one_that_is_not_there_in_every_query() {
    let gateway = Gateway::new();
    let ids = belongings(&gateway).await;
    let (admin, _) = gateway.other_tenant("rival").await;
    let mut walked = 0;
    for route in routes().into_iter().filter(|route| route.method == Method::GET) {
        let Some(query) = route.shape.query else { continue };
        // Where the page before ended is a place among one's own, which any word is before or behind.
        for parameter in query().into_iter().filter(|parameter| parameter.name != "cursor") {
            let asked = |id: &str| format!("{}?{}={id}", path(route.path, "nobody"), parameter.name);
            let unknown = gateway.get(&asked("nobody"), &admin).await;
            for id in &ids {
                let foreign = gateway.get(&asked(id), &admin).await;
                let told = |answer: &Value| without_guess(answer).replace(id, "ID").replace("nobody", "ID");
                assert_eq!(foreign.status, unknown.status, "{}: {foreign:?} {unknown:?}", asked(id));
                assert_eq!(told(&foreign.body), told(&unknown.body), "{}", asked(id));
                walked += 1;
            }
        }
    }
    assert!(walked > 500, "{walked}");
}

#[tokio::test]
async fn another_tenants_id_is_like_one_that_is_not_there_in_every_body() {
    let gateway = Gateway::new();
    let ids = belongings(&gateway).await;
    let (admin, agent) = gateway.other_tenant("rival").await;
    let call = |tool: &str| json!({ "tool": tool, "action": "x", "mutates_state": false, "parameters": {} });
    let asked = |agent: &str, tool: &str, run: &str, parent: &str| {
        json!({
            "agent": { "id": agent, "environment": "prod" }, "tool_call": call(tool), "dry_run": true,
            "context": { "source_trust": "untrusted_external", "contains_sensitive_data": false },
            "trace": { "run_id": run, "trace_id": "t", "parent_run_id": parent },
        })
    };
    type Made<'a> = (&'a str, &'a str, Box<dyn Fn(&str) -> Value + 'a>);
    let bodies: Vec<Made<'_>> = vec![
        (
            "/v1/agents/spy/contain",
            &admin,
            Box::new(|id| json!({ "kind": "freeze", "reason": "x", "incident_id": id })),
        ),
        (
            "/v1/estate/findings/triage",
            &admin,
            Box::new(|id| json!({ "fingerprints": [id], "status": "confirmed", "reason": "x" })),
        ),
        ("/v1/estate/paths", &admin, Box::new(|id| json!({ "from": id, "to": id }))),
        ("/v1/estate/reach", &admin, Box::new(|id| json!({ "from": id }))),
        ("/v1/estate/cuts", &admin, Box::new(|id| json!({ "from": id, "to": id }))),
        ("/v1/authorize", &agent, Box::new(|id| asked(id, "t", "r", "p"))),
        ("/v1/authorize", &agent, Box::new(|id| asked("spy", id, "r", "p"))),
        ("/v1/authorize", &agent, Box::new(|id| asked("spy", &format!("mcp:{id}"), "r", "p"))),
        ("/v1/authorize", &agent, Box::new(|id| asked("spy", "t", id, "p"))),
        ("/v1/authorize", &agent, Box::new(|id| asked("spy", "t", "r", id))),
    ];
    for (path, token, body) in &bodies {
        let unknown = gateway.post(path, token, body("nobody")).await;
        for id in &ids {
            let foreign = gateway.post(path, token, body(id)).await;
            let told = |answer: &Value, id: &str| answer.to_string().replace(id, "ID");
            assert_eq!(foreign.status, unknown.status, "{path} {id}: {foreign:?} {unknown:?}");
            assert_eq!(told(&foreign.body, id), told(&unknown.body, "nobody"), "{path} {id}");
        }
    }
}

#[tokio::test]
async fn lists_of_one_tenant_are_empty_for_another() {
    let gateway = Gateway::new();
    let ids = belongings(&gateway).await;
    let (admin, _) = gateway.other_tenant("rival").await;
    let lists = routes()
        .into_iter()
        .filter(|route| route.method == Method::GET && !route.path.contains('{') && route.path != "/v1/ws/events");
    for route in lists {
        let answer = gateway.get(route.path, &admin).await;
        for id in ids.iter().filter(|id| id.len() > 20) {
            assert!(!answer.body.to_string().contains(id), "{route:?} shows {id}");
        }
    }
}

#[tokio::test]
async fn every_route_but_the_open_ones_wants_a_token() {
    let gateway = Gateway::new();
    for route in routes().into_iter().filter(|route| route.access != Access::Open) {
        for token in ["", "th_key_wrong", "tenant_default", "default"] {
            let body = (route.method != Method::GET).then(|| json!({}));
            let answer = gateway.ask(route.method.clone(), &path(route.path, "x"), token, body).await;
            assert_eq!(answer.status, 401, "{route:?} with `{token}`: {answer:?}");
        }
    }
}

#[tokio::test]
async fn a_token_in_the_address_opens_the_live_events_and_nothing_else() {
    let gateway = Gateway::new();
    let (_, agent) = gateway.agent("bot").await;
    for route in routes().into_iter().filter(|route| route.access != Access::Open) {
        for token in [&gateway.admin, &agent] {
            let body = if route.method == Method::GET { Body::empty() } else { Body::from("{}") };
            let address = format!("{}?token={token}", path(route.path, "x"));
            let request = Request::builder().method(route.method.clone()).uri(address).header("host", "localhost");
            let answer = gateway.send(request.header("content-type", "application/json").body(body).unwrap()).await;
            let expected = if route.path == "/v1/ws/events" { 426 } else { 401 };
            assert_eq!(answer.status, expected, "{route:?}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn a_role_opens_its_own_routes_only() {
    let gateway = Gateway::new();
    let auditor = gateway.person("ada", "auditor").await;
    let (_, agent) = gateway.agent("bot").await;
    for route in routes() {
        let body = (route.method != Method::GET).then(|| json!({}));
        let path = path(route.path, "x");
        let answer = gateway.ask(route.method.clone(), &path, &auditor, body.clone()).await;
        let is_closed = !matches!(route.access, Access::Open | Access::Read | Access::Graph);
        assert_eq!(answer.status == 403, is_closed, "{route:?} for an auditor: {answer:?}");
        let answer = gateway.ask(route.method.clone(), &path, &agent, body).await;
        let is_closed = !matches!(route.access, Access::Open | Access::Asker | Access::Agent | Access::Graph);
        assert_eq!(answer.status == 403, is_closed, "{route:?} for an agent: {answer:?}");
    }
}

#[tokio::test]
async fn strangers_pages_and_names_are_refused() {
    let gateway = Gateway::new();
    let ask = |host: &str, origin: Option<&str>, tenant: Option<&str>| {
        let mut request = Request::builder().uri("/v1/whoami").header("host", host);
        request = request.header("authorization", format!("Bearer {}", gateway.admin));
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        if let Some(tenant) = tenant {
            request = request.header("x-tenant-id", tenant);
        }
        gateway.send(request.body(Body::empty()).unwrap())
    };
    assert_eq!(ask("localhost:7319", None, None).await.status, 200);
    assert_eq!(ask("evil.example", None, None).await.status, 421);
    assert_eq!(ask("localhost:7319", Some("https://evil.example"), None).await.status, 403);
    assert_eq!(ask("localhost:7319", Some("http://localhost:7319"), None).await.status, 200);
    assert_eq!(ask("localhost", None, Some("default")).await.status, 200);
    assert_eq!(ask("localhost", None, Some("rival")).await.status, 401, "a header that disagrees with the token");
}

#[tokio::test]
async fn headers_that_disagree_let_nobody_in() {
    let gateway = Gateway::new();
    gateway.other_tenant("rival").await;
    let (_, agent) = gateway.agent("bot").await;
    let (admin, agent) = (format!("Bearer {}", gateway.admin), format!("Bearer {agent}"));
    let admin = ("authorization", admin.as_str());
    let check = async |headers: &[(&str, &str)], expected: u16| {
        let mut request = Request::builder().uri("/v1/whoami").header("host", "localhost");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = gateway.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, expected, "{headers:?}: {answer:?}");
    };
    check(&[admin], 200).await;
    check(&[admin, admin], 401).await;
    check(&[admin, ("authorization", &agent)], 401).await;
    check(&[("authorization", &agent), admin], 401).await;
    check(&[admin, ("x-tenant-id", "default"), ("x-tenant-id", "default")], 200).await;
    check(&[admin, ("x-tenant-id", "default"), ("x-tenant-id", "rival")], 401).await;
    check(&[admin, ("x-tenant-id", "rival"), ("x-tenant-id", "default")], 401).await;
    check(&[admin, ("x-tenant-id", "default"), ("x-tracehound-tenant", "rival")], 401).await;
    check(&[admin, ("x-aegis-tenant-id", "rival")], 401).await;
    check(&[admin, ("x-tenant-id", "")], 401).await;
}

#[tokio::test]
async fn a_body_that_names_another_agent_than_the_token_is_denied_and_recorded_as_the_tokens() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let ((bot, token), (other, _)) = (gateway.agent("bot").await, gateway.agent("other").await);
    for name in [other.as_str(), "other", "nobody"] {
        let asked =
            gateway.post("/v1/authorize", &token, request(name, "get_pull_request", "untrusted_external")).await;
        let told = (&asked.body["decision"], &asked.body["code"]);
        assert_eq!(told, (&json!("deny"), &json!("agent_mismatch")), "{name}: {asked:?}");
        let id = asked.body["decision_id"].as_str().unwrap();
        let recorded = gateway.get(&format!("/v1/decisions/{id}"), &gateway.admin).await;
        assert_eq!(recorded.body["agent_id"], json!(bot), "{recorded:?}");
    }
}

#[tokio::test]
async fn what_a_call_carries_is_found_nowhere() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let secrets = ["hunter2-correct-horse", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "postgres://joe:s3cretpw@db/x"];
    for trust in ["semi_trusted_customer", "untrusted_external", "trusted_internal_signed"] {
        let mut body = request(&id, "merge_pull_request", trust);
        body["tool_call"]["parameters"] =
            json!({ "password": secrets[0], "note": format!("use {}", secrets[1]), "url": secrets[2] });
        assert_eq!(gateway.post("/v1/authorize", &token, body).await.status, 200);
    }
    for path in ["/v1/approvals?status=all", "/v1/decisions", "/v1/receipts?from=0", "/v1/graph/run/run_7"] {
        let shown = gateway.get(path, &gateway.admin).await.body.to_string();
        for secret in ["hunter2-correct-horse", "16C7e42F292c6912E", "s3cretpw"] {
            assert!(!shown.contains(secret), "{path} shows {secret}");
        }
    }
    for entry in std::fs::read_dir(gateway.directory.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        for secret in ["hunter2-correct-horse", "16C7e42F292c6912E", "s3cretpw"] {
            assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{secret} is in a file");
        }
    }
}

#[tokio::test]
async fn an_agent_that_was_cut_off_learns_nothing_but_why() {
    let gateway = Gateway::new();
    gateway.tool().await;
    for verb in ["quarantine", "revoke"] {
        let (id, token) = gateway.agent(verb).await;
        let stopped = gateway.post(&format!("/v1/agents/{id}/{verb}"), &gateway.admin, json!({ "reason": "x" })).await;
        assert_eq!(stopped.status, 200, "{stopped:?}");
        for route in routes().into_iter().filter(|route| !matches!(route.access, Access::Open | Access::Asker)) {
            let body = (route.method != Method::GET).then(|| json!({}));
            let answer = gateway.ask(route.method.clone(), &path(route.path, &id), &token, body).await;
            assert_eq!(answer.status, 403, "{verb} {route:?}: {answer:?}");
            assert!(!answer.body.to_string().contains(&id), "{answer:?}");
        }
        let asked =
            gateway.post("/v1/authorize", &token, request(&id, "get_pull_request", "trusted_internal_signed")).await;
        assert_eq!((asked.status, &asked.body["decision"]), (200, &json!("deny")), "{asked:?}");
        assert!(asked.body["receipt"]["receipt_id"].is_string(), "{asked:?}");
    }
    let (id, token) = gateway.agent("frozen").await;
    gateway.post(&format!("/v1/agents/{id}/freeze"), &gateway.admin, json!({ "reason": "x" })).await;
    assert_eq!(gateway.get("/v1/decisions", &token).await.status, 200, "one that may come back sees how things stand");
}

#[tokio::test]
async fn a_person_who_asks_as_if_they_were_an_agent_is_refused_on_record() {
    let gateway = Gateway::new();
    let asked =
        gateway.post("/v1/authorize", &gateway.admin, request("bot", "get_pull_request", "untrusted_external")).await;
    assert_eq!(asked.status, 403, "{asked:?}");
    let listed = gateway.get("/v1/receipts", &gateway.admin).await.body;
    let said = json!({ "what": "refused", "code": "forbidden", "by": "admin" });
    assert_eq!((&listed[0]["kind"], &listed[0]["detail"]), (&json!("identity"), &said), "{listed}");
}
