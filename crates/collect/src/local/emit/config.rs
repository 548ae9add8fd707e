//! The nodes and edges of one configuration.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tracehound_model::wire::Properties;
use tracehound_model::{Collector, EdgeKind, NodeId, NodeKind, hash};
use tracehound_rules::builtin_vocabulary;
use tracehound_rules::engine::effects::{self, FieldMatches};
use tracehound_rules::engine::{Field, Match, Scratch};
use tracehound_rules::normalise::Normaliser;

use super::super::Request;
use crate::address::Reach;
use crate::builder::{Basis, Builder, properties};
use crate::config::credential::{Sighting, Sort};
use crate::config::package::Registry;
use crate::config::{ConfigFacts, ServerFacts, identity};
use crate::detection::{Detection, SERVER_PROPERTIES};

/// What a configuration adds to the document.
pub(in super::super) fn part(request: &Request, path: &str, facts: &ConfigFacts, detection: &Detection) -> Builder {
    let mut part = Builder::new(&request.stamp);
    let builder = &mut part;
    let config = NodeId::config_file(path);
    let enabled = facts.agents.iter().flat_map(|agent| &agent.servers).filter(|server| server.is_enabled).count();
    let client = if facts.client.is_empty() { "generic" } else { facts.client };
    let values = properties([("path", json!(path)), ("client", json!(client)), ("server_count", json!(enabled))]);
    builder.node(config.clone(), NodeKind::ConfigFile, values);
    let mut sources = Sources::default();
    for agent in &facts.agents {
        let id = NodeId::agent_instance(&config, agent.client);
        let values = properties([
            ("name", json!(agent.client)),
            ("framework", json!(agent.client)),
            ("config_path", json!(path)),
        ]);
        builder.node(id.clone(), NodeKind::AgentInstance, values);
        for facts in &agent.servers {
            let source = sources.of(path, facts);
            Server { builder, path, config: &config, agent: (&id, agent.client), facts, source, detection }.add();
        }
    }
    for sighting in &facts.outside {
        let source = format!("{path}#");
        let id = credential(builder, &source, sighting, detection);
        let place = properties([
            ("config_path", json!(path)),
            ("file", json!(path)),
            ("line", json!(sighting.at.line)),
            ("column", json!(sighting.at.column)),
        ]);
        builder.change(&id, |node| node.properties.extend(place));
    }
    part
}

/// What credentials are said to be from: the file, the section and the server. A file may define one name twice, and
/// the secrets of both are secrets.
#[derive(Default)]
struct Sources(BTreeMap<String, usize>);

impl Sources {
    fn of(&mut self, path: &str, facts: &ServerFacts) -> String {
        let source = match &facts.section {
            Some(section) => format!("{path}#{section}#{}", facts.name),
            None => format!("{path}#{}", facts.name),
        };
        let count = self.0.entry(source.clone()).or_insert(0);
        *count += 1;
        if *count > 1 { format!("{source}#{count}") } else { source }
    }
}

/// A server and everything that it stands between.
struct Server<'s> {
    builder: &'s mut Builder,
    path: &'s str,
    config: &'s NodeId,
    agent: (&'s NodeId, &'static str),
    facts: &'s ServerFacts,
    source: String,
    detection: &'s Detection,
}

