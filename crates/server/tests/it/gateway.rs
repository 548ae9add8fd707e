//! A server over a fresh data directory, asked without a socket: the same router, the same checks, the same store.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt as _;
use tracehound_evidence::identity::{AgentProfile, Role};
use tracehound_evidence::{Evidence, Moment};
use tracehound_server::{App, AppSettings, Doors, EstateSettings, router};

/// A server, and the tokens that tests need.
pub(crate) struct Gateway {
    pub(crate) app: App,
    pub(crate) router: Router,
    pub(crate) admin: String,
    pub(crate) directory: TempDir,
    ahead: Arc<AtomicI64>,
}

/// What the server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Gateway {
    pub(crate) fn new() -> Self {
        Self::with_settings(EstateSettings::default())
    }

    /// A server with other limits for documents.
    pub(crate) fn with_settings(estate: EstateSettings) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let ahead = Arc::new(AtomicI64::new(0));
        let clock = ahead.clone();
        let clock = Arc::new(move || Moment::now().plus_seconds(clock.load(Ordering::SeqCst)));
        let (evidence, first) = Evidence::open(directory.path(), clock).unwrap();
        let admin = first.unwrap().token.reveal().to_owned();
        let settings = AppSettings { estate, ..AppSettings::new(directory.path()) };
        let app = App::new(Arc::new(evidence), None, settings);
        let router = router(&app, Doors::default());
        Self { app, router, admin, directory, ahead }
    }

    /// Stops everything and starts again over the same data directory.
    pub(crate) fn reopened(self) -> Self {
        let Self { app, router, admin, directory, ahead } = self;
        drop((app, router));
        let clock = ahead.clone();
        let clock = Arc::new(move || Moment::now().plus_seconds(clock.load(Ordering::SeqCst)));
        let (evidence, first) = Evidence::open(directory.path(), clock).unwrap();
        assert!(first.is_none(), "the store was there before");
        let settings = AppSettings::new(directory.path());
        let app = App::new(Arc::new(evidence), None, settings);
        let router = tracehound_server::router(&app, Doors::default());
        Self { app, router, admin, directory, ahead }
    }

    /// Lets time pass.
    pub(crate) fn wait(&self, seconds: i64) {
        self.ahead.fetch_add(seconds, Ordering::SeqCst);
    }

    pub(crate) async fn ask(&self, method: Method, path: &str, token: &str, body: Option<Value>) -> Answer {
        let request = Request::builder().method(method).uri(path).header("host", "localhost");
        let request = request.header("authorization", format!("Bearer {token}"));
        let request = match body {
            Some(body) => request.header("content-type", "application/json").body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        self.send(request.unwrap()).await
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let bytes = to_bytes(response.into_body(), 64 << 20).await.unwrap();
        Answer { status, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null) }
    }

    /// An answer that is no JSON.
    pub(crate) async fn text(&self, path: &str, token: &str) -> String {
        let request = Request::builder().uri(path).header("host", "localhost");
        let request = request.header("authorization", format!("Bearer {token}")).body(Body::empty()).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let bytes = to_bytes(response.into_body(), 64 << 20).await.unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    pub(crate) async fn get(&self, path: &str, token: &str) -> Answer {
        self.ask(Method::GET, path, token, None).await
    }

    pub(crate) async fn post(&self, path: &str, token: &str, body: Value) -> Answer {
        self.ask(Method::POST, path, token, Some(body)).await
    }

    /// Registers an agent; gives its id and token.
    pub(crate) async fn agent(&self, key: &str) -> (String, String) {
        let body =
            json!({ "agent_key": key, "name": format!("Agent {key}"), "environment": "prod", "risk_tier": "low" });
        let answer = self.post("/v1/agents", &self.admin, body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let text = |name: &str| answer.body[name].as_str().unwrap().to_owned();
        (text("id"), text("agent_token"))
    }

    /// Adds another tenant; gives the tokens of its administrator and of an agent.
    pub(crate) async fn other_tenant(&self, id: &str) -> (String, String) {
        let name = id.to_owned();
        let made = self.app.evidence().write(move |ledger| {
            ledger.add_tenant(&name, &name)?;
            let (_, admin) = ledger.add_person(&name, "admin", Role::Admin, "test")?;
            let profile =
                AgentProfile { name: "Spy".to_owned(), environment: "prod".to_owned(), ..AgentProfile::default() };
            let (_, agent) = ledger.add_agent(&name, "spy", profile, "test")?;
            Ok((admin.reveal().to_owned(), agent.reveal().to_owned()))
        });
        made.unwrap()
    }

    /// Adds somebody with a role; gives their token.
    pub(crate) async fn person(&self, name: &str, role: &str) -> String {
        let answer = self.post("/v1/people", &self.admin, json!({ "name": name, "role": role })).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.body["token"].as_str().unwrap().to_owned()
    }

    /// Registers a tool with a reading and a changing action.
    pub(crate) async fn tool(&self) {
        let action =
            |key: &str, risk: &str, mutates: bool| json!({ "action_key": key, "risk": risk, "mutates_state": mutates });
        let actions = [action("get_pull_request", "low", false), action("merge_pull_request", "high", true)];
        let body = json!({ "tool_key": "github", "name": "GitHub", "type": "http", "actions": actions });
        let answer = self.post("/v1/tools", &self.admin, body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
    }
}

/// A request of an agent.
pub(crate) fn request(agent: &str, action: &str, trust: &str) -> Value {
    json!({
        "agent": { "id": agent, "environment": "prod" },
        "tool_call": {
            "tool": "github", "action": action, "resource": "shop/api#12", "mutates_state": action.starts_with("merge"),
            "parameters": { "base_branch": "dev" },
        },
        "context": { "source_trust": trust, "contains_sensitive_data": false },
        "trace": { "run_id": "run_7", "trace_id": "trace_7" },
    })
}
