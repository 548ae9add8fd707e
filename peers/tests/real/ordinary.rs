//! Ordinary servers of others, on the frameworks that AI services are made with: recognised as none.

use std::process::Command;

#[cfg(feature = "large")]
use crate::installed::langserve_python;
use crate::installed::{file, jupyter_python};
use crate::service::Service;
use crate::services::{scanned, services};

/// A program that takes its port as the last argument.
fn started(program: &mut Command) -> Service {
    Service::start("/", |port, _| {
        let mut command = Command::new(program.get_program());
        command.args(program.get_args()).arg(port.to_string());
        command
    })
}

#[track_caller]
fn check(program: &mut Command) {
    let service = started(program);
    let graph = scanned(&[&service.url()]);
    assert!(services(&graph).is_empty(), "{graph:#?}");
}

#[test]
fn files_of_python() {
    check(Command::new("python3").args(["-m", "http.server", "--bind", "127.0.0.1"]));
}

#[test]
fn an_application_of_tornado() {
    check(Command::new(jupyter_python()).arg(file("python/ordinary_tornado.py")));
}

#[test]
fn a_server_of_node() {
    check(Command::new("node").arg(file("npm/ordinary_http.cjs")));
}

#[cfg(feature = "large")]
#[test]
fn an_application_of_fastapi() {
    check(Command::new(langserve_python()).arg(file("python/ordinary_fastapi.py")));
}
