//! Documents that are broken, hostile, or larger than allowed.

use super::*;
use crate::facts::{Facts, ScanRecord};

/// The document is no JSON of the format's shape; the message says where and why.
#[track_caller]
fn check_json(text: &str, place: &str, reason: &str) {
    check_limited(text, &Limits::default(), place, reason);
}

#[track_caller]
fn check_limited(text: &str, limits: &Limits, expected_place: &str, reason: &str) {
    match parse(text.as_bytes(), limits, Keys::default()) {
        Err(Error::Json { place, source }) => {
            assert!(place.starts_with(expected_place), "{place}");
            assert!(source.to_string().contains(reason), "{source}");
        }
        other => panic!("expected bad JSON, found {other:?}"),
    }
}

/// The document breaks a limit at this path.
#[track_caller]
fn check_limit(text: &str, limits: &Limits, expected: &str) {
    match parse(text.as_bytes(), limits, Keys::default()) {
        Err(Error::Invalid(problems)) => {
            let paths: Vec<&str> = problems.problems.iter().map(|problem| problem.path.as_str()).collect();
            assert_eq!(paths, [expected]);
        }
        other => panic!("expected a broken limit, found {other:?}"),
    }
}

fn node(properties: &str) -> String {
    document(&format!(r#"[{{"id":"{}","kinds":["Host"],"properties":{properties}}}]"#, id(1)), "[]")
}

#[test]
fn broken_json_is_refused_wherever_it_breaks() {
    let whole = node(r#"{"a":[1,{"b":"c"}],"d":"\u00e9"}"#);
    for end in 0..whole.len() {
        let refused = read_text(&whole[..end]);
        assert!(matches!(refused, Err(Error::Json { .. })), "cut at {end}: {refused:?}");
    }
    for broken in ["{,}", "{'a':1}", r#"{"a":01}"#, r#"{"meta" {}}"#, "{\"a\":\"\u{1}\"}", &node(r#"{"a":"\ud800"}"#)] {
        assert!(matches!(read_text(broken), Err(Error::Json { .. })), "{broken}");
    }
}

#[test]
fn bytes_after_the_document_are_refused() {
    for garbage in ["x", "{}", "]", "\u{0}"] {
        check_json(&format!("{}{garbage}", document("[]", "[]")), "document", "trailing characters");
    }
    read_text(&format!("{} \r\n\t", document("[]", "[]"))).unwrap();
}

#[test]
fn numbers_that_json_does_not_know_are_refused() {
    for number in ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "+1", ".5", "1.", "0x10"] {
        let refused = read_text(&node(&format!(r#"{{"a":{number}}}"#)));
        assert!(matches!(refused, Err(Error::Json { .. })), "{number}: {refused:?}");
        let refused = read_text(&node(&format!(r#"{{"a":[{number}]}}"#)));
        assert!(matches!(refused, Err(Error::Json { .. })), "[{number}]: {refused:?}");
    }
}

#[test]
fn deep_nesting_neither_crashes_nor_passes_into_properties() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    check_json(&node(&format!(r#"{{"a":{deep}}}"#)), "graph.nodes[0].properties", "recursion limit");
    let objects = format!("{}1{}", r#"{"a":"#.repeat(10_000), "}".repeat(10_000));
    check_json(&node(&format!(r#"{{"a":{objects}}}"#)), "graph.nodes[0].properties", "recursion limit");
    check_json(&"[".repeat(10_000), "document", "");
    for member in [
        format!(r#"{{"meta":{META},"x":{deep}}}"#),
        document(&format!(r#"[{{"id":{deep},"kinds":{deep}}}]"#), "[]"),
        document(&deep, &deep),
    ] {
        // Whether a member that nobody reads may be that deep does not matter, as long as there is an answer.
        drop(read_text(&member));
    }
}

#[test]
fn bytes_that_are_no_text_are_named_by_line_and_column() {
    let mut bytes = b"{\n  \"meta\": \"".to_vec();
    bytes.extend([0xc3, 0x28]);
    match parse(&bytes, &Limits::default(), Keys::default()) {
        Err(Error::NotUtf8 { line, column, hint }) => assert_eq!((line, column, hint), (2, 12, "")),
        other => panic!("{other:?}"),
    }
    match parse(&[0xff], &Limits::default(), Keys::default()) {
        Err(Error::NotUtf8 { line, column, .. }) => assert_eq!((line, column), (1, 1)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn utf_16_is_recognised() {
    let text = document("[]", "[]");
    let little: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let big: Vec<u8> = [0xfe, 0xff].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect();
    for bytes in [little, big] {
        let refused = parse(&bytes, &Limits::default(), Keys::default()).unwrap_err();
        assert!(refused.to_string().contains("UTF-16"), "{refused}");
    }
}

#[test]
fn the_mark_that_editors_put_in_front_is_accepted_once() {
    let text = document("[]", "[]");
    read_text(&format!("\u{feff}{text}")).unwrap();
    assert!(matches!(read_text(&format!("\u{feff}\u{feff}{text}")), Err(Error::Json { .. })));
}

#[test]
fn a_key_that_stands_twice_is_refused_wherever_it_counts() {
    let twice = |place: &str, text: &str| check_json(text, place, "stands twice");
    twice("document", &format!(r#"{{"meta":{META},"meta":{META}}}"#));
    twice("document", &format!(r#"{{"meta":{META},"graph":{{}},"graph":{{}}}}"#));
    twice(
        "meta.collector",
        &format!(r#"{{"meta":{}}}"#, META.replace('}', r#","scan_id":"t"}"#)).replace(
            r#""collector":"scan","scan_id":"s","scan_id":"t""#,
            r#""scan_id":"s","collector":"scan","scan_id":"t""#,
        ),
    );
    twice("graph.nodes", &format!(r#"{{"meta":{META},"graph":{{"nodes":null,"nodes":[]}}}}"#));
    twice("graph.nodes[0].id", &document(r#"[{"kinds":["Host"],"id":"a","id":"b"}]"#, "[]"));
    twice("graph.nodes[0].kinds", &document(r#"[{"id":"a","kinds":["Host"],"kinds":["MCPTool"]}]"#, "[]"));
    twice("graph.edges[0].kind", &document("[]", r#"[{"kind":"RUNS_ON","kind":"EXPOSES"}]"#));
    twice("graph.nodes[0].properties", &node(r#"{"a":1,"b":2,"a":1}"#));
    twice("graph.nodes[0].properties", &node(r#"{"a":{"b":1,"b":2}}"#));
    twice("graph.nodes[0].properties", &node(r#"{"a":[[{"b":1,"b":2}]]}"#));
    twice("meta.extra", &format!(r#"{{"meta":{}}}"#, META.replace('}', r#","extra":{"covers":1,"covers":2}}"#)));
}

/// A key counts whatever its value is: a reader that takes the last one would see something else.
#[test]
fn a_property_that_stands_twice_is_refused_although_it_is_null_or_dropped() {
    check_json(&node(r#"{"a":1,"a":null}"#), "graph.nodes[0].properties", "stands twice");
    check_json(&node(r#"{"scan_id":1,"scan_id":2}"#), "graph.nodes[0].properties", "stands twice");
}

#[test]
fn a_document_that_is_too_large_is_refused_unread() {
    let text = document("[]", "[]");
    let limits = |document_bytes| Limits { document_bytes, ..Limits::default() };
    parse(text.as_bytes(), &limits(text.len() as u64), Keys::default()).unwrap();
    let refused = parse(text.as_bytes(), &limits(text.len() as u64 - 1), Keys::default());
    assert!(matches!(refused, Err(Error::TooLarge { .. })));
}

#[test]
fn a_document_may_have_as_many_items_as_the_limit_says() {
    let limits = Limits { items: 3, ..Limits::default() };
    let edge = r#"{"source":"a","target":"b","kind":"RUNS_ON"}"#;
    let text = |nodes: u8, edges: usize| {
        let nodes: Vec<String> =
            (0..nodes).map(|node| format!(r#"{{"id":"{}","kinds":["Host"]}}"#, id(node))).collect();
        document(&format!("[{}]", nodes.join(",")), &format!("[{}]", [edge].repeat(edges).join(",")))
    };
    let reason = "more than 3 nodes and edges";
    check_limited(&text(4, 0), &limits, "graph.nodes[3]", reason);
    check_limited(&text(2, 2), &limits, "graph.edges[1]", reason);
    for (nodes, edges) in [(3, 0), (2, 1), (0, 3)] {
        parse(text(nodes, edges).as_bytes(), &limits, Keys::default()).unwrap();
    }
}

#[test]
fn a_document_may_bring_as_many_keys_as_the_limit_says() {
    let limits = Limits { keys: 2, ..Limits::default() };
    parse(node(r#"{"a":1,"b":2}"#).as_bytes(), &limits, Keys::default()).unwrap();
    check_limited(&node(r#"{"a":1,"b":2,"c":3}"#), &limits, "graph.nodes[0].properties", "more than 2 different");
    let known = parse(node(r#"{"a":1,"b":2}"#).as_bytes(), &limits, Keys::default()).unwrap().keys;
    parse(node(r#"{"a":1,"b":2,"c":3,"d":4}"#).as_bytes(), &limits, known).unwrap();
}

#[test]
fn other_limits_are_problems_with_a_path() {
    let limits = Limits { properties: 2, value_bytes: 10, name_bytes: 80, ..Limits::default() };
    let accept = |text: &str| drop(parse(text.as_bytes(), &limits, Keys::default()).unwrap());
    accept(&node(r#"{"a":1,"b":2,"c":null}"#));
    check_limit(&node(r#"{"a":1,"b":2,"c":3}"#), &limits, "graph.nodes[0].properties");
    accept(&node(r#"{"a":"0123456789"}"#));
    check_limit(&node(r#"{"a":"0123456789a"}"#), &limits, "graph.nodes[0].properties.a");
    check_limit(&node(r#"{"a":{"b":"0123456789a"}}"#), &limits, "graph.nodes[0].properties.a");
    check_limit(&node(r#"{"a":["012345","6789ab"]}"#), &limits, "graph.nodes[0].properties.a");
    let long = "k".repeat(81);
    check_limit(&node(&format!(r#"{{"{long}":1}}"#)), &limits, &format!("graph.nodes[0].properties.{}", &long[..80]));
    check_limit(&node("{}").replace(&id(1), &long), &limits, "graph.nodes[0].id");
    let edge = |end: &str| document("[]", &format!(r#"[{{"source":"{end}","target":"b","kind":"RUNS_ON"}}]"#));
    check_limit(&edge(&long), &limits, "graph.edges[0].source");
    check_limit(&node("{}").replace(r#""scan_id":"s""#, &format!(r#""scan_id":"{long}""#)), &limits, "meta.scan_id");
}

#[test]
fn messages_repeat_little_of_a_hostile_text_and_nothing_that_controls_a_terminal() {
    let kind = format!("\\u001b[31m{}", "x".repeat(10_000));
    match read_text(&document(&format!(r#"[{{"id":"a","kinds":["{kind}"]}}]"#), "[]")) {
        Err(Error::Invalid(problems)) => {
            let message = &problems.problems[0].message;
            assert!(message.len() < 200 && !message.contains('\u{1b}'), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

/// A node with a long text, mentioned again many times.
fn repeated_node(times: usize) -> String {
    let first = format!(r#"{{"id":"{}","kinds":["Host"],"properties":{{"a":"{}"}}}}"#, id(1), "x".repeat(50_000));
    let again = format!(r#"{{"id":"{}","kinds":["Host"],"properties":{{"b":1}}}}"#, id(1));
    document(&format!("[{first},{}]", vec![again; times].join(",")), "[]")
}

/// Otherwise a document of a few megabytes fills the memory.
#[test]
fn a_node_that_stands_many_times_takes_no_more_room_than_the_document() {
    let text = repeated_node(1_000);
    let parsed = read_text(&text).unwrap();
    assert!(parsed.buffer.len() < 2 * text.len(), "{} bytes of {}", parsed.buffer.len(), text.len());
}

/// As for nodes: an edge with a long text, mentioned again many times with something else each time.
#[test]
fn an_edge_that_stands_many_times_takes_no_more_room_than_the_document() {
    let edge =
        |properties: &str| format!(r#"{{"source":"a","target":"b","kind":"RUNS_ON","properties":{properties}}}"#);
    let mut edges = vec![edge(&format!(r#"{{"a":"{}"}}"#, "x".repeat(50_000)))];
    edges.extend((0..1_000).map(|number| edge(&format!(r#"{{"b":{number}}}"#))));
    let text = document("[]", &format!("[{}]", edges.join(",")));
    let mut facts = Facts::default();
    drop(facts.add(read_text(&text).unwrap(), ScanRecord::sample("s"), 1));
    let stored: usize = facts.pool.chunks().map(<[u8]>::len).sum();
    assert!(stored < 2 * text.len(), "{stored} bytes of {}", text.len());
}

/// Ids are compared in whatever packed form; a text that looks like an empty one is still an id of its own.
#[test]
fn no_id_is_taken_for_another() {
    let zeros = "\\u0000".repeat(32);
    for _ in 0..100 {
        let node = |id: &str| format!(r#"{{"id":"{id}","kinds":["Host"]}}"#);
        let mut nodes: Vec<String> = (0..200).map(|number| node(&format!("host-{number}"))).collect();
        nodes.push(node(&zeros));
        let mut facts = Facts::default();
        drop(facts.add(
            read_text(&document(&format!("[{}]", nodes.join(",")), "[]")).unwrap(),
            ScanRecord::sample("s"),
            1,
        ));
        assert_eq!(facts.ids.len(), 201);
    }
}
