//! Words that line breaks cut in pieces, put together where the vocabulary says that they belong together.

use std::ops::Range;

use super::folded::Folded;
use super::vocabulary::Vocabulary;
use super::{Mark, MarkKind};

/// A line break stands between words far more often than within one, so a joined word must be likelier by this much.
const BREAK_WITHIN_WORD: f32 = -4.0;

/// In bytes; longer pieces and words are not what somebody broke up.
const LONGEST_PIECE: usize = 24;
const LONGEST_WORD: usize = 32;

/// More pieces than this are not put together to one word.
const MOST_PIECES: usize = 16;

/// So many words broken beyond doubt, and so large a share of all line breaks between letters, are no accident.
const FEWEST_BROKEN: usize = 4;
const BROKEN_SHARE: usize = 4;

/// Joins the broken words of a folded text, and records those of which a piece is no word.
///
/// A text whose line breaks mostly fall within words was broken on purpose. There a break between two pieces of which
/// one is no word joins them even if nobody knows the result, also within paths and names.
pub(super) fn join(words: &Vocabulary, folded: &mut Folded) {
    let seams = std::mem::take(&mut folded.seams);
    let mut joined = Joined::new(words, folded, &seams, Trust::Doubtful);
    if joined.marks.len() >= FEWEST_BROKEN && joined.marks.len() * BROKEN_SHARE >= joined.letter_seams {
        joined = Joined::new(words, folded, &seams, Trust::Broken);
    }
    folded.marks.append(&mut joined.marks);
    if !joined.removed.is_empty() {
        folded.remove(&joined.removed);
    }
}

/// What line breaks between letters are taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// Ends of words, unless the vocabulary says otherwise.
    Doubtful,
    /// Within words, unless both sides are words.
    Broken,
}

/// What joining changes.
struct Joined {
    removed: Vec<Range<usize>>,
    marks: Vec<Mark>,
    /// How many line breaks stand between letters.
    letter_seams: usize,
}

impl Joined {
    fn new(words: &Vocabulary, folded: &Folded, seams: &[usize], trust: Trust) -> Self {
        let mut joined = Self { removed: Vec::new(), marks: Vec::new(), letter_seams: 0 };
        let mut joiner = Joiner { words, trust, word: String::new() };
        let mut seams = seams.iter().copied().peekable();
        while let Some(seam) = seams.next() {
            let Some(mut chain) = Chain::start(&folded.text, seam) else { continue };
            while let Some(next) = seams.next_if(|&next| chain.reaches(&folded.text, next)) {
                chain.extend(&folded.text, next);
            }
            joined.letter_seams += chain.pieces.len() - 1;
            if trust == Trust::Broken || chain.is_whole(&folded.text) {
                joiner.join(&chain, folded, &mut joined);
            }
        }
        joined
    }
}

/// Pieces of letters with nothing but a line break, or a hyphen and one, between them.
struct Chain {
    pieces: Vec<Range<usize>>,
}

impl Chain {
    fn start(text: &str, seam: usize) -> Option<Self> {
        let end = end_before(text, seam);
        let before = letters_before(text, end)?;
        let after = letters_after(text, seam + 1)?;
        Some(Self { pieces: vec![before..end, seam + 1..after] })
    }

    fn end(&self) -> usize {
        self.pieces.last().map_or(0, |piece| piece.end)
    }

    /// Whether the last piece ends at this seam and letters follow.
    fn reaches(&self, text: &str, seam: usize) -> bool {
        end_before(text, seam) == self.end() && letters_after(text, seam + 1).is_some()
    }

    fn extend(&mut self, text: &str, seam: usize) {
        self.pieces.extend(letters_after(text, seam + 1).map(|end| seam + 1..end));
    }

    /// Whether the first and the last piece are not glued to something else, as in a path or a name.
    fn is_whole(&self, text: &str) -> bool {
        let start = self.pieces.first().map_or(0, |piece| piece.start);
        let before = text.get(..start).and_then(|text| text.chars().next_back());
        let after = text.get(self.end()..).and_then(|text| text.chars().next());
        before.is_none_or(|c| matches!(c, ' ' | '"' | '(' | '[' | '{' | '*' | '>' | '“' | '‘' | '«'))
            && after.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '@' | '/' | '\\' | '-' | '\''))
    }

    fn is_hyphenated(&self, text: &str, at: usize) -> bool {
        self.pieces.get(at).is_some_and(|piece| text.as_bytes().get(piece.end).is_some_and(|&byte| byte != b' '))
    }
}

