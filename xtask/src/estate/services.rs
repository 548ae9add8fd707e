//! AI services on the network: what they hold and what they pass requests on to.

use anyhow::{Context as _, Result};
use tracehound_model::{EdgeKind, NodeId, NodeKind, hash};

use super::counts::SERVICES_PER_HOST;
use super::credentials::Secret;
use super::document::{Document, Relation};
use super::plan::{Plan, Service, numbered};
use super::random::{Random, Stream};
use super::{names, records, skew, words};

/// A kind of service: its port, how it authenticates callers, and whether anybody may list what it holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) kind: NodeKind,
    pub(super) port: u16,
    auth_method: &'static str,
    is_anonymous: bool,
}

/// The kinds of services; an estate goes round this table.
pub(super) const KINDS: [Row; 8] = [
    Row { kind: NodeKind::OllamaInstance, port: 11434, auth_method: "none", is_anonymous: true },
    Row { kind: NodeKind::OpenWebuiInstance, port: 3000, auth_method: "none", is_anonymous: true },
    Row { kind: NodeKind::VllmInstance, port: 8000, auth_method: "none", is_anonymous: true },
    Row { kind: NodeKind::LitellmGateway, port: 4000, auth_method: "master_key", is_anonymous: false },
    Row { kind: NodeKind::QdrantInstance, port: 6333, auth_method: "none", is_anonymous: true },
    Row { kind: NodeKind::MlflowServer, port: 5000, auth_method: "none", is_anonymous: true },
    Row { kind: NodeKind::JupyterServer, port: 8888, auth_method: "token", is_anonymous: false },
    Row { kind: NodeKind::LangserveApp, port: 8000, auth_method: "none", is_anonymous: false },
];

/// The row of the service at this place of the estate.
pub(super) fn kind_at(place: usize) -> Row {
    let [first, ..] = KINDS;
    KINDS.get(place % KINDS.len()).copied().unwrap_or(first)
}

/// How many of this many services are of one kind.
pub(super) fn among(services: usize, kind: NodeKind) -> usize {
    (0..services).filter(|place| kind_at(*place).kind == kind).count()
}

/// How many credentials a service of this kind holds: a gateway its master key and one for each upstream.
pub(super) fn credentials_of(kind: NodeKind) -> usize {
    match kind {
        NodeKind::LitellmGateway => 1 + words::UPSTREAMS.len(),
        NodeKind::OpenWebuiInstance => 1,
        _ => 0,
    }
}

/// How many credentials this many services hold.
pub(super) fn credentials_among(services: usize) -> usize {
    (0..services).map(|place| credentials_of(kind_at(place).kind)).sum()
}

/// The kind of service that one of this kind passes requests on to.
pub(super) fn backend_of(kind: NodeKind) -> Option<NodeKind> {
    match kind {
        NodeKind::OpenWebuiInstance => Some(NodeKind::OllamaInstance),
        NodeKind::LitellmGateway => Some(NodeKind::VllmInstance),
        _ => None,
    }
}

/// Writes a host and the services on it.
pub(super) fn host(plan: &Plan, host: usize, document: &mut Document) -> Result<()> {
    let address = names::service_host(host);
    let id = NodeId::host(&address);
    let properties = records::Host {
        hostname: "",
        ip: &address,
        is_local: false,
        is_private: true,
        is_public: false,
        objectid: &id,
    };
    document.node(&id, NodeKind::Host, &properties)?;
    for (at, service) in numbered(&plan.services, &plan.service_host(host)) {
        let url = names::service_url(at / SERVICES_PER_HOST, kind_at(at).port);
        let random = plan.random(Stream::Service, at);
        Writer { plan, service, url, random, document: &mut *document }.all(kind_at(at), (&id, &address))?;
    }
    Ok(())
}

/// Writes one service.
struct Writer<'a> {
    plan: &'a Plan,
    service: &'a Service,
    url: String,
    random: Random,
    document: &'a mut Document,
}

