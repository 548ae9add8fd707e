//! Every package takes its lints and the versions of its dependencies from the workspace, so that there is one place
//! to read and to change them.
//!
//! Manifests are read line by line, which is enough for the forms that packages use and keeps a TOML parser out.

use anyhow::Result;

use super::Problem;
use super::tree::Tree;
use super::workspace::Package;

/// Every manifest that goes its own way.
fn problems(tree: &Tree, packages: &[Package]) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for package in packages {
        let path = package.manifest();
        problems.extend(in_manifest(&path, &tree.text(&path)?));
    }
    Ok(problems)
}

/// A line `key = value`.
struct Entry<'a> {
    line: usize,
    section: &'a str,
    key: &'a str,
    value: &'a str,
}

fn in_manifest(path: &str, text: &str) -> Vec<Problem> {
    let entries = entries(text);
    let mut problems: Vec<Problem> = dependencies(&entries)
        .filter(|(name, _)| !takes_from_workspace(&entries, name))
        .map(|(name, line)| Problem::at_line(path, line, format!("`{name}` is not taken from the workspace")))
        .collect();
    if !entries.iter().any(|entry| entry.section == "lints" && entry.key == "workspace" && entry.value == "true") {
        problems.push(Problem::in_file(path, "the workspace's lints are not switched on"));
    }
    problems
}

fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut section = "";
    let mut entries = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.split(']').next()) {
            section = name.trim_matches('[').trim();
        } else if let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
            let value = value.split('#').next().unwrap_or(value);
            entries.push(Entry { line: index + 1, section, key: key.trim(), value: value.trim() });
        }
    }
    entries
}

/// The dependencies of a manifest, each once, with the line where it is first named.
fn dependencies<'a>(entries: &[Entry<'a>]) -> impl Iterator<Item = (Dependency<'a>, usize)> {
    let mut found: Vec<(Dependency<'a>, usize)> = Vec::new();
    for entry in entries {
        let Some(dependency) = Dependency::of(entry) else { continue };
        if !found.iter().any(|(known, _)| *known == dependency) {
            found.push((dependency, entry.line));
        }
    }
    found.into_iter()
}

fn takes_from_workspace(entries: &[Entry<'_>], dependency: &Dependency<'_>) -> bool {
    entries.iter().filter(|entry| Dependency::of(entry).as_ref() == Some(dependency)).any(|entry| {
        let has_key = entry.key == "workspace" || entry.key.ends_with(".workspace");
        let value: String = entry.value.split_whitespace().collect();
        has_key && value == "true" || value.contains("workspace=true")
    })
}

/// A dependency in one of the lists of dependencies.
#[derive(PartialEq, Eq)]
struct Dependency<'a> {
    list: &'a str,
    name: &'a str,
}

impl<'a> Dependency<'a> {
    /// The dependency that an entry speaks of, in any of the ways to write one.
    fn of(entry: &Entry<'a>) -> Option<Self> {
        let end = entry.section.find("dependencies")? + "dependencies".len();
        let (list, rest) = entry.section.split_at_checked(end)?;
        let name = match rest.strip_prefix('.') {
            Some(name) => name,
            None => entry.key.split('.').next()?,
        };
        Some(Self { list, name })
    }
}

impl std::fmt::Display for Dependency<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::workspace::packages;
    use crate::tidy::{expect, expect_clean};

    #[test]
    fn versions_of_its_own_are_found() {
        let text = "[package]\nname = \"a\"\n\n[dependencies]\n# b = \"1\"\nserde = \"1\"\nclap = { version = \"4\" }\n\
                    c = { path = \"../c\" }\n\n[dev-dependencies.insta]\nversion = \"1\"\n\n\
                    [target.'cfg(unix)'.dependencies]\nlibc.version = \"0.2\"\n\n[lints]\nworkspace = true\n";
        let expected = [
            "Cargo.toml:6: `serde` is not taken from the workspace",
            "Cargo.toml:7: `clap` is not taken from the workspace",
            "Cargo.toml:8: `c` is not taken from the workspace",
            "Cargo.toml:11: `insta` is not taken from the workspace",
            "Cargo.toml:14: `libc` is not taken from the workspace",
        ];
        expect(&in_manifest("Cargo.toml", text), &expected);
    }

    #[test]
    fn every_way_to_take_from_the_workspace_is_fine() {
        let text = "[dependencies]\nserde.workspace = true\nclap = { workspace = true, features = [\"env\"] }\n\
                    zstd = { workspace=true } # the log\n\n[dev-dependencies.insta]\nfeatures = [\n    \"json\",\n]\n\
                    workspace = true\n\n[lints]\nworkspace = true\n";
        expect_clean(&in_manifest("Cargo.toml", text));
    }

    #[test]
    fn missing_lints_are_found() {
        let expected = ["Cargo.toml: the workspace's lints are not switched on"];
        expect(&in_manifest("Cargo.toml", "[package]\nname = \"a\"\n"), &expected);
    }

    #[test]
    fn the_manifests_of_the_tree_follow_the_workspace() {
        let tree = Tree::of_repository().unwrap();
        expect_clean(&problems(&tree, &packages(tree.root()).unwrap()).unwrap());
    }
}
