//! Property bags: the properties of one fact, packed into bytes.
//!
//! A bag is a list of (key, value) sorted by key number, so that equal bags have equal bytes. Hashes, which are a
//! large part of what a graph holds, take half the space of their hex text. Bags are written by ingest and never
//! changed; a corrupt one reads as if it ended early.

use std::borrow::Cow;

use serde_json::Value;
use tracehound_model::hash;

use crate::keys::{KeyId, Keys};
use crate::varint;

const FALSE: u8 = 0;
const TRUE: u8 = 1;
const INTEGER: u8 = 2;
const UNSIGNED: u8 = 3;
const FLOAT: u8 = 4;
const TEXT: u8 = 5;
/// 64 lower-case hex digits, held as 32 bytes.
const HEX: u8 = 6;
/// The same behind `sha256:`.
const DIGEST: u8 = 7;
const LIST: u8 = 8;

const DIGEST_PREFIX: &str = "sha256:";

/// A value to be packed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Scalar<'a> {
    Boolean(bool),
    Integer(i64),
    Unsigned(u64),
    Float(f64),
    Text(&'a str),
}

/// The value of a property, as a view of the packed bytes.
#[derive(Debug, Clone, PartialEq)]
pub enum PropertyValue<'a> {
    /// True or false.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A whole number too large for [`PropertyValue::Integer`].
    Unsigned(u64),
    /// Any other number.
    Float(f64),
    /// Text.
    Text(Cow<'a, str>),
    /// A list of values of one type.
    List(Vec<PropertyValue<'a>>),
}

impl PropertyValue<'_> {
    /// The text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Boolean(flag) => Some(*flag),
            _ => None,
        }
    }

    /// The number, if it is one.
    #[must_use]
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Unsigned(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// The texts of a list, if it is one.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let items = if let Self::List(items) = self { items.as_slice() } else { &[] };
        items.iter().filter_map(PropertyValue::as_text)
    }

    /// The same as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::Boolean(flag) => Value::from(*flag),
            Self::Integer(number) => Value::from(*number),
            Self::Unsigned(number) => Value::from(*number),
            Self::Float(number) => Value::from(*number),
            Self::Text(text) => Value::from(text.as_ref()),
            Self::List(items) => items.iter().map(PropertyValue::to_json).collect(),
        }
    }
}

/// Packs one value.
pub(crate) fn write_scalar(out: &mut Vec<u8>, value: Scalar<'_>) {
    match value {
        Scalar::Boolean(flag) => out.push(if flag { TRUE } else { FALSE }),
        Scalar::Integer(number) => {
            out.push(INTEGER);
            varint::write(out, varint::zigzag(number));
        }
        Scalar::Unsigned(number) => {
            out.push(UNSIGNED);
            varint::write(out, number);
        }
        Scalar::Float(number) => {
            out.push(FLOAT);
            out.extend_from_slice(&number.to_bits().to_le_bytes());
        }
        Scalar::Text(text) => write_text(out, text),
    }
}

/// Packs the head of a list; its items follow.
pub(crate) fn write_list_head(out: &mut Vec<u8>, items: usize) {
    out.push(LIST);
    varint::write(out, items as u64);
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    if let Some(bytes) = unhex(text) {
        out.push(HEX);
        out.extend_from_slice(&bytes);
    } else if let Some(bytes) = text.strip_prefix(DIGEST_PREFIX).and_then(unhex) {
        out.push(DIGEST);
        out.extend_from_slice(&bytes);
    } else {
        out.push(TEXT);
        varint::write(out, text.len() as u64);
        out.extend_from_slice(text.as_bytes());
    }
}

/// 64 lower-case hex digits as bytes; anything else is no such text.
pub(crate) fn unhex(text: &str) -> Option<[u8; 32]> {
    let digits: &[u8; 64] = text.as_bytes().try_into().ok()?;
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let &[high, low] = pair else { return None };
        *byte = nibble(high)? << 4 | nibble(low)?;
    }
    Some(bytes)
}

const fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

/// Reads one value and moves `bytes` past it.
fn read_value<'a>(bytes: &mut &'a [u8]) -> Option<PropertyValue<'a>> {
    let tag = *varint::take(bytes, 1)?.first()?;
    Some(match tag {
        FALSE => PropertyValue::Boolean(false),
        TRUE => PropertyValue::Boolean(true),
        INTEGER => PropertyValue::Integer(varint::unzigzag(varint::read(bytes)?)),
        UNSIGNED => PropertyValue::Unsigned(varint::read(bytes)?),
        FLOAT => PropertyValue::Float(f64::from_bits(u64::from_le_bytes(varint::take(bytes, 8)?.try_into().ok()?))),
        TEXT => PropertyValue::Text(Cow::Borrowed(std::str::from_utf8(varint::read_slice(bytes)?).ok()?)),
        HEX => PropertyValue::Text(Cow::Owned(hash::hex(varint::take(bytes, 32)?))),
        DIGEST => PropertyValue::Text(Cow::Owned(format!("{DIGEST_PREFIX}{}", hash::hex(varint::take(bytes, 32)?)))),
        LIST => {
            let items = varint::read(bytes)?;
            PropertyValue::List((0..items).map_while(|_| read_value(bytes)).collect())
        }
        _ => return None,
    })
}

