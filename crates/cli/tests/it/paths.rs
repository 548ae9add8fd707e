//! `tracehound path` on the sample estate.

use insta::assert_snapshot;
use serde_json::json;

use crate::harness::{Place, document};

#[test]
fn a_path_is_a_line_of_hops_with_why_each_is_there() {
    let place = Place::with_demo();
    assert_snapshot!(place.ok(&["path", "cursor", "critical"]), @"
    cursor -TRUSTS_SERVER 0.10-> files -PROVIDES_RESOURCE 0.20-> file:///home/lena/.env   weight 0.30, 2 hops
        TRUSTS_SERVER: the client's configuration names the server
        PROVIDES_RESOURCE: listed by the server
    ");
    assert_snapshot!(place.ok(&["path", "helpdesk", "MCPServer:shell"]), @"
    helpdesk -DELEGATES_TO 0.50-> deployer -RUNS_ON 0.00-> build-01 <-RUNS_ON 0.00- shell   weight 0.50, 3 hops
        DELEGATES_TO: its card names the other agent
        RUNS_ON: its address belongs to that machine
        RUNS_ON: a command runs where its client runs
    ");
}

#[test]
fn paths_come_in_the_order_that_is_asked_for() {
    let place = Place::with_demo();
    let by_weight = place.ok(&["path", "cursor", "postgres://prod-db:5432/customers", "-k", "3", "--brief"]);
    assert_snapshot!(by_weight, @"
    cursor -TRUSTS_SERVER 0.10-> customers -PROVIDES_RESOURCE 0.20-> postgres://prod-db:5432/customers   weight 0.30, 2 hops
    cursor -TRUSTS_SERVER 0.10-> files -RUNS_ON 0.00-> lena-laptop <-RUNS_ON 0.00- customers -PROVIDES_RESOURCE 0.20-> postgres://prod-db:5432/customers   weight 0.30, 4 hops
    cursor -TRUSTS_SERVER 0.10-> report -RUNS_ON 0.00-> lena-laptop <-RUNS_ON 0.00- customers -PROVIDES_RESOURCE 0.20-> postgres://prod-db:5432/customers   weight 0.30, 4 hops
    ");
    let by_hops = place.ok(&["path", "agents", "credentials", "--by", "hops", "-k", "3", "--brief"]);
    assert_snapshot!(by_hops, @"
    cursor -TRUSTS_SERVER 0.10-> customers -HAS_ENV_VAR 0.00-> MODEL_GATEWAY_KEY   weight 0.10, 2 hops
    cursor -TRUSTS_SERVER 0.10-> customers -HAS_ENV_VAR 0.00-> MODEL_GATEWAY_KEY -same-secret 0.00-> litellm-master   weight 0.10, 3 hops
    cursor -TRUSTS_SERVER 0.10-> files -PROVIDES_TOOL 0.10-> read_file -reads 0.00-> MODEL_GATEWAY_KEY   weight 0.20, 3 hops
    ");
}

#[test]
fn all_paths_within_some_hops_can_be_listed() {
    let place = Place::with_demo();
    let json = place.json(&["path", "agents", "credentials", "--all", "--max-hops", "3"]);
    assert_eq!((&json["by"], &json["complete"]), (&"hops".into(), &true.into()));
    let lengths: Vec<u64> =
        json["paths"].as_array().unwrap().iter().map(|path| path["length"].as_u64().unwrap()).collect();
    assert_eq!(lengths, [2, 3, 3, 3, 3, 3]);
    assert_eq!(place.run(&["path", "agents", "critical", "--all"]).code, 2, "without a bound");
    assert_eq!(place.run(&["path", "agents", "critical", "--all", "--max-hops", "3", "-k", "2"]).code, 2);
    assert_eq!(place.run(&["path", "agents", "critical", "-k", "0"]).code, 2);
}

#[test]
fn what_may_be_walked_can_be_narrowed() {
    let place = Place::with_demo();
    let path = |more: &[&str]| {
        let mut arguments = vec!["path", "cursor", "postgres://prod-db:5432/customers", "--brief"];
        arguments.extend(more);
        place.ok(&arguments)
    };
    assert_snapshot!(path(&["--without-kinds", "PROVIDES_RESOURCE"]), @"cursor -TRUSTS_SERVER 0.10-> customers -PROVIDES_TOOL 0.10-> query -HAS_ACCESS_TO 0.20-> postgres://prod-db:5432/customers   weight 0.40, 3 hops");
    assert_snapshot!(path(&["--avoid", "customers"]), @"no path leads from `cursor` (1 node) to `postgres://prod-db:5432/customers` (1 node)");
    assert_snapshot!(path(&["--only-kinds", "trusts_server,PROVIDES_TOOL"]), @"no path leads from `cursor` (1 node) to `postgres://prod-db:5432/customers` (1 node)");
    assert_snapshot!(path(&["--only-kinds", "CAN_REACH", "--shortcuts"]), @"cursor -CAN_REACH 0.10-> postgres://prod-db:5432/customers   weight 0.10, 1 hop");
    assert_snapshot!(path(&["--max-hops", "1"]), @"no path leads from `cursor` (1 node) to `postgres://prod-db:5432/customers` (1 node) within 1 hop");
    assert_snapshot!(path(&["--avoid", "agents"]), @"no path: every node of `cursor` is to be avoided");
}

#[test]
fn a_kind_that_cannot_be_walked_is_refused() {
    let place = Place::with_demo();
    let shortcut = place.run(&["path", "agents", "critical", "--only-kinds", "CAN_REACH"]);
    assert_eq!(shortcut.code, 1);
    assert_snapshot!(shortcut.err, @"error: `CAN_REACH` stands for whole paths and is walked only with --shortcuts");
    let unknown = place.run(&["path", "agents", "critical", "--without-kinds", "TRUST_SERVER"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("did you mean `TRUSTS_SERVER`?"), "{}", unknown.err);
    assert_eq!(place.run(&["path", "agents", "critical", "--only-kinds", "POISONED_DESCRIPTION"]).code, 2);
}

#[test]
fn no_path_and_no_nodes_are_answers_and_unknown_names_are_not() {
    let place = Place::with_demo();
    assert_snapshot!(place.ok(&["path", "claude-code", "critical"]), @"no path leads from `claude-code` (1 node) to `critical` (2 nodes)");
    assert_snapshot!(place.ok(&["path", "owned", "critical"]), @"no path: `owned` has no nodes here");
    assert_eq!(place.json(&["path", "owned", "critical"])["paths"], json!([]));
    let unknown = place.run(&["path", "cursr", "critical"]);
    assert_eq!(unknown.code, 1);
    assert_snapshot!(unknown.err, @"error: there is no node `cursr`; did you mean `cursor`?");
    assert!(place.run(&["path", "agents", "critcal"]).err.contains("did you mean `critical`"));
}

#[test]
fn programs_get_every_hop_with_its_ends() {
    let place = Place::with_demo();
    let json = place.json(&["path", "deployer", "MCPTool:run"]);
    let path = &json["paths"][0];
    let names: Vec<&str> =
        path["nodes"].as_array().unwrap().iter().map(|node| node["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["deployer", "build-01", "shell", "run"]);
    let hop = |number: usize| (path["hops"][number]["kind"].clone(), path["hops"][number]["direction"].clone());
    assert_eq!(hop(0), (json!("RUNS_ON"), json!("along")));
    assert_eq!(hop(1), (json!("RUNS_ON"), json!("against")));
    assert_eq!(path["nodes"][1]["kind"], "Host");
    assert_eq!((&json["from"]["nodes"], &json["bounded"]), (&1.into(), &json!([])));
    let secret = place.json(&["path", "MODEL_GATEWAY_KEY", "litellm-master"]);
    assert_eq!(secret["paths"][0]["hops"][0]["kind"], "same-secret");
    assert_eq!(secret["paths"][0]["hops"][0]["direction"], json!(null));
}

#[test]
fn an_earlier_point_has_its_own_paths() {
    let place = Place::with_demo();
    assert!(place.ok(&["path", "agents", "send_message", "--at", "monday-laptop"]).contains("-> send_message"));
    assert_eq!(place.run(&["path", "agents", "send_message"]).code, 1, "the tool is gone by now");
}

/// One server that is started on two machines, from a file that is known to the line.
pub(crate) fn two_machines() -> Place {
    let place = Place::new();
    for (machine, day) in [("left", "05"), ("right", "06")] {
        let mut scan = document(machine, &format!("2026-01-{day}T09:00:00Z"), "one");
        let nodes = scan["graph"]["nodes"].as_array_mut().unwrap();
        nodes[0]["id"] = machine.into();
        nodes[0]["properties"]["name"] = format!("agent-{machine}").into();
        nodes[1]["properties"]["transport"] = "stdio".into();
        let edge = &mut scan["graph"]["edges"][0];
        edge["source"] = machine.into();
        edge["properties"] = json!({ "origin": machine, "file": format!("/home/{machine}/mcp.json"), "line": 7 });
        place.ingest(&scan);
    }
    place
}

#[test]
fn machines_and_places_in_files_are_told() {
    assert_snapshot!(two_machines().ok(&["path", "agents", "read_file", "-k", "2"]), @"
    agent-left -TRUSTS_SERVER 0.10-> files on left -PROVIDES_TOOL 0.10-> read_file on left   weight 0.20, 2 hops
        TRUSTS_SERVER: `agent-left` trusts `files` (/home/left/mcp.json:7)
        PROVIDES_TOOL: `files` offers `read_file`
    agent-right -TRUSTS_SERVER 0.10-> files on right -PROVIDES_TOOL 0.10-> read_file on right   weight 0.20, 2 hops
        TRUSTS_SERVER: `agent-right` trusts `files` (/home/right/mcp.json:7)
        PROVIDES_TOOL: `files` offers `read_file`
    ");
}

#[test]
fn hostile_names_are_shown_escaped() {
    let place = Place::new();
    let mut hostile = document("monday", "2026-01-05T09:00:00Z", "one");
    hostile["graph"]["nodes"][1]["properties"]["name"] = "a\u{1b}]0;owned\u{7}\u{202e}b".into();
    hostile["graph"]["edges"][0]["properties"]["evidence"] = "seen\u{1b}[2J\nhere".into();
    place.ingest(&hostile);
    let mut shown = place.ok(&["path", "agents", "tools"]);
    shown += &place.ok(&["reach", "agents"]);
    shown += &place.ok(&["chokepoints", "agents", "tools", "--proof"]);
    shown += &place.ok(&["what-if", "--remove-node", "server", "--to", "tools"]);
    shown += &place.ok(&["graph", "mark", "server", "--owned", "--reason", "x\u{1b}[2J"]);
    shown += &place.ok(&["graph", "marks"]);
    assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{shown:?}");
    assert!(shown.contains("a\\u{1b}]0;owned") && shown.contains("seen\\u{1b}[2J\\u{a}here"), "{shown}");
}

#[test]
fn each_command_has_help_with_examples_and_says_how_nodes_are_named() {
    let place = Place::new();
    for command in ["path", "reach", "chokepoints", "what-if"] {
        let help = place.ok(&[command, "--help"]);
        assert!(help.contains("Examples:") && help.contains("crown-jewels"), "{help}");
    }
    assert!(place.ok(&["graph", "mark", "--help"]).contains("Examples:"));
}
