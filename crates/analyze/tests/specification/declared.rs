//! What processors declare to read is all that they read: every single change of an estate in which there is one of
//! everything is noticed. Random estates seldom change the one property that somebody forgot to declare.

use serde_json::{Value, json};
use tracehound_analyze::{Analysis, Changes};
use tracehound_model::EdgeKind;

use crate::again::everything;
use crate::estates::Little;

/// One of everything, each with an effect on something that is derived.
fn rich() -> Little {
    let mut estate = Little::default();
    let nodes = [
        ("AgentInstance", "a", json!({})),
        ("MCPServer", "s", json!({ "auth_method": "none", "transport": "http" })),
        ("MCPServer", "s1", json!({ "auth_method": "oauth", "endpoint": "http://10.0.0.1/x" })),
        ("MCPTool", "t", json!({ "name": "read_file", "capability_surface": ["file_read"], "input_schema": "{}" })),
        ("MCPTool", "t1", json!({ "name": "send-mail", "capability_surface": ["email_send"] })),
        ("MCPResource", "r", json!({ "uri": "file:///home/u/a.json", "sensitivity": "high" })),
        ("MCPResource", "r1", json!({ "uri": "postgres://db/users", "name": "users" })),
        ("Credential", "c", json!({ "value_hash": "v0", "type": "envVar" })),
        ("Credential", "c1", json!({ "value_hash": "v0" })),
        ("Credential", "c2", json!({ "value_hash": "v1" })),
        ("Identity", "i", json!({})),
        ("Host", "h", json!({ "hostname": "m0", "is_private": true })),
        ("Host", "h1", json!({})),
        ("A2AAgent", "x", json!({})),
        ("A2AAgent", "x1", json!({ "auth_method": "mtls", "url": "http://10.0.0.2" })),
        ("InstructionFile", "f", json!({ "is_suspicious": false })),
        ("LiteLLMGateway", "g", json!({ "auth_method": "apiKey", "endpoint": "http://10.0.0.3" })),
        ("JupyterServer", "j", json!({})),
    ];
    for (kind, id, properties) in nodes {
        estate.node(kind, id, properties);
    }
    let edges = [
        (EdgeKind::TrustsServer, "a", "s"),
        (EdgeKind::TrustsServer, "a", "s1"),
        (EdgeKind::ProvidesTool, "s", "t"),
        (EdgeKind::ProvidesTool, "s1", "t1"),
        (EdgeKind::ProvidesResource, "s", "r"),
        (EdgeKind::ProvidesResource, "s1", "r1"),
        (EdgeKind::HasEnvVar, "s", "c"),
        (EdgeKind::HasEnvVar, "s1", "c2"),
        (EdgeKind::AuthenticatesWith, "s1", "i"),
        (EdgeKind::UsesCredential, "i", "c2"),
        (EdgeKind::ExposesCredential, "g", "c1"),
        (EdgeKind::ExposesCredential, "g", "c2"),
        (EdgeKind::Exposes, "g", "j"),
        (EdgeKind::RunsOn, "s", "h"),
        (EdgeKind::RunsOn, "x1", "h"),
        (EdgeKind::RunsOn, "j", "h1"),
        (EdgeKind::DelegatesTo, "x", "x1"),
        (EdgeKind::LoadsInstructions, "a", "f"),
    ];
    for (kind, source, target) in edges {
        estate.edge(kind, source, target);
    }
    estate
}

/// Other values for properties, whatever they were.
fn values() -> Vec<(&'static str, Value)> {
    let words = ["has_cross_references", "has_injection_patterns", "high_entropy", "is_local", "is_private"];
    let more = ["is_public", "is_suspicious", "value_known"];
    let flags = words.into_iter().chain(more).flat_map(|key| [(key, json!(true)), (key, json!(false))]);
    let texts = [
        ("auth_method", "bearer"),
        ("auth_method", "none"),
        ("description", "reads users and notes with send-mail"),
        ("endpoint", "https://mcp.example.com"),
        ("hostname", "www.example.com"),
        ("input_schema", "{\"type\":\"object\"}"),
        ("input_schema", ""),
        ("ip", "8.8.8.8"),
        ("name", "notes"),
        ("sensitivity", "critical"),
        ("source", "/home/u/a.json#s"),
        ("transport", "stdio"),
        ("type", "hardcoded"),
        ("uri", "mysql://other/users"),
        ("uri_scheme", "redis"),
        ("url", "https://agent.example.com"),
        ("value_hash", "v1"),
    ];
    let texts = texts.into_iter().map(|(key, text)| (key, json!(text)));
    let powers = [json!(["shell_access"]), json!(["database_access"]), json!([])];
    flags.chain(texts).chain(powers.map(|powers| ("capability_surface", powers))).collect()
}

#[test]
fn every_single_change_is_noticed() {
    let before = rich();
    let graph = before.graph();
    let analysis = Analysis::of(&graph);
    let told = |what: String, after: &Little| {
        let after = after.graph();
        let again = Analysis::again(&after, &analysis, &Changes::between(&graph, &after));
        assert_eq!(everything(&after, &again), everything(&after, &Analysis::of(&after)), "{what}");
    };
    for place in 0..before.nodes.len() {
        for (key, value) in values() {
            let mut after = before.clone();
            let properties = &mut after.nodes[place]["properties"];
            if properties[key] != value {
                properties[key] = value.clone();
                told(format!("{} of {} is {value}", key, before.nodes[place]["id"]), &after);
            }
        }
    }
    for place in 0..before.edges.len() {
        let mut after = before.clone();
        let gone = after.edges.remove(place);
        told(format!("{gone} is gone"), &after);
    }
}
