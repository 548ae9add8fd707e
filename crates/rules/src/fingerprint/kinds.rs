//! The kinds of services that a fingerprint can be for, by both of their names.

use tracehound_model::NodeKind;

/// The short names that services go by where a label would be clumsy.
const TAGS: &[(&str, NodeKind)] = &[
    ("ollama", NodeKind::OllamaInstance),
    ("vllm", NodeKind::VllmInstance),
    ("qdrant", NodeKind::QdrantInstance),
    ("mlflow", NodeKind::MlflowServer),
    ("litellm", NodeKind::LitellmGateway),
    ("jupyter", NodeKind::JupyterServer),
    ("langserve", NodeKind::LangserveApp),
    ("openwebui", NodeKind::OpenWebuiInstance),
];

/// The kind of service with this label (`OllamaInstance`) or short name (`ollama`).
#[must_use]
pub fn service_kind(name: &str) -> Option<NodeKind> {
    let by_tag = TAGS.iter().find(|(tag, _)| *tag == name).map(|(_, kind)| *kind);
    by_tag.or_else(|| NodeKind::from_name(name)).filter(|kind| kind.umbrella().is_some())
}

/// The short name of a kind of service.
#[must_use]
pub fn service_tag(kind: NodeKind) -> Option<&'static str> {
    TAGS.iter().find(|(_, of)| *of == kind).map(|(tag, _)| *tag)
}

/// Every name of every kind of service: labels first, as files should write them.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let services = NodeKind::ALL.iter().filter(|kind| kind.umbrella().is_some());
    services.map(|kind| kind.name()).chain(TAGS.iter().map(|(tag, _)| *tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_service_goes_by_its_label_and_its_tag_and_nothing_else_is_one() {
        let services: Vec<NodeKind> = NodeKind::ALL.iter().copied().filter(|kind| kind.umbrella().is_some()).collect();
        for kind in services {
            assert_eq!(service_kind(kind.name()), Some(kind));
            assert_eq!(service_tag(kind).and_then(service_kind), Some(kind), "{}", kind.name());
        }
        for other in ["AIService", "MCPServer", "Ollama", ""] {
            assert_eq!(service_kind(other), None, "{other}");
        }
    }
}
