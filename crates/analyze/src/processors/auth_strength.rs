//! How weak the authentication of servers, agents and services is.
//!
//! Growth: linear in those nodes.

use tracehound_graph::PropertyValue;
use tracehound_model::NodeKind;

use super::{NodeProperties, Output, Processor, Reads, Stage, Writes};

/// The property that is written: from 10 to 100, and higher is weaker.
pub(crate) const KEY: &str = "auth_strength";

/// The kinds that others call, and what is read of them.
pub(crate) const CALLED: &[NodeKind] = &[
    NodeKind::McpServer,
    NodeKind::A2aAgent,
    NodeKind::OllamaInstance,
    NodeKind::VllmInstance,
    NodeKind::QdrantInstance,
    NodeKind::MlflowServer,
    NodeKind::LitellmGateway,
    NodeKind::JupyterServer,
    NodeKind::LangserveApp,
    NodeKind::OpenWebuiInstance,
    NodeKind::AiService,
];

pub(super) const PROCESSOR: Processor = Processor {
    name: "auth_strength",
    purpose: "How weak the authentication of a server, agent or service is; what is absent counts as none.",
    reads: &[
        Reads::Nodes(NodeKind::McpServer, &["auth_method"]),
        Reads::Nodes(NodeKind::A2aAgent, &["auth_method"]),
        Reads::Nodes(NodeKind::OllamaInstance, &["auth_method"]),
        Reads::Nodes(NodeKind::VllmInstance, &["auth_method"]),
        Reads::Nodes(NodeKind::QdrantInstance, &["auth_method"]),
        Reads::Nodes(NodeKind::MlflowServer, &["auth_method"]),
        Reads::Nodes(NodeKind::LitellmGateway, &["auth_method"]),
        Reads::Nodes(NodeKind::JupyterServer, &["auth_method"]),
        Reads::Nodes(NodeKind::LangserveApp, &["auth_method"]),
        Reads::Nodes(NodeKind::OpenWebuiInstance, &["auth_method"]),
        Reads::Nodes(NodeKind::AiService, &["auth_method"]),
    ],
    writes: &[Writes::Property(KEY)],
    run,
    holds: None,
};

fn run(stage: &Stage<'_>) -> Output {
    let mut properties = NodeProperties::default();
    for node in CALLED.iter().flat_map(|kind| stage.basis.nodes(*kind)) {
        let weakness = stage.basis.auth(node).weakness();
        properties.set(KEY, node, PropertyValue::Integer(i64::from(weakness)));
    }
    Output { properties, ..Output::default() }
}

#[cfg(test)]
mod tests {
    use tracehound_model::NodeRole;

    use super::*;

    #[test]
    fn every_service_is_called() {
        let called = |kind: &NodeKind| matches!(kind.role(), NodeRole::Service | NodeRole::Umbrella);
        assert!(NodeKind::ALL.iter().filter(|kind| called(kind)).all(|kind| CALLED.contains(kind)));
        assert_eq!(PROCESSOR.reads.len(), CALLED.len());
    }
}
