//! Fingerprints from their files to what they make of services, and every refusal.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;

use proptest::prelude::*;
use serde_json::{Value, json};
use tracehound_model::NodeKind;

use super::*;
use crate::limits;
use crate::rule::Problem;

/// The example of the format's description.
const OLLAMA: &str = "\
id: \"ollama-api\" # 3-64 chars, [a-z0-9-]
name: \"Ollama API\"
description: \"Identifies Ollama instances via /api/version endpoint.\"
version: 2
service_kind: OllamaInstance
probes:
  - method: GET
    path: /api/version
    headers:
      Accept: application/json
    matchers:
      - type: http_status
        status_code: 200
      - type: json_path
        path: $.version
        exists: true
    captures:
      version: $.version
emit:
  node_kinds:
    - OllamaInstance
    - AIService
  properties:
    version: \"{capture:version}\"
    auth_method: \"none\"
    is_anonymous_loot: \"true\"
";

/// The example with a part of its text replaced.
fn changed(from: &str, to: &str) -> String {
    assert_eq!(OLLAMA.matches(from).count(), 1, "{from}");
    OLLAMA.replace(from, to)
}

/// The example with other matchers, written in flow style.
fn matching(matchers: &str) -> String {
    let start = OLLAMA.find("    matchers:").expect("matchers");
    let end = OLLAMA.find("    captures:").expect("captures");
    format!("{}    matchers: [{matchers}]\n{}", &OLLAMA[..start], &OLLAMA[end..])
}

/// The example with other captures, and without properties.
fn capturing(captures: &str) -> String {
    let start = OLLAMA.find("    captures:").expect("captures");
    format!("{}    captures: {{ {captures} }}\nemit: {{ node_kinds: [OllamaInstance] }}\n", &OLLAMA[..start])
}

fn read(text: &str) -> Fingerprint {
    read_fingerprint(text).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"))
}

fn problems(text: &str) -> Vec<String> {
    read_fingerprint(text).err().unwrap_or_default().iter().map(Problem::to_string).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(problems(text), expected, "{}", text.chars().take(2000).collect::<String>());
}

fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Response {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Response::new(status, headers, body.as_bytes().to_vec())
}

/// What a fingerprint of one probe makes of an answer.
fn recognised(text: &str, response: &Response) -> Option<Recognised> {
    match read(text).step(|_| Some(Known::Answered(response))) {
        Step::Matched(found) => Some(found),
        Step::Missed => None,
        Step::Ask(request) => panic!("everything is known: {request}"),
    }
}

fn properties(text: &str, response: &Response) -> Value {
    let found = recognised(text, response).expect("it matches");
    found.properties.into_iter().collect::<serde_json::Map<_, _>>().into()
}

#[test]
fn the_example_is_read_whole() {
    let rule = read(OLLAMA);
    assert_eq!((rule.id.as_str(), rule.name.as_str(), rule.version), ("ollama-api", "Ollama API", 2));
    assert_eq!((rule.enabled, rule.kind, rule.ports.len()), (true, NodeKind::OllamaInstance, 0));
    assert_eq!(rule.description, "Identifies Ollama instances via /api/version endpoint.");
    let [probe] = rule.probes.as_slice() else { panic!("one probe") };
    let headers = vec![("Accept".to_owned(), "application/json".to_owned())];
    assert_eq!(probe.request, Request { method: Method::Get, path: "/api/version".to_owned(), headers });
    let version = JsonPath::read("$.version").expect("a path");
    assert_eq!(
        probe.matchers,
        [
            Matcher::Status(StatusRange { first: 200, last: 200 }),
            Matcher::Json { path: version.clone(), wanted: Wanted::There },
        ]
    );
    assert_eq!(probe.captures, [("version".to_owned(), Capture::Value(version))]);
    assert_eq!(rule.properties.keys().collect::<Vec<_>>(), ["auth_method", "is_anonymous_loot", "version"]);
}

#[test]
fn the_example_recognises_an_ollama() {
    let found = recognised(OLLAMA, &answer(200, &[], "{\"version\":\"0.9.1\"}")).expect("it matches");
    assert_eq!((found.rule.as_str(), found.kind, found.probes), ("ollama-api", NodeKind::OllamaInstance, 1));
    let expected = [("auth_method", json!("none")), ("is_anonymous_loot", json!(true)), ("version", json!("0.9.1"))];
    assert_eq!(found.properties, BTreeMap::from(expected.map(|(key, value)| (key.to_owned(), value))));
    assert!(found.unresolved.is_empty());
    for (status, body) in [(401, "{\"version\":\"0.9.1\"}"), (200, "{\"v\":1}"), (200, "version"), (200, "")] {
        assert_eq!(recognised(OLLAMA, &answer(status, &[], body)), None, "{status} {body}");
    }
}

