//! The description of the API, made from the table of routes.

use serde_json::{Map, Value, json};

use crate::caller::Access;
use crate::routes::routes;

/// The OpenAPI document.
#[must_use]
pub fn document() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in routes() {
        let entry = paths.entry(route.path.to_owned()).or_insert_with(|| json!({}));
        let parameters: Vec<Value> = parameters(route.path)
            .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }))
            .collect();
        let has_body = matches!(route.method.as_str(), "POST" | "PUT");
        let mut operation = json!({
            "summary": route.summary,
            "description": format!("For {}.", route.access.words()),
            "operationId": operation_id(route.method.as_str(), route.path),
            "tags": [tag(route.path)],
            "parameters": parameters,
            "responses": {
                "2XX": { "description": "It was done.", "content": { "application/json": { "schema": {} } } },
                "default": {
                    "description": "It was not done.",
                    "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } },
                },
            },
            "security": if route.access == Access::Open { json!([]) } else { json!([{ "token": [] }]) },
        });
        if has_body && let Some(members) = operation.as_object_mut() {
            let body = json!({ "content": { "application/json": { "schema": { "type": "object" } } } });
            members.insert("requestBody".to_owned(), body);
        }
        if let Some(entry) = entry.as_object_mut() {
            entry.insert(route.method.as_str().to_lowercase(), operation);
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Tracehound", "version": env!("CARGO_PKG_VERSION") },
        "paths": paths,
        "components": {
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas(),
        },
    })
}

fn schemas() -> Value {
    use utoipa::PartialSchema as _;
    json!({
        "Problem": crate::problem::ProblemDocument::schema(),
        "Decision": crate::api::authorize::Answer::schema(),
    })
}

fn parameters(path: &str) -> impl Iterator<Item = &str> {
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
