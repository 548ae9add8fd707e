//! Which agents let weakly authenticated callers act through agents that demand strong authentication.
//!
//! Growth: linear in delegations.

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::{Output, Processor, Reads, Stage, Writes, auth_strength};
use crate::derived::{Detail, Harvest, Hop, NewComposite};

/// From here on authentication is weak: fixed keys, what nobody knows, and nothing at all.
const WEAK: f64 = 70.0;

/// Up to here it is strong: OAuth and certificates.
const STRONG: f64 = 30.0;

pub(super) const PROCESSOR: Processor = Processor {
    name: "confused_deputy",
    purpose: "An agent that asks little of its callers delegates to one that asks much.",
    reads: &[
        Reads::Property(auth_strength::KEY),
        Reads::Edges(EdgeKind::DelegatesTo, &[]),
        Reads::Nodes(NodeKind::A2aAgent, &["auth_method"]),
    ],
    writes: &[Writes::Edges(EdgeKind::ConfusedDeputy)],
    run,
    holds: None,
};

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let weakness = |agent: NodeIx| stage.properties.get(agent, auth_strength::KEY).and_then(|value| value.as_number());
    let is_weak = |agent: &NodeIx| weakness(*agent).is_some_and(|weakness| weakness >= WEAK);
    let is_strong = |agent: &NodeIx| weakness(*agent).is_some_and(|weakness| weakness <= STRONG);
    let mut harvest = Harvest::default();
    for low in basis.nodes(NodeKind::A2aAgent).filter(is_weak) {
        for high in basis.targets(EdgeKind::DelegatesTo, low).filter(is_strong) {
            let detail = Detail::Deputy { low: basis.auth(low), high: basis.auth(high) };
            let edge = NewComposite { confidence: 0.8, weight: 0.3, collector: "a2a", detail };
            harvest.add((low, high), edge, &[Hop::along(EdgeKind::DelegatesTo, low, high)]);
        }
    }
    Output::of_edges(EdgeKind::ConfusedDeputy, harvest)
}
