//! Questions by name.

use serde_json::{Value, json};

use super::texts;
use crate::gateway::Gateway;

#[tokio::test]
async fn questions_are_listed_with_what_they_take_and_give() {
    let gateway = Gateway::explored();
    let list = gateway.look("/v1/estate/questions").await;
    let open = list["items"].as_array().unwrap().iter().find(|item| item["question"] == "no-auth-servers").unwrap();
    let columns = texts(&open["columns"], "/name");
    for column in ["server_name", "endpoint", "transport", "tool_count", "server_id"] {
        assert!(columns.contains(&column), "{column}: {columns:?}");
    }
    let reach = list["items"].as_array().unwrap().iter().find(|item| item["question"] == "who-can-reach").unwrap();
    assert_eq!((&reach["parameters"][0]["name"], &reach["parameters"][0]["required"]), (&"node".into(), &true.into()));
}

#[tokio::test]
async fn rows_are_objects_by_column_and_pages_add_up() {
    let gateway = Gateway::explored();
    let path = "/v1/estate/questions/no-auth-servers";
    let whole = gateway.told(path, json!({})).await;
    assert_eq!(texts(&whole["rows"], "/server_name"), ["customers", "files"]);
    assert_eq!((&whole["total"], &whole["rows"][0]["server_id"]), (&2.into(), &"s2".into()));
    let mut rows = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let page = gateway.told(path, json!({ "limit": 1, "cursor": cursor })).await;
        assert_eq!((&page["total"], &page["columns"]), (&whole["total"], &whole["columns"]));
        rows.extend(page["rows"].as_array().unwrap().clone());
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(Value::from(rows), whole["rows"]);
    let reach = gateway.told("/v1/estate/questions/who-can-reach", json!({ "parameters": { "node": "r1" } })).await;
    assert!(reach["total"].as_u64().unwrap() >= 2, "{reach}");
}

#[tokio::test]
async fn what_a_question_does_not_take_is_refused() {
    let gateway = Gateway::explored();
    let path = |name: &str| format!("/v1/estate/questions/{name}");
    for (name, body, expected) in [
        ("no-auth-server", json!({}), (404, "question_not_found", "did you mean `no-auth-servers`")),
        ("who-can-reach", json!({}), (400, "bad_parameter", "needs `node`")),
        ("who-can-reach", json!({ "parameters": { "nod": "r1" } }), (400, "bad_parameter", "did you mean `node`")),
        ("who-can-reach", json!({ "parameters": { "node": "r9" } }), (404, "node_not_found", "`node`")),
        ("no-auth-servers", json!({ "limit": 5_001 }), (400, "out_of_range", "5000")),
        ("no-auth-servers", json!({ "cursor": "?" }), (400, "bad_cursor", "")),
        ("no-auth-servers", json!({ "rows": 1 }), (400, "bad_body", "unknown field")),
    ] {
        gateway.check_refusal(&path(name), Some(body), expected).await;
    }
    let many: serde_json::Map<String, Value> = (0..21).map(|number| (format!("p{number}"), "x".into())).collect();
    let body = json!({ "parameters": many });
    gateway.check_refusal(&path("no-auth-servers"), Some(body), (400, "too_many", "20 parameters")).await;
}
