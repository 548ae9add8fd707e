//! The reader against everything that a document can get wrong.

use serde_json::{Value, json};

use super::*;
use crate::labels::Labels;

mod hostile;
mod values;

const META: &str = r#"{"version":1,"type":"agenthound-ingest","collector":"scan","scan_id":"s"}"#;

/// The only caller of the reader.
fn parse(bytes: &[u8], limits: &Limits, keys: Keys) -> Result<Parsed, Error> {
    read(bytes, limits, keys, Vec::new())
}

fn read_text(text: &str) -> Result<Parsed, Error> {
    parse(text.as_bytes(), &Limits::default(), Keys::default())
}

/// A document with these nodes and edges.
fn document(nodes: &str, edges: &str) -> String {
    format!(r#"{{"meta":{META},"graph":{{"nodes":{nodes},"edges":{edges}}}}}"#)
}

/// A usual id, told from others by a digit.
fn id(digit: u8) -> String {
    format!("sha256:{}", digit.to_string().repeat(64))
}

/// The paths of all problems of a refused document.
#[track_caller]
fn problems(text: &str) -> Vec<String> {
    match read_text(text) {
        Err(Error::Invalid(problems)) => {
            assert_eq!(problems.total, problems.problems.len());
            assert!(problems.problems.iter().all(|problem| !problem.message.is_empty()));
            problems.problems.into_iter().map(|problem| problem.path).collect()
        }
        other => panic!("expected problems, found {other:?}"),
    }
}

/// The document is refused for exactly these reasons, in whatever order.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let mut found = problems(text);
    found.sort();
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

/// The document is accepted with exactly these warnings: code and path.
#[track_caller]
fn check_warnings(text: &str, expected: &[(WarningCode, &str)]) -> Parsed {
    let parsed = read_text(text).unwrap();
    let warnings = parsed.warnings.clone().into_list();
    let places = |warning: Warning| warning.places.into_iter().map(move |place| (warning.code, place.path));
    let found: Vec<(WarningCode, String)> = warnings.into_iter().flat_map(places).collect();
    let found: Vec<(WarningCode, &str)> = found.iter().map(|(code, path)| (*code, path.as_str())).collect();
    assert_eq!(found, expected);
    parsed
}

/// The properties of the node at a position, as JSON.
fn properties(parsed: &Parsed, position: usize) -> Value {
    let (_, bag) = Labels::split(parsed.bytes(parsed.nodes[position].blob)).unwrap();
    bag.sorted(&parsed.keys).into_iter().map(|(key, value)| (key, value.to_json())).collect()
}

#[test]
fn a_whole_document_is_accepted() {
    let nodes = format!(r#"[{{"id":"{}","kinds":["MCPServer"],"properties":{{"name":"x"}}}}]"#, id(1));
    let parsed = check_warnings(&document(&nodes, "[]"), &[]);
    assert_eq!((parsed.nodes.len(), parsed.edges.len(), parsed.head.scan_id.as_str()), (1, 0, "s"));
}

#[test]
fn a_document_without_a_head_lacks_all_that_a_head_must_have() {
    let head = ["meta.collector", "meta.scan_id", "meta.type", "meta.version"];
    check("{}", &head);
    check(r#"{"meta":{}}"#, &head);
    check(r#"{"meta":null}"#, &[&head[..], &["meta"]].concat());
    check("[]", &[&head[..], &["document"]].concat());
    check("null", &[&head[..], &["document"]].concat());
}

#[test]
fn each_member_of_the_head_is_checked_by_itself() {
    for (member, wrong) in [
        ("version", "2"),
        ("version", "1.5"),
        ("version", "-1"),
        ("version", "\"1\""),
        ("version", "null"),
        ("type", "\"other\""),
        ("type", "1"),
        ("collector", "\"network\""),
        ("collector", "\"MCP\""),
        ("collector", "[\"mcp\"]"),
        ("scan_id", "\"\""),
        ("scan_id", "7"),
        ("scan_id", "null"),
    ] {
        let mut meta: Value = serde_json::from_str(META).unwrap();
        meta[member] = serde_json::from_str(wrong).unwrap();
        check(&json!({"meta": meta}).to_string(), &[&format!("meta.{member}")]);
    }
}

#[test]
fn every_collector_of_the_wire_is_accepted() {
    for collector in ["mcp", "a2a", "config", "scan"] {
        let text = format!(r#"{{"meta":{}}}"#, META.replace("\"scan\"", &format!("\"{collector}\"")));
        assert_eq!(read_text(&text).unwrap().head.collector.name(), collector);
    }
}

#[test]
fn what_the_format_does_not_check_refuses_nothing() {
    let meta = META.replace('}', r#","collector_version":7,"timestamp":[],"extra":"x","unknown":{"a":1}}"#);
    assert_eq!(read_text(&format!(r#"{{"meta":{meta},"more":[]}}"#)).unwrap().head.timestamp, "");
}

#[test]
fn each_member_of_a_node_is_checked_by_itself() {
    check(&document(r#"[{"id":"a","kinds":["Host"]},{"id":"","kinds":["Host"]}]"#, "[]"), &["graph.nodes[1].id"]);
    check(&document(r#"[{"kinds":["Host"]}]"#, "[]"), &["graph.nodes[0].id"]);
    check(&document(r#"[{"id":"a","kinds":[]}]"#, "[]"), &["graph.nodes[0].kinds"]);
    check(&document(r#"[{"id":"a","kinds":null}]"#, "[]"), &["graph.nodes[0].kinds"]);
    check(&document(r#"[{"id":"a"}]"#, "[]"), &["graph.nodes[0].kinds"]);
    check(
        &document(r#"[{"id":"a","kinds":["Host","Nope","host"]}]"#, "[]"),
        &["graph.nodes[0].kinds[1]", "graph.nodes[0].kinds[2]"],
    );
}

#[test]
fn each_member_of_an_edge_is_checked_by_itself() {
    let edge = |changed: &str, value: &str| {
        let mut edge = json!({"source": "a", "target": "b", "kind": "RUNS_ON", "source_kind": "", "target_kind": ""});
        edge[changed] = serde_json::from_str(value).unwrap();
        document("[]", &format!("[{edge}]"))
    };
    for (member, wrong) in [
        ("source", "\"\""),
        ("source", "1"),
        ("target", "\"\""),
        ("target", "null"),
        ("kind", "\"NOPE\""),
        ("kind", "\"\""),
        ("kind", "{}"),
        ("source_kind", "\"Nope\""),
        ("source_kind", "true"),
        ("target_kind", "\"Host) DETACH DELETE n //\""),
        ("properties", "7"),
    ] {
        check(&edge(member, wrong), &[&format!("graph.edges[0].{member}")]);
    }
    check(&document("[]", "[{}]"), &["graph.edges[0].source", "graph.edges[0].target", "graph.edges[0].kind"]);
    assert_eq!(read_text(&edge("source_kind", "null")).unwrap().edges.len(), 1);
}

#[test]
fn what_analysis_makes_can_not_be_in_a_document() {
    for kind in ["ResourceGroup", "TrustZone"] {
        let nodes = format!(r#"[{{"id":"a","kinds":["{kind}"]}}]"#);
        check(&document(&nodes, "[]"), &["graph.nodes[0].kinds[0]"]);
        let edges = format!(r#"[{{"source":"a","target":"b","kind":"RUNS_ON","source_kind":"{kind}"}}]"#);
        check(&document("[]", &edges), &["graph.edges[0].source_kind"]);
    }
    for kind in tracehound_model::EdgeKind::ALL.iter().filter(|kind| !kind.is_input()) {
        let edges = format!(r#"[{{"source":"a","target":"b","kind":"{kind}"}}]"#);
        check(&document("[]", &edges), &["graph.edges[0].kind"]);
    }
}

#[test]
fn every_kind_of_the_wire_is_accepted() {
    for kind in tracehound_model::NodeKind::ALL.iter().filter(|kind| kind.is_input()) {
        let nodes = format!(r#"[{{"id":"{}","kinds":["{kind}"],"properties":{{"value_hash":"h"}}}}]"#, id(1));
        check_warnings(&document(&nodes, "null"), &[]);
    }
    for kind in tracehound_model::EdgeKind::observed() {
        let edges = format!(r#"[{{"source":"a","target":"b","kind":"{kind}"}}]"#);
        assert_eq!(check_warnings(&document("null", &edges), &[]).edges.len(), 1);
    }
}

#[test]
fn a_credential_needs_the_hash_of_its_value() {
    for properties in [
        "{}",
        "null",
        r#"{"value_hash":""}"#,
        r#"{"value_hash":null}"#,
        r#"{"value_hash":7}"#,
        r#"{"value_hash":["h"]}"#,
        r#"{"value_hash":{"a":1}}"#,
        r#"{"valueHash":"h"}"#,
    ] {
        for kinds in [r#"["Credential"]"#, r#"["Host","Credential"]"#] {
            let nodes = format!(r#"[{{"id":"a","kinds":{kinds},"properties":{properties}}}]"#);
            check(&document(&nodes, "[]"), &["graph.nodes[0].properties.value_hash"]);
        }
    }
    check(&document(r#"[{"id":"a","kinds":["Credential"]}]"#, "[]"), &["graph.nodes[0].properties.value_hash"]);
}

#[test]
fn a_credentials_hash_is_asked_for_whatever_else_is_wrong_with_it() {
    check(
        &document(r#"[{"id":"","kinds":["Credential"]}]"#, "[]"),
        &["graph.nodes[0].id", "graph.nodes[0].properties.value_hash"],
    );
    check(
        &document(r#"[{"id":"a","kinds":["Credential","Nope"]}]"#, "[]"),
        &["graph.nodes[0].kinds[1]", "graph.nodes[0].properties.value_hash"],
    );
}

#[test]
fn the_order_of_members_does_not_matter() {
    let nodes = r#"[{"properties":{"value_hash":"h"},"kinds":["Credential"],"id":"a"}]"#;
    assert_eq!(read_text(&document(nodes, "[]")).unwrap().nodes.len(), 1);
    let text = format!(r#"{{"graph":{{"edges":[],"nodes":{nodes}}},"meta":{META}}}"#);
    assert_eq!(read_text(&text).unwrap().nodes.len(), 1);
}

#[test]
fn all_problems_are_reported_together() {
    let text = r#"{"meta":{"version":3,"type":"x","collector":"y","scan_id":""},"graph":{
        "nodes":[{"id":"","kinds":[]},{"id":"a","kinds":["Nope"]},{"id":"b","kinds":["Credential"]}],
        "edges":[{"source":"","target":"","kind":"CAN_REACH","source_kind":"x","target_kind":"TrustZone"}]}}"#;
    check(
        text,
        &[
            "meta.version",
            "meta.type",
            "meta.collector",
            "meta.scan_id",
            "graph.nodes[0].id",
            "graph.nodes[0].kinds",
            "graph.nodes[1].kinds[0]",
            "graph.nodes[2].properties.value_hash",
            "graph.edges[0].source",
            "graph.edges[0].target",
            "graph.edges[0].kind",
            "graph.edges[0].source_kind",
            "graph.edges[0].target_kind",
        ],
    );
    let message = read_text(text).unwrap_err().to_string();
    assert!(message.starts_with("validation failed: 13 errors"), "{message}");
}

/// Only the first thousand are shown, and a wrong version may well be what explains all the others.
#[test]
fn problems_of_the_head_come_first() {
    let text = r#"{"meta":{},"graph":{"nodes":[{"id":"","kinds":["Host"]}]}}"#;
    let order = ["meta.version", "meta.type", "meta.collector", "meta.scan_id", "graph.nodes[0].id"];
    assert_eq!(problems(text), order);
}

#[test]
fn a_wrong_type_anywhere_is_a_problem_with_a_path() {
    for wrong in ["1", "true", "\"x\"", "1.5", "-3"] {
        check(&document(wrong, "[]"), &["graph.nodes"]);
        check(&document("[]", wrong), &["graph.edges"]);
        check(&format!(r#"{{"meta":{META},"graph":{wrong}}}"#), &["graph"]);
        check(&document(&format!("[{wrong}]"), "[]"), &["graph.nodes[0]"]);
        check(&document("[]", &format!("[{wrong}]")), &["graph.edges[0]"]);
        check(&document(&format!(r#"[{{"id":"a","kinds":{wrong}}}]"#), "[]"), &["graph.nodes[0].kinds"]);
        let nodes = format!(r#"[{{"id":"a","kinds":["Host"],"properties":{wrong}}}]"#);
        check(&document(&nodes, "[]"), &["graph.nodes[0].properties"]);
    }
    check(&document("{}", "{}"), &["graph.nodes", "graph.edges"]);
    check(&document("[null]", "[null]"), &["graph.nodes[0]", "graph.edges[0]"]);
    check(
        &document(r#"[{"id":["a"],"kinds":[1,null,{}]}]"#, "[]"),
        &["graph.nodes[0].id", "graph.nodes[0].kinds[0]", "graph.nodes[0].kinds[1]", "graph.nodes[0].kinds[2]"],
    );
}

#[test]
fn nothing_and_null_mean_nothing() {
    for graph in ["null", "{}", r#"{"nodes":null,"edges":null}"#, r#"{"nodes":[]}"#] {
        assert_eq!(read_text(&format!(r#"{{"meta":{META},"graph":{graph}}}"#)).unwrap().nodes.len(), 0);
    }
    assert_eq!(read_text(&format!(r#"{{"meta":{META}}}"#)).unwrap().edges.len(), 0);
    let nodes =
        format!(r#"[{{"id":"{}","kinds":["Host"],"properties":null}},{{"id":"{}","kinds":["Host"]}}]"#, id(1), id(2));
    let edges = r#"[{"source":"a","target":"b","kind":"RUNS_ON","properties":null}]"#;
    check_warnings(&document(&nodes, edges), &[]);
}

#[test]
fn unknown_members_are_ignored_everywhere() {
    let nodes = format!(r#"[{{"id":"{}","kinds":["Host"],"x":{{"a":[1]}}}}]"#, id(1));
    let edges = r#"[{"source":"a","target":"b","kind":"RUNS_ON","weight":[[]]}]"#;
    let text = document(&nodes, edges).replace(r#""graph":{"#, r#""extra":1,"graph":{"more":{},"#);
    check_warnings(&text, &[]);
}

#[test]
fn what_a_document_covers_is_read_and_anything_else_is_nothing() {
    let covers = |extra: &str| {
        let text = format!(r#"{{"meta":{}}}"#, META.replace('}', &format!(r#","extra":{extra}}}"#)));
        let parsed = read_text(&text).unwrap();
        let warned = parsed.warnings.into_list().iter().any(|warning| warning.code == WarningCode::CoversUnreadable);
        (parsed.head.covers.map(|covers| (covers.nodes.len(), covers.ports.len())), warned)
    };
    assert_eq!(covers("{}"), (None, false));
    assert_eq!(covers(r#"{"covers":{}}"#), (Some((0, 0)), false));
    assert_eq!(covers(r#"{"covers":{"nodes":["a","b"],"ports":["h:1"]}}"#), (Some((2, 1)), false));
    assert_eq!(covers(r#"{"covers":{"nodes":null}}"#), (Some((0, 0)), false));
    for unreadable in ["null", "[]", "\"all\"", r#"{"nodes":"a"}"#, r#"{"nodes":[1]}"#, r#"{"ports":{}}"#] {
        assert_eq!(covers(&format!(r#"{{"covers":{unreadable}}}"#)), (Some((0, 0)), true), "{unreadable}");
    }
}
