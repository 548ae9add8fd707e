//! Documents that must not get in: each is refused with words that name the place, and the store stays as it was.

use std::fs;
use std::path::Path;

use crate::harness::{Place, document};

const TIME: &str = "2026-01-05T09:00:00Z";

/// Ingests bytes into an estate that has one scan; the words must be in the message.
#[track_caller]
fn check(bytes: impl AsRef<[u8]>, words: &[&str]) {
    check_with(&[], bytes, words);
}

#[track_caller]
fn check_with(flags: &[&str], bytes: impl AsRef<[u8]>, words: &[&str]) {
    let place = Place::new();
    place.ingest(&document("before", TIME, "one"));
    let before = place.ok(&["graph", "export"]);
    let file = place.write("bad.json", bytes);
    let mut arguments = vec!["ingest", file.to_str().unwrap()];
    arguments.extend(flags);
    let ran = place.run(&arguments);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.err.contains("bad.json"), "the file is not named: {}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "`{word}` is not in: {}", ran.err);
    }
    assert_eq!(place.ok(&["graph", "export"]), before);
    assert_eq!(place.json(&["scans", "list"]).as_array().unwrap().len(), 1);
}

fn good() -> String {
    document("good", TIME, "one").to_string()
}

#[test]
fn broken_and_truncated_json() {
    check("{\"meta\": nonsense}", &["not valid JSON", "line 1 column 11"]);
    check("", &["line 1 column 0"]);
    check(&good()[..good().len() / 2], &["not valid JSON", "EOF"]);
    check(good() + "{}", &["trailing characters"]);
}

#[test]
fn wrong_types_and_broken_rules_are_named_by_path() {
    check("[]", &["must be an object, found a list"]);
    check("{}", &["validation failed: 4 errors", "meta.version", "meta.type", "meta.collector", "meta.scan_id"]);
    let mut bad = document("", TIME, "one");
    bad["graph"]["nodes"][0]["id"] = 5.into();
    bad["graph"]["nodes"][1]["kinds"][0] = "Spaceship".into();
    bad["graph"]["edges"][0]["kind"] = "CAN_REACH".into();
    check(
        bad.to_string(),
        &[
            "validation failed: 4 errors",
            "meta.scan_id: must not be empty",
            "graph.nodes[0].id: must be text, found a number",
            "graph.nodes[1].kinds[0]: `Spaceship` is not a node kind",
            "graph.edges[0].kind: `CAN_REACH` is made by analysis",
        ],
    );
}

#[test]
fn deep_nesting() {
    let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    let text = good().replace("\"cursor\"", &deep);
    check(text, &["graph.nodes[0].properties", "recursion limit"]);
    check("[".repeat(10_000), &["recursion limit", "line 1 column 128"]);
    check(good().replacen('{', &format!("{{\"unknown\":{deep},"), 1), &["recursion limit"]);
}

#[test]
fn a_huge_string() {
    let text = good().replace("\"cursor\"", &format!("\"{}\"", "x".repeat(99 << 20)));
    check(text, &["graph.nodes[0].properties.name", "is 103809024 bytes long"]);
}

#[test]
fn a_document_over_the_limit() {
    let text = good().replace("\"cursor\"", &format!("\"{}\"", "x".repeat(100 << 20)));
    check(text, &["larger than 104857600 bytes", "max_document_bytes"]);
    check_with(&["--max-document-bytes", "100"], good(), &["larger than 100 bytes"]);
}

#[test]
fn decompression_bombs() {
    let zeros = vec![b' '; 300 << 20];
    check(zstd::encode_all(zeros.as_slice(), 1).unwrap(), &["larger than 104857600 bytes"]);
    let place = Place::new();
    let plain = place.write("spaces", &zeros);
    let status = std::process::Command::new("gzip").arg(&plain).status().unwrap();
    assert!(status.success());
    check(fs::read(place.path("spaces.gz")).unwrap(), &["larger than 104857600 bytes"]);
}

