//! Zones of trust: what can be reached from equally far away, and whether strangers are let in.
//!
//! What is known of machines decides; of several machines the most exposed. Where nothing is known, a server that is started
//! as a command is local, and an address says from where it can be reached. What is left counts as private. A public machine is
//! as open as the most open thing that runs on it.
//!
//! Growth: linear in servers, agents, services, machines and the edges between them.

use std::collections::BTreeMap;

use tracehound_graph::{NodeIx, PropertyValue};
use tracehound_model::{EdgeKind, NodeId, NodeKind};

use super::auth_strength::CALLED;
use super::{Output, Processor, Reads, Stage, Synthetic, Writes};
use crate::basis::{Basis, Exposure};

/// The property that names a node's zone.
const TRUST_ZONE: &str = "trust_zone";

const OF_SERVICES: &[&str] = &["auth_method", "endpoint"];

pub(super) const PROCESSOR: Processor = Processor {
    name: "trust_zones",
    purpose: "Servers, agents, services and machines by exposure and authentication.",
    reads: &[
        Reads::Nodes(NodeKind::McpServer, &["auth_method", "endpoint", "transport"]),
        Reads::Nodes(NodeKind::A2aAgent, &["auth_method", "url"]),
        Reads::Nodes(NodeKind::OllamaInstance, OF_SERVICES),
        Reads::Nodes(NodeKind::VllmInstance, OF_SERVICES),
        Reads::Nodes(NodeKind::QdrantInstance, OF_SERVICES),
        Reads::Nodes(NodeKind::MlflowServer, OF_SERVICES),
        Reads::Nodes(NodeKind::LitellmGateway, OF_SERVICES),
        Reads::Nodes(NodeKind::JupyterServer, OF_SERVICES),
        Reads::Nodes(NodeKind::LangserveApp, OF_SERVICES),
        Reads::Nodes(NodeKind::OpenWebuiInstance, OF_SERVICES),
        Reads::Nodes(NodeKind::AiService, OF_SERVICES),
        Reads::Nodes(NodeKind::Host, &["hostname", "ip", "is_local", "is_private", "is_public"]),
        Reads::Edges(EdgeKind::RunsOn, &[]),
    ],
    writes: &[Writes::Nodes(NodeKind::TrustZone), Writes::Property(TRUST_ZONE)],
    run,
    holds: None,
};

/// A zone; the more exposed is the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Zone {
    Local,
    Private,
    Public,
    PublicUnauthenticated,
}

impl Zone {
    const fn of(exposure: Exposure, is_unauthenticated: bool) -> Self {
        match exposure {
            Exposure::Local => Self::Local,
            Exposure::Private | Exposure::Unknown => Self::Private,
            Exposure::Public if is_unauthenticated => Self::PublicUnauthenticated,
            Exposure::Public => Self::Public,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Private => "private",
            Self::Public => "public",
            Self::PublicUnauthenticated => "public-unauthenticated",
        }
    }
}

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let mut zones: BTreeMap<Zone, Vec<NodeIx>> = BTreeMap::new();
    for node in CALLED.iter().flat_map(|kind| basis.nodes(*kind)) {
        zones.entry(Zone::of(exposure(basis, node), is_unauthenticated(basis, node))).or_default().push(node);
    }
    for host in basis.nodes(NodeKind::Host) {
        let is_open = || basis.sources(EdgeKind::RunsOn, host).any(|tenant| is_unauthenticated(basis, tenant));
        let exposure = of_host(basis, host);
        zones.entry(Zone::of(exposure, exposure == Exposure::Public && is_open())).or_default().push(host);
    }
    let mut output = Output::default();
    for (zone, members) in zones {
        let node = zone_node(zone, members.len());
        for member in members {
            output.properties.set(TRUST_ZONE, member, PropertyValue::Text(node.id.as_str().to_owned().into()));
        }
        output.nodes.push(node);
    }
    output
}

fn zone_node(zone: Zone, count: usize) -> Synthetic {
    Synthetic {
        id: NodeId::trust_zone(zone.name()),
        kind: NodeKind::TrustZone,
        properties: BTreeMap::from([
            ("name", PropertyValue::Text(zone.name().into())),
            ("level", PropertyValue::Integer(zone as i64)),
            ("node_count", PropertyValue::Integer(i64::try_from(count).unwrap_or(i64::MAX))),
        ]),
    }
}

/// Whether callers are asked for nothing. A way to authenticate that nobody knows counts as none, as it does in scores.
fn is_unauthenticated(basis: &Basis<'_>, node: NodeIx) -> bool {
    basis.auth(node).weakness() == 100
}

