//! A configuration file as a tree in which everything knows its place, whatever dialect it is written in.

use serde::Serialize;

/// A place in a file, both counted from one; the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Position {
    /// The first character of a file.
    pub const START: Self = Self { line: 1, column: 1 };
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) at: Position,
    pub(crate) value: Value,
}

/// A value. Numbers and dates are kept as they are written, because nobody calculates with them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Boolean(bool),
    Number(String),
    Text(String),
    List(Vec<Node>),
    Object(Vec<Member>),
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    pub(crate) at: Position,
    pub(crate) key: String,
    pub(crate) value: Node,
}

impl Node {
    /// The member with this key. Where a key stands twice, clients take the last.
    pub(crate) fn get(&self, key: &str) -> Option<&Member> {
        self.members().iter().rfind(|member| member.key == key)
    }

    /// The first of these keys that is there.
    pub(crate) fn get_any(&self, keys: &[&str]) -> Option<&Member> {
        keys.iter().find_map(|key| self.get(key))
    }

    /// The members of an object; none of anything else.
    pub(crate) fn members(&self) -> &[Member] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of a list; none of anything else.
    pub(crate) fn items(&self) -> &[Self] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// A text, not empty, without white space around it.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            _ => None,
        }
    }

    /// What a program would be given for it: texts, numbers and booleans as text.
    pub(crate) fn scalar(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) | Value::Number(text) => Some(text),
            Value::Boolean(true) => Some("true"),
            Value::Boolean(false) => Some("false"),
            Value::Null | Value::List(_) | Value::Object(_) => None,
        }
    }

    pub(crate) fn boolean(&self) -> Option<bool> {
        match self.value {
            Value::Boolean(value) => Some(value),
            _ => None,
        }
    }
}
