//! What was found on the network, as nodes and edges.

use serde_json::{Value, json};
use tracehound_model::{EdgeKind, NodeId, NodeKind};
use tracehound_rules::fingerprint::service_tag;

use super::look::{Looked, Open};
use crate::address::Address;
use crate::builder::{Basis, Builder, properties};

/// How sure it is that a service runs where it answers, and that what it says of others is so.
const CERTAIN: f64 = 1.0;
/// Whoever has a service has its machine, and the other way round.
const RUNS_ON: f64 = 0.1;
/// Who reaches a service reaches what it passes requests on to.
const EXPOSES: f64 = 0.2;

/// Adds a service and its machine.
pub(super) fn service(builder: &mut Builder, looked: &Looked, at: usize, base: &str) -> Option<NodeId> {
    let (kind, told, rules) = looked.services.get(at)?;
    let mut values = properties([
        ("name", json!(format!("{}:{}", looked.open.host, looked.open.port))),
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

/// Adds that a service passes requests on to another, which is added if need be. It is not contacted for that.
pub(super) fn exposes(builder: &mut Builder, from: (&NodeId, NodeKind), by: &str, (kind, base): (NodeKind, &str)) {
    let name = base.split_once("://").map_or(base, |(_, place)| place);
    let values = properties([
        ("name", json!(name)),
        ("endpoint", json!(base)),
        ("service_kind", json!(service_tag(kind))),
        ("discovered_via", json!("openwebui_config")),
    ]);
    let id = builder.node(NodeId::service(kind, base), kind, values);
    let host = builder.host(Some(&Address::of_url(base)));
    let evidence = format!("{by} names it in its settings");
    let basis = |weight| Basis { evidence: evidence.clone(), weight, confidence: CERTAIN, place: None };
    builder.edge(EdgeKind::RunsOn, (&id, kind), (&host, NodeKind::Host), basis(RUNS_ON), Default::default());
    builder.edge(EdgeKind::Exposes, from, (&id, kind), basis(EXPOSES), Default::default());
}
