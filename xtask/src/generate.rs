//! Generated files: made from tables in the code, kept in the repository, and never edited by hand.

mod clients;
mod graph_model;
mod markdown;
mod openapi;
mod questions;

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::output;

/// A generated file.
struct Generated {
    /// Where it is kept, from the root of the repository.
    path: &'static str,
    /// What it holds.
    text: fn() -> String,
}

const FILES: &[Generated] = &[
    Generated { path: "docs/clients.md", text: clients::page },
    Generated { path: "docs/graph-model.md", text: graph_model::page },
    Generated { path: "docs/openapi.json", text: openapi::document },
    Generated { path: "docs/questions.md", text: questions::page },
];

/// Writes every generated file.
pub(crate) fn write(root: &Path) -> Result<()> {
    for file in FILES {
        let path = root.join(file.path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
        }
        fs::write(&path, (file.text)()).with_context(|| format!("cannot write `{}`", path.display()))?;
        output::line(format_args!("wrote {}", file.path));
    }
    Ok(())
}

/// Fails if a generated file is not what [`write`] would write.
pub(crate) fn check(root: &Path) -> Result<()> {
    let stale: Vec<&str> = FILES.iter().filter(|file| !is_current(root, file)).map(|file| file.path).collect();
    ensure!(stale.is_empty(), "not up to date: {}; `cargo xtask generate` writes them", stale.join(", "));
    Ok(())
}

fn is_current(root: &Path, file: &Generated) -> bool {
    // Git may check text out with other line ends; what is said is the same.
    fs::read_to_string(root.join(file.path)).is_ok_and(|text| text.replace("\r\n", "\n") == (file.text)())
}

#[cfg(test)]
mod tests {
    use super::*;
    use xtask::repository;

    #[test]
    fn the_generated_files_are_up_to_date() {
        check(&repository::root()).unwrap();
    }

    #[test]
    fn a_missing_or_edited_file_is_not_up_to_date() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("docs/graph-model.md");
        let message = "not up to date: docs/graph-model.md; `cargo xtask generate` writes them";
        let missing = "not up to date: docs/clients.md, docs/graph-model.md, docs/openapi.json, docs/questions.md; `cargo xtask generate` writes them";
        assert_eq!(check(root.path()).unwrap_err().to_string(), missing);
        write(root.path()).unwrap();
        check(root.path()).unwrap();
        fs::write(&path, fs::read_to_string(&path).unwrap() + "edited\n").unwrap();
        assert_eq!(check(root.path()).unwrap_err().to_string(), message);
    }
}
