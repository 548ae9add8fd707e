//! Small estates in which nearly everything is joined: several ways lead to most things, many of them equally hard, so that
//! it shows which one is chosen.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tracehound_model::EdgeKind;

use crate::estates::Little;

/// How many nodes of each kind there are, with the letter that their ids begin with.
const KINDS: &[(&str, &str, usize)] = &[
    ("AgentInstance", "a", 2),
    ("MCPServer", "s", 4),
    ("MCPTool", "t", 5),
    ("MCPResource", "r", 4),
    ("Credential", "c", 6),
    ("Identity", "i", 1),
    ("Host", "h", 3),
    ("A2AAgent", "x", 4),
    ("LiteLLMGateway", "g", 2),
    ("OpenWebUIInstance", "w", 1),
];

/// Two machines have one name, as two networks may have them.
const HOSTS: [&str; 3] = ["m0", "M0", "m1"];

/// Edges that may be drawn, with how likely each is.
const EDGES: &[(EdgeKind, &str, &str, f64)] = &[
    (EdgeKind::TrustsServer, "a", "s", 0.5),
    (EdgeKind::ProvidesTool, "s", "t", 0.35),
    (EdgeKind::ProvidesResource, "s", "r", 0.25),
    (EdgeKind::RunsOn, "s", "h", 0.25),
    (EdgeKind::RunsOn, "x", "h", 0.25),
    (EdgeKind::HasEnvVar, "s", "c", 0.3),
    (EdgeKind::AuthenticatesWith, "s", "i", 0.7),
    (EdgeKind::UsesCredential, "i", "c", 0.7),
    (EdgeKind::ExposesCredential, "g", "c", 0.5),
    (EdgeKind::ExposesCredential, "w", "c", 0.5),
    (EdgeKind::DelegatesTo, "x", "x", 0.35),
];

/// Small estates in which nearly everything is joined.
pub(crate) fn tight() -> impl Strategy<Value = Little> {
    let nodes: Vec<_> = KINDS.iter().flat_map(|(kind, letter, count)| all_of(kind, letter, *count)).collect();
    let edges: Vec<_> = EDGES.iter().flat_map(|(kind, from, to, likely)| between(*kind, from, to, *likely)).collect();
    (nodes, edges).prop_map(|(nodes, edges)| Little { nodes, edges: edges.into_iter().flatten().collect() })
}

fn count(letter: &str) -> usize {
    KINDS.iter().find(|(_, other, _)| *other == letter).unwrap().2
}

fn between(kind: EdgeKind, from: &str, to: &str, likely: f64) -> Vec<impl Strategy<Value = Option<Value>> + use<>> {
    let pairs = (0..count(from)).flat_map(|a| (0..count(to)).map(move |b| (a, b)));
    pairs
        .map(|(a, b)| {
            let (source, target) = (format!("{from}{a}"), format!("{to}{b}"));
            let weight = prop::sample::select(&[None, Some(0.1), Some(0.1), Some(0.1), Some(0.1), Some(0.0)][..]);
            let origin = prop::sample::select(&[None, None, Some("m0"), Some("M1")][..]);
            prop::option::weighted(likely, (weight, origin)).prop_map(move |drawn| {
                let (weight, origin) = drawn?;
                let mut properties = Map::new();
                properties.extend(weight.map(|weight| ("risk_weight".to_owned(), json!(weight))));
                properties.extend(origin.map(|origin| ("origin".to_owned(), json!(origin))));
                Some(json!({ "source": source, "target": target, "kind": kind.name(), "properties": properties }))
            })
        })
        .collect()
}

fn all_of(
    kind: &'static str,
    letter: &'static str,
    count: usize,
) -> impl Iterator<Item = impl Strategy<Value = Value> + use<>> {
    (0..count).map(move |number| {
        properties(kind, number).prop_map(
            move |properties| json!({ "id": format!("{letter}{number}"), "kinds": [kind], "properties": properties }),
        )
    })
}

fn properties(kind: &'static str, number: usize) -> impl Strategy<Value = Value> + use<> {
    let auth = prop::sample::select(&[None, None, Some("none"), Some("apiKey"), Some("oauth"), Some("x")][..]);
    let powers = &["file_read", "file_read", "database_access", "email_send", "credential_access", "shell_access"][..];
    let powers = prop::sample::subsequence(powers, 0..=2);
    let uris = &["file:///home/u", "file:///home/u/a.json", "file:///home", "file:///a.json", "postgres://db/x"][..];
    let uri = prop::sample::select(uris);
    let value = prop::sample::select(&["v0", "v0", "v0", "v1", "own"][..]);
    let source = prop::sample::select(&["/home/u/a.json#s0", "/a.json#s1", "/home/u/.env", "http://10.0.0.1"][..]);
    let sensitivity = prop::sample::select(&["critical", "critical", "high", "low"][..]);
    let texts =
        (prop::sample::select(&["users", "notes"][..]), prop::sample::select(&["", "reads users and notes"][..]));
    (auth, powers, uri, value, source, sensitivity, texts, 0..8_u8).prop_map(move |all| {
        let (auth, powers, uri, value, source, sensitivity, (name, description), dice) = all;
        match kind {
            "MCPServer" | "A2AAgent" => auth.map_or_else(|| json!({}), |auth| json!({ "auth_method": auth })),
            "MCPTool" => json!({ "capability_surface": powers, "description": description, "name": "tool" }),
            "MCPResource" => json!({ "uri": uri, "name": name, "sensitivity": sensitivity }),
            "Credential" if dice == 0 => json!({ "value_hash": value, "value_known": false, "source": source }),
            "Credential" if value == "own" => json!({ "value_hash": format!("own{number}"), "source": source }),
            "Credential" => json!({ "value_hash": value, "source": source }),
            "Host" => json!({ "hostname": HOSTS[number] }),
            _ => json!({}),
        }
    })
}
