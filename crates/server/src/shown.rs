//! A call as people may see it: without what looks like a secret, and of a size that can be read.
//!
//! Whoever approves a call has to see what it is, so its arguments are shown; what is in a field named like a secret, looks
//! like a token, or is as random as only a secret is, is replaced by its length. What was taken out can't be told from
//! what is left: the hash of the whole call binds it.

use serde_json::{Map, Value, json};
use tracehound_policy::request::ToolCall;

/// Longest text that is shown whole.
const LONGEST: usize = 4_096;
/// Most members of a list or object that are shown.
const MOST: usize = 200;

/// Words in the name of a field that holds a secret.
const SECRET_WORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "authorization",
    "credential",
    "private_key",
    "privatekey",
    "access_key",
    "accesskey",
    "session",
    "cookie",
    "bearer",
    "signature",
    "connection_string",
    "dsn",
    "otp",
    "pin",
];

/// How tokens of well-known services begin.
const TOKEN_BEGINNINGS: &[&str] = &[
    "sk-",
    "sk_",
    "pk_",
    "rk_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "AKIA",
    "ASIA",
    "AIza",
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "xoxr-",
    "xapp-",
    "eyJ",
    "ya29.",
    "hf_",
    "npm_",
    "dop_v1_",
    "SG.",
    "agent_tok_",
    "th_key_",
];

/// The call, with its arguments as people may see them.
pub(crate) fn call(call: &ToolCall, redacted_fields: &[String]) -> Value {
    let parameters = tracehound_policy::redacted(&call.parameters, redacted_fields);
    json!({
        "tool": cut(&call.tool), "action": cut(&call.action), "resource": call.resource.as_deref().map(text),
        "mutates_state": call.mutates_state, "parameters": value(&parameters),
    })
}

fn value(given: &Value) -> Value {
    match given {
        Value::String(given) => Value::String(text(given)),
        Value::Array(items) => {
            let mut shown: Vec<Value> = items.iter().take(MOST).map(value).collect();
            if items.len() > MOST {
                shown.push(Value::String(format!("… and {} more", items.len() - MOST)));
            }
            Value::Array(shown)
        }
        Value::Object(members) => object(members),
        Value::Null | Value::Bool(_) | Value::Number(_) => given.clone(),
    }
}

fn object(members: &Map<String, Value>) -> Value {
    let mut shown = Map::new();
    for (name, given) in members.iter().take(MOST) {
        let given = if is_secret_name(name) { taken_out(given) } else { value(given) };
        shown.insert(text(name), given);
    }
    if members.len() > MOST {
        shown.insert("…".to_owned(), Value::String(format!("and {} more", members.len() - MOST)));
    }
    Value::Object(shown)
}

/// Whatever is in a field named like a secret is one, unless it says nothing.
fn taken_out(given: &Value) -> Value {
    match given {
        Value::Null | Value::Bool(_) => given.clone(),
        Value::String(text) => Value::String(format!("[redacted, {} bytes]", text.len())),
        Value::Number(_) | Value::Array(_) | Value::Object(_) => Value::String("[redacted]".to_owned()),
    }
}

fn is_secret_name(name: &str) -> bool {
    let name = name.to_lowercase();
    SECRET_WORDS.iter().any(|word| name.contains(word))
}

/// A text without the parts that look like secrets. Linear in its length.
pub(crate) fn text(given: &str) -> String {
    if given.contains("-----BEGIN") {
        return format!("[redacted key, {} bytes]", given.len());
    }
    let mut shown = String::with_capacity(given.len().min(LONGEST));
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_-+/=.~".contains(letter);
    let mut rest = given;
    while !rest.is_empty() && shown.len() < LONGEST {
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        if looks_secret(word) {
            shown.push_str(&format!("[redacted, {} bytes]", word.len()));
        } else {
            shown.push_str(word);
        }
        let next = behind.find(is_part).unwrap_or(behind.len());
        let (between, after) = behind.split_at(next);
        shown.push_str(between);
        rest = after;
    }
    if !rest.is_empty() {
        shown.push_str(&format!("… ({} bytes in all)", given.len()));
    }
    // Who a URL authenticates as is not for showing either.
    if let Some((scheme, behind)) = shown.split_once("://")
        && let Some((user, host)) = behind.split_once('@')
        && user.contains(':')
        && !user.contains('/')
    {
        shown = format!("{scheme}://[redacted]@{host}");
    }
    shown
}

