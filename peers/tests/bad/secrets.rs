//! What the product gives a server, and what comes back of it.

use serde_json::json;

use crate::harness::{Graph, Mark, Place, bad_peer};
use crate::met::serve;

const SECRET: &str = "ghp_9QyWvR3tLmZx7KpN2sBd5HcJ8fGa4EuT1oXi";

#[test]
fn a_secret_that_a_server_repeats_is_shown_nowhere() {
    let (place, mark) = (Place::new(), Mark::new());
    let args = ["stdio", "indiscreet", "--mark", mark.word()];
    let server = json!({ "command": bad_peer(), "args": args, "env": { "PEER_SECRET": SECRET } });
    place.write("home/.cursor/mcp.json", json!({ "mcpServers": { "peer": server } }).to_string());
    let (home, document) = (place.path("home"), place.path("document.json"));
    let scan = ["scan", "--home", home.to_str().unwrap(), "--mcp", "--start", "--output", document.to_str().unwrap()];
    let ran = place.run(&scan);
    mark.expect_none();
    let written = std::fs::read_to_string(&document).unwrap();
    let stored = place.run(&["graph", "export"]).out;
    for text in [&ran.out, &ran.err, &written, &stored] {
        assert!(!text.contains(SECRET), "{text}");
    }
    let graph = Graph::of(serde_json::from_str(&written).unwrap());
    let properties = &graph.only("MCPServer")["properties"];
    assert_eq!((&properties["repeats_secret"], &properties["status"]), (&json!(true), &json!("reachable")));
    assert!(ran.out.contains("repeats a secret that it was given"), "{}", ran.out);
}

#[test]
fn a_file_of_a_project_learns_nothing_of_the_environment() {
    let (place, server) = (Place::new(), serve("http", &["honest"]));
    let url = server.url("/${PEER_TOKEN}/mcp");
    let (plain, headers) = (server.url("/mcp"), json!({ "X-Token": "${PEER_TOKEN}", "X-Bare": "$PEER_TOKEN" }));
    let servers = json!({ "path": { "url": url }, "headers": { "url": plain, "headers": headers } });
    place.write("repo/.mcp.json", json!({ "mcpServers": servers }).to_string());
    let repo = place.path("repo");
    let scan = |more: &[&str]| {
        let words = [&["scan", "--no-store", "--mcp", "--dir", repo.to_str().unwrap()], more].concat();
        let output = place.command(&words).env("PEER_TOKEN", SECRET).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    // It is on this machine, and only a file that anybody may have written names it.
    let shown = scan(&[]);
    assert!(shown.contains("--allow-private"), "{shown}");
    assert!(server.log().is_empty(), "{:?}", server.log());
    let shown = scan(&["--allow-private"]);
    let log = server.log().join("\n");
    assert!(log.contains("/mcp") && !log.contains(SECRET), "{log}");
    assert!(!shown.contains(SECRET) && shown.contains("PEER_TOKEN"), "{shown}");
}
