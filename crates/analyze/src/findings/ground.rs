//! What checks stand on: the graph, the rules, and short ways to ask both.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::Deserialize;
use tracehound_graph::{EdgeIx, NodeIx, PropertyValue, View};
use tracehound_model::{EdgeKind, Finding, Fingerprint, NodeId, NodeKind, Place, Severity, Standard, Subject};
use tracehound_rules::rule::{Rule, RuleSeverity};

use super::Check;

/// The graph and the rules.
pub(super) struct Ground<'g> {
    pub(super) view: &'g dyn View,
    rules: HashMap<&'g str, &'g Rule>,
    first_server: u32,
    /// By server: the first place at which it is defined, found when somebody asks. Thousands may define one server.
    definitions: Vec<OnceLock<Option<Place>>>,
}

/// A match of a rule, as it travels on a node.
#[derive(Debug, Deserialize)]
pub(super) struct Matched {
    pub(super) rule: String,
    pub(super) field: String,
    /// The first byte of the text as written, and the one behind the last.
    #[serde(default)]
    pub(super) span: [usize; 2],
    pub(super) excerpt: String,
}

/// What is particular about one finding of a check.
pub(super) struct Case {
    pub(super) severity: Severity,
    /// Who it is about, and the other party.
    pub(super) source: NodeIx,
    pub(super) target: NodeIx,
    pub(super) title: String,
    pub(super) evidence: String,
    pub(super) place: Option<Place>,
}

impl<'g> Ground<'g> {
    pub(super) fn new(view: &'g dyn View, rules: &'g [Rule]) -> Self {
        let rules = rules.iter().map(|rule| (rule.id.as_str(), rule)).collect();
        let servers = view.range_of(NodeKind::McpServer);
        let first_server = servers.start;
        Self { view, rules, first_server, definitions: servers.map(|_| OnceLock::new()).collect() }
    }

