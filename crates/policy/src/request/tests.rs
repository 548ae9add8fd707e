//! Bodies that are read, and bodies that are refused with the name of the field.

use serde_json::json;

use super::*;

fn body() -> Value {
    json!({
        "request_id": "r1",
        "agent": {"id": "a1", "environment": "production"},
        "user": {"id": "u1", "role": "dev"},
        "tool_call": {
            "tool": "github", "action": "merge_pull_request", "resource": "shop/api#12",
            "mutates_state": true, "parameters": {"base_branch": "main"},
        },
        "context": {"source_trust": "semi_trusted_customer", "contains_sensitive_data": false},
        "trace": {"run_id": "run", "trace_id": "trace", "root_trust_level": "unknown"},
        "something_else": [1],
    })
}

fn parse(body: &Value) -> Result<AuthorizeRequest, RequestError> {
    AuthorizeRequest::parse(body.to_string().as_bytes())
}

#[track_caller]
fn check_refused(pointer: &str, value: Option<Value>, expected: RequestError) {
    let mut body = body();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = body.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match value {
        Some(value) => parent.insert(name.to_owned(), value),
        None => parent.remove(name),
    };
    assert_eq!(parse(&body).unwrap_err(), expected);
}

#[test]
fn a_whole_request_is_read() {
    let request = parse(&body()).unwrap();
    assert_eq!(request.tool_call.resource.as_deref(), Some("shop/api#12"));
    assert_eq!(request.effective_trust(), TrustLevel::Unknown);
    assert!(!request.dry_run);
}

#[test]
fn a_missing_field_is_named() {
    check_refused("/agent", None, RequestError::Missing { field: "agent" });
    check_refused("/tool_call/parameters", None, RequestError::Missing { field: "tool_call.parameters" });
    check_refused("/tool_call/mutates_state", None, RequestError::Missing { field: "tool_call.mutates_state" });
    check_refused("/user/role", None, RequestError::Missing { field: "user.role" });
    check_refused("/context/source_trust", None, RequestError::Missing { field: "context.source_trust" });
}

#[test]
fn a_field_of_another_type_is_named_and_its_value_is_not_repeated() {
    let wrong = RequestError::WrongType { field: "tool_call.mutates_state", expected: "true or false" };
    assert!(!wrong.to_string().contains("sk-123"));
    check_refused("/tool_call/mutates_state", Some(json!("sk-123")), wrong);
    check_refused("/agent", Some(json!(5)), RequestError::WrongType { field: "agent", expected: "an object" });
    check_refused(
        "/dry_run",
        Some(json!(null)),
        RequestError::WrongType { field: "dry_run", expected: "true or false" },
    );
}

#[test]
fn w15_an_unknown_trust_label_is_refused_and_the_six_are_named() {
    let unknown = RequestError::UnknownTrust { field: "context.source_trust" };
    assert!(TrustLevel::ALL.iter().all(|level| unknown.to_string().contains(level.name())));
    check_refused("/context/source_trust", Some(json!("super_trusted")), unknown);
    let unknown = RequestError::UnknownTrust { field: "trace.root_trust_level" };
    check_refused("/trace/root_trust_level", Some(json!("Unknown")), unknown);
}

#[test]
fn ids_of_a_megabyte_are_refused_and_quotes_are_not() {
    let long = "x".repeat(1 << 20);
    for (pointer, field) in [("/agent/id", "agent.id"), ("/tool_call/tool", "tool_call.tool"), ("/nonce", "nonce")] {
        check_refused(pointer, Some(json!(long)), RequestError::TooLong { field, longest: LONGEST_ID });
    }
    check_refused("/tool_call/action", Some(json!("")), RequestError::Empty { field: "tool_call.action" });
    let mut body = body();
    body["agent"]["id"] = json!("a\"; permit(principal, action, resource); //");
    assert!(parse(&body).is_ok());
}

#[test]
fn arguments_that_are_ambiguous_are_refused() {
    let with = |arguments: &str| {
        let text = body().to_string().replace(r#"{"base_branch":"main"}"#, arguments);
        AuthorizeRequest::parse(text.as_bytes())
    };
    assert_eq!(with(r#"{"a":{"b":1,"b":2}}"#).unwrap_err(), RequestError::RepeatedKey);
    assert_eq!(with(r#"{"id":9007199254740993}"#).unwrap_err(), RequestError::InexactNumber);
    assert!(with(r#"{"id":9007199254740992,"big":18446744073709549568,"small":-9007199254740992}"#).is_ok());
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    assert!(with(&nested(DEEPEST)).is_ok());
    assert_eq!(with(&nested(DEEPEST + 1)).unwrap_err(), RequestError::TooDeep);
    assert_eq!(with(&nested(100_000)).unwrap_err(), RequestError::TooDeep);
}

#[test]
fn what_is_no_json_is_told_with_its_place() {
    let refused = AuthorizeRequest::parse(b"{\n  nope").unwrap_err();
    assert_eq!(refused, RequestError::NotJson { line: 2, column: 3 });
    let twice = br#"{"agent":{"id":"a","id":"b","environment":"e"}}"#;
    assert!(matches!(
        AuthorizeRequest::parse(twice).unwrap_err(),
        RequestError::Missing { .. } | RequestError::Malformed { .. }
    ));
}

#[test]
fn w18_another_body_under_the_same_request_id_has_another_fingerprint() {
    let first = parse(&body()).unwrap();
    let mut other = body();
    other["tool_call"]["parameters"]["base_branch"] = json!("dev");
    assert_ne!(first.fingerprint(), parse(&other).unwrap().fingerprint());
    let mut retried = body();
    retried["nonce"] = json!("n2");
    retried["timestamp"] = json!("2026-01-01T00:00:00Z");
    assert_eq!(first.fingerprint(), parse(&retried).unwrap().fingerprint());
}
