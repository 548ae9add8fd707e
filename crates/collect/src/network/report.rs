//! What a scan of a network tells about itself.

use std::collections::BTreeMap;
use std::net::IpAddr;

use serde::Serialize;
use tracehound_model::wire::Document;
use tracehound_model::{NodeId, NodeKind};

use super::look::Looked;
use super::plan::Plan;
use super::sweep::Progress;
use crate::{a2a, mcp};

/// What came of it.
#[derive(Debug)]
pub struct Collected {
    /// What was seen: services, agents, servers.
    pub documents: Vec<Document>,
    /// The services, in the order of their places.
    pub services: Vec<Service>,
    /// The A2A agents.
    pub agents: Vec<a2a::Looked>,
    /// The MCP servers.
    pub servers: Vec<mcp::Server>,
    /// Every open place.
    pub open: Vec<OpenPlace>,
    /// How many places were tried, and how that went.
    pub counts: Counts,
}

/// How trying places went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Addresses that were to be tried.
    pub addresses: u64,
    /// Connections that were to be tried.
    pub planned: u64,
    /// Connections that were tried.
    pub tried: u64,
    /// Those that came about.
    pub open: u64,
    /// Those that were refused.
    pub closed: u64,
    /// Those that nobody answered in time.
    pub silent: u64,
    /// Those that could not come about: no way leads there.
    pub unreachable: u64,
    /// Those that this machine could not try, for want of means.
    pub untried: u64,
}

impl Counts {
    pub(super) fn of(plan: &Plan, progress: &Progress) -> Self {
        Self {
            addresses: plan.addresses(),
            planned: plan.connections(),
            tried: progress.done() - progress.untried(),
            open: progress.open(),
            closed: progress.closed(),
            silent: progress.silent(),
            unreachable: progress.unreachable(),
            untried: progress.untried(),
        }
    }
}

/// A service that was recognised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Service {
    /// Its id.
    pub id: NodeId,
    /// What it is.
    pub kind: NodeKind,
    /// Its base URL.
    pub endpoint: String,
    /// Its version, if it tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it demands of those who ask, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_method: Option<String>,
    /// Whether it hands out what it has to anybody, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_anonymous_loot: Option<bool>,
    /// What is wrong with its certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate_problem: Option<String>,
    /// The rules that recognised it.
    pub recognised_by: Vec<String>,
    /// How many things of each kind its inventory has; empty if it was not read.
    pub holds: BTreeMap<NodeKind, usize>,
    /// What of its inventory was not read to its end.
    pub cut_short: Vec<String>,
    /// What went wrong.
    pub problems: Vec<String>,
}

/// A place that is open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenPlace {
    /// How the user called it: `host:port`.
    pub called: String,
    /// Its address.
    pub address: IpAddr,
    /// Its port.
    pub port: u16,
    /// Its base URL, if it speaks HTTP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// What was recognised there.
    pub kinds: Vec<NodeKind>,
    /// How many questions it was asked.
    pub requests: usize,
    /// What went wrong; of a place that does not speak HTTP, why it is thought not to.
    pub problems: Vec<String>,
}

impl OpenPlace {
    pub(super) fn of(looked: Looked) -> Self {
        Self {
            called: format!("{}:{}", looked.open.host, looked.open.port),
            address: looked.open.address,
            port: looked.open.port,
            endpoint: looked.reading.map(|reading| reading.base().to_owned()),
            kinds: looked.services.iter().map(|(kind, ..)| *kind).collect(),
            requests: looked.requests,
            problems: looked.problems,
        }
    }
}
