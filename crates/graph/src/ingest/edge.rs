//! The edges of a document.

use serde::de::{MapAccess, SeqAccess};
use tracehound_model::{EdgeKind, NodeKind};

use super::document::{Place, Reader, Seen, check_items};
use super::field::{Field, Items, Members, Object, Skipped};
use super::local_ids::LocalId;
use super::parsed::Span;
use super::properties::PropertyMembers;

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

/// Reads the items of `graph.edges`.
pub(super) struct EdgeItems<'r, 'l> {
    pub(super) reader: &'r mut Reader<'l>,
    pub(super) index: usize,
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
