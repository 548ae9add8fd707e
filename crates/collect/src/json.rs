//! JSON from outside: what means two things to two readers is refused.
//!
//! Of a member that stands twice some readers take the first and others the last, so a signature could be checked over
//! one and the other believed.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads one value. Depth is limited by the parser, size by whoever calls.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut from = serde_json::Deserializer::from_slice(bytes);
    let mut value = Strict.deserialize(&mut from).map_err(|error| error.to_string())?;
    from.end().map_err(|error| error.to_string())?;
    // In which order somebody wrote the members must not show.
    value.sort_all_objects();
    Ok(value)
}

/// The members of an object by name, however they are kept.
pub(crate) fn by_name(members: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
    sorted.sort_unstable_by_key(|(name, _)| name.as_str());
    sorted
}

/// Text from outside, for a message: short, and nothing in it that a terminal obeys.
pub(crate) fn shown(text: &str) -> String {
    const LENGTH: usize = 80;
    let mut shown: String = text.chars().take(LENGTH).flat_map(char::escape_debug).collect();
    if text.chars().nth(LENGTH).is_some() {
        shown.push('…');
    }
    shown
}

/// What a value is, for a message.
pub(crate) fn sort(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = from.next_element_seed(Strict)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = from.next_key::<String>()? {
            let value = from.next_value_seed(Strict)?;
            if members.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the member `{}` stands twice", shown(&key))));
            }
            members.insert(key, value);
        }
        Ok(Value::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_written() {
        let text = r#"{"a":[1,-2,1.5,null,true,"\u00e9"],"b":{"c":{}}}"#;
        assert_eq!(parse(text.as_bytes()), Ok(serde_json::from_str(text).unwrap()));
        assert!(parse(b"\xef\xbb\xbf{}").is_ok());
    }

    #[test]
    fn what_two_readers_may_read_differently_is_refused() {
        for (text, words) in [
            (r#"{"a":{"b":1,"b":2}}"#, "`b` stands twice"),
            (r#"{"a":1} {"a":2}"#, "trailing characters"),
            (r#"{"\u001b[2J":1,"\u001b[2J":2}"#, r"`\u{1b}[2J` stands twice"),
            (&"[".repeat(200), "recursion limit"),
            ("", "EOF"),
        ] {
            let error = parse(text.as_bytes()).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }
}
