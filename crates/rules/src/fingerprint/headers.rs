//! Headers that a probe may send.
//!
//! A fingerprint asks as anybody may and is understood as asked: it brings no credentials, does not decide where one
//! request ends and the next begins, and does not turn a GET into something else.

use crate::limits;
use crate::reading::problem::{Complaint, shown};

/// Headers that a probe must not set, and why.
const REFUSED: &[(&str, &[&str])] = &[
    (
        "a probe asks without credentials",
        &["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token"],
    ),
    ("it would turn the request into another one", &["x-http-method-override", "x-http-method", "x-method-override"]),
    (
        "the client sets it itself",
        &[
            "host",
            "connection",
            "content-length",
            "transfer-encoding",
            "te",
            "trailer",
            "upgrade",
            "expect",
            "keep-alive",
            "proxy-connection",
            "accept-encoding",
        ],
    ),
];

/// What is wrong with the name of a header that a probe sends.
pub(super) fn refusal(name: &str) -> Option<Complaint> {
    let lower = name.to_ascii_lowercase();
    let reason = REFUSED.iter().find(|(_, names)| names.contains(&lower.as_str())).map(|(reason, _)| *reason);
    reason.map(|reason| Complaint::with_help(format!("a probe must not set {}", shown(name)), reason))
}

/// What is wrong with a header as such.
pub(super) fn problem(name: &str, value: &str) -> Option<Complaint> {
    if !is_name(name) {
        return Some(Complaint::new(format!("{} is not the name of a header", shown(name))));
    }
    if value.len() > limits::HEADER_BYTES {
        let most = limits::HEADER_BYTES;
        return Some(Complaint::new(format!("the value of {} is longer than {most} bytes", shown(name))));
    }
    // A line break would end the header and start another.
    let is_value = value.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~'));
    (!is_value).then(|| Complaint::new(format!("the value of {} must be printable ASCII", shown(name))))
}

/// Whether it is a token in the sense of HTTP, and short.
pub(super) fn is_name(name: &str) -> bool {
    (1..=limits::WORD_BYTES).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}
