//! The description of the API, for those who generate a client from it.

use serde_json::{Map, Value};

/// The document, with the members of every object in order, so that a change shows as what it is.
pub(super) fn document() -> String {
    let sorted = sorted(tracehound_server::document());
    // A value that was made from values can be written.
    let text = serde_json::to_string_pretty(&sorted).unwrap_or_default();
    format!("{text}\n")
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(String, Value)> = members.into_iter().collect();
            members.sort_by(|(a, _), (b, _)| a.cmp(b));
            members.into_iter().map(|(name, value)| (name, sorted(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        other => other,
    }
}