    pub(super) fn rule(&self, id: &str) -> Option<&'g Rule> {
        self.rules.get(id).copied()
    }

    /// The nodes of a kind.
    pub(super) fn nodes(&self, kind: NodeKind) -> impl Iterator<Item = NodeIx> + use<'g> {
        self.view.nodes_of(kind)
    }

    pub(super) fn text(&self, node: NodeIx, key: &str) -> String {
        self.view.property(node, key).and_then(|value| value.as_text().map(str::to_owned)).unwrap_or_default()
    }

    pub(super) fn texts(&self, node: NodeIx, key: &str) -> Vec<String> {
        self.view.property(node, key).map(|value| value.texts().map(str::to_owned).collect()).unwrap_or_default()
    }

    pub(super) fn flag(&self, node: NodeIx, key: &str) -> Option<bool> {
        self.view.property(node, key).and_then(|value| value.as_bool())
    }

    pub(super) fn edge_text(&self, edge: EdgeIx, key: &str) -> String {
        self.view.edge_property(edge, key).and_then(|value| value.as_text().map(str::to_owned)).unwrap_or_default()
    }

    /// What people call a node.
    pub(super) fn name(&self, node: NodeIx) -> String {
        self.view.name(node).into_owned()
    }

    /// What the file in which a credential stands calls its server. One server may have several names.
    pub(super) fn user_of(&self, credential: NodeIx, server: NodeIx) -> String {
        let source = self.text(credential, "source");
        let name = source.split_once('#').map_or("", |(_, rest)| rest.rsplit('#').next().unwrap_or(rest));
        if name.is_empty() { self.name(server) } else { name.to_owned() }
    }

    /// Where an edge stands in a file.
    pub(super) fn place(&self, edge: EdgeIx) -> Option<Place> {
        place(|key| self.view.edge_property(edge, key))
    }

    /// Where a node stands in a file.
    pub(super) fn place_of(&self, node: NodeIx) -> Option<Place> {
        place(|key| {
            self.view.property(node, key).or_else(|| (key == "file").then(|| self.view.property(node, "path"))?)
        })
    }

    /// The first place in configurations at which a server is defined, by path and line.
    pub(super) fn definition(&self, server: NodeIx) -> Option<Place> {
        let offset = server.0.checked_sub(self.first_server)?;
        self.definitions.get(offset as usize)?.get_or_init(|| self.first_definition(server)).clone()
    }

    fn first_definition(&self, server: NodeIx) -> Option<Place> {
        let mut best: Option<Place> = None;
        for (_, edge) in self.view.outgoing(EdgeKind::ConfiguredIn, server) {
            let file = self.view.edge_property(edge, "file");
            let Some(file) = file.as_ref().and_then(PropertyValue::as_text) else { continue };
            // Of most only the file has to be read.
            if best.as_ref().is_none_or(|best| file <= best.file.as_str()) {
                best = best.into_iter().chain(self.place(edge)).min();
            }
        }
        best
    }

    /// Who provides a tool, resource, prompt or skill.
    pub(super) fn provider(&self, node: NodeIx) -> Option<NodeIx> {
        let edge = match self.view.kind(node) {
            NodeKind::McpTool => EdgeKind::ProvidesTool,
            NodeKind::McpResource => EdgeKind::ProvidesResource,
            NodeKind::McpPrompt => EdgeKind::ProvidesPrompt,
            NodeKind::A2aSkill => EdgeKind::AdvertisesSkill,
            _ => return None,
        };
        self.view.incoming(edge, node).map(|(provider, _)| provider).next()
    }

    /// What a node is, what it is called, and who provides it: "tool `read` of `files`".
    pub(super) fn called(&self, node: NodeIx) -> String {
        let sort = match self.view.kind(node) {
            NodeKind::McpServer => "server",
            NodeKind::McpTool => "tool",
            NodeKind::McpResource => "resource",
            NodeKind::McpPrompt => "prompt",
            NodeKind::A2aAgent => "agent",
            NodeKind::A2aSkill => "skill",
            NodeKind::AgentInstance => "agent",
            NodeKind::Credential => "secret",
            NodeKind::Host => "machine",
            NodeKind::InstructionFile => "instruction file",
            other => other.name(),
        };
        let of = self.provider(node).map_or_else(String::new, |it| format!(" of `{}`", self.name(it)));
        format!("{sort} `{}`{of}", self.name(node))
    }

    /// Where a node stands in a file, or else where the server that it belongs to is configured.
    pub(super) fn cause(&self, node: NodeIx) -> Option<Place> {
        let server = || self.provider(node).unwrap_or(node);
        self.place_of(node).or_else(|| self.definition(server()))
    }

    /// Whether something is reached over a network and not on the machine itself. What runs nowhere that is known is
    /// taken for elsewhere.
    pub(super) fn is_elsewhere(&self, node: NodeIx) -> bool {
        let mut hosts = self.view.outgoing(EdgeKind::RunsOn, node).peekable();
        hosts.peek().is_none() || hosts.any(|(host, _)| self.flag(host, "is_local") != Some(true))
    }

    /// The matches of rules on a node.
    pub(super) fn matches(&self, node: NodeIx) -> Vec<Matched> {
        let text = self.text(node, "rule_matches");
        // Whoever wrote the document wrote this; what is not a list of matches says nothing.
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub(super) fn subject(&self, node: NodeIx) -> Subject {
        let id = NodeId::from_wire(self.view.id(node).into_owned());
        Subject { id, kind: self.view.kind(node), name: self.name(node) }
    }

    /// A finding of a check.
    pub(super) fn finding(&self, check: &Check, case: Case) -> Finding {
        let standard = |(id, name): &(&str, &str)| Standard { id: (*id).to_owned(), name: (*name).to_owned() };
        let (source, target) = (self.subject(case.source), self.subject(case.target));
        Finding {
            fingerprint: Fingerprint::new(check.id, &source.id, &target.id),
            kind: check.id.to_owned(),
            category: check.category.to_owned(),
            severity: case.severity,
            confidence: 1.0,
            title: case.title,
            description: check.description.to_owned(),
            source,
            target,
            evidence: case.evidence,
            remediation: check.remediation.to_owned(),
            place: case.place,
            standards: check.standards.iter().map(standard).collect(),
            path: Vec::new(),
            total_weight: None,
        }
    }
}

fn place<'v>(property: impl Fn(&str) -> Option<PropertyValue<'v>>) -> Option<Place> {
    let number = |key: &str| property(key).and_then(|value| value.as_number()).map(|number| number as u32);
    let file = property("file")?.as_text()?.to_owned();
    Some(Place { file, line: number("line").unwrap_or(1), column: number("column").unwrap_or(1) })
}

/// The severity of findings for that of a rule; what is for information only is none.
pub(super) fn severity(rule: RuleSeverity) -> Option<Severity> {
    match rule {
        RuleSeverity::Info => None,
        RuleSeverity::Low => Some(Severity::Low),
        RuleSeverity::Medium => Some(Severity::Medium),
        RuleSeverity::High => Some(Severity::High),
        RuleSeverity::Critical => Some(Severity::Critical),
    }
}
