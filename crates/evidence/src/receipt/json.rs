//! JSON as receipts allow it, and its RFC 8785 form.
//!
//! Stricter than JSON: an object that has a key twice is refused, because two programs could read it differently, and so
//! is a number that is not a whole number which every language holds exactly.

mod reader;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write as _;

use serde_json::Value;

/// The longest receipt that is read, in bytes.
pub const LINE_LIMIT: usize = 1 << 20;

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(SafeInteger),
    /// A text.
    Text(Cow<'a, str>),
    /// A list.
    List(Vec<Json<'a>>),
    /// An object.
    Object(Object<'a>),
}

/// A whole number that a double holds exactly: at most 2^53 - 1 either side of zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SafeInteger(i64);

/// An object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Object<'a> {
    // INVARIANT: ordered by UTF-16 units of the keys, no key twice.
    members: Vec<(Cow<'a, str>, Json<'a>)>,
}

/// Why a text is not taken as JSON of a receipt.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// It is beyond [`LINE_LIMIT`].
    #[error("it is longer than {LINE_LIMIT} bytes")]
    TooLong,
    /// It is not JSON.
    #[error("it is not JSON: {0}")]
    Syntax(serde_json::Error),
    /// A key stands twice in one object.
    #[error("the key `{0}` stands twice in one object, so that two programs could read it differently")]
    DuplicateKey(String),
    /// A number is fractional, has an exponent, or is too large.
    #[error("it has a number that is not a whole number of at most 2^53 - 1")]
    Number,
    /// It is JSON, but not an object.
    #[error("it is not a JSON object")]
    NotAnObject,
}

impl SafeInteger {
    /// The greatest.
    pub const MAX: i64 = (1 << 53) - 1;

    /// The number, if a double holds it exactly.
    #[must_use]
    pub const fn new(number: i64) -> Option<Self> {
        if number >= -Self::MAX && number <= Self::MAX { Some(Self(number)) } else { None }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl<'a> Object<'a> {
    /// Reads an object.
    pub fn parse(text: &'a [u8]) -> Result<Self, Refusal> {
        reader::object(text)
    }

    /// An object of these members, or the key that is among them twice. O(n log n), O(n) if they are in order.
    fn of(mut members: Vec<(Cow<'a, str>, Json<'a>)>) -> Result<Self, String> {
        let in_order = |members: &[(Cow<'a, str>, Json<'a>)]| {
            members.is_sorted_by(|(before, _), (after, _)| order(before, after) == Ordering::Less)
        };
        if !in_order(&members) {
            members.sort_by(|(left, _), (right, _)| order(left, right));
            let twice = members.array_windows().find(|[(before, _), (after, _)]| before == after);
            if let Some([(key, _), _]) = twice {
                return Err(key.clone().into_owned());
            }
        }
        Ok(Self { members })
    }

    /// The member of this name.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        let position = self.members.binary_search_by(|(name, _)| order(name, key)).ok()?;
        self.members.get(position).map(|(_, value)| value)
    }

    /// The text of this name.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Json::as_text)
    }

    /// Adds a member, or replaces the one of this name.
    pub fn set(&mut self, key: impl Into<Cow<'a, str>>, value: Json<'a>) {
        let key = key.into();
        match self.members.binary_search_by(|(name, _)| order(name, &key)) {
            Ok(position) => {
                if let Some((_, old)) = self.members.get_mut(position) {
                    *old = value;
                }
            }
            Err(position) => self.members.insert(position, (key, value)),
        }
    }

    /// Its members, in canonical order.
    pub fn members(&self) -> impl Iterator<Item = (&str, &Json<'a>)> {
        self.members.iter().map(|(key, value)| (key.as_ref(), value))
    }

    /// The RFC 8785 form, without the members of some names.
    #[must_use]
    pub fn canonical_without(&self, left_out: &[&str]) -> String {
        let mut out = String::with_capacity(1024);
        self.write(&mut out, left_out);
        out
    }

    /// Adds the RFC 8785 form, without the members of some names.
    pub(super) fn write(&self, out: &mut String, left_out: &[&str]) {
        out.push('{');
        let mut is_first = true;
        for (key, value) in self.members().filter(|(key, _)| !left_out.contains(key)) {
            if !is_first {
                out.push(',');
            }
            is_first = false;
            write_text(out, key);
            out.push(':');
            value.write(out);
        }
        out.push('}');
    }
}

impl<'a> Json<'a> {
    /// The text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The number, if it is one.
    #[must_use]
    pub const fn as_integer(&self) -> Option<i64> {
        if let Self::Integer(number) = self { Some(number.get()) } else { None }
    }

