//! Logging in to the console, and who may use a browser that is logged in.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request};
use serde_json::{Value, json};
use tower::ServiceExt as _;
use tracehound_evidence::Token;
use tracehound_server::{App, AppSettings, Doors, router, routes};

use crate::gateway::Gateway;

/// Asks as a browser does; gives the status, the headers and the body.
async fn browse(
    gateway: &Gateway,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: Value,
) -> (u16, HeaderMap, Value) {
    let mut request = Request::builder().method(method).uri(path).header("host", "localhost");
    request = request.header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = gateway.router.clone().oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap();
    let (head, body) = response.into_parts();
    let bytes = to_bytes(body, 1 << 20).await.unwrap();
    (head.status.as_u16(), head.headers, serde_json::from_slice(&bytes).unwrap_or_default())
}

/// The cookie that a log-in sets, as the browser sends it back.
fn cookie(headers: &HeaderMap) -> String {
    let set = headers["set-cookie"].to_str().unwrap();
    assert!(set.contains("; HttpOnly; SameSite=Strict") && set.contains("; Path=/;"), "{set}");
    set.split(';').next().unwrap().to_owned()
}

async fn logged_in(gateway: &Gateway, token: &str) -> String {
    let (status, headers, _) = browse(gateway, Method::POST, "/console/login", &[], json!({ "token": token })).await;
    assert_eq!(status, 204);
    cookie(&headers)
}

#[tokio::test]
async fn a_link_logs_in_once() {
    let mut gateway = Gateway::new();
    let operator = Token::of_operator().unwrap();
    let settings = AppSettings::new(gateway.directory.path());
    gateway.app = App::new(gateway.app.evidence().clone(), Some(operator.hash()), settings);
    gateway.router = router(&gateway.app, Doors::default());
    let link = gateway.app.login_link().unwrap();
    let (status, headers, _) = browse(&gateway, Method::GET, &link, &[], Value::Null).await;
    assert_eq!((status, headers["location"].to_str().unwrap()), (303, "/console/"));
    let cookie = cookie(&headers);
    let (status, _, who) = browse(&gateway, Method::GET, "/v1/whoami", &[("cookie", &cookie)], Value::Null).await;
    assert_eq!((status, who["who"]["sort"].as_str().unwrap()), (200, "operator"));
    let (status, headers, _) = browse(&gateway, Method::GET, &link, &[], Value::Null).await;
    assert_eq!((status, headers["location"].to_str().unwrap()), (303, "/console/login?used=1"));
    assert!(!headers.contains_key("set-cookie"));
}

#[tokio::test]
async fn a_token_logs_in_and_the_session_ends_with_it() {
    let gateway = Gateway::new();
    let token = gateway.person("ann", "analyst").await;
    let cookie = logged_in(&gateway, &token).await;
    let (status, _, who) = browse(&gateway, Method::GET, "/v1/whoami", &[("cookie", &cookie)], Value::Null).await;
    assert_eq!((status, who["who"]["name"].as_str().unwrap()), (200, "ann"));
    let id = who["who"]["id"].as_str().unwrap();
    gateway.post(&format!("/v1/people/{id}/rotate-token"), &gateway.admin, json!({})).await;
    let (status, _, _) = browse(&gateway, Method::GET, "/v1/whoami", &[("cookie", &cookie)], Value::Null).await;
    assert_eq!(status, 401, "the token that the session stood for is gone");
}

#[tokio::test]
async fn agents_and_strangers_do_not_log_in() {
    let gateway = Gateway::new();
    let (_, agent) = gateway.agent("bot").await;
    for (token, expected) in [(agent.as_str(), 403), ("th_key_nobody", 401), ("", 401)] {
        let (status, headers, _) =
            browse(&gateway, Method::POST, "/console/login", &[], json!({ "token": token })).await;
        assert_eq!((status, headers.contains_key("set-cookie")), (expected, false), "{token}");
    }
}

