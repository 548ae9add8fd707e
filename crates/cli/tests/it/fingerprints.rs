//! What the commands about rules answer when a rule is a fingerprint.

use std::fs;

use insta::assert_snapshot;
use serde_json::json;

use crate::harness::Place;
use crate::rules::{ELEPHANT, json_of, ok, run, zoo};

const PARROT: &str = "\
id: parrot-server
name: Parrot
description: A parrot that answers as Ollama does.
version: 4
service_kind: ollama
ports: [11434, 11435]
probes:
  - method: GET
    path: /api/version
    headers: { Accept: application/json }
    matchers:
      - { type: http_status, status_range: 2xx }
      - { type: json_path, path: $.version, regex: '^parrot' }
    captures:
      version: $.version
      feathers: $.feathers.length
  - method: HEAD
    path: /
    matchers: [{ type: http_header, name: Server, value: Parrot, case_insensitive: true }]
    captures: { age: { header: X-Age, pattern: '(\\d+) years' } }
emit:
  node_kinds: [OllamaInstance, AIService]
  properties:
    version: \"{capture:version}\"
    note: \"{capture:age} years old\"
    is_anonymous_loot: \"true\"
tests:
  - description: a parrot
    responses:
      - { path: /api/version, status: 200, json: { version: parrot-1, feathers: [red, blue] } }
      - { method: HEAD, path: /, status: 200, headers: { server: parrot, x-age: 7 years } }
    should_match: true
    properties: { version: parrot-1, feathers: 2, note: 7 years old, is_anonymous_loot: true }
  - description: something else
    responses: [{ path: /api/version, status: 200, json: { version: 0.9 } }]
    should_match: false
";

