//! Hashes that bind an approval and a receipt to exactly one call. Made from what was received, never from a normal form.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tracehound_model::hash::hex;

use crate::request::ToolCall;

/// SHA-256 over the canonical form (RFC 8785) of a call, as 64 hexadecimal digits.
#[must_use]
pub fn action_hash(
    tool: &str,
    action: &str,
    resource: Option<&str>,
    mutates_state: bool,
    parameters: &Value,
) -> String {
    #[derive(Serialize)]
    struct Hashed<'a> {
        action: &'a str,
        mutates_state: bool,
        parameters: &'a Value,
        resource: Option<&'a str>,
        tool: &'a str,
    }
    canonical_hash(&Hashed { action, mutates_state, parameters, resource, tool })
}

/// SHA-256 over the canonical form (RFC 8785) of a call's arguments.
#[must_use]
pub fn argument_hash(parameters: &Value) -> String {
    canonical_hash(parameters)
}

/// Both hashes of a call, of the whole and of its arguments, with the arguments written once.
pub(crate) fn call_hashes(call: &ToolCall) -> (String, String) {
    // JSON values hold only finite numbers and keys that are text; writing to memory doesn't fail.
    let arguments = serde_json_canonicalizer::to_string(&call.parameters).unwrap_or_default();
    // Texts have the same form in plain and in canonical JSON.
    let text = |text: Option<&str>| serde_json::to_string(&text).unwrap_or_default();
    let whole = format!(
        r#"{{"action":{},"mutates_state":{},"parameters":{arguments},"resource":{},"tool":{}}}"#,
        text(Some(&call.action)),
        call.mutates_state,
        text(call.resource.as_deref()),
        text(Some(&call.tool)),
    );
    (hex(&Sha256::digest(whole)), hex(&Sha256::digest(arguments)))
}

/// SHA-256 of a policy's text, as it is.
#[must_use]
pub fn body_hash(body: &str) -> String {
    hex(&Sha256::digest(body))
}

pub(crate) fn canonical_hash(value: &impl Serialize) -> String {
    // JSON values hold only finite numbers and keys that are text; writing to memory doesn't fail.
    let bytes = serde_json_canonicalizer::to_vec(value).unwrap_or_default();
    hex(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_worked_example_has_its_hash() {
        let parameters = json!({"note": "déjà", "base_branch": "main"});
        let hash = action_hash("github", "merge_pull_request", Some("shop/api#12"), true, &parameters);
        assert_eq!(hash, "0fc36b87ff99be8067a70c200f784f92427d869fa582a61e0cf44a9b2e31a65d");
    }

    #[test]
    fn every_part_of_a_call_is_in_its_hash() {
        let base = action_hash("t", "a", Some("r"), true, &json!({"x": 1}));
        let others = [
            action_hash("T", "a", Some("r"), true, &json!({"x": 1})),
            action_hash("t", "A", Some("r"), true, &json!({"x": 1})),
            action_hash("t", "a", None, true, &json!({"x": 1})),
            action_hash("t", "a", Some(""), true, &json!({"x": 1})),
            action_hash("t", "a", Some("r"), false, &json!({"x": 1})),
            action_hash("t", "a", Some("r"), true, &json!({"x": 2})),
        ];
        assert!(others.iter().all(|other| *other != base));
        assert_eq!(others.iter().collect::<std::collections::BTreeSet<_>>().len(), others.len());
    }

    #[test]
    fn both_hashes_at_once_are_the_two_hashes() {
        let texts = ["plain", "déjà \"quoted\" \\ \n\u{1}\u{7f}\u{2028}", "\u{10000}\u{ffff}"];
        for (tool, action) in texts.iter().zip(texts.iter().rev()) {
            for resource in [None, Some((*tool).to_owned())] {
                let parameters =
                    json!({ "b": [1.5, 1e30, -0.0, null], "\u{ffff}": action, "\u{10000}": { "a": true } });
                let call = ToolCall {
                    tool: (*tool).to_owned(),
                    action: (*action).to_owned(),
                    resource,
                    mutates_state: true,
                    parameters,
                };
                let whole = action_hash(tool, action, call.resource.as_deref(), true, &call.parameters);
                assert_eq!(call_hashes(&call), (whole, argument_hash(&call.parameters)));
            }
        }
    }

    #[test]
    fn the_order_of_keys_is_not_in_a_hash() {
        let one: Value = serde_json::from_str(r#"{"a":1,"b":[1.0,true]}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"b":[1,true],"a":1e0}"#).unwrap();
        assert_eq!(argument_hash(&one), argument_hash(&other));
    }
}
