//! What agents reach through the servers that they trust: directly, and through secrets that tools can read.
//!
//! Growth: see `reach::direct` and `reach::behind`.

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::reach::{Asked, behind};
use super::{Output, Pair, Processor, Reads, Stage, Writes};
use crate::basis::{Cost, cost};
use crate::derived::{Detail, Harvest, Hop, NewComposite, Reach};

pub(super) const PROCESSOR: Processor = Processor {
    name: "can_reach",
    purpose: "A chain of trust leads from an agent to a resource: through a tool, or through a secret that a tool can read.",
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
        Reads::Nodes(NodeKind::AgentInstance, &[]),
        Reads::Nodes(NodeKind::McpServer, &["auth_method", "transport"]),
        Reads::Nodes(NodeKind::McpTool, &["capability_surface"]),
        Reads::Nodes(NodeKind::McpResource, &["uri"]),
        Reads::Nodes(NodeKind::Credential, &["source"]),
        Reads::Nodes(NodeKind::Host, &["hostname"]),
    ],
    writes: &[Writes::Edges(EdgeKind::CanReach)],
    run,
    holds: Some(holds),
};

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let mut asked = stage.ways().asked(basis);
    let mut harvest = Harvest::default();
    for agent in basis.nodes(NodeKind::AgentInstance) {
        let found = asked.direct(agent);
        for (resource, way) in found.shown {
            let path = [
                Hop::along(EdgeKind::TrustsServer, agent, way.server),
                Hop::along(EdgeKind::ProvidesTool, way.server, way.tool),
                Hop::along(EdgeKind::HasAccessTo, way.tool, resource),
            ];
            let detail = Detail::Reach(Reach::Direct { server: way.server, tool: way.tool });
            let confidence = confidence(way.cost);
            harvest.add((agent, resource), NewComposite { confidence, weight: 0.1, collector: "mcp", detail }, &path);
        }
        harvest.beyond(agent, found.beyond);
        add_readings(&mut harvest, &mut asked, agent);
    }
    Output::of_edges(EdgeKind::CanReach, harvest)
}

fn holds(stage: &Stage<'_>, pairs: &[Pair]) -> Vec<bool> {
    let mut asked = stage.ways().asked(stage.basis);
    let mut answers = Vec::with_capacity(pairs.len());
    for pairs in pairs.chunk_by(|a, b| a.0 == b.0) {
        let Some((agent, _)) = pairs.first().copied() else { continue };
        answers.extend(asked.reaches(agent, pairs.iter().map(|(_, resource)| *resource)));
    }
    answers
}

fn add_readings(harvest: &mut Harvest, asked: &mut Asked<'_>, agent: NodeIx) {
    let found = asked.reading(agent);
    for (resource, way) in found.shown {
        let behind::Behind { credential, server, tool, .. } = way.behind;
        let reach = Reach::Credential { credential, server, tool };
        let edge = NewComposite { confidence: 0.6, weight: 0.1, collector: "mcp", detail: Detail::Reach(reach) };
        harvest.add((agent, resource), edge, &behind::path(agent, resource, &way));
    }
    harvest.beyond(agent, found.beyond);
}

/// The easier the server is to use, the surer it is that the agent can.
fn confidence(trust: Cost) -> f64 {
    match trust {
        trust if trust <= cost(0.1) => 1.0,
        trust if trust <= cost(0.3) => 0.8,
        _ => 0.5,
    }
}
