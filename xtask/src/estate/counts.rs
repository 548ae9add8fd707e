//! How many of each kind an estate of a given size has. Tools take what the other kinds leave.

use anyhow::{Context as _, Result, ensure};
use tracehound_model::NodeKind;

use super::services;

/// The smallest estate: below it some kinds would be missing.
const LEAST_NODES: usize = 1_000;

/// Out of [`WHOLE`] nodes this many are of the kind.
const WHOLE: usize = 10_000;
const AGENTS: usize = 600;
const SERVERS: usize = 450;
const RESOURCES: usize = 2_200;
const PROMPTS: usize = 400;
const INSTRUCTION_FILES: usize = 250;
const CREDENTIALS: usize = 500;
const A2A_AGENTS: usize = 80;
const SKILLS: usize = 320;
const SERVICES: usize = 48;
const MODELS: usize = 100;
const NOTEBOOKS: usize = 30;

/// A machine for this many agents.
const AGENTS_PER_MACHINE: usize = 4;
/// Out of a hundred servers this many are remote.
const REMOTE_SERVERS: usize = 50;
/// Out of a hundred servers this many ask who calls.
const AUTHENTICATED_SERVERS: usize = 65;
/// Out of a hundred A2A agents this many ask who calls.
const AUTHENTICATED_A2A_AGENTS: usize = 70;

/// Remote servers on one host.
pub(super) const SERVERS_PER_HOST: usize = 3;
/// A2A agents on one host.
pub(super) const AGENTS_PER_SITE: usize = 4;
/// AI services on one host.
pub(super) const SERVICES_PER_HOST: usize = 2;

/// The number of things of each sort.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts {
    /// Agents, and as many configuration files.
    pub(super) agents: usize,
    pub(super) machines: usize,
    pub(super) instruction_files: usize,
    pub(super) servers: usize,
    pub(super) remote_servers: usize,
    /// Servers with an identity.
    pub(super) authenticated_servers: usize,
    /// Credentials in configuration files.
    pub(super) credentials: usize,
    pub(super) tools: usize,
    /// Resources of servers.
    pub(super) resources: usize,
    pub(super) prompts: usize,
    pub(super) a2a_agents: usize,
    /// A2A agents with an identity.
    pub(super) authenticated_a2a_agents: usize,
    pub(super) skills: usize,
    pub(super) services: usize,
    /// Credentials that services hold.
    pub(super) service_credentials: usize,
    pub(super) models: usize,
    /// Resources of Jupyter servers.
    pub(super) notebooks: usize,
}

impl Counts {
    /// The counts for this many nodes.
    pub(super) fn new(nodes: usize) -> Result<Self> {
        ensure!(nodes >= LEAST_NODES, "an estate has at least {LEAST_NODES} nodes, {nodes} are too few");
        let share = |of_whole: usize| nodes * of_whole / WHOLE;
        let (agents, servers, a2a_agents) = (share(AGENTS), share(SERVERS), share(A2A_AGENTS));
        let services = share(SERVICES).max(services::KINDS.len());
        let mut counts = Self {
            agents,
            machines: agents.div_ceil(AGENTS_PER_MACHINE),
            instruction_files: share(INSTRUCTION_FILES),
            servers,
            remote_servers: servers * REMOTE_SERVERS / 100,
            authenticated_servers: servers * AUTHENTICATED_SERVERS / 100,
            credentials: share(CREDENTIALS),
            tools: 0,
            resources: share(RESOURCES),
            prompts: share(PROMPTS),
            a2a_agents,
            authenticated_a2a_agents: a2a_agents * AUTHENTICATED_A2A_AGENTS / 100,
            skills: share(SKILLS),
            services,
            service_credentials: services::credentials_among(services),
            models: share(MODELS),
            notebooks: share(NOTEBOOKS),
        };
        counts.tools = nodes.checked_sub(counts.nodes()).context("no nodes are left for tools")?;
        Ok(counts)
    }

    /// Hosts of all sorts.
    fn hosts(&self) -> usize {
        self.machines
            + self.remote_servers.div_ceil(SERVERS_PER_HOST)
            + self.a2a_agents.div_ceil(AGENTS_PER_SITE)
            + self.services.div_ceil(SERVICES_PER_HOST)
    }

    /// Nodes of all kinds.
    fn nodes(&self) -> usize {
        let configurations = 2 * self.agents + self.instruction_files + self.credentials;
        let identities = self.authenticated_servers + self.authenticated_a2a_agents;
        let offers = self.tools + self.resources + self.prompts;
        let a2a = self.a2a_agents + self.skills;
        let network = self.services + self.service_credentials + self.models + self.notebooks;
        configurations + identities + self.servers + offers + a2a + network + self.hosts()
    }

    /// Services of one kind.
    pub(super) fn services_of(&self, kind: NodeKind) -> usize {
        services::among(self.services, kind)
    }
}