#[test]
fn fingerprints_are_listed_beside_rules_and_alone() {
    let place = Place::new();
    let zoo = zoo(&place, ELEPHANT);
    fs::write(zoo.join("parrot.yaml"), PARROT).unwrap();
    let zoo = zoo.to_str().unwrap();
    let all = json_of(&ok(&place, &["list", "--rules", zoo, "--format", "json"])).as_array().unwrap().len();
    let out = ok(&place, &["list", "--rules", zoo, "--custom-only"]);
    assert_snapshot!(out.replace(&all.to_string(), "[ALL]"), @"
     RULE             SEVERITY  COLLECTOR  TARGETS           TAGS  SOURCE
     purple-elephant  low       mcp        tool.description  zoo   zoo/elephant.yaml

     FINGERPRINT    SERVICE         PORTS         PROBES                    SOURCE
     parrot-server  OllamaInstance  11434, 11435  GET /api/version, HEAD /  zoo/parrot.yaml

    2 of [ALL] rules
    ");
    let out = ok(&place, &["list", "--rules", zoo, "--custom-only", "--fingerprints"]);
    assert!(out.contains("parrot-server") && !out.contains("purple-elephant"), "{out}");
    let only = json_of(&ok(&place, &["list", "--rules", zoo, "--fingerprints", "--format", "json"]));
    let only = only.as_array().unwrap();
    assert!(only.len() > 1 && only.iter().all(|rule| rule["sort"] == "fingerprint"), "the built-in ones are there too");
    let parrot = only.iter().find(|rule| rule["id"] == "parrot-server").unwrap();
    assert_eq!(
        (&parrot["service_kind"], &parrot["ports"], &parrot["probes"], &parrot["origin"]),
        (&json!("OllamaInstance"), &json!([11434, 11435]), &json!(["GET /api/version", "HEAD /"]), &json!("file"))
    );
    assert!(!ok(&place, &["list", "--rules", zoo, "--severity", "low"]).contains("parrot-server"));
    assert_eq!(run(&place, &["list", "--fingerprints", "--severity", "low"]).code, 2);
}

#[test]
fn a_fingerprint_is_shown_in_words() {
    let place = Place::new();
    let zoo = zoo(&place, PARROT);
    let zoo = zoo.to_str().unwrap();
    assert_snapshot!(ok(&place, &["show", "parrot-server", "--rules", zoo]), @r"
    parrot-server: Parrot
      A parrot that answers as Ollama does.

    source     zoo/elephant.yaml
    version    4
    enabled    yes
    service    OllamaInstance (ollama)
    ports      11434, 11435
    sets       is_anonymous_loot = true
               note = {capture:age} years old
               version = {capture:version}
               feathers, as captured
    tests      2

    recognised when all of it holds
      GET /api/version
        sent with Accept: application/json
        the status is from 200 to 299
        $.version matches `^parrot`
        captures version: $.version
        captures feathers: $.feathers.length
      HEAD /
        the header Server contains `Parrot` in any case
        captures age: `(\d+) years` in the header X-Age
    ");
    assert_eq!(ok(&place, &["show", "parrot-server", "--rules", zoo, "--yaml"]), PARROT);
    let json = json_of(&ok(&place, &["show", "parrot-server", "--rules", zoo, "--format", "json"]));
    assert_eq!(json["probes"][0]["matchers"][1]["regex"], "^parrot");
    assert_eq!(json["probes"][0]["captures"]["feathers"], "$.feathers.length");
    assert_eq!(json["emit"]["node_kinds"], json!(["OllamaInstance", "AIService"]));
    let builtin = json_of(&ok(&place, &["list", "--fingerprints", "--format", "json"]));
    let id = builtin[0]["id"].as_str().unwrap();
    let yaml = ok(&place, &["show", id, "--yaml"]);
    assert!(yaml.contains("service_kind:") && !yaml.contains("tests:"), "{yaml}");
}

#[test]
fn fingerprints_are_checked_with_places_and_strictly() {
    let place = Place::new();
    let zoo = zoo(&place, &PARROT.replace("method: HEAD\n", "method: DELETE\n").replace("json_path", "jsonpath"));
    let ran = run(&place, &["validate", zoo.to_str().unwrap()]);
    assert_eq!(ran.code, 1);
    assert_snapshot!(ran.out, @"
    zoo/elephant.yaml:13:17: `type` cannot be `jsonpath`
      help: did you mean `json_path`?
    zoo/elephant.yaml:17:13: `method` cannot be `DELETE`
      help: it is one of GET, HEAD
    1 rule file, 2 problems
    ");
    let good = place.write("good.yaml", PARROT);
    assert_eq!(ok(&place, &["validate", "--strict", good.to_str().unwrap()]), "1 rule file, 0 problems\n");
    let (start, _) = PARROT.split_once("tests:").unwrap();
    let bare = place.write("bare.yaml", start.replace("{capture:age}", "{capture:aeg}"));
    let ran = run(&place, &["validate", "--strict", bare.to_str().unwrap()]);
    assert_snapshot!(ran.out, @"
    bare.yaml:1:1: no test has `should_match: false`
    bare.yaml:1:1: no test has `should_match: true`
    bare.yaml:21:1: nothing captures `aeg`, so its placeholder stays
    1 rule file, 3 problems
    ");
}

#[test]
fn tests_of_fingerprints_say_which_probe_did_not_hold() {
    let place = Place::new();
    let zoo = zoo(&place, ELEPHANT);
    fs::write(zoo.join("parrot.yaml"), PARROT).unwrap();
    let zoo_path = zoo.to_str().unwrap();
    assert_eq!(ok(&place, &["test", zoo_path]), "4 tests of 2 rules: 4 passed, 0 failed\n");
    let broken = PARROT.replace("server: parrot", "server: crow");
    fs::write(zoo.join("parrot.yaml"), broken).unwrap();
    let ran = run(&place, &["test", zoo_path]);
    assert_eq!(ran.code, 1);
    assert_snapshot!(ran.out, @"
    FAILED  parrot-server, test 1: a parrot
            should match and does not: probe 2 (HEAD /): it does not hold that the header Server contains `Parrot` in any case; zoo/parrot.yaml
    4 tests of 2 rules: 3 passed, 1 failed
    ");
    fs::write(zoo.join("parrot.yaml"), PARROT.replace("feathers: 2", "feathers: 3")).unwrap();
    let json = json_of(&run(&place, &["test", zoo_path, "--format", "json"]).out);
    assert_eq!(json[0]["problems"], json!(["`feathers` should be 3 and is 2"]));
    assert_eq!(
        (&json[0]["rule"], &json[0]["passed"], &json[0]["got"]),
        (&json!("parrot-server"), &json!(false), &json!(true))
    );
}

#[test]
fn a_fingerprint_of_ones_own_takes_the_place_of_a_built_in_one() {
    let place = Place::new();
    let listed = json_of(&ok(&place, &["list", "--fingerprints", "--format", "json"]));
    let id = listed[0]["id"].as_str().unwrap();
    let version = listed[0]["version"].as_u64().unwrap();
    let own = PARROT.replace("parrot-server", id);
    let folder = zoo(&place, &own.replace("version: 4", &format!("version: {version}")));
    let folder = folder.to_str().unwrap();
    let ran = run(&place, &["list", "--rules", folder]);
    assert!(ran.code == 1 && ran.err.contains(&format!("`{id}` changes the ")), "{}", ran.err);
    fs::write(place.path("zoo/elephant.yaml"), own.replace("version: 4", "version: 400")).unwrap();
    let ran = run(&place, &["show", id, "--rules", folder]);
    assert_eq!(ran.err, format!("note: rule `{id}` of zoo/elephant.yaml overrides the built-in one\n"));
    assert!(ran.out.contains("11434, 11435"), "{}", ran.out);
    let mixed = place.write("zoo/elephant.yaml", ELEPHANT.replace("purple-elephant", id));
    let ran = run(&place, &["validate", mixed.to_str().unwrap()]);
    assert!(ran.code == 1 && ran.out.contains("whose place a detection rule can't take"), "{}", ran.out);
}
