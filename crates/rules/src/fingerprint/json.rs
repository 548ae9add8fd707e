//! JSON from strangers: read within limits, and not at all if a key stands twice.
//!
//! Parsers disagree about which of two equal keys counts, so a document that has them means nothing certain.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::limits;

/// Reads one JSON document, or says why it is none.
pub(super) fn read(text: &str) -> Result<Value, String> {
    let values = Cell::new(0);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Bounded { depth: 0, values: &values }.deserialize(&mut deserializer);
    let value = value.and_then(|value| deserializer.end().map(|()| value));
    value.map_err(|error| error.to_string())
}

/// Reads a value at a depth and counts it.
#[derive(Clone, Copy)]
struct Bounded<'c> {
    depth: usize,
    values: &'c Cell<usize>,
}

impl Bounded<'_> {
    fn inner<E: Error>(self) -> Result<Self, E> {
        if self.depth >= limits::JSON_DEPTH {
            return Err(E::custom(format_args!("nested deeper than {} levels", limits::JSON_DEPTH)));
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.values.set(self.values.get() + 1);
        if self.values.get() > limits::JSON_VALUES {
            return Err(D::Error::custom(format_args!("more than {} values", limits::JSON_VALUES)));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(inner)?;
            if object.insert(key, value).is_some() {
                return Err(A::Error::custom("a key stands twice in one object"));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn problem(text: &str) -> String {
        read(text).expect_err(&text.chars().take(80).collect::<String>())
    }

    #[test]
    fn json_is_read_as_it_is() {
        let text = r#" {"a": [null, true, -1, 18446744073709551615, 0.5, "\u00e9"], "b": {}} "#;
        assert_eq!(read(text), Ok(json!({ "a": [null, true, -1, u64::MAX, 0.5, "é"], "b": {} })));
        assert_eq!(read("3"), Ok(json!(3)));
    }

    #[test]
    fn what_is_not_json_says_where() {
        assert_eq!(problem("<html>"), "expected value at line 1 column 1");
        assert_eq!(problem("{} {}"), "trailing characters at line 1 column 4");
        assert!(problem("").starts_with("EOF"));
    }

    #[test]
    fn a_key_that_stands_twice_makes_it_no_json_at_any_depth() {
        assert!(problem(r#"{"a": 1, "a": 1}"#).starts_with("a key stands twice in one object"));
        assert!(problem(r#"[{"x": {"a": 1, "\u0061": 2}}]"#).starts_with("a key stands twice in one object"));
        assert!(read(r#"[{"a": 1}, {"a": 1}]"#).is_ok());
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read(&nested(limits::JSON_DEPTH)).is_ok());
        assert!(problem(&nested(limits::JSON_DEPTH + 1)).starts_with("nested deeper than 64 levels"));
        let objects = |depth: usize| format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
        assert!(read(&objects(limits::JSON_DEPTH)).is_ok());
        assert!(problem(&objects(1000)).starts_with("nested deeper than 64 levels"));
    }

    #[test]
    fn the_number_of_values_is_bounded() {
        let list = |values: usize| format!("[{}0]", "0,".repeat(values - 2));
        assert!(read(&list(limits::JSON_VALUES)).is_ok());
        assert!(problem(&list(limits::JSON_VALUES + 1)).starts_with("more than 200000 values"));
    }
}
