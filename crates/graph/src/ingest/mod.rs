//! From bytes to facts: reading a scan document with every problem named by its path.
//!
//! One pass over the bytes parses, validates and normalises; nothing of it touches the store. A document with a single
//! problem is refused whole. What can be put right without guessing (a spelling, a missing type, an edge that can't
//! be) is put right and reported as a warning.

mod covers;
mod document;
mod edge;
mod field;
mod head;
mod local_ids;
mod node;
mod parsed;
mod properties;
mod report;
mod settle;
mod snake;
mod value;

pub(crate) use parsed::{Parsed, ParsedEdge};
pub(crate) use report::Warnings;
pub use report::{Problem, Problems, Warning, WarningCode};

use crate::keys::Keys;
use crate::{Error, Limits};

/// Reads a document as ingest would, without keeping it; gives the warnings that ingest would give.
///
/// # Errors
///
/// When ingest would refuse it.
pub fn check_document(bytes: &[u8], limits: &Limits) -> Result<Vec<Warning>, Error> {
    read(bytes, limits, Keys::default(), Vec::new()).map(|parsed| parsed.warnings.into_list())
}

/// Reads a document. `keys` are those that the store knows; the result brings them back with the document's own added.
/// `buffer` is room that an earlier document may have left.
pub(crate) fn read(bytes: &[u8], limits: &Limits, keys: Keys, buffer: Vec<u8>) -> Result<Parsed, Error> {
    if bytes.len() as u64 > limits.document_bytes {
        return Err(Error::TooLarge { limit: limits.document_bytes });
    }
    let text = utf8(bytes)?;
    let mut reader = document::Reader::new(limits, keys, buffer);
    reader.read(text)?;
    settle::settle(reader)
}

/// The bytes as text, without the mark that some editors put in front.
fn utf8(bytes: &[u8]) -> Result<&str, Error> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|bad| {
        let before = bytes.get(..bad.valid_up_to()).unwrap_or_default();
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        Error::NotUtf8 {
            line: 1 + before.iter().filter(|byte| **byte == b'\n').count(),
            column: 1 + before.len() - line_start,
            hint: if is_utf16 { "; it looks like UTF-16, save it as UTF-8" } else { "" },
        }
    })
}

#[cfg(test)]
mod tests;
