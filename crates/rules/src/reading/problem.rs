//! What is wrong with a rule file, and where.

use std::fmt;

use crate::limits;

/// One thing that is wrong with a rule file. Whoever read the file puts its name in front.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// What may put it right.
    pub help: Option<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

/// A place in a file: line and column, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Position {
    /// Where a file begins; the place of problems with the whole of it.
    pub(crate) const START: Self = Self { line: 1, column: 1 };
}

/// What is wrong with a value, before its place is known.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Complaint {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    pub(crate) fn with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: Some(help.into()) }
    }

    /// For a value that is not among the known ones; the nearest known one is the help, else the text given.
    pub(crate) fn unknown(message: impl Into<String>, nearest: Option<&str>, otherwise: impl Into<String>) -> Self {
        let help = nearest.map_or_else(|| otherwise.into(), |nearest| format!("did you mean `{nearest}`?"));
        Self::with_help(message, help)
    }
}

/// The problems found so far, up to the limit.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    found: Vec<Problem>,
    left_out: usize,
}

impl Problems {
    pub(crate) fn add(&mut self, at: Position, complaint: Complaint) {
        if self.is_full() {
            self.left_out += 1;
            return;
        }
        let Complaint { message, help } = complaint;
        self.found.push(Problem { line: at.line, column: at.column, message, help });
    }

    /// Whether further problems are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= limits::PROBLEMS
    }

    /// All of them in the order of the file, with a last one that counts those left out.
    pub(crate) fn into_sorted(mut self) -> Vec<Problem> {
        self.found.sort();
        if let Some(last) = self.found.last().filter(|_| self.left_out > 0) {
            let message = format!("{} more problems are left out", self.left_out);
            self.found.push(Problem { message, help: None, ..*last });
        }
        self.found
    }
}

/// What a file says, in backticks: shortened, and escaped so that it cannot move a cursor or read as something else.
pub(crate) fn shown(text: &str) -> String {
    const CHARACTERS: usize = 60;
    let mut shown = String::from("`");
    for character in text.chars().take(CHARACTERS) {
        match character {
            '\n' => shown.push_str("\\n"),
            '`' => shown.push_str("\\`"),
            ' '..='~' => shown.push(character),
            other if other.is_alphanumeric() => shown.push(other),
            other => shown.extend(other.escape_unicode()),
        }
    }
    if text.chars().nth(CHARACTERS).is_some() {
        shown.push('…');
    }
    shown.push('`');
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_reads_as_place_message_and_help() {
        let mut problem = Problem { line: 3, column: 7, message: "no `x` here".into(), help: None };
        assert_eq!(problem.to_string(), "3:7: no `x` here");
        problem.help = Some("did you mean `y`?".into());
        assert_eq!(problem.to_string(), "3:7: no `x` here (did you mean `y`?)");
    }

    #[test]
    fn shown_text_is_short_and_harmless() {
        assert_eq!(shown("a`b\u{1b}[2J\n\u{202e}é"), "`a\\`b\\u{1b}[2J\\n\\u{202e}é`");
        assert_eq!(shown(&"x".repeat(61)), format!("`{}…`", "x".repeat(60)));
    }
}
