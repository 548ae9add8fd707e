//! The plan of an estate: compact tables from which every document is written.
//!
//! Whatever decides how many nodes or edges there are is settled here; texts are made up while writing.

use std::ops::Range;

use anyhow::Result;
use tracehound_model::{NodeId, NodeKind};

use super::Shape;
use super::counts::{AGENTS_PER_SITE, Counts, SERVERS_PER_HOST, SERVICES_PER_HOST};
use super::random::{Random, Stream};
use super::words::NO_AUTH;
use super::{budget, tables};

/// A workstation: its agents and how many instruction files it has.
#[derive(Debug, Clone, Default)]
pub(super) struct Machine {
    pub(super) agents: Range<usize>,
    pub(super) instruction_files: usize,
}

/// One client on a machine.
#[derive(Debug, Clone, Default)]
pub(super) struct Agent {
    /// The servers that are written with it.
    pub(super) home: Range<usize>,
    /// How many servers it trusts besides.
    pub(super) further: usize,
}

/// A tool server.
#[derive(Debug, Clone)]
pub(super) struct Server {
    pub(super) id: NodeId,
    pub(super) name: String,
    /// Its place among the remote servers; none when it is started on its home machine.
    pub(super) remote: Option<usize>,
    pub(super) auth_method: &'static str,
    pub(super) credentials: Range<usize>,
    pub(super) tools: usize,
    /// How many of the tools bring in content from outside.
    pub(super) untrusted: usize,
    pub(super) resources: usize,
    pub(super) prompts: usize,
}

impl Server {
    /// A server that offers nothing and asks nobody who calls.
    pub(super) fn new(id: NodeId, name: String, remote: Option<usize>) -> Self {
        let (tools, untrusted, resources, prompts) = (0, 0, 0, 0);
        Self { id, name, remote, auth_method: NO_AUTH, credentials: 0..0, tools, untrusted, resources, prompts }
    }

    /// The number of its host among the hosts of remote servers.
    pub(super) fn remote_host(&self) -> Option<usize> {
        self.remote.map(|place| place / SERVERS_PER_HOST)
    }

    /// Whether its host is written with it, not with another server there.
    pub(super) fn brings_host(&self) -> bool {
        self.remote.is_some_and(|place| place.is_multiple_of(SERVERS_PER_HOST))
    }
}

/// How a configuration holds a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holding {
    Hardcoded,
    EnvVar,
    VaultRef,
    InputPrompt,
}

/// A secret in a configuration file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Credential {
    pub(super) holding: Holding,
    /// The number of the secret; equal numbers are equal values.
    pub(super) secret: usize,
}

impl Credential {
    /// Whether the server is handed the value (a vault hands it out by itself).
    pub(super) fn is_in_environment(self) -> bool {
        self.holding != Holding::VaultRef
    }
}

/// An agent on the network.
#[derive(Debug, Clone)]
pub(super) struct A2aAgent {
    pub(super) id: NodeId,
    pub(super) name: String,
    pub(super) auth_method: &'static str,
    pub(super) skills: usize,
    pub(super) delegations: usize,
}

impl A2aAgent {
    /// Whether its callers sign in at an authority that its neighbours may share.
    pub(super) fn has_auth_domain(&self) -> bool {
        matches!(self.auth_method, "oauth" | "oidc")
    }
}

/// An AI service.
#[derive(Debug, Clone)]
pub(super) struct Service {
    pub(super) kind: NodeKind,
    pub(super) id: NodeId,
    /// Models of an Ollama instance, notebooks of a Jupyter server.
    pub(super) items: usize,
}

/// All tables.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) seed: u64,
    pub(super) machines: Vec<Machine>,
    pub(super) agents: Vec<Agent>,
    pub(super) servers: Vec<Server>,
    pub(super) credentials: Vec<Credential>,
    /// The remote servers, most popular first.
    pub(super) popular: Vec<usize>,
    pub(super) a2a_agents: Vec<A2aAgent>,
    pub(super) services: Vec<Service>,
    /// How many distinct secrets there are.
    pub(super) secrets: usize,
}

impl Plan {
    /// Plans an estate of this shape.
    pub(super) fn new(shape: &Shape) -> Result<Self> {
        let mut plan = tables::draw(shape.seed, &Counts::new(shape.nodes)?)?;
        budget::spend(&mut plan, shape.edges)?;
        Ok(plan)
    }

    /// Hosts with A2A agents.
    pub(super) fn sites(&self) -> usize {
        self.a2a_agents.len().div_ceil(AGENTS_PER_SITE)
    }

    /// Hosts with AI services.
    pub(super) fn service_hosts(&self) -> usize {
        self.services.len().div_ceil(SERVICES_PER_HOST)
    }

    /// The places of A2A agents on one host.
    pub(super) fn site(&self, site: usize) -> Range<usize> {
        group(site, AGENTS_PER_SITE, self.a2a_agents.len())
    }

    /// The places of AI services on one host.
    pub(super) fn service_host(&self, host: usize) -> Range<usize> {
        group(host, SERVICES_PER_HOST, self.services.len())
    }

    /// The stream of random numbers of one thing.
    pub(super) fn random(&self, stream: Stream, index: usize) -> Random {
        Random::new(self.seed, stream, index)
    }
}

/// The items of a range, with their places.
pub(super) fn numbered<'a, T>(items: &'a [T], range: &Range<usize>) -> impl Iterator<Item = (usize, &'a T)> {
    range.clone().zip(items.get(range.clone()).unwrap_or_default())
}

fn group(number: usize, size: usize, all: usize) -> Range<usize> {
    number * size..((number + 1) * size).min(all)
}
