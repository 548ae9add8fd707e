//! Scores, straight from the tables of `docs/scores.md`, by ids and texts, as fractions that are rounded once.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use tracehound_analyze::{Analysis, Changes, Picture, scores};
use tracehound_graph::{Graph, NodeIx, View as _};
use tracehound_model::EdgeKind;

use crate::estates::little;
use crate::expected::Reader as _;

/// A component: its name, its weight in percent, and its points as a fraction.
type Part = (&'static str, i128, (i128, i128));

/// The composite edges that scores read, by source.
struct Reached {
    resources: BTreeMap<String, BTreeSet<String>>,
    alike: BTreeMap<String, BTreeSet<String>>,
    access: BTreeMap<String, BTreeSet<String>>,
}

fn reached(graph: &Graph, analysis: &Analysis) -> Reached {
    let pairs = |kind: EdgeKind| -> Vec<(String, String)> {
        let edges = analysis.derived.of(kind).iter();
        edges.map(|(_, from, to, _)| (graph.id(from).into_owned(), graph.id(to).into_owned())).collect()
    };
    let mut all = Reached { resources: BTreeMap::new(), alike: BTreeMap::new(), access: BTreeMap::new() };
    for (agent, target) in pairs(EdgeKind::CanReach).into_iter().filter(|(_, target)| target.starts_with('r')) {
        all.resources.entry(agent).or_default().insert(target);
    }
    for (one, other) in pairs(EdgeKind::CanImpersonate) {
        all.alike.entry(one.clone()).or_default().insert(other.clone());
        all.alike.entry(other).or_default().insert(one);
    }
    for (tool, resource) in pairs(EdgeKind::HasAccessTo) {
        all.access.entry(tool).or_default().insert(resource);
    }
    all
}

const fn whole(points: i128) -> (i128, i128) {
    (points, 1)
}

fn each(count: usize, points: i128) -> (i128, i128) {
    whole((count as i128 * points).min(100))
}

fn size(sets: &BTreeMap<String, BTreeSet<String>>, id: &str) -> usize {
    sets.get(id).map_or(0, BTreeSet::len)
}

fn auth(graph: &Graph, id: &str) -> i128 {
    match graph.text(id, "auth_method").as_deref() {
        Some("apiKey" | "static_key") => 70,
        Some("bearer") => 50,
        Some("oauth") => 25,
        Some("mtls") => 10,
        _ => 100,
    }
}

/// Ten times the weight of trust, by the table.
fn trust(graph: &Graph, server: &str) -> i128 {
    match auth(graph, server) {
        70 => 3,
        50 => 5,
        25 => 7,
        10 => 9,
        _ => 1,
    }
}

fn risk(graph: &Graph, tool: &str) -> i128 {
    let risk = |power: &String| match power.as_str() {
        "shell_access" | "code_execution" => 100,
        "credential_access" => 90,
        "database_access" => 80,
        "file_write" => 70,
        "network_outbound" => 60,
        "email_send" => 50,
        "file_read" => 40,
        _ => 20,
    };
    graph.list(tool, "capability_surface").iter().map(risk).max().unwrap_or(0)
}

fn sensitivity(graph: &Graph, resource: &str) -> i128 {
    match graph.text(resource, "sensitivity").as_deref() {
        Some("critical") => 100,
        Some("high") => 75,
        Some("medium") => 50,
        Some("low") => 25,
        _ => 0,
    }
}

fn host(graph: &Graph, host: &str) -> i128 {
    let flags = [("is_public", 100), ("is_private", 50), ("is_local", 20)];
    flags.into_iter().find(|(flag, _)| graph.is(host, flag)).map_or(0, |(_, points)| points)
}

fn exposure(graph: &Graph, id: &str) -> i128 {
    graph.to(id, EdgeKind::RunsOn).iter().map(|on| host(graph, on)).max().unwrap_or(0)
}

fn is_open(graph: &Graph, credential: &str) -> bool {
    graph.is(credential, "high_entropy") || graph.text(credential, "type").as_deref() == Some("hardcoded")
}

fn agent(graph: &Graph, reached: &Reached, id: &str) -> Vec<Part> {
    let servers = graph.to(id, EdgeKind::TrustsServer);
    let secrets: Vec<String> = servers.iter().flat_map(|server| graph.to(server, EdgeKind::HasEnvVar)).collect();
    let credential = match () {
        () if secrets.is_empty() => 0,
        () if secrets.iter().any(|secret| is_open(graph, secret)) => 100,
        () => 60,
    };
    let tools: BTreeSet<String> = servers.iter().flat_map(|server| graph.to(server, EdgeKind::ProvidesTool)).collect();
    let weights: i128 = servers.iter().map(|server| trust(graph, server)).sum();
    let count = servers.len() as i128;
    let posture = if count == 0 { whole(0) } else { (100 * count - 10 * weights, count) };
    let files = graph.to(id, EdgeKind::LoadsInstructions);
    let poison = if files.iter().any(|file| graph.is(file, "is_suspicious")) { 100 } else { 0 };
    vec![
        ("credential", 30, whole(credential)),
        ("blast_radius", 25, each(size(&reached.resources, id), 10)),
        ("auth_posture", 20, posture),
        ("tool_surface", 15, each(tools.len(), 5)),
        ("poisoning", 10, whole(poison)),
    ]
}

fn server(graph: &Graph, id: &str) -> Vec<Part> {
    let tools = graph.to(id, EdgeKind::ProvidesTool);
    let secrets = graph.to(id, EdgeKind::HasEnvVar);
    let handling = match () {
        () if secrets.iter().any(|secret| is_open(graph, secret)) => 100,
        () if secrets.is_empty() => 0,
        () => 50,
    };
    vec![
        ("auth_strength", 35, whole(auth(graph, id))),
        ("tool_risk", 25, whole(tools.iter().map(|tool| risk(graph, tool)).max().unwrap_or(0))),
        ("exposure", 20, whole(exposure(graph, id))),
        ("credential_handling", 20, whole(handling)),
    ]
}

fn tool(graph: &Graph, reached: &Reached, id: &str) -> Vec<Part> {
    let poison = match () {
        () if graph.is(id, "has_injection_patterns") => 100,
        () if graph.is(id, "has_cross_references") => 50,
        () => 0,
    };
    let access = reached.access.get(id).into_iter().flatten();
    let input = if graph.text(id, "input_schema").is_some() { 0 } else { 100 };
    vec![
        ("capability_class", 30, whole(risk(graph, id))),
        ("poisoning", 25, whole(poison)),
        ("access_sensitivity", 25, whole(access.map(|resource| sensitivity(graph, resource)).max().unwrap_or(0))),
        ("input_validation", 20, whole(input)),
    ]
}

fn network_agent(graph: &Graph, reached: &Reached, id: &str) -> Vec<Part> {
    vec![
        ("auth_strength", 30, whole(auth(graph, id))),
        ("blast_radius", 30, each(size(&reached.resources, id), 10)),
        ("delegation", 25, each(graph.to(id, EdgeKind::DelegatesTo).len(), 20)),
        ("impersonation", 15, each(size(&reached.alike, id), 25)),
    ]
}

fn service(graph: &Graph, id: &str) -> Vec<Part> {
    vec![
        ("auth_strength", 35, whole(auth(graph, id))),
        ("exposure", 25, whole(exposure(graph, id))),
        ("secrets_held", 25, each(graph.to(id, EdgeKind::ExposesCredential).len(), 25)),
        ("passing_on", 15, each(graph.to(id, EdgeKind::Exposes).len(), 50)),
    ]
}

fn known_value(graph: &Graph, credential: &str) -> Option<String> {
    let node = graph.find(credential)?;
    let is_unknown = graph.property(node, "value_known").and_then(|value| value.as_bool()) == Some(false);
    graph.text(credential, "value_hash").filter(|_| !is_unknown)
}

/// The agents that get at any copy of a secret, if the secret opens a service that holds another one.
fn opening(graph: &Graph, credential: &str) -> BTreeSet<String> {
    let Some(value) = known_value(graph, credential) else { return BTreeSet::new() };
    let is_copy = |other: &String| known_value(graph, other).as_deref() == Some(&value);
    let services = ["LiteLLMGateway", "OpenWebUIInstance"].into_iter().flat_map(|kind| graph.all(kind));
    let mut held = services.map(|service| graph.to(&service, EdgeKind::ExposesCredential));
    if !held.any(|held| held.iter().any(is_copy) && held.iter().any(|other| !is_copy(other))) {
        return BTreeSet::new();
    }
    let copies = graph.all("Credential").into_iter().filter(is_copy);
    copies.flat_map(|copy| holders(graph, &copy)).collect()
}

fn holders(graph: &Graph, credential: &str) -> BTreeSet<String> {
    let servers = graph.from(credential, EdgeKind::HasEnvVar);
    servers.iter().flat_map(|server| graph.from(server, EdgeKind::TrustsServer)).collect()
}

fn credential(graph: &Graph, id: &str) -> Vec<Part> {
    let is_reference = known_value(graph, id).is_none();
    let keeping = match () {
        () if is_open(graph, id) => 100,
        () if is_reference => 20,
        () => 50,
    };
    let opening = opening(graph, id);
    let taken = [EdgeKind::ExposesCredential, EdgeKind::UsesCredential].map(|kind| graph.from(id, kind).len());
    let opens = match () {
        () if !opening.is_empty() => 100,
        () if taken != [0, 0] => 50,
        () => 0,
    };
    vec![
        ("keeping", 40, whole(keeping)),
        ("holders", 30, each(holders(graph, id).len().max(opening.len()), 10)),
        ("opens", 30, whole(opens)),
    ]
}

fn machine(graph: &Graph, id: &str) -> Vec<Part> {
    let tenants = graph.from(id, EdgeKind::RunsOn);
    let runs = |server: &&String| {
        let tools = graph.to(server, EdgeKind::ProvidesTool);
        tools.iter().any(|tool| risk(graph, tool) == 100)
    };
    let running = tenants.iter().filter(|tenant| tenant.starts_with('s')).filter(runs);
    vec![
        ("execution", 40, whole(running.map(|server| auth(graph, server)).max().unwrap_or(0))),
        ("exposure", 30, whole(host(graph, id))),
        ("tenants", 30, each(tenants.len(), 10)),
    ]
}

fn resource(graph: &Graph, reached: &Reached, id: &str) -> Vec<Part> {
    let agents = reached.resources.values().filter(|resources| resources.contains(id)).count();
    let providers = graph.from(id, EdgeKind::ProvidesResource);
    vec![
        ("sensitivity", 45, whole(sensitivity(graph, id))),
        ("reached_by", 30, each(agents, 10)),
        ("guard", 25, whole(providers.iter().map(|provider| auth(graph, provider)).max().unwrap_or(0))),
    ]
}

fn parts(graph: &Graph, reached: &Reached, id: &str) -> Option<Vec<Part>> {
    match id.chars().next()? {
        'a' => Some(agent(graph, reached, id)),
        's' => Some(server(graph, id)),
        't' => Some(tool(graph, reached, id)),
        'x' => Some(network_agent(graph, reached, id)),
        'g' | 'w' => Some(service(graph, id)),
        'c' => Some(credential(graph, id)),
        'h' => Some(machine(graph, id)),
        'r' => Some(resource(graph, reached, id)),
        _ => None,
    }
}

/// The weighted sum in hundredths, halves up.
fn total(parts: &[Part]) -> i128 {
    let common: i128 = parts.iter().map(|(_, _, (_, below))| below).product();
    let sum: i128 = parts.iter().map(|(_, percent, (above, below))| percent * above * (common / below)).sum();
    (2 * sum + common).div_euclid(2 * common)
}

#[test]
fn scores_are_as_defined() {
    let config = ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(estate in little())| {
        let graph = estate.graph();
        let analysis = Analysis::of(&graph);
        let picture = Picture::new(&graph, &analysis);
        let reached = reached(&graph, &analysis);
        for node in (0..graph.node_count() as u32).map(NodeIx) {
            let id = graph.id(node).into_owned();
            let stored = picture.property(node, scores::RISK_SCORE).and_then(|value| value.as_number());
            let explained = scores::explain(&picture, node);
            let Some(expected) = parts(&graph, &reached, &id) else {
                prop_assert_eq!((stored, explained), (None, None), "{} has a score", id);
                continue;
            };
            prop_assert_eq!(stored.map(|score| (score * 100.0).round() as i128), Some(total(&expected)), "{}", &id);
            let explained = explained.unwrap();
            prop_assert_eq!(Some(explained.total), stored);
            for (part, (name, percent, (above, below))) in explained.parts.iter().zip(&expected) {
                prop_assert_eq!((part.name, (part.weight * 100.0).round() as i128), (*name, *percent));
                prop_assert!((part.value - *above as f64 / *below as f64).abs() < 1e-6, "{} {:?}", id, part);
                prop_assert!(part.why.len() > 10, "{:?}", part);
            }
            prop_assert_eq!(explained.parts.len(), expected.len());
        }
    });
}

