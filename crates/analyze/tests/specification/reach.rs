//! What agents reach: every derivation that the definitions allow, of which the best is the witness.

use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::Graph;
use tracehound_model::EdgeKind;

use crate::access::{scheme, why};
use crate::commands::{On, have, machines};
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

/// From a server through its tools to its resources, on one of these machines.
fn inside<'g>(graph: &Graph, at_server: &Walk<'g>, on: &On) -> Vec<Walk<'g>> {
    let server = &at_server.at;
    let mut all = Vec::new();
    for tool in graph.to(server, EdgeKind::ProvidesTool) {
        for resource in graph.to(server, EdgeKind::ProvidesResource) {
            let things = [(EdgeKind::ProvidesTool, tool.as_str()), (EdgeKind::ProvidesResource, resource.as_str())];
            if why(graph, &tool, &resource).is_some() && have(graph, server, on, &things) {
                all.push(at_server.along(EdgeKind::ProvidesTool, &tool).along(EdgeKind::HasAccessTo, &resource));
            }
        }
    }
    all
}

fn direct<'g>(graph: &'g Graph, agent: &str) -> Vec<Walk<'g>> {
    let mut all = Vec::new();
    for at_server in trusted(graph, agent) {
        let on = machines(graph, &at_server.at, &[(agent, EdgeKind::TrustsServer, &at_server.at)]);
        all.extend(inside(graph, &at_server, &on));
    }
    all
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
            if !reads(&powers) {
                continue;
            }
            for server in graph.all("MCPServer").into_iter().filter(|server| *server != reader) {
                for secret in keys(graph, &server) {
                    for (place, on) in places(graph, Some(agent), (&reader, &tool), (&server, &secret)) {
                        let read = at_server.along(EdgeKind::ProvidesTool, &tool).reads(&place, &secret);
                        all.extend(inside(graph, &read.against(EdgeKind::HasEnvVar, &server), &on));
                    }
                }
            }
        }
    }
    all
}

fn reads(powers: &[String]) -> bool {
    powers.iter().any(|power| power == "file_read" || power == "credential_access")
}

/// The secrets that a server authenticates with.
fn keys(graph: &Graph, server: &str) -> Vec<String> {
    let identities = graph.to(server, EdgeKind::AuthenticatesWith);
    let uses = |secret: &String| {
        identities.iter().any(|identity| graph.to(identity, EdgeKind::UsesCredential).contains(secret))
    };
    graph.to(server, EdgeKind::HasEnvVar).into_iter().filter(uses).collect()
}

/// Which tools read which secrets, whoever uses them.
pub(crate) fn readings(graph: &Graph) -> BTreeSet<(String, String)> {
    let mut all = BTreeSet::new();
    for reader in graph.all("MCPServer") {
        if !["none", "apikey", "static_key"].contains(&auth(graph, &reader).as_str()) {
            continue;
        }
        for tool in graph.to(&reader, EdgeKind::ProvidesTool) {
            for server in graph.all("MCPServer").iter().filter(|_| reads(&graph.list(&tool, "capability_surface"))) {
                for secret in keys(graph, server) {
                    if !places(graph, None, (&reader, &tool), (server, &secret)).is_empty() {
                        all.insert((tool.clone(), secret));
                    }
                }
            }
        }
    }
    all
}

