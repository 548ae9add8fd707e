//! Many servers at once: consent, concurrency, and an interrupt in the middle.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::harness::place::watch;
use crate::harness::{Graph, Mark, Place, bad_peer};

/// A home whose client names so many servers of a scenario.
fn home(place: &Place, count: usize, scenario: &[&str], mark: &Mark) -> String {
    let servers: Map<String, Value> = (0..count)
        .map(|number| {
            let name = format!("peer-{number:03}");
            let arguments = [&["stdio"], scenario, &["--mark", mark.word(), "--name", name.as_str()]].concat();
            (name.clone(), json!({ "command": bad_peer(), "args": arguments }))
        })
        .collect();
    place.write("home/.cursor/mcp.json", json!({ "mcpServers": servers }).to_string());
    place.path("home").to_str().unwrap().to_owned()
}

fn statuses(graph: &Graph, status: &str) -> usize {
    graph.nodes("MCPServer").iter().filter(|node| node["properties"]["status"] == status).count()
}

fn document(path: &std::path::Path) -> Graph {
    Graph::of(serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
}

#[test]
fn nothing_is_started_without_consent() {
    let (place, mark) = (Place::new(), Mark::new());
    let output = place.path("document.json");
    // A peer that leaves children behind would be found even after it has ended.
    let home = home(&place, 2, &["fork"], &mark);
    place.run(&["scan", "--home", &home, "--mcp", "--no-store", "--output", output.to_str().unwrap()]);
    mark.expect_none();
    let graph = document(&output);
    assert_eq!((statuses(&graph, "not_started"), graph.nodes("MCPTool").len()), (2, 0));
}

#[test]
fn only_the_servers_that_were_named_are_started() {
    let (place, mark) = (Place::new(), Mark::new());
    let output = place.path("document.json");
    let home = home(&place, 3, &["honest"], &mark);
    let arguments = ["scan", "--home", &home, "--mcp", "--start", "peer-001", "--no-store", "--output"];
    place.run(&[&arguments[..], &[output.to_str().unwrap()]].concat());
    mark.expect_none();
    let graph = document(&output);
    assert_eq!((statuses(&graph, "reachable"), statuses(&graph, "not_started")), (1, 2));
}

#[test]
fn many_servers_are_asked_side_by_side() {
    let (place, mark) = (Place::new(), Mark::new());
    let output = place.path("document.json");
    let home = home(&place, 40, &["slow", "--delay-ms", "50"], &mark);
    let arguments = ["scan", "--home", &home, "--mcp", "--start", "--concurrency", "20", "--no-store", "--output"];
    let ran = place.run(&[&arguments[..], &[output.to_str().unwrap()]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    mark.expect_none();
    assert_eq!(statuses(&document(&output), "reachable"), 40);
}

#[test]
fn an_interrupt_ends_all_children_and_keeps_what_was_learnt() {
    let (place, mark) = (Place::new(), Mark::new());
    let output = place.path("document.json");
    let home = home(&place, 60, &["slow", "--delay-ms", "300"], &mark);
    let arguments = ["scan", "--home", &home, "--mcp", "--start", "--concurrency", "5", "--no-store", "--output"];
    let child = place.command(&[&arguments[..], &[output.to_str().unwrap()]].concat()).spawn().unwrap();
    let start = Instant::now();
    while mark.processes().len() < 5 && start.elapsed() < Duration::from_secs(30) {
        thread::sleep(Duration::from_millis(10));
    }
    // Until the first few have answered everything and others are in the middle.
    thread::sleep(Duration::from_secs(4));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ran = watch(child);
    mark.expect_none();
    let graph = document(&output);
    let learnt = statuses(&graph, "reachable");
    assert!((1..60).contains(&learnt), "{learnt} of 60 servers\n{}\n{}", ran.out, ran.err);
    assert_eq!(graph.nodes("MCPServer").len(), 60);
    assert!(ran.err.contains("interrupt") || ran.out.contains("interrupt"), "{}\n{}", ran.out, ran.err);
}
