//! LiteLLM's proxy: what it tells strangers, and the credential that a client of it holds too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{Graph, Place};
use crate::installed::litellm_python;
use crate::service::{Service, python};
use crate::services::check_service;

/// Long and random enough for the proxy, which refuses weak ones.
const MASTER_KEY: &str = "sk-Zq7Vt4NcWy8PdHj5FsGaUe6Ko3IrT7mLx2Bn9Rk1";
const UPSTREAM_KEY: &str = "sk-Hw3Qm8Lp2Xc6Vb9Nz4Td7Rf1Gy5Kj0Sa3Ue8Io6P";

/// The proxy with one model, whose provider is a port of loopback where nobody is.
fn litellm(master_key: Option<&str>, port: u16, folder: &Path) -> Command {
    let settings = json!({
        "model_list": [{
            "model_name": "small",
            "litellm_params": { "model": "openai/gpt-4o-mini", "api_base": "http://127.0.0.1:9/v1", "api_key": UPSTREAM_KEY },
        }],
        "general_settings": master_key.map_or(json!({}), |key| json!({ "master_key": key })),
    });
    // JSON is YAML too.
    let file = folder.join("settings.yaml");
    fs::write(&file, settings.to_string()).unwrap();
    let mut command = python(&litellm_python(), &["-m", "litellm.proxy.proxy_cli", "--host", "127.0.0.1"]);
    command.arg("--port").arg(port.to_string()).arg("--config").arg(file);
    command.env("LITELLM_LOCAL_MODEL_COST_MAP", "True");
    command
}

fn with_master_key(change: impl FnOnce(&mut Command)) -> Service {
    Service::start("/health/liveliness", |port, folder| {
        let mut command = litellm(Some(MASTER_KEY), port, folder);
        change(&mut command);
        command
    })
}

#[test]
fn litellm_with_a_master_key() {
    let service = with_master_key(|_| ());
    let properties = json!({
        "auth_method": "master_key", "is_anonymous_loot": false, "docs_enabled": true, "version": null,
    });
    check_service(&service.url(), "LiteLLMGateway", &properties);
}

#[test]
fn litellm_without_its_documentation() {
    let service = with_master_key(|command| {
        command.env("NO_DOCS", "True");
    });
    let properties = json!({ "auth_method": "master_key", "is_anonymous_loot": false, "docs_enabled": false });
    check_service(&service.url(), "LiteLLMGateway", &properties);
}

#[test]
fn litellm_without_a_master_key() {
    let service = Service::start("/health/liveliness", |port, folder| {
        let mut command = litellm(None, port, folder);
        command.env("LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY", "true");
        command
    });
    let properties = json!({ "auth_method": "none", "is_anonymous_loot": true, "docs_enabled": true });
    check_service(&service.url(), "LiteLLMGateway", &properties);
}

/// A client whose server is given the master key: what the configuration and the gateway say meets in the key's hash.
#[test]
fn the_key_of_a_client_leads_to_the_gateway() {
    let service = with_master_key(|_| ());
    let place = Place::new();
    let server = json!({ "command": "npx", "args": ["models@1.4.0"], "env": { "LITELLM_MASTER_KEY": MASTER_KEY } });
    let config = place.write("project/.mcp.json", json!({ "mcpServers": { "models": server } }).to_string());
    let keys = place.write("keys.txt", format!("{} {MASTER_KEY}\n", service.url()));
    let document = place.path("document.json");
    let mut printed = Vec::new();
    for arguments in [
        vec!["scan", "--path", config.to_str().unwrap()],
        vec![
            "scan",
            &service.url(),
            "--inventory",
            "--keys-file",
            keys.to_str().unwrap(),
            "--output",
            document.to_str().unwrap(),
        ],
        vec!["graph", "export"],
    ] {
        let ran = place.run(&arguments);
        assert_eq!(ran.code, 0, "{arguments:?}\n{}\n{}", ran.out, ran.err);
        printed.extend([ran.out, ran.err]);
    }
    let graph = Graph::of(serde_json::from_str(&printed[4]).unwrap());
    let agent = graph.only("AgentInstance");
    let servers = graph.behind(agent, "TRUSTS_SERVER");
    let held = one(
        &servers.iter().flat_map(|server| graph.behind(server, "HAS_ENV_VAR")).collect::<Vec<_>>(),
        "LITELLM_MASTER_KEY",
    );
    let exposed = graph.behind(graph.only("LiteLLMGateway"), "EXPOSES_CREDENTIAL");
    let master = exposed.iter().find(|node| node["properties"]["type"] == "master_key");
    let master = master.unwrap_or_else(|| panic!("{exposed:#?}"));
    assert_eq!(held["properties"]["value_hash"], master["properties"]["value_hash"]);
    assert!(held["properties"]["value_hash"].is_string());
    expect_no_secret(&place, &printed, &[&config, &keys]);
}

#[track_caller]
fn one(nodes: &[&Value], name: &str) -> Value {
    let found = nodes.iter().find(|node| node["properties"]["name"] == name);
    (*found.unwrap_or_else(|| panic!("no {name}: {nodes:#?}"))).clone()
}

/// Neither key is in what was printed, nor in any file that the product wrote.
#[track_caller]
fn expect_no_secret(place: &Place, printed: &[String], ours: &[&Path]) {
    for secret in [MASTER_KEY, UPSTREAM_KEY] {
        assert!(printed.iter().all(|text| !text.contains(secret)), "{secret} was printed");
        let mut looked_at = 0;
        for file in files(&place.path("")).into_iter().filter(|file| !ours.contains(&file.as_path())) {
            let bytes = fs::read(&file).unwrap();
            let holds = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!holds, "{secret} is in {}", file.display());
            looked_at += 1;
        }
        assert!(looked_at > 1, "there is neither document nor database");
    }
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
