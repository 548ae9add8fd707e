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

/// Scans a home without keeping anything, and returns the report.
fn scanned(place: &Place, home: &str, options: &[&str]) -> Value {
    place.json(&[&["scan", "--home", home, "--no-store", "--mcp"], options].concat())
}

/// How many servers the report has of a status.
fn count(report: &Value, status: &str) -> usize {
    report["asked"]["servers"].as_array().unwrap().iter().filter(|server| server["status"] == status).count()
}

#[test]
fn nothing_is_started_without_consent() {
    let (place, mark) = (Place::new(), Mark::new());
    // A peer that leaves children behind would be found even after it has ended.
    let report = scanned(&place, &home(&place, 2, &["fork"], &mark), &[]);
    mark.expect_none();
    assert_eq!(count(&report, "not_started"), 2);
    assert_eq!(report["asked"]["commands_started"], 0);
}

#[test]
fn only_the_servers_that_were_named_are_started() {
    let (place, mark) = (Place::new(), Mark::new());
    let report = scanned(&place, &home(&place, 3, &["honest"], &mark), &["--start", "peer-001"]);
    mark.expect_none();
    assert_eq!((count(&report, "reachable"), count(&report, "not_started")), (1, 2));
}

#[test]
fn many_servers_are_asked_side_by_side() {
    let (place, mark) = (Place::new(), Mark::new());
    let home = home(&place, 40, &["slow", "--delay-ms", "50"], &mark);
    let report = scanned(&place, &home, &["--start", "--concurrency", "20"]);
    mark.expect_none();
    assert_eq!(count(&report, "reachable"), 40);
}

#[test]
fn an_interrupt_ends_all_children_and_keeps_what_was_learnt() {
    let (place, mark) = (Place::new(), Mark::new());
    let output = place.path("document.json");
    let home = home(&place, 60, &["slow", "--delay-ms", "300"], &mark);
    let arguments =
        ["scan", "--home", &home, "--no-store", "--mcp", "--start", "--concurrency", "5", "--format", "json"];
    let child = place.command(&[&arguments[..], &["--output", output.to_str().unwrap()]].concat()).spawn().unwrap();
    wait_for(&mark, 5);
    // Until the first few have answered everything and others are in the middle.
    thread::sleep(Duration::from_secs(4));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ran = watch(child);
    mark.expect_none();
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}\n{}", ran.out, ran.err));
    let learnt = count(&report, "reachable");
    assert!((1..60).contains(&learnt), "{learnt} of 60 servers\n{report:#}");
    assert_eq!(report["asked"]["interrupted"], true);
    let graph = Graph::of(serde_json::from_slice(&std::fs::read(output).unwrap()).unwrap());
    assert_eq!((graph.nodes("MCPServer").len(), graph.nodes("MCPTool").len()), (60, learnt));
}

#[test]
fn a_scan_that_is_killed_leaves_nothing() {
    let (place, mark) = (Place::new(), Mark::new());
    let home = home(&place, 3, &["fork", "--delay-ms", "20000"], &mark);
    let mut child = place.command(&["scan", "--home", &home, "--mcp", "--start", "--no-store"]).spawn().unwrap();
    wait_for(&mark, 12);
    child.kill().unwrap();
    child.wait().unwrap();
    mark.expect_none();
}

/// Waits until there are so many processes.
#[track_caller]
fn wait_for(mark: &Mark, count: usize) {
    let start = Instant::now();
    while mark.processes().len() < count {
        assert!(start.elapsed() < Duration::from_secs(30), "not {count} processes: {:#?}", mark.processes());
        thread::sleep(Duration::from_millis(10));
    }
}
