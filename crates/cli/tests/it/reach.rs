//! `tracehound reach` on the sample estate.

use insta::assert_snapshot;
use serde_json::json;

use crate::harness::Place;

#[test]
fn what_is_reached_is_told_ring_by_ring() {
    let place = Place::with_demo();
    assert_snapshot!(place.ok(&["reach", "cursor"]), @"
    15 nodes can be reached from `cursor` (1 node)
    1 hop: 4 nodes
      4 MCPServer: issues, files, customers, report
    2 hops: 8 nodes
      3 MCPTool: format_report, read_file, query
      2 MCPResource: postgres://prod-db:5432/customers, file:///home/lena/.env
      1 Identity: 7b04b03fc672…
      1 Credential: MODEL_GATEWAY_KEY
      1 Host: lena-laptop
    3 hops: 1 node
      1 Credential: litellm-master
    4 hops: 1 node
      1 LiteLLMGateway: http://10.20.0.15:4000
    5 hops: 1 node
      1 Credential: upstream-large-model
    ");
    assert_snapshot!(place.ok(&["reach", "cursor", "--max-hops", "1"]), @"
    4 nodes can be reached from `cursor` (1 node) within 1 hop
    1 hop: 4 nodes
      4 MCPServer: issues, files, customers, report
    ");
}

#[test]
fn who_can_get_there_is_the_same_question_backwards() {
    let place = Place::with_demo();
    let json = place.json(&["reach", "upstream-large-model", "--reverse", "--kinds", "agentinstance"]);
    assert_eq!((&json["direction"], &json["nodes"]), (&"reverse".into(), &2.into()));
    assert_eq!(json["rings"][0]["by_kind"], json!({ "AgentInstance": 1 }));
    let forward = place.json(&["reach", "claude-desktop", "--kinds", "Credential"]);
    let rings = forward["rings"].as_array().unwrap();
    let last = rings.iter().find(|ring| ring["nodes"][0]["name"] == "upstream-large-model").unwrap();
    assert_eq!(last["hops"], json["rings"][1]["hops"], "as far one way as the other");
    assert_snapshot!(place.ok(&["reach", "critical", "--reverse", "--kinds", "AgentInstance"]), @"
    `critical` (2 nodes) can be reached from 2 nodes (AgentInstance only)
    2 hops: 2 nodes
      2 AgentInstance: cursor, claude-desktop
    ");
}

#[test]
fn what_may_be_walked_can_be_narrowed() {
    let place = Place::with_demo();
    let names = |arguments: &[&str]| {
        let json = place.json(arguments);
        let rings = json["rings"].as_array().unwrap().clone();
        let nodes = rings.iter().flat_map(|ring| ring["nodes"].as_array().unwrap().clone());
        nodes.map(|node| node["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["reach", "claude-desktop", "--avoid", "files"]), Vec::<String>::new());
    assert_eq!(names(&["reach", "claude-desktop", "--only-kinds", "TRUSTS_SERVER"]), ["files"]);
}

#[test]
fn an_empty_set_reaches_nothing_and_an_unknown_kind_is_refused() {
    let place = Place::with_demo();
    assert_snapshot!(place.ok(&["reach", "owned"]), @"nothing is reached: `owned` has no nodes here");
    assert_eq!(place.json(&["reach", "owned"])["rings"], json!([]));
    let unknown = place.run(&["reach", "agents", "--kinds", "MCPTols"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("did you mean `MCPTool`?"), "{}", unknown.err);
}
