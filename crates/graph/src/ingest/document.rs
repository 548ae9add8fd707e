//! The shape of a document: head, nodes and edges, each member checked as it is read.

use std::fmt;

use serde::de::{DeserializeSeed as _, MapAccess, SeqAccess};
use serde_json::Value;
use tracehound_model::{Collector, EdgeKind, NodeKind, wire};

use super::field::{Field, Items, List, Members, Object, Skipped};
use super::local_ids::{LocalId, LocalIds};
use super::parsed::{ParsedNode, Span};
use super::properties::{PropertyMembers, Provenance, Scratch};
use super::report::{Problems, WarningCode, Warnings, excerpt};
use super::value::{Budget, StrictSeed};
use crate::keys::Keys;
use crate::labels::Labels;
use crate::{Error, Limits, packed_id};

/// An edge with what it says of its ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct DraftEdge {
    pub(super) kind: EdgeKind,
    pub(super) source: LocalId,
    pub(super) target: LocalId,
    pub(super) source_kind: Option<NodeKind>,
    pub(super) target_kind: Option<NodeKind>,
    pub(super) bag: Span,
}

/// The head as far as it was read.
#[derive(Debug, Default)]
pub(super) struct DraftHead {
    pub(super) version: Option<u64>,
    pub(super) r#type: Option<String>,
    pub(super) collector: Option<Collector>,
    pub(super) collector_version: String,
    pub(super) timestamp: String,
    pub(super) scan_id: String,
    pub(super) extra: Value,
    collector_given: Option<String>,
}

/// The most that `meta.extra` may hold: what a document of the largest usual size covers, several times over.
const EXTRA_BYTES: usize = 32 << 20;

/// Said of what does not fit into what numbers of 32 bits can tell.
const TOO_LARGE: &str = "makes the document larger than can be held in memory";

/// Where reading is, for messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    list: &'static str,
    index: Option<usize>,
    member: &'static str,
    item: Option<usize>,
}

impl Place {
    const fn list(list: &'static str) -> Self {
        Self { list, index: None, member: "", item: None }
    }

    const fn item(list: &'static str, index: usize) -> Self {
        Self { list, index: Some(index), member: "", item: None }
    }

    /// The path of a property of the item being read.
    pub(super) fn property(self, key: &str) -> String {
        let key: String = key.chars().take(80).flat_map(char::escape_debug).collect();
        format!("{}.{key}", Self { member: "properties", ..self })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.list.is_empty() { "document" } else { self.list })?;
        if let Some(index) = self.index {
            write!(f, "[{index}]")?;
        }
        if !self.member.is_empty() {
            write!(f, ".{}", self.member)?;
        }
        self.item.map_or(Ok(()), |item| write!(f, "[{item}]"))
    }
}

/// Everything that is gathered while a document is read.
#[derive(Debug)]
pub(super) struct Reader<'l> {
    pub(super) limits: &'l Limits,
    pub(super) keys: Keys,
    pub(super) max_spellings: usize,
    pub(super) provenance: Provenance,
    pub(super) scratch: Scratch,
    pub(super) place: Place,
    pub(super) head: DraftHead,
    pub(super) ids: LocalIds,
    /// The id being read, packed.
    packed: Vec<u8>,
    pub(super) buffer: Vec<u8>,
    pub(super) nodes: Vec<ParsedNode>,
    pub(super) edges: Vec<DraftEdge>,
    pub(super) problems: Problems,
    pub(super) warnings: Warnings,
}

impl<'l> Reader<'l> {
    pub(super) fn new(limits: &'l Limits, mut keys: Keys, mut buffer: Vec<u8>) -> Self {
        buffer.clear();
        Self {
            limits,
            provenance: Provenance::new(&mut keys),
            max_spellings: keys.spelling_count() + limits.keys,
            keys,
            scratch: Scratch::default(),
            place: Place::list(""),
            head: DraftHead::default(),
            ids: LocalIds::default(),
            packed: Vec::new(),
            buffer,
            nodes: Vec::new(),
            edges: Vec::new(),
            problems: Problems::default(),
            warnings: Warnings::default(),
        }
    }

