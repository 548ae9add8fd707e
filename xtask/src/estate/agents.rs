//! Machines: their agents with configuration files, the instruction files, and whom each agent trusts.

use anyhow::{Context as _, Result, ensure};
use tracehound_model::{EdgeKind, NodeId, NodeKind, hash};

use super::document::{Document, Place, Relation};
use super::plan::{Agent, Machine, Plan, numbered};
use super::random::{Random, Stream};
use super::servers::{self, Home};
use super::{names, prose, records, skew, words};

/// How often an agent trusts a local server that another agent of its machine is home to.
const NEIGHBOUR_TRUST: f64 = 0.3;
/// How often an instruction file carries text that works against its readers.
const SUSPICIOUS: f64 = 0.02;
/// Lines of a configuration file before its first server, and lines that one server takes.
const FIRST_LINE: usize = 3;
const LINES_PER_SERVER: usize = 9;

/// Writes a machine and all that stands on it.
pub(super) fn machine(plan: &Plan, index: usize, document: &mut Document) -> Result<()> {
    let machine = plan.machines.get(index).context("no such machine")?;
    let mut random = plan.random(Stream::Machine, index);
    let name = names::machine(index);
    let host = NodeId::host(&name);
    let properties =
        records::Host { hostname: &name, ip: "", is_local: true, is_private: false, is_public: false, objectid: &host };
    document.node(&host, NodeKind::Host, &properties)?;

    let home = format!("//{name}/home/{}", random.pick(words::USERS));
    let first_client = random.below(words::CLIENTS.len());
    let clients = words::CLIENTS.iter().cycle().skip(first_client);
    let mut instances = Vec::with_capacity(machine.agents.len());
    for ((at, agent), (client, file)) in numbered(&plan.agents, &machine.agents).zip(clients) {
        let seat = Seat { client, path: &format!("{home}/{file}"), machine: index, name: &name, host: &host };
        let trusted = trusted(plan, machine, (at, agent))?;
        instances.push((write_agent(plan, &seat, (agent, &trusted), document)?, *client));
    }
    for (file, kind) in words::INSTRUCTION_FILES.iter().take(machine.instruction_files) {
        let instructions = Instructions { path: &format!("{home}/{file}"), kind, machine: &name };
        instructions.write(&instances, &mut random, document)?;
    }
    Ok(())
}

/// Where an agent sits.
struct Seat<'a> {
    client: &'a str,
    path: &'a str,
    machine: usize,
    name: &'a str,
    host: &'a NodeId,
}

/// The servers that an agent trusts: those that it is home to, then further ones.
fn trusted(plan: &Plan, machine: &Machine, (at, agent): (usize, &Agent)) -> Result<Vec<usize>> {
    let mut random = plan.random(Stream::Trust, at);
    let neighbours = numbered(&plan.agents, &machine.agents).filter(|(other, _)| *other != at);
    let mut chosen: Vec<usize> = neighbours
        .flat_map(|(_, neighbour)| numbered(&plan.servers, &neighbour.home))
        .filter(|(_, server)| server.remote.is_none())
        .filter_map(|(server, _)| random.chance(NEIGHBOUR_TRUST).then_some(server))
        .take(agent.further)
        .collect();
    let free = |rank: usize| plan.popular.get(rank).is_some_and(|server| !agent.home.contains(server));
    let missing = agent.further - chosen.len();
    let ranks = random.distinct_ranks(missing, (plan.popular.len(), skew::POPULARITY), free);
    ensure!(ranks.len() == missing, "an agent would trust more remote servers than there are");
    chosen.extend(ranks.iter().filter_map(|rank| plan.popular.get(*rank)));
    Ok(agent.home.clone().chain(chosen).collect())
}

/// Writes an agent, its configuration file and the servers that it is home to; returns the agent's id.
fn write_agent(
    plan: &Plan,
    seat: &Seat<'_>,
    (agent, trusted): (&Agent, &[usize]),
    document: &mut Document,
) -> Result<NodeId> {
    let (client, path) = (seat.client, seat.path);
    let file = NodeId::config_file(path);
    let server_count = trusted.len();
    document.node(&file, NodeKind::ConfigFile, &records::ConfigFile { client, objectid: &file, path, server_count })?;
    let id = NodeId::agent_instance(&file, client);
    let properties = records::AgentInstance { config_path: path, framework: client, name: client, objectid: &id };
    document.node(&id, NodeKind::AgentInstance, &properties)?;
    document.covers(&file);
    document.covers(&id);

    for (position, at) in trusted.iter().enumerate() {
        let server = plan.servers.get(*at).context("no such server")?;
        let place = Place { file: path, line: FIRST_LINE + position * LINES_PER_SERVER, column: 5 };
        let end = (&server.id, NodeKind::McpServer);
        let evidence = format!("{client} on {} is set up to use server `{}`", seat.name, server.name);
        let trust = Relation::new(EdgeKind::TrustsServer, (&id, NodeKind::AgentInstance), end, &evidence);
        document.edge(&trust.weighing(servers::trust_weight(server.auth_method)).at(place))?;
        let evidence = format!("the configuration of {client} on {} names `{}`", seat.name, server.name);
        let named = Relation::new(EdgeKind::ConfiguredIn, end, (&file, NodeKind::ConfigFile), &evidence);
        document.edge(&named.at(place))?;
        if agent.home.contains(at) {
            let home = Home { index: *at, machine: seat.machine, host: seat.host, place };
            servers::server(plan, &home, document)?;
        }
    }
    Ok(id)
}

/// An instruction file on a machine.
struct Instructions<'a> {
    path: &'a str,
    kind: &'a str,
    machine: &'a str,
}

impl Instructions<'_> {
    /// Writes the file; all agents of its machine load it.
    fn write(&self, agents: &[(NodeId, &str)], random: &mut Random, document: &mut Document) -> Result<()> {
        let Self { path, kind, machine } = self;
        let is_suspicious = random.chance(SUSPICIOUS);
        let mut text =
            prose::describe(format!("# Working on {path}\n\nAsk before you change what others own."), random);
        if is_suspicious {
            text.push_str(words::INJECTION);
        }
        let id = NodeId::instruction_file(path);
        let properties =
            records::InstructionFile { hash: &hash::content(&text), is_suspicious, objectid: &id, path, r#type: kind };
        document.node(&id, NodeKind::InstructionFile, &properties)?;
        document.covers(&id);
        for (agent, client) in agents {
            let evidence = format!("{client} on {machine} loads a {kind} file of its user");
            let ends = ((agent, NodeKind::AgentInstance), (&id, NodeKind::InstructionFile));
            let loads = Relation::new(EdgeKind::LoadsInstructions, ends.0, ends.1, &evidence);
            document.edge(&loads.weighing(if is_suspicious { 0.5 } else { 0.0 }))?;
        }
        Ok(())
    }
}
