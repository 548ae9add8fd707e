//! Types that hold another type's members are written with those members, so that whoever reads the description finds one
//! object. A type may then refuse members that it does not know although it is a part of another.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::Types;

/// Where types stand in the document.
const PLACE: &str = "#/components/schemas/";

/// All types that something in `roots` names, directly or not, each written as one object.
pub(super) fn flattened(mut types: Types, roots: &Value) -> Types {
    let names: Vec<String> = types.keys().cloned().collect();
    for name in names {
        if let Some(schema) = types.get(&name).filter(|schema| schema.get("allOf").is_some()) {
            let mut whole = schema.clone();
            take_in(&mut whole, &types);
            types.insert(name, whole);
        }
    }
    let used = reachable(&types, roots);
    types.retain(|name, _| used.contains(name));
    types
}

/// Puts the members of all parts in the place of the list of parts.
fn take_in(schema: &mut Value, types: &Types) {
    let Some(object) = schema.as_object_mut() else { return };
    let Some(Value::Array(parts)) = object.remove("allOf") else { return };
    let mut properties = Map::new();
    let mut required = BTreeSet::new();
    for part in parts {
        let is_sure = part.get("oneOf").is_none();
        let mut part = match named_within(&part) {
            Some(name) => types.get(name).cloned().unwrap_or_default(),
            None => part,
        };
        take_in(&mut part, types);
        if let Some(Value::Object(members)) = part.get_mut("properties") {
            properties.append(members);
        }
        let names = part.get("required").filter(|_| is_sure).and_then(Value::as_array).into_iter().flatten();
        required.extend(names.filter_map(Value::as_str).map(str::to_owned));
    }
    object.insert("type".to_owned(), "object".into());
    object.insert("properties".to_owned(), properties.into());
    object.insert("required".to_owned(), required.into_iter().collect());
}

fn reachable(types: &Types, roots: &Value) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut open: Vec<String> = names_in(roots).into_iter().map(str::to_owned).collect();
    while let Some(name) = open.pop() {
        if let Some(schema) = types.get(&name).filter(|_| !found.contains(&name)) {
            open.extend(names_in(schema).into_iter().map(str::to_owned));
            found.insert(name);
        }
    }
    found
}

/// The types that are named anywhere in a value.
pub(super) fn names_in(value: &Value) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        found.extend(named(value));
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    found
}

/// The type that a part is, or is if it is there at all.
fn named_within(part: &Value) -> Option<&str> {
    let choices = part.get("oneOf").and_then(Value::as_array).into_iter().flatten();
    named(part).or_else(|| choices.filter_map(named).next())
}

fn named(value: &Value) -> Option<&str> {
    value.get("$ref")?.as_str()?.strip_prefix(PLACE)
}
