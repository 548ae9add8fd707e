//! Tool servers and what they offer: tools, resources, prompts.

use anyhow::{Context as _, Result};
use tracehound_model::{EdgeKind, NodeId, NodeKind, canonical, hash};

use super::document::{Document, Place, Relation};
use super::names::{self, Launch, Standing, Subject};
use super::plan::{Plan, Server};
use super::prose::{self, Naming, ToolName};
use super::random::{Random, Stream};
use super::{credentials, records, words};

/// How often a server sends instructions to its clients.
const INSTRUCTIONS: f64 = 0.6;
/// How often a tool has annotations, and how often an output schema.
const ANNOTATIONS: f64 = 0.35;
const OUTPUT_SCHEMAS: f64 = 0.1;
/// How often a page among the resources is a template.
const TEMPLATES: f64 = 0.05;

/// Where a server is configured first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Home<'a> {
    /// The server's place in the plan.
    pub(super) index: usize,
    pub(super) machine: usize,
    pub(super) host: &'a NodeId,
    pub(super) place: Place<'a>,
}

/// How hard it is to misuse trust in a server with this way to authenticate.
pub(super) fn trust_weight(auth_method: &str) -> f64 {
    match auth_method {
        "apiKey" => 0.3,
        "bearer" => 0.5,
        "oauth" => 0.7,
        "mtls" => 0.9,
        _ => 0.1,
    }
}

/// Writes a server and all that is below it.
pub(super) fn server(plan: &Plan, home: &Home<'_>, document: &mut Document) -> Result<()> {
    let server = plan.servers.get(home.index).context("no such server")?;
    let subject = names::subject(plan.seed, home.index);
    let standing = Standing { server: home.index, machine: home.machine, remote: server.remote };
    let mut writer = Writer { server, subject, random: plan.random(Stream::Offer, home.index), document };
    writer.server(&names::launch(plan.seed, standing))?;
    writer.host(home)?;
    credentials::of_server(plan, home, writer.document)?;
    let resources = writer.resources()?;
    writer.tools(&resources)?;
    writer.prompts()
}

/// Writes one server.
struct Writer<'a> {
    server: &'a Server,
    subject: Subject,
    random: Random,
    document: &'a mut Document,
}