#[test]
fn damaged_compression() {
    let mut packed = zstd::encode_all(good().as_bytes(), 3).unwrap();
    packed.truncate(packed.len() - 5);
    check(packed, &["does not decompress as zstd"]);
}

#[test]
fn bytes_that_are_no_text() {
    let mut bytes = good().into_bytes();
    let position = bytes.windows(6).position(|window| window == b"cursor").unwrap();
    bytes[position] = 0xff;
    check(&bytes, &["not UTF-8", &format!("line 1, column {}", position + 1)]);
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(good().encode_utf16().flat_map(u16::to_le_bytes)).collect();
    check(utf16, &["looks like UTF-16"]);
}

#[test]
fn numbers_that_are_none() {
    for number in ["NaN", "Infinity", "-Infinity", "1e999", "0x10", "01"] {
        check(good().replace("0.1", number), &["graph.edges[0].properties", "line 1"]);
    }
}

#[test]
fn keys_that_stand_twice() {
    check(good().replace("\"name\":\"cursor\"", "\"name\":\"a\",\"name\":\"b\""), &["the key `name` stands twice"]);
    check(good().replace("\"version\":1", "\"version\":1,\"version\":1"), &["the key `version` stands twice"]);
    check(good().replace("\"cursor\"", "{\"a\":1,\"a\":2}"), &["the key `a` stands twice"]);
}

#[test]
fn a_secret() {
    let mut text = document("secret", TIME, "one");
    let properties = serde_json::json!({ "value_hash": "ab", "value": "sk-something" });
    let credential = serde_json::json!({ "id": "key", "kinds": ["Credential"], "properties": properties });
    text["graph"]["nodes"].as_array_mut().unwrap().push(credential);
    check(text.to_string(), &["graph.nodes[3].properties.value: is a secret"]);
}

/// Lists and objects whose size only their end tells are not built beyond the limit.
#[test]
fn values_without_end() {
    let zeros = format!("[{}0]", "0,".repeat(8 << 20));
    check(good().replace("\"cursor\"", &zeros), &["graph.nodes[0].properties.name", "bytes long; at most 4194304"]);
    let object = format!("{{\"a\":{zeros}}}");
    check(good().replace("\"cursor\"", &object), &["graph.nodes[0].properties.name", "bytes long; at most 4194304"]);
    let extra = format!("\"scan_id\":\"good\",\"extra\":{{\"a\":[{}0]}}", "0,".repeat(40 << 20));
    check(good().replace("\"scan_id\":\"good\"", &extra), &["meta.extra: is larger than"]);
}

#[test]
fn the_same_scan_id_with_other_content() {
    check(document("before", TIME, "two").to_string(), &["scan `before` is already stored with other content"]);
}

#[test]
fn ids_that_differ_in_case_or_form_are_different_nodes() {
    let place = Place::new();
    let mut text = document("forms", TIME, "one");
    let node = |id: &str| serde_json::json!({ "id": id, "kinds": ["Host"], "properties": {} });
    let nodes = text["graph"]["nodes"].as_array_mut().unwrap();
    nodes.extend(["host", "Host", "h\u{f6}st", "ho\u{308}st"].map(node));
    place.ingest(&text);
    assert_eq!(place.json(&["graph", "stats"])["nodes_by_kind"]["Host"], 4);
}

#[test]
fn files_that_are_not_there_or_not_files() {
    let place = Place::new();
    let missing = place.run(&["ingest", "no-such-file.json"]);
    assert_eq!(missing.code, 1);
    assert!(missing.err.contains("no-such-file.json") && missing.err.contains("cannot open"), "{}", missing.err);
    let folder = place.run(&[Path::new("ingest"), &place.path("")]);
    assert_eq!(folder.code, 1);
    assert!(folder.err.contains("directory"), "{}", folder.err);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let place = Place::new();
    place.ingest(&document("one", TIME, "one"));
    let mut child = place.command(&["graph", "export"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
