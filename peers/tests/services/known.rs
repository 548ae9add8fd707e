//! AI services that cannot be started here: each is recognised as what it is and as nothing else, open and protected.
//!
//! The answers are built from what the projects publish; the files of the rules name the pages.

use serde_json::{Value, json};

use crate::services::{check_service, scanned};
use crate::stand_in::{Answer, StandIn};

/// What the framework of several of them says of an unknown path.
const NOT_FOUND: Answer = Answer::json(404, r#"{"detail":"Not Found"}"#);

#[track_caller]
fn check(service: StandIn, kind: &str, properties: &Value) {
    check_service(&service.start(), kind, properties);
}

const RUNNING: Answer = Answer::text(200, "Ollama is running");

#[test]
fn ollama_open() {
    const PATHS: &[(&str, Answer)] = &[
        ("/", RUNNING),
        ("/api/version", Answer::json(200, r#"{"version":"0.12.6"}"#)),
        ("/api/tags", Answer::json(200, r#"{"models":[]}"#)),
        (
            "/v1/models",
            Answer::json(200, r#"{"object":"list","data":[{"id":"gemma3","object":"model","owned_by":"library"}]}"#),
        ),
    ];
    let service = StandIn { name: "ollama", paths: PATHS, otherwise: Answer::text(404, "404 page not found") };
    check(service, "OllamaInstance", &json!({ "version": "0.12.6", "auth_method": "none", "is_anonymous_loot": true }));
}

#[test]
fn ollama_behind_a_proxy_that_asks_for_a_password() {
    let refused = Answer::html(401, "<h1>401</h1>").with("WWW-Authenticate: Basic realm=\"models\"\r\n");
    let service = StandIn { name: "ollama", paths: &[("/", RUNNING)], otherwise: refused };
    check(service, "OllamaInstance", &json!({ "version": null, "auth_method": "basic", "is_anonymous_loot": false }));
}

#[test]
fn ollama_behind_a_proxy_that_asks_for_a_token() {
    let service = StandIn { name: "ollama", paths: &[("/", RUNNING)], otherwise: Answer::text(401, "Unauthorized") };
    check(service, "OllamaInstance", &json!({ "auth_method": "bearer", "is_anonymous_loot": false }));
}

#[test]
fn ollama_behind_a_proxy_that_refuses_strangers() {
    let service = StandIn { name: "ollama", paths: &[("/", RUNNING)], otherwise: Answer::text(403, "Forbidden") };
    check(service, "OllamaInstance", &json!({ "auth_method": null, "is_anonymous_loot": false }));
}

const VLLM_VERSION: (&str, Answer) = ("/version", Answer::json(200, r#"{"version":"0.11.0"}"#));
const VLLM_DOCS: (&str, Answer) =
    ("/docs", Answer::html(200, r#"<title>FastAPI - Swagger UI</title><div id="swagger-ui">"#));
const VLLM_METRICS: (&str, Answer) = ("/metrics", Answer::text(200, "# HELP vllm:num_requests_running Number.\n"));
const VLLM_API: (&str, Answer) =
    ("/openapi.json", Answer::json(200, r#"{"openapi":"3.1.0","paths":{"/v1/chat/completions":{},"/tokenize":{}}}"#));

#[test]
fn vllm_open() {
    const MODELS: &str = r#"{"object":"list","data":[{"id":"Qwen/Qwen3-8B","object":"model","created":1761000000,"owned_by":"vllm","root":"Qwen/Qwen3-8B","parent":null,"max_model_len":40960}]}"#;
    const PATHS: &[(&str, Answer)] =
        &[("/v1/models", Answer::json(200, MODELS)), VLLM_VERSION, VLLM_DOCS, VLLM_API, VLLM_METRICS];
    let service = StandIn { name: "vllm", paths: PATHS, otherwise: NOT_FOUND };
    check(service, "VLLMInstance", &json!({ "version": "0.11.0", "auth_method": "none", "is_anonymous_loot": true }));
}

#[test]
fn vllm_with_a_key() {
    const REFUSED: Answer = Answer::json(401, r#"{"error":"Unauthorized"}"#);
    const PATHS: &[(&str, Answer)] = &[("/v1/models", REFUSED), VLLM_VERSION, VLLM_DOCS, VLLM_API, VLLM_METRICS];
    let service = StandIn { name: "vllm", paths: PATHS, otherwise: NOT_FOUND };
    check(
        service,
        "VLLMInstance",
        &json!({ "version": "0.11.0", "auth_method": "bearer", "is_anonymous_loot": false }),
    );
}

const QDRANT: (&str, Answer) =
    ("/", Answer::json(200, r#"{"title":"qdrant - vector search engine","version":"1.15.5","commit":"48203e41"}"#));

#[test]
fn qdrant_open() {
    const COLLECTIONS: Answer = Answer::json(
        200,
        r#"{"result":{"collections":[{"name":"notes"},{"name":"mail"}]},"status":"ok","time":0.00001}"#,
    );
    let service =
        StandIn { name: "qdrant", paths: &[QDRANT, ("/collections", COLLECTIONS)], otherwise: Answer::text(404, "") };
    let properties =
        json!({ "version": "1.15.5", "auth_method": "none", "is_anonymous_loot": true, "collection_count": 2 });
    check(service, "QdrantInstance", &properties);
}

#[test]
fn qdrant_with_a_key() {
    let refused = Answer::text(401, "Must provide an API key or an Authorization bearer token");
    let service = StandIn { name: "qdrant", paths: &[QDRANT], otherwise: refused };
    let properties =
        json!({ "version": "1.15.5", "auth_method": "apiKey", "is_anonymous_loot": false, "collection_count": null });
    check(service, "QdrantInstance", &properties);
}

/// The page that Open WebUI serves for every path that it does not know.
const PAGE: Answer = Answer::html(200, "<!doctype html><title>Open WebUI</title>");
const WEBUI_VERSION: (&str, Answer) = ("/api/version", Answer::json(200, r#"{"version":"0.6.33","deployment_id":""}"#));

#[test]
fn open_webui_with_a_login() {
    const CONFIG: Answer = Answer::json(
        200,
        r#"{"status":true,"name":"Open WebUI","version":"0.6.33","default_locale":"","oauth":{"providers":{}},"features":{"auth":true,"auth_trusted_header":false,"enable_signup":true,"enable_login_form":true}}"#,
    );
    let service = StandIn { name: "open webui", paths: &[("/api/config", CONFIG), WEBUI_VERSION], otherwise: PAGE };
    let properties = json!({
        "version": "0.6.33", "auth_method": "password", "is_anonymous_loot": false, "webui_auth_enabled": true,
        "ollama_backend_url": null,
    });
    check(service, "OpenWebUIInstance", &properties);
}

#[test]
fn open_webui_without_a_login() {
    const CONFIG: Answer = Answer::json(
        200,
        r#"{"status":true,"name":"Team chat","version":"0.6.33","default_locale":"","oauth":{"providers":{}},"features":{"auth":false,"enable_signup":false}}"#,
    );
    let service = StandIn { name: "open webui", paths: &[("/api/config", CONFIG), WEBUI_VERSION], otherwise: PAGE };
    let properties =
        json!({ "version": "0.6.33", "auth_method": "none", "is_anonymous_loot": true, "webui_auth_enabled": false });
    check(service, "OpenWebUIInstance", &properties);
}

#[test]
fn an_old_open_webui_exposes_the_ollama_that_it_names() {
    const CONFIG: Answer = Answer::json(
        200,
        r#"{"status":true,"name":"Open WebUI","version":"0.1.124","auth":true,"default_locale":"en-US","ollama":{"base_url":"http://127.0.0.1:11434/api"}}"#,
    );
    let service = StandIn { name: "open webui", paths: &[("/api/config", CONFIG)], otherwise: PAGE };
    let graph = scanned(&[&service.start()]);
    let exposed = graph.behind(graph.only("OpenWebUIInstance"), "EXPOSES");
    assert_eq!(exposed.len(), 1, "{graph:#?}");
    assert_eq!(exposed[0]["kinds"], json!(["OllamaInstance", "AIService"]));
    assert_eq!(exposed[0]["properties"]["endpoint"], "http://127.0.0.1:11434");
}
