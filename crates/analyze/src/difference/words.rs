//! Single lines, by words.

use std::borrow::Cow;
use std::ops::Range;

use super::effort::{Effort, Stretch};
use super::lines::{Lines, Mark};

/// How many words and gaps around a change are shown.
const AROUND: usize = 8;
/// A gap as long as this is counted and not shown, since it can push the rest out of sight.
const LONG_GAP: usize = 12;

/// Adds how one line became another, each time behind `label`.
pub(super) fn compare(before: &str, after: &str, label: &str, lines: &mut Lines, effort: &mut Effort) {
    let (old, new) = (words(before), words(after));
    let stretches = effort.stretches(&old, &new);
    for part in parts(&stretches) {
        let (old, new) = (side(&old, part, |it| it.old.clone()), side(&new, part, |it| it.new.clone()));
        for (mark, text) in [(Mark::Removed, old), (Mark::Added, new)] {
            if !(text.is_empty() && label.is_empty()) {
                lines.push(mark, &format!("{label}{text}"));
            }
        }
    }
}

/// Adds one line as it is, long gaps apart.
pub(super) fn whole(mark: Mark, line: &str, lines: &mut Lines) {
    let text: String = words(line).into_iter().map(shown).collect();
    lines.push(mark, &text);
}

/// The stretches in groups that are shown together. Changes with little between them are one.
fn parts(stretches: &[Stretch]) -> Vec<&[Stretch]> {
    let is_cut = |stretch: &Stretch| stretch.is_alike && stretch.old.len() > 2 * AROUND;
    let mut parts = Vec::new();
    let mut start = 0;
    for (number, stretch) in stretches.iter().enumerate() {
        let is_last = number + 1 == stretches.len();
        let ends_here = is_last || (number > 0 && is_cut(stretch));
        if ends_here && let Some(part) = stretches.get(start..=number) {
            parts.push(part);
            // What is between two parts is context to both.
            start = number;
        }
    }
    parts.retain(|part| part.iter().any(|stretch| !stretch.is_alike));
    parts
}

/// One side of a part: what differs, with a little around it.
fn side(words: &[&str], part: &[Stretch], range: impl Fn(&Stretch) -> Range<usize>) -> String {
    let mut text = String::new();
    for (number, stretch) in part.iter().enumerate() {
        let words = words.get(range(stretch)).unwrap_or_default();
        let is_long = stretch.is_alike && words.len() > AROUND;
        let (opens, closes) = (is_long && number == 0, is_long && number + 1 == part.len());
        let skipped = if opens { words.len() - AROUND } else { 0 };
        let kept = if closes { AROUND } else { words.len() };
        text.push_str(if opens { "…" } else { "" });
        text.extend(words.iter().take(kept).skip(skipped).copied().map(shown));
        text.push_str(if closes { "…" } else { "" });
    }
    text
}

fn shown(word: &str) -> Cow<'_, str> {
    match word.chars().count() {
        count if count >= LONG_GAP && word.trim().is_empty() => format!(" <{count} blanks> ").into(),
        _ => word.into(),
    }
}

/// The words of a line and the gaps between them. Every other character stands by itself, also one of a script that is
/// written without gaps.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (offset, character) in line.char_indices() {
        let sort = sort(character);
        if offset > 0 && (sort.is_none() || sort != last) {
            words.extend(line.get(start..offset));
            start = offset;
        }
        last = sort;
    }
    words.extend(line.get(start..).filter(|rest| !rest.is_empty()));
    words
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Gap,
    Letters,
}

/// What characters join; none for those that stand alone.
fn sort(character: char) -> Option<Sort> {
    match character {
        _ if character.is_whitespace() => Some(Sort::Gap),
        '\u{2e80}'.. => None,
        '_' => Some(Sort::Letters),
        _ => character.is_alphanumeric().then_some(Sort::Letters),
    }
}
