//! Where a list goes on.
//!
//! A place in a list means something only as long as the list is the same. So a cursor also says of which estate it is, and
//! one of an estate that has changed since is refused instead of leaving something out.

use std::hash::{Hash as _, Hasher as _};

use crate::estate::At;
use crate::problem::Problem;

/// A place in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// How many things were told.
    pub(crate) offset: usize,
    /// How many parts of the next one were told.
    pub(crate) within: usize,
}

impl Cursor {
    /// Reads where a list goes on; at its beginning if nothing is said.
    pub(crate) fn read(at: &At<'_>, text: Option<&str>) -> Result<Self, Problem> {
        let Some(text) = text else { return Ok(Self::default()) };
        let bad = || Problem::invalid("bad_cursor", "a cursor is the `next_cursor` of the page before");
        let mut parts = text.split('-').map(|part| u64::from_str_radix(part, 16).map_err(|_| bad()));
        let mut next = || parts.next().unwrap_or_else(|| Err(bad()));
        let (stamped, offset, within) = (next()?, next()?, next()?);
        if parts.next().is_some() {
            return Err(bad());
        }
        if stamped != stamp(at) {
            let detail = "the estate has changed since the page before; begin again without a cursor";
            return Err(Problem::invalid("bad_cursor", detail));
        }
        let number = |number: u64| usize::try_from(number).map_err(|_| bad());
        Ok(Self { offset: number(offset)?, within: number(within)? })
    }

    /// The text to go on with.
    pub(crate) fn told(self, at: &At<'_>) -> String {
        format!("{:x}-{:x}-{:x}", stamp(at), self.offset, self.within)
    }

    /// A page of a list: what to skip and how much to take, and where the next page begins.
    pub(crate) fn page<T>(self, at: &At<'_>, all: &[T], limit: usize) -> (usize, Option<String>) {
        let end = self.offset.saturating_add(limit).min(all.len());
        let next = (end < all.len()).then(|| Self { offset: end, within: 0 }.told(at));
        (end, next)
    }
}

/// What tells an estate at a point from any other that follows from it.
fn stamp(at: &At<'_>) -> u64 {
    let mut hash = rustc_hash::FxHasher::default();
    let scans = at.graph.scans();
    (scans.len(), at.graph.node_count(), at.graph.edge_count(), at.graph.changes().len()).hash(&mut hash);
    if let Some(scan) = scans.last() {
        (&scan.scan_id, scan.ingested.0).hash(&mut hash);
    }
    // What looks like a number of some length tempts nobody to make one.
    hash.finish() >> 16
}
