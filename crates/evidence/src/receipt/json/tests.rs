use proptest::prelude::*;

use super::*;

/// What is made of a text: its canonical form, or why it is refused.
fn read(text: &str) -> String {
    match Object::parse(text.as_bytes()) {
        Ok(object) => object.canonical_without(&[]),
        Err(refusal) => format!("refused: {refusal}"),
    }
}

#[test]
fn texts_are_brought_into_canonical_form() {
    for (text, expected) in [
        (r#" { "b" : 1 , "a" : [ ] } "#, r#"{"a":[],"b":1}"#),
        (
            r#"{"a":"\u00e9\/\u0007\n\u007f","b":[true,null,{"y":-3,"x":0}]}"#,
            "{\"a\":\"é/\\u0007\\n\u{7f}\",\"b\":[true,null,{\"x\":0,\"y\":-3}]}",
        ),
        // By UTF-16 units the astral key comes before the private-use one, by code points after it.
        ("{\"\u{e000}\":1,\"\u{1f600}\":2}", "{\"\u{1f600}\":2,\"\u{e000}\":1}"),
        (r#"{"n":9007199254740991,"m":-9007199254740991}"#, r#"{"m":-9007199254740991,"n":9007199254740991}"#),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn what_two_programs_could_read_differently_is_refused() {
    let twice = |key: &str| {
        format!("refused: the key `{key}` stands twice in one object, so that two programs could read it differently")
    };
    for text in [r#"{"a":1,"a":1}"#, r#"{"a":1,"b":2,"\u0061":3}"#] {
        assert_eq!(read(text), twice("a"), "{text}");
    }
    assert_eq!(read(r#"{"x":[{"b":1,"a":1,"b":2}]}"#), twice("b"));
    let number = "refused: it has a number that is not a whole number of at most 2^53 - 1";
    for text in ["1.0", "1e3", "-0", "0.5", "9007199254740992", "-9007199254740992", "99999999999999999999999"] {
        assert_eq!(read(&format!(r#"{{"a":{text}}}"#)), number, "{text}");
    }
    assert_eq!(read("[1]"), "refused: it is not a JSON object");
    for text in ["", "{", r#"{"a":1}{}"#, r#"{"a":"\ud800"}"#, r#"{"a":01}"#, "{a:1}", "{\"a\":\"\n\"}", r#"{"a":NaN}"#]
    {
        assert!(read(text).starts_with("refused: it is not JSON: "), "{text}: {}", read(text));
    }
    assert!(matches!(Object::parse(b"{\"a\":\"\xff\"}"), Err(Refusal::Syntax(_))));
    assert!(matches!(Object::parse(&vec![b' '; LINE_LIMIT + 1]), Err(Refusal::TooLong)));
    assert!(matches!(Object::parse("[".repeat(500).as_bytes()), Err(Refusal::Syntax(_))));
}

#[test]
fn members_are_found_set_and_left_out() {
    let mut object = Object::parse(br#"{"b":"two","d":4}"#).unwrap();
    object.set("c", Json::from(3));
    object.set("b", Json::from("zwei"));
    object.set("a", Json::from(vec![Some(true), None]));
    assert_eq!(object.text("b"), Some("zwei"));
    assert_eq!(object.get("d").and_then(Json::as_integer), Some(4));
    assert_eq!(object.get("e"), None);
    assert_eq!(object.canonical_without(&["b"]), r#"{"a":[true,null],"c":3,"d":4}"#);
    assert_eq!(object.canonical_without(&["a", "b", "c", "d"]), "{}");
}

/// Values that receipts may hold.
fn value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        (-SafeInteger::MAX..=SafeInteger::MAX).prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let key = prop_oneof![any::<String>(), "[a-c\u{e000}\u{ffff}\u{10000}]{1,2}"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::btree_map(key, inner, 0..6)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_canonical_form_is_the_one_of_rfc_8785(value in value()) {
        let object = serde_json::json!({ "value": value });
        let expected = serde_json_canonicalizer::to_string(&object).unwrap();
        for text in [object.to_string(), serde_json::to_string_pretty(&object).unwrap(), expected.clone()] {
            prop_assert_eq!(&read(&text), &expected);
        }
        let mut out = String::new();
        Json::try_from(&object).unwrap().write(&mut out);
        prop_assert_eq!(out, expected);
    }
}
