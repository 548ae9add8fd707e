//! Risk scores with their components.
//!
//! Growth: linear in nodes and in the edges that stand right beside them. Where a count has a limit beyond which it no longer
//! matters, it ends there, so that a server with very many tools is not counted again for each agent that trusts it.

use tracehound_graph::PropertyValue;
use tracehound_model::{EdgeKind, NodeKind};

use super::{ACCESS_SENSITIVITY, BLAST_RADIUS, NodeProperties, Output, Processor, REACHED_BY, Reads, Stage, Writes};
use crate::scores::{Ground, RISK_COMPONENTS, RISK_SCORE, components, formula, points_of, total};

pub(super) const PROCESSOR: Processor = Processor {
    name: "risk_score",
    purpose: "How dangerous a node is, from 0 to 100, and what that is made of.",
    reads: &[
        Reads::Nodes(NodeKind::AgentInstance, &[]),
        Reads::Nodes(NodeKind::McpServer, &["auth_method"]),
        Reads::Nodes(
            NodeKind::McpTool,
            &["capability_surface", "has_cross_references", "has_injection_patterns", "input_schema"],
        ),
        Reads::Nodes(NodeKind::A2aAgent, &["auth_method"]),
        Reads::Nodes(NodeKind::McpResource, &["sensitivity"]),
        Reads::Nodes(NodeKind::Credential, &["high_entropy", "type", "value_known"]),
        Reads::Nodes(NodeKind::Host, &["is_local", "is_private", "is_public"]),
        Reads::Nodes(NodeKind::InstructionFile, &["is_suspicious"]),
        Reads::Nodes(NodeKind::OllamaInstance, &["auth_method"]),
        Reads::Nodes(NodeKind::VllmInstance, &["auth_method"]),
        Reads::Nodes(NodeKind::QdrantInstance, &["auth_method"]),
        Reads::Nodes(NodeKind::MlflowServer, &["auth_method"]),
        Reads::Nodes(NodeKind::LitellmGateway, &["auth_method"]),
        Reads::Nodes(NodeKind::JupyterServer, &["auth_method"]),
        Reads::Nodes(NodeKind::LangserveApp, &["auth_method"]),
        Reads::Nodes(NodeKind::OpenWebuiInstance, &["auth_method"]),
        Reads::Nodes(NodeKind::AiService, &["auth_method"]),
        Reads::Edges(EdgeKind::TrustsServer, &[]),
        Reads::Edges(EdgeKind::ProvidesTool, &[]),
        Reads::Edges(EdgeKind::ProvidesResource, &[]),
        Reads::Edges(EdgeKind::RunsOn, &[]),
        Reads::Edges(EdgeKind::HasEnvVar, &[]),
        Reads::Edges(EdgeKind::LoadsInstructions, &[]),
        Reads::Edges(EdgeKind::DelegatesTo, &[]),
        Reads::Edges(EdgeKind::UsesCredential, &[]),
        Reads::Edges(EdgeKind::Exposes, &[]),
        Reads::Edges(EdgeKind::ExposesCredential, &[]),
        Reads::Edges(EdgeKind::CanReach, &[]),
        Reads::Edges(EdgeKind::CanImpersonate, &[]),
        Reads::Property(ACCESS_SENSITIVITY),
        Reads::Property(BLAST_RADIUS),
        Reads::Property(REACHED_BY),
    ],
    writes: &[Writes::Property(RISK_SCORE), Writes::Property(RISK_COMPONENTS)],
    run,
    holds: None,
};

fn run(stage: &Stage<'_>) -> Output {
    let ground = Ground::of_stage(stage);
    let mut properties = NodeProperties::default();
    for kind in NodeKind::ALL {
        let Some(formula) = formula(*kind) else { continue };
        for node in stage.basis.nodes(*kind) {
            let points = points_of(formula, &ground, node);
            properties.set(RISK_SCORE, node, PropertyValue::Float(total(formula, &points)));
            properties.set(RISK_COMPONENTS, node, PropertyValue::Text(components(formula, &points).into()));
        }
    }
    Output { properties, ..Output::default() }
}
