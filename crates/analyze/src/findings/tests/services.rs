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
