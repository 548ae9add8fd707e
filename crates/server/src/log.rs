//! One line for everything that whoever runs the server has to know. What callers sent is escaped and cut.

use std::error::Error;
use std::io::Write as _;

/// Something failed: what was done, and why, with all causes.
pub(crate) fn failure(doing: &str, error: &dyn Error) {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    note(&format!("{doing}: {text}"));
}

/// Something that is worth knowing.
pub(crate) fn note(text: &str) {
    let shown: String = text.chars().take(2_000).flat_map(char::escape_debug).collect();
    // Nobody is left to tell when standard error is gone.
    let _ = writeln!(std::io::stderr().lock(), "{} {shown}", tracehound_evidence::Moment::now());
}