/// Moves `bytes` past one value without reading it.
fn skip_value(bytes: &mut &[u8]) -> Option<()> {
    let tag = *varint::take(bytes, 1)?.first()?;
    match tag {
        FALSE | TRUE => {}
        INTEGER | UNSIGNED => drop(varint::read(bytes)?),
        FLOAT => drop(varint::take(bytes, 8)?),
        TEXT => drop(varint::read_slice(bytes)?),
        HEX | DIGEST => drop(varint::take(bytes, 32)?),
        LIST => {
            for _ in 0..varint::read(bytes)? {
                skip_value(bytes)?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// The packed properties of one fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bag<'a>(pub(crate) &'a [u8]);

impl<'a> Bag<'a> {
    /// Keys with their packed values, in order of key number.
    pub(crate) fn entries(self) -> impl Iterator<Item = (KeyId, &'a [u8])> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let key = KeyId::try_from(varint::read(&mut rest)?).ok()?;
            let start = rest;
            skip_value(&mut rest)?;
            Some((key, start.get(..start.len() - rest.len())?))
        })
    }

    /// The value of one key.
    pub(crate) fn get(self, key: KeyId) -> Option<PropertyValue<'a>> {
        let (_, mut value) = self.entries().take_while(|(other, _)| *other <= key).find(|(other, _)| *other == key)?;
        read_value(&mut value)
    }

    /// All properties, sorted by name.
    pub(crate) fn sorted(self, keys: &Keys) -> Vec<(&str, PropertyValue<'a>)> {
        let mut all: Vec<_> =
            self.entries().filter_map(|(key, mut value)| Some((keys.name(key), read_value(&mut value)?))).collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all
    }
}

/// Packs entries that are sorted by key.
pub(crate) fn write_entries<'a>(out: &mut Vec<u8>, entries: impl IntoIterator<Item = (KeyId, &'a [u8])>) {
    for (key, value) in entries {
        varint::write(out, u64::from(key));
        out.extend_from_slice(value);
    }
}

/// Overlays bags in order: for each key the last bag that has it wins.
pub(crate) fn overlay<'a>(bags: impl IntoIterator<Item = Bag<'a>>) -> Vec<u8> {
    let mut merged = std::collections::BTreeMap::new();
    for bag in bags {
        merged.extend(bag.entries());
    }
    let mut out = Vec::new();
    write_entries(&mut out, merged);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack(values: &[(KeyId, Scalar<'_>)]) -> Vec<u8> {
        let mut out = Vec::new();
        for (key, value) in values {
            varint::write(&mut out, u64::from(*key));
            write_scalar(&mut out, *value);
        }
        out
    }

    #[test]
    fn values_read_back() {
        let hex = "0f".repeat(32);
        let digest = format!("sha256:{hex}");
        let upper = hex.to_uppercase();
        let values = [
            Scalar::Boolean(true),
            Scalar::Integer(-5),
            Scalar::Unsigned(u64::MAX),
            Scalar::Float(0.1),
            Scalar::Text("naïve"),
            Scalar::Text(&hex),
            Scalar::Text(&digest),
            Scalar::Text(&upper),
            Scalar::Text(""),
        ];
        let packed = pack(&(0..).zip(values).collect::<Vec<_>>());
        let bag = Bag(&packed);
        for (key, value) in (0..).zip(values) {
            let expected = match value {
                Scalar::Boolean(flag) => PropertyValue::Boolean(flag),
                Scalar::Integer(number) => PropertyValue::Integer(number),
                Scalar::Unsigned(number) => PropertyValue::Unsigned(number),
                Scalar::Float(number) => PropertyValue::Float(number),
                Scalar::Text(text) => PropertyValue::Text(text.into()),
            };
            assert_eq!(bag.get(key), Some(expected));
        }
        assert_eq!(bag.get(99), None);
    }

    #[test]
    fn the_last_bag_that_has_a_key_wins() {
        let first = pack(&[(1, Scalar::Text("old")), (2, Scalar::Integer(1))]);
        let second = pack(&[(1, Scalar::Text("new")), (3, Scalar::Integer(3))]);
        let merged = overlay([Bag(&first), Bag(&second)]);
        let expected = pack(&[(1, Scalar::Text("new")), (2, Scalar::Integer(1)), (3, Scalar::Integer(3))]);
        assert_eq!(merged, expected);
    }

    #[test]
    fn a_corrupt_bag_reads_as_if_it_ended_early() {
        let packed = pack(&[(1, Scalar::Text("whole")), (2, Scalar::Text("cut off"))]);
        let cut = Bag(&packed[..packed.len() - 3]);
        assert_eq!(cut.entries().count(), 1);
        assert_eq!(Bag(&[1, 200]).get(1), None);
    }
}