/// The arguments of a command without what is a secret: what stands behind a flag that is named like one, and what looks
/// like one.
pub(crate) fn arguments(given: &[String]) -> Vec<String> {
    let mut is_behind_secret = false;
    let mut shown = Vec::with_capacity(given.len());
    for argument in given {
        let is_flag = argument.starts_with('-');
        let named = argument.split_once('=').filter(|(name, _)| is_secret_name(name));
        shown.push(match named {
            Some((name, value)) => format!("{name}=[redacted, {} bytes]", value.len()),
            None if is_behind_secret && !is_flag => format!("[redacted, {} bytes]", argument.len()),
            None => text(argument),
        });
        is_behind_secret = is_flag && named.is_none() && is_secret_name(argument);
    }
    shown
}

fn cut(given: &str) -> String {
    match given.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}… ({} bytes in all)", given.get(..end).unwrap_or_default(), given.len()),
        None => given.to_owned(),
    }
}

/// Tokens of well-known services, and words as random as only a secret is.
fn looks_secret(word: &str) -> bool {
    let has_beginning = TOKEN_BEGINNINGS.iter().any(|beginning| word.starts_with(beginning));
    if has_beginning && word.len() >= 16 {
        return true;
    }
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = word.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_hash = matches!(word.len(), 40 | 64) && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_path = word.matches('/').count() > 1 || word.matches('.').count() > 2;
    word.len() >= 20 && has_digit && has_letter && !is_hash && !is_path && !is_uuid(word) && bits(word) > 3.5
}

fn is_uuid(word: &str) -> bool {
    word.len() == 36 && word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// How many bits a letter of the word carries, on average.
#[expect(clippy::cast_precision_loss, reason = "lengths of words")]
fn bits(word: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in word.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let length = word.len() as f64;
    let share = |count: &u32| f64::from(*count) / length;
    counts.iter().filter(|count| **count > 0).map(|count| -share(count) * share(count).log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_needs_to_see_stays() {
        for plain in [
            "Please merge the pull request, thank you.",
            "https://example.org/a/b?x=1",
            "/home/lena/projects/shop/api/src/main.rs",
            "550e8400-e29b-41d4-a716-446655440000",
            "0fc36b87ff99be8067a70c200f784f92427d869fa582a61e0cf44a9b2e31a65d",
            "déjà vu",
        ] {
            assert_eq!(text(plain), plain);
        }
    }

    #[test]
    fn what_looks_like_a_secret_is_taken_out() {
        let planted = ["ghp_abcdefghijklmnopqrst", "AKIAIOSFODNN7EXAMPLE", "q7Gd0Vx93kLmZp2RtYw8"];
        for secret in planted {
            let shown = text(&format!("use {secret} please"));
            assert!(!shown.contains(secret) && shown.starts_with("use [redacted"), "{shown}");
        }
        assert_eq!(text("postgres://joe:hunter2@db/x"), "postgres://[redacted]@db/x");
        assert!(!text("-----BEGIN PRIVATE KEY-----\nabc").contains("abc"));
    }

    #[test]
    fn fields_named_like_secrets_are_taken_out_at_any_depth() {
        let shown = value(&json!({ "a": [{ "db_password": "hunter2", "n": 1 }], "Authorization": { "x": "y" } }));
        let expected =
            json!({ "a": [{ "db_password": "[redacted, 7 bytes]", "n": 1 }], "Authorization": "[redacted]" });
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_stands_behind_a_flag_named_like_a_secret_is_taken_out() {
        let given = ["run", "--password", "hunter2", "--api-key=abc", "TOKEN=x", "--token", "--verbose", "/srv"];
        let shown = arguments(&given.map(str::to_owned));
        let expected = [
            "run",
            "--password",
            "[redacted, 7 bytes]",
            "--api-key=[redacted, 3 bytes]",
            "TOKEN=[redacted, 1 bytes]",
            "--token",
            "--verbose",
            "/srv",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_is_too_long_says_so() {
        let shown = text(&"a ".repeat(10_000));
        assert!(shown.len() < 5_000 && shown.contains("… ("), "{}", shown.len());
        let many = value(&Value::Array(vec![json!(1); 1_000]));
        assert_eq!(many.as_array().unwrap().last().unwrap(), "… and 800 more");
    }
}
