//! What a service answered, kept within limits.

use std::sync::OnceLock;

use serde_json::Value;

use super::json;
use crate::limits;

/// What a service answered.
#[derive(Debug)]
pub struct Response {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
    /// Why the body can't be taken for what the service meant, whatever it looks like.
    flaw: Option<Flaw>,
    json: OnceLock<Result<Value, String>>,
}

/// What keeps a body from being what the service meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flaw {
    Cut,
    NotText,
}

impl Response {
    /// An answer. Of a longer body than [`limits::RESPONSE_BYTES`] the beginning is kept; it is no JSON then, and equals
    /// nothing. Bytes that are not UTF-8 are replaced, and it is no JSON either.
    #[must_use]
    pub fn new(status: u16, headers: Vec<(String, String)>, mut body: Vec<u8>) -> Self {
        let is_cut = body.len() > limits::RESPONSE_BYTES;
        body.truncate(limits::RESPONSE_BYTES);
        let body = String::from_utf8(body).map_err(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let flaw = match (&body, is_cut) {
            (_, true) => Some(Flaw::Cut),
            (Err(_), false) => Some(Flaw::NotText),
            (Ok(_), false) => None,
        };
        let (Ok(body) | Err(body)) = body;
        Self { status, headers, body, flaw, json: OnceLock::new() }
    }

    /// The status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// The headers, in the order in which they came.
    #[must_use]
    pub fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// The values of a header, whose name may be written in any case.
    pub fn header<'r>(&'r self, name: &'r str) -> impl Iterator<Item = &'r str> {
        self.headers.iter().filter(move |(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.body
    }

    /// Whether only the beginning of the body is here.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        matches!(self.flaw, Some(Flaw::Cut))
    }

    /// The body as JSON, if it is JSON within the limits. Read when it is first asked for, and once.
    #[must_use]
    pub fn json(&self) -> Option<&Value> {
        self.read().as_ref().ok()
    }

    /// Why the body is not JSON.
    #[must_use]
    pub fn json_problem(&self) -> Option<&str> {
        self.read().as_ref().err().map(String::as_str)
    }

    fn read(&self) -> &Result<Value, String> {
        self.json.get_or_init(|| match self.flaw {
            Some(Flaw::Cut) => Err(format!("the body is longer than {} KiB", limits::RESPONSE_BYTES >> 10)),
            Some(Flaw::NotText) => Err("the body is not UTF-8 text".to_owned()),
            None => json::read(self.body.strip_prefix('\u{feff}').unwrap_or(&self.body)),
        })
    }
}

/// Whether the JSON was read already is no part of what was answered.
impl PartialEq for Response {
    fn eq(&self, other: &Self) -> bool {
        (self.status, self.flaw) == (other.status, other.flaw)
            && self.headers == other.headers
            && self.body == other.body
    }
}

impl Clone for Response {
    fn clone(&self) -> Self {
        let (headers, body) = (self.headers.clone(), self.body.clone());
        Self { status: self.status, headers, body, flaw: self.flaw, json: OnceLock::new() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with_body(body: impl Into<Vec<u8>>) -> Response {
        Response::new(200, vec![("Server".into(), "one".into()), ("server".into(), "two".into())], body.into())
    }

    #[test]
    fn json_is_there_or_there_is_a_reason() {
        let good = with_body("\u{feff}{\"a\":1}");
        assert_eq!((good.json(), good.json_problem()), (Some(&json!({ "a": 1 })), None));
        for (body, expected) in [
            (&b"plain"[..], "expected value at line 1 column 1"),
            (b"{\"a\":1,\"a\":2}", "a key stands twice in one object at line 1 column 13"),
            (b"\"\xff\"", "the body is not UTF-8 text"),
        ] {
            let response = with_body(body);
            assert_eq!((response.json(), response.json_problem()), (None, Some(expected)));
        }
    }

    #[test]
    fn a_body_that_is_too_long_is_cut_and_is_no_json() {
        let whole = with_body(format!("{}1", " ".repeat(limits::RESPONSE_BYTES - 1)));
        assert!(!whole.is_cut() && whole.json() == Some(&json!(1)));
        let longer = with_body(format!("1{}", " ".repeat(limits::RESPONSE_BYTES)));
        assert_eq!(longer.body().len(), limits::RESPONSE_BYTES);
        assert!(longer.is_cut() && longer.json_problem() == Some("the body is longer than 1024 KiB"));
    }

    #[test]
    fn every_value_of_a_header_is_found_by_its_name_in_any_case() {
        assert_eq!(with_body("").header("SERVER").collect::<Vec<_>>(), ["one", "two"]);
    }
}
