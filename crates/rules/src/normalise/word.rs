//! A word with letters beyond ASCII, held back until it is known whether it is Latin in disguise.

use std::ops::Range;

use super::MarkKind;
use super::alphabet::Letter;
use super::folded::Folded;
use super::look_alikes::{is_latin, mixes_scripts};

/// Longer than words are; scripts without spaces would otherwise be held back without end.
const LONGEST: usize = 128;

/// How far before a word its neighbour is looked for.
const NEIGHBOUR: usize = 4;

/// The letters from the first one beyond ASCII on. What stands before them is in the folded text already.
#[derive(Debug, Default)]
pub(super) struct Word {
    letters: Vec<Placed>,
}

#[derive(Debug)]
struct Placed {
    letter: Letter,
    source: Range<usize>,
    is_exact: bool,
}

impl Word {
    pub(super) fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.letters.len() >= LONGEST
    }

    /// Adds a folded letter, and where it came from; exact if it is as long as what stands there.
    pub(super) fn push(&mut self, letter: Letter, source: Range<usize>, is_exact: bool) {
        self.letters.push(Placed { letter, source, is_exact });
    }

    /// Moves the word into the folded text, in Latin letters if it is Latin in disguise.
    pub(super) fn end(&mut self, out: &mut Folded) {
        let (Some(first), Some(last)) = (self.letters.first(), self.letters.last()) else { return };
        let source = first.source.start..last.source.end;
        let disguise = if self.letters.iter().any(|placed| placed.letter.latin.is_some()) {
            self.disguise(&out.text)
        } else {
            Disguise::No
        };
        if disguise == Disguise::Mixed {
            let start = out.text.len() - ascii_tail(&out.text).len();
            let start = if start < out.text.len() { out.spans.source_of(start).start } else { source.start };
            out.mark(MarkKind::LookAlike, start..source.end);
        }
        for Placed { letter, source, is_exact } in self.letters.drain(..) {
            match letter.latin.filter(|_| disguise != Disguise::No) {
                Some(latin) => out.push(char::from(latin), source),
                None if is_exact => out.push_exact(letter.c, source.start),
                None => out.push(letter.c, source),
            }
        }
    }

    fn disguise(&self, before: &str) -> Disguise {
        let letters = || self.letters.iter().map(|placed| placed.letter).filter(|letter| letter.is_letter);
        let beyond_ascii = || letters().filter(|letter| !letter.c.is_ascii());
        let tail = ascii_tail(before);
        let has_ascii =
            tail.bytes().any(|byte| byte.is_ascii_alphabetic()) || letters().any(|letter| letter.c.is_ascii());
        let all_fold = beyond_ascii().all(|letter| letter.latin.is_some() || is_latin(letter.c));
        let is_foreign = beyond_ascii().any(|letter| !is_latin(letter.c));
        if has_ascii {
            return if all_fold && is_foreign { Disguise::Mixed } else { Disguise::Plain };
        }
        let neighbour = before.strip_suffix(tail).unwrap_or_default();
        match (all_fold, is_foreign) {
            (false, _) => Disguise::No,
            (true, false) => Disguise::Plain,
            (true, true) if mixes_scripts(beyond_ascii().map(|letter| letter.c)) => Disguise::Mixed,
            // A word of one foreign script is read as Latin only in the company of Latin words, so that the prose of
            // that script stays as its readers and the rules for it expect.
            (true, true) if follows_latin(neighbour) => Disguise::Plain,
            (true, true) => Disguise::No,
        }
    }
}

/// Whether a word is Latin in disguise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Disguise {
    No,
    /// Its letters are read as Latin ones.
    Plain,
    /// They are, and the word mixes scripts, which writing does not do.
    Mixed,
}

/// The letters and digits at the end of a text, no more than a word has.
fn ascii_tail(text: &str) -> &str {
    let length = text.bytes().rev().take(LONGEST).take_while(u8::is_ascii_alphanumeric).count();
    text.get(text.len() - length..).unwrap_or_default()
}

fn follows_latin(before: &str) -> bool {
    let neighbour = before.bytes().rev().take(NEIGHBOUR).find(|byte| !byte.is_ascii() || byte.is_ascii_alphanumeric());
    neighbour.is_some_and(|byte| byte.is_ascii_alphabetic())
}
