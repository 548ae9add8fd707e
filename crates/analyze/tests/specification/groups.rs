//! Resource groups and trust zones, straight from their definitions.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tracehound_analyze::{Analysis, Picture};
use tracehound_graph::{Graph, View as _};
use tracehound_model::{EdgeKind, NodeId, NodeKind};

use crate::estates::little;
use crate::expected::Reader as _;

/// A node that is made up: its properties as JSON, and its members.
type Groups = BTreeMap<NodeId, (serde_json::Value, Vec<String>)>;

/// What was made up of a kind, with the nodes that name it in a property.
fn made_up(graph: &Graph, analysis: &Analysis, kind: NodeKind, key: &str) -> Groups {
    let picture = Picture::new(graph, analysis);
    let mut all: Groups = BTreeMap::new();
    for node in analysis.nodes_of(kind) {
        let properties = node.properties.iter().map(|(key, value)| ((*key).to_owned(), value.to_json())).collect();
        all.insert(node.id.clone(), (properties, Vec::new()));
    }
    for (node, id) in analysis.properties.all(key) {
        let group = all.get_mut(&NodeId::from_wire(id.as_text().unwrap())).unwrap();
        group.1.push(picture.id(node).into_owned());
    }
    all.values_mut().for_each(|(_, members)| members.sort());
    all
}

fn check(is_as_defined: impl Fn(&Graph, &Analysis) -> Result<(), TestCaseError>) {
    let config = ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(estate in little())| {
        let graph = estate.graph();
        is_as_defined(&graph, &Analysis::of(&graph))?;
    });
}

/// The addresses of the little estates, with their roots.
const ROOTS: &[(&str, &str, &str, &str)] = &[
    ("postgres://db/users", "postgres", "database", "db"),
    ("postgresql+asyncpg://prod/x", "postgresql+asyncpg", "database", "prod"),
    ("mongodb+srv://m/x", "mongodb+srv", "database", "m"),
    ("file:///home/u", "file", "file", "/home"),
    ("file:///home/u/a.json", "file", "file", "/home/u"),
    ("https://example.com/x", "https", "other", "example.com"),
    ("redis://r", "redis", "database", "r"),
];

#[test]
fn resource_groups_are_as_defined() {
    check(|graph, analysis| {
        let rank = |name: &str| ["unknown", "low", "medium", "high", "critical"].iter().position(|it| *it == name);
        let mut expected: Groups = BTreeMap::new();
        for resource in graph.all("MCPResource") {
            let Some(server) = graph.from(&resource, EdgeKind::ProvidesResource).into_iter().min() else { continue };
            let uri = graph.text(&resource, "uri").unwrap();
            let (_, scheme, sort, root) = ROOTS.iter().find(|(known, ..)| *known == uri).unwrap();
            let id = NodeId::resource_group(&NodeId::from_wire(server), scheme, root);
            let (properties, members) = expected.entry(id).or_insert_with(|| {
                let name = format!("{scheme}://{root}");
                (serde_json::json!({ "name": name, "type": sort, "sensitivity": "unknown" }), Vec::new())
            });
            members.push(resource.clone());
            properties["resource_count"] = members.len().into();
            let own = graph.text(&resource, "sensitivity").unwrap_or_else(|| "unknown".to_owned());
            if rank(&own) > rank(properties["sensitivity"].as_str().unwrap()) {
                properties["sensitivity"] = own.into();
            }
        }
        prop_assert_eq!(made_up(graph, analysis, NodeKind::ResourceGroup, "resource_group"), expected);
        Ok(())
    });
}

#[test]
fn trust_zones_are_as_defined() {
    check(|graph, analysis| {
        let is_open = |node: &String| {
            let known = ["apiKey", "static_key", "bearer", "oauth", "mtls"];
            graph.text(node, "auth_method").is_none_or(|method| !known.contains(&method.as_str()))
        };
        let level = |host: &String| {
            let flags = ["is_local", "is_private", "is_public"];
            // A name without a dot is one of a private network.
            (0..3_usize).rev().find(|level| graph.is(host, flags[*level])).unwrap_or(1)
        };
        let mut expected: Groups = BTreeMap::new();
        let mut put = |node: String, level: usize, is_open: bool| {
            let level = if level == 2 && is_open { 3 } else { level };
            let name = ["local", "private", "public", "public-unauthenticated"][level];
            let (properties, members) = expected
                .entry(NodeId::trust_zone(name))
                .or_insert_with(|| (serde_json::json!({ "name": name, "level": level }), Vec::new()));
            members.push(node);
            properties["node_count"] = members.len().into();
        };
        let called = ["MCPServer", "A2AAgent", "LiteLLMGateway", "OpenWebUIInstance"];
        for node in called.into_iter().flat_map(|kind| graph.all(kind)) {
            let hosts = graph.to(&node, EdgeKind::RunsOn);
            let (level, is_open) = (hosts.iter().map(level).max().unwrap_or(1), is_open(&node));
            put(node, level, is_open);
        }
        for host in graph.all("Host") {
            let (level, is_open) = (level(&host), graph.from(&host, EdgeKind::RunsOn).iter().any(is_open));
            put(host, level, is_open);
        }
        expected.values_mut().for_each(|(_, members)| members.sort());
        prop_assert_eq!(made_up(graph, analysis, NodeKind::TrustZone, "trust_zone"), expected);
        Ok(())
    });
}
