//! Draws the tables of a plan, all but how spare edges are spent.

use std::ops::Range;

use anyhow::Result;
use tracehound_model::{NodeId, NodeKind};

use super::counts::{AGENTS_PER_SITE, Counts, SERVICES_PER_HOST};
use super::names::Standing;
use super::plan::{A2aAgent, Agent, Credential, Holding, Machine, Plan, Server, Service, numbered};
use super::random::{Random, Stream};
use super::{names, services, skew, words};

/// Distinct secrets for a hundred credentials that are drawn from them.
const SECRETS_PER_HUNDRED: usize = 80;
/// How often a credential's value stands in the file, is a reference to the environment, to a vault or a prompt.
const HOLDINGS: &[(Holding, f64)] =
    &[(Holding::Hardcoded, 0.5), (Holding::EnvVar, 0.3), (Holding::VaultRef, 0.15), (Holding::InputPrompt, 0.05)];

/// The tables for these counts.
pub(super) fn draw(seed: u64, counts: &Counts) -> Result<Plan> {
    let mut random = Random::new(seed, Stream::Plan, 0);
    let machines = machines(counts, &mut random)?;
    let agents = agents(counts, &mut random);
    let homes = homes(&machines, &agents);
    let servers = servers(seed, &homes, counts, &mut random)?;
    let remote = servers.iter().enumerate().filter(|(_, server)| server.remote.is_some());
    let mut popular: Vec<usize> = remote.map(|(at, _)| at).collect();
    random.shuffle(&mut popular);
    let secrets = (counts.credentials * SECRETS_PER_HUNDRED).div_ceil(100);
    Ok(Plan {
        seed,
        machines,
        agents,
        servers,
        credentials: credentials(counts.credentials, secrets, &mut random),
        popular,
        a2a_agents: a2a_agents(seed, counts, &mut random)?,
        services: ai_services(counts, &mut random)?,
        secrets,
    })
}

/// The machine of each server's home.
fn homes(machines: &[Machine], agents: &[Agent]) -> Vec<usize> {
    let machines = machines.iter().enumerate();
    let servers = |machine: &Machine| numbered(agents, &machine.agents).map(|(_, agent)| agent.home.len()).sum();
    machines.flat_map(|(at, machine)| std::iter::repeat_n(at, servers(machine))).collect()
}

/// Ranges of these lengths, one after the other.
fn ranges(lengths: impl IntoIterator<Item = usize>) -> impl Iterator<Item = Range<usize>> {
    lengths.into_iter().scan(0, |start, length| {
        let range = *start..*start + length;
        *start = range.end;
        Some(range)
    })
}

fn machines(counts: &Counts, random: &mut Random) -> Result<Vec<Machine>> {
    let mut agents = skew::AGENTS.split(counts.agents, counts.machines)?;
    random.shuffle(&mut agents);
    let mut files = skew::INSTRUCTION_FILES.split(counts.instruction_files, counts.machines)?;
    random.shuffle(&mut files);
    let machine = |(agents, instruction_files)| Machine { agents, instruction_files };
    Ok(ranges(agents).zip(files).map(machine).collect())
}

/// Agents, each home to about one server.
fn agents(counts: &Counts, random: &mut Random) -> Vec<Agent> {
    let mut homes = vec![0; counts.agents];
    for _ in 0..counts.servers {
        if let Some(home) = homes.get_mut(random.below(counts.agents)) {
            *home += 1;
        }
    }
    ranges(homes).map(|home| Agent { home, further: 0 }).collect()
}

fn credentials(count: usize, secrets: usize, random: &mut Random) -> Vec<Credential> {
    let mut credential = || {
        let mut at = random.fraction();
        let holding = HOLDINGS.iter().find(|(_, share)| {
            at -= share;
            at < 0.0
        });
        let holding = holding.map_or(Holding::Hardcoded, |(holding, _)| *holding);
        Credential { holding, secret: random.rank(secrets, skew::SECRET_REUSE) }
    };
    (0..count).map(|_| credential()).collect()
}

