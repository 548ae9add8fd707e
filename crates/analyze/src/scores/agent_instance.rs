//! Agents: what they are trusted with, what they reach, and who steers them.

use std::cmp::Reverse;

use tracehound_graph::NodeIx;
use tracehound_model::EdgeKind;

use super::ground::{Ground, Keeping, counted};
use super::points::Points;
use super::{Component, blast_radius};
use crate::basis::UNIT;

/// 0.30 · credential + 0.25 · blast_radius + 0.20 · auth_posture + 0.15 · tool_surface + 0.10 · poisoning.
pub(super) const FORMULA: &[Component] = &[
    Component { name: "credential", percent: 30, points: credential, why: why_credential },
    blast_radius::component(25),
    Component { name: "auth_posture", percent: 20, points: auth_posture, why: why_auth_posture },
    Component { name: "tool_surface", percent: 15, points: tool_surface, why: why_tool_surface },
    Component { name: "poisoning", percent: 10, points: poisoning, why: why_poisoning },
];

/// How many tools make the tool surface complete.
const TOOLS: usize = 20;

/// The worst that is done with secrets of trusted servers, and by which server.
fn worst(ground: &Ground<'_>, agent: NodeIx) -> Option<(Keeping, NodeIx)> {
    let servers = ground.basis.targets(EdgeKind::TrustsServer, agent);
    let kept = servers.map(|server| (ground.keeping(server), server));
    kept.max_by_key(|(keeping, server)| (keeping.rank(), Reverse(*server)))
}

fn credential(ground: &Ground<'_>, agent: NodeIx) -> Points {
    match worst(ground, agent) {
        Some((Keeping::Open(_), _)) => Points::ALL,
        Some((Keeping::Hidden, _)) => Points::whole(60),
        Some((Keeping::Nothing, _)) | None => Points::NONE,
    }
}

fn why_credential(ground: &Ground<'_>, agent: NodeIx) -> String {
    match worst(ground, agent) {
        Some((Keeping::Open(credential), server)) => format!(
            "the trusted server {} is given {}, {}",
            ground.quoted(server),
            ground.quoted(credential),
            ground.why_open(credential)
        ),
        Some((Keeping::Hidden, server)) => format!(
            "the trusted server {} is given a secret, but none that is hardcoded or looks like a real key",
            ground.quoted(server)
        ),
        Some((Keeping::Nothing, _)) | None => "no trusted server is given a secret".to_owned(),
    }
}

/// The sum of the weights of trust in millionths, and how many there are.
fn trust(ground: &Ground<'_>, agent: NodeIx) -> (u64, u64) {
    let edges = ground.basis.view.outgoing(EdgeKind::TrustsServer, agent);
    edges.fold((0, 0), |(sum, count), (_, edge)| (sum + ground.basis.cost(edge), count + 1))
}

fn auth_posture(ground: &Ground<'_>, agent: NodeIx) -> Points {
    let (sum, count) = trust(ground, agent);
    Points::ease(sum, count)
}

fn why_auth_posture(ground: &Ground<'_>, agent: NodeIx) -> String {
    let (sum, count) = trust(ground, agent);
    if count == 0 {
        return "it trusts no server".to_owned();
    }
    let mean = sum as f64 / UNIT / count as f64;
    let servers = counted(count as usize, "server");
    format!("it trusts {servers}, with a mean weight of {mean:.2}: 0.1 is no authentication, 0.9 a certificate")
}

/// The tools of trusted servers.
fn tools(ground: &Ground<'_>, agent: NodeIx, enough: usize) -> usize {
    let servers = ground.basis.targets(EdgeKind::TrustsServer, agent);
    Ground::distinct(servers.map(|server| ground.basis.targets(EdgeKind::ProvidesTool, server)), enough)
}

fn tool_surface(ground: &Ground<'_>, agent: NodeIx) -> Points {
    Points::each(tools(ground, agent, TOOLS), 5)
}

fn why_tool_surface(ground: &Ground<'_>, agent: NodeIx) -> String {
    format!("trusted servers offer {}", counted(tools(ground, agent, usize::MAX), "tool"))
}

fn poison(ground: &Ground<'_>, agent: NodeIx) -> Option<NodeIx> {
    let mut files = ground.basis.targets(EdgeKind::LoadsInstructions, agent);
    files.find(|file| ground.basis.is(*file, "is_suspicious"))
}

fn poisoning(ground: &Ground<'_>, agent: NodeIx) -> Points {
    poison(ground, agent).map_or(Points::NONE, |_| Points::ALL)
}

fn why_poisoning(ground: &Ground<'_>, agent: NodeIx) -> String {
    poison(ground, agent).map_or_else(
        || "no instruction file that it loads is suspicious".to_owned(),
        |file| format!("it loads {}, which is suspicious", ground.quoted(file)),
    )
}
