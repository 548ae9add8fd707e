//! Taking the values of named fields out of a call's arguments, wherever they are.

use serde_json::Value;

/// What stands in the place of a value that was taken out.
pub const REDACTED: &str = "[redacted]";

/// The arguments without the values of these fields, at any depth. Names are compared without regard to case.
///
/// Linear in the size of the arguments for a fixed list of fields.
#[must_use]
pub fn redacted<S: AsRef<str>>(parameters: &Value, fields: &[S]) -> Value {
    match parameters {
        Value::Array(items) => items.iter().map(|item| redacted(item, fields)).collect(),
        Value::Object(members) => {
            let is_named = |name: &str| fields.iter().any(|field| same(field.as_ref(), name));
            let member = |(name, value): (&String, &Value)| {
                let value = if is_named(name) { Value::from(REDACTED) } else { redacted(value, fields) };
                (name.clone(), value)
            };
            Value::Object(members.iter().map(member).collect())
        }
        other => other.clone(),
    }
}

fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other) || one.to_lowercase() == other.to_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn named_fields_lose_their_values_at_any_depth() {
        let arguments = json!({"Token": "t", "list": [{"password": {"a": 1}}, "token"], "tokens": 1});
        let expected = json!({"Token": REDACTED, "list": [{"password": REDACTED}, "token"], "tokens": 1});
        assert_eq!(redacted(&arguments, &["token", "password"]), expected);
    }
}