#[tokio::test]
async fn another_page_can_not_use_the_session() {
    let gateway = Gateway::new();
    let cookie = logged_in(&gateway, &gateway.admin).await;
    let new = json!({ "name": "eve", "role": "admin" });
    let strange: [&[(&str, &str)]; 4] = [
        &[("cookie", &cookie)],
        &[("cookie", &cookie), ("origin", "http://localhost")],
        &[("cookie", &cookie), ("sec-fetch-site", "same-site"), ("x-tracehound-console", "1")],
        &[("cookie", &cookie), ("origin", "http://localhost:9000"), ("x-tracehound-console", "1")],
    ];
    for headers in strange {
        let (status, _, _) = browse(&gateway, Method::POST, "/v1/people", headers, new.clone()).await;
        assert!(matches!(status, 401 | 403), "{headers:?}: {status}");
    }
    let own = [("cookie", cookie.as_str()), ("origin", "http://localhost"), ("x-tracehound-console", "1")];
    let (status, _, _) = browse(&gateway, Method::POST, "/v1/people", &own, new).await;
    assert_eq!(status, 201);
}

#[tokio::test]
async fn a_page_that_was_let_in_uses_tokens_not_the_session() {
    let mut gateway = Gateway::new();
    let doors = Doors { hosts: Vec::new(), origins: vec!["http://localhost:9000".to_owned()] };
    gateway.router = router(&gateway.app, doors);
    let cookie = logged_in(&gateway, &gateway.admin).await;
    let origin = ("origin", "http://localhost:9000");
    let (status, _, _) = browse(&gateway, Method::GET, "/v1/whoami", &[origin, ("cookie", &cookie)], Value::Null).await;
    assert_eq!(status, 401);
    let bearer = format!("Bearer {}", gateway.admin);
    let (status, _, _) =
        browse(&gateway, Method::GET, "/v1/whoami", &[origin, ("authorization", &bearer)], Value::Null).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn logging_out_ends_the_session() {
    let gateway = Gateway::new();
    let cookie = logged_in(&gateway, &gateway.admin).await;
    let headers = [("cookie", cookie.as_str()), ("x-tracehound-console", "1")];
    let (status, answer, _) = browse(&gateway, Method::POST, "/console/logout", &headers, Value::Null).await;
    assert_eq!(status, 204);
    assert!(answer["set-cookie"].to_str().unwrap().contains("Max-Age=0"));
    let (status, _, _) = browse(&gateway, Method::GET, "/v1/whoami", &headers, Value::Null).await;
    assert_eq!(status, 401);
}

#[tokio::test]
async fn pages_load_nothing_from_elsewhere() {
    let gateway = Gateway::new();
    let (status, headers, _) = browse(&gateway, Method::GET, "/console/findings", &[], Value::Null).await;
    // Tests run with and without a built console.
    if status == 404 {
        assert!(!tracehound_server::console::is_there());
        return;
    }
    let policy = headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    for path in ["/console/../Cargo.toml", "/console/%2e%2e/package.json", "/console/assets/none.js"] {
        let (status, _, _) = browse(&gateway, Method::GET, path, &[], Value::Null).await;
        assert_eq!(status, 404, "{path}");
    }
}

#[tokio::test]
async fn a_page_about_something_with_dots_in_its_name_is_a_page() {
    let gateway = Gateway::new();
    let (plain, _, _) = browse(&gateway, Method::GET, "/console/findings", &[], Value::Null).await;
    for path in ["/console/evidence/runs/release-1.2", "/console/scans/build.example.com", "/console/rules/a.yaml"] {
        let (status, _, _) = browse(&gateway, Method::GET, path, &[], Value::Null).await;
        assert_eq!(status, plain, "{path}");
    }
}

#[tokio::test]
async fn a_token_in_the_address_is_for_the_live_feed_alone() {
    let gateway = Gateway::new();
    for route in routes() {
        let is_open = route.access == tracehound_server::caller::Access::Open;
        if is_open || route.path == "/v1/ws/events" {
            continue;
        }
        let path = format!("{}?token={}", route.path.replace(['{', '}'], "x"), gateway.admin);
        let (status, _, _) = browse(&gateway, route.method.clone(), &path, &[], json!({})).await;
        assert_eq!(status, 401, "{route:?}");
    }
}
