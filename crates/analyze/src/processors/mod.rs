//! Processors: pure functions that derive composite edges, and properties of nodes, from a graph.
//!
//! Each says what it reads and what it writes. Their order is computed from that, and so is which of them have to run
//! again after a change. A new processor is a file and a line in [`PROCESSORS`].

mod access_sensitivity;
mod alike;
mod auth_strength;
mod can_execute;
mod can_exfiltrate_via;
mod can_impersonate;
mod can_reach;
mod confused_deputy;
mod cross_protocol;
mod cross_service_credential_chain;
mod crowd;
mod has_access_to;
mod hops;
mod ifc_violation;
mod order;
mod output;
mod poisoned_description;
mod poisoned_instructions;
mod poisons_context;
pub(crate) mod reach;
mod reached_by;
mod resource_groups;
mod risk_score;
mod shadows;
mod taints;
mod trust_zones;

use std::cell::OnceCell;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

pub(crate) use access_sensitivity::ACCESS_SENSITIVITY;
pub(crate) use cross_service_credential_chain::BLAST_RADIUS;
pub use order::in_order;
pub use output::{NodeProperties, Output, Synthetic};
pub(crate) use reach::Ways;
pub(crate) use reached_by::REACHED_BY;

use crate::basis::Basis;
use crate::derived::Derived;

/// Something that a processor reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// Which nodes of a kind there are, and these properties of them.
    Nodes(NodeKind, &'static [&'static str]),
    /// Which edges of a kind there are, raw or derived, and these properties of them.
    Edges(EdgeKind, &'static [&'static str]),
    /// A property that another processor writes.
    Property(&'static str),
}

/// Something that a processor writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    /// Edges of a derived kind.
    Edges(EdgeKind),
    /// A property of nodes.
    Property(&'static str),
    /// Nodes of a synthetic kind.
    Nodes(NodeKind),
}

/// A processor.
#[derive(Debug, Clone, Copy)]
pub struct Processor {
    /// Its name.
    pub name: &'static str,
    /// What it derives, in a sentence.
    pub purpose: &'static str,
    /// What it reads.
    pub reads: &'static [Reads],
    /// What it writes.
    pub writes: &'static [Writes],
    /// Derives. What the processors before it derived is there.
    pub run: fn(&Stage<'_>) -> Output,
    /// Says of pairs, which come by source, whether it derives an edge between them, written down or not. Everybody has one
    /// who does not write down everything.
    pub holds: Option<Holds>,
}

/// The source and the target of an edge.
pub type Pair = (NodeIx, NodeIx);

/// Answers for pairs, one after the other.
pub type Holds = fn(&Stage<'_>, &[Pair]) -> Vec<bool>;

/// What a processor sees: the graph, and what was derived before.
pub struct Stage<'a> {
    /// The graph.
    pub basis: &'a Basis<'a>,
    /// The composite edges so far.
    pub derived: &'a Derived,
    /// The properties so far.
    pub properties: &'a NodeProperties,
    /// The ways to resources, for those who ask for them.
    pub(crate) ways: &'a OnceCell<Ways>,
}

impl Stage<'_> {
    /// The ways to resources; made for the first who asks.
    pub(crate) fn ways(&self) -> &Ways {
        self.ways.get_or_init(|| Ways::new(self.basis))
    }
}

/// Every processor. The order of the lines decides only between those that don't depend on each other.
pub const PROCESSORS: &[Processor] = &[
    auth_strength::PROCESSOR,
    has_access_to::PROCESSOR,
    can_execute::PROCESSOR,
    shadows::PROCESSOR,
    poisons_context::PROCESSOR,
    poisoned_description::PROCESSOR,
    poisoned_instructions::PROCESSOR,
    taints::PROCESSOR,
    ifc_violation::PROCESSOR,
    can_reach::PROCESSOR,
    cross_service_credential_chain::PROCESSOR,
    can_exfiltrate_via::PROCESSOR,
    can_impersonate::PROCESSOR,
    confused_deputy::PROCESSOR,
    cross_protocol::PROCESSOR,
    access_sensitivity::PROCESSOR,
    reached_by::PROCESSOR,
    risk_score::PROCESSOR,
    resource_groups::PROCESSOR,
    trust_zones::PROCESSOR,
];
