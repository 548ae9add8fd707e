//! Members of a document, read without demanding a type: a wrong type is a problem with a path, not a parse error.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

/// A value that is of no interest. Unlike serde's own, it goes through the parser's limit on nesting.
pub(super) struct Skipped;

impl<'de> Deserialize<'de> for Skipped {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SkippedVisitor;
        impl<'de> Visitor<'de> for SkippedVisitor {
            type Value = Skipped;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any JSON value")
            }
            fn visit_bool<E>(self, _: bool) -> Result<Skipped, E> {
                Ok(Skipped)
            }
            fn visit_i64<E>(self, _: i64) -> Result<Skipped, E> {
                Ok(Skipped)
            }
            fn visit_u64<E>(self, _: u64) -> Result<Skipped, E> {
                Ok(Skipped)
            }
            fn visit_f64<E>(self, _: f64) -> Result<Skipped, E> {
                Ok(Skipped)
            }
            fn visit_str<E>(self, _: &str) -> Result<Skipped, E> {
                Ok(Skipped)
            }
            fn visit_unit<E>(self) -> Result<Skipped, E> {
                Ok(Skipped)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Skipped, A::Error> {
                while list.next_element::<Skipped>()?.is_some() {}
                Ok(Skipped)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Skipped, A::Error> {
                while map.next_entry::<Skipped, Skipped>()?.is_some() {}
                Ok(Skipped)
            }
        }
        deserializer.deserialize_any(SkippedVisitor)
    }
}

/// A JSON text, borrowed from the document when it needs no unescaping.
pub(super) struct Text<'de>(pub(super) Cow<'de, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

/// Any JSON value, as far as a member that should be text or a number needs it.
pub(super) enum Field<'de> {
    Text(Cow<'de, str>),
    Number(Option<u64>),
    Null,
    Other(&'static str),
}

impl Field<'_> {
    /// What it is, for a message.
    pub(super) const fn found(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Number(_) => "a number",
            Self::Null => "null",
            Self::Other(what) => what,
        }
    }
}

impl<'de> Deserialize<'de> for Field<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FieldVisitor(PhantomData))
    }
}

struct FieldVisitor<'de>(PhantomData<&'de ()>);

impl<'de> Visitor<'de> for FieldVisitor<'de> {
    type Value = Field<'de>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Field::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Field::Text(Cow::Owned(text.to_owned())))
    }
    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Field::Number(Some(number)))
    }
    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Field::Number(None))
    }
    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Field::Number(None))
    }
    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Field::Other("a truth value"))
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Field::Null)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<Skipped>()?.is_some() {}
        Ok(Field::Other("a list"))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<Skipped, Skipped>()?.is_some() {}
        Ok(Field::Other("an object"))
    }
}

/// What a visitor of lists or objects does with a value that is neither: it hands on what was found.
macro_rules! scalars_are {
    ($unexpected:ident) => {
        fn visit_str<E>(self, _: &str) -> Result<(), E> {
            self.0.$unexpected("text");
            Ok(())
        }
        fn visit_u64<E>(self, _: u64) -> Result<(), E> {
            self.0.$unexpected("a number");
            Ok(())
        }
        fn visit_i64<E>(self, _: i64) -> Result<(), E> {
            self.0.$unexpected("a number");
            Ok(())
        }
        fn visit_f64<E>(self, _: f64) -> Result<(), E> {
            self.0.$unexpected("a number");
            Ok(())
        }
        fn visit_bool<E>(self, _: bool) -> Result<(), E> {
            self.0.$unexpected("a truth value");
            Ok(())
        }
    };
}

/// Something that reads the members of a JSON object one by one.
pub(super) trait Members<'de> {
    /// Reads the value of the member with this name.
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error>;
    /// All members were read.
    fn finish(self) -> Result<(), String>;
    /// There was no object at all.
    fn not_an_object(self, found: &'static str);
}

/// Reads an object with the given reader of members.
pub(super) struct Object<M>(pub(super) M);

impl<'de, M: Members<'de>> DeserializeSeed<'de> for Object<M> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, M: Members<'de>> Visitor<'de> for Object<M> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }
    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(Text(name)) = map.next_key()? {
            self.0.member(&name, &mut map)?;
        }
        self.0.finish().map_err(A::Error::custom)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<Skipped>()?.is_some() {}
        self.0.not_an_object("a list");
        Ok(())
    }
    scalars_are!(not_an_object);
    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.not_an_object("null");
        Ok(())
    }
}

/// Something that reads the items of a JSON list one by one.
pub(super) trait Items<'de> {
    /// Reads the next item.
    fn item<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error>;
    /// There was no list at all.
    fn not_a_list(self, found: &'static str);
}

/// Reads a list with the given reader of items; null is an empty list.
pub(super) struct List<I>(pub(super) I);

impl<'de, I: Items<'de>> DeserializeSeed<'de> for List<I> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, I: Items<'de>> Visitor<'de> for List<I> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }
    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while self.0.item(&mut list)? {}
        Ok(())
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<Skipped, Skipped>()?.is_some() {}
        self.0.not_a_list("an object");
        Ok(())
    }
    scalars_are!(not_a_list);
}
