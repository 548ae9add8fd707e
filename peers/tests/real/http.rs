//! Servers that are reached by their address, over Streamable HTTP and over the older HTTP+SSE.

use std::process::{Command, Stdio};

use serde_json::json;

use crate::configured::{Shown, scanned};
use crate::harness::Server;
use crate::installed::{file, mcp_python, npm, tools_by_sdk};

/// Starts a server, and compares what the product and the SDK see of it.
#[track_caller]
fn check(command: &mut Command, path: &str, spoken: &str) -> Shown {
    let server = Server::start(command.stderr(Stdio::null()));
    let url = server.url(path);
    let shown = scanned(&json!({ "url": url }));
    assert_eq!(shown.server()["properties"]["spoken"], spoken);
    let listed = tools_by_sdk(&[if spoken == "sse" { "sse" } else { "http" }, &url]);
    assert!(!listed.is_empty());
    assert_eq!(shown.tools(), listed, "{:?}", server.log());
    shown
}

/// The server that shows everything, kept to loopback.
pub(crate) fn everything(transport: &str) -> Command {
    let server = npm().join("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    let mut command = Command::new("node");
    command.arg("--require").arg(file("npm/loopback.cjs")).arg(server).arg(transport);
    command
}

pub(crate) fn library(transport: &str) -> Command {
    let mut command = Command::new(mcp_python());
    command.arg(file("python/mcp_server.py")).arg(transport);
    command
}

#[test]
fn everything_over_streamable_http() {
    let shown = check(&mut everything("streamableHttp"), "/mcp", "streamable_http");
    assert!(!shown.resources().is_empty());
}

#[test]
fn everything_over_events() {
    let shown = check(&mut everything("sse"), "/sse", "sse");
    assert!(!shown.resources().is_empty());
}

const BOOKS: [&str; 2] = ["file:///srv/library/catalogue.txt", "library://books/{title}"];

#[test]
fn a_server_of_the_python_sdk_over_streamable_http() {
    let shown = check(&mut library("streamable-http"), "/mcp", "streamable_http");
    assert_eq!((shown.resources(), shown.prompts()), (BOOKS.to_vec(), vec!["recommend"]));
    assert_eq!(shown.server()["properties"]["reported_name"], "library");
}

#[test]
fn a_server_of_the_python_sdk_over_events() {
    let shown = check(&mut library("sse"), "/sse", "sse");
    assert_eq!((shown.resources(), shown.prompts()), (BOOKS.to_vec(), vec!["recommend"]));
}
