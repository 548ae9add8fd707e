//! MLflow's tracking server, open and with its own passwords.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::installed::mlflow_python;
use crate::service::{Service, python};
use crate::services::check_service;

/// The server with a store in its folder, and without the workers that run jobs, which nothing here needs.
fn mlflow(port: u16, folder: &Path) -> Command {
    let mut command = python(&mlflow_python(), &["-m", "mlflow", "server", "--host", "127.0.0.1", "--workers", "1"]);
    command.arg("--port").arg(port.to_string());
    command.arg("--backend-store-uri").arg(format!("sqlite:///{}", folder.join("store.db").display()));
    command.arg("--default-artifact-root").arg(folder.join("artifacts"));
    command.env("MLFLOW_SERVER_ENABLE_JOB_EXECUTION", "false").env("MLFLOW_DISABLE_TELEMETRY", "true");
    command
}

#[test]
fn mlflow_for_everybody() {
    let service = Service::start("/version", mlflow);
    let properties = json!({
        "version": "3.17.2", "auth_method": "none", "is_anonymous_loot": true, "experiment_count": 1,
    });
    check_service(&service.url(), "MLflowServer", &properties);
}

#[test]
fn mlflow_with_passwords() {
    let service = Service::start("/version", |port, folder| {
        let settings = folder.join("passwords.ini");
        let text = format!(
            "[mlflow]\ndefault_permission = READ\ndatabase_uri = sqlite:///{}\nadmin_username = admin\n\
             admin_password = not-the-default-one\n\
             authorization_function = mlflow.server.auth:authenticate_request_basic_auth\n",
            folder.join("users.db").display()
        );
        std::fs::write(&settings, text).unwrap();
        let mut command = mlflow(port, folder);
        command.args(["--app-name", "basic-auth"]);
        command.env("MLFLOW_AUTH_CONFIG_PATH", settings).env("MLFLOW_FLASK_SERVER_SECRET_KEY", "for-the-peers-only");
        command
    });
    let properties = json!({
        "version": null, "auth_method": "basic", "is_anonymous_loot": false, "experiment_count": null,
    });
    check_service(&service.url(), "MLflowServer", &properties);
}