/// Where letters before a seam end: at the seam, or at the hyphen before it.
fn end_before(text: &str, seam: usize) -> usize {
    let before = text.get(..seam).unwrap_or_default();
    before.strip_suffix(['-', '\u{2010}']).unwrap_or(before).len()
}

fn letters_before(text: &str, end: usize) -> Option<usize> {
    let letters = text.get(..end)?.chars().rev().take(LONGEST_PIECE + 1).take_while(|c| c.is_alphabetic());
    let length = letters.map(char::len_utf8).sum();
    (1..=LONGEST_PIECE).contains(&length).then(|| end - length)
}

fn letters_after(text: &str, start: usize) -> Option<usize> {
    let letters = text.get(start..)?.chars().take(LONGEST_PIECE + 1).take_while(|c| c.is_alphabetic());
    let length = letters.map(char::len_utf8).sum();
    (1..=LONGEST_PIECE).contains(&length).then_some(start + length)
}

struct Joiner<'v> {
    words: &'v Vocabulary,
    trust: Trust,
    word: String,
}

/// The likeliest reading of the first pieces: its score, and how many of them its last word takes.
#[derive(Clone, Copy)]
struct Reading {
    score: f32,
    pieces: usize,
}

impl Joiner<'_> {
    fn join(&mut self, chain: &Chain, folded: &Folded, joined: &mut Joined) {
        let readings = self.readings(chain, &folded.text);
        let mut words = Vec::new();
        let mut end = chain.pieces.len();
        while let Some(reading) = readings.get(end).filter(|reading| reading.pieces > 0) {
            words.push(end - reading.pieces..end);
            end -= reading.pieces;
        }
        for word in words.iter().rev().filter(|word| word.len() > 1) {
            let pieces = chain.pieces.get(word.clone()).unwrap_or_default();
            joined.removed.extend(pieces.iter().zip(pieces.iter().skip(1)).map(|(piece, next)| piece.end..next.start));
            let is_word = |piece: &Range<usize>| folded.text.get(piece.clone()).is_some_and(|w| self.words.knows(w));
            if let ([first, ..], Some(last)) = (pieces, pieces.last())
                && !pieces.iter().all(is_word)
            {
                let source = folded.spans.source_span(first.start..last.end);
                joined.marks.push(Mark { kind: MarkKind::BrokenWord, source });
            }
        }
    }

    /// For each number of pieces, the likeliest way to read them.
    fn readings(&mut self, chain: &Chain, text: &str) -> Vec<Reading> {
        let mut readings = vec![Reading { score: 0.0, pieces: 0 }];
        for end in 1..=chain.pieces.len() {
            let mut best = Reading { score: f32::NEG_INFINITY, pieces: 1 };
            for pieces in 1..=MOST_PIECES.min(end) {
                let Some(score) = self.score(chain, text, end - pieces..end) else { break };
                let before = readings.get(end - pieces).map_or(0.0, |reading| reading.score);
                if before + score > best.score {
                    best = Reading { score: before + score, pieces };
                }
            }
            readings.push(best);
        }
        readings
    }

    /// How likely these pieces are as one word; nothing when the word would be too long.
    fn score(&mut self, chain: &Chain, text: &str, range: Range<usize>) -> Option<f32> {
        let pieces = chain.pieces.get(range.clone())?;
        let length: usize = pieces.iter().map(Range::len).sum();
        let is_hyphenated = (range.start..range.end.saturating_sub(1)).all(|at| chain.is_hyphenated(text, at));
        let longest = if is_hyphenated || self.trust == Trust::Broken {
            LONGEST_WORD
        } else {
            LONGEST_WORD.min(self.words.longest())
        };
        if pieces.len() > 1 && length > longest {
            return None;
        }
        self.word.clear();
        self.word.extend(pieces.iter().filter_map(|piece| text.get(piece.clone())));
        Some(match self.words.known(&self.word) {
            Some(score) if is_hyphenated || self.trust == Trust::Broken => score,
            Some(score) => score + BREAK_WITHIN_WORD,
            None if is_hyphenated => Vocabulary::unknown(&self.word),
            None if self.trust == Trust::Broken => Vocabulary::unknown(&self.word),
            // Two unknown words side by side are names or another language, not one word.
            None => f32::NEG_INFINITY,
        })
    }
}
