//! Files of the repository that a chore writes, or only compares.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use xtask::repository;

/// Writes a file of the repository, or fails if it is not what it should be.
pub(crate) fn settle(path: &str, content: &str, check: bool, remedy: &str) -> Result<()> {
    let file = repository::root().join(path);
    if !check {
        return fs::write(&file, content).with_context(|| format!("cannot write `{path}`"));
    }
    let present = fs::read_to_string(&file).with_context(|| format!("cannot read `{path}`"))?;
    ensure!(present == content, "`{path}` is out of date; run `{remedy}`");
    Ok(())
}
