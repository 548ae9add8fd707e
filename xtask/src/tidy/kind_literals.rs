//! A kind's name stands in the kinds table and nowhere else in the code: elsewhere it is a variant, which the compiler
//! checks. Tests and data may spell it out.

use anyhow::Result;
use tracehound_model::{EdgeKind, NodeKind};

use super::Problem;
use super::rust_source::RustSource;
use super::tree::Tree;

/// The one file that spells the names.
const TABLE: &str = "crates/model/src/kinds.rs";

/// Every kind that is spelled out in the tree.
fn problems(tree: &Tree) -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for path in tree.files_ending(".rs").filter(|path| *path != TABLE && !is_test_file(path)) {
        problems.extend(in_source(path, &tree.text(path)?));
    }
    Ok(problems)
}

fn is_test_file(path: &str) -> bool {
    let mut segments = path.split('/').rev();
    segments.next() == Some("tests.rs") || segments.any(|folder| folder == "tests")
}

fn in_source(path: &str, text: &str) -> Vec<Problem> {
    let source = RustSource::new(text);
    let tests = source.test_lines();
    let outside_tests = source.strings.iter().filter(|(line, _)| !tests.iter().any(|lines| lines.contains(line)));
    let kinds = outside_tests.filter(|(_, string)| is_kind(string));
    kinds.map(|(line, name)| Problem::at_line(path, *line, format!("the kind `{name}` as a string"))).collect()
}

fn is_kind(name: &str) -> bool {
    NodeKind::from_name(name).is_some() || EdgeKind::from_name(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{expect, expect_clean};

    #[test]
    fn a_kind_as_a_string_is_found() {
        let text = "fn f() {\n    g(\"MCPServer\"); // \"Host\"\n    g(\"CAN_REACH\");\n    g(\"a MCPServer\");\n}\n";
        let expected = ["a.rs:2: the kind `MCPServer` as a string", "a.rs:3: the kind `CAN_REACH` as a string"];
        expect(&in_source("a.rs", text), &expected);
    }

    #[test]
    fn tests_may_spell_kinds() {
        expect_clean(&in_source("a.rs", "#[cfg(test)]\nmod tests {\n    const A: &str = \"MCPServer\";\n}\n"));
        assert!(is_test_file("crates/graph/src/fold/tests.rs"));
        assert!(is_test_file("crates/graph/tests/it/main.rs"));
        assert!(!is_test_file("crates/graph/src/tests_of_time.rs"));
    }

    #[test]
    fn code_after_tests_may_not() {
        let text = "#[cfg(test)]\nmod tests;\nconst A: &str = \"MCPServer\";\n";
        expect(&in_source("a.rs", text), &["a.rs:3: the kind `MCPServer` as a string"]);
    }

    #[test]
    fn the_tree_spells_no_kind() {
        expect_clean(&problems(&Tree::of_repository().unwrap()).unwrap());
    }
}
