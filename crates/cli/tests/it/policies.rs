//! `tracehound policy`: written, checked, tried, compared, taken back.

use serde_json::json;

use crate::gateway::{Server, ask, prepared, request};
use crate::harness::Place;

const NO_MERGES: &str = "@id(\"no-merges\")\nforbid(principal, action == Action::\"github.merge\", resource);\n";
const NO_READS: &str = "@id(\"no-reads\")\nforbid(principal, action == Action::\"github.get\", resource);\n";

#[test]
fn policies_are_added_listed_and_rolled_back() {
    let place = Place::new();
    let token = prepared(&place);
    let server = Server::start(&place);
    let decide =
        |action: &str| ask(&server.address, "POST", "/v1/authorize", &token, Some(&request(action))).unwrap().1;
    assert_eq!(decide("get")["decision"], "allow");
    let file = place.write("p.cedar", NO_READS);
    let file = file.to_str().unwrap();
    let added = place.ok(&["policy", "add", "reads", file, "--reason", "first"]);
    assert_eq!(added, "reads version 1 is in force\n");
    assert_eq!(decide("get")["code"], "forbidden_by_policy");
    let ran = place.run(&["policy", "add", "reads", file]);
    assert!(ran.code == 1 && ran.err.contains("policy_exists"), "{}", ran.err);

    place.write("p.cedar", NO_MERGES);
    let replaced = place.ok(&["policy", "add", "reads", file, "--replace", "--reason", "second"]);
    assert_eq!(replaced, "reads version 2 is in force\n");
    assert_eq!(decide("get")["decision"], "allow");
    let listed = place.json(&["policy", "list"]);
    let listed = listed.as_array().unwrap_or_else(|| listed["items"].as_array().unwrap());
    assert!(listed.iter().any(|policy| policy["policy_key"] == "reads" && policy["version"] == 2), "{listed:?}");
    assert!(listed.iter().any(|policy| policy["policy_key"] == "default"));
    assert!(place.ok(&["policy", "show", "reads"]).contains("no-merges"));

    let back = place.ok(&["policy", "rollback", "reads", "1", "--reason", "merges are needed"]);
    assert_eq!(back, "reads version 3 is in force\n");
    assert_eq!(decide("get")["code"], "forbidden_by_policy", "what a command does holds at once");
    let history = place.json(&["policy", "history", "reads"]);
    let reasons: Vec<_> =
        history.as_array().unwrap().iter().map(|version| version["reason"].as_str().unwrap()).collect();
    assert_eq!(reasons, ["merges are needed", "second", "first"], "newest first");
    let ran = place.run(&["policy", "rollback", "reads", "9", "--reason", "x"]);
    assert!(ran.code == 1 && ran.err.contains("policy_version_not_found"), "{}", ran.err);
    assert_eq!(place.ok(&["policy", "remove", "reads"]), "reads version 4 is out of force\n");
    assert_eq!(decide("get")["decision"], "allow");
    server.kill();
}

#[test]
fn what_is_wrong_with_a_policy_is_told_with_its_place() {
    let place = Place::new();
    prepared(&place);
    let good = place.write("good.cedar", NO_MERGES);
    assert_eq!(place.ok(&["policy", "validate", good.to_str().unwrap()]), "the policy can be used\n");
    let broken = place.write("broken.cedar", "permit(principal,\n  action resource);");
    let ran = place.run(&["policy", "validate", broken.to_str().unwrap()]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("policy_refused") && ran.err.contains("line 2, column"), "{}", ran.err);
    let unknown = place.write("unknown.cedar", "permit(principal, action == Action::\"github.fly\", resource);");
    let ran = place.run(&["policy", "add", "fly", unknown.to_str().unwrap()]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert_eq!(place.run(&["policy", "history", "fly"]).code, 1, "nothing was stored");
    let ran = place.run(&["policy", "validate", "/nowhere/p.cedar"]);
    assert!(ran.code == 1 && ran.err.contains("/nowhere/p.cedar"), "{}", ran.err);
}

#[test]
fn described_calls_are_tried_and_a_surprise_is_an_exit_code() {
    let place = Place::new();
    prepared(&place);
    let call = |name: &str, expected: &str| {
        json!({ "name": name, "agent": { "id": "bot", "environment": "prod" }, "tool": "github", "action": "get",
                "source_trust": "untrusted_external", "expect": { "decision": expected } })
    };
    let cases = place.write("calls.json", json!([call("reads", "allow"), call("reads not", "deny")]).to_string());
    let cases = cases.to_str().unwrap();
    let ran = place.run(&["policy", "test", cases]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("ok     reads: allow") && ran.out.contains("FAILED reads not: allow"), "{}", ran.out);
    assert!(ran.out.ends_with("1 as expected, 1 not\n"), "{}", ran.out);
    let with = place.write("no.cedar", NO_READS);
    let ran = place.run(&["policy", "test", cases, "--with", with.to_str().unwrap(), "--format", "json"]);
    let tried: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &tried["met"], &tried["results"][1]["is_met"]), (1, &json!(1), &json!(true)));
    let fine = place.write("fine.json", json!([call("reads", "allow")]).to_string());
    assert_eq!(place.run(&["policy", "test", fine.to_str().unwrap()]).code, 0);
}

#[test]
fn a_change_is_compared_with_what_is_on_record() {
    let place = Place::new();
    let token = prepared(&place);
    let server = Server::start(&place);
    for action in ["get", "get", "merge"] {
        ask(&server.address, "POST", "/v1/authorize", &token, Some(&request(action))).unwrap();
    }
    let change = place.write("no.cedar", NO_READS);
    let change = change.to_str().unwrap();
    let found = place.json(&["policy", "diff", change]);
    assert_eq!((&found["over"], &found["compared"]), (&json!("recorded"), &json!(3)));
    let changed = found["changed"].as_array().unwrap();
    assert_eq!(changed.len(), 2, "{found}");
    let sides = |call: &serde_json::Value| [call["before"]["decision"].clone(), call["after"]["decision"].clone()];
    assert!(changed.iter().all(|call| sides(call) == [json!("allow"), json!("deny")]), "{found}");
    let told = place.ok(&["policy", "diff", change, "--limit", "1"]);
    assert!(told.contains("of 1 calls would be decided differently"), "{told}");
    place.ok(&["policy", "add", "reads", change]);
    let found = place.json(&["policy", "diff", "--key", "reads"]);
    assert_eq!(found["changed"].as_array().unwrap().len(), 2, "as if it was taken out: {found}");
    server.kill();
}
