//! What a server was given and must not be shown, wherever it comes back: in its answers, its errors, or its own words.

use std::borrow::Cow;
use std::fmt;

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

    /// What is in headers.
    pub(crate) fn of_headers(headers: &HeaderMap) -> Self {
        Self::new(headers.values().filter_map(|value| value.to_str().ok()).map(str::to_owned))
    }

    /// Bytes without secrets. What is no text is left as it is.
    pub(crate) fn bytes<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let clean = std::str::from_utf8(bytes).ok().and_then(|text| self.without(text));
        clean.map_or(Cow::Borrowed(bytes), |clean| Cow::Owned(clean.into_bytes()))
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
                let named: Vec<(String, String)> =
                    members.keys().filter_map(|key| Some((key.clone(), self.without(key)?))).collect();
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
    fn short_secrets_are_taken_out_as_words() {
        let secrets = Secrets::new(["1234".to_owned(), "abc".to_owned()]);
        assert_eq!(secrets.text("PIN=1234, 91234 and 1234"), "PIN=<hidden>, 91234 and <hidden>");
        assert_eq!(secrets.text("abc"), "abc");
    }
}
