//! What a server was given and must not be shown, wherever it comes back: in its answers, its errors, or its own words.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::HeaderMap;
use serde_json::Value;
use tracehound_rules::engine::effects::HIDDEN;

/// Shortest value that is taken out. Shorter ones are parts of any text.
const SHORTEST: usize = 4;
/// Values up to this length are taken out only where they are a word of their own.
const WORD: usize = 7;

/// Values that must not be shown. They are never printed, not even for debugging.
#[derive(Clone, Default)]
pub struct Secrets {
    /// The longest first, so that no rest of one is left where another is part of it.
    values: Vec<String>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.values.len())
    }
}

impl Secrets {
    /// The values, each also as it stands in a URL and without the scheme before it.
    pub(crate) fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut all: Vec<String> = Vec::new();
        for value in values {
            let bare = value.trim();
            let bare =
                bare.split_once(' ').map_or(bare, |(scheme, rest)| if is_scheme(scheme) { rest.trim() } else { bare });
            let encoded: String = form_urlencoded::byte_serialize(bare.as_bytes()).collect();
            all.extend([bare.to_owned(), bare.to_lowercase(), encoded]);
        }
        all.retain(|value| value.len() >= SHORTEST);
        all.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        all.dedup();
        Self { values: all }
    }

    /// The values, as they are.
    pub(crate) fn values(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(String::as_str)
    }

    /// A text without secrets.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        self.without(text).unwrap_or_else(|| text.to_owned())
    }

    /// A text without secrets, if there are any in it.
    fn without(&self, text: &str) -> Option<String> {
        let mut clean: Option<String> = None;
        for value in &self.values {
            let current = clean.as_deref().unwrap_or(text);
            if let Some(without) = replaced(current, value) {
                clean = Some(without);
            }
        }
        clean
    }

    /// Takes secrets out of every text of a value. Says whether there were any.
    ///
    /// The depth is bounded by that of what was parsed.
    pub(crate) fn clean(&self, value: &mut Value) -> bool {
        if self.values.is_empty() {
            return false;
        }
        match value {
            Value::String(text) => match self.without(text) {
                Some(clean) => {
                    *text = clean;
                    true
                }
                None => false,
            },
            // Each is cleaned, also when there was one before.
            Value::Array(items) => items.iter_mut().filter_map(|item| self.clean(item).then_some(())).count() > 0,
            Value::Object(members) => {
                let mut found = members.values_mut().filter_map(|member| self.clean(member).then_some(())).count() > 0;
                // A short secret may well be a word of the protocol.
                let is_long = |key: &&String| key.len() > WORD;
                let named: Vec<(String, String)> =
                    members.keys().filter(is_long).filter_map(|key| Some((key.clone(), self.without(key)?))).collect();
                for (key, clean) in named {
                    found = true;
                    if let Some(member) = members.remove(&key) {
                        members.insert(clean, member);
                    }
                }
                found
            }
            _ => false,
        }
    }
}

/// What is secret in headers: the values of those that carry credentials, and of others only what no person would type.
pub(crate) fn in_headers(headers: &HeaderMap) -> Vec<String> {
    let mut found = Vec::new();
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes()).trim().to_owned();
        let is_named = ["auth", "cookie", "key", "token", "secret", "password", "session", "signature"]
            .iter()
            .any(|word| name.as_str().contains(word));
        let is_random = value.len() >= 12 && value.bytes().any(|byte| byte.is_ascii_digit()) && !value.contains(' ');
        if !is_named && !is_random {
            continue;
        }
        // Behind a scheme, and behind the name of a cookie.
        let behind = value.split_once(' ').map(|(_, rest)| rest.trim().to_owned());
        let parts =
            value.split([';', ',']).filter_map(|part| part.split_once('=')).map(|(_, part)| part.trim().to_owned());
        found.extend(parts.filter(|part| part.len() > WORD));
        if let Some(pair) =
            behind.as_deref().and_then(|text| STANDARD.decode(text).ok()).and_then(|it| String::from_utf8(it).ok())
        {
            found.extend(pair.split_once(':').map(|(_, password)| password.to_owned()));
            found.push(pair);
        }
        found.extend(behind);
        found.push(value);
    }
    found
}

/// A text without a value, if that is in it.
fn replaced(text: &str, value: &str) -> Option<String> {
    if value.len() > WORD {
        return text.contains(value).then(|| text.replace(value, HIDDEN));
    }
    let mut out = String::new();
    let mut last = 0;
    for (at, _) in text.match_indices(value) {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + value.len()..).and_then(|after| after.chars().next());
        if ![before, after].into_iter().flatten().any(char::is_alphanumeric) {
            out.push_str(text.get(last..at).unwrap_or_default());
            out.push_str(HIDDEN);
            last = at + value.len();
        }
    }
    out.push_str(text.get(last..).unwrap_or_default());
    (last > 0).then_some(out)
}

fn is_scheme(word: &str) -> bool {
    ["bearer", "basic", "token", "apikey", "key", "digest"].iter().any(|scheme| word.eq_ignore_ascii_case(scheme))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_taken_out_wherever_they_stand() {
        let secrets = Secrets::new(["Bearer s3cr3t/value".to_owned(), "s3cr3t".to_owned(), "abc".to_owned()]);
        assert_eq!(
            secrets.text("x Bearer s3cr3t/value, s3cr3t%2Fvalue and s3cr3t; abc"),
            "x Bearer <hidden>, <hidden> and <hidden>; abc"
        );
        let mut value = json!({ "a s3cr3t": ["s3cr3t", { "b": "no" }], "c": 7 });
        assert!(secrets.clean(&mut value));
        assert_eq!(value, json!({ "a <hidden>": ["<hidden>", { "b": "no" }], "c": 7 }));
        assert!(!secrets.clean(&mut json!({ "b": "no" })));
        assert_eq!(format!("{secrets:?}"), "Secrets(3)");
    }

    #[test]
    fn headers_are_secret_where_they_carry_credentials() {
        let of = |name: &'static str, value: &str| {
            Secrets::new(in_headers(&HeaderMap::from_iter([(
                reqwest::header::HeaderName::from_static(name),
                reqwest::header::HeaderValue::from_bytes(value.as_bytes()).unwrap(),
            )])))
        };
        assert_eq!(of("x-mcp-readonly", "true").text("true by default"), "true by default");
        assert_eq!(of("authorization", "Splunk TOPsecret12345").text("a TOPsecret12345"), "a <hidden>");
        assert_eq!(of("cookie", "session=TOPsecret12345; x=y").text("a TOPsecret12345"), "a <hidden>");
        assert_eq!(
            of("authorization", "Basic dXNlcjpUT1BzZWNyZXQ=").text("a TOPsecret and user"),
            "a <hidden> and user"
        );
        assert_eq!(of("x-key", "pässTOPsecret99").text("a pässTOPsecret99"), "a <hidden>");
        let mut value = json!({ "tools": [], "note": "tools" });
        assert!(of("x-key", "tools").clean(&mut value));
        assert_eq!(value, json!({ "tools": [], "note": "<hidden>" }));
    }

    #[test]
    fn short_secrets_are_taken_out_as_words() {
        let secrets = Secrets::new(["1234".to_owned(), "abc".to_owned()]);
        assert_eq!(secrets.text("PIN=1234, 91234 and 1234"), "PIN=<hidden>, 91234 and <hidden>");
        assert_eq!(secrets.text("abc"), "abc");
    }
}
