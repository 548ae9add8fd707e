//! Types from schemas, and values that fit them or don't.

use std::collections::BTreeSet;

use serde_json::json;

use super::*;

fn object(schema: &Value) -> Object {
    Object::of_schema(schema).0.unwrap()
}

fn fits(schema: &Value, arguments: &Value) -> Result<(), (String, &'static str)> {
    object(schema).convert(arguments).map(drop).map_err(|misfit| (misfit.path, misfit.why))
}

#[test]
fn a_schema_becomes_a_type() {
    let (object, notes) = Object::of_schema(&json!({
        "type": "object",
        "required": ["path", "maybe"],
        "properties": {
            "path": {"type": "string"},
            "count": {"type": "integer"},
            "force": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "mode": {"enum": ["a", "b"]},
            "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "also": {"type": ["integer", "null"]},
            "where": {"$ref": "#/$defs/Place"},
            "ratio": {"type": "number"},
            "any": {},
            "either": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
            "bag": {"type": "object"},
            "list": {"type": "array"},
        },
        "$defs": {"Place": {"type": "object", "required": ["x"], "properties": {"x": {"type": "integer"}}}},
    }));
    let text = |required: bool| json!({"type": "String", "required": required});
    let expected = json!({"type": "Record", "required": true, "attributes": {
        "path": text(true),
        "count": {"type": "Long", "required": false},
        "force": {"type": "Boolean", "required": false},
        "tags": {"type": "Set", "element": {"type": "String"}, "required": false},
        "mode": text(false),
        "maybe": text(false),
        "also": {"type": "Long", "required": false},
        "where": {"type": "Record", "attributes": {"x": {"type": "Long", "required": true}}, "required": false},
    }});
    assert_eq!(object.unwrap().cedar_type(true), expected);
    let left_out: BTreeSet<&str> = notes.iter().map(|note| note.path.as_str()).collect();
    assert_eq!(Vec::from_iter(left_out), ["any", "bag", "either", "list", "ratio"]);
}

#[test]
fn a_schema_without_properties_gives_no_type() {
    for schema in [json!(null), json!(true), json!({}), json!({"type": "string"}), json!({"properties": 5})] {
        let (object, notes) = Object::of_schema(&schema);
        assert_eq!((object, notes.len()), (None, 1), "{schema}");
    }
}

#[test]
fn schemas_that_refer_to_themselves_or_are_endless_are_cut() {
    let endless = json!({"properties": {"a": {"$ref": "#"}, "b": {"$ref": "#/properties/b"}}});
    assert!(Object::of_schema(&endless).1.iter().any(|note| note.why.contains("too deep")));
    let wide: serde_json::Map<_, _> = (0..1000).map(|at| (format!("p{at}"), json!({"type": "string"}))).collect();
    let (object, notes) = Object::of_schema(&json!({"properties": wide}));
    assert_eq!(object.unwrap().cedar_type(true)["attributes"].as_object().unwrap().len(), 512);
    assert_eq!(notes.len(), 64);
    let branching: serde_json::Map<_, _> = (0..30).map(|at| (format!("p{at}"), json!({"$ref": "#"}))).collect();
    assert!(!Object::of_schema(&json!({"properties": branching})).1.is_empty());
}

#[test]
fn values_of_their_types_fit() {
    let schema = json!({"required": ["n"], "properties": {
        "n": {"type": "integer"}, "ratio": {"type": "number"}, "maybe": {"type": ["string", "null"]},
        "list": {"type": "array", "items": {"type": "integer"}},
    }});
    for arguments in [
        json!({"n": 1}),
        json!({"n": 1.0, "ratio": 0.5, "maybe": null, "undeclared": {"x": 1.5}}),
        json!({"n": i64::MIN, "list": [], "maybe": "x"}),
        json!({"n": -3, "list": [1, 1, 2], "ratio": "even this"}),
    ] {
        assert_eq!(fits(&schema, &arguments), Ok(()), "{arguments}");
    }
}

#[test]
fn values_of_other_types_don_t() {
    let schema = json!({"required": ["n"], "additionalProperties": false, "properties": {
        "n": {"type": "integer"}, "ratio": {"type": "number"},
        "list": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "string"}}}},
    }});
    let check =
        |arguments: Value, path: &str| assert_eq!(fits(&schema, &arguments).unwrap_err().0, path, "{arguments}");
    check(json!({}), "n");
    check(json!(null), "n");
    check(json!([1]), "");
    check(json!({"n": null}), "n");
    check(json!({"n": "1"}), "n");
    check(json!({"n": 1.5}), "n");
    check(json!({"n": u64::MAX}), "n");
    check(json!({"n": 1e300}), "n");
    check(json!({"n": 1, "list": [{"x": 1}]}), "list.[].x");
    check(json!({"n": 1, "list": vec![json!({}); 10_001]}), "list");
    check(json!({"n": 1, "secret-name": 1}), "");
}
