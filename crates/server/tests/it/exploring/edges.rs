//! Single edges.

use serde_json::{Value, json};

use super::texts;
use crate::gateway::Gateway;

#[tokio::test]
async fn an_edge_that_was_seen_tells_where_it_stands() {
    let gateway = Gateway::explored();
    let edge = gateway.look("/v1/estate/edge?source=cursor&target=MCPServer:files&kind=trusts_server").await;
    assert_eq!((&edge["composite"], &edge["evidence"]), (&false.into(), &"written there".into()));
    assert_eq!(edge["place"], json!({ "file": "/home/lena/.cursor/mcp.json", "line": 4 }));
    assert_eq!((&edge["source"]["id"], &edge["target"]["id"]), (&"a1".into(), &"s1".into()));
    assert_eq!((&edge["first_seen"], &edge["witness"]), (&"2026-10-01T10:00:00Z".into(), &json!([])));
    assert_eq!((&edge["confidence"], &edge["properties"]["line"]), (&1.0.into(), &4.into()));
}

#[tokio::test]
async fn a_derived_edge_tells_what_it_rests_on() {
    let gateway = Gateway::explored();
    let edge = gateway.look("/v1/estate/edge?source=a1&target=r1&kind=CAN_REACH").await;
    assert_eq!((&edge["composite"], &edge["first_seen"]), (&true.into(), &Value::Null));
    let witness = edge["witness"].as_array().unwrap();
    assert_eq!((&witness[0]["source"]["id"], &witness.last().unwrap()["target"]["id"]), (&"a1".into(), &"r1".into()));
    for (one, next) in witness.iter().zip(witness.iter().skip(1)) {
        assert_eq!(one["target"], next["source"], "each step begins where the one before ended");
    }
    assert!(edge["evidence"].as_str().unwrap().contains("cursor"), "{edge}");
    assert!(texts(&edge["findings"], "/kind").contains(&"CAN_REACH"), "{edge}");
    assert_eq!(edge["properties"]["is_composite"], true);
}

#[tokio::test]
async fn what_is_no_edge_is_refused() {
    let gateway = Gateway::explored();
    let path = |query: &str| format!("/v1/estate/edge?{query}");
    let missing = path("source=claude&target=mail&kind=TRUSTS_SERVER");
    gateway.check_refusal(&missing, None, (404, "edge_not_found", "no TRUSTS_SERVER from `claude` to `mail`")).await;
    let unknown = path("source=claud&target=mail&kind=TRUSTS_SERVER");
    gateway.check_refusal(&unknown, None, (404, "node_not_found", "did you mean `claude`")).await;
    let kind = path("source=claude&target=mail&kind=TRUSTS");
    gateway.check_refusal(&kind, None, (400, "bad_kind", "no kind of edge")).await;
    gateway.check_refusal(&path("source=claude"), None, (400, "bad_query", "")).await;
}
