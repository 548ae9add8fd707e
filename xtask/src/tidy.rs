//! The tidy test: rules about the repository that no compiler knows, one file each.
//!
//! A rule is a function that returns what is wrong. It has a test that it fires on a bad example and one that the
//! tree is clean, so the rules run wherever the tests run and need no command of their own.

mod arrows;
mod kind_literals;
mod lint_escapes;
mod manifests;
mod markdown;
mod prose_paths;
mod pure_rooms;
mod rust_source;
mod tree;
mod workspace;

use std::fmt;

/// One thing that is wrong, and where.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Problem {
    /// From the root of the repository, with `/` on every platform.
    file: String,
    /// Counted from 1; none if the file as a whole is meant.
    line: Option<usize>,
    what: String,
}

impl Problem {
    fn at_line(file: &str, line: usize, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: Some(line), what: what.into() }
    }

    fn in_file(file: &str, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, what: what.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.what),
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

/// Compares problems with lines of text; the only check that the rules' tests make.
#[track_caller]
fn expect(problems: &[Problem], expected: &[&str]) {
    let found: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}

/// Fails with a list of the problems, if there are any.
#[track_caller]
fn expect_clean(problems: &[Problem]) {
    expect(problems, &[]);
}
