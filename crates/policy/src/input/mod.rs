//! The arguments of a call as policies see them: `context.input`, typed from the tool's JSON schema.
//!
//! What Cedar has no type for (fractions, null alone, a choice of types) is left out of the type and told in a [`Note`].
//! This is no validator of JSON schemas: it checks only what the types say, so that evaluation can't stumble over a value.

mod read;
#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeMap;

use serde_json::{Value, json};

pub(crate) use value::Misfit;

/// A part of a tool's input schema that policies can't see, and why.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Note {
    /// Where, from the arguments down, with dots. Empty for the arguments as a whole.
    pub path: String,
    /// Why it is left out.
    pub why: &'static str,
}

/// A type that Cedar has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    Text,
    Whole,
    Flag,
    List(Box<Slot>),
    Object(Object),
}

/// A place for a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slot {
    shape: Shape,
    may_be_null: bool,
}

/// An object whose members are declared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Object {
    members: BTreeMap<String, Member>,
    /// Whether members that are not declared are forbidden.
    is_closed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Member {
    /// Policies see it.
    Seen { slot: Slot, is_required: bool },
    /// It is declared, but has no type in Cedar.
    Unseen,
}

impl Object {
    /// The type of the arguments of a tool with this input schema, if the schema declares any; and what it leaves out.
    ///
    /// Linear in the size of the schema; references are followed to a bounded depth and number.
    pub(crate) fn of_schema(schema: &Value) -> (Option<Self>, Vec<Note>) {
        read::read(schema)
    }

    /// The type, as Cedar's schemas in JSON say it.
    pub(crate) fn cedar_type(&self, is_required: bool) -> Value {
        let seen = self.members.iter().filter_map(|(name, member)| match member {
            // A member that may be null is absent for policies when it is.
            Member::Seen { slot, is_required } => {
                Some((name.clone(), slot.shape.cedar_type(*is_required && !slot.may_be_null)))
            }
            Member::Unseen => None,
        });
        json!({"type": "Record", "attributes": seen.collect::<serde_json::Map<_, _>>(), "required": is_required})
    }
}

impl Shape {
    fn cedar_type(&self, is_required: bool) -> Value {
        match self {
            Self::Text => json!({"type": "String", "required": is_required}),
            Self::Whole => json!({"type": "Long", "required": is_required}),
            Self::Flag => json!({"type": "Boolean", "required": is_required}),
            Self::List(slot) => {
                // An item is neither required nor not; there Cedar wants no word about it.
                let mut item = slot.shape.cedar_type(true);
                item.as_object_mut().and_then(|item| item.remove("required"));
                json!({"type": "Set", "element": item, "required": is_required})
            }
            Self::Object(object) => object.cedar_type(is_required),
        }
    }
}
