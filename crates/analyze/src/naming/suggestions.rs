//! What may have been meant by a word that nobody knows.

use std::collections::BTreeSet;

use tracehound_rules::suggest::distance_if_near;

/// How many suggestions are made.
const MOST: usize = 5;

/// Parts of names that are shorter say nothing.
const SHORTEST_PART: usize = 3;

/// The known words that are nearest to one that somebody typed: those within few letters of it, then those that contain it
/// or are contained in it.
///
/// Growth: linear in the words that are offered; each takes time bounded by the length of a longest word.
#[derive(Debug, Clone)]
pub struct Suggestions {
    word: String,
    folded: String,
    best: BTreeSet<(usize, String)>,
}

impl Suggestions {
    /// For a word that is not known.
    #[must_use]
    pub fn new(word: &str) -> Self {
        Self { word: word.to_owned(), folded: word.to_lowercase(), best: BTreeSet::new() }
    }

    /// The best of these.
    #[must_use]
    pub fn among<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Vec<String> {
        let mut suggestions = Self::new(word);
        for candidate in known {
            suggestions.offer(candidate);
        }
        suggestions.into_vec()
    }

    /// Considers a known word.
    pub fn offer(&mut self, known: &str) {
        let Some(distance) = self.distance(known) else { return };
        let entry = (distance, known.to_owned());
        if self.best.len() < MOST {
            self.best.insert(entry);
        } else if self.best.last().is_some_and(|worst| entry < *worst) && self.best.insert(entry) {
            self.best.pop_last();
        }
    }

    fn distance(&self, known: &str) -> Option<usize> {
        distance_if_near(&self.word, known).or_else(|| {
            let folded = known.to_lowercase();
            let is_part = |part: &str, whole: &str| part.chars().count() >= SHORTEST_PART && whole.contains(part);
            let is_related = is_part(&self.folded, &folded) || is_part(&folded, &self.folded);
            // Behind everything that is near by letters; the more they have in common, the earlier.
            is_related.then(|| 1000 + self.folded.len().abs_diff(folded.len()))
        })
    }

    /// The best words, the likeliest first.
    #[must_use]
    pub fn into_vec(self) -> Vec<String> {
        self.best.into_iter().map(|(_, word)| word).collect()
    }
}
