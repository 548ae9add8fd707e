//! Reading JSON into [`Json`], with texts borrowed where nothing in them is escaped.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer as _, Error, MapAccess, SeqAccess, Visitor};

use super::{Json, LINE_LIMIT, Object, Refusal, SafeInteger};

/// Reads one object, and nothing after it. Linear in the length of the text, but for sorting keys that are out of order.
pub(super) fn object(text: &[u8]) -> Result<Object<'_>, Refusal> {
    if text.len() > LINE_LIMIT {
        return Err(Refusal::TooLong);
    }
    // The parser's own error is a text; what we refuse ourselves is told beside it.
    let refusal = Cell::new(None);
    let mut parser = serde_json::Deserializer::from_slice(text);
    let value = parser.deserialize_any(Reader { refusal: &refusal });
    let value = value.and_then(|value| parser.end().map(|()| value));
    match value {
        Ok(Json::Object(object)) => Ok(object),
        Ok(_) => Err(Refusal::NotAnObject),
        Err(error) => Err(refusal.take().unwrap_or(Refusal::Syntax(error))),
    }
}

/// Reads a value of any type.
#[derive(Clone, Copy)]
struct Reader<'s> {
    refusal: &'s Cell<Option<Refusal>>,
}

impl Reader<'_> {
    fn refuse<T, E: Error>(self, refusal: Refusal) -> Result<T, E> {
        let error = E::custom(&refusal);
        self.refusal.set(Some(refusal));
        Err(error)
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Json<'de>;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Json<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Json<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(flag))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Json<'de>, E> {
        match SafeInteger::new(number) {
            Some(number) => Ok(Json::Integer(number)),
            None => self.refuse(Refusal::Number),
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Json<'de>, E> {
        match i64::try_from(number).ok().and_then(SafeInteger::new) {
            Some(number) => Ok(Json::Integer(number)),
            None => self.refuse(Refusal::Number),
        }
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Json<'de>, E> {
        self.refuse(Refusal::Number)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json<'de>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json<'de>, A::Error> {
        let mut members = Vec::with_capacity(8);
        while let Some(key) = entries.next_key_seed(Key)? {
            members.push((key, entries.next_value_seed(self)?));
        }
        match Object::of(members) {
            Ok(object) => Ok(Json::Object(object)),
            Err(key) => self.refuse(Refusal::DuplicateKey(key)),
        }
    }
}

/// Reads a key.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a key")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}