/// What processors wrote on nodes, by id.
fn written(graph: &Graph, analysis: &Analysis) -> Vec<String> {
    let nodes = (0..graph.node_count() as u32).map(NodeIx);
    nodes
        .flat_map(|node| analysis.properties.of(node).map(move |(key, value)| (node, key, value)))
        .map(|(node, key, value)| format!("{} {key} {value:?}", graph.id(node)))
        .chain(analysis.nodes.iter().map(|node| format!("{node:?}")))
        .collect()
}

#[test]
fn after_a_change_everything_written_on_nodes_is_as_if_derived_from_scratch() {
    let config = ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(before in little(), after in little(), is_small in any::<bool>(), place in 0..60_usize)| {
        let mut after = after;
        if is_small {
            // One thing differs: a property of a node, or an edge that is gone.
            let change = after.nodes.get(place).map(|node| node["properties"].clone());
            after = before.clone();
            match (change, after.nodes.get_mut(place)) {
                (Some(properties), Some(node)) if node["kinds"][0] != "Credential" => node["properties"] = properties,
                _ => drop(after.edges.pop()),
            }
        }
        let (first, second) = (before.graph(), after.graph());
        let changes = Changes::between(&first, &second);
        let again = Analysis::again(&second, &Analysis::of(&first), &changes);
        prop_assert_eq!(written(&second, &again), written(&second, &Analysis::of(&second)));
    });
}
