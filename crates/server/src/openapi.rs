//! The description of the API, made from the table of routes.

mod flat;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::caller::Access;
use crate::problem::ProblemDocument;
use crate::route::Route;
use crate::routes::routes;
use crate::shape::{JSON, Named, Part};

/// Types by name.
type Types = BTreeMap<String, Value>;

/// The OpenAPI document.
#[must_use]
pub fn document() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    let mut types = Types::new();
    let problem = reference(Named::of::<ProblemDocument<'_>>(), &mut types);
    for route in routes() {
        let operation = operation(&route, &problem, &mut types);
        let entry = paths.entry(route.path.to_owned()).or_insert_with(|| json!({}));
        if let Some(entry) = entry.as_object_mut() {
            entry.insert(route.method.as_str().to_lowercase(), operation);
        }
    }
    let types = flat::flattened(types, &json!([paths, problem]));
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Tracehound", "version": env!("CARGO_PKG_VERSION") },
        "paths": paths,
        "components": {
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
            "schemas": types,
        },
    })
}

fn operation(route: &Route, problem: &Value, types: &mut Types) -> Value {
    let mut responses = Map::new();
    for (status, part) in &route.shape.answers {
        let description = status.canonical_reason().unwrap_or("It was done.");
        let done = match part {
            Some(part) => json!({ "description": description, "content": content(std::slice::from_ref(part), types) }),
            None => json!({ "description": description }),
        };
        responses.insert(status.as_u16().to_string(), done);
    }
    let refused = json!({ "application/problem+json": { "schema": problem } });
    responses.insert("default".to_owned(), json!({ "description": "It was not done.", "content": refused }));
    let mut operation = json!({
        "summary": route.summary,
        "description": format!("For {}.", route.access.words()),
        "operationId": operation_id(route.method.as_str(), route.path),
        "tags": [tag(route.path)],
        "parameters": parameters(route),
        "responses": responses,
        "security": if route.access == Access::Open { json!([]) } else { json!([{ "token": [] }]) },
    });
    if let Some(operation) = operation.as_object_mut().filter(|_| !route.shape.body.is_empty()) {
        let body = json!({ "required": true, "content": content(&route.shape.body, types) });
        operation.insert("requestBody".to_owned(), body);
    }
    operation
}

/// A body in each of its forms.
fn content(parts: &[Part], types: &mut Types) -> Value {
    let mut content = Map::new();
    for part in parts {
        let untold = || json!({ "type": if part.media == JSON { "object" } else { "string" } });
        let schema = part.named.map_or_else(untold, |named| reference(named, types));
        content.insert(part.media.to_owned(), json!({ "schema": schema }));
    }
    Value::Object(content)
}

/// A reference to a type, which is written down with all that it is made of.
fn reference(named: Named, types: &mut Types) -> Value {
    let mut parts = Vec::new();
    (named.parts)(&mut parts);
    for (name, schema) in parts {
        types.insert(name, json!(schema));
    }
    let name = (named.name)();
    types.insert(name.to_string(), json!((named.schema)()));
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// What stands in the path and behind the question mark.
fn parameters(route: &Route) -> Vec<Value> {
    let of_path = in_path(route.path)
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }));
    let of_query = route.shape.query.map(|query| query()).unwrap_or_default();
    of_path.chain(of_query.iter().map(|parameter| without_null(json!(parameter)))).collect()
}

/// What is left out of an address is not there; it can't be sent as nothing.
fn without_null(mut parameter: Value) -> Value {
    let Some(schema) = parameter.get_mut("schema") else { return parameter };
    let first = |name: &str| schema.get(name).and_then(Value::as_array).and_then(|kinds| kinds.first()).cloned();
    let (kind, choice) = (first("type"), first("oneOf"));
    if let (Some(kind), Some(schema)) = (kind, schema.as_object_mut()) {
        schema.insert("type".to_owned(), kind);
    }
    if let Some(choice) = choice {
        *schema = choice;
    }
    parameter
}

fn in_path(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

fn tag(path: &str) -> &str {
    path.strip_prefix("/v1/").and_then(|rest| rest.split('/').next()).unwrap_or("server")
}

fn operation_id(method: &str, path: &str) -> String {
    let words = path.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut id = method.to_lowercase();
    for word in words {
        id.push('_');
        id.push_str(word);
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_says_what_it_answers() {
        let silent: Vec<_> = routes().into_iter().filter(|route| route.shape.answers.is_empty()).collect();
        assert!(silent.is_empty(), "say it in the table with `.gives::<T>()` or the like: {silent:?}");
    }

    #[test]
    fn every_type_that_is_named_is_described_and_every_description_is_used() {
        let document = document();
        let types = document["components"]["schemas"].as_object().unwrap();
        let named = flat::names_in(&document);
        let missing: Vec<_> = named.iter().filter(|name| !types.contains_key(**name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        let unused: Vec<_> = types.keys().filter(|name| !named.contains(name.as_str())).collect();
        assert!(unused.is_empty(), "{unused:?}");
        let divided: Vec<_> = types.iter().filter(|(_, schema)| schema.to_string().contains("allOf")).collect();
        assert!(divided.is_empty(), "types that are put together are written as one: {divided:?}");
    }

    #[test]
    fn types_of_one_name_are_one_type() {
        let mut known: BTreeMap<String, Value> = BTreeMap::new();
        for route in routes() {
            let answers = route.shape.answers.into_iter().filter_map(|(_, part)| part);
            for named in route.shape.body.into_iter().chain(answers).filter_map(|part| part.named) {
                let mut all = vec![((named.name)().into_owned(), (named.schema)())];
                (named.parts)(&mut all);
                for (name, schema) in all {
                    let schema = json!(schema);
                    let before = known.entry(name.clone()).or_insert_with(|| schema.clone());
                    assert_eq!(
                        *before, schema,
                        "`{name}` means two types; `#[schema(as = …)]` gives one of them another name"
                    );
                }
            }
        }
    }
}
