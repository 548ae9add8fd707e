//! The files of the repository, without those that git is told to ignore.
//!
//! Walks the folders itself instead of asking git, so that the rules also hold in an unpacked archive. Of the ignore
//! files' language it knows plain names and paths, which is all that this repository uses.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use xtask::repository;

/// The files below a folder.
pub(super) struct Tree {
    root: PathBuf,
    files: Vec<String>,
    ignored: Vec<Ignored>,
}

/// A line of an ignore file.
struct Ignored {
    /// The folder of the ignore file, with a `/` at its end unless it is the root.
    folder: String,
    pattern: String,
    /// Whether it means just the one path, not every entry of that name further down.
    is_anchored: bool,
}

impl Tree {
    /// The repository itself.
    pub(super) fn of_repository() -> Result<Self> {
        Self::read(repository::root())
    }

    /// Any folder.
    pub(super) fn read(root: PathBuf) -> Result<Self> {
        let mut tree = Self { root, files: Vec::new(), ignored: Vec::new() };
        tree.walk("")?;
        tree.files.sort_unstable();
        Ok(tree)
    }

    /// The paths that end like this, from the root, with `/` on every platform.
    pub(super) fn files_ending(&self, suffix: &str) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str).filter(move |path| path.ends_with(suffix))
    }

    /// The text of a file.
    pub(super) fn text(&self, path: &str) -> Result<String> {
        fs::read_to_string(self.root.join(path)).with_context(|| format!("cannot read `{path}`"))
    }

    /// The folder that all paths start from.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Whether there is a file or folder of this path.
    pub(super) fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Whether a file of this name is in any folder.
    pub(super) fn has_file_named(&self, name: &str) -> bool {
        self.files.iter().any(|path| path.rsplit('/').next() == Some(name))
    }

    /// Whether this name stands at the top of the repository.
    pub(super) fn has_top_level(&self, name: &str) -> bool {
        self.files.iter().any(|path| path.split('/').next() == Some(name))
    }

    /// Whether git is told to ignore the path or a folder that it is in.
    pub(super) fn is_ignored(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        ends.filter_map(|end| path.get(..end)).any(|part| self.ignored.iter().any(|line| line.matches(part)))
    }

    fn walk(&mut self, folder: &str) -> Result<()> {
        if let Ok(text) = fs::read_to_string(self.root.join(folder).join(".gitignore")) {
            self.ignored.extend(text.lines().filter_map(|line| Ignored::parse(folder, line)));
        }
        let path = self.root.join(folder);
        let entries = fs::read_dir(&path).with_context(|| format!("cannot list `{}`", path.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot list `{}`", path.display()))?;
            let name = entry.file_name();
            let path = format!("{folder}{}", name.to_string_lossy());
            if name == ".git" || self.is_ignored(&path) {
                continue;
            }
            // A link is neither followed nor read: what it leads to is either in the tree anyway or not ours.
            let kind = entry.file_type().with_context(|| format!("cannot look at `{path}`"))?;
            if kind.is_dir() {
                self.walk(&format!("{path}/"))?;
            } else if kind.is_file() {
                self.files.push(path);
            }
        }
        Ok(())
    }
}

impl Ignored {
    fn parse(folder: &str, line: &str) -> Option<Self> {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '!']) || line.contains(['*', '?', '[']) {
            return None;
        }
        let pattern = line.trim_matches('/');
        let is_anchored = line.trim_end_matches('/').contains('/');
        Some(Self { folder: folder.to_owned(), pattern: pattern.to_owned(), is_anchored })
    }

    fn matches(&self, path: &str) -> bool {
        path.strip_prefix(&self.folder).is_some_and(|rest| {
            rest == self.pattern || !self.is_anchored && rest.rsplit('/').next() == Some(&self.pattern)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_files_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let files =
            ["a.rs", "target/b.rs", "ui/dist/c.rs", "ui/src/d.rs", "ui/src/node_modules/e.rs", "ui/target/f.rs"];
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        fs::write(folder.path().join(".gitignore"), "# built\n/target\nnode_modules/\n").unwrap();
        fs::write(folder.path().join("ui/.gitignore"), "/dist\n").unwrap();
        let tree = Tree::read(folder.path().to_owned()).unwrap();
        assert_eq!(tree.files_ending(".rs").collect::<Vec<_>>(), ["a.rs", "ui/src/d.rs", "ui/target/f.rs"]);
        assert!(tree.is_ignored("target/release/tracehound"));
        assert!(tree.is_ignored("ui/dist"));
        assert!(!tree.is_ignored("ui/src/d.rs"));
    }

    #[test]
    fn the_repository_is_found() {
        let tree = Tree::of_repository().unwrap();
        assert!(tree.has_top_level("Cargo.toml"));
        assert!(tree.has_file_named("kinds.rs"));
        assert!(!tree.has_top_level(".git"));
    }
}
