//! The properties of one node or edge: normalised, checked against the limits, packed.
//!
//! Where two spellings mean one key, the key's own spelling wins; where neither is, the bytewise greater one does.

use serde::de::{Error as _, MapAccess};

use tracehound_model::WATCHED_HASHES;

use super::document::Reader;
use super::field::{Members, Skipped};
use super::report::{WarningCode, excerpt};
use super::snake::snake_case;
use super::value::{Packed, ValueSeed};
use crate::bag;
use crate::keys::{KeyId, Keys};

/// The keys whose values the store knows better than any document: they are dropped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Provenance([KeyId; 7]);

impl Provenance {
    pub(super) fn new(keys: &mut Keys) -> Self {
        let [description, schema, instructions] = WATCHED_HASHES.map(|watched| watched.previous);
        let names = ["objectid", "scan_id", "first_seen", "last_seen", description, schema, instructions];
        Self(names.map(|name| keys.intern(name)))
    }
}

/// One property, as it was met.
#[derive(Debug, Clone, Copy)]
struct Entry {
    spelling: u32,
    key: KeyId,
    start: u32,
    end: u32,
    /// It has no value to keep, and stands here only so that it is noticed when it stands twice.
    is_absent: bool,
}

/// Room for the properties of one item, used again for the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    entries: Vec<Entry>,
    bytes: Vec<u8>,
    has_value_hash: bool,
    has_secret: bool,
}

impl Scratch {
    /// Forgets the last item.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.bytes.clear();
        self.has_value_hash = false;
        self.has_secret = false;
    }

    /// Whether there was a `value_hash`, spelled so, with a text in it.
    pub(super) const fn has_value_hash(&self) -> bool {
        self.has_value_hash
    }

    /// Whether there was a `value` with a text in it: the secret itself, if it is a credential's.
    pub(super) const fn has_secret(&self) -> bool {
        self.has_secret
    }

    /// Appends the packed properties.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let value = |entry: &Entry| self.bytes.get(entry.start as usize..entry.end as usize).unwrap_or_default();
        bag::write_entries(out, self.entries.iter().map(|entry| (entry.key, value(entry))));
    }
}

/// Reads the members of `properties`.
pub(super) struct PropertyMembers<'r, 'l>(pub(super) &'r mut Reader<'l>);

impl<'de> Members<'de> for PropertyMembers<'_, '_> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        let reader = &mut *self.0;
        if name.len() > reader.limits.name_bytes {
            let message = format!("is {} bytes long; a key has at most {}", name.len(), reader.limits.name_bytes);
            reader.problem_at_property(name, message);
            return map.next_value::<Skipped>().map(drop);
        }
        let spelling = reader.keys.spelling(name, snake_case);
        if reader.keys.spelling_count() > reader.max_spellings {
            let limit = reader.limits.keys;
            return Err(A::Error::custom(format_args!(
                "the document brings more than {limit} different property keys"
            )));
        }
        let key = reader.keys.key_of(spelling);
        let absent = Entry { spelling, key, start: 0, end: 0, is_absent: true };
        if reader.is_provenance(key) {
            reader.scratch.entries.push(absent);
            return map.next_value::<Skipped>().map(drop);
        }
        let start = reader.scratch.bytes.len();
        let packed = map.next_value_seed(ValueSeed {
            out: &mut reader.scratch.bytes,
            value: reader.keys.value_type(key),
            limit: reader.limits.value_bytes,
        })?;
        match packed {
            Packed::Absent => {
                reader.scratch.entries.push(absent);
                return Ok(());
            }
            Packed::Text => {
                reader.scratch.has_value_hash |= name == "value_hash";
                reader.scratch.has_secret |= reader.keys.name(key) == "value";
            }
            Packed::Plain => {}
            Packed::AsText => {
                let path = reader.place.property(name);
                reader.warnings.add(WarningCode::KeptAsText, || path, || "is kept as JSON text".to_owned());
            }
            Packed::TooLong(length) => {
                let limit = reader.limits.value_bytes;
                reader.problem_at_property(name, format!("is {length} bytes long; at most {limit} are accepted"));
                return Ok(());
            }
        }
        let end = reader.scratch.bytes.len();
        reader.scratch.entries.push(Entry { spelling, key, start: start as u32, end: end as u32, is_absent: false });
        Ok(())
    }

    fn finish(self) -> Result<(), String> {
        let reader = self.0;
        reader.settle_properties()?;
        let (count, limit) = (reader.scratch.entries.len(), reader.limits.properties);
        if count > limit {
            reader.problem(format!("has {count} properties; at most {limit} are accepted"));
        }
        Ok(())
    }

    fn not_an_object(self, found: &'static str) {
        if found != "null" {
            self.0.problem(format!("must be an object, found {found}"));
        }
    }
}

impl Reader<'_> {
    /// Sorts the properties of an item and leaves one for each key.
    fn settle_properties(&mut self) -> Result<(), String> {
        let keys = &self.keys;
        let is_own = |entry: &Entry| keys.spelling_text(entry.spelling) == keys.name(entry.key);
        let entries = &mut self.scratch.entries;
        // The winner of each key comes last within it.
        entries.sort_unstable_by(|a, b| {
            let by_spelling = || keys.spelling_text(a.spelling).cmp(keys.spelling_text(b.spelling));
            a.key.cmp(&b.key).then_with(|| is_own(a).cmp(&is_own(b))).then_with(by_spelling)
        });
        if let Some([first, _]) = entries.array_windows().find(|[a, b]| a.spelling == b.spelling) {
            return Err(format!("the key {} stands twice", excerpt(keys.spelling_text(first.spelling))));
        }
        entries.retain(|entry| !entry.is_absent);
        if entries.array_windows().any(|[a, b]| a.key == b.key) {
            let mut kept: Vec<Entry> = Vec::with_capacity(entries.len());
            for entry in entries.drain(..) {
                match kept.last_mut().filter(|last| last.key == entry.key) {
                    None => kept.push(entry),
                    Some(last) => {
                        let lost = keys.spelling_text(last.spelling);
                        let won = keys.spelling_text(entry.spelling);
                        let path = self.place.property(lost);
                        let message = || format!("means the same as {}, which was taken", excerpt(won));
                        self.warnings.add(WarningCode::KeyCollision, || path, message);
                        *last = entry;
                    }
                }
            }
            *entries = kept;
        }
        Ok(())
    }

    /// Whether the store itself says what the value of this key is.
    fn is_provenance(&self, key: KeyId) -> bool {
        self.provenance.0.contains(&key)
    }
}
