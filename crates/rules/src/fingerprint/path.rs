//! Paths into JSON: `$`, `$.field`, `$.field.field` and nothing else. And what a value is as text.

use std::fmt;

use serde_json::Value;

use crate::limits;
use crate::reading::problem::{Complaint, shown};

/// Where a value stands in a JSON document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonPath {
    fields: Vec<String>,
}

impl JsonPath {
    /// Reads a path as rule files write it.
    pub(super) fn read(text: &str) -> Result<Self, Complaint> {
        let refused = |help: &str| Complaint::with_help(format!("{} is not a path", shown(text)), help);
        let usual = "`$` is the whole body, `$.field.subfield` a value in it";
        let rest = text.strip_prefix('$').ok_or_else(|| refused(usual))?;
        if rest.is_empty() {
            return Ok(Self { fields: Vec::new() });
        }
        let fields: Vec<String> =
            rest.strip_prefix('.').ok_or_else(|| refused(usual))?.split('.').map(str::to_owned).collect();
        if fields.iter().any(String::is_empty) {
            return Err(refused(usual));
        }
        if rest.contains(|character: char| {
            "[]()*?@'\"".contains(character) || character.is_whitespace() || character.is_control()
        }) {
            return Err(refused("there are no indices, filters, wildcards or quoted keys"));
        }
        if fields.len() > limits::JSON_PATH_FIELDS {
            return Err(refused(&format!("at most {} fields", limits::JSON_PATH_FIELDS)));
        }
        Ok(Self { fields })
    }

    /// The value there.
    #[must_use]
    pub fn find<'j>(&self, json: &'j Value) -> Option<&'j Value> {
        self.fields.iter().try_fold(json, |value, field| value.as_object()?.get(field))
    }

    /// How many entries the array above has, if the path ends in `length` and stands below an array.
    pub(super) fn count(&self, json: &Value) -> Option<usize> {
        let (last, above) = self.fields.split_last()?;
        let above = Self { fields: above.to_vec() };
        (last == "length").then(|| above.find(json)?.as_array().map(Vec::len))?
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        self.fields.iter().try_for_each(|field| write!(f, ".{field}"))
    }
}

/// A value as text: strings as they are, numbers in plain decimals, `null` as nothing, the rest as JSON.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        // Whole numbers that were written with a fraction print without it.
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(path: &str, json: &Value) -> Option<String> {
        JsonPath::read(path).expect(path).find(json).map(text)
    }

    #[test]
    fn paths_lead_through_objects_only() {
        let json = json!({ "a": { "b": [1, { "c": 2 }], "x-y": null }, "length": 5 });
        for (path, expected) in [
            ("$", Some(json.to_string())),
            ("$.a.b", Some("[1,{\"c\":2}]".to_owned())),
            ("$.a.x-y", Some(String::new())),
            ("$.a.b.c", None),
            ("$.a.b.0", None),
            ("$.a.none", None),
            ("$.length", Some("5".to_owned())),
        ] {
            assert_eq!(found(path, &json), expected, "{path}");
        }
    }

    #[test]
    fn values_are_text_in_the_plainest_way() {
        for (value, expected) in [
            (json!("as is"), "as is"),
            (json!(true), "true"),
            (json!(3), "3"),
            (json!(3.0), "3"),
            (json!(-0.25), "-0.25"),
            (json!(1e21), "1000000000000000000000"),
            (json!(null), ""),
            (json!([1, "a"]), "[1,\"a\"]"),
            (json!({ "b": 1 }), "{\"b\":1}"),
        ] {
            assert_eq!(text(&value), expected);
        }
    }

    #[test]
    fn arrays_are_counted_and_fields_called_length_are_not() {
        let json = json!({ "models": [1, 2, 3], "box": { "length": 9 } });
        let count = |path: &str| JsonPath::read(path).expect(path).count(&json);
        assert_eq!(count("$.models.length"), Some(3));
        assert_eq!(
            (count("$.box.length"), count("$.models"), count("$.none.length"), count("$")),
            (None, None, None, None)
        );
        assert_eq!(JsonPath::read("$.length").expect("a path").count(&json!([1])), Some(1));
    }

    #[test]
    fn everything_else_is_refused() {
        for path in ["", "a", ".a", "$a", "$.", "$..a", "$.a.", "$.a[0]", "$['a']", "$.*", "$.a b", "$.a?(@.b)", "$[0]"]
        {
            assert!(JsonPath::read(path).is_err(), "{path}");
        }
        let long = |fields: usize| JsonPath::read(&format!("${}", ".a".repeat(fields)));
        assert!(long(limits::JSON_PATH_FIELDS).is_ok() && long(limits::JSON_PATH_FIELDS + 1).is_err());
    }
}
