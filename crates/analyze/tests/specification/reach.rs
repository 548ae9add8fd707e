//! What agents reach: every derivation that the definitions allow, of which the best is the witness.

use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::Graph;
use tracehound_model::EdgeKind;

use crate::access::{scheme, why};
use crate::expected::{Expected, Reader as _};
use crate::walk::{Walk, auth, easiest};

/// `CAN_REACH` in all its ways.
pub(crate) fn can_reach(graph: &Graph) -> Vec<Expected> {
    let mut all = Vec::new();
    for agent in graph.all("AgentInstance") {
        for (resource, (way, walk)) in resources(graph, &agent) {
            let (confidence, collector) = match way {
                Way::Direct => (trust(&walk), "mcp"),
                Way::Reading => (0.6, "mcp"),
                Way::Reuse => (0.6, CHAIN),
            };
            all.push(Expected::new(&agent, &resource, confidence, 0.1, collector, walk.lines));
        }
        for (secret, walks) in by_end(chains(graph, &agent)) {
            let walk = easiest(&walks).unwrap();
            all.push(Expected::new(&agent, &secret, 0.95, 0.1, CHAIN, walk.lines));
        }
    }
    for agent in graph.all("A2AAgent") {
        for (resource, walks) in by_end(across_protocols(graph, &agent)) {
            let walk = easiest(&walks).unwrap();
            all.push(Expected::new(&agent, &resource, 0.5, 0.1, "a2a", walk.lines));
        }
    }
    all
}

const CHAIN: &str = "cross_service_credential_chain";

/// How an agent reaches a resource. A pair that is told by an earlier way is not told by a later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Way {
    Direct,
    Reading,
    Reuse,
}

/// The resources that an agent reaches, each with the first way that leads there, and the best walk of that way.
pub(crate) fn resources<'g>(graph: &'g Graph, agent: &str) -> BTreeMap<String, (Way, Walk<'g>)> {
    let mut all = BTreeMap::new();
    let ways =
        [(Way::Direct, direct(graph, agent)), (Way::Reading, reading(graph, agent)), (Way::Reuse, reuse(graph, agent))];
    for (way, walks) in ways {
        for (resource, walks) in by_end(walks) {
            all.entry(resource).or_insert_with(|| (way, easiest(&walks).unwrap()));
        }
    }
    all
}

fn by_end(walks: Vec<Walk<'_>>) -> BTreeMap<String, Vec<Walk<'_>>> {
    let mut all: BTreeMap<String, Vec<Walk<'_>>> = BTreeMap::new();
    for walk in walks {
        all.entry(walk.at.clone()).or_default().push(walk);
    }
    all
}

/// How sure a direct walk is: by what the trust at its beginning costs, which is all that varies.
fn trust(walk: &Walk<'_>) -> f64 {
    match walk.cost - 300 {
        0..=100 => 1.0,
        101..=300 => 0.8,
        _ => 0.5,
    }
}

/// From a server through its tools to its resources.
fn inside<'g>(graph: &Graph, at_server: &Walk<'g>) -> Vec<Walk<'g>> {
    let server = &at_server.at;
    let mut all = Vec::new();
    for tool in graph.to(server, EdgeKind::ProvidesTool) {
        for resource in graph.to(server, EdgeKind::ProvidesResource) {
            if why(graph, &tool, &resource).is_some() {
                all.push(at_server.along(EdgeKind::ProvidesTool, &tool).along(EdgeKind::HasAccessTo, &resource));
            }
        }
    }
    all
}

fn direct<'g>(graph: &'g Graph, agent: &str) -> Vec<Walk<'g>> {
    let mut all = Vec::new();
    for at_server in trusted(graph, agent) {
        let is_on_a_machine = |walk: &Walk<'g>| {
            let tool = walk.lines[1].split(' ').next_back().unwrap();
            share_a_machine(graph, agent, &at_server.at, tool, &walk.at)
        };
        all.extend(inside(graph, &at_server).into_iter().filter(is_on_a_machine));
    }
    all
}

/// Whether some machine on which an agent uses a command has both a tool and a resource of it, or may have them.
fn share_a_machine(graph: &Graph, agent: &str, server: &str, tool: &str, resource: &str) -> bool {
    if graph.text(server, "transport").as_deref() != Some("stdio") {
        return true;
    }
    let mut asked = BTreeSet::new();
    for kind in [EdgeKind::ProvidesTool, EdgeKind::ProvidesResource, EdgeKind::ProvidesPrompt] {
        for thing in graph.to(server, kind) {
            asked.extend(graph.origins(server, kind, &thing).unwrap_or_default());
        }
    }
    let Some(machines) = graph.origins(agent, EdgeKind::TrustsServer, server) else { return true };
    machines.iter().any(|machine| {
        let has = |kind, thing| graph.origins(server, kind, thing).is_none_or(|shown| shown.contains(machine));
        let has_both = has(EdgeKind::ProvidesTool, tool) && has(EdgeKind::ProvidesResource, resource);
        !asked.contains(machine) || has_both
    })
}

