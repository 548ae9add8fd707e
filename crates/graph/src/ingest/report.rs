//! What ingest has to say about a document: problems that refuse it and warnings that don't.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// How many problems, and warnings of one sort, are kept word for word. All are counted.
const KEPT: usize = 1_000;
/// How many problems the one-line form shows.
const SHOWN: usize = 3;
/// How much of somebody else's text a message repeats.
const EXCERPT: usize = 80;

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Where, such as `graph.nodes[3].kinds[0]`.
    pub path: String,
    /// What is wrong and what would be right.
    pub message: String,
}

/// All broken rules of a document, in document order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Problems {
    /// How many there are.
    pub total: usize,
    /// The first thousand of them.
    pub problems: Vec<Problem>,
}

impl Problems {
    /// Adds one.
    pub(super) fn add(&mut self, path: impl FnOnce() -> String, message: impl Into<String>) {
        self.total += 1;
        if self.problems.len() < KEPT {
            self.problems.push(Problem { path: path(), message: message.into() });
        }
    }

    /// Adds those of another list behind its own.
    pub(super) fn append(&mut self, other: Self) {
        self.total += other.total;
        let room = KEPT.saturating_sub(self.problems.len());
        self.problems.extend(other.problems.into_iter().take(room));
    }

    /// Whether the document breaks no rule.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = if self.total == 1 { "error" } else { "errors" };
        write!(f, "validation failed: {} {noun}", self.total)?;
        for problem in self.problems.iter().take(SHOWN) {
            write!(f, "; {}: {}", problem.path, problem.message)?;
        }
        Ok(())
    }
}

/// What sort of thing a warning is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WarningCode {
    /// The document's time could not be used; the time of ingest stands for it.
    TimestampReplaced,
    /// `meta.extra` says who speaks or what is covered in a form that we don't read; nothing is taken as covered.
    CoversUnreadable,
    /// An id is not `sha256:` and 64 hex digits.
    UnusualId,
    /// A node id stands more than once.
    DuplicateNode,
    /// An edge's ends are of kinds that such an edge can't have; it is left out.
    EndpointMismatch,
    /// An object, or a list of mixed types, is kept as JSON text.
    KeptAsText,
    /// Two keys mean the same property; one was taken.
    KeyCollision,
}

/// All warnings of one sort.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The sort.
    pub code: WarningCode,
    /// How many there are.
    pub total: usize,
    /// The first thousand of them.
    pub places: Vec<Problem>,
}

/// The warnings of a document by sort.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Warnings(BTreeMap<WarningCode, Warning>);

impl Warnings {
    pub(super) fn add(&mut self, code: WarningCode, path: impl FnOnce() -> String, message: impl FnOnce() -> String) {
        let warning = self.0.entry(code).or_insert_with(|| Warning { code, total: 0, places: Vec::new() });
        warning.total += 1;
        if warning.places.len() < KEPT {
            warning.places.push(Problem { path: path(), message: message() });
        }
    }

    pub(crate) fn into_list(self) -> Vec<Warning> {
        self.0.into_values().collect()
    }
}

/// The beginning of a text, in back-ticks, for a message. Control characters are shown escaped.
pub(super) fn excerpt(text: &str) -> String {
    let mut shown: String = text.chars().take(EXCERPT).flat_map(char::escape_debug).collect();
    if text.chars().nth(EXCERPT).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_counted_and_a_bounded_number_is_kept() {
        let mut problems = Problems::default();
        for index in 0..5_000 {
            problems.add(|| format!("graph.nodes[{index}].id"), "is empty");
        }
        assert_eq!((problems.total, problems.problems.len()), (5_000, KEPT));
        assert!(problems.to_string().starts_with("validation failed: 5000 errors; graph.nodes[0].id: is empty; "));
    }

    #[test]
    fn excerpts_are_short_and_show_control_characters() {
        assert_eq!(excerpt("a\u{1b}[31mb"), "`a\\u{1b}[31mb`");
        assert_eq!(excerpt(&"x".repeat(500)).chars().count(), EXCERPT + 3);
    }
}
