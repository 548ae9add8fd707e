//! Agents of the official A2A SDK: signatures made by an independent implementation, and work that they hand on.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::harness::{Graph, Place, Server};
use crate::installed::{a2a_python, file};

/// The three agents as the estate knows them, with or without the key that they are signed with.
fn agents(is_key_given: bool) -> Graph {
    let place = Place::new();
    let keys = place.path("keys.json");
    let mut command = Command::new(a2a_python());
    let server = Server::start(command.arg(file("python/a2a_agents.py")).arg(&keys).stderr(Stdio::null()));
    let urls: Vec<String> = server.first.split(' ').map(|port| format!("http://127.0.0.1:{port}")).collect();
    let mut arguments = vec!["scan", "--a2a"];
    arguments.extend(urls.iter().map(String::as_str));
    if is_key_given {
        arguments.extend(["--jwks", keys.to_str().unwrap()]);
    }
    place.json(&arguments);
    let ran = place.run(&["graph", "export"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    Graph::of(serde_json::from_str(&ran.out).unwrap())
}

#[track_caller]
fn agent<'a>(graph: &'a Graph, name: &str) -> &'a Value {
    let found = graph.nodes("A2AAgent").into_iter().find(|node| node["properties"]["name"] == name);
    found.unwrap_or_else(|| panic!("no agent {name}: {:#?}", graph.nodes("A2AAgent")))
}

/// Whether an agent is signed, and whether that is worth anything.
#[track_caller]
fn check_signature(graph: &Graph, name: &str, is_signed: bool, is_valid: bool) {
    let properties = &agent(graph, name)["properties"];
    assert_eq!(
        (&properties["is_signed"], &properties["signature_valid"]),
        (&is_signed.into(), &is_valid.into()),
        "{properties:#}"
    );
}

#[test]
fn signatures_of_the_sdk_are_verified_with_the_key_that_was_given() {
    let graph = agents(true);
    check_signature(&graph, "Ledger Clerk", true, true);
    check_signature(&graph, "Travel Scout", false, false);
    check_signature(&graph, "Forger", true, false);
    assert!(agent(&graph, "Forger")["properties"]["signature_problem"].is_string());
}

#[test]
fn without_a_key_no_signature_is_valid() {
    let graph = agents(false);
    check_signature(&graph, "Ledger Clerk", true, false);
    assert!(agent(&graph, "Ledger Clerk")["properties"]["signature_problem"].is_string());
}

#[test]
fn agents_that_name_each_other_are_connected() {
    let graph = agents(false);
    let (clerk, scout) = (agent(&graph, "Ledger Clerk"), agent(&graph, "Travel Scout"));
    assert_eq!(graph.behind(clerk, "DELEGATES_TO"), [scout]);
    assert_eq!(graph.behind(scout, "DELEGATES_TO"), [clerk]);
    assert_eq!(graph.behind(clerk, "ADVERTISES_SKILL").len(), 1);
}
