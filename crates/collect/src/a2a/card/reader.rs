//! Reads members of a card, with limits. What is wrong is noted with its path, what is cut is noted in words.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::json::sort;

/// An object of a card.
pub(super) type Members = Map<String, Value>;

/// Bytes of a name, an id, a URL or another short text.
const SHORT: usize = 2_048;
/// Bytes of a description.
const LONG: usize = 65_536;
/// Texts in a list.
const TEXTS: usize = 100;
/// Bytes of each of them.
const ITEM: usize = 4_096;

/// What was wrong and what was cut while a card was read.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) problems: Vec<String>,
    pub(super) cut: BTreeSet<String>,
}

impl Reader {
    pub(super) fn problem(&mut self, message: String) {
        self.problems.push(message);
    }

    /// A short text without white space around it. What is empty is not there.
    pub(super) fn short(&mut self, members: &Members, key: &str, path: &str) -> Option<String> {
        let text = self.text(members, key, path)?;
        Some(self.within(text, SHORT, path))
    }

    /// A description. Also in full, as hashes take it.
    pub(super) fn long<'v>(&mut self, members: &'v Members, key: &str, path: &str) -> Option<(String, &'v str)> {
        let text = self.text(members, key, path)?;
        Some((self.within(text, LONG, path), text))
    }

    fn text<'v>(&mut self, members: &'v Members, key: &str, path: &str) -> Option<&'v str> {
        match members.get(key)? {
            Value::String(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            Value::Null => None,
            other => {
                self.problem(format!("`{path}` is {}, not text", sort(other)));
                None
            }
        }
    }

    fn within(&mut self, text: &str, limit: usize, path: &str) -> String {
        if text.len() <= limit {
            return text.to_owned();
        }
        self.cut.insert(format!("`{path}` is cut at {limit} bytes of {}", text.len()));
        text.get(..text.floor_char_boundary(limit)).unwrap_or_default().to_owned()
    }

    /// A list of texts.
    pub(super) fn texts(&mut self, members: &Members, key: &str, path: &str) -> Vec<String> {
        let items = self.list(members, key, path, TEXTS);
        let mut texts = Vec::new();
        for (position, item) in items.iter().enumerate() {
            match item {
                Value::String(text) => texts.push(self.within(text.trim(), ITEM, &format!("{path}[{position}]"))),
                other => self.problem(format!("`{path}[{position}]` is {}, not text", sort(other))),
            }
        }
        texts.retain(|text| !text.is_empty());
        texts
    }

    /// A list, up to a limit.
    pub(super) fn list<'v>(&mut self, members: &'v Members, key: &str, path: &str, limit: usize) -> &'v [Value] {
        match members.get(key) {
            Some(Value::Array(items)) => {
                if items.len() > limit {
                    self.cut.insert(format!("`{path}` is cut at {limit} of {}", items.len()));
                }
                items.get(..limit).unwrap_or(items)
            }
            None | Some(Value::Null) => &[],
            Some(other) => {
                self.problem(format!("`{path}` is {}, not a list", sort(other)));
                &[]
            }
        }
    }

    /// An object.
    pub(super) fn object<'v>(&mut self, members: &'v Members, key: &str, path: &str) -> Option<&'v Members> {
        match members.get(key)? {
            Value::Object(members) => Some(members),
            Value::Null => None,
            other => {
                self.problem(format!("`{path}` is {}, not an object", sort(other)));
                None
            }
        }
    }
}
