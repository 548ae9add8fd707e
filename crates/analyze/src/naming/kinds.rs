//! Kinds of nodes and edges, as people type them.

use tracehound_model::{EdgeKind, NodeKind};

use super::{Suggestions, did_you_mean};

/// A word that is no kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no kind of {of} `{text}`{}", did_you_mean(suggestions))]
pub struct UnknownKind {
    of: &'static str,
    text: String,
    suggestions: Vec<String>,
}

impl UnknownKind {
    fn new<'k>(of: &'static str, text: &str, known: impl Iterator<Item = &'k str>) -> Self {
        Self { of, text: text.to_owned(), suggestions: Suggestions::among(text, known) }
    }
}

/// The kind of node with this name, whatever the case of its letters.
///
/// # Errors
/// When there is none, with what may have been meant.
pub fn node_kind(text: &str) -> Result<NodeKind, UnknownKind> {
    let known = NodeKind::ALL.iter().copied().find(|kind| kind.name().eq_ignore_ascii_case(text));
    known.ok_or_else(|| UnknownKind::new("node", text, NodeKind::ALL.iter().map(|kind| kind.name())))
}

/// The kind of edge with this name, whatever the case of its letters.
///
/// # Errors
/// When there is none, with what may have been meant.
pub fn edge_kind(text: &str) -> Result<EdgeKind, UnknownKind> {
    let known = EdgeKind::ALL.iter().copied().find(|kind| kind.name().eq_ignore_ascii_case(text));
    known.ok_or_else(|| UnknownKind::new("edge", text, EdgeKind::ALL.iter().map(|kind| kind.name())))
}