#[test]
fn what_is_left_out_has_a_default_and_a_tag_is_as_good_as_a_label() {
    let text = "id: abc\nname: n\nservice_kind: openwebui\nprobes: [{method: HEAD, path: /, matchers: [{type: http_status, \
                status_range: 2xx}]}]\nemit: {node_kinds: [OpenWebUIInstance]}\n";
    let rule = read(text);
    assert_eq!((rule.version, rule.enabled, rule.kind), (2, true, NodeKind::OpenWebuiInstance));
    assert_eq!(rule.probes[0].request.method, Method::Head);
    assert!(rule.properties.is_empty() && rule.ports.is_empty() && rule.tests.is_empty());
    let rule = read(&text.replace("name: n", "name: n\nenabled: false\nports: [3000, 8080]\nversion: 7"));
    assert_eq!((rule.enabled, rule.ports, rule.version), (false, vec![3000, 8080], 7));
}

/// Whether a matcher holds of an answer.
#[track_caller]
fn holds(matcher: &str, response: &Response, expected: bool) {
    assert_eq!(recognised(&matching(matcher), response).is_some(), expected, "{matcher} {response:?}");
}

#[test]
fn statuses_match_exactly_or_by_range() {
    for (matcher, good, bad) in [
        ("{type: http_status, status_code: 401}", &[401][..], &[200, 400, 402][..]),
        ("{type: http_status, status_range: 2xx}", &[200, 299], &[199, 300]),
        ("{type: http_status, status_range: '401-403'}", &[401, 402, 403], &[400, 404]),
        ("{type: http_status, status_range: '200'}", &[200], &[201]),
    ] {
        good.iter().for_each(|status| holds(matcher, &answer(*status, &[], ""), true));
        bad.iter().for_each(|status| holds(matcher, &answer(*status, &[], ""), false));
    }
}

#[test]
fn headers_match_by_part_or_by_pattern() {
    let response = answer(200, &[("Server", "one"), ("server", "TornadoServer/6.5"), ("X-A", "b")], "");
    for (matcher, expected) in [
        ("{type: http_header, name: SERVER, value: Tornado}", true),
        ("{type: http_header, name: Server, value: tornado}", false),
        ("{type: http_header, name: Server, value: tornado, case_insensitive: true}", true),
        ("{type: http_header, name: Server, pattern: 'Server/\\d+\\.\\d+$'}", true),
        ("{type: http_header, name: Server, pattern: '^tornado'}", false),
        ("{type: http_header, name: Server, pattern: '^tornado', case_insensitive: true}", true),
        ("{type: http_header, name: Server, value: Tornado, pattern: nginx}", false),
        ("{type: http_header, name: Server, value: nginx, pattern: Tornado}", true),
        ("{type: http_header, name: Content-Type, value: json}", false),
    ] {
        holds(matcher, &response, expected);
    }
}

#[test]
fn bodies_match_whole_by_part_or_by_pattern() {
    let response = answer(200, &[], " \"I'm alive!\"\n");
    for (matcher, expected) in [
        ("{type: body_equals, value: \"\\\"I'm alive!\\\" \"}", true),
        ("{type: body_equals, value: \"I'm alive!\"}", false),
        ("{type: body_contains, value: alive}", true),
        ("{type: body_contains, value: ALIVE}", false),
        ("{type: body_contains, value: ALIVE, case_insensitive: true}", true),
        ("{type: body_regex, pattern: 'al\\w+!'}", true),
        ("{type: body_regex, pattern: '^al'}", false),
        ("{type: body_regex, pattern: 'ALIVE', case_insensitive: true}", true),
    ] {
        holds(matcher, &response, expected);
    }
    holds("{type: body_equals, value: ''}", &answer(200, &[], "\n"), true);
    let long = answer(200, &[], &format!("{}x", " ".repeat(limits::RESPONSE_BYTES)));
    holds("{type: body_equals, value: ''}", &long, false);
}

