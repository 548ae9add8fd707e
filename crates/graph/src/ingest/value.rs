//! One property value: read, typed and packed.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use tracehound_model::{PropertyType, canonical};

use super::field::Text;
use super::report::excerpt;
use crate::bag::{Scalar, write_list_head, write_scalar};

/// Integers up to here are exact as doubles.
const EXACT: u64 = 1 << 53;

/// What became of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packed {
    /// It was null, which means that there is no such property.
    Absent,
    /// A text that is not empty.
    Text,
    /// Anything else that a property can hold as it is.
    Plain,
    /// An object or a list of mixed types, now JSON text.
    AsText,
    /// It is longer than allowed: so many bytes.
    TooLong(usize),
}

/// Reads a value and packs it.
pub(super) struct ValueSeed<'a> {
    pub(super) out: &'a mut Vec<u8>,
    pub(super) value: Option<PropertyType>,
    pub(super) limit: usize,
}

impl ValueSeed<'_> {
    fn scalar(self, value: Scalar<'_>) -> Packed {
        write_scalar(self.out, value);
        Packed::Plain
    }

    fn whole(self, number: i64) -> Packed {
        match self.value {
            // A weight of 1 and a weight of 1.0 are the same weight.
            Some(PropertyType::Number) if number.unsigned_abs() <= EXACT => self.scalar(Scalar::Float(number as f64)),
            _ => self.scalar(Scalar::Integer(number)),
        }
    }

    fn text(self, text: &str) -> Packed {
        if text.len() > self.limit {
            return Packed::TooLong(text.len());
        }
        match typed(text, self.value) {
            Some(value) => self.scalar(value),
            None => {
                write_scalar(self.out, Scalar::Text(text));
                if text.is_empty() { Packed::Plain } else { Packed::Text }
            }
        }
    }

    fn json_text(self, value: &Value) -> Packed {
        match self.text(&canonical::text(value)) {
            Packed::TooLong(length) => Packed::TooLong(length),
            _ => Packed::AsText,
        }
    }
}

/// A text that a template made of a value of another type.
fn typed(text: &str, value: Option<PropertyType>) -> Option<Scalar<'_>> {
    match value? {
        PropertyType::Boolean => text.parse().ok().map(Scalar::Boolean),
        PropertyType::Integer => text.parse().ok().map(Scalar::Integer),
        PropertyType::Number => text.parse().ok().filter(|number: &f64| number.is_finite()).map(Scalar::Float),
        PropertyType::Text | PropertyType::TextList | PropertyType::JsonText => None,
    }
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Packed;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Packed, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Packed;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a property value")
    }
    fn visit_unit<E>(self) -> Result<Packed, E> {
        Ok(Packed::Absent)
    }
    fn visit_bool<E>(self, flag: bool) -> Result<Packed, E> {
        Ok(self.scalar(Scalar::Boolean(flag)))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Packed, E> {
        Ok(self.whole(number))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Packed, E> {
        Ok(match i64::try_from(number) {
            Ok(number) => self.whole(number),
            Err(_) => self.scalar(Scalar::Unsigned(number)),
        })
    }
    fn visit_f64<E>(self, number: f64) -> Result<Packed, E> {
        let is_whole = number.fract() == 0.0 && number.abs() <= EXACT as f64;
        Ok(match self.value {
            Some(PropertyType::Integer) if is_whole => self.scalar(Scalar::Integer(number as i64)),
            _ => self.scalar(Scalar::Float(number)),
        })
    }
    fn visit_str<E>(self, text: &str) -> Result<Packed, E> {
        Ok(self.text(text))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Packed, A::Error> {
        let mut items = Vec::new();
        while let Some(Strict(item)) = list.next_element()? {
            items.push(item);
        }
        let length = items.iter().filter_map(Value::as_str).map(str::len).sum::<usize>() + items.len();
        if length > self.limit {
            return Ok(Packed::TooLong(length));
        }
        let is_uniform = items.iter().all(Value::is_string)
            || items.iter().all(Value::is_number)
            || items.iter().all(Value::is_boolean);
        if !is_uniform {
            return Ok(self.json_text(&Value::Array(items)));
        }
        write_list_head(self.out, items.len());
        for scalar in items.iter().filter_map(as_scalar) {
            write_scalar(self.out, scalar);
        }
        Ok(Packed::Plain)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Packed, A::Error> {
        let object = StrictVisitor.visit_map(map)?;
        Ok(self.json_text(&object.0))
    }
}

fn as_scalar(value: &Value) -> Option<Scalar<'_>> {
    match value {
        Value::Bool(flag) => Some(Scalar::Boolean(*flag)),
        Value::String(text) => Some(Scalar::Text(text)),
        Value::Number(number) => number
            .as_i64()
            .map(Scalar::Integer)
            .or_else(|| number.as_u64().map(Scalar::Unsigned))
            .or_else(|| number.as_f64().map(Scalar::Float)),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A JSON value in which no object has the same key twice.
pub(super) struct Strict(pub(super) Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Strict;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }
    fn visit_unit<E>(self) -> Result<Strict, E> {
        Ok(Strict(Value::Null))
    }
    fn visit_bool<E>(self, flag: bool) -> Result<Strict, E> {
        Ok(Strict(flag.into()))
    }
    fn visit_i64<E>(self, number: i64) -> Result<Strict, E> {
        Ok(Strict(number.into()))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Strict, E> {
        Ok(Strict(number.into()))
    }
    fn visit_f64<E>(self, number: f64) -> Result<Strict, E> {
        Ok(Strict(number.into()))
    }
    fn visit_str<E>(self, text: &str) -> Result<Strict, E> {
        Ok(Strict(text.into()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Strict, A::Error> {
        let mut items = Vec::new();
        while let Some(Strict(item)) = list.next_element()? {
            items.push(item);
        }
        Ok(Strict(items.into()))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Strict, A::Error> {
        let mut members = Map::new();
        while let Some(Text(key)) = map.next_key()? {
            let Strict(value) = map.next_value()?;
            if members.contains_key(key.as_ref()) {
                return Err(A::Error::custom(format_args!("the key {} stands twice", excerpt(&key))));
            }
            members.insert(key.into_owned(), value);
        }
        Ok(Strict(members.into()))
    }
}
