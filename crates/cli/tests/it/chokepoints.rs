//! `tracehound chokepoints` on the sample estate.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::harness::Place;
use crate::paths::two_machines;

#[test]
fn the_cheapest_changes_are_told_with_their_place_and_their_proof() {
    let place = Place::with_demo();
    assert_snapshot!(place.ok(&["chokepoints", "--proof"]), @"
    there are paths from 2 of `agents` (3 nodes) to 2 of `critical` (2 nodes)
    the cheapest way to separate them is 2 changes of cost 2
      do not offer `postgres://prod-db:5432/customers` through `customers` (/home/lena/.cursor/mcp.json)   cost 1
      do not offer `file:///home/lena/.env` through `files` (/home/lena/.config/Claude/claude_desktop_config.json)   cost 1
    nothing is cheaper, because these ways alone cost 2 to close (checked)
      1 x cursor -> files -> file:///home/lena/.env
      1 x cursor -> customers -> postgres://prod-db:5432/customers
    ");
    assert_snapshot!(place.ok(&["chokepoints", "agents", "critical", "--nodes"]), @"
    there are paths from 2 of `agents` (3 nodes) to 2 of `critical` (2 nodes)
    the cheapest way to separate them is 2 changes of cost 2
      remove MCPServer files
      remove MCPServer customers
    ");
}

#[test]
fn costs_decide_what_is_changed() {
    let place = Place::with_demo();
    let never = ["chokepoints", "--cost", "PROVIDES_RESOURCE=never", "--cost", "PROVIDES_TOOL=5", "--proof"];
    assert_snapshot!(place.ok(&never), @"
    there are paths from 2 of `agents` (3 nodes) to 2 of `critical` (2 nodes)
    the cheapest way to separate them is 4 changes of cost 4
      take server `files` out of agent `cursor` (/home/lena/.cursor/mcp.json)   cost 1
      take server `customers` out of agent `cursor` (/home/lena/.cursor/mcp.json)   cost 1
      take server `report` out of agent `cursor` (/home/lena/.cursor/mcp.json)   cost 1
      take server `files` out of agent `claude-desktop` (/home/lena/.config/Claude/claude_desktop_config.json)   cost 1
    nothing is cheaper, because these ways alone cost 4 to close (checked)
      1 x cursor -> files -> file:///home/lena/.env
      1 x cursor -> customers -> postgres://prod-db:5432/customers
      1 x cursor -> report -> lena-laptop -> files -> file:///home/lena/.env
      1 x claude-desktop -> files -> file:///home/lena/.env
    ");
    let nodes = place.json(&["chokepoints", "--nodes", "--cost", "MCPServer=7"]);
    assert_eq!((&nodes["cost"], &nodes["removes"]), (&14.into(), &"nodes".into()));
}

#[test]
fn a_cost_that_makes_no_sense_is_refused() {
    let place = Place::with_demo();
    for (cost, word) in [
        ("TRUSTS_SERVER=0", "from 1 to"),
        ("TRUSTS_SERVER", "KIND=NUMBER"),
        ("TRUST_SERVER=2", "did you mean `TRUSTS_SERVER`"),
        ("HAS_ACCESS_TO=2", "follows from other edges"),
    ] {
        let ran = place.run(&["chokepoints", "--cost", cost]);
        assert_eq!(ran.code, 2, "{cost}");
        assert!(ran.err.contains(word), "{}", ran.err);
    }
    let node = place.run(&["chokepoints", "--cost", "MCPServer=2"]);
    assert_eq!(node.code, 1);
    assert_snapshot!(node.err, @"error: `MCPServer` is a kind of nodes; these are removed only with --nodes");
    assert_eq!(place.run(&["chokepoints", "--nodes", "--cost", "TRUSTS_SERVER=2"]).code, 1);
}

/// What the proof rests on: as many ways as the changes cost, each from a source to a target and through a change.
#[test]
fn programs_get_the_whole_proof() {
    let place = Place::with_demo();
    let json = place.json(&["chokepoints", "agents", "hosts"]);
    let ids = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|node| node["id"].as_str().unwrap().to_owned()).collect()
    };
    let carried: u64 = json["proof"].as_array().unwrap().iter().map(|way| way["amount"].as_u64().unwrap()).sum();
    assert_eq!(Some(carried), json["cost"].as_u64());
    let changes = json["changes"].as_array().unwrap();
    for way in json["proof"].as_array().unwrap() {
        let nodes = ids(&way["nodes"]);
        assert_eq!(
            (&way["nodes"][0]["kind"], &way["nodes"][nodes.len() - 1]["kind"]),
            (&json!("AgentInstance"), &json!("Host"))
        );
        let closes = |change: &&Value| {
            let ends = [change["source"]["id"].as_str().unwrap(), change["target"]["id"].as_str().unwrap()];
            nodes.windows(2).any(|pair| pair == ends || pair.iter().rev().eq(ends.iter()))
                || nodes.iter().any(|node| node == ends[1])
        };
        assert!(changes.iter().any(|change| closes(&change)), "{nodes:?}");
    }
    assert_eq!(json["connected"], json!({ "sources": 3, "targets": 2 }));
}

/// The changes, made, leave no path.
#[test]
fn what_is_cut_is_cut() {
    let place = Place::with_demo();
    let json = place.json(&["chokepoints", "agents", "credentials"]);
    let mut arguments = vec!["what-if".to_owned(), "--to".to_owned(), "credentials".to_owned()];
    for change in json["changes"].as_array().unwrap() {
        let (source, target) = (change["source"]["id"].as_str().unwrap(), change["target"]["id"].as_str().unwrap());
        arguments
            .extend(["--remove-edge".to_owned(), format!("{source} {} {target}", change["kind"].as_str().unwrap())]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let after = place.json(&arguments);
    assert!(after["path"]["before"].is_object());
    assert_eq!(after["path"]["after"], json!(null), "{}", json["changes"]);
}

#[test]
fn what_every_path_goes_through_is_told() {
    let place = Place::with_demo();
    assert_snapshot!(place.ok(&["chokepoints", "claude-desktop", "upstream-large-model"]), @"
    there are paths from 1 of `claude-desktop` (1 node) to 1 of `upstream-large-model` (1 node)
    the cheapest way to separate them is 1 change of cost 1
      take server `files` out of agent `claude-desktop` (/home/lena/.config/Claude/claude_desktop_config.json)   cost 1
    every path goes through: MCPServer files, Credential MODEL_GATEWAY_KEY, Credential litellm-master, LiteLLMGateway http://10.20.0.15:4000
    ");
}

/// What is started on two machines is changed on each of them.
#[test]
fn a_change_says_on_which_machine() {
    let place = two_machines();
    assert_snapshot!(place.ok(&["chokepoints", "agents", "tools"]), @"
    there are paths from 2 of `agents` (2 nodes) to 1 of `tools` (1 node)
    the cheapest way to separate them is 2 changes of cost 2
      take server `files` out of agent `agent-left` (/home/left/mcp.json:7)   cost 1
      take server `files` out of agent `agent-right` (/home/right/mcp.json:7)   cost 1
    ");
    let dear = ["chokepoints", "agents", "tools", "--cost", "TRUSTS_SERVER=3", "--proof"];
    assert_snapshot!(place.ok(&dear), @"
    there are paths from 2 of `agents` (2 nodes) to 1 of `tools` (1 node)
    the cheapest way to separate them is 2 changes of cost 2
      switch off tool `read_file` of server `files` on `left`   cost 1
      switch off tool `read_file` of server `files` on `right`   cost 1
    nothing is cheaper, because these ways alone cost 2 to close (checked)
      1 x agent-left -> files -> read_file
      1 x agent-right -> files -> read_file
    ");
}

#[test]
fn where_nothing_leads_there_is_nothing_to_separate() {
    let place = Place::with_demo();
    assert_snapshot!(place.ok(&["chokepoints", "claude-code", "critical"]), @"nothing to separate: no path leads from `claude-code` (1 node) to `critical` (2 nodes)");
    assert_snapshot!(place.ok(&["chokepoints", "owned", "critical"]), @"nothing to separate: `owned` has no nodes here");
    assert_eq!(place.json(&["chokepoints", "owned", "critical"])["cost"], 0);
}

#[test]
fn what_cannot_be_separated_is_said() {
    let place = Place::with_demo();
    let same = place.run(&["chokepoints", "agents", "cursor"]);
    assert_eq!(same.code, 1);
    assert_snapshot!(same.err, @"error: `cursor` is both where attackers start and what they must not get to");
    let touching = place.run(&["chokepoints", "agents", "servers", "--nodes"]);
    assert_eq!(touching.code, 1);
    assert_snapshot!(touching.err, @"error: a way from a source to a target has nothing in it that may be changed");
}
