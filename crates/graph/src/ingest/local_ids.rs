//! The ids that a document mentions, each stored once and known by a number.
//!
//! Edges repeat ids over and over. Numbering them while they are read means that each is looked up once in the whole
//! estate, and that everything else about a document works on small numbers.

use std::hash::BuildHasher as _;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// The number of an id within a document.
pub(crate) type LocalId = u32;

/// All ids of a document, packed.
#[derive(Debug, Default)]
pub(crate) struct LocalIds {
    bytes: Vec<u8>,
    /// Where each id ends; it starts where the one before ends.
    ends: Vec<u32>,
    table: HashTable<LocalId>,
    hasher: RandomState,
}

impl LocalIds {
    /// The number of a packed id, given a new one if it has none. Nothing when there are more bytes than can be told.
    pub(crate) fn number(&mut self, id: &[u8]) -> Option<LocalId> {
        let hash = self.hasher.hash_one(id);
        if let Some(number) = self.table.find(hash, |number| self.get(*number) == id) {
            return Some(*number);
        }
        let end = u32::try_from(self.bytes.len() + id.len()).ok()?;
        let number = self.ends.len() as LocalId;
        self.bytes.extend_from_slice(id);
        self.ends.push(end);
        let (bytes, ends, hasher) = (&self.bytes, &self.ends, &self.hasher);
        self.table.insert_unique(hash, number, |other| hasher.hash_one(slice(bytes, ends, *other)));
        Some(number)
    }

    /// The packed id with a number.
    pub(crate) fn get(&self, number: LocalId) -> &[u8] {
        slice(&self.bytes, &self.ends, number)
    }

    /// How many ids there are; their numbers are below it.
    pub(crate) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// All packed ids, in order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.ends.len() as LocalId).map(|number| self.get(number))
    }
}

fn slice<'a>(bytes: &'a [u8], ends: &[u32], number: LocalId) -> &'a [u8] {
    let end = ends.get(number as usize).copied().unwrap_or(0);
    let start = number.checked_sub(1).and_then(|before| ends.get(before as usize)).copied().unwrap_or(0);
    bytes.get(start as usize..end as usize).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_id_has_one_number_and_reads_back() {
        let mut ids = LocalIds::default();
        let texts: Vec<Vec<u8>> = (0..1000_u32).map(|n| n.to_string().into_bytes()).collect();
        let numbers: Vec<LocalId> = texts.iter().map(|text| ids.number(text).unwrap()).collect();
        assert_eq!(numbers, (0..1000).collect::<Vec<_>>());
        assert_eq!(ids.number(b"7"), Some(7));
        assert_eq!(ids.get(999), b"999");
        assert_eq!(ids.iter().count(), 1000);
    }
}
