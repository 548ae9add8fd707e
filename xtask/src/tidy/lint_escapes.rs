//! Ways round a check: a lint allowed without a reason, a test that is switched off, code that is left for later.

use anyhow::Result;

use super::Problem;
use super::rust_source::{RustSource, line_of};
use super::tree::Tree;

/// Macros that stand for code which is not there.
const PLACEHOLDERS: [&str; 2] = ["todo!", "unimplemented!"];

/// Every escape in the tree.
fn problems(tree: &Tree) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for path in tree.files_ending(".rs") {
        problems.extend(in_source(path, &tree.text(path)?));
    }
    Ok(problems)
}

fn in_source(path: &str, text: &str) -> Vec<Problem> {
    let code = RustSource::new(text).code;
    let attributes = attributes(&code).filter_map(|(start, attribute)| Some((start, escape(attribute)?.to_owned())));
    let placeholders = PLACEHOLDERS.into_iter().flat_map(|name| {
        let starts = code.match_indices(name).map(|(start, _)| start).filter(|start| is_word_start(&code, *start));
        starts.map(move |start| (start, format!("`{name}`"))).collect::<Vec<_>>()
    });
    let mut problems: Vec<Problem> = attributes
        .chain(placeholders)
        .map(|(start, what)| Problem::at_line(path, line_of(&code, start), what))
        .collect();
    problems.sort_unstable();
    problems
}

/// What is wrong with an attribute, if anything is.
fn escape(attribute: &str) -> Option<&'static str> {
    let words: Vec<&str> = attribute.split(|character: char| !is_word(character)).collect();
    let says = |word| words.contains(&word);
    if words.first() == Some(&"ignore") {
        return Some("a test is switched off");
    }
    let is_lint_level = says("allow") || says("expect");
    (is_lint_level && attribute.contains('(') && !says("reason")).then_some("a lint is allowed without a reason")
}

/// The attributes of the code: where each starts, and what stands between its brackets.
fn attributes(code: &str) -> impl Iterator<Item = (usize, &str)> {
    code.match_indices('#').filter_map(|(start, _)| {
        let rest = code.get(start + 1..)?;
        let inside = rest.strip_prefix('!').unwrap_or(rest).strip_prefix('[')?;
        let mut depth = 1_usize;
        let end = inside.find(|character| {
            match character {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        Some((start, inside.get(..end)?.trim()))
    })
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn is_word_start(code: &str, start: usize) -> bool {
    !code.get(..start).is_some_and(|before| before.ends_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{expect, expect_clean};

    #[test]
    fn every_escape_is_found() {
        let text = "#![allow(dead_code)]\n#[cfg_attr(unix, allow(\n    unused))]\n#[ignore = \"slow\"]\nfn f() {\n    \
                    todo!()\n}\n#[ignore]\nfn g() { unimplemented!(\"x\") }\n#[expect(unused)]\nfn h() {}\n";
        let expected = [
            "a.rs:1: a lint is allowed without a reason",
            "a.rs:2: a lint is allowed without a reason",
            "a.rs:4: a test is switched off",
            "a.rs:6: `todo!`",
            "a.rs:8: a test is switched off",
            "a.rs:9: `unimplemented!`",
            "a.rs:10: a lint is allowed without a reason",
        ];
        expect(&in_source("a.rs", text), &expected);
    }

    #[test]
    fn reasons_comments_and_strings_are_no_escape() {
        let text = "#[expect(unused, reason = \"kept for the reader\")]\n// todo!()\nconst A: &str = \"#[ignore]\";\n\
                    #[test]\nfn f() { not_a_todo!(); x.expect(\"y\"); }\n";
        expect_clean(&in_source("a.rs", text));
    }

    #[test]
    fn the_tree_has_no_escape() {
        expect_clean(&problems(&Tree::of_repository().unwrap()).unwrap());
    }
}
