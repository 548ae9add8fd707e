//! LangServe, whose applications say in the description of their API whom they answer.

use serde_json::json;

use crate::installed::{file, langserve_python};
use crate::service::{Service, python};
use crate::services::check_service;

/// Starts two chains and compares what is told of whom they answer.
#[track_caller]
fn check(asked_for: &str, auth_method: &str, is_anonymous_loot: bool) {
    let service = Service::start("/docs", |port, _| {
        let mut command = python(&langserve_python(), &[]);
        command.arg(file("python/langserve_app.py")).arg(port.to_string()).arg(asked_for);
        command
    });
    let properties = json!({
        "chains": ["shout", "team/measure"],
        "auth_method": auth_method,
        "is_anonymous_loot": is_anonymous_loot,
    });
    check_service(&service.url(), "LangServeApp", &properties);
}

#[test]
fn langserve_for_everybody() {
    check("open", "none", true);
}

#[test]
fn langserve_with_a_header() {
    check("header", "apiKey", false);
}

#[test]
fn langserve_with_a_token() {
    check("bearer", "bearer", false);
}
