//! The lines of a difference, and how many of them are shown.

use std::fmt;

/// How many lines a difference has at most.
const LINES: usize = 40;
/// How much of one line is shown: its beginning and its end.
const HEAD: usize = 320;
const TAIL: usize = 80;

/// What a line of a difference says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It was there before.
    Removed,
    /// It is there after.
    Added,
    /// It is the same in both, or says what is left out.
    Between,
}

/// A line of a difference. There is no line feed in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it says.
    pub mark: Mark,
    /// The text.
    pub text: String,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.mark {
            Mark::Removed => '-',
            Mark::Added => '+',
            Mark::Between => ' ',
        };
        write!(f, "{mark} {}", self.text)
    }
}

/// Lines as they are found.
#[derive(Debug, Default)]
pub(super) struct Lines {
    shown: Vec<Line>,
    left_out: usize,
}

impl Lines {
    /// Adds a line, if there is room for it.
    pub(super) fn push(&mut self, mark: Mark, text: &str) {
        if self.is_full() {
            self.left_out += 1;
        } else {
            // No text may pass for a line of ours.
            self.shown.push(Line { mark, text: shortened(&text.replace('\n', "\\n")) });
        }
    }

    /// Whether nothing more is shown.
    pub(super) fn is_full(&self) -> bool {
        self.shown.len() >= LINES
    }

    /// Counts lines that are not shown.
    pub(super) fn leave_out(&mut self, lines: usize) {
        self.left_out += lines;
    }

    pub(super) fn finish(mut self) -> Vec<Line> {
        if self.left_out > 0 {
            let text = format!("… and {} more", counted(self.left_out, "line"));
            self.shown.push(Line { mark: Mark::Between, text });
        }
        self.shown
    }
}

/// A number of things in words.
pub(super) fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// The beginning and the end of a long text: what matters may have been put behind much that does not.
fn shortened(text: &str) -> String {
    let offset = |count: usize| text.char_indices().nth(count).map(|(offset, _)| offset);
    let from_end = |count: usize| text.char_indices().rev().nth(count - 1).map(|(offset, _)| offset);
    match (offset(HEAD), from_end(TAIL)) {
        (Some(head), Some(tail)) if head < tail => {
            let (start, rest) = text.split_at(head);
            let (middle, end) = rest.split_at(tail - head);
            format!("{start}… ({}) …{end}", counted(middle.chars().count(), "character"))
        }
        _ => text.to_owned(),
    }
}
