//! AI services: who may call them, from where, which secrets they hold, and to whom they pass requests on.

use tracehound_graph::NodeIx;
use tracehound_model::EdgeKind;

use super::ground::{Ground, counted};
use super::points::Points;
use super::{Component, auth_strength, exposure};

/// 0.35 · auth_strength + 0.25 · exposure + 0.25 · secrets_held + 0.15 · passing_on.
pub(super) const FORMULA: &[Component] = &[
    auth_strength::component(35),
    exposure::component(25),
    Component { name: "secrets_held", percent: 25, points: secrets_held, why: why_secrets_held },
    Component { name: "passing_on", percent: 15, points: passing_on, why: why_passing_on },
];

fn secrets(ground: &Ground<'_>, service: NodeIx) -> usize {
    ground.basis.targets(EdgeKind::ExposesCredential, service).len()
}

/// 25 points for each secret, 100 at most.
fn secrets_held(ground: &Ground<'_>, service: NodeIx) -> Points {
    Points::each(secrets(ground, service), 25)
}

fn why_secrets_held(ground: &Ground<'_>, service: NodeIx) -> String {
    format!("it holds {}", counted(secrets(ground, service), "secret"))
}

fn others(ground: &Ground<'_>, service: NodeIx) -> usize {
    ground.basis.targets(EdgeKind::Exposes, service).len()
}

/// 50 points for each service behind it, 100 at most.
fn passing_on(ground: &Ground<'_>, service: NodeIx) -> Points {
    Points::each(others(ground, service), 50)
}

fn why_passing_on(ground: &Ground<'_>, service: NodeIx) -> String {
    format!("it passes requests on to {}", counted(others(ground, service), "service"))
}
