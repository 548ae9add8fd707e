//! Risk scores: how dangerous a node is, from 0 to 100, with every component that the score is made of.
//!
//! A score is a weighted sum. Each kind of node has a file with its components: what each is worth, how many points a node
//! has, and why, in plain words. `docs/scores.md` has all numbers in tables. Nothing here looks for paths: what is reached
//! has been derived before.

mod a2a_agent;
mod agent_instance;
mod ai_service;
mod auth_strength;
mod blast_radius;
mod credential;
mod exposure;
mod ground;
mod host;
mod mcp_resource;
mod mcp_server;
mod mcp_tool;
mod points;

use std::fmt::Write as _;

use tracehound_graph::{NodeIx, View as _};
use tracehound_model::{NodeKind, NodeRole};

pub(crate) use ground::Ground;

use crate::basis::Basis;
use crate::picture::Picture;
use points::Points;

/// The property that holds a node's score.
pub const RISK_SCORE: &str = "risk_score";
/// The property that holds the components of a node's score: JSON, name and points.
pub const RISK_COMPONENTS: &str = "risk_components";

/// Part of a formula.
pub(crate) struct Component {
    name: &'static str,
    /// What it is worth, in percent of the whole.
    percent: u64,
    points: fn(&Ground<'_>, NodeIx) -> Points,
    why: fn(&Ground<'_>, NodeIx) -> String,
}

/// The formula of a kind; none if nodes of the kind have no score. The weightiest component stands first.
pub(crate) const fn formula(kind: NodeKind) -> Option<&'static [Component]> {
    match kind {
        NodeKind::AgentInstance => Some(agent_instance::FORMULA),
        NodeKind::McpServer => Some(mcp_server::FORMULA),
        NodeKind::McpTool => Some(mcp_tool::FORMULA),
        NodeKind::A2aAgent => Some(a2a_agent::FORMULA),
        NodeKind::McpResource => Some(mcp_resource::FORMULA),
        NodeKind::Credential => Some(credential::FORMULA),
        NodeKind::Host => Some(host::FORMULA),
        kind if matches!(kind.role(), NodeRole::Service | NodeRole::Umbrella) => Some(ai_service::FORMULA),
        _ => None,
    }
}

/// A score, explained.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// From 0 to 100, with two decimals.
    pub total: f64,
    /// What it is made of, the weightiest first.
    pub parts: Vec<Part>,
}

/// A component of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// What it is worth; the weights of all components add up to 1.
    pub weight: f64,
    /// From 0 to 100.
    pub value: f64,
    /// Why it has this value, with names and numbers.
    pub why: String,
}

/// The score of a node with reasons; none for kinds that have no score.
///
/// Growth: linear in what stands right beside the node and beside the servers that it trusts.
#[must_use]
pub fn explain(picture: &Picture<'_>, node: NodeIx) -> Option<Score> {
    let formula = formula(picture.kind(node))?;
    let basis = Basis::on_demand(picture.view);
    let ground = Ground::new(&basis, &picture.analysis.derived, &picture.analysis.properties);
    let points = points_of(formula, &ground, node);
    let part = |(component, points): (&Component, &Points)| Part {
        name: component.name,
        weight: component.percent as f64 / 100.0,
        value: points.value(),
        why: (component.why)(&ground, node),
    };
    let parts = formula.iter().zip(&points).map(part).collect();
    Some(Score { total: total(formula, &points), parts })
}

/// The points of a node, component by component.
pub(crate) fn points_of(formula: &[Component], ground: &Ground<'_>, node: NodeIx) -> Vec<Points> {
    formula.iter().map(|component| (component.points)(ground, node)).collect()
}

/// The score that points add up to.
pub(crate) fn total(formula: &[Component], points: &[Points]) -> f64 {
    points::total(formula.iter().map(|component| component.percent).zip(points.iter().copied()))
}

/// The components as canonical JSON.
pub(crate) fn components(formula: &[Component], points: &[Points]) -> String {
    let mut named: Vec<(&str, f64)> =
        formula.iter().map(|component| component.name).zip(points.iter().map(|points| points.value())).collect();
    named.sort_unstable_by_key(|(name, _)| *name);
    let mut text = String::with_capacity(24 * named.len());
    for (position, (name, value)) in named.into_iter().enumerate() {
        let before = if position == 0 { '{' } else { ',' };
        // Writing to a text can't fail.
        let _ = write!(text, "{before}\"{name}\":{value}");
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests;
