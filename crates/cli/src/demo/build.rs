//! Putting sample documents together.

use serde_json::{Value, json};
use tracehound_model::wire::{Covers, Document, Properties};
use tracehound_model::{Collector, EdgeKind, NodeId, NodeKind, hash};

/// A document in the making, with what every edge of it says.
pub(super) struct Sample {
    document: Document,
    origin: &'static str,
}

/// A tool as a server describes it.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) capabilities: &'static [&'static str],
    pub(super) arguments: &'static [&'static str],
}

/// A thing in a document: its id and kind.
#[derive(Clone)]
pub(super) struct Thing(pub(super) NodeId, pub(super) NodeKind);

impl Sample {
    pub(super) fn new(scan_id: &str, timestamp: &str, origin: &'static str) -> Self {
        let mut document = Document::new(Collector::Scan, scan_id, timestamp);
        document.meta.extra.origin = Some(origin.to_owned());
        document.meta.extra.covers = Some(Covers::default());
        Self { document, origin }
    }

    pub(super) fn finish(self) -> Document {
        self.document
    }

    /// Says that a thing was read to the end.
    pub(super) fn covers(&mut self, thing: &Thing) {
        if let Some(covers) = &mut self.document.meta.extra.covers {
            covers.nodes.push(thing.0.clone());
        }
    }

    pub(super) fn node(&mut self, id: NodeId, kind: NodeKind, properties: Value) -> Thing {
        self.document.node(id.clone(), kind, members(properties));
        Thing(id, kind)
    }

    pub(super) fn edge(&mut self, kind: EdgeKind, from: &Thing, to: &Thing, weight: f64, evidence: &str) {
        let properties = json!({
            "scan_id": self.document.meta.scan_id,
            "last_seen": self.document.meta.timestamp,
            "confidence": 1.0,
            "risk_weight": weight,
            "is_composite": false,
            "evidence": evidence,
            "origin": self.origin,
        });
        self.document.edge(kind, (&from.0, from.1), (&to.0, to.1), members(properties));
    }

    /// The machine that the document speaks for.
    pub(super) fn machine(&mut self) -> Thing {
        let properties =
            json!({ "hostname": self.origin, "ip": "", "is_local": true, "is_private": false, "is_public": false });
        self.node(NodeId::host(self.origin), NodeKind::Host, properties)
    }

    /// A client and its configuration file.
    pub(super) fn client(&mut self, client: &str, path: &str, servers: u32) -> (Thing, Thing) {
        let file = NodeId::config_file(path);
        let file =
            self.node(file, NodeKind::ConfigFile, json!({ "path": path, "client": client, "server_count": servers }));
        let agent = self.node(
            NodeId::agent_instance(&file.0, client),
            NodeKind::AgentInstance,
            json!({ "name": client, "framework": client, "config_path": path }),
        );
        self.covers(&file);
        (file, agent)
    }

    /// A server that a client starts as a command.
    pub(super) fn stdio_server(&mut self, name: &str, command: &str, args: &[&str], host: &Thing) -> Thing {
        let properties = json!({
            "name": name, "endpoint": command, "transport": "stdio", "auth_method": "none",
            "is_pinned": args.iter().any(|arg| arg.contains("@2") || arg.contains("==")),
        });
        let server = self.node(NodeId::stdio_server(command, args), NodeKind::McpServer, properties);
        self.edge(EdgeKind::RunsOn, &server, host, 0.0, "a command runs where its client runs");
        self.covers(&server);
        server
    }

    /// That a client's configuration names a server.
    pub(super) fn trusts(&mut self, (file, agent): &(Thing, Thing), server: &Thing, weight: f64) {
        self.edge(EdgeKind::TrustsServer, agent, server, weight, "the client's configuration names the server");
        self.edge(EdgeKind::ConfiguredIn, server, file, 0.0, "the server stands in this file");
    }

    pub(super) fn tool(&mut self, server: &Thing, tool: &Tool) -> Thing {
        let arguments: serde_json::Map<String, Value> =
            tool.arguments.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" }))).collect();
        let schema = json!({ "type": "object", "properties": arguments });
        let schema_text = tracehound_model::canonical::text(&schema);
        let properties = json!({
            "name": tool.name,
            "description": tool.description,
            "description_hash": hash::tool_description(tool.name, tool.description, Some(&schema)),
            "input_schema_hash": hash::content(&schema_text),
            "input_schema": schema_text,
            "capability_surface": tool.capabilities,
            "schema_keys": tool.arguments,
        });
        let node = self.node(NodeId::mcp_tool(&server.0, tool.name), NodeKind::McpTool, properties);
        self.edge(EdgeKind::ProvidesTool, server, &node, 0.1, "listed by the server");
        node
    }

    pub(super) fn resource(&mut self, server: &Thing, uri: &str, sensitivity: &str) -> Thing {
        let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
        let properties = json!({ "uri": uri, "name": uri, "uri_scheme": scheme, "sensitivity": sensitivity });
        let node = self.node(NodeId::mcp_resource(&server.0, uri), NodeKind::McpResource, properties);
        self.edge(EdgeKind::ProvidesResource, server, &node, 0.2, "listed by the server");
        node
    }

    /// A secret, known by the hash of its value.
    pub(super) fn credential(&mut self, source: &str, name: &str, secret: &str, kind: &str) -> Thing {
        let properties = json!({
            "name": name, "source": source, "type": kind, "value_hash": hash::credential_value(secret),
            "value_known": true, "is_exposed": kind == "hardcoded", "high_entropy": kind == "hardcoded",
        });
        self.node(NodeId::credential(source, name), NodeKind::Credential, properties)
    }
}

fn members(properties: Value) -> Properties {
    match properties {
        Value::Object(members) => members.into_iter().map(|(key, value)| (key.into(), value)).collect(),
        _ => Properties::new(),
    }
}