/// From an agent to each server that it trusts.
pub(crate) fn trusted<'g>(graph: &'g Graph, agent: &str) -> Vec<Walk<'g>> {
    let start = Walk::starting(graph, agent);
    graph.to(agent, EdgeKind::TrustsServer).iter().map(|it| start.along(EdgeKind::TrustsServer, it)).collect()
}

/// A tool of a trusted server reads a secret of another server, which opens that one.
fn reading<'g>(graph: &'g Graph, agent: &str) -> Vec<Walk<'g>> {
    let mut all = Vec::new();
    for at_server in trusted(graph, agent) {
        let reader = at_server.at.clone();
        if !["none", "apikey", "static_key"].contains(&auth(graph, &reader).as_str()) {
            continue;
        }
        for tool in graph.to(&reader, EdgeKind::ProvidesTool) {
            let powers = graph.list(&tool, "capability_surface");
            if !powers.iter().any(|power| power == "file_read" || power == "credential_access") {
                continue;
            }
            for server in graph.all("MCPServer").into_iter().filter(|server| *server != reader) {
                for secret in graph.to(&server, EdgeKind::HasEnvVar) {
                    let authenticates =
                        |identity: &String| graph.to(identity, EdgeKind::UsesCredential).contains(&secret);
                    if !graph.to(&server, EdgeKind::AuthenticatesWith).iter().any(authenticates) {
                        continue;
                    }
                    for place in places(graph, (&reader, &tool), (&server, &secret)) {
                        let read = at_server.along(EdgeKind::ProvidesTool, &tool).reads(&place, &secret);
                        all.extend(inside(graph, &read.against(EdgeKind::HasEnvVar, &server)));
                    }
                }
            }
        }
    }
    all
}

/// Where the tool of one server can read the secret of another: machines, and files.
fn places(graph: &Graph, (reader, tool): (&str, &str), (server, secret): (&str, &str)) -> Vec<String> {
    let origin = graph.edge_text(server, EdgeKind::HasEnvVar, secret, "origin").filter(|origin| !origin.is_empty());
    let mut places = Vec::new();
    let machines = graph.to(reader, EdgeKind::RunsOn);
    for machine in &machines {
        let name = graph.text(machine, "hostname").map(|name| name.to_lowercase());
        let is_kept_there = origin.is_some() && origin.as_ref().map(|origin| origin.to_lowercase()) == name;
        if is_kept_there || graph.to(server, EdgeKind::RunsOn).contains(machine) {
            places.push(machine.clone());
        }
    }
    let is_placed = origin.is_some() || !graph.to(server, EdgeKind::RunsOn).is_empty();
    if is_placed && !machines.is_empty() {
        return places;
    }
    let source = graph.text(secret, "source").unwrap_or_default();
    let Some((config, _)) = source.split_once('#') else { return places };
    for file in graph.to(reader, EdgeKind::ProvidesResource) {
        let is_file = scheme(graph, &file) == "file" && why(graph, tool, &file).is_some();
        let uri = graph.text(&file, "uri").unwrap_or_default();
        if is_file && uri.strip_prefix("file://").is_some_and(|path| holds(path, config)) {
            places.push(file);
        }
    }
    places
}

/// Whether a path is a file, or a folder above it that does not hold everything.
fn holds(path: &str, file: &str) -> bool {
    let components = |path: &str| -> Vec<String> {
        path.split('/').filter(|component| !component.is_empty()).map(str::to_owned).collect()
    };
    let (path, file) = (components(path), components(file));
    path == file || path.len() >= 2 && file.starts_with(&path)
}

/// A secret of a trusted server is also given to another server.
fn reuse<'g>(graph: &'g Graph, agent: &str) -> Vec<Walk<'g>> {
    let mut all = Vec::new();
    for at_server in trusted(graph, agent) {
        for mine in graph.to(&at_server.at, EdgeKind::HasEnvVar) {
            for server in graph.all("MCPServer").into_iter().filter(|server| *server != at_server.at) {
                for other in graph.to(&server, EdgeKind::HasEnvVar) {
                    if mine == other || is_same_secret(graph, &mine, &other) {
                        let at_other = at_server.along(EdgeKind::HasEnvVar, &mine).same_secret(&other);
                        all.extend(inside(graph, &at_other.against(EdgeKind::HasEnvVar, &server)));
                    }
                }
            }
        }
    }
    all
}

