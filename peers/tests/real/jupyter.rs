//! Jupyter Server, in each of the ways in which it asks who is there.

use serde_json::json;

use crate::installed::jupyter_python;
use crate::service::{Service, python};
use crate::services::check_service;

/// The version that is pinned.
const VERSION: &str = "2.21.1";
/// What `passwd` of Jupyter makes of a password; which one does not matter.
const HASHED: &str = "argon2:$argon2id$v=19$m=10240,t=10,p=8$c29tZXNhbHRzb21lc2FsdA$hdOIZg2hIJWZAAGcMVVwbw";

/// Starts it with a token and the hash of a password; an empty one is none.
fn jupyter(token: &str, password: &str) -> Service {
    Service::start("/api", |port, folder| {
        let mut command = python(&jupyter_python(), &["-m", "jupyter_server", "--ip=127.0.0.1", "--no-browser"]);
        command.arg(format!("--port={port}")).arg("--allow-root").arg("--ServerApp.port_retries=0");
        command.arg(format!("--ServerApp.root_dir={}", folder.display()));
        command.arg(format!("--IdentityProvider.token={token}"));
        command.arg(format!("--PasswordIdentityProvider.hashed_password={password}"));
        command
    })
}

#[test]
fn jupyter_with_a_token() {
    let service = jupyter("a-token-for-the-peers-only", "");
    let properties =
        json!({ "version": VERSION, "auth_method": "token", "is_anonymous_loot": false, "token_required": true });
    check_service(&service.url(), "JupyterServer", &properties);
}

#[test]
fn jupyter_with_a_password() {
    let service = jupyter("", HASHED);
    let properties =
        json!({ "version": VERSION, "auth_method": "password", "is_anonymous_loot": false, "token_required": false });
    check_service(&service.url(), "JupyterServer", &properties);
}

#[test]
fn jupyter_for_everybody() {
    let service = jupyter("", "");
    let properties =
        json!({ "version": VERSION, "auth_method": "none", "is_anonymous_loot": true, "token_required": false });
    check_service(&service.url(), "JupyterServer", &properties);
}
