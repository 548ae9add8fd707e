//! What is wrong with a policy, with its place.

use miette::Diagnostic;
use serde::Serialize;

/// Something wrong with a policy, so that it can't be used.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, thiserror::Error, utoipa::ToSchema)]
#[error("{policy}:{line}:{column}: {message}")]
#[schema(as = PolicyProblem)]
pub struct Problem {
    /// The key of the policy.
    pub policy: String,
    /// The line in its text, counted from one.
    pub line: usize,
    /// The column in characters, counted from one.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// Something about a policy that is probably not meant.
pub type Warning = Problem;

impl Problem {
    /// A problem at a byte of the policy's text.
    pub(crate) fn at(policy: &str, body: &str, offset: usize, message: impl Into<String>) -> Self {
        let (line, column) = place(body, offset);
        Self { policy: policy.to_owned(), line, column, message: message.into(), help: None }
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// A problem as Cedar tells it. Without a place of its own it is placed at `fallback`.
    pub(crate) fn of(policy: &str, body: &str, diagnostic: &dyn Diagnostic, fallback: usize) -> Self {
        let first = diagnostic.labels().and_then(|mut labels| labels.next());
        let offset = first.as_ref().map_or(fallback, |label| label.offset());
        let label = first.as_ref().and_then(|label| label.label());
        let message = match label {
            Some(label) => format!("{diagnostic} ({label})"),
            None => diagnostic.to_string(),
        };
        let help = diagnostic.help().map(|help| help.to_string());
        Self { help, ..Self::at(policy, body, offset, message) }
    }
}

/// Line and column of a byte, counted from one; the column in characters.
pub(crate) fn place(body: &str, offset: usize) -> (usize, usize) {
    let mut end = offset.min(body.len());
    while !body.is_char_boundary(end) {
        end -= 1;
    }
    let before = body.get(..end).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}
