//! The nodes and edges of one server that was asked.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Value, json};
use tracehound_model::wire::{Node, Properties};
use tracehound_model::{Collector, EdgeKind, NodeId, NodeKind, hash};

use super::facts::{Introduction, Prompt, Resource, Text, Tool};
use super::limits::{INGESTS, JUDGED_IN_ALL, KEPT};
use super::mentions::Mentions;
use super::session::{Asked, Heard, Status};
use super::target::{Target, Way};
use super::words::brief;
use crate::address::{Address, Reach};
use crate::builder::{Basis, Builder, Stamp, properties};
use crate::judge::{Judge, Judged, Verdict};

/// What a server adds to the document.
pub(super) struct Part {
    pub(super) builder: Builder,
    /// What was not read to its end, in words.
    pub(super) cut_short: Vec<String>,
    /// Things that were listed twice.
    pub(super) slips: Vec<String>,
}

/// Makes a server's part.
pub(super) fn part(stamp: &Stamp, target: &Target, asked: &Asked, judge: &mut Judge<'_>) -> Part {
    let introduction = asked.heard.as_ref().map(|heard| &heard.introduction);
    let reported = introduction.map(|it| it.name.clone()).filter(|name| !name.is_empty());
    let name = target.name.clone().or(reported).unwrap_or_else(|| target.endpoint.clone());
    let mut writer = Writer {
        builder: Builder::new(stamp),
        judge,
        server: target.id.clone(),
        name,
        room: KEPT,
        has_dropped: false,
        unjudged_room: JUDGED_IN_ALL,
        has_unjudged: false,
        slips: Vec::new(),
    };
    if asked.status == Status::NotStarted {
        // Nothing was learnt, and what is known from elsewhere stands.
        return Part { builder: writer.builder, cut_short: Vec::new(), slips: Vec::new() };
    }
    writer.server(target, asked);
    let mut cut_short = Vec::new();
    if let Some(heard) = &asked.heard {
        cut_short.extend(heard.cuts());
        writer.things(heard, &mut cut_short);
    }
    if writer.has_dropped {
        cut_short.push(format!("texts after the first {KEPT} bytes of them"));
    }
    if writer.has_unjudged {
        cut_short.push(format!("texts after the first {JUDGED_IN_ALL} bytes, which rules did not look at"));
    }
    // Also if there is nothing to tell, so that what an earlier scan told does not stand.
    writer.builder.change(&target.id, |node| drop(node.properties.insert("cut_short".into(), json!(cut_short))));
    Part { builder: writer.builder, cut_short, slips: writer.slips }
}

struct Writer<'w, 'd> {
    builder: Builder,
    judge: &'w mut Judge<'d>,
    server: NodeId,
    name: String,
    /// How much text may still be kept.
    room: usize,
    has_dropped: bool,
    /// How much text rules may still look at.
    unjudged_room: usize,
    has_unjudged: bool,
    slips: Vec<String>,
}

impl Writer<'_, '_> {
    fn server(&mut self, target: &Target, asked: &Asked) {
        let mut values = properties([
            ("name", json!(self.name)),
            ("endpoint", json!(target.endpoint)),
            ("transport", json!(target.transport())),
            ("status", json!(asked.status.name())),
            ("error", json!(asked.error.as_deref().unwrap_or_default())),
            ("spoken", text_or_null(if asked.status == Status::Reachable { asked.spoken } else { "" })),
            ("stderr", json!(asked.stderr)),
            ("repeats_secret", json!(asked.repeats_secret)),
        ]);
        if !target.args.is_empty() {
            values.insert("args".into(), json!(target.args));
        }
        if let Some(demand) = &asked.demand {
            values.extend(properties([("auth_observed", json!(demand.method)), ("auth_method", json!(demand.method))]));
            for (key, list) in [("oauth_issuers", &demand.issuers), ("oauth_scopes", &demand.scopes)] {
                values.insert(key.into(), json!(list));
            }
        }
        let id = self.builder.node(self.server.clone(), NodeKind::McpServer, values);
        if let Some(heard) = &asked.heard {
            self.introduce(&id, &heard.introduction);
        }
        if matches!(asked.status, Status::Reachable | Status::Protected) {
            self.host(target);
        }
        self.identity(asked);
    }

