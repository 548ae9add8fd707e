//! Asks one service for JSON: with the operator's key if there is one, within limits of size and time.

use std::fmt;
use std::time::Duration;

use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use serde_json::Value;
use tokio::time::Instant;

use super::Subject;
use super::limits::PARTS;
use crate::json;
use crate::net::Reading;

/// The way to one service.
#[derive(Debug)]
pub(super) struct Asker<'s> {
    reading: &'s Reading,
    headers: HeaderMap,
    /// Whether the key is sent along.
    pub(super) has_key: bool,
    until: Instant,
}

/// Why there is no answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The service says no.
    Status(u16),
    /// There was no answer, or none that could be read.
    Words(String),
    /// The time for this service is over.
    Late,
}

impl<'s> Asker<'s> {
    /// A way that is open for so long. Also tells why the key is not sent, if there is one and it is not.
    pub(super) fn new(subject: &Subject<'s>, time: Duration) -> (Self, Option<&'static str>) {
        let mut headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
        let mut problem = None;
        let mut has_key = false;
        if let Some(key) = subject.key {
            match key.header(subject.kind) {
                _ if !subject.reading.is_verified() => {
                    problem = Some("the key is not sent: the service's certificate is not valid");
                }
                Some((name, value)) => {
                    headers.insert(name, value);
                    has_key = true;
                }
                None => problem = Some("the key is not sent: it holds characters that no header can carry"),
            }
        }
        (Self { reading: subject.reading, headers, has_key, until: Instant::now() + time }, problem)
    }

    /// What stands at a path.
    pub(super) async fn json(&self, path: &str, bytes: usize) -> Result<Value, Trouble> {
        let asked = tokio::time::timeout_at(self.until, self.reading.get(path, &self.headers, bytes));
        let answer = asked.await.map_err(|_| Trouble::Late)?.map_err(|error| Trouble::Words(error.to_string()))?;
        if answer.status != 200 {
            // The body of a refusal may repeat what was sent, and is not looked at.
            return Err(Trouble::Status(answer.status));
        }
        let parts = answer.body.iter().filter(|byte| matches!(byte, b',' | b':' | b'[' | b'{')).count();
        if parts > PARTS {
            return Err(Trouble::Words(format!("the answer has more than {PARTS} parts")));
        }
        json::parse(&answer.body).map_err(|error| Trouble::Words(format!("the answer is not JSON: {error}")))
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status @ (401 | 403)) => {
                write!(f, "the answer is {status}: it wants a key that may read this")
            }
            Self::Status(status) => write!(f, "the answer is {status}"),
            Self::Words(words) => f.write_str(words),
            Self::Late => f.write_str("the time for this service is over"),
        }
    }
}

/// A part of a path with everything escaped that has a meaning in one. `None` for what would lead elsewhere.
pub(super) fn escaped(part: &str) -> Option<String> {
    if matches!(part, "" | "." | "..") {
        return None;
    }
    let mut out = String::with_capacity(part.len());
    for byte in part.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => {
                out.push('%');
                out.push_str(&tracehound_model::hash::hex(&[byte]).to_uppercase());
            }
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere_but_to_what_they_name() {
        for (part, expected) in [
            ("notes.ipynb", Some("notes.ipynb")),
            ("a b/c?d#e%", Some("a%20b%2Fc%3Fd%23e%25")),
            ("ä", Some("%C3%A4")),
            ("...", Some("...")),
            ("..", None),
            (".", None),
            ("", None),
        ] {
            assert_eq!(escaped(part).as_deref(), expected, "{part}");
        }
    }
}