    /// Reads the whole text, then checks the head.
    pub(super) fn read(&mut self, text: &str) -> Result<(), Error> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        Object(DocumentMembers { reader: self, seen: Seen::default() })
            .deserialize(&mut deserializer)
            .and_then(|()| deserializer.end())
            .map_err(|source| Error::Json { place: self.place.to_string(), source })?;
        // The head comes first in the list of problems, wherever it stands in the document.
        let body = std::mem::take(&mut self.problems);
        self.check_head();
        self.problems.append(body);
        Ok(())
    }

    /// A problem at the present place.
    pub(super) fn problem(&mut self, message: impl Into<String>) {
        let place = self.place;
        self.problems.add(|| place.to_string(), message);
    }

    /// A problem at a property of the present item.
    pub(super) fn problem_at_property(&mut self, key: &str, message: String) {
        let place = self.place;
        self.problems.add(|| place.property(key), message);
    }

    fn check_head(&mut self) {
        let mut demand = |member: &'static str, holds: bool, message: String| {
            if !holds {
                self.problems.add(|| format!("meta.{member}"), message);
            }
        };
        let head = &self.head;
        demand("version", head.version == Some(wire::VERSION), format!("must be {}", wire::VERSION));
        demand("type", head.r#type.as_deref() == Some(wire::TYPE), format!("must be `{}`", wire::TYPE));
        let known: Vec<&str> = Collector::ON_WIRE.iter().map(|collector| collector.name()).collect();
        let found = head.collector_given.as_deref().map(|given| format!(", found {}", excerpt(given)));
        let message = format!("must be one of {}{}", known.join(", "), found.unwrap_or_default());
        demand("collector", head.collector.is_some(), message);
        demand("scan_id", !head.scan_id.is_empty(), "must not be empty".to_owned());
        let limit = self.limits.name_bytes;
        demand("scan_id", head.scan_id.len() <= limit, format!("must be at most {limit} bytes long"));
    }

    /// The number of an id that an item names; reports what is wrong with it.
    fn id(&mut self, field: Field<'_>) -> Option<LocalId> {
        match field {
            Field::Text(id) if id.is_empty() => self.problem("must not be empty"),
            Field::Text(id) if id.len() > self.limits.name_bytes => {
                self.problem(format!("is {} bytes long; an id has at most {}", id.len(), self.limits.name_bytes));
            }
            Field::Text(id) => {
                self.packed.clear();
                let is_usual = packed_id::write(&mut self.packed, &id);
                if !is_usual && self.place.member == "id" {
                    let (place, shown) = (self.place, excerpt(&id));
                    let message = || format!("{shown} is not `sha256:` and 64 hex digits");
                    self.warnings.add(WarningCode::UnusualId, || place.to_string(), message);
                }
                let number = self.ids.number(&self.packed);
                if number.is_none() {
                    self.problem(TOO_LARGE);
                }
                return number;
            }
            other => self.problem(format!("must be text, found {}", other.found())),
        }
        None
    }

    fn node_kind(&mut self, field: &Field<'_>) -> Option<NodeKind> {
        let Field::Text(name) = field else {
            self.problem(format!("must be a node kind, found {}", field.found()));
            return None;
        };
        match NodeKind::from_name(name) {
            Some(kind) if kind.is_input() => return Some(kind),
            Some(kind) => self.problem(format!("`{kind}` is made by analysis and can't be in a document")),
            None => self.problem(format!("{} is not a node kind", excerpt(name))),
        }
        None
    }

    /// What an edge says of one of its ends; nothing and empty text mean nothing.
    fn end_kind(&mut self, field: &Field<'_>) -> Option<NodeKind> {
        match field {
            Field::Null => None,
            Field::Text(name) if name.is_empty() => None,
            _ => self.node_kind(field),
        }
    }

    fn edge_kind(&mut self, field: &Field<'_>) -> Option<EdgeKind> {
        let Field::Text(name) = field else {
            self.problem(format!("must be an edge kind, found {}", field.found()));
            return None;
        };
        match EdgeKind::from_name(name) {
            Some(kind) if kind.is_input() => return Some(kind),
            Some(kind) => self.problem(format!("`{kind}` is made by analysis and can't be in a document")),
            None => self.problem(format!("{} is not an edge kind", excerpt(name))),
        }
        None
    }

    /// The stretch of the buffer from `start` to its end. Escaping can make JSON text longer than the document it
    /// comes from, so that the end may lie beyond what a stretch can tell.
    pub(super) fn span_from(&mut self, start: usize) -> Span {
        match (u32::try_from(start), u32::try_from(self.buffer.len())) {
            (Ok(start), Ok(end)) => Span { start, end },
            _ => {
                self.problem(TOO_LARGE);
                Span { start: 0, end: 0 }
            }
        }
    }
}

