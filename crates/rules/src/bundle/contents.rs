//! What is in a bundle: its rule files and its manifest, each path once.

use std::collections::{BTreeMap, BTreeSet};

use super::limits::{ENTRIES, MANIFEST_BYTES};
use super::manifest::MANIFEST;
use super::path::{is_rule_file, plain};
use super::refusal::Refusal;
use crate::library::RuleFile;
use crate::limits::FILE_BYTES;

/// What was found in a bundle so far.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) rules: BTreeMap<String, Vec<u8>>,
    pub(super) manifest: Option<Vec<u8>>,
    /// Paths as systems that don't tell case apart see them.
    seen: BTreeSet<String>,
}

impl Contents {
    /// Takes note of a path, which may occur once. Gives back how it is written here.
    pub(super) fn enter<'p>(&mut self, given: &'p str) -> Result<&'p str, Refusal> {
        let path = plain(given).map_err(|reason| Refusal::entry(given, reason))?;
        if self.seen.len() == ENTRIES {
            return Err(Refusal::Archive(format!("holds more than {ENTRIES} files and directories")));
        }
        if !self.seen.insert(path.to_ascii_lowercase()) {
            return Err(Refusal::entry(given, "is there twice, or only its case differs"));
        }
        Ok(path)
    }

    /// The most that a file at a path may have.
    pub(super) fn limit(path: &str) -> usize {
        if path == MANIFEST { MANIFEST_BYTES } else { FILE_BYTES }
    }

    /// Keeps a file that was entered, if it is a rule file or the manifest; others, such as a README, are of no use here.
    pub(super) fn keep(&mut self, path: &str, bytes: Vec<u8>) -> Result<(), Refusal> {
        let limit = Self::limit(path);
        if bytes.len() > limit {
            return Err(Refusal::entry(path, format!("has more than {limit} bytes")));
        }
        if path == MANIFEST {
            self.manifest = Some(bytes);
        } else if is_rule_file(path) {
            self.rules.insert(path.to_owned(), bytes);
        }
        Ok(())
    }

    /// The rule files, sorted by path.
    pub(super) fn into_files(self) -> Result<Vec<RuleFile>, Refusal> {
        if self.rules.is_empty() {
            return Err(Refusal::Empty);
        }
        let file = |(name, bytes): (String, Vec<u8>)| match String::from_utf8(bytes) {
            Ok(text) => Ok(RuleFile { name, text }),
            Err(_) => Err(Refusal::entry(name, "is not UTF-8 text")),
        };
        self.rules.into_iter().map(file).collect()
    }
}
