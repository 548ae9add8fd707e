//! Servers that a client starts: the graph leads from the agent through the server to each tool that the protocol's own
//! SDK lists.

use serde_json::json;

use crate::configured::{Shown, scanned};
use crate::installed::{mcp_python, npm, tools_by_sdk};

/// Compares what the product and the SDK see of a server that is started with this command.
#[track_caller]
fn check(command: &[&str]) -> Shown {
    let shown = scanned(&json!({ "command": command[0], "args": &command[1..] }));
    let listed = tools_by_sdk(&[&["stdio"], command].concat());
    assert!(!listed.is_empty());
    assert_eq!(shown.tools(), listed);
    assert_eq!(shown.server()["properties"]["spoken"], "stdio");
    shown
}

#[track_caller]
fn check_npm(program: &str, arguments: &[&str]) -> Shown {
    let program = npm().join("node_modules/.bin").join(program);
    check(&[&[program.to_str().unwrap()], arguments].concat())
}

#[track_caller]
fn check_python(module: &str) -> Shown {
    check(&[mcp_python().to_str().unwrap(), "-m", module])
}

#[test]
fn everything_has_tools_resources_and_prompts() {
    let shown = check_npm("mcp-server-everything", &[]);
    assert!(shown.tools().contains(&"echo"));
    assert!(shown.resources().iter().any(|uri| uri.starts_with("demo://")), "{:?}", shown.resources());
    assert!(shown.prompts().contains(&"simple-prompt"), "{:?}", shown.prompts());
}

#[test]
fn the_filesystem_server_writes_files() {
    let folder = tempfile::TempDir::new().unwrap();
    let shown = check_npm("mcp-server-filesystem", &[folder.path().to_str().unwrap()]);
    assert!(shown.tools().contains(&"write_file"));
}

#[test]
fn the_memory_server_keeps_a_graph() {
    assert!(check_npm("mcp-server-memory", &[]).tools().contains(&"create_entities"));
}

#[test]
fn the_sequential_thinking_server_has_one_tool() {
    assert_eq!(check_npm("mcp-server-sequential-thinking", &[]).tools(), ["sequentialthinking"]);
}

#[test]
fn the_git_server_commits() {
    assert!(check_python("mcp_server_git").tools().contains(&"git_commit"));
}

#[test]
fn the_time_server_tells_the_time() {
    assert!(check_python("mcp_server_time").tools().contains(&"get_current_time"));
}

#[test]
fn the_fetch_server_has_a_prompt_too() {
    let shown = check_python("mcp_server_fetch");
    assert_eq!((shown.tools(), shown.prompts()), (vec!["fetch"], vec!["fetch"]));
}
