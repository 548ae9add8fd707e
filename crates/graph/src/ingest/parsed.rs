//! A document that was read: compact rows over one buffer, ready to become facts.

use tracehound_model::wire::Covers;
use tracehound_model::{Collector, EdgeKind};

use super::Warnings;
use super::local_ids::{LocalId, LocalIds};
use crate::keys::Keys;

/// A stretch of the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// A node: its id, and its labels followed by its properties.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ParsedNode {
    pub(crate) id: LocalId,
    pub(crate) blob: Span,
}

/// An edge: its ends and its properties.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ParsedEdge {
    pub(crate) kind: EdgeKind,
    pub(crate) source: LocalId,
    pub(crate) target: LocalId,
    pub(crate) bag: Span,
}

/// The head of a document.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub(crate) collector: Collector,
    pub(crate) collector_version: String,
    pub(crate) scan_id: String,
    /// As given; whether it can be used is decided against the clock.
    pub(crate) timestamp: String,
    pub(crate) origin: String,
    /// What it says it covers. Absent: the parents whose children it lists.
    pub(crate) covers: Option<Covers>,
}

/// A document that broke no rule.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) head: Head,
    pub(crate) ids: LocalIds,
    pub(crate) buffer: Vec<u8>,
    pub(crate) nodes: Vec<ParsedNode>,
    pub(crate) edges: Vec<ParsedEdge>,
    pub(crate) keys: Keys,
    pub(crate) warnings: Warnings,
}

impl Parsed {
    /// The bytes of a stretch of the buffer.
    pub(crate) fn bytes(&self, span: Span) -> &[u8] {
        bytes_of(&self.buffer, span)
    }
}

/// The bytes of a stretch.
pub(super) fn bytes_of(buffer: &[u8], span: Span) -> &[u8] {
    buffer.get(span.start as usize..span.end as usize).unwrap_or_default()
}
