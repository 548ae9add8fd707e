//! The nodes of a document.

use serde::de::{MapAccess, SeqAccess};
use tracehound_model::NodeKind;

use super::document::{Place, Reader, Seen, check_items};
use super::field::{Field, Items, List, Members, Object, Skipped};
use super::local_ids::LocalId;
use super::parsed::ParsedNode;
use super::properties::PropertyMembers;
use crate::labels::Labels;

/// Reads the items of `graph.nodes`.
pub(super) struct NodeItems<'r, 'l> {
    pub(super) reader: &'r mut Reader<'l>,
    pub(super) index: usize,
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
