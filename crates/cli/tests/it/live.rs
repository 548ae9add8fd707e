//! `tracehound scan` when it is told to start commands and to contact others, without anybody to answer.

use std::fs;

use serde_json::{Value, json};

use crate::harness::Place;

/// A home whose client names these servers.
fn home(place: &Place, servers: &Value) -> String {
    let home = place.path("home");
    fs::create_dir_all(home.join(".cursor")).unwrap();
    fs::write(home.join(".cursor/mcp.json"), json!({ "mcpServers": servers }).to_string()).unwrap();
    home.to_str().unwrap().to_owned()
}

/// The report of a scan, whatever came of it.
fn report(place: &Place, arguments: &[&str]) -> Value {
    let ran = place.run(&[&["scan", "--no-store", "--format", "json"], arguments].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err))
}

#[test]
fn options_of_asking_need_somebody_to_ask() {
    let place = Place::new();
    for options in [
        ["--headers-env", "X"].as_slice(),
        &["--stdio", "x", "--headers-file", "x"],
        &["--sandbox"],
        &["--timeout", "5"],
        &["--concurrency", "5"],
        &["--allow-private"],
        &["--follow", "1"],
        &["--jwks", "x"],
        &["--key-host", "x"],
        &["--resolve"],
    ] {
        let ran = place.run(&[&["scan", "--no-store"], options].concat());
        assert_eq!(ran.code, 2, "{options:?}: {}", ran.err);
    }
}

#[test]
fn what_is_no_address_of_an_agent_is_refused_before_anything_is_asked() {
    let place = Place::new();
    for (target, shown) in
        [("ftp://x", "`ftp://x`"), ("not a url", "`not a url`"), ("http://a:hunter2@x", "`http://x`")]
    {
        let ran = place.run(&["scan", "--no-store", "--stdio", "sh", "--a2a", target]);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{}", ran.err);
        assert!(ran.err.contains(shown) && !ran.err.contains("hunter2"), "{}", ran.err);
    }
}

#[test]
fn a_program_that_is_not_there_was_not_started() {
    let place = Place::new();
    let report = report(&place, &["--stdio", "no-such-program-at-all"]);
    assert_eq!(report["asked"]["commands_started"], 0);
    assert_eq!(report["asked"]["allowed"], json!({ "start": false, "network": false }));
}

#[cfg(unix)]
#[test]
fn every_start_counts_and_a_second_one_is_told() {
    let place = Place::new();
    let mark = place.path("mark");
    let report = report(&place, &["--stdio", &format!("sh -c 'echo x >> {}'", mark.display())]);
    assert_eq!(fs::read_to_string(mark).unwrap().lines().count(), 2);
    assert_eq!(report["asked"]["commands_started"], 2);
    assert_eq!(report["asked"]["allowed"]["start"], true);
    let problems = report["asked"]["servers"][0]["problems"].to_string();
    assert!(problems.contains("it was started twice: "), "{problems}");
}

#[cfg(unix)]
#[test]
fn a_command_under_two_names_is_started_by_either() {
    let place = Place::new();
    let command = json!({ "command": "sh", "args": ["-c", "exit 3"] });
    let home = home(&place, &json!({ "alpha": command, "beta": command }));
    let report = report(&place, &["--home", &home, "--mcp", "--start", "beta"]);
    let servers = report["asked"]["servers"].as_array().unwrap();
    assert_eq!(servers.len(), 1);
    assert_eq!((&servers[0]["name"], &servers[0]["status"]), (&json!("beta"), &json!("unreachable")));
}

#[cfg(unix)]
#[test]
fn a_name_of_several_commands_starts_nothing() {
    let place = Place::new();
    let mark = place.path("mark");
    let touch = |word: &str| json!({ "files": { "command": "touch", "args": [mark, word] } });
    let home = home(&place, &touch(""));
    fs::write(place.path("home/.claude.json"), json!({ "mcpServers": touch("x") }).to_string()).unwrap();
    let ran = place.run(&["scan", "--no-store", "--home", &home, "--mcp", "--start", "files"]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.err.contains(".claude.json: touch") && ran.err.contains("mcp.json: touch"), "{}", ran.err);
    assert!(!mark.exists());
}

#[cfg(unix)]
#[test]
fn a_document_on_standard_output_leaves_the_troubles_to_standard_error() {
    let place = Place::new();
    let ran = place.run(&["scan", "--no-store", "--stdio", "no-such-program-at-all", "--output", "-"]);
    assert_eq!(ran.code, 1);
    assert!(serde_json::from_str::<Value>(&ran.out).is_ok(), "{}", ran.out);
    assert!(ran.err.contains("there is no program `no-such-program-at-all`"), "{}", ran.err);
}

#[test]
fn servers_are_told_apart_by_their_addresses() {
    let place = Place::new();
    let long = "no-such-program-at-all ".to_owned() + &"x".repeat(60);
    let ran = place.run(&["scan", "--no-store", "--stdio", &long]);
    let cut = format!("no-such-program-at-all {}…", "x".repeat(37));
    assert!(ran.out.contains("ADDRESS") && ran.out.contains(&cut), "{}", ran.out);
    assert!(ran.out.contains("Nothing was started, nobody was contacted"), "{}", ran.out);
}