fn exposure(basis: &Basis<'_>, node: NodeIx) -> Exposure {
    let on_machines = basis.targets(EdgeKind::RunsOn, node).map(|host| of_host(basis, host)).max();
    let is_command = || basis.text(node, "transport").as_deref() == Some("stdio");
    match (on_machines.unwrap_or_default(), basis.view.kind(node)) {
        (Exposure::Unknown, NodeKind::McpServer) if is_command() => Exposure::Local,
        (Exposure::Unknown, NodeKind::A2aAgent) => by_address(basis, node, &["url"]),
        (Exposure::Unknown, _) => by_address(basis, node, &["endpoint"]),
        (known, _) => known,
    }
}

fn of_host(basis: &Basis<'_>, host: NodeIx) -> Exposure {
    match basis.exposure(host) {
        Exposure::Unknown => by_address(basis, host, &["hostname", "ip"]),
        known => known,
    }
}

fn by_address(basis: &Basis<'_>, node: NodeIx, keys: &[&str]) -> Exposure {
    let addresses = keys.iter().filter_map(|key| basis.text(node, key));
    addresses.map(|address| Exposure::of_address(&address)).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tracehound_graph::{Limits, Moment, View as _, graph_of};

    use super::*;
    use crate::{Analysis, Picture};

    /// One node, and a machine that it runs on if there is one.
    #[track_caller]
    fn check(kind: NodeKind, properties: Value, host: Option<Value>, expected: &str) {
        let mut nodes = vec![json!({ "id": "n", "kinds": [kind.name()], "properties": properties })];
        nodes.extend(host.iter().map(|host| json!({ "id": "h", "kinds": ["Host"], "properties": host })));
        let edge = json!({ "source": "n", "target": "h", "kind": EdgeKind::RunsOn.name(), "properties": {} });
        let document = json!({
            "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": "s",
                      "timestamp": "2026-01-01T00:00:00Z" },
            "graph": { "nodes": nodes, "edges": host.iter().map(|_| edge.clone()).collect::<Vec<_>>() },
        });
        let graph = graph_of(document.to_string().as_bytes(), &Limits::default(), Moment(0)).unwrap();
        let analysis = Analysis::of(&graph);
        let picture = Picture::new(&graph, &analysis);
        let id = picture.property(picture.find("n").unwrap(), TRUST_ZONE).unwrap();
        assert_eq!(id.as_text(), Some(NodeId::trust_zone(expected).as_str()));
        let zone = picture.find(id.as_text().unwrap()).unwrap();
        assert_eq!(picture.property(zone, "name").unwrap().as_text(), Some(expected));
        let members: f64 = analysis
            .nodes_of(NodeKind::TrustZone)
            .filter_map(|zone| zone.properties.get("node_count")?.as_number())
            .sum();
        assert_eq!(members as usize, nodes.len());
    }

    #[test]
    fn machines_decide_then_transports_then_addresses() {
        let server = NodeKind::McpServer;
        check(server, json!({}), Some(json!({ "is_public": true, "is_local": true })), "public-unauthenticated");
        check(server, json!({ "auth_method": "oauth" }), Some(json!({ "is_public": true })), "public");
        check(
            server,
            json!({ "auth_method": "telepathy" }),
            Some(json!({ "is_public": true })),
            "public-unauthenticated",
        );
        check(server, json!({}), Some(json!({ "is_private": true })), "private");
        check(
            server,
            json!({ "transport": "stdio" }),
            Some(json!({ "hostname": "8.8.8.8" })),
            "public-unauthenticated",
        );
        check(server, json!({ "transport": "stdio" }), None, "local");
        check(
            server,
            json!({ "transport": "http", "endpoint": "https://mcp.example.com/x" }),
            None,
            "public-unauthenticated",
        );
        check(server, json!({ "transport": "http" }), None, "private");
        check(NodeKind::A2aAgent, json!({ "url": "http://localhost:9" }), None, "local");
        check(NodeKind::QdrantInstance, json!({ "endpoint": "http://10.0.0.7:6333" }), None, "private");
        check(NodeKind::Host, json!({ "hostname": "www.example.com" }), None, "public");
    }

    #[test]
    fn levels_grow_with_exposure() {
        let zones = [Zone::Local, Zone::Private, Zone::Public, Zone::PublicUnauthenticated];
        assert_eq!(zones.map(|zone| zone as i64), [0, 1, 2, 3]);
    }
}