    /// The object, if it is one.
    #[must_use]
    pub const fn as_object(&self) -> Option<&Object<'a>> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    /// Adds the RFC 8785 form.
    pub(super) fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Self::Integer(number) => write_integer(out, number.get()),
            Self::Text(text) => write_text(out, text),
            Self::List(items) => {
                out.push('[');
                for (position, item) in items.iter().enumerate() {
                    if position > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(object) => object.write(out, &[]),
        }
    }
}

/// The order of RFC 8785: by UTF-16 units. It is the order of bytes, but that characters beyond U+FFFF, whose first byte is
/// 0xf0 or more, come before those from U+E000 on, whose first byte is 0xee or 0xef.
fn order(left: &str, right: &str) -> Ordering {
    let differing = left.bytes().zip(right.bytes()).find(|(left, right)| left != right);
    match differing {
        Some((0xf0.., 0xee | 0xef)) => Ordering::Less,
        Some((0xee | 0xef, 0xf0..)) => Ordering::Greater,
        Some((left, right)) => left.cmp(&right),
        None => left.len().cmp(&right.len()),
    }
}

/// Adds a number. Whole numbers that doubles hold exactly read the same in every form.
pub(super) fn write_integer(out: &mut String, number: i64) {
    // Writing to a string can't fail.
    let _ = write!(out, "{number}");
}

/// Adds a text in quotes, escaping what RFC 8785 demands and nothing else.
pub(super) fn write_text(out: &mut String, text: &str) {
    out.push('"');
    // Most texts have nothing to escape, which is seen many bytes at a time.
    if !text.bytes().fold(false, |found, byte| found | needs_escape(byte)) {
        out.push_str(text);
        out.push('"');
        return;
    }
    let mut written = 0;
    for (position, byte) in text.bytes().enumerate().filter(|(_, byte)| needs_escape(*byte)) {
        // A byte of this range is a whole character, so the places around it are borders of characters.
        out.push_str(text.get(written..position).unwrap_or_default());
        written = position + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            8 => out.push_str("\\b"),
            b'\t' => out.push_str("\\t"),
            b'\n' => out.push_str("\\n"),
            12 => out.push_str("\\f"),
            b'\r' => out.push_str("\\r"),
            other => {
                let _ = write!(out, "\\u{other:04x}");
            }
        }
    }
    out.push_str(text.get(written..).unwrap_or_default());
    out.push('"');
}

/// Whether a byte is escaped in a text, or ends it.
pub(super) const fn needs_escape(byte: u8) -> bool {
    (byte < b' ') | (byte == b'"') | (byte == b'\\')
}

impl From<bool> for Json<'_> {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl From<u32> for Json<'_> {
    fn from(number: u32) -> Self {
        Self::Integer(SafeInteger(i64::from(number)))
    }
}

impl<'a> From<&'a str> for Json<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Json<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl<'a, T: Into<Json<'a>>> From<Option<T>> for Json<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<'a, T: Into<Json<'a>>> From<Vec<T>> for Json<'a> {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl<'a> From<Object<'a>> for Json<'a> {
    fn from(object: Object<'a>) -> Self {
        Self::Object(object)
    }
}

impl Json<'_> {
    /// The same, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Json<'static> {
        match self {
            Self::Null => Json::Null,
            Self::Bool(flag) => Json::Bool(flag),
            Self::Integer(number) => Json::Integer(number),
            Self::Text(text) => Json::Text(Cow::Owned(text.into_owned())),
            Self::List(items) => Json::List(items.into_iter().map(Json::into_owned).collect()),
            Self::Object(object) => {
                let members = object.members.into_iter();
                let members = members.map(|(key, value)| (Cow::Owned(key.into_owned()), value.into_owned())).collect();
                Json::Object(Object { members })
            }
        }
    }
}

impl<'a> TryFrom<&'a Value> for Json<'a> {
    type Error = Refusal;

    fn try_from(value: &'a Value) -> Result<Self, Refusal> {
        Ok(match value {
            Value::Null => Self::Null,
            Value::Bool(flag) => Self::Bool(*flag),
            Value::Number(number) => Self::Integer(number.as_i64().and_then(SafeInteger::new).ok_or(Refusal::Number)?),
            Value::String(text) => Self::from(text.as_str()),
            Value::Array(items) => Self::List(items.iter().map(Self::try_from).collect::<Result<_, _>>()?),
            Value::Object(members) => {
                let members =
                    members.iter().map(|(key, value)| Ok((Cow::Borrowed(key.as_str()), Self::try_from(value)?)));
                Self::Object(Object::of(members.collect::<Result<_, _>>()?).map_err(Refusal::DuplicateKey)?)
            }
        })
    }
}
