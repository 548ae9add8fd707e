//! What was found, as documents.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Value, json};
use tracehound_model::wire::{Document, Node};
use tracehound_model::{Collector, NodeId, NodeKind};

use super::look::Looked;
use super::report::Service;
use super::scan::Found;
use super::watched::Watched;
use super::{emit, named};
use crate::builder::{Builder, Stamp};
use crate::detection::{Detection, DetectionError};
use crate::inventory::{Inventory, Named};
use crate::judge::Judge;

/// How a thing was found that nobody had named.
const DISCOVERED: &str = "network_scan";

/// Writes services.
pub(super) struct Writer<'d> {
    builder: Builder,
    judge: Judge<'d>,
    covered: Vec<NodeId>,
    gone: Vec<String>,
    /// What services name: who, at which base URL, and whom.
    named: Vec<(NodeId, NodeKind, String, Named)>,
}

impl<'d> Writer<'d> {
    pub(super) fn new(stamp: &Stamp, detection: &'d Detection) -> Result<Self, DetectionError> {
        let judge = Judge::new(detection)?;
        Ok(Self { builder: Builder::new(stamp), judge, covered: Vec::new(), gone: Vec::new(), named: Vec::new() })
    }

    /// Writes the services of a place.
    pub(super) fn services(&mut self, found: &mut Found) -> Vec<Service> {
        let Some(base) = found.looked.reading.as_ref().map(|reading| reading.base().to_owned()) else {
            return Vec::new();
        };
        let mut services = Vec::new();
        for at in 0..found.looked.services.len() {
            let Some(id) = emit::service(&mut self.builder, &found.looked, at, &base) else { continue };
            self.named.extend(backend(&found.looked, at, &id, &base));
            let inventory = found.inventories.get_mut(at).and_then(Option::take);
            services.extend(self.service(&id, found, at, &base, inventory));
        }
        services
    }

    fn service(
        &mut self,
        id: &NodeId,
        found: &Found,
        at: usize,
        base: &str,
        inventory: Option<Inventory>,
    ) -> Option<Service> {
        let (kind, told, rules) = found.looked.services.get(at)?;
        let mut service = Service {
            id: id.clone(),
            kind: *kind,
            endpoint: base.to_owned(),
            version: None,
            auth_method: None,
            is_anonymous_loot: told.get("is_anonymous_loot").and_then(Value::as_bool),
            certificate_problem: found.looked.certificate_problem.clone(),
            recognised_by: rules.clone(),
            holds: BTreeMap::new(),
            cut_short: Vec::new(),
            problems: found.looked.problems.clone(),
        };
        if let Some(inventory) = inventory {
            self.inventory(&mut service, base, inventory);
        }
        let judge = &mut self.judge;
        self.builder.change(id, |node| {
            let text = |key: &str| node.properties.get(key).and_then(Value::as_str).map(str::to_owned);
            (service.version, service.auth_method) = (text("version"), text("auth_method"));
            look(judge, node);
        });
        Some(service)
    }

    fn inventory(&mut self, service: &mut Service, base: &str, inventory: Inventory) {
        let is_anonymous = inventory.is_anonymous;
        let Inventory { mut builder, properties, problems, cut_short, is_whole, named, .. } = inventory;
        builder.change_all(NodeKind::AiModel, |model| look(&mut self.judge, model));
        service.holds = builder.kinds();
        let has_told = is_whole || !service.holds.is_empty();
        self.builder.absorb(builder);
        self.builder.change(&service.id, |node| {
            node.properties.extend(properties);
            node.properties.insert("cut_short".into(), json!(cut_short));
            // Whoever hands out what it has without being shown a key is open, whatever the rules could tell.
            if is_anonymous && has_told && !node.properties.contains_key("is_anonymous_loot") {
                node.properties.insert("is_anonymous_loot".into(), json!(true));
                node.properties.entry("auth_method".into()).or_insert(json!("none"));
            }
        });
        let own = |named| (service.id.clone(), service.kind, base.to_owned(), named);
        self.named.extend(named.into_iter().map(own));
        if is_whole {
            self.covered.push(service.id.clone());
        }
        service.problems.extend(problems);
        service.cut_short = cut_short;
    }

    /// Notes which of the services that were known are there no more.
    pub(super) fn forget(&mut self, watched: &Watched, found: &[Found]) {
        self.gone = watched.gone(found);
    }

    /// Connects services with those that they name: of a known kind, or found in this scan.
    pub(super) fn connect(&mut self, services: &[Service]) {
        let found: BTreeMap<&str, NodeKind> =
            services.iter().map(|service| (service.endpoint.as_str(), service.kind)).collect();
        for (id, kind, by, named) in std::mem::take(&mut self.named) {
            let Some(base) = named::base_url(&named.base, &by) else { continue };
            if let Some(to) = named.kind.or_else(|| found.get(base.as_str()).copied()) {
                emit::exposes(&mut self.builder, (&id, kind), &by, (to, &base));
            }
        }
    }

    pub(super) fn document(self) -> Document {
        let mut document = self.builder.document(Collector::Scan, self.covered);
        if let Some(covers) = &mut document.meta.extra.covers {
            covers.ports = self.gone;
        }
        document
    }
}

/// Lets rules look at every text of a thing.
fn look(judge: &mut Judge<'_>, node: &mut Node) {
    let text = |(key, value): (&Cow<'static, str>, &Value)| Some((key.to_string(), value.as_str()?.to_owned()));
    let texts: Vec<(String, String)> = node.properties.iter().filter_map(text).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
    judge.look(Collector::Network, node, &texts);
}

/// The model server that a service's own settings name.
fn backend(looked: &Looked, at: usize, id: &NodeId, base: &str) -> Option<(NodeId, NodeKind, String, Named)> {
    let (kind, told, _) = looked.services.get(at)?;
    let url = told.get("ollama_backend_url").and_then(Value::as_str)?;
    let named = Named { kind: Some(NodeKind::OllamaInstance), base: url.to_owned() };
    Some((id.clone(), *kind, base.to_owned(), named))
}

/// The MCP servers that were recognised.
pub(super) fn servers(stamp: &Stamp, builders: Vec<Builder>) -> Option<Document> {
    if builders.is_empty() {
        return None;
    }
    let mut whole = Builder::new(stamp);
    builders.into_iter().for_each(|builder| whole.absorb(builder));
    Some(discovered(whole.document(Collector::Mcp, Vec::new()), NodeKind::McpServer))
}

/// The agents whose cards were found.
pub(super) fn agents(document: Document) -> Document {
    discovered(document, NodeKind::A2aAgent)
}

/// Says of all things of a kind how they were found.
fn discovered(mut document: Document, kind: NodeKind) -> Document {
    for node in document.graph.nodes.iter_mut().filter(|node| node.kinds.contains(&kind)) {
        node.properties.insert("discovered_via".into(), json!(DISCOVERED));
    }
    document
}
