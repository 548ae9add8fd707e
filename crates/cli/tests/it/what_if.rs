//! `tracehound what-if` on the sample estate.

use insta::assert_snapshot;
use serde_json::json;

use crate::harness::Place;

#[test]
fn what_would_be_different_is_told_and_nothing_is_stored() {
    let place = Place::with_demo();
    let before = place.ok(&["graph", "export"]);
    assert_snapshot!(place.ok(&["what-if", "--remove-node", "files"]), @"
    findings that would be gone: 4
      - critical CAN_REACH: Agent `claude-desktop` can reach resource `file:///home/lena/.env` of `files` through tool `read_file` of `files`
      - critical CAN_REACH: Agent `cursor` can reach resource `file:///home/lena/.env` of `files` through tool `read_file` of `files`
      - high CAN_REACH: Agent `claude-desktop` can reach resource `postgres://prod-db:5432/customers` of `customers` with secret `MODEL_GATEWAY_KEY`, which tool `read_file` of `files` can read
      - medium HAS_ACCESS_TO: Tool `read_file` of `files` has access to resource `file:///home/lena/.env` of `files`
    what would not follow any more: 4 edges
      - read_file HAS_ACCESS_TO file:///home/lena/.env
      - cursor CAN_REACH file:///home/lena/.env
      - claude-desktop CAN_REACH postgres://prod-db:5432/customers
      - claude-desktop CAN_REACH file:///home/lena/.env
    scores that would change: 7
      MCPServer files: risk_score 49 -> none
      MCPTool read_file: risk_score 37 -> none
      MCPResource postgres://prod-db:5432/customers: risk_score 76 -> 73
      MCPResource file:///home/lena/.env: risk_score 76 -> none
      AgentInstance cursor: risk_score 52.25 -> 48
      AgentInstance claude-desktop: risk_score 23.75 -> 0
      Host lena-laptop: risk_score 15 -> 12
    the easiest path from `agents` to `critical`
      before: cursor -TRUSTS_SERVER 0.10-> files -PROVIDES_RESOURCE 0.20-> file:///home/lena/.env   weight 0.30, 2 hops
      after:  cursor -TRUSTS_SERVER 0.10-> customers -PROVIDES_RESOURCE 0.20-> postgres://prod-db:5432/customers   weight 0.30, 2 hops
    nothing was stored; the estate is as it was
    ");
    let edge =
        ["what-if", "--remove-edge", "cursor TRUSTS_SERVER customers", "--from", "cursor", "--to", "credentials"];
    assert_snapshot!(place.ok(&edge), @"
    findings that would be gone: 1
      - critical CAN_REACH: Agent `cursor` can reach secret `upstream-large-model` behind LiteLLMGateway `http://10.20.0.15:4000` with secret `MODEL_GATEWAY_KEY`
    findings that would change: 1
      ~ high CAN_REACH: Agent `cursor` can reach resource `postgres://prod-db:5432/customers` of `customers` with secret `MODEL_GATEWAY_KEY`, which tool `read_file` of `files` can read (was critical, another path)
    what would not follow any more: 1 edge
      - cursor CAN_REACH upstream-large-model
    scores that would change: 3
      AgentInstance cursor: risk_score 52.25 -> 20.5
      Credential litellm-master: risk_score 53 -> 35
      Credential MODEL_GATEWAY_KEY: risk_score 73 -> 55
    the easiest path from `cursor` to `credentials`
      before: cursor -TRUSTS_SERVER 0.10-> customers -HAS_ENV_VAR 0.00-> MODEL_GATEWAY_KEY   weight 0.10, 2 hops
      after:  cursor -TRUSTS_SERVER 0.10-> files -RUNS_ON 0.00-> lena-laptop <-RUNS_ON 0.00- customers -HAS_ENV_VAR 0.00-> MODEL_GATEWAY_KEY   weight 0.10, 4 hops
    nothing was stored; the estate is as it was
    ");
    assert_eq!(place.ok(&["graph", "export"]), before);
}

#[test]
fn properties_can_be_other_than_they_are() {
    let place = Place::with_demo();
    let json = place.json(&["what-if", "--set", "files auth_method=oauth", "--from", "claude-desktop"]);
    let weight = |when: &str| json["path"][when]["hops"][0]["weight"].as_f64().unwrap();
    assert_eq!((weight("before"), weight("after")), (0.1, 0.7));
    let json = place.json(&["what-if", "--set", "read_file capability_surface=[]"]);
    let gone = json["edges_gone"].as_array().unwrap();
    assert!(gone.iter().any(|edge| edge["kind"] == "HAS_ACCESS_TO" && edge["source"]["name"] == "read_file"));
    let json =
        place.json(&["what-if", "--set", "files transport=http", "--set", "file:///home/lena/.env sensitivity=low"]);
    assert_eq!(json["path"]["after"]["nodes"][2]["name"], "postgres://prod-db:5432/customers");
    let heavier =
        ["what-if", "--set-edge", "deployer RUNS_ON build-01 risk_weight=1", "--from", "helpdesk", "--to", "hosts"];
    let path = &place.json(&heavier)["path"];
    assert_eq!((&path["before"]["weight"], &path["after"]["weight"]), (&json!(0.5), &json!(1.5)));
}

#[test]
fn findings_come_and_go() {
    let place = Place::with_demo();
    let (closed, open) =
        ("http://10.20.0.17:3000 is_anonymous_loot=false", "http://10.20.0.15:4000 is_anonymous_loot=true");
    let json = place.json(&["what-if", "--set", closed, "--set", open]);
    for (when, url) in [("findings_gone", "http://10.20.0.17:3000"), ("findings_new", "http://10.20.0.15:4000")] {
        assert_eq!(json[when].as_array().unwrap().len(), 1, "{json}");
        assert_eq!(
            (&json[when][0]["kind"], &json[when][0]["source"]["name"]),
            (&json!("service-answers-anyone"), &json!(url))
        );
    }
    let told = place.ok(&["what-if", "--set", closed, "--set", open]);
    assert!(
        told.contains("findings that would be gone: 1\n  - medium service-answers-anyone: OpenWebUIInstance"),
        "{told}"
    );
    assert!(told.contains("findings that would be new: 1\n  + medium"), "{told}");
}

#[test]
fn a_path_from_what_is_taken_out_is_gone() {
    let place = Place::with_demo();
    let json = place.json(&["what-if", "--remove-node", "cursor", "--from", "cursor"]);
    assert!(json["path"]["before"].is_object());
    assert_eq!(json["path"]["after"], json!(null));
}

#[test]
fn what_names_nothing_is_refused() {
    let place = Place::with_demo();
    for (arguments, word) in [
        (&["--remove-node", "fils"][..], "did you mean `files`"),
        (&["--remove-edge", "cursor TRUST_SERVER files"], "did you mean `TRUSTS_SERVER`"),
        (
            &["--remove-edge", "claude-code TRUSTS_SERVER files"],
            "there is no TRUSTS_SERVER from `claude-code` to `files`",
        ),
        (&["--remove-edge", "cursor CAN_REACH files"], "follows from other edges"),
        (&["--set", "files"], "sets nothing"),
        (&["--set", "nobody name=x"], "there is no node `nobody`"),
        (&["--remove-node", "files", "--to", "critcal"], "did you mean `critical`"),
    ] {
        let mut all = vec!["what-if"];
        all.extend(arguments);
        let ran = place.run(&all);
        assert_eq!(ran.code, 1, "{arguments:?}");
        assert!(ran.err.contains(word), "{arguments:?}: {}", ran.err);
    }
    assert_eq!(place.run(&["what-if"]).code, 2, "nothing is different");
}
