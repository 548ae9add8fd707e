//! What was found on the network, as nodes and edges.

use serde_json::{Value, json};
use tracehound_model::{EdgeKind, NodeId, NodeKind};
use tracehound_rules::fingerprint::service_tag;

use super::look::{Looked, Open};
use super::named;
use crate::address::Address;
use crate::builder::{Basis, Builder, properties};

/// How sure it is that a service runs where it answers, and that what it says of others is so.
const CERTAIN: f64 = 1.0;
/// Whoever has a service has its machine, and the other way round.
const RUNS_ON: f64 = 0.1;
/// Who reaches a service reaches what it passes requests on to.
const EXPOSES: f64 = 0.2;
/// Where an Ollama listens if nobody says otherwise.
const OLLAMA_PORT: u16 = 11_434;

/// Adds a service, its machine, and the services that its own settings name.
pub(super) fn service(builder: &mut Builder, looked: &Looked, at: usize, base: &str) -> Option<NodeId> {
    let (kind, told, rules) = looked.services.get(at)?;
    let mut values = properties([
        ("name", json!(looked.open.host.trim_matches(['[', ']']))),
        ("endpoint", json!(base)),
        ("service_kind", json!(service_tag(*kind))),
        ("discovered_via", json!("network_scan")),
        ("recognised_by", json!(rules)),
        ("certificate_problem", looked.certificate_problem.as_ref().map_or(Value::Null, |problem| json!(problem))),
    ]);
    for (key, value) in told {
        values.insert(key.clone().into(), value.clone());
    }
    let id = builder.node(NodeId::service(*kind, base), *kind, values);
    runs_on(builder, &id, *kind, &looked.open);
    let backend = told.get("ollama_backend_url").and_then(Value::as_str);
    if let Some(backend) = backend.filter(|_| *kind == NodeKind::OpenWebuiInstance) {
        exposes(builder, (&id, *kind), base, backend);
    }
    Some(id)
}

/// Says that something runs on the machine that it was found at.
pub(super) fn runs_on(builder: &mut Builder, id: &NodeId, kind: NodeKind, open: &Open) {
    let address = Address::resolved(open.host.trim_matches(['[', ']']), open.address);
    let host = builder.host(Some(&address));
    let evidence = format!("it answered at port {} of {}", open.port, open.address);
    let basis = Basis { evidence, weight: RUNS_ON, confidence: CERTAIN, place: None };
    builder.edge(EdgeKind::RunsOn, (id, kind), (&host, NodeKind::Host), basis, Default::default());
}

/// Adds a model server that a service passes requests on to. It is not contacted for that.
pub(super) fn exposes(builder: &mut Builder, from: (&NodeId, NodeKind), by: &str, named: &str) {
    let Some(base) = named::base_url(named, by, OLLAMA_PORT) else { return };
    let kind = NodeKind::OllamaInstance;
    let name = Address::of_url(&base).text;
    let values = properties([
        ("name", json!(name)),
        ("endpoint", json!(base)),
        ("service_kind", json!(service_tag(kind))),
        ("discovered_via", json!("openwebui_config")),
    ]);
    let id = builder.node(NodeId::service(kind, &base), kind, values);
    let host = builder.host(Some(&Address::of_url(&base)));
    let evidence = format!("{by} names it in its settings");
    let basis = |weight| Basis { evidence: evidence.clone(), weight, confidence: CERTAIN, place: None };
    builder.edge(EdgeKind::RunsOn, (&id, kind), (&host, NodeKind::Host), basis(RUNS_ON), Default::default());
    builder.edge(EdgeKind::Exposes, from, (&id, kind), basis(EXPOSES), Default::default());
}
