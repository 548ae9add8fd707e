//! Agents on the network: who may call them, what they reach, to whom they delegate, and who looks like them.

use tracehound_graph::NodeIx;
use tracehound_model::EdgeKind;

use super::ground::{Ground, counted};
use super::points::Points;
use super::{Component, auth_strength, blast_radius};

/// 0.30 · auth_strength + 0.30 · blast_radius + 0.25 · delegation + 0.15 · impersonation.
pub(super) const FORMULA: &[Component] = &[
    auth_strength::component(30),
    blast_radius::component(30),
    Component { name: "delegation", percent: 25, points: delegation, why: why_delegation },
    Component { name: "impersonation", percent: 15, points: impersonation, why: why_impersonation },
];

/// How many look-alikes are enough for all points.
const ALIKE: usize = 4;

fn delegates(ground: &Ground<'_>, agent: NodeIx) -> usize {
    ground.basis.targets(EdgeKind::DelegatesTo, agent).len()
}

fn delegation(ground: &Ground<'_>, agent: NodeIx) -> Points {
    Points::each(delegates(ground, agent), 20)
}

fn why_delegation(ground: &Ground<'_>, agent: NodeIx) -> String {
    format!("it delegates to {}", counted(delegates(ground, agent), "agent"))
}

/// Agents with like skills, in either direction.
fn alike(ground: &Ground<'_>, agent: NodeIx, enough: usize) -> usize {
    let (as_them, as_it) = (
        ground.derived.outgoing(EdgeKind::CanImpersonate, agent),
        ground.derived.incoming(EdgeKind::CanImpersonate, agent),
    );
    Ground::distinct([as_them, as_it].into_iter().map(|edges| edges.map(|(other, _)| other)), enough)
}

fn impersonation(ground: &Ground<'_>, agent: NodeIx) -> Points {
    Points::each(alike(ground, agent, ALIKE), 25)
}

/// Likeness goes both ways, so a count that goes beyond what is written down is that of one direction.
fn why_impersonation(ground: &Ground<'_>, agent: NodeIx) -> String {
    let all = ground.derived.of(EdgeKind::CanImpersonate).count(agent) as usize;
    let number = alike(ground, agent, usize::MAX).max(all);
    match number {
        0 => "no other agent's skills read like its own".to_owned(),
        number => format!("its skills read like those of {}", counted(number, "other agent")),
    }
}