    fn introduce(&mut self, id: &NodeId, introduction: &Introduction) {
        let instructions = &introduction.instructions;
        let kept = self.keep(instructions);
        let mut values = properties([
            ("reported_name", text_or_null(&introduction.name)),
            ("title", text_or_null(&introduction.title)),
            ("server_version", json!(introduction.version)),
            ("protocol_version", json!(introduction.protocol_version)),
            ("instructions", json!(kept)),
            ("capabilities", json!(introduction.capabilities)),
        ]);
        if introduction.has_tasks {
            values.insert("has_tasks_capability".into(), json!(true));
        }
        if !instructions.whole.is_empty() {
            values.insert("instructions_hash".into(), json!(hash::content(&instructions.whole)));
        }
        let judge = &mut *self.judge;
        self.builder.change(id, |node| {
            node.properties.extend(values);
            let texts = [
                own("instructions", &instructions.whole),
                own("reported_name", &introduction.name),
                own("title", &introduction.title),
                Judged { target: "instructions", property: "reported_name", text: &introduction.name },
                Judged { target: "instructions", property: "title", text: &introduction.title },
            ];
            let verdict = judge.look_at(Collector::Mcp, node, &texts);
            // Rules say it as of a tool; a server has a word of its own for it.
            node.properties.remove("has_injection_patterns");
            if !instructions.whole.is_empty() || verdict.is_injected {
                node.properties.insert("instructions_has_injection".into(), json!(verdict.is_injected));
            }
        });
    }

    fn host(&mut self, target: &Target) {
        let address = match &target.way {
            Way::Call { url, .. } => Some(Address::of_url(url.as_str())),
            _ => None,
        };
        let host = self.builder.host(address.as_ref());
        let name = &self.name;
        let evidence = match &address {
            Some(address) if address.reach != Reach::Local => format!("`{name}` answered at {}", address.text),
            Some(_) => format!("`{name}` answered on the machine itself"),
            None => format!("`{name}` was started on the machine itself"),
        };
        let server = self.server.clone();
        let (from, to) = ((&server, NodeKind::McpServer), (&host, NodeKind::Host));
        self.builder.edge(EdgeKind::RunsOn, from, to, seen(evidence, 0.0), Properties::new());
    }

    fn identity(&mut self, asked: &Asked) {
        let Some(demand) = asked.demand.as_ref().filter(|it| !matches!(it.method, "none" | "unknown")) else { return };
        let scope = if demand.scopes.is_empty() { self.name.clone() } else { demand.scopes.join(" ") };
        let is_static = demand.method == "apiKey";
        let values =
            properties([("type", json!(demand.method)), ("scope", json!(scope)), ("is_static", json!(is_static))]);
        let id = NodeId::identity(&self.server, demand.method);
        self.builder.node(id.clone(), NodeKind::Identity, values);
        let weight = match demand.method {
            "bearer" => 0.5,
            "oauth" => 0.7,
            "mtls" => 0.9,
            _ => 0.3,
        };
        let evidence = format!("`{}` wants {} authentication: {}", self.name, demand.method, demand.evidence);
        let server = self.server.clone();
        let (from, to) = ((&server, NodeKind::McpServer), (&id, NodeKind::Identity));
        self.builder.edge(EdgeKind::AuthenticatesWith, from, to, seen(evidence, weight), Properties::new());
    }

    fn things(&mut self, heard: &Heard, cut_short: &mut Vec<String>) {
        let mentions = Mentions::new(heard.tools.items.iter().map(|tool| tool.name.as_str()));
        let mut names = HashSet::new();
        let mut repeated: Vec<&str> = Vec::new();
        let mut untrusted: BTreeSet<(NodeId, String, String)> = BTreeSet::new();
        for tool in &heard.tools.items {
            if !names.insert(tool.name.as_str()) {
                repeated.push(tool.name.as_str());
            }
            let (id, trust) = self.tool(tool, &mentions);
            if let Some(trust) = trust {
                untrusted.insert((id, trust, tool.name.clone()));
            }
        }
        if let Some(first) = repeated.first() {
            let (count, first) = (repeated.len(), brief(first));
            self.slips.push(format!(
                "lists {count} tools again under the same name, such as `{first}`; the worst of each is kept"
            ));
        }
        let mut resources: BTreeSet<NodeId> = BTreeSet::new();
        for resource in heard.resources.items.iter().chain(&heard.templates.items) {
            resources.insert(self.resource(resource));
        }
        for prompt in &heard.prompts.items {
            self.prompt(prompt);
        }
        let mut left = INGESTS;
        for (tool, trust, name) in &untrusted {
            for resource in &resources {
                let Some(fewer) = left.checked_sub(1) else {
                    cut_short.push(format!("connections between tools and resources after the first {INGESTS}"));
                    return;
                };
                left = fewer;
                self.ingests((tool, name), resource, trust);
            }
        }
    }

