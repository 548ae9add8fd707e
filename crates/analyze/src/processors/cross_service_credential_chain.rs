//! Secrets that are valid in more than one place: those that services answer to, and those that several servers are given.
//!
//! Growth: see `reach::chain` and `reach::behind`.

use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::{NodeIx, PropertyValue};
use tracehound_model::{EdgeKind, NodeKind};

use super::reach::behind;
use super::reach::chain::{self, Chains};
use super::{NodeProperties, Output, Pair, Processor, Reads, Stage, Writes};
use crate::basis::{Basis, On, meet};
use crate::derived::{Detail, Harvest, NewComposite, Reach};

/// The property of secrets: how many agents get at what it opens.
pub(crate) const BLAST_RADIUS: &str = "blast_radius";
/// What these edges name as their collector.
const NAME: &str = "cross_service_credential_chain";

pub(super) const PROCESSOR: Processor = Processor {
    name: NAME,
    purpose: "A secret that a trusted server is given is also valid elsewhere: at a service that holds further secrets, or at \
              another server.",
    reads: &[
        Reads::Edges(EdgeKind::HasAccessTo, &[]),
        Reads::Edges(EdgeKind::TrustsServer, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesTool, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesResource, &["origin"]),
        Reads::Edges(EdgeKind::ProvidesPrompt, &["origin"]),
        Reads::Edges(EdgeKind::RunsOn, &["origin"]),
        Reads::Edges(EdgeKind::HasEnvVar, &["origin", "risk_weight"]),
        Reads::Edges(EdgeKind::AuthenticatesWith, &[]),
        Reads::Edges(EdgeKind::UsesCredential, &[]),
        Reads::Edges(EdgeKind::ExposesCredential, &["risk_weight"]),
        Reads::Nodes(NodeKind::AgentInstance, &[]),
        Reads::Nodes(NodeKind::McpServer, &["auth_method", "transport"]),
        Reads::Nodes(NodeKind::McpTool, &["capability_surface"]),
        Reads::Nodes(NodeKind::McpResource, &["uri"]),
        Reads::Nodes(NodeKind::Credential, &["source", "value_hash", "value_known"]),
        Reads::Nodes(NodeKind::Host, &["hostname"]),
    ],
    writes: &[Writes::Edges(EdgeKind::CanReach), Writes::Property(BLAST_RADIUS)],
    run,
    holds: Some(holds),
};

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let chains = Chains::new(basis);
    let mut asked = stage.ways().asked(basis);
    let mut opened = chains.opened();
    let mut harvest = Harvest::default();
    for agent in basis.nodes(NodeKind::AgentInstance) {
        let found = chains.of(agent, &mut opened);
        for (target, way) in found.shown {
            let chain::Way { server, credential, copy, gateway, .. } = way;
            let detail = Detail::Reach(Reach::Chain { server, credential, copy, gateway });
            let edge = NewComposite { confidence: 0.95, weight: 0.1, collector: NAME, detail };
            harvest.add((agent, target), edge, &chain::path(agent, target, &way));
        }
        harvest.beyond(agent, found.beyond);
        let found = asked.reuse(agent);
        for (resource, way) in found.shown {
            let behind::Behind { credential, server, tool, .. } = way.behind;
            let reach = Reach::Credential { credential, server, tool };
            let edge = NewComposite { confidence: 0.6, weight: 0.1, collector: NAME, detail: Detail::Reach(reach) };
            harvest.add((agent, resource), edge, &behind::path(agent, resource, &way));
        }
        harvest.beyond(agent, found.beyond);
    }
    let properties = blast_radius(basis, &chains);
    Output { properties, ..Output::of_edges(EdgeKind::CanReach, harvest) }
}

fn holds(stage: &Stage<'_>, pairs: &[Pair]) -> Vec<bool> {
    let chains = Chains::new(stage.basis);
    let mut answers = Vec::with_capacity(pairs.len());
    for pairs in pairs.chunk_by(|a, b| a.0 == b.0) {
        let Some((agent, _)) = pairs.first().copied() else { continue };
        answers.extend(chains.lead_to(agent, pairs.iter().map(|(_, secret)| *secret)));
    }
    answers
}

/// How many agents trust a server that is given a secret which opens a service; written on every copy of the secret.
fn blast_radius(basis: &Basis<'_>, chains: &Chains<'_, '_>) -> NodeProperties {
    let mut secrets: BTreeMap<usize, Secret> = BTreeMap::new();
    for credential in basis.nodes(NodeKind::Credential) {
        let Some(value) = chains.value(credential) else { continue };
        let secret = secrets.entry(value).or_default();
        let servers = basis.view.incoming(EdgeKind::HasEnvVar, credential);
        let agents: Vec<NodeIx> =
            servers.flat_map(|(server, edge)| users(basis, server, basis.on(server, edge))).collect();
        secret.is_chained |= !agents.is_empty() && chains.opens(credential);
        secret.agents.extend(agents);
        secret.copies.push(credential);
    }
    let mut properties = NodeProperties::default();
    for secret in secrets.into_values().filter(|secret| secret.is_chained) {
        let count = i64::try_from(secret.agents.len()).unwrap_or(i64::MAX);
        for copy in secret.copies {
            properties.set(BLAST_RADIUS, copy, PropertyValue::Integer(count));
        }
    }
    properties
}

/// The agents that use a server on one of these machines.
fn users(basis: &Basis<'_>, server: NodeIx, on: On) -> impl Iterator<Item = NodeIx> {
    let trusts = basis.view.incoming(EdgeKind::TrustsServer, server);
    trusts.filter(move |(_, edge)| meet(&on, &basis.on(server, *edge))).map(|(agent, _)| agent)
}

/// All copies of one secret.
#[derive(Default)]
struct Secret {
    copies: Vec<NodeIx>,
    /// Whoever trusts a server that is given one of them.
    agents: BTreeSet<NodeIx>,
    /// Whether an agent gets on from one of them.
    is_chained: bool,
}
