//! Servers and agents that a scan of a network finds at their ports, without being told what is there.

use std::process::{Command, Stdio};

use crate::harness::{Place, Server};
use crate::http::{everything, library};
use crate::installed::{a2a_python, file};
use crate::services::{scanned, services};

/// Starts a server, and finds it at a path.
#[track_caller]
fn check(command: &mut Command, path: &str) {
    let server = Server::start(command.stderr(Stdio::null()));
    let target = format!("127.0.0.1:{}", server.first);
    let graph = scanned(&[&target, "--mcp"]);
    let found = graph.nodes("MCPServer");
    assert_eq!(found.len(), 1, "{found:#?}");
    let properties = &found[0]["properties"];
    assert_eq!(properties["endpoint"], server.url(path));
    assert_eq!(properties["discovered_via"], "network_scan");
    assert_eq!(properties["status"], "reachable");
    assert_ne!(properties["protocol_version"], "");
    assert_eq!(graph.behind(found[0], "RUNS_ON").len(), 1);
    // It was greeted, not asked for its lists; and without `--mcp` it is not even greeted.
    assert!(graph.nodes("MCPTool").is_empty() && services(&graph).is_empty());
    assert!(scanned(&[&target]).nodes("MCPServer").is_empty());
}

#[test]
fn everything_is_found_over_streamable_http() {
    check(&mut everything("streamableHttp"), "/mcp");
}

#[test]
fn everything_is_found_over_events() {
    check(&mut everything("sse"), "/sse");
}

#[test]
fn a_server_of_the_python_sdk_is_found() {
    check(&mut library("streamable-http"), "/mcp");
}

#[test]
fn agents_of_the_sdk_are_found_by_their_cards() {
    let place = Place::new();
    let mut command = Command::new(a2a_python());
    let keys = place.path("keys.json");
    let server = Server::start(command.arg(file("python/a2a_agents.py")).arg(&keys).stderr(Stdio::null()));
    let targets: Vec<String> = server.first.split(' ').map(|port| format!("127.0.0.1:{port}")).collect();
    let graph = scanned(&targets.iter().map(String::as_str).collect::<Vec<_>>());
    let agents = graph.nodes("A2AAgent");
    assert_eq!(agents.len(), 3, "{agents:#?}");
    assert!(agents.iter().all(|agent| agent["properties"]["discovered_via"] == "network_scan"), "{agents:#?}");
    assert!(services(&graph).is_empty());
}
