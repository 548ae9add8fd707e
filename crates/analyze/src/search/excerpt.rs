//! The part of a text around what was looked for.

use super::fold_into;

/// Letters before what was found.
const BEFORE: usize = 40;
/// Letters from where it begins.
const AFTER: usize = 100;

/// The part of a text around the first place that fits a question, whatever the case of letters; its beginning if none does.
#[must_use]
pub fn excerpt(text: &str, question: &str) -> String {
    let mut wanted = String::new();
    fold_into(&mut wanted, question.trim());
    let mut folded = String::new();
    // Where each letter begins in the folded text and in the text itself.
    let mut places = Vec::new();
    for (at, letter) in text.char_indices() {
        places.push((folded.len(), at));
        fold_into(&mut folded, letter.encode_utf8(&mut [0; 4]));
    }
    let found = folded.find(&wanted).unwrap_or(0);
    let letter = places.partition_point(|(place, _)| *place <= found).saturating_sub(1);
    let first = letter.saturating_sub(BEFORE);
    let last = letter + AFTER;
    let place = |letter: usize| places.get(letter).map_or(text.len(), |(_, at)| *at);
    let part = text.get(place(first)..place(last)).unwrap_or_default();
    let (before, after) = (if first > 0 { "…" } else { "" }, if last < places.len() { "…" } else { "" });
    format!("{before}{part}{after}")
}
