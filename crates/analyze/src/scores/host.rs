//! Machines: who runs commands on them, from where they can be reached, and how much runs there.

use std::cmp::Reverse;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::Component;
use super::exposure::from;
use super::ground::Ground;
use super::points::Points;
use crate::words::demand;

/// 0.40 · execution + 0.30 · exposure + 0.30 · tenants.
pub(super) const FORMULA: &[Component] = &[
    Component { name: "execution", percent: 40, points: execution, why: why_execution },
    Component { name: "exposure", percent: 30, points: exposure, why: why_exposure },
    Component { name: "tenants", percent: 30, points: tenants, why: why_tenants },
];

/// The weakest server on the machine with a tool that runs commands: its weakness, itself and the tool.
fn weakest(ground: &Ground<'_>, host: NodeIx) -> Option<(u8, NodeIx, NodeIx)> {
    let tenants = ground.basis.sources(EdgeKind::RunsOn, host);
    let servers = tenants.filter(|tenant| ground.basis.view.kind(*tenant) == NodeKind::McpServer);
    let running =
        servers.filter_map(|server| Some((ground.basis.auth(server).weakness(), server, ground.runner(server)?)));
    running.max_by_key(|(weakness, server, _)| (*weakness, Reverse(*server)))
}

/// As many points as the authentication is weak.
fn execution(ground: &Ground<'_>, host: NodeIx) -> Points {
    weakest(ground, host).map_or(Points::NONE, |(weakness, _, _)| Points::whole(weakness))
}

fn why_execution(ground: &Ground<'_>, host: NodeIx) -> String {
    weakest(ground, host).map_or_else(
        || "no tool runs commands on it".to_owned(),
        |(_, server, tool)| {
            format!(
                "tool {} of server {}, which demands {} of its callers, runs commands on it",
                ground.quoted(tool),
                ground.quoted(server),
                demand(ground.basis.auth(server))
            )
        },
    )
}

fn exposure(ground: &Ground<'_>, host: NodeIx) -> Points {
    Points::whole(ground.basis.exposure(host).score())
}

fn why_exposure(ground: &Ground<'_>, host: NodeIx) -> String {
    format!("it can be reached {}", from(ground.basis.exposure(host)))
}

/// 10 points for everything that runs on it, 100 at most.
fn tenants(ground: &Ground<'_>, host: NodeIx) -> Points {
    Points::each(ground.basis.sources(EdgeKind::RunsOn, host).len(), 10)
}

fn why_tenants(ground: &Ground<'_>, host: NodeIx) -> String {
    match ground.basis.sources(EdgeKind::RunsOn, host).len() {
        0 => "nothing is known to run on it".to_owned(),
        1 => "1 server, agent or service runs on it".to_owned(),
        count => format!("{count} servers, agents and services run on it"),
    }
}