#[test]
fn json_matches_by_presence_text_or_pattern() {
    let response = answer(200, &[], r#"{"a":{"n":3.0,"t":true,"z":null,"l":[1]},"version":"1.17.0"}"#);
    for (matcher, expected) in [
        ("{type: json_path, path: $.a.z, exists: true}", true),
        ("{type: json_path, path: $.a.z, exists: false}", false),
        ("{type: json_path, path: $.a.q, exists: false}", true),
        ("{type: json_path, path: $.a.n, equals: '3'}", true),
        ("{type: json_path, path: $.a.n, equals: 3}", true),
        ("{type: json_path, path: $.a.t, equals: true}", true),
        ("{type: json_path, path: $.a.z, equals: ''}", true),
        ("{type: json_path, path: $.a.l, equals: '[1]'}", true),
        ("{type: json_path, path: $.version, equals: 1.17}", false),
        ("{type: json_path, path: $.version, regex: '^\\d+\\.\\d+'}", true),
        ("{type: json_path, path: $.none, regex: 'x'}", false),
        ("{type: json_path, path: $, regex: '\"version\"'}", true),
    ] {
        holds(matcher, &response, expected);
    }
    for body in ["no json", "{\"a\":1,\"a\":2}", &format!("{}{}", "[".repeat(100), "]".repeat(100))] {
        holds("{type: json_path, path: $.q, exists: false}", &answer(200, &[], body), false);
        holds("{type: json_path, path: $, exists: true}", &answer(200, &[], body), false);
    }
}

#[test]
fn captures_take_values_counts_keys_and_groups() {
    let body = r#"{"models":[{"a":1},{"a":2}],"tags":["x","y"],"ok":true,"paths":{"/b/invoke":1,"/a/invoke":1,"/a/stream":1},"n":7}"#;
    let response = answer(200, &[("Server", "Tornado/6.5.1")], body).with_version();
    for (captures, expected) in [
        ("model_count: $.models.length", json!({ "model_count": 2 })),
        ("collection_count: $.models.length", json!({ "collection_count": 2 })),
        ("docs_enabled: $.ok", json!({ "docs_enabled": true })),
        ("anything: $.ok", json!({ "anything": "true" })),
        ("anything: { path: $.n }", json!({ "anything": "7" })),
        ("anything: $.tags", json!({ "anything": "[\"x\",\"y\"]" })),
        ("chains: $.tags", json!({ "chains": ["x", "y"] })),
        ("chains: { path: $.paths, keys: '^/(.+)/invoke$' }", json!({ "chains": ["a", "b"] })),
        ("keys: { path: $.paths, keys: '^/a/' }", json!({ "keys": ["/a/"] })),
        ("version: { header: server, pattern: 'Tornado/(\\S+)' }", json!({ "version": "6.5.1" })),
        ("version: { header: server, pattern: '\\d+' }", json!({ "version": "6" })),
        ("first: { body: '\"a\":(\\d)' }", json!({ "first": "1" })),
        ("gone: $.gone, away: { header: X, pattern: y }, far: { body: zzz }, off: { path: $.n, keys: a }", json!({})),
    ] {
        assert_eq!(properties(&capturing(captures), &response), expected, "{captures}");
    }
}

impl Response {
    /// The same answer, as one that the example's matchers hold of.
    fn with_version(&self) -> Self {
        let body = self.body().replacen('{', "{\"version\":\"\",", 1);
        Self::new(self.status(), self.headers().to_vec(), body.into_bytes())
    }
}

#[test]
fn an_unused_capture_is_a_property_and_an_unresolved_placeholder_stays() {
    let text = changed("version: $.version", "version: $.version\n      build: $.build\n      none: $.none")
        .replace("auth_method: \"none\"", "auth_method: \"{capture:verison}\"");
    let response = answer(200, &[], r#"{"version":"1","build":42}"#);
    assert_eq!(
        properties(&text, &response),
        json!({ "auth_method": "{capture:verison}", "build": "42", "is_anonymous_loot": true, "version": "1" })
    );
    let found = recognised(&text, &response).expect("it matches");
    assert_eq!(found.unresolved.iter().collect::<Vec<_>>(), ["auth_method"]);
    assert_eq!(read(&text).misnamed_captures().into_iter().collect::<Vec<_>>(), ["verison"]);
}

#[test]
fn what_is_captured_is_bounded_and_says_so() {
    let text = capturing("long: $.long, keys: { path: $.keys, keys: '.+' }");
    let keys: serde_json::Map<String, Value> =
        (0..limits::CAPTURE_ENTRIES + 3).map(|key| (format!("{key:04}"), Value::Null)).collect();
    let body = json!({ "version": 1, "long": "é".repeat(limits::CAPTURE_BYTES), "keys": keys });
    let found = properties(&text, &answer(200, &[], &body.to_string()));
    assert_eq!(found["long"], format!("{}…", "é".repeat(limits::CAPTURE_BYTES / 2)));
    let list = found["keys"].as_array().expect("a list");
    assert_eq!((list.len(), &list[limits::CAPTURE_ENTRIES]), (limits::CAPTURE_ENTRIES + 1, &json!("… and 3 more")));
    let fits = json!({ "version": 1, "long": "x".repeat(limits::CAPTURE_BYTES), "keys": {} });
    let found = properties(&text, &answer(200, &[], &fits.to_string()));
    assert_eq!(found, json!({ "long": "x".repeat(limits::CAPTURE_BYTES), "keys": [] }));
}

const TWO: &str = "\
id: two-probes
name: Two probes
service_kind: openwebui
probes:
  - method: GET
    path: /api/version
    matchers: [{ type: http_status, status_code: 200 }]
    captures: { version: $.version, other: $.other }
  - method: HEAD
    path: /api/config?full=1
    matchers: [{ type: http_status, status_range: 2xx }, { type: http_header, name: Server, value: uvicorn }]
    captures: { version: { header: X-Version, pattern: '.+' } }
emit: { node_kinds: [OpenWebUIInstance, AIService] }
";

#[test]
fn probes_are_asked_for_one_after_the_other_and_none_after_a_miss() {
    let rule = read(TWO);
    let first = answer(200, &[], r#"{"version":"1","other":"o"}"#);
    let second = answer(204, &[("Server", "uvicorn"), ("X-Version", "2")], "");
    let asked = RefCell::new(Vec::new());
    let step = |answers: &[Known<'_>]| {
        asked.borrow_mut().clear();
        let step = rule.step(|request| {
            asked.borrow_mut().push(request.to_string());
            let place = rule.probes.iter().position(|probe| probe.request == *request)?;
            answers.get(place).copied()
        });
        match step {
            Step::Ask(request) => request.to_string(),
            Step::Missed => "missed".to_owned(),
            Step::Matched(found) => json!(found.properties).to_string(),
        }
    };
    assert_eq!(step(&[]), "GET /api/version");
    assert_eq!(step(&[Known::Answered(&first)]), "HEAD /api/config?full=1");
    assert_eq!(step(&[Known::Answered(&first), Known::Failed]), "missed");
    assert_eq!(step(&[Known::Answered(&first), Known::Answered(&first)]), "missed");
    let all = step(&[Known::Answered(&first), Known::Answered(&second)]);
    assert_eq!(all, r#"{"other":"o","version":"2"}"#, "the later capture wins");
    assert_eq!(step(&[Known::Failed, Known::Answered(&second)]), "missed");
    assert_eq!(*asked.borrow(), ["GET /api/version"], "a miss ends the questions");
    let miss = |known: Known<'_>| {
        rule.miss(|request| Some(if request.path == "/api/version" { Known::Answered(&first) } else { known }))
    };
    assert_eq!(miss(Known::Failed), Some(Miss { probe: 1, matcher: None }));
    assert_eq!(miss(Known::Answered(&first)), Some(Miss { probe: 1, matcher: Some(1) }));
    assert_eq!(miss(Known::Answered(&second)), None);
}

fn trials(tests: &str) -> Vec<(bool, String)> {
    let rule = read(&format!("{TWO}tests:\n{tests}"));
    run_trials([&rule]).into_iter().map(|trial| (trial.passed(), trial.problems.join("; "))).collect()
}

#[test]
fn tests_are_answers_and_say_what_did_not_hold() {
    let responses = "responses: [{ path: /api/version, status: 200, json: { version: 3, list: [1, x] } }, \
                     { method: HEAD, path: /api/config?full=1, status: 200, headers: { server: uvicorn } }]";
    let outcomes = trials(&format!(
        "  - {{ {responses}, should_match: true, properties: {{ version: '3' }} }}
  - {{ {responses}, should_match: true, properties: {{ version: '4', other: x }} }}
  - {{ {responses}, should_match: false }}
  - {{ responses: [], should_match: false }}
  - {{ responses: [], should_match: true }}
  - {{ responses: [{{ path: /api/version, status: 503, body: none }}], should_match: true }}
  - {{ responses: [{{ method: HEAD, path: /api/version, status: 200 }}], should_match: true }}
"
    ));
    let expected = [
        (true, ""),
        (false, "`other` should be \"x\" and is missing; `version` should be \"4\" and is \"3\""),
        (false, "should not match and does"),
        (true, ""),
        (false, "should match and does not: probe 1 (GET /api/version): the test has no response to it"),
        (
            false,
            "should match and does not: probe 1 (GET /api/version): it does not hold that the status is 200; it is 503",
        ),
        (false, "should match and does not: probe 1 (GET /api/version): the test has no response to it"),
    ];
    assert_eq!(outcomes, expected.map(|(passed, words)| (passed, words.to_owned())));
    let rule = read(&format!(
        "{OLLAMA}tests: [{{ should_match: true, responses: [{{ path: /api/version, status: 200, body: '{{\"a\":1,\"a\":1}}' }}] }}]\n"
    ));
    let problems = run_trials([&rule]).remove(0).problems.remove(0);
    assert!(
        problems.ends_with(
            "that $.version is there; the body is not JSON: a key stands twice in one object at line 1 column 13"
        ),
        "{problems}"
    );
}

#[test]
fn matchers_and_captures_read_as_words() {
    let text = matching(
        "{type: http_status, status_range: 2xx}, {type: http_header, name: A, value: b, case_insensitive: true}, \
         {type: http_header, name: A, pattern: b}, {type: body_equals, value: x}, {type: body_contains, value: y}, \
         {type: body_regex, pattern: z, case_insensitive: true}, {type: json_path, path: $.a, exists: false}, \
         {type: json_path, path: $.a, equals: b}, {type: json_path, path: $, regex: c}",
    );
    let words: Vec<String> = read(&text).probes[0].matchers.iter().map(ToString::to_string).collect();
    assert_eq!(
        words,
        [
            "the status is from 200 to 299",
            "the header A contains `b` in any case",
            "the header A matches `b`",
            "the body is `x`",
            "the body contains `y`",
            "the body matches `z` in any case",
            "$.a is not there",
            "$.a is `b`",
            "$ matches `c`",
        ]
    );
    let text = capturing("a: $.a, b: { path: $.b, keys: c }, d: { header: E, pattern: f }, g: { body: h }");
    let words: Vec<String> = read(&text).probes[0].captures.iter().map(|(_, capture)| capture.to_string()).collect();
    assert_eq!(words, ["$.a", "the keys of $.b that match `c`", "`f` in the header E", "`h` in the body"]);
}

/// The example is refused for each of the replacements, with these words among others.
#[track_caller]
fn refused(cases: &[(&str, &str, &str)]) {
    for (from, to, expected) in cases {
        let found = problems(&changed(from, to));
        assert!(found.iter().any(|found| found == expected), "{expected}\n{found:#?}");
    }
}

#[test]
fn fields_are_refused_one_by_one() {
    refused(&[
        (
            "service_kind: OllamaInstance",
            "service_kind: OllamaInstanze",
            "5:15: `OllamaInstanze` is not a kind of AI service (did you mean `OllamaInstance`?)",
        ),
        (
            "service_kind: OllamaInstance",
            "service_kind: AIService",
            "5:15: `AIService` is not a kind of AI service (it is one of OllamaInstance, VLLMInstance, QdrantInstance, \
             MLflowServer, LiteLLMGateway, JupyterServer, LangServeApp, OpenWebUIInstance)",
        ),
        (
            "description:",
            "severity: high\ndescription:",
            "3:1: a fingerprint has no field `severity` (it has id, name, description, version, enabled, service_kind, ports, probes, emit, tests)",
        ),
        ("probes:", "port: [1]\nprobes:", "6:1: a fingerprint has no field `port` (did you mean `ports`?)"),
        ("probes:", "ports: [0]\nprobes:", "6:9: `ports[0]` must be from 1 to 65535, not 0"),
        ("probes:", "ports: [80, 80]\nprobes:", "6:13: `80` stands twice in `ports`"),
    ]);
}

#[test]
fn requests_are_refused_one_by_one() {
    refused(&[
        ("method: GET", "method: POST", "7:13: `method` cannot be `POST` (it is one of GET, HEAD)"),
        ("method: GET", "method: get", "7:13: `method` cannot be `get` (did you mean `GET`?)"),
        ("path: /api/version", "path: api", "8:11: `api` is not the path of a request (it starts with one `/`)"),
        (
            "path: /api/version",
            "path: //evil/x",
            "8:11: `//evil/x` is not the path of a request (it starts with one `/`)",
        ),
        (
            "path: /api/version",
            "path: /a b",
            "8:11: `/a b` is not the path of a request (it is printable ASCII without spaces; write other characters as %20)",
        ),
        (
            "path: /api/version",
            "path: \"/a\\r\\nX: y\"",
            "8:11: `/a\\u{d}\\nX: y` is not the path of a request (it is printable ASCII without spaces; write other characters as %20)",
        ),
        ("Accept: application/json", "Accept: \"a\\nb: c\"", "10:7: the value of `Accept` must be printable ASCII"),
        ("Accept: application/json", "'A b': c", "10:7: `A b` is not the name of a header"),
        (
            "Accept: application/json",
            "Authorization: Bearer x",
            "10:7: a probe must not set `Authorization` (a probe asks without credentials)",
        ),
        (
            "Accept: application/json",
            "X-HTTP-Method-Override: DELETE",
            "10:7: a probe must not set `X-HTTP-Method-Override` (it would turn the request into another one)",
        ),
        ("Accept: application/json", "host: x", "10:7: a probe must not set `host` (the client sets it itself)"),
    ]);
}

#[test]
fn matchers_are_refused_one_by_one() {
    refused(&[
        ("status_code: 200", "status_code: 99", "13:22: `status_code` must be from 100 to 599, not 99"),
        (
            "status_code: 200",
            "status_range: 20x",
            "13:23: `20x` is not a range of statuses (write 2xx, 200-299 or 200, from 100 to 599)",
        ),
        (
            "status_code: 200",
            "status_range: 300-200",
            "13:23: `300-200` is not a range of statuses (write 2xx, 200-299 or 200, from 100 to 599)",
        ),
        ("        status_code: 200\n", "", "12:9: the matcher needs one of `status_code`, `status_range`"),
        (
            "status_code: 200",
            "status_code: 200\n        status_range: 2xx",
            "14:9: the matcher has more than one of `status_code`, `status_range` (write a matcher for each)",
        ),
        (
            "exists: true",
            "exists: true\n        regex: a",
            "17:9: the matcher has more than one of `exists`, `equals`, `regex` (write a matcher for each)",
        ),
        ("exists: true", "exist: true", "14:9: the matcher needs one of `exists`, `equals`, `regex`"),
        (
            "exists: true",
            "regex: 'a(?=b)'",
            "16:16: `regex` uses look-around at character 2 (not supported: patterns take linear time)",
        ),
        (
            "exists: true",
            "regex: 'a*'",
            "16:16: `regex` matches the empty text, and so every text (use + instead of *, or leave out a part that may be missing)",
        ),
        (
            "path: $.version\n        exists",
            "path: $.a[0]\n        exists",
            "15:15: `$.a[0]` is not a path (there are no indices, filters, wildcards or quoted keys)",
        ),
        ("type: json_path", "type: jsonpath", "14:15: `type` cannot be `jsonpath` (did you mean `json_path`?)"),
    ]);
    check(&matching("{type: http_header, name: A}"), &["11:16: the matcher needs one of `value`, `pattern`"]);
}

#[test]
fn captures_and_properties_are_refused_one_by_one() {
    refused(&[
        (
            "version: $.version",
            "Version: $.version",
            "18:7: the names of `captures` must be in snake_case, not `Version` (did you mean `version`?)",
        ),
        (
            "version: $.version",
            "endpoint: $.version",
            "18:7: a rule must not set `endpoint` (it is set by whoever found the service)",
        ),
        (
            "version: $.version",
            "version: version",
            "18:16: `version` is not a path (`$` is the whole body, `$.field.subfield` a value in it)",
        ),
        ("version: $.version", "version: { header: A }", "18:16: a capture needs the field `pattern`"),
        ("version: $.version", "version: { keys: a }", "18:16: a capture needs the field `path`"),
        ("version: $.version", "version: { body: a, path: $ }", "18:27: a capture has no field `path` (it has body)"),
        (
            "    - OllamaInstance\n",
            "    - VLLMInstance\n",
            "21:7: the first of `node_kinds` must be the service kind, not `VLLMInstance` (write OllamaInstance)",
        ),
        (
            "    - AIService\n",
            "    - MCPServer\n",
            "22:7: a service can't also be `MCPServer` (besides its kind, only AIService is allowed)",
        ),
        (
            "version: \"{capture:version}\"",
            "value_hash: x",
            "24:5: a rule must not set `value_hash` (it is set by whoever found the service)",
        ),
        (
            "is_anonymous_loot: \"true\"",
            "is_anonymous_loot: maybe",
            "26:24: `is_anonymous_loot` must be of the type boolean, not `\"maybe\"`",
        ),
        (
            "is_anonymous_loot: \"true\"",
            "is_anonymous_loot: [true]",
            "26:24: `is_anonymous_loot` must be true, false, a finite number or text of at most 4096 bytes",
        ),
    ]);
    for reserved in [
        "endpoint",
        "objectid",
        "discovered_via",
        "value",
        "value_hash",
        "scan_id",
        "origin",
        "recognised_by",
        "certificate_problem",
    ] {
        let text = changed("auth_method: \"none\"", &format!("{reserved}: x"));
        let expected = format!("25:5: a rule must not set `{reserved}` (it is set by whoever found the service)");
        check(&text, &[&expected]);
    }
}

#[test]
fn missing_fields_are_all_named() {
    check(
        "probes: []\n",
        &[
            "1:1: a fingerprint needs the field `emit`",
            "1:1: a fingerprint needs the field `id`",
            "1:1: a fingerprint needs the field `name`",
            "1:1: a fingerprint needs the field `service_kind`",
            "1:9: `probes` is empty",
        ],
    );
    let text = changed("    matchers:\n", "    matchers: []\n    other:\n");
    assert!(problems(&text).contains(&"11:15: `matchers` is empty".to_owned()));
}

#[test]
fn tests_are_refused_where_they_make_no_sense() {
    let with = |test: &str| format!("{OLLAMA}tests:\n  - {test}\n");
    for (test, expected) in [
        ("{ responses: [], should_match: maybe }", "28:36: `should_match` must be true or false, not text"),
        ("{ should_match: true }", "28:5: a test needs the field `responses`"),
        (
            "{ responses: [], should_match: false, properties: { a: b } }",
            "28:43: a test that must not match can't expect `properties`",
        ),
        ("{ responses: [{ path: /x }], should_match: true }", "28:19: a response needs the field `status`"),
        (
            "{ responses: [{ path: /x, status: 200, body: a, json: {} }], should_match: true }",
            "28:53: a response has either `body` or `json`",
        ),
        (
            "{ responses: [{ path: /x, status: 200 }, { path: /x, status: 404 }], should_match: true }",
            "28:46: GET `/x` is answered twice",
        ),
        (
            "{ responses: [{ path: /x, status: 200, json: .nan }], should_match: true }",
            "28:50: JSON has finite numbers only",
        ),
        (
            "{ responses: [], should_match: true, input: x }",
            "28:42: a test has no field `input` (it has description, responses, should_match, properties)",
        ),
    ] {
        check(&with(test), &[expected]);
    }
}

/// The limit holds exactly: as many are fine and one more is refused with these words.
#[track_caller]
fn limited(most: usize, text: impl Fn(usize) -> String, words: &str) {
    assert_eq!(problems(&text(most)), [""; 0], "at the limit");
    let found = problems(&text(most + 1));
    assert!(found.len() == 1 && found[0].contains(words), "{words}: {found:#?}");
}

#[test]
fn every_number_and_length_is_limited() {
    let numbered = |count: usize, line: &dyn Fn(usize) -> String| {
        (0..count).fold(String::new(), |mut text, index| {
            text.push_str(&line(index));
            text
        })
    };
    let probe = "  - { method: GET, path: /, matchers: [{ type: http_status, status_code: 200 }] }\n";
    let head = "id: abc\nname: n\nservice_kind: ollama\nemit: { node_kinds: [OllamaInstance] }\n";
    limited(limits::PROBES, |count| format!("{head}probes:\n{}", probe.repeat(count)), "`probes` has 11 entries");
    let matcher = "{type: http_status, status_code: 200},";
    limited(limits::PROBE_MATCHERS, |count| matching(&matcher.repeat(count)), "`matchers` has 51 entries");
    let headers = |count| numbered(count, &|index| format!("\n      X-{index}: a"));
    limited(
        limits::HEADERS,
        |count| changed("\n      Accept: application/json", &headers(count)),
        "`headers` has 21 entries",
    );
    limited(limits::HEADER_BYTES, |count| changed("application/json", &"a".repeat(count)), "longer than 1024 bytes");
    limited(
        limits::PATH_BYTES,
        |count| changed("/api/version\n", &format!("/{}\n", "a".repeat(count - 1))),
        "longer than 1024",
    );
    let captures = |count| numbered(count, &|index| format!("a{index}: $.a,"));
    limited(limits::CAPTURES, |count| capturing(&captures(count)), "`captures` has 51 entries");
    limited(limits::WORD_BYTES, |count| capturing(&format!("{}: $.a", "a".repeat(count))), "is longer than 64 bytes");
    let properties = |count| numbered(count, &|index| format!("\n    a{index}: b"));
    limited(
        limits::PROPERTIES,
        |count| {
            let start = OLLAMA.find("  properties:").expect("properties");
            format!("{}  properties:{}\n", &OLLAMA[..start], properties(count))
        },
        "`properties` has 51 entries",
    );
    let value = |count| changed("auth_method: \"none\"", &format!("auth_method: {}", "a".repeat(count)));
    limited(limits::VALUE_BYTES, value, "text of at most 4096 bytes");
    for of_type in ["body_equals", "body_contains"] {
        let value = |count| matching(&format!("{{type: {of_type}, value: {}}}", "a".repeat(count)));
        limited(limits::VALUE_BYTES, value, "`value` is longer than 4096 bytes");
    }
    let equals = |count| matching(&format!("{{type: json_path, path: $, equals: {}}}", "a".repeat(count)));
    limited(limits::VALUE_BYTES, equals, "text of at most 4096 bytes");
    let pattern = |count| matching(&format!("{{type: body_regex, pattern: {}}}", "a".repeat(count)));
    limited(limits::PATTERN_BYTES, pattern, "`pattern` is longer than 4096 bytes");
    let ports = |count| {
        changed("probes:", &format!("ports: [{}]\nprobes:", numbered(count, &|index| format!("{},", index + 1))))
    };
    limited(limits::PORTS, ports, "`ports` has 21 entries");
}

#[test]
fn tests_are_limited_too() {
    let with = |tests: String| format!("{OLLAMA}tests:\n{tests}");
    let test = "  - { responses: [], should_match: false }\n";
    limited(limits::TESTS, |count| with(test.repeat(count)), "`tests` has 101 entries");
    let one = |responses: &str| with(format!("  - {{ responses: [{responses}], should_match: false }}\n"));
    let responses = |count| {
        (0..count).fold(String::new(), |mut text, index| {
            write!(text, "{{ path: /{index}, status: 200 }},").expect("it is memory");
            text
        })
    };
    limited(limits::TEST_RESPONSES, |count| one(&responses(count)), "`responses` has 21 entries");
    let body = |count| one(&format!("{{ path: /, status: 200, body: {} }}", "a".repeat(count)));
    limited(limits::TEST_INPUT_BYTES, body, "`body` is longer than 65536 bytes");
    let json = |count| one(&format!("{{ path: /, status: 200, json: {} }}", "a".repeat(count - 2)));
    limited(limits::TEST_INPUT_BYTES, json, "`json` is longer than 65536 bytes");
}

#[test]
fn patterns_are_limited_alone_and_together() {
    let found = problems(&matching("{type: body_regex, pattern: '(a{1000}){1000}'}"));
    assert!(found.len() == 1 && found[0].contains("`pattern` takes more than 1024 KiB when compiled"), "{found:#?}");
    let large = "{type: body_regex, pattern: '(?:[a-z]{100}){120}'},";
    assert_eq!(problems(&matching(large)), [""; 0]);
    let found = problems(&matching(&large.repeat(40)));
    assert!(found.len() == 1 && found[0].contains("take more than 4096 KiB together"), "{found:#?}");
}

#[test]
fn a_change_of_what_it_does_needs_a_higher_version_and_words_do_not() {
    let old = read(OLLAMA);
    let problem = |from: &str, to: &str| version_problem(&old, &read(&changed(from, to)));
    for (from, to) in [("name: \"Ollama API\"", "name: Other"), ("probes:", "ports: [1]\nenabled: false\nprobes:")] {
        assert_eq!(problem(from, to), None);
    }
    assert_eq!(
        problem("status_code: 200", "status_code: 201").as_deref(),
        Some("`ollama-api` changes the probes of version 2, so its version must be higher, not 2")
    );
    assert_eq!(
        problem("auth_method: \"none\"", "auth_method: token").as_deref(),
        Some("`ollama-api` changes the emit of version 2, so its version must be higher, not 2")
    );
    let newer = changed("status_code: 200", "status_code: 201").replace("version: 2\n", "version: 3\n");
    assert_eq!(version_problem(&old, &read(&newer)), None);
}

proptest! {
    #[test]
    fn no_answer_upsets_a_fingerprint(status in 0_u16..1000, body in prop::collection::vec(any::<u8>(), 0..200), name in "[A-Za-z-]{1,8}", value in "\\PC{0,20}") {
        let response = Response::new(status, vec![(name, value)], body);
        let two = read(TWO);
        for rule in [&read(OLLAMA), &two] {
            let step = rule.step(|_| Some(Known::Answered(&response)));
            prop_assert!(!matches!(step, Step::Ask(_)));
            prop_assert_eq!(matches!(step, Step::Missed), rule.miss(|_| Some(Known::Answered(&response))).is_some());
        }
        prop_assert_eq!(response.json().is_none(), response.json_problem().is_some());
    }

    #[test]
    fn a_file_with_any_line_changed_is_read_or_refused_at_a_place(line in 0_usize..26, text in "\\PC{0,30}") {
        let changed: Vec<&str> =
            OLLAMA.lines().enumerate().map(|(index, own)| if index == line { text.as_str() } else { own }).collect();
        if let Err(problems) = read_fingerprint(&changed.join("\n")) {
            prop_assert!(!problems.is_empty() && problems.iter().all(|problem| problem.line > 0 && problem.column > 0));
        }
    }
}
