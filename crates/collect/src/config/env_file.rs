//! Files of environment variables that definitions name, such as `.env`.

use super::credential::{Candidate, Place};
use super::tree::Position;

/// Lines of one file that are looked at.
pub(crate) const LINES: usize = 2_000;

/// The variables of the files that one definition names.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    lines: Vec<Line>,
}

/// A line of a file.
#[derive(Debug)]
struct Line {
    file: String,
    name: String,
    value: String,
    at: Position,
}

impl Variables {
    /// Adds the `NAME=value` lines of a file; `export`, quotes and comments are understood, nothing is expanded. Says
    /// whether that was all of them.
    pub(crate) fn add(&mut self, file: &str, text: &str) -> bool {
        for (number, line) in (1..).zip(text.lines()).take(LINES) {
            let trimmed = line.trim_start();
            let assignment = trimmed.strip_prefix("export ").unwrap_or(trimmed);
            let Some((name, value)) = assignment.split_once('=') else { continue };
            let name = name.trim();
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
            if name.is_empty() || !name.bytes().all(is_name) {
                continue;
            }
            let column = line.chars().count() - value.chars().count() + 1;
            let at = Position { line: number, column: u32::try_from(column).unwrap_or(u32::MAX) };
            let (name, value) = (name.to_owned(), unquoted(value.trim()).to_owned());
            self.lines.push(Line { file: file.to_owned(), name, value, at });
        }
        text.lines().nth(LINES).is_none()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// What may be a secret, each with its file.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = (&str, Candidate<'_>)> {
        self.lines.iter().map(|line| {
            let candidate = Candidate::new(Place::EnvironmentFile, &*line.name, &*line.value, line.at);
            (line.file.as_str(), candidate)
        })
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines.iter().map(|line| (line.name.as_str(), line.value.as_str()))
    }
}

fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote) {
            return inner.split(quote).next().unwrap_or(inner);
        }
    }
    // A comment begins after a space; a `#` within a value is part of it.
    value.split(" #").next().unwrap_or(value).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_names_and_values() {
        let text = "# comment\nexport A_KEY=one\n B = \"two # 2\" # rest\nC='x'\n\nnot a line\nD=v#1 # c\n=x\n";
        let mut variables = Variables::default();
        assert!(variables.add(".env", text));
        assert!(!Variables::default().add(".env", &"A=b\n".repeat(LINES + 1)));
        let values: Vec<(&str, &str)> = variables.values().collect();
        assert_eq!(values, [("A_KEY", "one"), ("B", "two # 2"), ("C", "x"), ("D", "v#1")]);
        let (_, first) = variables.candidates().next().unwrap();
        assert_eq!(first.at, Position { line: 2, column: 14 });
    }
}
