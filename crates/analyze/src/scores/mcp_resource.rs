//! Resources: how sensitive they are, how many agents reach them, and how weak what provides them is.

use std::cmp::Reverse;

use tracehound_graph::NodeIx;
use tracehound_model::EdgeKind;

use super::Component;
use super::ground::{Ground, counted};
use super::points::Points;
use crate::basis::Sensitivity;
use crate::processors::REACHED_BY;
use crate::words::demand;

/// 0.45 · sensitivity + 0.30 · reached_by + 0.25 · guard.
pub(super) const FORMULA: &[Component] = &[
    Component { name: "sensitivity", percent: 45, points: sensitivity, why: why_sensitivity },
    Component { name: "reached_by", percent: 30, points: reached_by, why: why_reached_by },
    Component { name: "guard", percent: 25, points: guard, why: why_guard },
];

fn sensitivity(ground: &Ground<'_>, resource: NodeIx) -> Points {
    Points::whole(ground.basis.sensitivity(resource).score())
}

fn why_sensitivity(ground: &Ground<'_>, resource: NodeIx) -> String {
    match ground.basis.sensitivity(resource) {
        Sensitivity::Unknown => "nobody knows how sensitive it is".to_owned(),
        known => format!("its sensitivity is {}", known.name()),
    }
}

/// 10 points for each agent, 100 at most.
fn reached_by(ground: &Ground<'_>, resource: NodeIx) -> Points {
    Points::each(ground.written(resource, REACHED_BY), 10)
}

fn why_reached_by(ground: &Ground<'_>, resource: NodeIx) -> String {
    match ground.written(resource, REACHED_BY) {
        0 => "no agent reaches it".to_owned(),
        1 => "1 agent reaches it".to_owned(),
        number => format!("{} reach it", counted(number, "agent")),
    }
}

/// The weakest of those that provide it.
fn weakest(ground: &Ground<'_>, resource: NodeIx) -> Option<NodeIx> {
    let providers = ground.basis.sources(EdgeKind::ProvidesResource, resource);
    providers.max_by_key(|provider| (ground.basis.auth(*provider).weakness(), Reverse(*provider)))
}

/// As many points as the authentication is weak.
fn guard(ground: &Ground<'_>, resource: NodeIx) -> Points {
    weakest(ground, resource).map_or(Points::NONE, |provider| Points::whole(ground.basis.auth(provider).weakness()))
}

fn why_guard(ground: &Ground<'_>, resource: NodeIx) -> String {
    weakest(ground, resource).map_or_else(
        || "nobody knows who provides it".to_owned(),
        |provider| {
            let demanded = demand(ground.basis.auth(provider));
            format!("{} provides it and demands {demanded} of its callers", ground.quoted(provider))
        },
    )
}
