//! Tool servers: who may call them, what their tools can do, from where they can be reached, and how they keep secrets.

use std::cmp::Reverse;

use tracehound_graph::NodeIx;
use tracehound_model::EdgeKind;

use super::ground::{Ground, Keeping, counted};
use super::points::Points;
use super::{Component, auth_strength, exposure};

/// 0.35 · auth_strength + 0.25 · tool_risk + 0.20 · exposure + 0.20 · credential_handling.
pub(super) const FORMULA: &[Component] = &[
    auth_strength::component(35),
    Component { name: "tool_risk", percent: 25, points: tool_risk, why: why_tool_risk },
    exposure::component(20),
    Component { name: "credential_handling", percent: 20, points: credential_handling, why: why_credential_handling },
];

/// The most dangerous tool, and its risk.
fn worst_tool(ground: &Ground<'_>, server: NodeIx) -> Option<(u8, NodeIx)> {
    let tools = ground.basis.targets(EdgeKind::ProvidesTool, server);
    let risks = tools.map(|tool| (ground.basis.capabilities(tool).risk(), tool));
    risks.max_by_key(|(risk, tool)| (*risk, Reverse(*tool)))
}

fn tool_risk(ground: &Ground<'_>, server: NodeIx) -> Points {
    worst_tool(ground, server).map_or(Points::NONE, |(risk, _)| Points::whole(risk))
}

fn why_tool_risk(ground: &Ground<'_>, server: NodeIx) -> String {
    let Some((_, tool)) = worst_tool(ground, server) else { return "it offers no tool".to_owned() };
    match ground.basis.capabilities(tool).iter().max_by_key(|capability| (capability.risk(), Reverse(*capability))) {
        Some(capability) => {
            format!("its most dangerous tool is {}, because of {}", ground.quoted(tool), capability.name())
        }
        None => "of none of its tools it is known what they can do".to_owned(),
    }
}

fn credential_handling(ground: &Ground<'_>, server: NodeIx) -> Points {
    match ground.keeping(server) {
        Keeping::Open(_) => Points::ALL,
        Keeping::Hidden => Points::whole(50),
        Keeping::Nothing => Points::NONE,
    }
}

fn why_credential_handling(ground: &Ground<'_>, server: NodeIx) -> String {
    match ground.keeping(server) {
        Keeping::Open(credential) => {
            format!("it is given {}, {}", ground.quoted(credential), ground.why_open(credential))
        }
        Keeping::Hidden => {
            let count = ground.basis.targets(EdgeKind::HasEnvVar, server).len();
            format!("it is given {}, but none that is hardcoded or looks like a real key", counted(count, "secret"))
        }
        Keeping::Nothing => "it is given no secret".to_owned(),
    }
}
