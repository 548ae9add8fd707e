//! Reading one fingerprint from its file.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use tracehound_model::{NodeKind, property_type};

use super::template::{Template, converted};
use super::types::{Fingerprint, FingerprintTest, Probe};
use super::{kinds, read_probe, read_test};
use crate::limits;
use crate::reading::fields::{Fields, List, Reader, read_with};
use crate::reading::problem::{Complaint, Problem, shown};
use crate::reading::suggest::nearest;
use crate::reading::texts::not_snake_case;
use crate::reading::tree::{Entry, Node, Value};

/// The fields of a fingerprint.
const FIELDS: &[&str] =
    &["id", "name", "description", "version", "enabled", "service_kind", "ports", "probes", "emit", "tests"];

/// The version of a fingerprint that does not say its own: the format that the fields above are of.
const VERSION: u32 = 2;

/// Properties that a rule must not set, because whoever found the service knows them, or because they would join it with
/// credentials and other machines.
const RESERVED: &[&str] = &[
    "certificate_problem",
    "cut_short",
    "discovered_via",
    "endpoint",
    "labels",
    "last_seen",
    "name",
    "objectid",
    "origin",
    "recognised_by",
    "rule_matches",
    "scan_id",
    "service_kind",
    "value",
    "value_hash",
];

/// Reads one fingerprint.
///
/// # Errors
///
/// With everything that is wrong with the text, in its order.
pub fn read_fingerprint(text: &str) -> Result<Fingerprint, Vec<Problem>> {
    read_with(Reader::default(), text, Reader::fingerprint)
}

/// Reads one fingerprint that a test read with [`read_fingerprint`]: its patterns are taken to be within the limits.
pub(crate) fn read_proven_fingerprint(text: &str) -> Result<Fingerprint, Vec<Problem>> {
    read_with(Reader::proven(), text, Reader::fingerprint)
}

/// Whether a file is meant to be a fingerprint: it has a field that only these have.
pub(crate) fn is_fingerprint(root: &Node) -> bool {
    let Value::Mapping(entries) = &root.value else { return false };
    entries.iter().any(|entry| matches!(entry.key.as_str(), "service_kind" | "probes"))
}

impl Reader {
    pub(crate) fn fingerprint(&mut self, root: &Node) -> Option<Fingerprint> {
        let fields = self.mapping(root, "a fingerprint")?;
        self.only(&fields, FIELDS);
        let id = self.id(&fields);
        let name = self.required(&fields, "name").and_then(|node| self.line(node, "name", limits::NAME_BYTES));
        let description = self.prose(&fields, "description");
        let version = self.version(&fields, VERSION);
        let enabled = self.flag(&fields, "enabled", true);
        let kind = self.required(&fields, "service_kind").and_then(|node| self.service_kind(node));
        let ports = self.ports(&fields);
        let probes = self.required(&fields, "probes").and_then(|node| self.probes(node));
        let properties = self.required(&fields, "emit").and_then(|node| self.emitted(node, kind));
        let tests = self.fingerprint_tests(&fields);
        Some(Fingerprint {
            id: id?,
            name: name?,
            description: description?.unwrap_or_default(),
            version: version?,
            enabled: enabled?,
            kind: kind?,
            ports: ports?,
            probes: probes?,
            properties: properties?,
            tests: tests?,
        })
    }

    fn service_kind(&mut self, node: &Node) -> Option<NodeKind> {
        let name = self.text(node, "service_kind", usize::MAX)?;
        let kind = kinds::service_kind(name);
        if kind.is_none() {
            let message = format!("{} is not a kind of AI service", shown(name));
            let labels: Vec<&str> = kinds::names().filter(|name| NodeKind::from_name(name).is_some()).collect();
            let otherwise = format!("it is one of {}", labels.join(", "));
            self.complain(node.at, Complaint::unknown(message, nearest(name, kinds::names()), otherwise));
        }
        kind
    }

