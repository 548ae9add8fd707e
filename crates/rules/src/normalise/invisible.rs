//! Runs of characters that nobody sees, and which of them are ordinary writing.

use std::ops::Range;

use super::MarkKind;
use super::characters::{invisible, is_ideograph, is_variation_selector, mirrored, uses_joiners};
use super::fold::item;
use super::folded::Folded;

const ZERO_WIDTH_JOINER: char = '\u{200d}';
const ZERO_WIDTH_NON_JOINER: char = '\u{200c}';
const BYTE_ORDER_MARK: char = '\u{feff}';
const BLACK_FLAG: char = '\u{1f3f4}';
const CANCEL_TAG: char = '\u{e007f}';

/// The longest region that a flag of tag characters names, such as `gbeng`.
const LONGEST_REGION: usize = 6;

/// Invisible characters that follow each other.
#[derive(Debug)]
pub(super) struct Run<'s> {
    source: &'s str,
    start: usize,
    pub(super) end: usize,
    /// No more of them than the longest ordinary sequence has, and one.
    opening: Vec<char>,
}

impl<'s> Run<'s> {
    /// Reads the run that starts at `start`.
    pub(super) fn read(source: &'s str, start: usize, limit: usize) -> Self {
        let mut run = Self { source, start, end: start, opening: Vec::new() };
        while run.end < limit
            && let Some((c, next)) = item(source, run.end)
            && invisible(c).is_some()
        {
            if run.opening.len() <= LONGEST_REGION + 1 {
                run.opening.push(c);
            }
            run.end = next.min(limit);
        }
        run
    }

    /// Whether the run hides nothing: part of an emoji, a flag or a script's spelling, or a byte order mark.
    pub(super) fn is_ordinary(&self) -> bool {
        let before = self.source.get(..self.start).and_then(|text| text.chars().next_back());
        let after = self.source.get(self.end..).and_then(|text| text.chars().next());
        let after_symbol = before.is_some_and(|c| is_symbol(c) || c.is_ascii_digit() || matches!(c, '#' | '*'));
        let in_script = before.is_some_and(uses_joiners);
        match self.opening.as_slice() {
            [BYTE_ORDER_MARK] => self.start == 0,
            [ZERO_WIDTH_JOINER] => in_script || (after_symbol && after.is_some_and(is_symbol)),
            [ZERO_WIDTH_NON_JOINER] => in_script,
            [selector] if is_variation_selector(*selector) => {
                after_symbol || in_script || before.is_some_and(is_ideograph)
            }
            [selector, ZERO_WIDTH_JOINER] if is_variation_selector(*selector) => {
                after_symbol && after.is_some_and(is_symbol)
            }
            [region @ .., CANCEL_TAG] => before == Some(BLACK_FLAG) && is_region(region),
            _ => false,
        }
    }

    /// Records the run: a mark for each stretch of one kind, and what tag characters spell.
    pub(super) fn record(&self, out: &mut Folded) {
        let mut tags: Vec<(char, Range<usize>)> = Vec::new();
        let mut at = self.start;
        while at < self.end
            && let Some((c, next)) = item(self.source, at)
        {
            let next = next.min(self.end);
            out.mark(invisible(c).unwrap_or(MarkKind::ZeroWidth), at..next);
            tags.extend(mirrored(c).map(|ascii| (ascii, at..next)));
            at = next;
        }
        out.tags.add(&tags);
    }
}

/// Something drawn, such as an emoji: neither a letter nor plain ASCII.
fn is_symbol(c: char) -> bool {
    !c.is_ascii() && !c.is_alphabetic() && !c.is_whitespace()
}

fn is_region(tags: &[char]) -> bool {
    let is_code = |&c: &char| mirrored(c).is_some_and(|ascii| ascii.is_ascii_lowercase() || ascii.is_ascii_digit());
    (2..=LONGEST_REGION).contains(&tags.len()) && tags.iter().all(is_code)
}
