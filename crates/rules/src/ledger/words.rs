//! The word list behind the joining of broken words: which words are ordinary, and how ordinary.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::corpus::Corpora;
use crate::normalise::{Normaliser, Vocabulary};

/// A word is ordinary when this many sources use it.
const SOURCES: usize = 2;
/// The most words that a list holds; the rarest are left out.
const MOST_WORDS: usize = 16_000;

/// The words that several sources of a corpus use, each with the number of its occurrences, as a file of `count word`.
#[must_use]
pub fn word_list(corpora: &Corpora) -> String {
    let nothing = Vocabulary::empty();
    let mut normaliser = Normaliser::new(&nothing);
    let mut counts: BTreeMap<String, (u64, BTreeSet<&str>)> = BTreeMap::new();
    let tools = corpora.tools.iter().map(|tool| (tool.source.as_str(), tool.text.as_str()));
    let files = corpora.instructions.iter().map(|file| (file.source.as_str(), file.content.as_str()));
    for (source, text) in tools.chain(files) {
        let text = normaliser.normalise(text);
        for word in text.text().split(|letter: char| !letter.is_ascii_lowercase()).filter(|word| !word.is_empty()) {
            if let Some((count, sources)) = counts.get_mut(word) {
                *count += 1;
                sources.insert(source);
            } else {
                counts.insert(word.to_owned(), (1, BTreeSet::from([source])));
            }
        }
    }
    let mut common: Vec<(u64, String)> = counts
        .into_iter()
        .filter(|(_, (_, sources))| sources.len() >= SOURCES)
        .map(|(word, (count, _))| (count, word))
        .collect();
    common.sort_by(|(a, left), (b, right)| b.cmp(a).then_with(|| left.cmp(right)));
    common.truncate(MOST_WORDS);
    let mut list = String::new();
    for (count, word) in common {
        let _ = writeln!(list, "{count} {word}");
    }
    list
}
