//! Ordinary services: what they answer is met on every network, and none of it is an AI service that we know.

use crate::services::{scanned, services};
use crate::stand_in::{Answer, StandIn};

const JSON_NOT_FOUND: Answer = Answer::json(404, r#"{"detail":"Not Found"}"#);
const TEXT_NOT_FOUND: Answer = Answer::text(404, "404 page not found\n");
const NGINX_NOT_FOUND: Answer = Answer::html(
    404,
    "<html><head><title>404 Not Found</title></head><body><center>nginx/1.29.1</center></body></html>",
)
.with("Server: nginx/1.29.1\r\n");
const DOCS: Answer = Answer::html(200, r#"<title>API - Swagger UI</title><div id="swagger-ui"></div>"#);

const SERVICES: &[StandIn] = &[
    StandIn {
        name: "nginx with its first page",
        paths: &[("/", Answer::html(200, "<title>Welcome to nginx!</title>").with("Server: nginx/1.29.1\r\n"))],
        otherwise: NGINX_NOT_FOUND,
    },
    StandIn {
        name: "Prometheus",
        paths: &[
            ("/metrics", Answer::text(200, "# HELP up Whether it is up.\n# TYPE up gauge\nup 1\n")),
            ("/version", Answer::json(200, r#"{"version":"3.5.0","revision":"8be3a9560fbd"}"#)),
        ],
        otherwise: TEXT_NOT_FOUND,
    },
    StandIn {
        name: "Grafana",
        paths: &[
            ("/", Answer::html(302, r#"<a href="/login">Found</a>"#).with("Location: /login\r\n")),
            ("/login", Answer::html(200, "<title>Grafana</title>")),
            ("/api/health", Answer::json(200, r#"{"database":"ok","version":"12.1.0"}"#)),
        ],
        otherwise: Answer::json(401, r#"{"message":"Unauthorized","messageId":"auth.unauthorized","statusCode":401}"#),
    },
    StandIn {
        name: "a registry of containers",
        paths: &[(
            "/v2/",
            Answer::json(401, r#"{"errors":[{"code":"UNAUTHORIZED"}]}"#)
                .with("WWW-Authenticate: Bearer realm=\"https://auth.example.com/token\"\r\n"),
        )],
        otherwise: TEXT_NOT_FOUND,
    },
    StandIn {
        name: "Elasticsearch",
        paths: &[(
            "/",
            Answer::json(
                200,
                r#"{"name":"node-1","cluster_name":"docs","version":{"number":"9.1.0"},"tagline":"You Know, for Search"}"#,
            ),
        )],
        otherwise: Answer::json(404, r#"{"error":{"type":"index_not_found_exception"},"status":404}"#),
    },
    StandIn {
        name: "Kubernetes",
        paths: &[
            ("/version", Answer::json(200, r#"{"major":"1","minor":"34","gitVersion":"v1.34.1"}"#)),
            ("/livez", Answer::text(200, "ok")),
        ],
        otherwise: Answer::json(
            403,
            r#"{"kind":"Status","apiVersion":"v1","status":"Failure","message":"forbidden","reason":"Forbidden","code":403}"#,
        ),
    },
    StandIn {
        name: "GitLab",
        paths: &[
            ("/", Answer::html(302, "").with("Location: /users/sign_in\r\n")),
            ("/api/v4/version", Answer::json(401, r#"{"message":"401 Unauthorized"}"#)),
        ],
        otherwise: Answer::html(404, "<title>The page could not be found (404)</title>GitLab"),
    },
    StandIn {
        name: "Jenkins",
        paths: &[("/login", Answer::html(200, "<title>Sign in - Jenkins</title>").with("X-Jenkins: 2.528\r\n"))],
        otherwise: Answer::html(403, "<meta http-equiv='refresh' content='1;url=/login'/>Authentication required")
            .with("X-Jenkins: 2.528\r\n"),
    },
    StandIn {
        name: "Consul",
        paths: &[("/v1/agent/self", Answer::json(200, r#"{"Config":{"Datacenter":"dc1","Version":"1.21.4"}}"#))],
        otherwise: Answer::text(404, "Consul Agent: UI disabled. To enable, set ui_config.enabled=true."),
    },
    StandIn {
        name: "etcd",
        paths: &[
            ("/version", Answer::json(200, r#"{"etcdserver":"3.6.4","etcdcluster":"3.6.0"}"#)),
            ("/health", Answer::json(200, r#"{"health":"true","reason":""}"#)),
        ],
        otherwise: TEXT_NOT_FOUND,
    },
    StandIn {
        name: "Vault",
        paths: &[("/v1/sys/health", Answer::json(200, r#"{"initialized":true,"sealed":false,"version":"1.20.2"}"#))],
        otherwise: Answer::json(403, r#"{"errors":["permission denied"]}"#),
    },
    StandIn {
        name: "Keycloak",
        paths: &[("/realms/master", Answer::json(200, r#"{"realm":"master","public_key":"MIIB"}"#))],
        otherwise: Answer::json(404, r#"{"error":"Unable to find matching target resource method"}"#),
    },
    StandIn {
        name: "MinIO",
        paths: &[("/minio/health/live", Answer::text(200, ""))],
        otherwise: Answer::text(403, "<Error><Code>AccessDenied</Code></Error>").with("Server: MinIO\r\n"),
    },
    StandIn { name: "an empty object for every path", paths: &[], otherwise: Answer::json(200, "{}") },
    StandIn {
        name: "one page for every path",
        paths: &[],
        otherwise: Answer::html(
            200,
            "<!doctype html><title>Shop</title><div id=\"root\"></div><script src=\"/main.js\">",
        ),
    },
    StandIn {
        name: "refused everywhere",
        paths: &[],
        otherwise: Answer::json(401, r#"{"error":"Unauthorized"}"#).with("WWW-Authenticate: Bearer\r\n"),
    },
    StandIn {
        name: "a password everywhere",
        paths: &[],
        otherwise: Answer::html(401, "Unauthorized").with("WWW-Authenticate: Basic realm=\"Restricted\"\r\n"),
    },
    StandIn { name: "an echo of the path", paths: &[], otherwise: Answer::html(200, "<p>You asked for {path}</p>") },
    StandIn {
        name: "llama.cpp",
        paths: &[
            ("/health", Answer::json(200, r#"{"status":"ok"}"#)),
            (
                "/v1/models",
                Answer::json(
                    200,
                    r#"{"object":"list","data":[{"id":"m.gguf","object":"model","created":1761000000,"owned_by":"llamacpp","meta":{"n_ctx_train":8192}}]}"#,
                ),
            ),
            ("/", Answer::html(200, "<title>llama.cpp</title>")),
        ],
        otherwise: Answer::json(404, r#"{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}"#),
    },
    StandIn {
        name: "Text Generation Inference",
        paths: &[
            (
                "/info",
                Answer::json(
                    200,
                    r#"{"model_id":"teknium/OpenHermes","version":"3.3.6","router":"text-generation-router"}"#,
                ),
            ),
            (
                "/v1/models",
                Answer::json(200, r#"{"object":"list","data":[{"id":"tgi","object":"model","owned_by":"teknium"}]}"#),
            ),
            ("/docs", DOCS),
            (
                "/openapi.json",
                Answer::json(
                    200,
                    r#"{"openapi":"3.0.3","info":{"title":"TGI"},"paths":{"/generate":{},"/invocations":{}}}"#,
                ),
            ),
        ],
        otherwise: TEXT_NOT_FOUND,
    },
    StandIn {
        name: "SGLang with a key",
        paths: &[
            ("/version", Answer::json(200, r#"{"version":"0.5.3"}"#)),
            ("/metrics", Answer::text(200, "# HELP sglang:num_running_reqs Number.\n")),
            ("/docs", DOCS),
        ],
        otherwise: Answer::json(401, r#"{"error":"Unauthorized"}"#),
    },
    StandIn {
        name: "a FastAPI application that invokes functions",
        paths: &[
            ("/docs", DOCS),
            (
                "/openapi.json",
                Answer::json(
                    200,
                    r#"{"openapi":"3.1.0","info":{"title":"Functions","version":"0.1.0"},"paths":{"/functions/{name}/invoke":{"post":{}}}}"#,
                ),
            ),
            ("/version", Answer::json(200, r#"{"version":"0.1.0"}"#)),
        ],
        otherwise: JSON_NOT_FOUND,
    },
    StandIn {
        name: "Chroma",
        paths: &[
            ("/api/v2/heartbeat", Answer::json(200, r#"{"nanosecond heartbeat":1761000000000000000}"#)),
            ("/api/v2/version", Answer::json(200, r#""1.0.0""#)),
        ],
        otherwise: Answer::json(404, r#"{"error":"NotFoundError"}"#),
    },
    StandIn {
        name: "a program with a version of Ollama's shape",
        paths: &[
            ("/api/version", Answer::json(200, r#"{"version":"1.2.3"}"#)),
            ("/api/config", Answer::json(200, r#"{"status":true,"name":"Billing","version":"1.2.3"}"#)),
            ("/api", Answer::json(200, r#"{"version":"1.2.3"}"#)),
            ("/api/status", Answer::json(403, r#"{"message":"Forbidden"}"#)),
            ("/version", Answer::text(200, "1.2.3")),
            ("/livez", Answer::text(200, "healthz check passed")),
        ],
        otherwise: JSON_NOT_FOUND,
    },
    StandIn {
        name: "a page about all of them",
        paths: &[],
        otherwise: Answer::html(
            200,
            "<title>Our tools</title>Ollama is running, MLflow in static-files/, LiteLLM: RUNNING, I'm alive! qdrant, Jupyter, \
             swagger-ui, \"owned_by\":\"vllm\", LangServe, Open WebUI",
        ),
    },
];

#[test]
fn ordinary_services_are_recognised_as_none() {
    assert!(SERVICES.len() >= 20);
    let started: Vec<(&str, String)> = SERVICES.iter().map(|service| (service.name, service.start())).collect();
    let targets: Vec<&str> = started.iter().map(|(_, url)| url.as_str()).collect();
    let graph = scanned(&targets);
    let taken: Vec<(&str, &serde_json::Value)> = services(&graph)
        .into_iter()
        .map(|node| {
            let who = started.iter().find(|(_, url)| node["properties"]["endpoint"] == url.as_str());
            (who.map_or("nobody", |(name, _)| *name), node)
        })
        .collect();
    assert!(taken.is_empty(), "taken for AI services: {taken:#?}");
}
