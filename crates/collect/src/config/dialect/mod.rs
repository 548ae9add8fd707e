//! The dialects that configurations are written in, all read into one tree with positions.
//!
//! A file that is slightly broken still tells what its author meant, and a client may be more tolerant than its own
//! documentation. So a reader gives what it could make out *and* the problem.

mod json;
mod lex;
mod markdown;
mod mend;
mod text;
mod toml;
mod xml;
mod yaml;

use std::path::Path;

pub(crate) use text::decode;

use super::tree::{Node, Position};

/// Values in one file, against files that are all structure.
pub(crate) const VALUES: usize = 1_000_000;
/// Levels within each other.
pub(crate) const DEPTH: usize = 256;

/// A dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// JSON, with comments, trailing commas and the rest of JSON5.
    Json,
    Toml,
    Yaml,
    Xml,
    /// Markdown, of which only the front matter is read.
    Markdown,
}

/// Something wrong with a file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slip {
    pub(crate) at: Position,
    pub(crate) message: String,
    /// Whether something in the file may have been missed because of it.
    pub(crate) hides: bool,
}

impl Slip {
    pub(crate) fn new(at: Position, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), hides: true }
    }

    /// Something odd that hides nothing.
    pub(crate) fn remark(at: Position, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), hides: false }
    }
}

/// What could be made of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    /// The tree, if there is any sense in the text.
    pub(crate) root: Option<Node>,
    /// What is wrong; with a tree beside it, the tree is what was probably meant.
    pub(crate) slips: Vec<Slip>,
}

impl Reading {
    fn of(result: Result<Node, Slip>) -> Self {
        match result {
            Ok(root) => Self { root: Some(root), slips: Vec::new() },
            Err(slip) => Self { root: None, slips: vec![slip] },
        }
    }
}

/// Reads a text in the dialect that the file's name promises, or in the one that it looks like.
pub(crate) fn read(path: &Path, text: &str) -> Reading {
    if text.trim().is_empty() {
        // Some clients leave an empty file behind when the last server is removed.
        return Reading { root: None, slips: Vec::new() };
    }
    let mut reading = match by_name(path).unwrap_or_else(|| by_look(text)) {
        Dialect::Json => json::read(text),
        Dialect::Toml => Reading::of(toml::read(text)),
        Dialect::Yaml => Reading::of(yaml::read(text)),
        Dialect::Xml => Reading::of(xml::read(text)),
        Dialect::Markdown => Reading::of(markdown::read(text)),
    };
    if let Some(root) = &reading.root {
        repeated_keys(root, &mut reading.slips);
    }
    reading
}

fn by_name(path: &Path) -> Option<Dialect> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "json" | "jsonc" | "json5" => Some(Dialect::Json),
        "toml" => Some(Dialect::Toml),
        "yaml" | "yml" => Some(Dialect::Yaml),
        "xml" => Some(Dialect::Xml),
        "md" | "mdc" => Some(Dialect::Markdown),
        _ => None,
    }
}

fn by_look(text: &str) -> Dialect {
    let text = text.trim_start();
    let has_table = || text.lines().any(|line| line.starts_with('[') && line.trim_end().ends_with(']'));
    match text.chars().next() {
        Some('{' | '/') => Dialect::Json,
        Some('[') if text.get(1..).is_some_and(|rest| rest.trim_start().starts_with('{')) => Dialect::Json,
        Some('<') => Dialect::Xml,
        _ if has_table() => Dialect::Toml,
        _ => Dialect::Yaml,
    }
}

/// Repeated keys that are told, so that a file full of them does not fill the report.
const REPEATED: usize = 10;

/// A key that stands twice is how one server can be shown to a reviewer and another to the client.
fn repeated_keys(root: &Node, slips: &mut Vec<Slip>) {
    let mut open = vec![root];
    let mut told = 0;
    while let Some(node) = open.pop() {
        let members = node.members();
        let mut keys: Vec<(&str, Position)> = members.iter().map(|member| (member.key.as_str(), member.at)).collect();
        keys.sort_unstable();
        for pair in keys.windows(2) {
            if let [(first, _), (second, at)] = pair
                && first == second
                && told < REPEATED
            {
                told += 1;
                slips.push(Slip::remark(*at, format!("the key `{second}` stands twice; clients take the last")));
            }
        }
        open.extend(members.iter().map(|member| &member.value));
        open.extend(node.items());
    }
    slips.sort_by_key(|slip| slip.at);
}

/// Finds lines and columns of offsets. In ascending order that is one pass over the text; going back is going on from
/// the last mark.
pub(crate) struct Cursor<'t> {
    text: &'t str,
    offset: usize,
    at: Position,
    /// Places that were passed, [`MARKS`] bytes apart.
    marks: Vec<(usize, Position)>,
}

/// How far marks are apart.
const MARKS: usize = 4096;

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, offset: 0, at: Position::START, marks: vec![(0, Position::START)] }
    }

    /// The position of an offset.
    pub(crate) fn at(&mut self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        if offset < self.offset {
            let before = self.marks.partition_point(|(mark, _)| *mark <= offset);
            (self.offset, self.at) =
                before.checked_sub(1).and_then(|last| self.marks.get(last)).copied().unwrap_or((0, Position::START));
        }
        for (ahead, character) in self.text.get(self.offset..offset).unwrap_or_default().char_indices() {
            let here = self.offset + ahead;
            if self.marks.last().is_none_or(|(mark, _)| here >= mark + MARKS) {
                self.marks.push((here, self.at));
            }
            if character == '\n' {
                self.at = Position { line: self.at.line.saturating_add(1), column: 1 };
            } else {
                self.at.column = self.at.column.saturating_add(1);
            }
        }
        self.offset = offset;
        self.at
    }
}

#[cfg(test)]
mod tests;
