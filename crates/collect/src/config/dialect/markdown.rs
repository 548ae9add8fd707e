//! Markdown: the YAML between two lines of dashes at the top, in which agent definitions name servers of their own.

use super::super::tree::{Node, Position, Value};
use super::{Slip, yaml};

/// Reads the front matter; a file without one holds nothing.
pub(super) fn read(text: &str) -> Result<Node, Slip> {
    match front_matter(text) {
        Some(front) => yaml::read(front),
        None => Ok(Node { at: Position::START, value: Value::Null }),
    }
}

/// The text up to the closing line. It begins with its opening line, so that positions are those of the file.
fn front_matter(text: &str) -> Option<&str> {
    let mut offset = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_fence = line.trim_end() == "---";
        match number {
            0 if !is_fence => return None,
            0 => {}
            _ if is_fence => return text.get(..offset),
            _ => {}
        }
        offset += line.len();
    }
    None
}
