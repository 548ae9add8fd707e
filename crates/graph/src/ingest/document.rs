//! Reading a document from end to end: what is gathered on the way, and where reading is.

use std::fmt;

use serde::de::{DeserializeSeed as _, MapAccess};
use tracehound_model::{EdgeKind, NodeKind};

use super::edge::{DraftEdge, EdgeItems};
use super::field::{Field, List, Members, Object, Skipped};
use super::head::{DraftHead, MetaMembers};
use super::local_ids::{LocalId, LocalIds};
use super::node::NodeItems;
use super::parsed::{ParsedNode, Span};
use super::properties::{Provenance, Scratch};
use super::report::{Problems, WarningCode, Warnings, excerpt};
use crate::keys::Keys;
use crate::{Error, Limits, packed_id};

/// Said of what does not fit into what numbers of 32 bits can tell.
const TOO_LARGE: &str = "makes the document larger than can be held in memory";

/// Where reading is, for messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    list: &'static str,
    index: Option<usize>,
    pub(super) member: &'static str,
    pub(super) item: Option<usize>,
}

impl Place {
    pub(super) const fn list(list: &'static str) -> Self {
        Self { list, index: None, member: "", item: None }
    }

    pub(super) const fn item(list: &'static str, index: usize) -> Self {
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

    /// The number of an id that an item names; reports what is wrong with it.
    pub(super) fn id(&mut self, field: Field<'_>) -> Option<LocalId> {
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

    pub(super) fn node_kind(&mut self, field: &Field<'_>) -> Option<NodeKind> {
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
    pub(super) fn end_kind(&mut self, field: &Field<'_>) -> Option<NodeKind> {
        match field {
            Field::Null => None,
            Field::Text(name) if name.is_empty() => None,
            _ => self.node_kind(field),
        }
    }

    pub(super) fn edge_kind(&mut self, field: &Field<'_>) -> Option<EdgeKind> {
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
pub(super) struct Seen(u16);

impl Seen {
    pub(super) fn once<E: serde::de::Error>(&mut self, bit: u16, name: &str) -> Result<(), E> {
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
pub(super) fn check_items<E: serde::de::Error>(reader: &Reader<'_>) -> Result<(), E> {
    let items = reader.nodes.len() + reader.edges.len();
    if items > reader.limits.items {
        return Err(E::custom(format_args!("the document has more than {} nodes and edges", reader.limits.items)));
    }
    Ok(())
}
