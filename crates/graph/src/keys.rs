//! Property keys: each is stored once and known by a number.
//!
//! The numbers are given in order of first sight, so they differ between stores; nothing that leaves the store shows
//! them.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use foldhash::fast::RandomState;
use tracehound_model::{PropertyType, property_type};

/// The number of a property key.
pub(crate) type KeyId = u32;

/// A key as it stands in a document and what it becomes.
#[derive(Debug, Clone)]
struct Spelling {
    text: Arc<str>,
    key: KeyId,
}

/// What is known of a key.
#[derive(Debug, Clone)]
struct KeyRow {
    name: Arc<str>,
    value: Option<PropertyType>,
}

/// All property keys of a store, and every spelling of them that was met.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keys {
    rows: Vec<KeyRow>,
    by_name: std::collections::HashMap<Name, KeyId, RandomState>,
    spellings: Vec<Spelling>,
    by_spelling: std::collections::HashMap<Name, u32, RandomState>,
}

/// A shared text that is looked up by `&str`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Name(Arc<str>);

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        str::hash(&self.0, state);
    }
}

impl Keys {
    /// The number of the key with this name, given a new one if it has none.
    pub(crate) fn intern(&mut self, name: &str) -> KeyId {
        if let Some(key) = self.by_name.get(name) {
            return *key;
        }
        let key = self.rows.len() as KeyId;
        let name: Arc<str> = name.into();
        self.rows.push(KeyRow { value: property_type(&name), name: Arc::clone(&name) });
        self.by_name.insert(Name(name), key);
        key
    }

    /// The number of the key with this name, if it was ever met.
    pub(crate) fn find(&self, name: &str) -> Option<KeyId> {
        self.by_name.get(name).copied()
    }

    /// The number of a spelling; `normal` turns a spelling into the key's name and runs once per spelling.
    pub(crate) fn spelling(&mut self, text: &str, normal: impl FnOnce(&str) -> String) -> u32 {
        if let Some(spelling) = self.by_spelling.get(text) {
            return *spelling;
        }
        let key = self.intern(&normal(text));
        let spelling = self.spellings.len() as u32;
        let text: Arc<str> = text.into();
        self.spellings.push(Spelling { text: Arc::clone(&text), key });
        self.by_spelling.insert(Name(text), spelling);
        spelling
    }

    /// The key that a spelling means.
    pub(crate) fn key_of(&self, spelling: u32) -> KeyId {
        self.spellings.get(spelling as usize).map_or(0, |row| row.key)
    }

    /// The text of a spelling.
    pub(crate) fn spelling_text(&self, spelling: u32) -> &str {
        self.spellings.get(spelling as usize).map_or("", |row| &row.text)
    }

    /// A key's name.
    pub(crate) fn name(&self, key: KeyId) -> &str {
        self.rows.get(key as usize).map_or("", |row| &row.name)
    }

    /// A key's type, where the property table knows it.
    pub(crate) fn value_type(&self, key: KeyId) -> Option<PropertyType> {
        self.rows.get(key as usize).and_then(|row| row.value)
    }

    /// All names, in the order of their numbers.
    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.rows.iter().map(|row| &*row.name)
    }

    /// How many spellings were met.
    pub(crate) fn spelling_count(&self) -> usize {
        self.spellings.len()
    }
}
