//! What becomes of properties and of edges that can't be.

use super::*;

/// These properties of a node become those, with these warnings.
#[track_caller]
fn check_values(given: &str, expected: &Value, warnings: &[(WarningCode, &str)]) {
    let nodes = format!(r#"[{{"id":"{}","kinds":["Host"],"properties":{given}}}]"#, id(1));
    let parsed = check_warnings(&document(&nodes, "[]"), warnings);
    // Compared as text, because to JSON 1 and 1.0 are different and to `Value` some numbers are not.
    assert_eq!(properties(&parsed, 0).to_string(), expected.to_string());
}

#[test]
fn keys_become_snake_case() {
    for (given, expected) in [
        ("capabilitySurface", "capability_surface"),
        ("xID", "x_id"),
        ("HTTPServer", "http_server"),
        ("HTTPSEnabled", "https_enabled"),
        ("isHTTPS", "is_https"),
        ("ID", "id"),
        ("sha256Sum", "sha256_sum"),
        ("already_snake", "already_snake"),
        ("", ""),
        ("Ünlü", "ünlü"),
    ] {
        check_values(&json!({given: "v"}).to_string(), &json!({expected: "v"}), &[]);
    }
}

#[test]
fn null_is_no_property() {
    check_values(r#"{"a":null,"b":1}"#, &json!({"b": 1}), &[]);
}

#[test]
fn provenance_is_dropped_in_any_spelling() {
    let given = r#"{"objectid":"x","scan_id":"x","scanID":"x","first_seen":"x","lastSeen":{"a":1},"name":"n"}"#;
    check_values(given, &json!({"name": "n"}), &[]);
}

#[test]
fn an_object_becomes_compact_json_with_sorted_keys() {
    check_values(
        r#"{"a":{"z":1, "b":{"y":[1, 2],"c":null}}}"#,
        &json!({"a": r#"{"b":{"c":null,"y":[1,2]},"z":1}"#}),
        &[(WarningCode::KeptAsText, "graph.nodes[0].properties.a")],
    );
}

#[test]
fn lists_of_one_type_stay_lists() {
    for list in [json!([]), json!(["a", "b"]), json!([1, -2]), json!([1, 1.5]), json!([true, false])] {
        check_values(&json!({"a": list}).to_string(), &json!({"a": list}), &[]);
    }
}

#[test]
fn other_lists_become_json_text() {
    for (list, text) in [
        ("[1, \"a\"]", r#"[1,"a"]"#),
        ("[null]", "[null]"),
        ("[[1]]", "[[1]]"),
        ("[{\"b\":1,\"a\":2}]", r#"[{"a":2,"b":1}]"#),
        ("[true, 1]", "[true,1]"),
    ] {
        let warning = (WarningCode::KeptAsText, "graph.nodes[0].properties.a");
        check_values(&format!(r#"{{"a":{list}}}"#), &json!({"a": text}), &[warning]);
    }
}

#[test]
fn numbers_are_kept_as_they_are() {
    check_values(
        r#"{"a":1,"b":1.0,"c":-7,"d":18446744073709551615,"e":0.1,"f":9007199254740993,"g":1e3}"#,
        &json!({"a": 1, "b": 1.0, "c": -7, "d": u64::MAX, "e": 0.1, "f": 9_007_199_254_740_993_i64, "g": 1000.0}),
        &[],
    );
}

#[test]
fn texts_are_kept_as_they_are() {
    let hex = "0f".repeat(32);
    for text in ["", "é\u{0}\u{1f600}", &hex, &hex.to_uppercase(), &format!("sha256:{hex}"), "sha256:", "true", "1"] {
        check_values(&json!({"a": text}).to_string(), &json!({"a": text}), &[]);
    }
}

#[test]
fn what_a_template_wrote_as_text_gets_its_type_back() {
    check_values(r#"{"is_anonymous_loot":"true"}"#, &json!({"is_anonymous_loot": true}), &[]);
    check_values(r#"{"isAnonymousLoot":"false"}"#, &json!({"is_anonymous_loot": false}), &[]);
    check_values(r#"{"is_anonymous_loot":"maybe"}"#, &json!({"is_anonymous_loot": "maybe"}), &[]);
    check_values(r#"{"confidence":1}"#, &json!({"confidence": 1.0}), &[]);
    check_values(r#"{"confidence":"0.5"}"#, &json!({"confidence": 0.5}), &[]);
    check_values(r#"{"line":"3","column":4.0}"#, &json!({"column": 4, "line": 3}), &[]);
    check_values(r#"{"line":"three"}"#, &json!({"line": "three"}), &[]);
    for no_number in ["NaN", "inf", "-Infinity", "1e999", ""] {
        check_values(&json!({"confidence": no_number}).to_string(), &json!({"confidence": no_number}), &[]);
    }
}

#[test]
fn of_two_spellings_of_a_key_the_keys_own_wins_in_either_order() {
    let lost = [(WarningCode::KeyCollision, "graph.nodes[0].properties.authMethod")];
    check_values(r#"{"authMethod":"a","auth_method":"b"}"#, &json!({"auth_method": "b"}), &lost);
    check_values(r#"{"auth_method":"b","authMethod":"a"}"#, &json!({"auth_method": "b"}), &lost);
}

#[test]
fn of_two_foreign_spellings_of_a_key_the_same_wins_in_either_order() {
    let lost = [(WarningCode::KeyCollision, "graph.nodes[0].properties.AuthMethod")];
    check_values(r#"{"AuthMethod":"a","authMethod":"b"}"#, &json!({"auth_method": "b"}), &lost);
    check_values(r#"{"authMethod":"b","AuthMethod":"a"}"#, &json!({"auth_method": "b"}), &lost);
}

#[test]
fn a_spelling_without_a_value_does_not_win() {
    check_values(r#"{"auth_method":null,"authMethod":"a"}"#, &json!({"auth_method": "a"}), &[]);
}

#[test]
fn edges_have_their_properties_normalised_too() {
    let edges = r#"[{"source":"a","target":"b","kind":"RUNS_ON","properties":{"riskWeight":1,"x":null,"scanID":"s"}}]"#;
    let parsed = check_warnings(&document("[]", edges), &[]);
    let bag = crate::bag::Bag(parsed.bytes(parsed.edges[0].bag));
    let found: Vec<_> = bag.sorted(&parsed.keys).into_iter().map(|(key, value)| (key, value.to_json())).collect();
    assert_eq!(found, [("risk_weight", json!(1.0))]);
}

#[test]
fn a_node_that_stands_twice_is_merged() {
    let nodes = format!(
        r#"[{{"id":"{0}","kinds":["Host"],"properties":{{"a":1,"b":1}}}},{{"id":"{0}","kinds":["MCPServer"],"properties":{{"b":2,"c":2}}}}]"#,
        id(1)
    );
    let parsed = check_warnings(&document(&nodes, "[]"), &[(WarningCode::DuplicateNode, "graph.nodes[1].id")]);
    assert_eq!((parsed.nodes.len(), properties(&parsed, 0)), (1, json!({"a": 1, "b": 2, "c": 2})));
    let (labels, _) = Labels::split(parsed.bytes(parsed.nodes[0].blob)).unwrap();
    let kinds: Vec<&str> = labels.kinds().map(tracehound_model::NodeKind::name).collect();
    assert_eq!(kinds, ["Host", "MCPServer"]);
}

#[test]
fn an_unusual_id_is_kept_with_a_warning() {
    for unusual in ["x", &id(1).to_uppercase(), &format!("{}0", id(1)), "sha256:", &"A1".repeat(32), "é"] {
        let nodes = json!([{"id": unusual, "kinds": ["Host"]}]).to_string();
        check_warnings(&document(&nodes, "[]"), &[(WarningCode::UnusualId, "graph.nodes[0].id")]);
    }
}

/// An edge between these two nodes, of which each is given with its kinds, or only claimed by the edge.
fn edge_between(kind: &str, source: &Value, target: &Value) -> String {
    let node = |id: u8, kinds: &Value| kinds.as_array().map(|kinds| json!({"id": super::id(id), "kinds": kinds}));
    let nodes: Vec<Value> = [node(1, source), node(2, target)].into_iter().flatten().collect();
    let claim = |kinds: &Value| kinds.as_str().unwrap_or_default().to_owned();
    let edge = json!({
        "source": id(1), "target": id(2), "kind": kind,
        "source_kind": claim(source), "target_kind": claim(target),
    });
    document(&json!(nodes).to_string(), &format!("[{edge}]"))
}

#[test]
fn an_edge_whose_ends_do_not_fit_is_left_out_and_named() {
    for (source, target, wrong) in [
        (json!(["Host"]), json!(["MCPTool"]), "its source is Host, not MCPServer"),
        (json!(["MCPServer"]), json!(["Host"]), "its target is Host, not MCPTool"),
        (json!("Host"), json!("MCPTool"), "its source is Host, not MCPServer"),
        (json!("MCPServer"), json!("AIService"), "its target is AIService, not MCPTool"),
    ] {
        let text = edge_between("PROVIDES_TOOL", &source, &target);
        let parsed = check_warnings(&text, &[(WarningCode::EndpointMismatch, "graph.edges[0]")]);
        assert_eq!(parsed.edges.len(), 0);
        let message = &parsed.warnings.into_list()[0].places[0].message;
        for part in ["PROVIDES_TOOL", &id(1), &id(2), wrong] {
            assert!(message.contains(part), "{message}");
        }
    }
}

#[test]
fn an_edge_that_may_fit_is_kept() {
    for (kind, source, target) in [
        ("PROVIDES_TOOL", json!(null), json!(null)),
        ("PROVIDES_TOOL", json!(["Host", "MCPServer"]), json!("MCPTool")),
        ("PROVIDES_RESOURCE", json!("JupyterServer"), json!(["MCPResource"])),
        ("EXPOSES_CREDENTIAL", json!("AIService"), json!("Credential")),
        ("EXPOSES_CREDENTIAL", json!("LiteLLMGateway"), json!("Credential")),
        ("EXPOSES_CREDENTIAL", json!(["LiteLLMGateway"]), json!("Credential")),
        ("PROVIDES_MODEL", json!("AIService"), json!("AIModel")),
        ("RUNS_ON", json!("AIService"), json!("Host")),
    ] {
        assert_eq!(check_warnings(&edge_between(kind, &source, &target), &[]).edges.len(), 1, "{kind}");
    }
}

#[test]
fn an_origin_or_covers_that_cannot_be_read_covers_nothing() {
    for (extra, path) in [
        (r#"{"origin":["a"]}"#, "meta.extra.origin"),
        (r#"{"origin":"a","covers":["b"]}"#, "meta.extra.covers"),
        (r#"{"covers":{"nodes":[1]}}"#, "meta.extra.covers"),
    ] {
        let text = document("[]", "[]").replace(r#""scan_id":"s""#, &format!(r#""scan_id":"s","extra":{extra}"#));
        let parsed = check_warnings(&text, &[(WarningCode::CoversUnreadable, path)]);
        assert_eq!(parsed.head.covers, Some(tracehound_model::wire::Covers::default()), "{extra}");
    }
}
