//! A text folded once for matching, with a way back from every place in it to the original.
//!
//! Folding takes away the ways in which the same words can be written to escape a rule: compatibility forms (NFKC),
//! case (lower case, `ß` as `ss`, final sigma as sigma), characters that nobody sees, letters that look like Latin
//! ones, comments, character references, any whitespace, words broken by line breaks. Encoded texts are decoded once
//! and appended. Letters with diacritics stay as they are, and so do digits that stand for letters.
//!
//! What it means is not judged here: [`Mark`]s say what was hidden or disguised, and rules decide.

mod alphabet;
mod characters;
mod fold;
mod folded;
mod invisible;
mod islands;
mod join;
mod look_alikes;
mod markup;
mod sentences;
mod spans;
mod vocabulary;
mod word;

#[cfg(test)]
mod tests;

use std::ops::Range;

pub use islands::{MOST_DECODED, MOST_ISLANDS};
pub use vocabulary::Vocabulary;

use folded::Folded;
use spans::SpanMap;

/// Folds texts. Reusable: keeps its buffers from text to text.
#[derive(Debug)]
pub struct Normaliser<'v> {
    words: &'v Vocabulary,
    scratch: fold::Scratch,
}

impl<'v> Normaliser<'v> {
    /// A normaliser that joins broken words by this vocabulary.
    pub fn new(words: &'v Vocabulary) -> Self {
        Self { words, scratch: fold::Scratch::default() }
    }

    /// Folds one text. Takes time in proportion to its length, whatever it holds.
    pub fn normalise(&mut self, source: &str) -> Normalised {
        let mut folded = self.fold(source);
        let (islands, islands_left_out) = islands::find(source);
        for island in &islands {
            let inner = self.fold(&island.text);
            folded.append_island(island.kind, &island.source, &inner);
        }
        let Folded { text, spans, parts, breaks, mut marks, .. } = folded;
        marks.sort_by_key(|mark| mark.source.start);
        let sentences = sentences::split(&text, &parts, &breaks);
        Normalised { text, spans, source_len: source.len(), parts, sentences, marks, islands_left_out }
    }

    fn fold(&mut self, source: &str) -> Folded {
        let mut folded = fold::fold(source, &mut self.scratch);
        join::join(self.words, &mut folded);
        folded.append_tags();
        folded
    }
}

/// A folded text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Normalised {
    text: String,
    spans: SpanMap,
    source_len: usize,
    parts: Vec<Part>,
    sentences: Vec<Range<usize>>,
    marks: Vec<Mark>,
    islands_left_out: usize,
}

impl Normalised {
    /// The folded text, decoded islands appended.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the original that a range of the folded text comes from. Of decoded text, all that was decoded.
    ///
    /// Never inverted, always within the original and on its character boundaries, whatever the range.
    pub fn source_span(&self, span: Range<usize>) -> Range<usize> {
        let start = self.text.floor_char_boundary(span.start);
        if start == self.text.len() {
            let end = start.checked_sub(1).map_or(0, |last| self.spans.source_of(last).end);
            return end..end;
        }
        let end = self.text.ceil_char_boundary(span.end.min(self.text.len()));
        if end <= start {
            let at = self.spans.source_of(start).start;
            return at..at;
        }
        let whole = self.spans.source_span(start..end);
        let first = self.spans.source_span(start..self.text.ceil_char_boundary(start + 1));
        // A range that runs into an appended part may end before it starts, as the original has it.
        whole.start.min(whole.end).min(first.start)..whole.end.max(first.end)
    }

    /// How long the original is, in bytes.
    pub fn source_len(&self) -> usize {
        self.source_len
    }

    /// What the folded text is made of, covering it in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The sentences of the folded text, in order, each within one part.
    pub fn sentences(&self) -> &[Range<usize>] {
        &self.sentences
    }

    /// What was hidden or disguised in the original, in its order.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// How many islands were not decoded, or not to their end, because a limit was reached.
    pub fn islands_left_out(&self) -> usize {
        self.islands_left_out
    }
}

/// A stretch of the folded text of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Where it stands in the folded text.
    pub range: Range<usize>,
    /// Where it comes from.
    pub kind: PartKind,
    /// The bytes of the original it was made of.
    pub source: Range<usize>,
}

/// Where a part of the folded text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartKind {
    /// Text that a reader sees.
    Visible,
    /// The content of an HTML or Markdown comment.
    Comment,
    /// Decoded base64.
    Base64,
    /// Decoded percent-encoding.
    Percent,
    /// The ASCII that invisible tag characters mirror.
    Tags,
}

/// Something hidden or disguised in the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// What it is.
    pub kind: MarkKind,
    /// The bytes of the original.
    pub source: Range<usize>,
}

/// A way to hide or disguise text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkKind {
    /// Characters that take no room.
    ZeroWidth,
    /// Controls that change the direction of writing.
    Bidi,
    /// Invisible characters that mirror ASCII.
    Tag,
    /// A word of Latin letters mixed with letters that look like them.
    LookAlike,
    /// A word that a line break cuts in two.
    BrokenWord,
}
