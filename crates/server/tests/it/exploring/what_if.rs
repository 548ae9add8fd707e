//! What if.

use serde_json::{Value, json};

use super::texts;
use crate::gateway::Gateway;

const WHAT_IF: &str = "/v1/estate/what-if";

#[tokio::test]
async fn a_cut_edge_takes_findings_scores_and_paths_with_it() {
    let gateway = Gateway::explored();
    let before = gateway.look("/v1/estate/graph").await;
    let edge = json!({ "source": "cursor", "kind": "TRUSTS_SERVER", "target": "customers" });
    let body = json!({ "remove_edges": [edge], "from": "cursor", "to": "critical", "k": 5 });
    let told = gateway.told(WHAT_IF, body).await;
    let gone = told["gone_total"].as_u64().unwrap();
    assert_eq!(told["gone"].as_array().unwrap().len() as u64, gone);
    let (old, new) = (told["findings_before"].as_u64().unwrap(), told["findings_after"].as_u64().unwrap());
    assert_eq!(old - gone + told["appeared_total"].as_u64().unwrap(), new);
    assert!(texts(&told["gone"], "/kind").contains(&"CAN_REACH"), "{told}");
    let score = told["scores"].as_array().unwrap().iter().find(|score| score["node"]["id"] == "a1").unwrap();
    assert!(score["after"].as_f64().unwrap() < score["before"].as_f64().unwrap(), "{score}");
    assert_eq!(told["scores"].as_array().unwrap().len() as u64, told["scores_total"].as_u64().unwrap());
    assert!(!told["paths_before"]["paths"].as_array().unwrap().is_empty());
    assert!(told["edges_gone"].as_u64().unwrap() > 0);
    assert_eq!(gateway.look("/v1/estate/graph").await, before, "nothing is stored");
}

#[tokio::test]
async fn nodes_can_be_taken_out_and_properties_changed() {
    let gateway = Gateway::explored();
    let body = json!({ "remove_nodes": ["customers"], "from": "agents", "to": "r1" });
    let without = gateway.told(WHAT_IF, body).await;
    assert_eq!(without["paths_after"]["paths"], json!([]));
    let score = without["scores"].as_array().unwrap().iter().find(|score| score["node"]["name"] == "customers");
    assert_eq!(score.unwrap()["after"], Value::Null, "a node that is gone has no score");
    let set = json!([{ "node": "customers", "property": "auth_method", "value": "oauth" }]);
    let safer = gateway.told(WHAT_IF, json!({ "set": set })).await;
    let score = safer["scores"].as_array().unwrap().iter().find(|score| score["node"]["name"] == "customers").unwrap();
    assert!(score["after"].as_f64().unwrap() < score["before"].as_f64().unwrap(), "{score}");
    assert_eq!((&safer["paths_before"], &safer["paths_after"]), (&Value::Null, &Value::Null));
    let edge = json!({ "source": "a1", "kind": "TRUSTS_SERVER", "target": "s1" });
    let set = json!([{ "edge": edge, "property": "line", "value": null }]);
    let same = gateway.told(WHAT_IF, json!({ "set_edges": set })).await;
    assert_eq!(same["gone_total"], 0);
}

#[tokio::test]
async fn what_is_not_there_can_not_be_altered() {
    let gateway = Gateway::explored();
    let edge = |source: &str, kind: &str, target: &str| json!({ "source": source, "kind": kind, "target": target });
    let set = |value: Value| json!({ "set": [{ "node": "files", "property": "x", "value": value }] });
    for (body, expected) in [
        (json!({}), (400, "nothing_altered", "nothing is")),
        (json!({ "remove_nodes": ["file"] }), (404, "node_not_found", "did you mean `files`")),
        (json!({ "remove_edges": [edge("claude", "TRUSTS_SERVER", "mail")] }), (400, "bad_edge", "there is no")),
        (json!({ "remove_edges": [edge("a1", "CAN_REACH", "r1")] }), (400, "bad_edge", "follows from other edges")),
        (json!({ "remove_edges": [edge("a1", "TRUSTS", "r1")] }), (400, "bad_kind", "no kind of edge")),
        (json!({ "remove_edges": ["a1 TRUSTS_SERVER s1"] }), (400, "bad_body", "")),
        (set(json!({ "a": 1 })), (400, "bad_value", "a property is")),
        (json!({ "set": [{ "node": "files", "property": "", "value": 1 }] }), (400, "bad_property", "1 to 256")),
        (json!({ "remove_nodes": ["files"], "from": "cursor" }), (400, "one_end", "both")),
        (json!({ "remove_nodes": ["files"], "from": "cursor", "to": "r9" }), (404, "node_not_found", "")),
        (json!({ "remove_nodes": ["files"], "k": 101 }), (400, "out_of_range", "100")),
        (json!({ "remove_nodes": vec!["files"; 101] }), (400, "too_many", "at most 100")),
        (json!({ "remove_edges": vec![edge("a1", "TRUSTS_SERVER", "s1"); 101] }), (400, "too_many", "at most 100")),
    ] {
        gateway.check_refusal(WHAT_IF, Some(body), expected).await;
    }
}
