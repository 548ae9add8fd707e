//! The canonical JSON form: one text for one value, so that equal content has equal hashes.
//!
//! Compact, object keys sorted bytewise, numbers rendered from their IEEE double. Two dialects differ only in which
//! characters strings escape; neither looks at what the value means.

use std::fmt::Write as _;

use serde_json::Value;

/// Which characters of a string are escaped beyond what JSON demands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escapes {
    /// Also `<`, `>`, `&`, U+2028 and U+2029: the form behind `description_hash` and schema texts.
    Html,
    /// Nothing more: the form behind signed agent cards.
    Minimal,
}

/// The form behind `description_hash`, `input_schema` and every object that a property holds.
#[must_use]
pub fn text(value: &Value) -> String {
    encode(value, Escapes::Html)
}

/// The form that signatures of agent cards cover.
#[must_use]
pub fn signing_text(value: &Value) -> String {
    encode(value, Escapes::Minimal)
}

fn encode(value: &Value, escapes: Escapes) -> String {
    let mut out = String::new();
    write_value(&mut out, value, escapes);
    out
}

fn write_value(out: &mut String, value: &Value, escapes: Escapes) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        // A JSON number always has a double; what lies beyond 2^53 is rounded, as the form demands.
        Value::Number(number) => write_number(out, number.as_f64().unwrap_or(0.0)),
        Value::String(text) => write_string(out, text, escapes),
        Value::Array(items) => {
            out.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                write_value(out, item, escapes);
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
            sorted.sort_unstable_by_key(|(key, _)| key.as_str());
            out.push('{');
            for (position, (key, member)) in sorted.into_iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                write_string(out, key, escapes);
                out.push(':');
                write_value(out, member, escapes);
            }
            out.push('}');
        }
    }
}

/// Shortest digits that read back as the same double; plain decimal within 1e-6 ≤ |x| < 1e21, else an exponent.
fn write_number(out: &mut String, number: f64) {
    let size = number.abs();
    if number == 0.0 {
        out.push_str(if number.is_sign_negative() { "-0" } else { "0" });
    } else if (1e-6..1e21).contains(&size) {
        // Display never uses an exponent and prints whole numbers without a fraction.
        let _ = write!(out, "{number}");
    } else {
        let digits = format!("{number:e}");
        match digits.split_once('e') {
            Some((mantissa, exponent)) if !exponent.starts_with('-') => {
                let _ = write!(out, "{mantissa}e+{exponent}");
            }
            _ => out.push_str(&digits),
        }
    }
}

fn write_string(out: &mut String, text: &str, escapes: Escapes) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{0}'..='\u{1f}' => write_unicode_escape(out, character),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' if escapes == Escapes::Html => {
                write_unicode_escape(out, character)
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

fn write_unicode_escape(out: &mut String, character: char) {
    let _ = write!(out, "\\u{:04x}", u32::from(character));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(value: &Value, expected: &str) {
        assert_eq!(text(value), expected);
    }

    #[test]
    fn keys_are_sorted_at_every_level() {
        check(&json!({"b": {"z": 1, "a": [true, null]}, "a": "x"}), r#"{"a":"x","b":{"a":[true,null],"z":1}}"#);
    }

    #[test]
    fn numbers_are_rendered_from_their_double() {
        check(&json!(1.0), "1");
        check(&json!(-2.50), "-2.5");
        check(&json!(1e21), "1e+21");
        check(&json!(1e20), "100000000000000000000");
        check(&json!(1e-7), "1e-7");
        check(&json!(1.5e-9), "1.5e-9");
        check(&json!(0.000_001), "0.000001");
        check(&json!(9_007_199_254_740_993_i64), "9007199254740992");
    }

    #[test]
    fn strings_escape_what_the_form_lists_and_nothing_else() {
        check(&json!("\u{1}\u{8}\u{c}\n\r\t\"\\/é\u{7f}"), "\"\\u0001\\b\\f\\n\\r\\t\\\"\\\\/é\u{7f}\"");
        check(&json!("<a>&\u{2028}\u{2029}"), r#""\u003ca\u003e\u0026\u2028\u2029""#);
        assert_eq!(signing_text(&json!("<a>&\u{2028}")), "\"<a>&\u{2028}\"");
    }
}
