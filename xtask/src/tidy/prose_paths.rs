//! Prose that names a path must name one that exists: in Markdown files and in documentation comments.
//!
//! The hard part is to know what names a path of this repository. See [`claims_a_path`].

use anyhow::Result;

use super::Problem;
use super::markdown::{self, Markdown};
use super::tree::Tree;

/// Names that only this repository's sources have: wherever one is written, it is meant to be ours.
const SOURCES: [&str; 2] = [".rs", ".sql"];

/// Endings of files that the repository keeps at its top, but that other products use as well.
const DOCUMENTS: [&str; 2] = [".md", ".toml"];

/// Files that belong to agents, to their users and to other tools, and are spoken of without being ours.
const FOREIGN: [&str; 8] = [
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    "MEMORY.md",
    "SKILL.md",
    ".github/copilot-instructions.md",
    "config.toml",
    "pyproject.toml",
];

/// A page about places on other people's machines.
const PLACES: &str = "docs/clients.md";

/// Every path in prose that does not exist.
fn problems(tree: &Tree) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for path in tree.files_ending(".md").filter(|path| *path != PLACES) {
        let text = tree.text(path)?;
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        problems.extend(in_markdown(tree, path, &markdown::read(lines)));
    }
    for path in tree.files_ending(".rs") {
        let text = tree.text(path)?;
        // Links in documentation comments name items, which rustdoc checks itself.
        let comments = Markdown { links: Vec::new(), ..markdown::read(comments(&text)) };
        problems.extend(in_markdown(tree, path, &comments));
    }
    Ok(problems)
}

/// The documentation comments of a Rust file, without their slashes.
fn comments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter_map(|(index, line)| {
        let line = line.trim_start();
        let comment = line.strip_prefix("//!").or_else(|| line.strip_prefix("///"))?;
        Some((index + 1, comment))
    })
}

fn in_markdown(tree: &Tree, file: &str, markdown: &Markdown) -> Vec<Problem> {
    let spans = markdown.spans.iter().filter(|span| claims_a_path(tree, &span.text) && !exists(tree, file, &span.text));
    let links = markdown.links.iter().filter(|link| is_broken(tree, file, &link.text));
    let mut problems: Vec<Problem> = spans
        .chain(links)
        .map(|found| Problem::at_line(file, found.line, format!("`{}` does not exist", found.text)))
        .collect();
    problems.sort_unstable();
    problems
}

/// Whether a code span claims to name a path of the repository. It does if it
///
/// - consists of letters, digits and the signs `.`, `_`, `-` and `/` only, which leaves out commands, globs,
///   placeholders, variables, URLs and items of Rust;
/// - begins with neither `/` nor `~`, which would be a path of somebody's machine or of an interface;
/// - is not ignored by git, as build output is, and is not a file that belongs to somebody else;
/// - and begins with the name of a file or folder at the top of the repository and has a `/`, or ends like one of the
///   sources, or is a bare name that ends like one of the documents.
fn claims_a_path(tree: &Tree, text: &str) -> bool {
    let path = text.strip_prefix("./").unwrap_or(text);
    let is_plain = path.chars().all(|character| character.is_ascii_alphanumeric() || "._-/".contains(character));
    let bare = path.trim_matches('.');
    if !is_plain || bare.is_empty() || path.contains("...") || path.contains("//") || path.starts_with('/') {
        return false;
    }
    if tree.is_ignored(path.trim_end_matches('/')) || FOREIGN.iter().any(|name| name.eq_ignore_ascii_case(path)) {
        return false;
    }
    let ends_like = |endings: &[&str]| endings.iter().any(|ending| path.len() > ending.len() && path.ends_with(ending));
    match path.split_once('/') {
        Some((first, _)) => tree.has_top_level(first) || ends_like(&SOURCES),
        None => ends_like(&SOURCES) || ends_like(&DOCUMENTS),
    }
}

/// Whether a path exists as seen from the root, from the file that names it, or from that file's package. The bare name
/// of a source may stand in any folder.
fn exists(tree: &Tree, file: &str, path: &str) -> bool {
    let folders = ["", folder_of(file), package_of(tree, file)];
    folders.iter().any(|folder| tree.has(&format!("{folder}{path}")))
        || SOURCES.iter().any(|ending| path.ends_with(ending)) && tree.has_file_named(path)
}