    fn tool(&mut self, tool: &Tool, mentions: &Mentions) -> (NodeId, Option<String>) {
        let id = NodeId::mcp_tool(&self.server, &tool.name);
        let (description, schema) = (self.keep(&tool.description), self.keep(&tool.input_schema));
        let mut values = properties([
            ("name", json!(tool.name)),
            ("title", text_or_null(&tool.title)),
            ("description", json!(description)),
            ("input_schema", json!(schema)),
            ("output_schema", json!(self.keep(&tool.output_schema))),
            ("description_hash", json!(tool.description_hash)),
            ("input_schema_hash", json!(tool.input_schema_hash)),
            ("annotations", tool.annotations.as_ref().map_or(Value::Null, |hints| json!(hints.to_string()))),
        ]);
        if !tool.schema_keys.is_empty() {
            values.insert("schema_keys".into(), json!(tool.schema_keys));
        }
        let texts = [
            ("description", &tool.description),
            ("input_schema", &tool.input_schema),
            ("output_schema", &tool.output_schema),
        ];
        cut_mark(&mut values, &texts);
        let refers = mentions.refers_to_another(&tool.name, &tool.description.whole);
        values.insert("has_cross_references".into(), json!(refers));
        let combined = tool.combined();
        let hint = tool.annotations.as_ref().and_then(|hints| hints.get("title")?.as_str()).unwrap_or_default();
        let [input, output] = &tool.schema_words;
        let texts = [
            own("name", &tool.name),
            own("title", &tool.title),
            own("description", &tool.description.whole),
            own("combined", &combined),
            own("input_schema", &tool.input_schema.whole),
            own("output_schema", &tool.output_schema.whole),
            as_description("name", &tool.name),
            as_description("title", &tool.title),
            as_description("annotations", hint),
            as_description("input_schema", input),
            as_description("output_schema", output),
        ];
        let node = self.judged(&id, NodeKind::McpTool, values, &texts);
        let trust = node.properties.get("source_trust").and_then(Value::as_str).map(str::to_owned);
        self.provide(EdgeKind::ProvidesTool, node, format!("`{}` lists the tool `{}`", self.name, tool.name), 0.1);
        (id, trust)
    }

    fn resource(&mut self, resource: &Resource) -> NodeId {
        let id = NodeId::mcp_resource(&self.server, &resource.uri);
        let mut values = properties([
            ("uri", json!(resource.uri)),
            ("name", json!(resource.name)),
            ("title", text_or_null(&resource.title)),
            ("description", json!(self.keep(&resource.description))),
            ("mime_type", json!(resource.mime_type)),
            ("uri_scheme", json!(resource.scheme())),
            ("sensitivity", json!("low")),
            ("size", resource.size.map_or(Value::Null, |size| json!(size))),
            ("is_template", if resource.size.is_none() { json!(true) } else { Value::Null }),
        ]);
        cut_mark(&mut values, &[("description", &resource.description)]);
        let texts = [
            own("uri", &resource.uri),
            own("name", &resource.name),
            own("title", &resource.title),
            own("description", &resource.description.whole),
            as_description("name", &resource.name),
            as_description("title", &resource.title),
        ];
        let node = self.judged(&id, NodeKind::McpResource, values, &texts);
        let what = if resource.size.is_none() { "resources of the form" } else { "the resource" };
        let evidence = format!("`{}` lists {what} `{}`", self.name, resource.uri);
        self.provide(EdgeKind::ProvidesResource, node, evidence, 0.2);
        id
    }