/// Which members of an object were met, so that none counts twice.
#[derive(Debug, Default, Clone, Copy)]
struct Seen(u16);

impl Seen {
    fn once<E: serde::de::Error>(&mut self, bit: u16, name: &str) -> Result<(), E> {
        if self.0 & (1 << bit) != 0 {
            return Err(E::custom(format_args!("the key `{name}` stands twice")));
        }
        self.0 |= 1 << bit;
        Ok(())
    }
}

struct DocumentMembers<'r, 'l> {
    reader: &'r mut Reader<'l>,
    seen: Seen,
}

impl<'de> Members<'de> for DocumentMembers<'_, '_> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "meta" => {
                self.seen.once(0, name)?;
                self.reader.place = Place::list("meta");
                map.next_value_seed(Object(MetaMembers { reader: self.reader, seen: Seen::default() }))?;
            }
            "graph" => {
                self.seen.once(1, name)?;
                self.reader.place = Place::list("graph");
                map.next_value_seed(Object(GraphMembers { reader: self.reader, seen: Seen::default() }))?;
            }
            _ => {
                map.next_value::<Skipped>()?;
            }
        }
        self.reader.place = Place::list("");
        Ok(())
    }
    fn finish(self) -> Result<(), String> {
        Ok(())
    }
    fn not_an_object(self, found: &'static str) {
        self.reader.problem(format!("must be an object, found {found}"));
    }
}

struct MetaMembers<'r, 'l> {
    reader: &'r mut Reader<'l>,
    seen: Seen,
}

impl MetaMembers<'_, '_> {
    /// The text of a member that may be left out.
    fn free_text(&mut self, field: Field<'_>) -> String {
        match field {
            Field::Text(text) if text.len() <= self.reader.limits.name_bytes => text.into_owned(),
            // Neither is checked by the format, so neither can refuse a document.
            _ => String::new(),
        }
    }
}

impl<'de> Members<'de> for MetaMembers<'_, '_> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        const KNOWN: [&str; 7] = ["version", "type", "collector", "collector_version", "timestamp", "scan_id", "extra"];
        let Some(position) = KNOWN.iter().position(|known| *known == name) else {
            return map.next_value::<Skipped>().map(drop);
        };
        self.seen.once(position as u16, name)?;
        self.reader.place.member = KNOWN.get(position).copied().unwrap_or_default();
        if name == "extra" {
            let mut budget = Budget::new(EXTRA_BYTES);
            self.reader.head.extra = map.next_value_seed(StrictSeed(&mut budget))?;
            if budget.is_spent() {
                self.reader.problem(format!("is larger than {EXTRA_BYTES} bytes"));
            }
            return Ok(());
        }
        let field: Field<'de> = map.next_value()?;
        match name {
            "version" => self.reader.head.version = if let Field::Number(number) = field { number } else { None },
            "type" => {
                self.reader.head.r#type = if let Field::Text(text) = field { Some(text.into_owned()) } else { None }
            }
            "collector" => {
                if let Field::Text(text) = field {
                    let known = Collector::from_name(&text).filter(|known| Collector::ON_WIRE.contains(known));
                    self.reader.head.collector = known;
                    self.reader.head.collector_given = Some(text.into_owned());
                }
            }
            "collector_version" => self.reader.head.collector_version = self.free_text(field),
            "timestamp" => self.reader.head.timestamp = self.free_text(field),
            _ => {
                if let Field::Text(text) = field {
                    self.reader.head.scan_id = text.into_owned();
                }
            }
        }
        Ok(())
    }
    fn finish(self) -> Result<(), String> {
        Ok(())
    }
    fn not_an_object(self, found: &'static str) {
        self.reader.problem(format!("must be an object, found {found}"));
    }
}

struct GraphMembers<'r, 'l> {
    reader: &'r mut Reader<'l>,
    seen: Seen,
}

