//! `CONFUSED_DEPUTY`: whoever asks little of callers delegates to somebody who asks much.

use serde_json::{Value, json};
use tracehound_model::EdgeKind;

use crate::estates::Little;
use crate::expected::{Expected, Reader as _};
use crate::{compare, edges};

#[test]
fn is_as_defined() {
    compare(EdgeKind::ConfusedDeputy, |graph| {
        let mut all = Vec::new();
        for low in graph.all("A2AAgent") {
            for high in graph.to(&low, EdgeKind::DelegatesTo) {
                let auth = |agent: &str| graph.text(agent, "auth_method").unwrap_or_default();
                let is_weak = !["bearer", "oauth", "mtls"].contains(&auth(&low).as_str());
                if is_weak && ["oauth", "mtls"].contains(&auth(&high).as_str()) {
                    let path = vec![format!("{low} DELEGATES_TO {high}")];
                    all.push(Expected::new(&low, &high, 0.8, 0.3, "a2a", path));
                }
            }
        }
        all
    });
}

fn delegation(low: Value, high: Value) -> usize {
    let mut estate = Little::default();
    estate.node("A2AAgent", "x", low);
    estate.node("A2AAgent", "y", high);
    estate.edge(EdgeKind::DelegatesTo, "x", "y");
    edges(&estate, EdgeKind::ConfusedDeputy).len()
}

#[test]
fn absent_authentication_is_as_weak_as_none() {
    assert_eq!(delegation(json!({}), json!({ "auth_method": "oauth" })), 1);
    assert_eq!(delegation(json!({ "auth_method": "none" }), json!({ "auth_method": "oauth" })), 1);
    assert_eq!(delegation(json!({}), json!({})), 0);
}

#[test]
fn a_fixed_key_is_weak() {
    assert_eq!(delegation(json!({ "auth_method": "apiKey" }), json!({ "auth_method": "mtls" })), 1);
    assert_eq!(delegation(json!({ "auth_method": "static_key" }), json!({ "auth_method": "mTLS" })), 1);
    assert_eq!(delegation(json!({ "auth_method": "bearer" }), json!({ "auth_method": "mtls" })), 0);
    assert_eq!(delegation(json!({ "auth_method": "apiKey" }), json!({ "auth_method": "bearer" })), 0);
}
