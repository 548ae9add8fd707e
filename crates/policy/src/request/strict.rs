//! Arguments that mean one thing only: no key twice, no number that the canonical form would round, bounded depth.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::DEEPEST;

/// Marks in error texts by which the cause is told apart afterwards.
pub(super) const TOO_DEEP: &str = "arguments are nested too deep";
pub(super) const REPEATED: &str = "arguments repeat a key";
pub(super) const INEXACT: &str = "arguments hold an inexact number";

/// Reads arguments.
pub(super) fn arguments<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    Level(0).deserialize(deserializer)
}

/// A value below so many others.
#[derive(Clone, Copy)]
struct Level(usize);

impl Level {
    fn below<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.0 < DEEPEST { Ok(Self(self.0 + 1)) } else { Err(E::custom(TOO_DEEP)) }
    }
}

impl<'de> DeserializeSeed<'de> for Level {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Whether a number with 53 significant bits is this number.
const fn is_exact(magnitude: u64) -> bool {
    magnitude == 0 || 64 - magnitude.leading_zeros() - magnitude.trailing_zeros() <= 53
}

impl<'de> Visitor<'de> for Level {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Value, E> {
        if is_exact(value.unsigned_abs()) { Ok(Value::from(value)) } else { Err(E::custom(INEXACT)) }
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Value, E> {
        if is_exact(value) { Ok(Value::from(value)) } else { Err(E::custom(INEXACT)) }
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom(INEXACT))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let level = self.below()?;
        let mut all = Vec::new();
        while let Some(item) = items.next_element_seed(level)? {
            all.push(item);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let level = self.below()?;
        let mut all = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            if all.insert(key, members.next_value_seed(level)?).is_some() {
                return Err(A::Error::custom(REPEATED));
            }
        }
        Ok(Value::Object(all))
    }
}