    fn prompt(&mut self, prompt: &Prompt) {
        let id = NodeId::mcp_prompt(&self.server, &prompt.name);
        let mut values = properties([
            ("name", json!(prompt.name)),
            ("title", text_or_null(&prompt.title)),
            ("description", json!(self.keep(&prompt.description))),
            ("arguments", json!(self.keep(&prompt.arguments))),
        ]);
        cut_mark(&mut values, &[("description", &prompt.description), ("arguments", &prompt.arguments)]);
        let texts = [
            own("name", &prompt.name),
            own("title", &prompt.title),
            own("description", &prompt.description.whole),
            own("arguments", &prompt.arguments.whole),
            as_description("name", &prompt.name),
            as_description("title", &prompt.title),
            as_description("arguments", &prompt.argument_texts),
        ];
        let node = self.judged(&id, NodeKind::McpPrompt, values, &texts);
        let evidence = format!("`{}` lists the prompt `{}`", self.name, prompt.name);
        self.provide(EdgeKind::ProvidesPrompt, node, evidence, 0.1);
    }

    /// A node that rules have looked at.
    fn judged(&mut self, id: &NodeId, kind: NodeKind, values: Properties, texts: &[Judged<'_>]) -> Node {
        let mut node = Node { id: id.clone(), kinds: vec![kind], properties: values };
        let length: usize = texts.iter().map(|text| text.text.len()).sum();
        let verdict = match self.unjudged_room.checked_sub(length) {
            Some(left) => {
                self.unjudged_room = left;
                self.judge.look_at(Collector::Mcp, &mut node, texts)
            }
            None => {
                self.has_unjudged = true;
                Verdict { is_injected: false }
            }
        };
        if kind == NodeKind::McpTool || verdict.is_injected {
            node.properties.insert("has_injection_patterns".into(), json!(verdict.is_injected));
        }
        node
    }

    fn provide(&mut self, edge: EdgeKind, node: Node, evidence: String, weight: f64) {
        let (id, kind) = (node.id.clone(), node.kinds.first().copied().unwrap_or(NodeKind::McpTool));
        let is_bad = node.properties.get("has_injection_patterns") == Some(&json!(true));
        let again = node.properties.clone();
        self.builder.node(node.id, kind, node.properties);
        if is_bad {
            // Of two things under one name the one that tries to steer counts, whichever came first.
            self.builder.change(&id, |known| known.properties.extend(again));
        }
        let server = self.server.clone();
        self.builder.edge(edge, (&server, NodeKind::McpServer), (&id, kind), seen(evidence, weight), Properties::new());
    }

    fn ingests(&mut self, (tool, name): (&NodeId, &str), resource: &NodeId, trust: &str) {
        let from = trust.strip_prefix("untrusted_").unwrap_or(trust);
        let evidence = format!("`{name}` brings in texts from {from} beside this resource of `{}`", self.name);
        let basis = Basis { evidence, weight: 0.3, confidence: 0.6, place: None };
        let own = properties([("source_trust", json!(trust))]);
        let (from, to) = ((tool, NodeKind::McpTool), (resource, NodeKind::McpResource));
        self.builder.edge(EdgeKind::IngestsUntrusted, from, to, basis, own);
    }

    /// A text as far as there is room for it.
    fn keep(&mut self, text: &Text) -> String {
        match self.room.checked_sub(text.kept.len()) {
            Some(left) => {
                self.room = left;
                text.kept.clone()
            }
            None => {
                self.has_dropped = true;
                String::new()
            }
        }
    }
}

/// A text under the name that rules and the node have for it.
fn own<'t>(property: &'t str, text: &'t str) -> Judged<'t> {
    Judged { target: property, property, text }
}

/// A text that is read as a description is, whatever it is called.
fn as_description<'t>(property: &'t str, text: &'t str) -> Judged<'t> {
    Judged { target: "description", property, text }
}

fn seen(evidence: String, weight: f64) -> Basis<'static> {
    Basis { evidence, weight, confidence: 1.0, place: None }
}

fn text_or_null(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { json!(text) }
}

/// Marks the texts that were cut.
fn cut_mark(values: &mut Properties, texts: &[(&str, &Text)]) {
    let cut: Vec<&str> = texts.iter().filter(|(_, text)| text.is_cut).map(|(key, _)| *key).collect();
    if !cut.is_empty() {
        values.insert("cut_short".into(), json!(cut));
    }
}

#[cfg(test)]
mod tests;
