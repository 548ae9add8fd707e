//! Findings that rest on what AI services answered.

use serde_json::{Value, json};

use super::{check, edge, node};

fn service(id: &str, kind: &str, more: Value) -> Value {
    let mut properties = json!({ "name": id, "endpoint": format!("http://{id}:1"), "recognised_by": ["a-rule"] });
    let more = more.as_object().unwrap().clone();
    properties.as_object_mut().unwrap().extend(more);
    let mut node = node(id, kind, properties);
    node["kinds"] = json!([kind, "AIService"]);
    node
}

#[test]
fn an_open_service_is_as_bad_as_who_can_reach_it_and_what_it_does_for_them() {
    let open = json!({ "is_anonymous_loot": true });
    let nodes = json!([
        node("box", "Host", json!({ "hostname": "box", "is_local": true })),
        node("lan", "Host", json!({ "hostname": "lan", "is_local": false, "is_private": true, "is_public": false })),
        node("net", "Host", json!({ "hostname": "net", "is_local": false, "is_public": true })),
        service("a", "JupyterServer", open.clone()),
        service("b", "OllamaInstance", open.clone()),
        service("c", "OllamaInstance", open.clone()),
        service("d", "JupyterServer", open.clone()),
        service("e", "OllamaInstance", open),
        service("f", "JupyterServer", json!({ "is_anonymous_loot": false })),
        service("g", "QdrantInstance", json!({})),
    ]);
    let runs = [("a", "lan"), ("b", "net"), ("c", "lan"), ("d", "box"), ("e", "box"), ("f", "net"), ("g", "net")];
    let edges: Vec<Value> = runs.iter().map(|(id, host)| edge(id, "RUNS_ON", host, 1)).collect();
    check(
        nodes,
        json!(edges),
        &[
            "critical service-answers-anyone JupyterServer at http://a:1 answers anyone who asks",
            "high service-answers-anyone OllamaInstance at http://b:1 answers anyone who asks",
            "medium service-answers-anyone JupyterServer at http://d:1 answers anyone who asks",
            "medium service-answers-anyone OllamaInstance at http://c:1 answers anyone who asks",
            "low service-answers-anyone OllamaInstance at http://e:1 answers anyone who asks",
        ],
    );
}

#[test]
fn a_certificate_that_proves_nothing_is_told() {
    let nodes = json!([
        node("net", "Host", json!({ "hostname": "net", "is_local": false, "is_public": true })),
        service("a", "MLflowServer", json!({ "certificate_problem": "it has expired" })),
    ]);
    let expected =
        "medium service-certificate-invalid MLflowServer at http://a:1 has a certificate that proves nothing";
    check(nodes, json!([edge("a", "RUNS_ON", "net", 1)]), &[expected]);
}

#[test]
fn a_credential_that_a_service_shows_is_as_bad_as_who_can_ask_for_it() {
    let secret = |id: &str| node(id, "Credential", json!({ "name": id, "value_hash": id }));
    let nodes = json!([
        node("box", "Host", json!({ "hostname": "box", "is_local": true })),
        node("net", "Host", json!({ "hostname": "net", "is_local": false, "is_public": true })),
        service("a", "LiteLLMGateway", json!({})),
        service("b", "LiteLLMGateway", json!({})),
        service("c", "OpenWebUIInstance", json!({})),
        secret("one"),
        secret("two"),
        secret("three"),
        node("own", "Credential", json!({ "value_hash": "own", "type": "master_key" })),
        node("given", "Credential", json!({ "value_hash": "given", "type": "virtual_key" })),
        node("hidden", "Credential", json!({ "value_hash": "hidden", "value_known": false })),
    ]);
    let mut edges: Vec<Value> =
        [("a", "net"), ("b", "box"), ("c", "net")].iter().map(|(id, host)| edge(id, "RUNS_ON", host, 1)).collect();
    let shown = [("a", "one"), ("a", "two"), ("b", "three"), ("a", "own"), ("a", "given"), ("a", "hidden")];
    edges.extend(shown.iter().map(|(id, secret)| edge(id, "EXPOSES_CREDENTIAL", secret, 1)));
    check(
        nodes,
        json!(edges),
        &[
            "high service-exposes-credential LiteLLMGateway at http://a:1 shows the credential `two` @/c.json:1",
            "high service-exposes-credential LiteLLMGateway at http://a:1 shows the credential `one` @/c.json:1",
            "medium service-exposes-credential LiteLLMGateway at http://b:1 shows the credential `three` @/c.json:1",
        ],
    );
    let nodes = json!([
        node("net", "Host", json!({ "hostname": "net", "is_local": false })),
        service("a", "LiteLLMGateway", json!({ "is_anonymous_loot": true })),
        secret("one"),
    ]);
    let edges = json!([edge("a", "RUNS_ON", "net", 1), edge("a", "EXPOSES_CREDENTIAL", "one", 1)]);
    let found = [
        "critical service-exposes-credential LiteLLMGateway at http://a:1 shows the credential `one` @/c.json:1",
        "medium service-answers-anyone LiteLLMGateway at http://a:1 answers anyone who asks",
    ];
    check(nodes, edges, &found);
}
