//! The nodes and edges of one instruction file.

use serde_json::json;
use tracehound_model::wire::Properties;
use tracehound_model::{EdgeKind, NodeId, NodeKind};

use super::loads::Agent;
use crate::builder::{Basis, Builder, properties};
use crate::config::Position;
use crate::instructions::InstructionFacts;

/// The file itself.
pub(super) fn file(builder: &mut Builder, path: &str, r#type: &str, facts: &InstructionFacts) -> NodeId {
    let mut values = properties([
        ("path", json!(path)),
        ("type", json!(r#type)),
        ("hash", json!(facts.hash)),
        ("is_suspicious", json!(facts.is_suspicious)),
    ]);
    if let Some(at) = facts.at {
        values.extend(properties([("line", json!(at.line)), ("column", json!(at.column))]));
    }
    builder.node(NodeId::instruction_file(path), NodeKind::InstructionFile, values)
}

/// An agent takes an instruction file into its context.
pub(super) fn loads(builder: &mut Builder, agent: &Agent, file: &NodeId, path: &str, facts: &InstructionFacts) {
    let basis = Basis {
        evidence: format!("{} loads {path} on its own", agent.client),
        weight: if facts.is_suspicious { 0.5 } else { 0.0 },
        confidence: 1.0,
        place: Some((path, facts.at.unwrap_or(Position::START))),
    };
    let (from, to) = ((&agent.id, NodeKind::AgentInstance), (file, NodeKind::InstructionFile));
    builder.edge(EdgeKind::LoadsInstructions, from, to, basis, Properties::new());
}
