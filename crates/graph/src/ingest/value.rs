//! One property value: read, typed and packed.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
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
    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Packed, A::Error> {
        let mut budget = Budget::new(self.limit);
        let Value::Array(items) = StrictSeed(&mut budget).visit_seq(list)? else { return Ok(Packed::Absent) };
        if budget.is_spent() {
            return Ok(Packed::TooLong(budget.wanted));
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
        let mut budget = Budget::new(self.limit);
        let object = StrictSeed(&mut budget).visit_map(map)?;
        Ok(if budget.is_spent() { Packed::TooLong(budget.wanted) } else { self.json_text(&object) })
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

/// How much may be built of a value whose size only its end tells. What goes beyond is read and dropped.
#[derive(Debug)]
pub(super) struct Budget {
    limit: usize,
    /// What the whole value would take, text by its length and everything else by one.
    wanted: usize,
}

impl Budget {
    pub(super) const fn new(limit: usize) -> Self {
        Self { limit, wanted: 0 }
    }

    pub(super) const fn is_spent(&self) -> bool {
        self.wanted > self.limit
    }

    /// Counts something; says whether it may be kept.
    const fn take(&mut self, size: usize) -> bool {
        self.wanted = self.wanted.saturating_add(size);
        !self.is_spent()
    }
}

/// Reads a JSON value in which no object has the same key twice, as far as the budget goes.
pub(super) struct StrictSeed<'b>(pub(super) &'b mut Budget);

impl<'de> DeserializeSeed<'de> for StrictSeed<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for StrictSeed<'_> {
    type Value = Value;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        self.0.take(1);
        Ok(Value::Null)
    }
    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        self.0.take(1);
        Ok(flag.into())
    }
    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        self.0.take(1);
        Ok(number.into())
    }
    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        self.0.take(1);
        Ok(number.into())
    }
    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        self.0.take(1);
        Ok(number.into())
    }
    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        let may_keep = self.0.take(text.len() + 1);
        Ok(if may_keep { text.into() } else { Value::Null })
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        self.0.take(1);
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(StrictSeed(self.0))? {
            if !self.0.is_spent() {
                items.push(item);
            }
        }
        Ok(items.into())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(Text(key)) = map.next_key()? {
            let value = map.next_value_seed(StrictSeed(self.0))?;
            if members.contains_key(key.as_ref()) {
                return Err(A::Error::custom(format_args!("the key {} stands twice", excerpt(&key))));
            }
            if self.0.take(key.len() + 1) {
                members.insert(key.into_owned(), value);
            }
        }
        Ok(members.into())
    }
}