impl<'de> Members<'de> for GraphMembers<'_, '_> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "nodes" => {
                self.seen.once(0, name)?;
                self.reader.place = Place::list("graph.nodes");
                map.next_value_seed(List(NodeItems { reader: self.reader, index: 0 }))
            }
            "edges" => {
                self.seen.once(1, name)?;
                self.reader.place = Place::list("graph.edges");
                map.next_value_seed(List(EdgeItems { reader: self.reader, index: 0 }))
            }
            _ => map.next_value::<Skipped>().map(drop),
        }
    }
    fn finish(self) -> Result<(), String> {
        Ok(())
    }
    fn not_an_object(self, found: &'static str) {
        if found != "null" {
            self.reader.problem(format!("must be an object, found {found}"));
        }
    }
}

/// Stops a document that has more items than allowed.
fn check_items<E: serde::de::Error>(reader: &Reader<'_>) -> Result<(), E> {
    let items = reader.nodes.len() + reader.edges.len();
    if items > reader.limits.items {
        return Err(E::custom(format_args!("the document has more than {} nodes and edges", reader.limits.items)));
    }
    Ok(())
}

struct NodeItems<'r, 'l> {
    reader: &'r mut Reader<'l>,
    index: usize,
}

impl<'de> Items<'de> for NodeItems<'_, '_> {
    fn item<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        self.reader.place = Place::item("graph.nodes", self.index);
        self.reader.scratch.clear();
        let seen = Seen::default();
        let node = NodeMembers { reader: self.reader, seen, id: None, kinds: None, is_credential: false };
        let found = list.next_element_seed(Object(node))?.is_some();
        check_items(self.reader)?;
        self.index += 1;
        Ok(found)
    }
    fn not_a_list(self, found: &'static str) {
        self.reader.problem(format!("must be a list, found {found}"));
    }
}

/// The kinds of a node: the labels, or nothing when a problem was reported.
type Kinds = Option<Labels>;

struct NodeMembers<'r, 'l> {
    reader: &'r mut Reader<'l>,
    seen: Seen,
    id: Option<Option<LocalId>>,
    kinds: Option<Kinds>,
    is_credential: bool,
}

impl<'de> Members<'de> for NodeMembers<'_, '_> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "id" => {
                self.seen.once(0, name)?;
                self.reader.place.member = "id";
                let field = map.next_value()?;
                self.id = Some(self.reader.id(field));
            }
            "kinds" => {
                self.seen.once(1, name)?;
                self.reader.place.member = "kinds";
                let mut kinds = KindItems { reader: self.reader, index: 0, labels: None, failed: false };
                map.next_value_seed(List(&mut kinds))?;
                self.is_credential = kinds.labels.is_some_and(|labels| labels.all & NodeKind::Credential.bit() != 0);
                self.kinds = Some(kinds.finish());
            }
            "properties" => {
                self.seen.once(2, name)?;
                self.reader.place.member = "properties";
                map.next_value_seed(Object(PropertyMembers(self.reader)))?;
            }
            _ => {
                map.next_value::<Skipped>()?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<(), String> {
        let reader = self.reader;
        reader.place.member = "id";
        let id = self.id.unwrap_or_else(|| reader.id(Field::Null));
        reader.place.member = "kinds";
        if self.kinds.is_none() {
            reader.problem("must name at least one kind");
        }
        if self.is_credential && !reader.scratch.has_value_hash() {
            reader.problem_at_property("value_hash", "must be a text that is not empty".to_owned());
        }
        if self.is_credential && reader.scratch.has_secret() {
            let message = "is a secret, and secrets are never stored; leave it out of the document";
            reader.problem_at_property("value", message.to_owned());
        }
        let (Some(id), Some(Some(labels))) = (id, self.kinds) else { return Ok(()) };
        let start = reader.buffer.len();
        labels.write(&mut reader.buffer);
        reader.scratch.write(&mut reader.buffer);
        let blob = reader.span_from(start);
        reader.nodes.push(ParsedNode { id, blob });
        Ok(())
    }

    fn not_an_object(self, found: &'static str) {
        self.reader.problem(format!("must be an object, found {found}"));
    }
}

struct KindItems<'r, 'l> {
    reader: &'r mut Reader<'l>,
    index: usize,
    labels: Option<Labels>,
    failed: bool,
}