    fn ports(&mut self, fields: &Fields<'_>) -> Option<Vec<u16>> {
        let Some(node) = fields.get("ports") else { return Some(Vec::new()) };
        let items = self.any_list(node, List { field: "ports", most: limits::PORTS })?;
        let mut ports = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let port = self.integer(item, &format!("ports[{index}]"), 1..=i64::from(u16::MAX))?;
            let port = u16::try_from(port).ok()?;
            if ports.contains(&port) {
                self.complain(item.at, Complaint::new(format!("`{port}` stands twice in `ports`")));
            }
            ports.push(port);
        }
        Some(ports)
    }

    fn probes(&mut self, node: &Node) -> Option<Vec<Probe>> {
        let items = self.list(node, List { field: "probes", most: limits::PROBES })?;
        let probes: Vec<Option<Probe>> = items.iter().map(|item| read_probe::read(self, item)).collect();
        probes.into_iter().collect()
    }

    fn fingerprint_tests(&mut self, fields: &Fields<'_>) -> Option<Vec<FingerprintTest>> {
        let Some(node) = fields.get("tests") else { return Some(Vec::new()) };
        let items = self.any_list(node, List { field: "tests", most: limits::TESTS })?;
        let tests: Vec<Option<FingerprintTest>> = items.iter().map(|item| read_test::read(self, item)).collect();
        tests.into_iter().collect()
    }

    /// What a recognised service is given; its kinds say again what `service_kind` says.
    fn emitted(&mut self, node: &Node, kind: Option<NodeKind>) -> Option<BTreeMap<String, Template>> {
        let fields = self.mapping(node, "`emit`")?;
        self.only(&fields, &["node_kinds", "properties"]);
        let kinds = self.required(&fields, "node_kinds").and_then(|node| self.node_kinds(node, kind));
        let properties = fields.get("properties").map_or_else(|| Some(BTreeMap::new()), |node| self.properties(node));
        kinds?;
        properties
    }

    fn node_kinds(&mut self, node: &Node, kind: Option<NodeKind>) -> Option<()> {
        let items = self.list(node, List { field: "node_kinds", most: limits::WORDS })?;
        for (index, item) in items.iter().enumerate() {
            let name = self.text(item, &format!("node_kinds[{index}]"), usize::MAX)?;
            let umbrella = NodeKind::AiService.name();
            let complaint = match kind {
                Some(own) if index == 0 && kinds::service_kind(name) != Some(own) => {
                    let message = format!("the first of `node_kinds` must be the service kind, not {}", shown(name));
                    Complaint::with_help(message, format!("write {}", own.name()))
                }
                _ if index > 0 && name != umbrella => {
                    let message = format!("a service can't also be {}", shown(name));
                    Complaint::with_help(message, format!("besides its kind, only {umbrella} is allowed"))
                }
                _ => continue,
            };
            self.complain(item.at, complaint);
        }
        Some(())
    }

    fn properties(&mut self, node: &Node) -> Option<BTreeMap<String, Template>> {
        let fields = self.mapping(node, "`properties`")?;
        let entries = self.entries(&fields, "properties", limits::PROPERTIES)?;
        let mut properties = BTreeMap::new();
        let mut is_whole = true;
        for entry in entries {
            let key = self.property_key(entry, "properties");
            match key.and_then(|key| self.template(key, &entry.value).map(|template| (key, template))) {
                Some((key, template)) => drop(properties.insert(key.to_owned(), template)),
                None => is_whole = false,
            }
        }
        is_whole.then_some(properties)
    }

    /// The entries of a mapping whose keys are free, not more than a limit.
    pub(super) fn entries<'t>(&mut self, fields: &Fields<'t>, field: &str, most: usize) -> Option<&'t [Entry]> {
        let entries = fields.entries();
        if entries.len() > most {
            let message = format!("`{field}` has {} entries; at most {most} are allowed", entries.len());
            self.complain(fields.at, Complaint::new(message));
            return None;
        }
        Some(entries)
    }

    /// A key under which a property is set, which a capture's name may become too.
    pub(super) fn property_key<'t>(&mut self, entry: &'t Entry, field: &str) -> Option<&'t str> {
        let key = entry.key.as_str();
        let complaint = if key.len() > limits::WORD_BYTES {
            Complaint::new(format!("{} is longer than {} bytes", shown(key), limits::WORD_BYTES))
        } else if RESERVED.contains(&key) {
            let help = "it is set by whoever found the service";
            Complaint::with_help(format!("a rule must not set `{key}`"), help)
        } else if let Some(complaint) = not_snake_case(&format!("the names of `{field}`"), key) {
            complaint
        } else {
            return Some(key);
        };
        self.complain(entry.at, complaint);
        None
    }

    fn template(&mut self, key: &str, node: &Node) -> Option<Template> {
        let value = self.scalar(node, key, limits::VALUE_BYTES)?;
        let template = match &value {
            Json::String(text) => Template::read(text),
            _ => Template::Fixed(value.clone()),
        };
        // What does not depend on an answer can be checked here and now.
        if let Some(wanted) = property_type(key)
            && template.captures().next().is_none()
            && converted(&value, wanted).is_none()
        {
            let message = format!("`{key}` must be of the type {}, not {}", wanted.name(), shown(&value.to_string()));
            self.complain(node.at, Complaint::new(message));
            return None;
        }
        Some(template)
    }
}