/// Whether the target of a link is a relative path that leads nowhere.
fn is_broken(tree: &Tree, file: &str, target: &str) -> bool {
    let path = target.split(['#', '?']).next().unwrap_or(target);
    let is_elsewhere = path.is_empty() || path.contains(':') || path.starts_with(['/', '<']);
    !is_elsewhere && !tree.has(&format!("{}{path}", folder_of(file)))
}

/// The folder of a file, with a `/` at its end unless it is the root.
fn folder_of(file: &str) -> &str {
    file.rfind('/').and_then(|end| file.get(..=end)).unwrap_or_default()
}

/// The folder of the package that a file belongs to.
fn package_of<'a>(tree: &Tree, file: &'a str) -> &'a str {
    let mut folder = folder_of(file);
    while !folder.is_empty() && !tree.has(&format!("{folder}Cargo.toml")) {
        folder = folder_of(folder.trim_end_matches('/'));
    }
    folder
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::tidy::{expect, expect_clean};

    /// A small repository, with the given text as its page and as a comment in its code.
    fn check(page: &str, comment: &str, expected: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            (".gitignore", "/target\n/fuzz/corpus\n".to_owned()),
            ("deny.toml", String::new()),
            ("docs/page.md", page.to_owned()),
            ("docs/other.md", String::new()),
            ("fuzz/Cargo.toml", String::new()),
            ("crates/model/Cargo.toml", String::new()),
            ("crates/model/src/wire/mod.rs", format!("//! {comment}\n")),
            ("crates/model/src/kinds.rs", String::new()),
        ];
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let tree = Tree::read(folder.path().to_owned()).unwrap();
        expect(&problems(&tree).unwrap(), expected);
    }

    #[test]
    fn paths_that_do_not_exist_are_found() {
        let page = "See `crates/graph`, `README.md`\nand `crates/model/src/ids.rs`, `store/schema.sql`, `gone.rs`.";
        let expected = [
            "docs/page.md:1: `README.md` does not exist",
            "docs/page.md:1: `crates/graph` does not exist",
            "docs/page.md:2: `crates/model/src/ids.rs` does not exist",
            "docs/page.md:2: `gone.rs` does not exist",
            "docs/page.md:2: `store/schema.sql` does not exist",
            "crates/model/src/wire/mod.rs:1: `docs/gone.md` does not exist",
        ];
        check(page, "See `docs/gone.md`.", &expected);
    }

    #[test]
    fn paths_are_seen_from_the_root_the_file_and_the_package() {
        let page =
            "`deny.toml`, `docs/`, `./docs/other.md`, `other.md`, `../deny.toml`, `kinds.rs`, `crates/model/src`";
        check(page, "`src/kinds.rs`, `../kinds.rs`, `Cargo.toml`, `docs/page.md`", &[]);
    }

    #[test]
    fn what_only_looks_like_a_path_is_left_alone() {
        let page = "`application/json`, `~/.cursor/mcp.json`, `/home/ada/x.md`, `https://example.com/a.rs`, `//host/a.rs`, \
                    `crates/<room>`, `and/or`, `crates/*/src`, `$XDG_CACHE_HOME/a.rs`, `target/release/tracehound`, \
                    `./target/debug`, `fuzz/corpus/a`, `.vscode/mcp.json`, `scan.json`, `CLAUDE.md`, `crates/...`, `.md`, \
                    `cargo xtask ci`, `std::fs`, `rules/my.yaml`, `../`, `.github/copilot-instructions.md`\n\
                    ```text\n`crates/none`\n```";
        check(page, "`src`, `model/kinds`, `a.b.c`, `v1/openapi.json`", &[]);
    }

    #[test]
    fn relative_links_must_lead_somewhere() {
        let page =
            "[a](other.md#top) [b](../deny.toml) [c](gone.md) [d](https://example.com) [e](#here) [f](/v1)\n[g]: x.md";
        let expected = ["docs/page.md:1: `gone.md` does not exist", "docs/page.md:2: `x.md` does not exist"];
        check(page, "[`kinds`](crate::kinds)", &expected);
    }

    #[test]
    fn the_prose_of_the_tree_names_what_exists() {
        expect_clean(&problems(&Tree::of_repository().unwrap()).unwrap());
    }
}
