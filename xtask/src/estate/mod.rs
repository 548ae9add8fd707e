//! Generated estates: wire documents of any size that look like those of a real company.
//!
//! The same [`Shape`] always gives the same bytes. Only compact tables are held (a row per machine, agent, server and
//! service); documents are made one at a time and handed to the caller, so millions of edges need little memory.
//! Nothing here reads files, the clock or the network, and nothing here judges what it makes.
//!
//! How an estate is laid out:
//!
//! - A machine carries a few agents (clients with one configuration file each) and some instruction files that all of
//!   its agents load. A server is written with the agent that configures it first, its home; other agents trust it
//!   too. Agent → server → tool → resource makes up two thirds of the nodes and nine tenths of the edges.
//! - Trust per agent follows a power law (`TRUST`): the median agent trusts a handful of servers, a few trust
//!   hundreds. Which remote servers are trusted follows another one (`POPULARITY`); a local server is trusted only on
//!   its own machine.
//! - Tools, resources and prompts per server follow power laws and go together: a server with many tools has many
//!   resources (`TOOLS`, `RESOURCES`, `PROMPTS`).
//! - Secrets are reused by a power law (`SECRET_REUSE`): most are used once, some in hundreds of places.
//! - A2A agents delegate by a power law in both directions (`DELEGATION`, `POPULARITY`).
//!
//! The shares of the node kinds stand in `counts`, the exponents and caps in `skew`. Edges that follow from the nodes
//! come first; what is left of [`Shape::edges`] goes to [`EdgeKind::IngestsUntrusted`] and, in pairs, to
//! [`EdgeKind::TrustsServer`] with [`EdgeKind::ConfiguredIn`] (`budget`).
//!
//! Each document speaks for a group of machines, which is its origin. A covered node stands in the same document as
//! everything below it; edges may lead to nodes of other documents, and no node is written twice.

mod a2a;
mod agents;
mod budget;
mod counts;
mod credentials;
mod document;
mod names;
mod plan;
mod press;
mod prose;
mod random;
mod records;
mod servers;
mod services;
mod skew;
mod tables;
mod words;

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use tracehound_model::{EdgeKind, NodeKind};

use plan::Plan;
use press::Press;

/// How large an estate to make, and how to cut it into documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Distinct nodes.
    pub nodes: usize,
    /// Distinct edges (by kind, source and target); 3 to 8 times `nodes`.
    pub edges: usize,
    /// Estates of different seeds differ.
    pub seed: u64,
    /// Every document is smaller than this. A machine is never split, so it must hold the largest one.
    pub max_document_bytes: usize,
}

impl Shape {
    /// An estate of this size with seed 1, in documents of at most 64 MiB.
    #[must_use]
    pub const fn new(nodes: usize, edges: usize) -> Self {
        Self { nodes, edges, seed: 1, max_document_bytes: 64 << 20 }
    }
}

impl Default for Shape {
    /// A large company: 100,000 nodes and 500,000 edges.
    fn default() -> Self {
        Self::new(100_000, 500_000)
    }
}

/// What was made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Nodes by kind; a service counts as its own kind, not as the umbrella.
    pub nodes: BTreeMap<NodeKind, usize>,
    /// Edges by kind.
    pub edges: BTreeMap<EdgeKind, usize>,
    /// Documents handed out.
    pub documents: usize,
    /// Their size together.
    pub bytes: u64,
}

impl Summary {
    /// Nodes of all kinds.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.values().sum()
    }

    /// Edges of all kinds.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.edges.values().sum()
    }
}

/// Makes an estate and hands its documents to `sink`, one after the other, in the order of their timestamps.
///
/// # Errors
///
/// When the shape can't be met (too small, too few or too many edges a node, a machine that doesn't fit into a
/// document), or when `sink` fails.
pub fn generate(shape: &Shape, sink: impl FnMut(Vec<u8>) -> Result<()>) -> Result<Summary> {
    let plan = Plan::new(shape)?;
    let mut press = Press::new(shape, sink);
    for machine in 0..plan.machines.len() {
        press.add(|document| agents::machine(&plan, machine, document))?;
    }
    for site in 0..plan.sites() {
        press.add(|document| a2a::site(&plan, site, document))?;
    }
    for host in 0..plan.service_hosts() {
        press.add(|document| services::host(&plan, host, document))?;
    }
    let summary = press.finish()?;
    ensure!(
        (summary.node_count(), summary.edge_count()) == (shape.nodes, shape.edges),
        "made {} nodes and {} edges in place of {} and {}",
        summary.node_count(),
        summary.edge_count(),
        shape.nodes,
        shape.edges
    );
    Ok(summary)
}

#[cfg(test)]
mod tests;