impl Writer<'_> {
    /// Writes the service and all that is below it.
    fn all(&mut self, row: Row, (host, address): (&NodeId, &str)) -> Result<()> {
        let service = self.service;
        self.service(row, address)?;
        self.document.covers(&service.id);
        let evidence = format!("the {} at {} answers on {address}", service.kind, self.url);
        let ends = ((&service.id, service.kind), (host, NodeKind::Host));
        self.document.edge(&Relation::new(EdgeKind::RunsOn, ends.0, ends.1, &evidence))?;
        match service.kind {
            NodeKind::OllamaInstance => self.models()?,
            NodeKind::JupyterServer => self.notebooks()?,
            _ => self.credentials()?,
        }
        self.backend()
    }

    fn service(&mut self, row: Row, address: &str) -> Result<()> {
        let (service, url, random) = (self.service, &self.url, &mut self.random);
        let count = 1 + random.below(60);
        let only = |kind: NodeKind| (service.kind == kind).then_some(());
        let chains = [random.pick(words::PROMPT_VERBS), "chat"];
        let properties = records::Service {
            auth_method: row.auth_method,
            chains: only(NodeKind::LangserveApp).map(|()| chains.as_slice()),
            collection_count: only(NodeKind::QdrantInstance).map(|()| count),
            discovered_via: "network_scan",
            docs_enabled: only(NodeKind::LitellmGateway).map(|()| random.chance(0.5)),
            endpoint: url,
            experiment_count: only(NodeKind::MlflowServer).map(|()| count),
            is_anonymous_loot: row.is_anonymous,
            name: address,
            objectid: &service.id,
            token_required: only(NodeKind::JupyterServer).map(|()| random.chance(0.7)),
            version: &format!("{}.{}.{}", random.below(3), random.below(12), random.below(10)),
            webui_auth_enabled: only(NodeKind::OpenWebuiInstance).map(|()| random.chance(0.6)),
        };
        self.document.node(&service.id, service.kind, &properties)
    }

    fn models(&mut self) -> Result<()> {
        let (service, url, random) = (self.service, &self.url, &mut self.random);
        for place in 0..service.items {
            let (base, family, parameter_size, quantization) = random.pick(words::MODELS);
            let name = format!("{}-{place}-{base}", random.pick(words::TEAMS));
            let id = NodeId::ai_model(&service.id, &name);
            let properties = records::AiModel {
                digest: &hash::content(&name),
                family,
                name: &name,
                objectid: &id,
                parameter_size,
                quantization,
                size: (1 + random.below(40)) << 30,
                value_hash: &hash::content(format!("FROM {base}\nSYSTEM You are {name}.\n")),
            };
            self.document.node(&id, NodeKind::AiModel, &properties)?;
            let evidence = format!("the tags of {url} list {name}");
            let ends = ((&service.id, service.kind), (&id, NodeKind::AiModel));
            self.document.edge(&Relation::new(EdgeKind::ProvidesModel, ends.0, ends.1, &evidence))?;
        }
        Ok(())
    }

    fn notebooks(&mut self) -> Result<()> {
        let (service, url, random) = (self.service, &self.url, &mut self.random);
        for place in 0..service.items {
            let name = format!("{}-{place}.ipynb", random.pick(words::NOUNS));
            let uri = format!("jupyter://{}/{name}", url.trim_start_matches("http://"));
            let id = NodeId::mcp_resource(&service.id, &uri);
            let properties = records::McpResource {
                description: "",
                is_template: None,
                mime_type: "application/x-ipynb+json",
                name: &name,
                objectid: &id,
                sensitivity: "high",
                size: Some(random.below(1 << 20)),
                uri: &uri,
                uri_scheme: "jupyter",
            };
            self.document.node(&id, NodeKind::McpResource, &properties)?;
            let evidence = format!("the listing of {url} contains {name}");
            let ends = ((&service.id, service.kind), (&id, NodeKind::McpResource));
            self.document.edge(&Relation::new(EdgeKind::ProvidesResource, ends.0, ends.1, &evidence))?;
        }
        Ok(())
    }

    /// Writes the secrets that a service holds; they are drawn from the same ones that configurations use.
    fn credentials(&mut self) -> Result<()> {
        let (plan, service, url, random) = (self.plan, self.service, &self.url, &mut self.random);
        for slot in 0..credentials_of(service.kind) {
            let upstream = match service.kind {
                NodeKind::LitellmGateway => slot.checked_sub(1).and_then(|slot| words::UPSTREAMS.get(slot)),
                _ => words::UPSTREAMS.first(),
            };
            let (name, kind, format) = match upstream {
                Some((_, model)) => (format!("upstream-{model}"), "apiKey", "upstream-provider"),
                None => ("litellm-master".to_owned(), "master_key", "litellm"),
            };
            let id = NodeId::credential(url, &name);
            let secret = Secret::new(plan.seed, random.rank(plan.secrets, skew::SECRET_REUSE));
            let properties = records::Credential {
                format,
                high_entropy: true,
                is_exposed: true,
                name: &name,
                objectid: &id,
                provider: upstream.map(|(provider, _)| *provider),
                source: url,
                r#type: kind,
                value_hash: &secret.value_hash(),
                value_known: true,
            };
            self.document.node(&id, NodeKind::Credential, &properties)?;
            let evidence = format!("the keys of {url} include {name}");
            let ends = ((&service.id, NodeKind::AiService), (&id, NodeKind::Credential));
            self.document.edge(&Relation::new(EdgeKind::ExposesCredential, ends.0, ends.1, &evidence))?;
        }
        Ok(())
    }

    fn backend(&mut self) -> Result<()> {
        let (plan, service) = (self.plan, self.service);
        let Some(kind) = backend_of(service.kind) else { return Ok(()) };
        // Services go round the table, so those of one kind stand a whole table apart.
        let first = KINDS.iter().position(|row| row.kind == kind).context("a backend is a service")?;
        let place = first + KINDS.len() * self.random.below(among(plan.services.len(), kind));
        let backend = plan.services.get(place).context("no such service")?;
        let url = names::service_url(place / SERVICES_PER_HOST, kind_at(place).port);
        let evidence = format!("the settings of this {} name the backend {url}", service.kind);
        let ends = ((&service.id, service.kind), (&backend.id, backend.kind));
        self.document.edge(&Relation::new(EdgeKind::Exposes, ends.0, ends.1, &evidence))
    }
}