/// The methods of `all` callees, of which `authenticated` ask who calls.
fn auth_methods(all: usize, authenticated: usize, table: &[&'static str], random: &mut Random) -> Vec<&'static str> {
    let mut methods: Vec<&'static str> =
        (0..all).map(|at| if at < authenticated { random.pick(table) } else { words::NO_AUTH }).collect();
    random.shuffle(&mut methods);
    methods
}

/// Servers in the order of their homes, so that an agent's own ones are a range.
fn servers(seed: u64, homes: &[usize], counts: &Counts, random: &mut Random) -> Result<Vec<Server>> {
    let mut is_remote: Vec<bool> = (0..counts.servers).map(|at| at < counts.remote_servers).collect();
    random.shuffle(&mut is_remote);
    let mut remotes = 0..;
    let rows = homes.iter().zip(is_remote).enumerate();
    let mut servers: Vec<Server> = rows
        .map(|(at, (machine, is_remote))| {
            let remote = if is_remote { remotes.next() } else { None };
            let id = names::launch(seed, Standing { server: at, machine: *machine, remote }).id();
            Server::new(id, names::server(seed, at), remote)
        })
        .collect();
    add_offers(&mut servers, counts, random)?;
    add_credentials(&mut servers, counts, random)?;
    Ok(servers)
}

/// Gives the servers tools, resources and prompts; who has many of one has many of all.
fn add_offers(servers: &mut [Server], counts: &Counts, random: &mut Random) -> Result<()> {
    let tools = skew::TOOLS.split(counts.tools, counts.servers)?;
    let resources = skew::RESOURCES.split(counts.resources, counts.servers)?;
    let prompts = skew::PROMPTS.split(counts.prompts, counts.servers)?;
    let mut offers: Vec<_> = tools.into_iter().zip(resources).zip(prompts).collect();
    random.shuffle(&mut offers);
    for (server, ((tools, resources), prompts)) in servers.iter_mut().zip(offers) {
        (server.tools, server.resources, server.prompts) = (tools, resources, prompts);
    }
    Ok(())
}

/// Decides which servers ask who calls, and with how many secrets.
fn add_credentials(servers: &mut [Server], counts: &Counts, random: &mut Random) -> Result<()> {
    let methods = auth_methods(counts.servers, counts.authenticated_servers, words::SERVER_AUTH, random);
    for (server, method) in servers.iter_mut().zip(methods) {
        server.auth_method = method;
    }
    let mut held = skew::CREDENTIALS.split(counts.credentials, counts.authenticated_servers)?;
    random.shuffle(&mut held);
    let authenticated = servers.iter_mut().filter(|server| server.auth_method != words::NO_AUTH);
    for (server, credentials) in authenticated.zip(ranges(held)) {
        server.credentials = credentials;
    }
    Ok(())
}

fn a2a_agents(seed: u64, counts: &Counts, random: &mut Random) -> Result<Vec<A2aAgent>> {
    let methods = auth_methods(counts.a2a_agents, counts.authenticated_a2a_agents, words::A2A_AUTH, random);
    let mut skills = skew::SKILLS.split(counts.skills, counts.a2a_agents)?;
    random.shuffle(&mut skills);
    let agent = |(at, (auth_method, skills))| {
        let name = names::a2a_agent(seed, at);
        let id = NodeId::a2a_agent(&names::a2a_url(at / AGENTS_PER_SITE, &name));
        A2aAgent { id, name, auth_method, skills, delegations: 0 }
    };
    Ok(methods.into_iter().zip(skills).enumerate().map(agent).collect())
}

fn ai_services(counts: &Counts, random: &mut Random) -> Result<Vec<Service>> {
    let mut split = |skew: skew::Skew, total, kind| -> Result<_> {
        let mut items = skew.split(total, counts.services_of(kind))?;
        random.shuffle(&mut items);
        Ok(items.into_iter())
    };
    let mut models = split(skew::MODELS, counts.models, NodeKind::OllamaInstance)?;
    let mut notebooks = split(skew::NOTEBOOKS, counts.notebooks, NodeKind::JupyterServer)?;
    let service = |at: usize| {
        let row = services::kind_at(at);
        let items = match row.kind {
            NodeKind::OllamaInstance => models.next(),
            NodeKind::JupyterServer => notebooks.next(),
            _ => None,
        };
        let id = NodeId::service(row.kind, &names::service_url(at / SERVICES_PER_HOST, row.port));
        Service { kind: row.kind, id, items: items.unwrap_or_default() }
    };
    Ok((0..counts.services).map(service).collect())
}