/// Where the tool of one server can read the secret of another: machines, and files. Each with the machines on which the
/// other server is, if it is a command. With an agent, where that one uses the tool.
fn places(
    graph: &Graph,
    agent: Option<&str>,
    (reader, tool): (&str, &str),
    (server, secret): (&str, &str),
) -> Vec<(String, On)> {
    let given = (server, EdgeKind::HasEnvVar, secret);
    let trust = agent.map(|agent| (agent, EdgeKind::TrustsServer, reader));
    let used = |more: &[(&str, EdgeKind, &str)]| -> On {
        let edges: Vec<_> = trust.into_iter().chain(more.iter().copied()).collect();
        machines(graph, reader, &edges)
    };
    let origins = graph.origins(server, EdgeKind::HasEnvVar, secret);
    let mut places = Vec::new();
    let hosts = graph.to(reader, EdgeKind::RunsOn);
    for host in &hosts {
        let reading = used(&[(reader, EdgeKind::RunsOn, host)]);
        if !have(graph, reader, &reading, &[(EdgeKind::ProvidesTool, tool)]) {
            continue;
        }
        let name = graph.text(host, "hostname").map(|name| name.to_lowercase());
        for origin in origins.iter().flatten().filter(|origin| Some(origin.to_lowercase()) == name) {
            let on = machines(graph, server, &[given]).map(|_| BTreeSet::from([origin.clone()]));
            places.push((host.clone(), on));
        }
        if graph.to(server, EdgeKind::RunsOn).contains(host) {
            places.push((host.clone(), machines(graph, server, &[given, (server, EdgeKind::RunsOn, host)])));
        }
    }
    let is_placed = origins.is_some() || !graph.to(server, EdgeKind::RunsOn).is_empty();
    if is_placed && !hosts.is_empty() {
        return places;
    }
    let source = graph.text(secret, "source").unwrap_or_default();
    let Some((config, _)) = source.split_once('#') else { return places };
    for file in graph.to(reader, EdgeKind::ProvidesResource) {
        let is_file = scheme(graph, &file) == "file" && why(graph, tool, &file).is_some();
        let uri = graph.text(&file, "uri").unwrap_or_default();
        let things = [(EdgeKind::ProvidesTool, tool), (EdgeKind::ProvidesResource, file.as_str())];
        let is_read = have(graph, reader, &used(&[]), &things);
        if is_read && is_file && uri.strip_prefix("file://").is_some_and(|path| holds(path, config)) {
            places.push((file, machines(graph, server, &[given])));
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
        for mine in given_to(graph, agent, &at_server.at) {
            for server in graph.all("MCPServer").into_iter().filter(|server| *server != at_server.at) {
                for other in graph.to(&server, EdgeKind::HasEnvVar) {
                    if mine == other || is_same_secret(graph, &mine, &other) {
                        let at_other = at_server.along(EdgeKind::HasEnvVar, &mine).same_secret(&other);
                        let on = machines(graph, &server, &[(&server, EdgeKind::HasEnvVar, &other)]);
                        all.extend(inside(graph, &at_other.against(EdgeKind::HasEnvVar, &server), &on));
                    }
                }
            }
        }
    }
    all
}

/// The secrets that a server is given where an agent uses it.
fn given_to(graph: &Graph, agent: &str, server: &str) -> Vec<String> {
    let trust = (agent, EdgeKind::TrustsServer, server);
    let mut all = graph.to(server, EdgeKind::HasEnvVar);
    all.retain(|secret| {
        let on = machines(graph, server, &[trust, (server, EdgeKind::HasEnvVar, secret)]);
        on.is_none_or(|on| !on.is_empty())
    });
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
        for mine in given_to(graph, agent, &at_server.at) {
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
        let mut agents = BTreeSet::new();
        for server in graph.from(secret, EdgeKind::HasEnvVar) {
            let trusting = graph.from(&server, EdgeKind::TrustsServer).into_iter();
            agents.extend(trusting.filter(|agent| given_to(graph, agent, &server).iter().any(|it| it == secret)));
        }
        agents
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
                if !graph.to(&server, EdgeKind::RunsOn).contains(&machine) {
                    continue;
                }
                for user in graph.from(&server, EdgeKind::TrustsServer) {
                    let runs = (server.as_str(), EdgeKind::RunsOn, machine.as_str());
                    let on = machines(graph, &server, &[(&user, EdgeKind::TrustsServer, &server), runs]);
                    all.extend(inside(graph, &at_machine.against(EdgeKind::RunsOn, &server), &on));
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
