//! Small estates in which every tool, resource and secret of a service belongs to one thing alone, as it is in what our own
//! collectors see; but secrets are used again and again, so that many spots have servers and services in common.

use proptest::prelude::*;
use serde_json::{Value, json};
use tracehound_model::EdgeKind;

use crate::estates::Little;

const SERVERS: usize = 6;
const SECRETS: usize = 9;
const KEYS: usize = 10;
const HOSTS: usize = 2;

/// Small estates in which nothing but secrets is shared.
pub(crate) fn alone() -> impl Strategy<Value = Little> {
    let value = || 0..5_u8;
    let weight = || prop::sample::select(&[0.0, 0.1, 0.1, 0.5][..]);
    let trusts = prop::collection::vec(prop::collection::vec(prop::option::weighted(0.3, Just(())), SERVERS), 3);
    let servers = prop::collection::vec((any::<bool>(), 0..4_usize, prop::option::of(0..HOSTS)), SERVERS);
    let secrets = prop::collection::vec((value(), prop::collection::vec((0..SERVERS, weight()), 1..3)), SECRETS);
    let keys = prop::collection::vec((value(), 0..3_usize, weight(), prop::bool::weighted(0.1)), KEYS);
    (trusts, servers, secrets, keys).prop_map(|(trusts, servers, secrets, keys)| {
        let mut little = Little { nodes: Vec::new(), edges: Vec::new() };
        for host in 0..HOSTS {
            little.nodes.push(node(&format!("h{host}"), "Host", &json!({ "hostname": format!("m{host}") })));
        }
        for (server, (is_open, resources, host)) in servers.into_iter().enumerate() {
            add_server(&mut little, server, if is_open { "none" } else { "oauth" }, resources, host);
        }
        for (agent, trusts) in trusts.into_iter().enumerate() {
            little.nodes.push(node(&format!("a{agent}"), "AgentInstance", &json!({})));
            let trusted = (0..).zip(trusts).filter_map(|(server, trust): (usize, _)| trust.map(|()| server));
            little
                .edges
                .extend(trusted.map(|it| edge(&format!("a{agent}"), EdgeKind::TrustsServer, &format!("s{it}"), 0.1)));
        }
        for (secret, (value, holders)) in secrets.into_iter().enumerate() {
            let id = format!("c{secret}");
            little.nodes.push(node(&id, "Credential", &json!({ "value_hash": format!("v{value}") })));
            for (server, weight) in holders {
                little.edges.push(edge(&format!("s{server}"), EdgeKind::HasEnvVar, &id, weight));
            }
            little.edges.push(edge("i", EdgeKind::UsesCredential, &id, 0.1));
        }
        little.nodes.push(node("i", "Identity", &json!({})));
        for (service, kind) in ["LiteLLMGateway", "LiteLLMGateway", "OpenWebUIInstance"].into_iter().enumerate() {
            little.nodes.push(node(&format!("g{service}"), kind, &json!({})));
        }
        for (key, (value, service, weight, is_unseen)) in keys.into_iter().enumerate() {
            let id = format!("k{key}");
            let properties = json!({ "value_hash": format!("v{value}"), "value_known": !is_unseen });
            little.nodes.push(node(&id, "Credential", &properties));
            little.edges.push(edge(&format!("g{service}"), EdgeKind::ExposesCredential, &id, weight));
        }
        little.edges.sort_by_key(|edge| ["source", "target", "kind"].map(|key| edge[key].to_string()));
        little.edges.dedup_by_key(|edge| ["source", "target", "kind"].map(|key| edge[key].to_string()));
        little
    })
}

/// A server with a tool that reads files, so many files, and a machine.
fn add_server(little: &mut Little, server: usize, auth: &str, resources: usize, host: Option<usize>) {
    let id = format!("s{server}");
    little.nodes.push(node(&id, "MCPServer", &json!({ "auth_method": auth })));
    let tool = format!("t{server}");
    little.nodes.push(node(&tool, "MCPTool", &json!({ "capability_surface": ["file_read"] })));
    little.edges.push(edge(&id, EdgeKind::ProvidesTool, &tool, 0.1));
    for resource in 0..resources {
        let file = format!("r{resource}{server}");
        little.nodes.push(node(&file, "MCPResource", &json!({ "uri": format!("file:///{file}") })));
        little.edges.push(edge(&id, EdgeKind::ProvidesResource, &file, 0.1));
    }
    little.edges.extend(host.map(|host| edge(&id, EdgeKind::RunsOn, &format!("h{host}"), 0.1)));
    little.edges.push(edge(&id, EdgeKind::AuthenticatesWith, "i", 0.1));
}

fn node(id: &str, kind: &str, properties: &Value) -> Value {
    json!({ "id": id, "kinds": [kind], "properties": properties })
}

fn edge(source: &str, kind: EdgeKind, target: &str, weight: f64) -> Value {
    json!({ "source": source, "target": target, "kind": kind.name(), "properties": { "risk_weight": weight } })
}
