//! The labelled corpora that rules are measured on. Others' texts, so they are no part of this repository.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context as _, Result};
use tracehound_rules::ledger::Corpora;

use crate::repository;

/// Reads a folder of corpora.
///
/// # Errors
///
/// When a file can't be read, or none is there.
pub fn read(folder: &Path) -> Result<Corpora> {
    let open = |file: &'static str| match fs::read(folder.join(file)) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read `{}`", folder.join(file).display())),
    };
    Corpora::read(open).with_context(|| format!("no corpora in `{}`", folder.display()))
}

/// Where continuous integration finds the corpora: beside the repository. `None` where they are not.
#[must_use]
pub fn beside_repository() -> Option<PathBuf> {
    let folder = repository::root().parent()?.join("shared").join("corpora");
    folder.is_dir().then_some(folder)
}