impl Server<'_> {
    fn add(&mut self) {
        let facts = self.facts;
        self.builder.node(facts.id.clone(), NodeKind::McpServer, server_properties(facts));
        apply_rules(self.builder, &facts.id, self.detection);
        let name = &facts.name;
        let (path, server) = (self.path, (&facts.id, NodeKind::McpServer));
        let place = Some((path, facts.at));
        let section = facts.section.as_deref();
        let own = properties([
            ("server_name", json!(name)),
            ("section", section.map_or(Value::Null, |section| json!(section))),
            ("is_enabled", json!(facts.is_enabled)),
        ]);
        let within = section.map_or_else(String::new, |section| format!(" for {section}"));
        let state = if facts.is_enabled { "defines" } else { "defines, switched off," };
        let evidence = format!("{path} {state} the server `{name}`{within}");
        let basis = Basis { evidence, weight: 0.0, confidence: 1.0, place };
        self.builder.edge(EdgeKind::ConfiguredIn, server, (self.config, NodeKind::ConfigFile), basis, own);
        if facts.is_enabled {
            self.trust();
        }
        self.host();
        for sighting in &facts.credentials {
            self.credential(sighting);
        }
    }

    fn trust(&mut self) {
        let facts = self.facts;
        let (agent, client) = self.agent;
        let weight = EdgeKind::TrustsServer.weight().value(Some(facts.auth_method), None);
        let reached = match facts.transport {
            "stdio" => format!("starts `{}`", facts.endpoint),
            _ => format!("connects to {}", facts.endpoint),
        };
        let auth = match facts.auth_method {
            "none" => "without authentication".to_owned(),
            method => format!("with {method} authentication"),
        };
        let evidence = format!("{client} {reached} as `{}` {auth}", facts.name);
        let own = match facts.approved.as_slice() {
            [] => Properties::new(),
            tools => properties([("auto_approve", json!(tools))]),
        };
        let basis = Basis { evidence, weight, confidence: 1.0, place: Some((self.path, facts.at)) };
        let (from, to) = ((agent, NodeKind::AgentInstance), (&facts.id, NodeKind::McpServer));
        self.builder.edge(EdgeKind::TrustsServer, from, to, basis, own);
    }

    fn host(&mut self) {
        let facts = self.facts;
        let id = self.builder.host(facts.host.as_ref());
        let evidence = match &facts.host {
            Some(address) if address.reach != Reach::Local && !self.builder.is_origin(&address.text) => {
                format!("the URL of `{}` names {}", facts.name, address.text)
            }
            _ => {
                let how = if facts.transport == "stdio" { "is started" } else { "listens" };
                format!("`{}` {how} on the machine itself", facts.name)
            }
        };
        let basis = Basis { evidence, weight: 0.0, confidence: 1.0, place: Some((self.path, facts.at)) };
        let (from, to) = ((&facts.id, NodeKind::McpServer), (&id, NodeKind::Host));
        self.builder.edge(EdgeKind::RunsOn, from, to, basis, Properties::new());
    }

    fn credential(&mut self, sighting: &Sighting) {
        let facts = self.facts;
        let credential = credential(self.builder, &self.source, sighting, self.detection);
        let identity_type = identity(sighting);
        let identity = NodeId::identity(&facts.id, identity_type);
        let is_static = sighting.sort == Sort::Hardcoded;
        let values =
            properties([("type", json!(identity_type)), ("scope", json!(facts.name)), ("is_static", json!(is_static))]);
        self.builder.node(identity.clone(), NodeKind::Identity, values);
        if is_static {
            self.builder.change(&identity, |node| drop(node.properties.insert("is_static".into(), json!(true))));
        }
        let place = Some((sighting.file.as_deref().unwrap_or(self.path), sighting.at));
        let (name, server) = (&sighting.name, (&facts.id, NodeKind::McpServer));
        let what = format!("{} `{name}`", sighting.place.words());
        let weight = match identity_type {
            "bearer" => 0.5,
            "oauth" => 0.7,
            _ => 0.3,
        };
        let evidence = format!("`{}` authenticates with the {what}", facts.name);
        let basis = Basis { evidence, weight, confidence: 1.0, place };
        let identity_end = (&identity, NodeKind::Identity);
        self.builder.edge(EdgeKind::AuthenticatesWith, server, identity_end, basis, Properties::new());
        let credential_end = (&credential, NodeKind::Credential);
        let evidence = format!("the {what} of `{}` {}", facts.name, origin_words(sighting));
        let basis = Basis { evidence: evidence.clone(), weight: 0.5, confidence: 1.0, place };
        self.builder.edge(EdgeKind::UsesCredential, identity_end, credential_end, basis, Properties::new());
        if sighting.sort != Sort::VaultRef {
            let basis = Basis { evidence, weight: 0.0, confidence: 1.0, place };
            self.builder.edge(EdgeKind::HasEnvVar, server, credential_end, basis, Properties::new());
        }
    }
}

/// Where the value of a credential comes from, in words.
fn origin_words(sighting: &Sighting) -> String {
    match (sighting.sort, &sighting.variable) {
        (Sort::Hardcoded, _) => "holds the secret itself".to_owned(),
        (Sort::EnvVar, Some(variable)) => format!("is taken from the environment variable {variable}"),
        (Sort::EnvVar, None) => "is taken from the environment".to_owned(),
        (Sort::VaultRef, _) => "refers to a secret kept elsewhere".to_owned(),
        (Sort::InputPrompt, _) => "is asked for, or has yet to be filled in".to_owned(),
    }
}

