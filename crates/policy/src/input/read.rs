//! JSON schemas read as types.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Member, Note, Object, Shape, Slot};

/// How deep types may be nested.
const DEEPEST: usize = 8;
/// How many members the arguments of one tool may have, at all depths.
const MOST_MEMBERS: usize = 512;
/// How many notes are kept.
const MOST_NOTES: usize = 64;
/// The longest name of a member, in bytes.
const LONGEST_NAME: usize = 256;

/// Words that make a schema a choice or a condition, which no type of Cedar is.
const CHOICES: [&str; 6] = ["anyOf", "oneOf", "allOf", "not", "if", "dependentSchemas"];

/// The type of the arguments, and what is left out of it.
pub(super) fn read(schema: &Value) -> (Option<Object>, Vec<Note>) {
    let mut reader = Reader { root: schema, notes: Vec::new(), members: 0 };
    let is_object = schema.get("type").is_none_or(|of| of == "object");
    let declared =
        schema.as_object().filter(|schema| is_object && schema.get("properties").is_some_and(Value::is_object));
    let object = declared.map(|schema| reader.object(schema, "", 0));
    if object.is_none() {
        reader.note("", "the schema declares no properties");
    }
    (object, reader.notes)
}

struct Reader<'s> {
    root: &'s Value,
    notes: Vec<Note>,
    members: usize,
}

impl<'s> Reader<'s> {
    fn note(&mut self, path: &str, why: &'static str) {
        if self.notes.len() < MOST_NOTES {
            self.notes.push(Note { path: path.to_owned(), why });
        }
    }

    fn object(&mut self, schema: &'s Map<String, Value>, path: &str, depth: usize) -> Object {
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let required: BTreeSet<&str> = required.filter_map(Value::as_str).collect();
        let mut object =
            Object { is_closed: schema.get("additionalProperties") == Some(&Value::Bool(false)), ..Object::default() };
        for (name, of) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let member = match self.member(name, of, &path, depth) {
                Ok(slot) => Member::Seen { slot, is_required: required.contains(name.as_str()) },
                Err(why) => {
                    self.note(&path, why);
                    Member::Unseen
                }
            };
            object.members.insert(name.clone(), member);
        }
        object
    }

    fn member(&mut self, name: &str, of: &'s Value, path: &str, depth: usize) -> Result<Slot, &'static str> {
        self.members += 1;
        if self.members > MOST_MEMBERS {
            return Err("there are too many members");
        }
        if name.is_empty() || name.len() > LONGEST_NAME {
            return Err("its name is empty or too long");
        }
        self.slot(of, path, depth + 1)
    }

    fn slot(&mut self, schema: &'s Value, path: &str, depth: usize) -> Result<Slot, &'static str> {
        if depth > DEEPEST {
            return Err("it is nested too deep");
        }
        let schema = schema.as_object().ok_or("its type is not declared")?;
        if let Some(reference) = schema.get("$ref") {
            let target = reference.as_str().and_then(|reference| reference.strip_prefix('#'));
            let target = target.and_then(|pointer| self.root.pointer(pointer));
            return self.slot(target.ok_or("its reference leads nowhere in this schema")?, path, depth + 1);
        }
        if let Some(slot) = self.or_null(schema, path, depth) {
            return slot;
        }
        if CHOICES.iter().any(|word| schema.contains_key(*word)) {
            return Err("it is a choice or a condition, which Cedar has no type for");
        }
        let (kind, may_be_null) = kind_of(schema)?;
        Ok(Slot { shape: self.shape(kind, schema, path, depth)?, may_be_null })
    }

    /// A choice between one thing and null is that thing, or nothing.
    fn or_null(
        &mut self,
        schema: &'s Map<String, Value>,
        path: &str,
        depth: usize,
    ) -> Option<Result<Slot, &'static str>> {
        let choice = schema.get("anyOf").or_else(|| schema.get("oneOf"))?.as_array()?;
        let is_null = |option: &&Value| option.get("type").is_some_and(|of| of == "null");
        let mut others = choice.iter().filter(|option| !is_null(option));
        let (Some(only), None, true) = (others.next(), others.next(), choice.iter().any(|it| is_null(&it))) else {
            return None;
        };
        Some(self.slot(only, path, depth + 1).map(|slot| Slot { may_be_null: true, ..slot }))
    }

    fn shape(
        &mut self,
        kind: &str,
        schema: &'s Map<String, Value>,
        path: &str,
        depth: usize,
    ) -> Result<Shape, &'static str> {
        Ok(match kind {
            "string" => Shape::Text,
            "integer" => Shape::Whole,
            "boolean" => Shape::Flag,
            "array" => {
                let items = schema.get("items").ok_or("the type of its items is not declared")?;
                Shape::List(Box::new(self.slot(items, &format!("{path}[]"), depth + 1)?))
            }
            "object" if schema.get("properties").is_some_and(Value::is_object) => {
                Shape::Object(self.object(schema, path, depth))
            }
            "object" => return Err("its members are not declared"),
            "number" => return Err("it can have fractions, which Cedar has no type for"),
            _ => return Err("its type is none that Cedar has"),
        })
    }
}

/// The one type besides null, and whether null is among the types.
fn kind_of(schema: &Map<String, Value>) -> Result<(&str, bool), &'static str> {
    match schema.get("type") {
        Some(Value::String(kind)) => Ok((kind, false)),
        Some(Value::Array(kinds)) => {
            let mut others = kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null");
            match (others.next(), others.next()) {
                (Some(kind), None) => Ok((kind, kinds.iter().any(|kind| kind == "null"))),
                _ => Err("it can be of several types"),
            }
        }
        Some(_) => Err("its type is not declared"),
        None => {
            let values = schema.get("enum").and_then(Value::as_array).ok_or("its type is not declared")?;
            let is_text = !values.is_empty() && values.iter().all(Value::is_string);
            if is_text { Ok(("string", false)) } else { Err("it can be of several types") }
        }
    }
}
