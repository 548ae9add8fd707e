//! Content hashes: bare lower-case hex SHA-256 of exactly the bytes that each property's definition names.

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::canonical;

/// Hex SHA-256 of some bytes: `InstructionFile.hash`, `card_hash`, `instructions_hash`, `input_schema_hash`.
#[must_use]
pub fn content(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes.as_ref()))
}

/// `Credential.value_hash`: the hash of the secret exactly as given. Equal hashes join credentials across collectors.
#[must_use]
pub fn credential_value(value: &str) -> String {
    content(value)
}

/// `description_hash` of a tool. A tool without a usable schema hashes as one whose schema is `null`.
#[must_use]
pub fn tool_description(name: &str, description: &str, input_schema: Option<&Value>) -> String {
    let schema = input_schema.filter(|schema| schema.is_object()).cloned().unwrap_or(Value::Null);
    let mut object = described(name, description);
    object.insert("schema".to_owned(), schema);
    content(canonical::text(&Value::Object(object)))
}

/// `description_hash` of a skill, which has no schema.
#[must_use]
pub fn skill_description(name: &str, description: &str) -> String {
    content(canonical::text(&Value::Object(described(name, description))))
}

/// Lower-case hex of some bytes.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    // As bytes: ids of nodes are written this way, and there are millions of them.
    let mut text = Vec::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.extend(digits(*byte));
    }
    String::from_utf8(text).unwrap_or_default()
}

/// The two lower-case hex digits of a byte.
pub(crate) fn digits(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [byte >> 4, byte & 15].map(|nibble| DIGITS.get(usize::from(nibble)).copied().unwrap_or(b'0'))
}

fn described(name: &str, description: &str) -> Map<String, Value> {
    Map::from_iter([
        ("name".to_owned(), Value::String(name.to_owned())),
        ("description".to_owned(), Value::String(description.to_owned())),
    ])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn credential_values_hash_as_given() {
        for (value, expected) in [
            ("my-secret-password", "a9c90c47c231afb31950169ccb89951337eb0689d31660e32c34835bb7018c0c"),
            ("Bearer sk-test-12345", "f63c277c494561500c86768528e69d14d2f1751c8a42655e2855ed4f93a93264"),
            ("$REAL_TOKEN", "c9e3b25e184a4dcb17727a8efd61c66b8bd57764a643b33bf35f03facce18e77"),
            ("sk-merge-key-target", "5218a406a4b2c4b34d495c535156799e86eb77b7b6afd519b5fdf2bbd33f54d9"),
            ("openai:gpt-4o", "1cffe3377158dfa0a5629baa99bfa75886a5b9c85a9885c6c60544d05603398d"),
            ("virtual:key-1", "206e30f5e6fd4a98f375ce8105d0f4e0fffbd0299da2d726554bfcdf79a92267"),
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ] {
            assert_eq!(credential_value(value), expected, "{value}");
        }
    }

    #[test]
    fn tool_descriptions_hash_in_canonical_form() {
        let command = json!({"type": "object", "properties": {"command": {"type": "string"}}});
        let number = json!({"type": "object", "properties": {"n": {"type": "number", "minimum": 1.0}}});
        let object = json!({"type": "object"});
        for (name, description, schema, expected) in [
            (
                "run_shell",
                "Execute a shell command",
                Some(&command),
                "b1eef37d791eb8757f95187850abc37b4c5fe84ca6f24982d7100bde0960855e",
            ),
            ("ping", "Returns pong", None, "a2725fa1c8fc99b48890148183ea9fdeaf7d2e1944e3ad41e5a5c96b0815542a"),
            (
                "evil",
                "<IMPORTANT>a & b</IMPORTANT>",
                Some(&object),
                "dde4d791cc82eb8d18f96f97754dc61f0f8c772de6b32bdf22fe3c05c89e7021",
            ),
            ("t", "naïve", Some(&number), "26595b1ad9afe62a6b88b196b46f64a10b93197c6913e57260e4226512877865"),
        ] {
            assert_eq!(tool_description(name, description, schema), expected, "{name}");
        }
        assert_eq!(
            tool_description("ping", "Returns pong", Some(&json!("no object"))),
            tool_description("ping", "Returns pong", None)
        );
    }

    #[test]
    fn the_encoded_forms_behind_the_hashes_are_as_published() {
        let schema = json!({"type": "object", "properties": {"command": {"type": "string"}}});
        let tool = json!({"name": "run_shell", "schema": schema, "description": "Execute a shell command"});
        assert_eq!(
            canonical::text(&tool),
            r#"{"description":"Execute a shell command","name":"run_shell","schema":{"properties":{"command":{"type":"string"}},"type":"object"}}"#
        );
    }

    #[test]
    fn skill_descriptions_hash_without_a_schema() {
        assert_eq!(
            skill_description("GetWeather", "Get current weather for a location"),
            "04258e81a1b3ea9b0f39b8de284b7d7d0aa7273ad74e7b61804e624ba70181cd"
        );
    }

    #[test]
    fn contents_hash_byte_for_byte() {
        for (bytes, expected) in [
            (
                r#"{"properties":{"command":{"type":"string"}},"type":"object"}"#,
                "da8c8eacc2f75f7b1ad1225c3ed75e2c43ee31f6d1976d8add615735e4aa9664",
            ),
            ("PostgreSQL database access server", "8fc6fa7e923f4a7b4edacffdc8127e30683811320d24d14d97b40e041091355f"),
            (
                r#"{"name":"WeatherAgent","url":"https://weather.example.com/a2a"}"#,
                "a88e4637db699e7dc47dce707e80c73eb1b955e8203d433884acf781e7c9589f",
            ),
            (
                "{ \"name\": \"WeatherAgent\", \"url\": \"https://weather.example.com/a2a\" }\n",
                "de14062f002f50cc43d775b9e4f0d4f2597d094d3ab226cc93baa4525fce2178",
            ),
            (
                "# Normal instructions\nDo your best.",
                "e42130c0dff9edf6da5f56af402e247f5df42bb1009a88109ca8b91dbb4c0e25",
            ),
            ("Use typescript.\n", "b402e345816fc976447c2c63aa2c65f171fe3a9ff63fea7e2d3cdf273a12a0d3"),
            (
                "FROM tinyllama\nSYSTEM You are support.\n",
                "6babb736264cc9b46cb0da815b8b4045bdb45c0b9ddd919debbb86bdb8fe34f1",
            ),
        ] {
            assert_eq!(content(bytes), expected, "{bytes}");
        }
    }

    #[test]
    fn a_signed_card_is_hashed_without_its_signatures_and_without_html_escapes() {
        let mut card = json!({"url": "https://a.example", "signatures": [{"protected": "x"}], "name": "A<b>&"});
        card.as_object_mut().unwrap().remove("signatures");
        let payload = canonical::signing_text(&card);
        assert_eq!(payload, r#"{"name":"A<b>&","url":"https://a.example"}"#);
        assert_eq!(content(payload), "0a062fbc68484a266b8bad4f44082db12eaf8334a2be5191966dd01d515e9883");
    }
}