fn credential(builder: &mut Builder, source: &str, sighting: &Sighting, detection: &Detection) -> NodeId {
    let id = NodeId::credential(source, &sighting.name);
    let is_known = sighting.value_hash.is_some();
    // One whose value nobody saw gets a hash that no other has, so that it joins with nothing.
    let value_hash = sighting.value_hash.clone().unwrap_or_else(|| hash::content(id.as_str()));
    let is_hardcoded = sighting.sort == Sort::Hardcoded;
    let values = properties([
        ("type", json!(sighting.sort.name())),
        ("name", json!(sighting.name)),
        ("source", json!(source)),
        ("is_exposed", json!(is_hardcoded)),
        ("high_entropy", json!(sighting.high_entropy)),
        ("format", json!(sighting.format)),
        ("value_hash", json!(value_hash)),
        ("value_known", json!(is_known)),
        ("kept_in", json!(sighting.place.words())),
    ]);
    builder.node(id.clone(), NodeKind::Credential, values);
    let rules = detection.settings().rules();
    let name = FieldMatches { property: "name", source: &sighting.name, matches: &sighting.name_matches };
    // Only where a value stands is what rules say of it a fact about the credential.
    let value = FieldMatches { property: "value", source: "", matches: &sighting.value_matches };
    let sort = sighting.sort.name();
    builder.change(&id, |node| {
        effects::apply(node, rules, &[name, value]);
        node.properties.insert("type".into(), json!(sort));
    });
    id
}

fn server_properties(facts: &ServerFacts) -> Properties {
    let mut values = properties([
        ("name", json!(facts.name)),
        ("endpoint", json!(facts.endpoint)),
        ("transport", json!(facts.transport)),
        ("auth_method", json!(facts.auth_method)),
    ]);
    if !facts.args.is_empty() {
        values.insert("args".into(), json!(facts.args));
    }
    if facts.transport == "stdio" {
        // A program that is on the machine already does not change unless somebody changes it.
        let is_pinned = facts.package.as_ref().is_none_or(|package| package.is_pinned);
        values.insert("is_pinned".into(), json!(is_pinned));
    }
    if let Some(package) = &facts.package {
        let version = package.version.as_ref().map_or(Value::Null, |version| json!(version));
        values.extend(properties([
            ("package", json!(package.name)),
            ("registry", json!(package.registry.name())),
            ("package_version", version.clone()),
        ]));
        if package.registry == Registry::Oci {
            let is_digest = package.version.as_ref().is_some_and(|version| version.contains(':'));
            let mark = if is_digest { '@' } else { ':' };
            let image = package
                .version
                .as_ref()
                .map_or_else(|| package.name.clone(), |it| format!("{}{mark}{it}", package.name));
            values.insert("image".into(), json!(image));
        }
    }
    values
}

/// Lets the rules look at a server, which built-in ones don't and a user's may.
fn apply_rules(builder: &mut Builder, id: &NodeId, detection: &Detection) {
    let engine = detection.settings();
    let kind = NodeKind::McpServer;
    let read: Vec<&str> =
        SERVER_PROPERTIES.iter().copied().filter(|key| engine.reads(Collector::Config, kind, key)).collect();
    if read.is_empty() {
        return;
    }
    builder.change(id, |node| {
        let name = node.properties.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut found: Vec<(&str, String, Vec<Match>)> = Vec::new();
        for key in read {
            let source = match node.properties.get(key) {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
                _ => continue,
            };
            let field = Field { collector: Collector::Config, kind, property: key, name: &name, source: &source };
            let text = Normaliser::new(builtin_vocabulary()).normalise(&source);
            let matches = engine.evaluate(&mut Scratch::default(), &field, &text).matches;
            found.push((key, source, matches));
        }
        let fields: Vec<FieldMatches<'_>> =
            found.iter().map(|(property, source, matches)| FieldMatches { property, source, matches }).collect();
        effects::apply(node, engine.rules(), &fields);
    });
}