/// The hash of a secret that somebody saw.
fn known(graph: &Graph, secret: &str) -> Option<String> {
    graph.text(secret, "value_hash").filter(|_| !graph.is_not(secret, "value_known"))
}

fn is_same_secret(graph: &Graph, one: &str, other: &str) -> bool {
    known(graph, one).is_some() && known(graph, one) == known(graph, other)
}

/// A secret of a trusted server opens a service that holds other secrets.
fn chains<'g>(graph: &'g Graph, agent: &str) -> Vec<Walk<'g>> {
    let mut all = Vec::new();
    for at_server in trusted(graph, agent) {
        for mine in graph.to(&at_server.at, EdgeKind::HasEnvVar) {
            for (service, copy, target) in opened(graph, &mine) {
                let at_copy = at_server.along(EdgeKind::HasEnvVar, &mine).same_secret(&copy);
                let at_service = at_copy.against(EdgeKind::ExposesCredential, &service);
                all.push(at_service.along(EdgeKind::ExposesCredential, &target));
            }
        }
    }
    all
}

/// What a secret opens: services with their copy of it, and each secret that they hold besides.
pub(crate) fn opened(graph: &Graph, secret: &str) -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    for service in ["LiteLLMGateway", "OpenWebUIInstance"].into_iter().flat_map(|kind| graph.all(kind)) {
        let held = graph.to(&service, EdgeKind::ExposesCredential);
        for copy in held.iter().filter(|copy| *copy != secret && is_same_secret(graph, secret, copy)) {
            for target in held.iter().filter(|target| !is_same_secret(graph, copy, target)) {
                if target != copy && target != secret {
                    all.push((service.clone(), copy.clone(), target.clone()));
                }
            }
        }
    }
    all
}

/// How many agents trust servers that are given a secret, for every copy of secrets that open something.
pub(crate) fn blast_radius(graph: &Graph) -> BTreeMap<String, usize> {
    let secrets = graph.all("Credential");
    let trusting = |secret: &str| -> BTreeSet<String> {
        let servers = graph.from(secret, EdgeKind::HasEnvVar);
        servers.iter().flat_map(|server| graph.from(server, EdgeKind::TrustsServer)).collect()
    };
    let mut all = BTreeMap::new();
    for secret in &secrets {
        let copies: Vec<&String> = secrets.iter().filter(|other| is_same_secret(graph, secret, other)).collect();
        let is_used = |copy: &&&String| !trusting(copy).is_empty() && !opened(graph, copy).is_empty();
        if copies.iter().any(|copy| is_used(&copy)) {
            let agents: BTreeSet<String> = copies.iter().flat_map(|copy| trusting(copy)).collect();
            all.insert(secret.clone(), agents.len());
        }
    }
    all
}

/// An agent that anybody may call shares a machine with a tool server, or an agent does to which its tasks are delegated.
fn across_protocols<'g>(graph: &'g Graph, agent: &str) -> Vec<Walk<'g>> {
    if auth(graph, agent) != "none" {
        return Vec::new();
    }
    let mut all = Vec::new();
    for at_agent in delegations(graph, Walk::starting(graph, agent), &[agent.to_owned()]) {
        for machine in graph.to(&at_agent.at, EdgeKind::RunsOn) {
            let at_machine = at_agent.along(EdgeKind::RunsOn, &machine);
            for server in graph.all("MCPServer") {
                let is_trusted = !graph.from(&server, EdgeKind::TrustsServer).is_empty();
                if is_trusted && graph.to(&server, EdgeKind::RunsOn).contains(&machine) {
                    all.extend(inside(graph, &at_machine.against(EdgeKind::RunsOn, &server)));
                }
            }
        }
    }
    all
}

/// Up to three delegations, to no agent twice.
fn delegations<'g>(graph: &Graph, walk: Walk<'g>, agents: &[String]) -> Vec<Walk<'g>> {
    let mut all = vec![walk.clone()];
    if agents.len() > 3 {
        return all;
    }
    for next in graph.to(&walk.at, EdgeKind::DelegatesTo).into_iter().filter(|next| !agents.contains(next)) {
        let agents: Vec<String> = agents.iter().cloned().chain([next.clone()]).collect();
        all.extend(delegations(graph, walk.along(EdgeKind::DelegatesTo, &next), &agents));
    }
    all
}