impl KindItems<'_, '_> {
    fn finish(self) -> Kinds {
        if self.labels.is_none() && !self.failed {
            self.reader.problem("must name at least one kind");
        }
        self.labels.filter(|_| !self.failed)
    }
}

impl<'de> Items<'de> for &mut KindItems<'_, '_> {
    fn item<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        let Some(field) = list.next_element::<Field<'de>>()? else { return Ok(false) };
        self.reader.place.item = Some(self.index);
        match self.reader.node_kind(&field) {
            Some(kind) => {
                let more = Labels::of([kind]);
                self.labels = match (self.labels, more) {
                    (Some(labels), Some(more)) => Some(labels.with(more)),
                    (labels, more) => labels.or(more),
                };
            }
            None => self.failed = true,
        }
        self.reader.place.item = None;
        self.index += 1;
        Ok(true)
    }
    fn not_a_list(self, found: &'static str) {
        self.failed = true;
        self.reader.problem(format!("must be a list of kinds, found {found}"));
    }
}

struct EdgeItems<'r, 'l> {
    reader: &'r mut Reader<'l>,
    index: usize,
}

impl<'de> Items<'de> for EdgeItems<'_, '_> {
    fn item<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        self.reader.place = Place::item("graph.edges", self.index);
        self.reader.scratch.clear();
        let found = list.next_element_seed(Object(EdgeMembers::new(self.reader)))?.is_some();
        check_items(self.reader)?;
        self.index += 1;
        Ok(found)
    }
    fn not_a_list(self, found: &'static str) {
        self.reader.problem(format!("must be a list, found {found}"));
    }
}

struct EdgeMembers<'r, 'l> {
    reader: &'r mut Reader<'l>,
    seen: Seen,
    source: Option<Option<LocalId>>,
    target: Option<Option<LocalId>>,
    kind: Option<Option<EdgeKind>>,
    source_kind: Option<NodeKind>,
    target_kind: Option<NodeKind>,
}

impl<'r, 'l> EdgeMembers<'r, 'l> {
    fn new(reader: &'r mut Reader<'l>) -> Self {
        let seen = Seen::default();
        Self { reader, seen, source: None, target: None, kind: None, source_kind: None, target_kind: None }
    }
}

impl<'de> Members<'de> for EdgeMembers<'_, '_> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        const KNOWN: [&str; 6] = ["source", "target", "kind", "source_kind", "target_kind", "properties"];
        let Some(position) = KNOWN.iter().position(|known| *known == name) else {
            return map.next_value::<Skipped>().map(drop);
        };
        self.seen.once(position as u16, name)?;
        self.reader.place.member = KNOWN.get(position).copied().unwrap_or_default();
        if name == "properties" {
            return map.next_value_seed(Object(PropertyMembers(self.reader)));
        }
        let field: Field<'de> = map.next_value()?;
        match name {
            "source" => self.source = Some(self.reader.id(field)),
            "target" => self.target = Some(self.reader.id(field)),
            "kind" => self.kind = Some(self.reader.edge_kind(&field)),
            "source_kind" => self.source_kind = self.reader.end_kind(&field),
            _ => self.target_kind = self.reader.end_kind(&field),
        }
        Ok(())
    }

    fn finish(self) -> Result<(), String> {
        let reader = self.reader;
        let mut end = |member, given: Option<Option<LocalId>>| {
            reader.place.member = member;
            given.unwrap_or_else(|| reader.id(Field::Null))
        };
        let source = end("source", self.source);
        let target = end("target", self.target);
        reader.place.member = "kind";
        let kind = self.kind.unwrap_or_else(|| reader.edge_kind(&Field::Null));
        let (Some(source), Some(target), Some(kind)) = (source, target, kind) else { return Ok(()) };
        let start = reader.buffer.len();
        reader.scratch.write(&mut reader.buffer);
        let bag = reader.span_from(start);
        let (source_kind, target_kind) = (self.source_kind, self.target_kind);
        reader.edges.push(DraftEdge { kind, source, target, source_kind, target_kind, bag });
        Ok(())
    }

    fn not_an_object(self, found: &'static str) {
        self.reader.problem(format!("must be an object, found {found}"));
    }
}