impl Writer<'_> {
    fn server(&mut self, launch: &Launch) -> Result<()> {
        let (server, random) = (self.server, &mut self.random);
        let Subject { product, team, .. } = self.subject;
        let offers = [("tools", server.tools), ("resources", server.resources), ("prompts", server.prompts)];
        let capabilities: Vec<&str> = offers.iter().filter(|(_, count)| *count > 0).map(|(name, _)| *name).collect();
        let instructions = if random.chance(INSTRUCTIONS) {
            prose::describe(format!("Gives the {team} team access to {product}."), random)
        } else {
            String::new()
        };
        let instructions_hash = (!instructions.is_empty()).then(|| hash::content(&instructions));
        let properties = records::McpServer {
            auth_method: server.auth_method,
            capabilities: &capabilities,
            endpoint: &launch.endpoint,
            has_tasks_capability: random.chance(0.1),
            instructions: &instructions,
            instructions_has_injection: instructions_hash.as_ref().map(|_| false),
            instructions_hash: instructions_hash.as_deref(),
            is_pinned: launch.is_pinned,
            name: &server.name,
            objectid: &server.id,
            protocol_version: random.pick(&["2025-06-18", "2025-03-26", "2025-11-25", "2024-11-05"]),
            server_version: &format!("{}.{}.{}", random.below(4), random.below(20), random.below(10)),
            status: "reachable",
            transport: if server.remote.is_some() { "http" } else { "stdio" },
        };
        self.document.node(&server.id, NodeKind::McpServer, &properties)?;
        self.document.covers(&server.id);
        Ok(())
    }

    /// Ties the server to its host; the first server on a remote host also writes the host.
    fn host(&mut self, home: &Home<'_>) -> Result<()> {
        let server = self.server;
        let remote = server.remote_host().map(names::remote_host);
        let id = remote.as_ref().map_or_else(|| home.host.clone(), |host| NodeId::host(host));
        if let Some(host) = remote.as_ref().filter(|_| server.brings_host()) {
            let is_private = host.starts_with("10.");
            let properties = records::Host {
                hostname: if is_private { "" } else { host },
                ip: if is_private { host } else { "" },
                is_local: false,
                is_private,
                is_public: !is_private,
                objectid: &id,
            };
            self.document.node(&id, NodeKind::Host, &properties)?;
        }
        let evidence = match &remote {
            Some(host) => format!("the URL of server `{}` leads to {host}", server.name),
            None => format!("server `{}` is started on {}", server.name, names::machine(home.machine)),
        };
        let ends = ((&server.id, NodeKind::McpServer), (&id, NodeKind::Host));
        self.document.edge(&Relation::new(EdgeKind::RunsOn, ends.0, ends.1, &evidence).at(home.place))
    }

    /// Writes the resources of a server and returns their ids.
    fn resources(&mut self) -> Result<Vec<NodeId>> {
        let (server, team, random) = (self.server, self.subject.team, &mut self.random);
        let mut ids = Vec::with_capacity(server.resources);
        for place in 0..server.resources {
            let mut address = prose::address(self.subject, place, random);
            let is_template = address.scheme == "https" && random.chance(TEMPLATES);
            if is_template {
                address.uri.push_str("/{id}");
            }
            let id = NodeId::mcp_resource(&server.id, &address.uri);
            let name = format!("{} {place}", random.pick(words::NOUNS));
            let properties = records::McpResource {
                description: &prose::describe(format!("The {name} as the {team} team keeps it."), random),
                is_template: is_template.then_some(true),
                mime_type: address.mime_type,
                name: &name,
                objectid: &id,
                sensitivity: address.sensitivity,
                size: (!is_template).then(|| random.below(1 << 20)),
                uri: &address.uri,
                uri_scheme: address.scheme,
            };
            self.document.node(&id, NodeKind::McpResource, &properties)?;
            let evidence = format!("resources/list of server `{}` names the {name}", server.name);
            let ends = ((&server.id, NodeKind::McpServer), (&id, NodeKind::McpResource));
            self.document.edge(&Relation::new(EdgeKind::ProvidesResource, ends.0, ends.1, &evidence))?;
            ids.push(id);
        }
        Ok(ids)
    }

    fn tools(&mut self, resources: &[NodeId]) -> Result<()> {
        let server = self.server;
        let naming = Naming::new(self.subject.product, &mut self.random);
        for place in 0..server.tools {
            let tool = naming.tool(place, server.untrusted);
            let id = NodeId::mcp_tool(&server.id, &tool.name);
            let other = naming.tool(self.random.below(server.tools), server.untrusted);
            self.tool(&id, &tool, &other.name)?;
            let evidence = format!("tools/list of `{}` names `{}`", server.name, tool.name);
            let end = (&id, NodeKind::McpTool);
            let offer = Relation::new(EdgeKind::ProvidesTool, (&server.id, NodeKind::McpServer), end, &evidence);
            self.document.edge(&offer)?;
            let Some(source) = tool.source_trust else { continue };
            let evidence = format!("`{}` brings content labelled {source}", tool.name);
            for resource in resources {
                let other = (resource, NodeKind::McpResource);
                let ingest = Relation::new(EdgeKind::IngestsUntrusted, end, other, &evidence);
                self.document.edge(&ingest.labelled(source))?;
            }
        }
        Ok(())
    }

    fn tool(&mut self, id: &NodeId, tool: &ToolName, other: &str) -> Result<()> {
        let random = &mut self.random;
        let description = prose::describe_tool(tool, self.subject, other, random);
        let (schema, schema_keys) = prose::schema(random);
        let input_schema = canonical::text(&schema);
        let annotations = random.chance(ANNOTATIONS).then(|| annotations(random));
        let has_output_schema = random.chance(OUTPUT_SCHEMAS);
        let properties = records::McpTool {
            annotations: annotations.as_deref(),
            capability_surface: &tool.capabilities,
            description: &description.text,
            description_hash: &hash::tool_description(&tool.name, &description.text, Some(&schema)),
            has_cross_references: description.has_cross_reference,
            has_injection_patterns: description.has_injection,
            input_schema: &input_schema,
            input_schema_hash: &hash::content(&input_schema),
            name: &tool.name,
            objectid: id,
            output_schema: if has_output_schema { words::OUTPUT_SCHEMA } else { "" },
            schema_keys: &schema_keys,
            source_trust: tool.source_trust,
        };
        self.document.node(id, NodeKind::McpTool, &properties)
    }

    fn prompts(&mut self) -> Result<()> {
        let (server, team, random) = (self.server, self.subject.team, &mut self.random);
        let start = random.below(1 << 16);
        for place in 0..server.prompts {
            let (verb, noun, _) = names::paired(start, place, (words::PROMPT_VERBS.len(), words::NOUNS.len()));
            let verb = words::PROMPT_VERBS.get(verb).copied().unwrap_or_default();
            let noun = words::NOUNS.get(noun).copied().unwrap_or_default();
            let name = format!("{verb}_{noun}");
            let id = NodeId::mcp_prompt(&server.id, &name);
            let properties = records::McpPrompt {
                arguments: &format!(r#"[{{"name":"{noun}","description":"Which {noun} to {verb}","required":true}}]"#),
                description: &prose::describe(format!("Asks the model to {verb} a {noun} of the {team} team."), random),
                name: &name,
                objectid: &id,
            };
            self.document.node(&id, NodeKind::McpPrompt, &properties)?;
            let evidence = format!("prompts/list of `{}` names `{name}`", server.name);
            let ends = ((&server.id, NodeKind::McpServer), (&id, NodeKind::McpPrompt));
            self.document.edge(&Relation::new(EdgeKind::ProvidesPrompt, ends.0, ends.1, &evidence))?;
        }
        Ok(())
    }
}

fn annotations(random: &mut Random) -> String {
    let (destructive, idempotent) = (random.chance(0.2), random.chance(0.5));
    let (open_world, read_only) = (random.chance(0.3), !destructive && random.chance(0.6));
    format!(
        r#"{{"destructive_hint":{destructive},"idempotent_hint":{idempotent},"open_world_hint":{open_world},"read_only_hint":{read_only}}}"#
    )
}
