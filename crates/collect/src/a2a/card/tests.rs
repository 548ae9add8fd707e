use serde_json::json;

use super::*;

fn read(value: Value) -> Card {
    Card::read(&value).unwrap()
}

#[test]
fn what_is_no_card_is_said_in_one_sentence() {
    for (value, expected) in [
        (json!([]), "the answer is a list, not an object"),
        (json!({"skills": []}), "`name` is missing"),
        (json!({"name": "  ", "skills": []}), "`name` is missing"),
        (json!({"name": 1, "skills": []}), "`name` is a number, not text"),
        (json!({"name": "a"}), "it is no agent card: `url`, `supportedInterfaces` and `skills` are all missing"),
    ] {
        assert_eq!(Card::read(&value).unwrap_err(), expected);
    }
    assert!(parse(b"<html>").unwrap_err().starts_with("the answer is not JSON: expected value at line 1"));
}

#[test]
fn cards_of_each_version_are_read() {
    let second = json!({"name": "a", "url": "https://a.example", "skills": []});
    let third = json!({
        "name": "a", "url": "https://a.example", "protocolVersion": "0.3.0", "preferredTransport": "JSONRPC",
        "additionalInterfaces": [{"url": "https://a.example/grpc", "transport": "GRPC"}],
    });
    let first = json!({
        "name": "a",
        "supportedInterfaces": [
            {"url": "https://a.example", "protocolBinding": "JSONRPC", "protocolVersion": "1.0", "tenant": "t"},
            {"url": "https://a.example", "protocolBinding": "JSONRPC", "protocolVersion": "0.3"},
        ],
    });
    let said = |value: Value| {
        let card = read(value);
        assert_eq!(card.problems, Vec::<String>::new());
        let interfaces: Vec<String> = card.interfaces.iter().map(|it| it.written().to_string()).collect();
        (card.form, card.protocol_versions, interfaces)
    };
    assert_eq!(said(second), ("0.2", vec![], vec![r#"{"url":"https://a.example/"}"#.to_owned()]));
    assert_eq!(
        said(third),
        (
            "0.3",
            vec!["0.3.0".to_owned()],
            vec![
                r#"{"protocolBinding":"GRPC","url":"https://a.example/grpc"}"#.to_owned(),
                r#"{"protocolBinding":"JSONRPC","url":"https://a.example/"}"#.to_owned(),
            ]
        )
    );
    let (form, versions, interfaces) = said(first);
    assert_eq!((form, versions, interfaces.len()), ("1.0", vec!["0.3".to_owned(), "1.0".to_owned()], 2));
    assert!(interfaces[0].contains(r#""tenant":"t""#));
}

#[test]
fn each_problem_has_its_path() {
    let card = read(json!({
        "name": "a",
        "description": 1,
        "capabilities": ["streaming"],
        "skills": [{"id": "a", "name": "A"}, 5, {"name": "B"}, {"id": "c"}, {"id": "a", "name": "again"}, {}],
        "supportedInterfaces": [{"protocolBinding": "JSONRPC"}, "x"],
        "securitySchemes": {"k": 1, "t": {}, "h": {"type": "http"}},
        "security": "none",
    }));
    let mut problems = card.problems;
    problems.sort();
    assert_eq!(
        problems,
        [
            "`capabilities` is a list, not an object",
            "`description` is a number, not text",
            "`securitySchemes.h.scheme` is missing",
            "`securitySchemes.k` is a number, not an object",
            "`securitySchemes.t.type` is missing",
            "`security` is text, not a list",
            "`skills[1]` is a number, not an object",
            "`skills[2].id` is missing",
            "`skills[3].name` is missing",
            "`skills[4].id` is that of an earlier skill",
            "`skills[5].id` is missing",
            "`skills[5].name` is missing",
            "`supportedInterfaces[0].url` is missing",
            "`supportedInterfaces[1]` is text, not an object",
        ]
    );
    let ids: Vec<&str> = card.skills.iter().map(|skill| skill.id.as_str()).collect();
    assert_eq!((ids.as_slice(), card.has_all_skills), (&["a", "B", "c", "a#2", "#5"][..], false));
}

#[test]
fn whatever_is_too_much_is_cut_with_a_mark() {
    let long = "ä".repeat(40_000);
    let card = read(json!({
        "name": "n".repeat(3_000),
        "description": long,
        "skills": vec![json!({"id": "s", "name": "S", "description": long, "tags": vec!["t"; 200]}); 1_200],
        "supportedInterfaces": vec![json!({"url": "https://a.example"}); 300],
        "securitySchemes": (0..300).map(|it| (it.to_string(), json!({"type": "apiKey"}))).collect::<Members>(),
        "capabilities": (0..300).map(|it| (it.to_string(), json!(true))).collect::<Members>(),
    }));
    assert_eq!(
        card.cut_short,
        [
            "`capabilities` is cut at 100 of 300",
            "`description` is cut at 65536 bytes of 80000",
            "`name` is cut at 2048 bytes of 3000",
            "`securitySchemes` is cut at 100 of 300",
            "`skills` is cut at 1000 of 1200",
            "`supportedInterfaces` is cut at 100 of 300",
        ]
    );
    assert_eq!((card.skills.len(), card.has_all_skills), (1_000, false));
    let skill = &card.skills[0];
    assert_eq!(
        skill.cut_short,
        ["`skills[0].description` is cut at 65536 bytes of 80000", "`skills[0].tags` is cut at 100 of 200"]
    );
    // Somebody may change only what is beyond the limit.
    assert_eq!(skill.description_hash, hash::skill_description("S", &long));
}

#[test]
fn skills_speak_the_modes_of_the_card_unless_they_have_their_own() {
    let card = read(json!({
        "name": "a", "defaultInputModes": ["text/plain"], "defaultOutputModes": ["image/png"],
        "skills": [{"id": "a", "name": "A"}, {"id": "b", "name": "B", "inputModes": ["audio/wav"]}],
    }));
    assert_eq!(
        (card.skills[0].input_modes.as_slice(), card.skills[1].input_modes.as_slice()),
        (&["text/plain".to_owned()][..], &["audio/wav".to_owned()][..])
    );
    assert_eq!(card.skills[1].output_modes, ["image/png"]);
}

#[test]
fn issuers_are_found_in_both_forms_of_schemes() {
    let card = read(json!({
        "name": "a", "skills": [],
        "securitySchemes": {
            "one": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://i.example/t1/oauth2/v2.0/token"}}},
            "two": {"oauth2SecurityScheme": {"flows": {"deviceCode": {"tokenUrl": "https://i.example/t1/token"}}}},
            "three": {"openIdConnectSecurityScheme": {"openIdConnectUrl": "https://o.example/.well-known/openid-configuration"}},
            "four": {"type": "oauth2", "oauth2MetadataUrl": "https://m.example/.well-known/oauth-authorization-server/x", "flows": {}},
        },
    }));
    let issuers: Vec<(&str, &str)> =
        card.schemes.iter().map(|scheme| (scheme.name.as_str(), scheme.issuers[0].as_str())).collect();
    assert_eq!(
        issuers,
        [
            ("four", "https://m.example/x"),
            ("one", "https://i.example/t1"),
            ("three", "https://o.example"),
            ("two", "https://i.example/t1"),
        ]
    );
}
