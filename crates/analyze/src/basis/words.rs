//! Names found in texts as whole words.
//!
//! A name counts where no letter, digit or underscore continues it on either side, and only if it has at least
//! [`SHORTEST`] characters: a tool called `get` is not meant by every text with that word in it.

use std::collections::{BTreeSet, HashMap};

/// Shortest name that counts, in characters.
pub(crate) const SHORTEST: usize = 4;

/// Names to be found, in lower case.
///
/// Looking through a text takes time by its length, and for each of its words by the number of different lengths among
/// the names that begin with that word, however many such names there are.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// What each name stands for.
    numbers: HashMap<String, Vec<u32>>,
    /// By the first word of names: what stands before that word in them, and how long they are, in bytes.
    shapes: HashMap<String, BTreeSet<(usize, usize)>>,
}

impl Names {
    /// Names with what each stands for. Names that are too short, or that hold no word, are left out.
    pub(crate) fn new(names: impl Iterator<Item = (String, u32)>) -> Self {
        let mut all = Self::default();
        for (name, number) in names {
            let name = name.trim().to_lowercase();
            if name.chars().count() < SHORTEST {
                continue;
            }
            let Some((lead, first)) = words(&name).next() else { continue };
            all.shapes.entry(first.to_owned()).or_default().insert((lead, name.len()));
            all.numbers.entry(name).or_default().push(number);
        }
        all
    }

    /// What the names stand for that occur in a text as whole words; sorted, each once.
    #[must_use]
    pub(crate) fn within(&self, text: &str) -> Vec<u32> {
        if self.numbers.is_empty() {
            return Vec::new();
        }
        let text = text.to_lowercase();
        let mut found = Vec::new();
        for (start, word) in words(&text) {
            for (lead, length) in self.shapes.get(word).into_iter().flatten() {
                found.extend(self.at(&text, start, *lead, *length).into_iter().flatten());
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The name of this length that stands in a text, with its first word at this place.
    fn at(&self, text: &str, word: usize, lead: usize, length: usize) -> Option<&[u32]> {
        let rest = text.get(word.checked_sub(lead)?..)?;
        let (name, after) = rest.split_at_checked(length)?;
        // Only a name that ends in a letter can be continued by one.
        let is_continued = name.ends_with(is_inner) && after.starts_with(is_inner);
        self.numbers.get(name).filter(|_| !is_continued).map(Vec::as_slice)
    }
}

/// The words of a text, each with where it begins.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let rest = text.get(from..)?;
        let start = from + rest.find(is_inner)?;
        let word = text.get(start..)?;
        let word = word.get(..word.find(|character| !is_inner(character)).unwrap_or(word.len()))?;
        from = start + word.len();
        Some((start, word))
    })
}

fn is_inner(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&str], text: &str) -> Vec<u32> {
        Names::new((0..).zip(names).map(|(number, name)| ((*name).to_owned(), number))).within(text)
    }

    #[test]
    fn names_are_found_as_whole_words_only() {
        assert_eq!(found(&["query_db"], "prefer this over Query_DB."), [0]);
        assert_eq!(found(&["query_db"], "prefer query_db2 or my_query_db"), [0_u32; 0]);
        assert_eq!(found(&["customers-database"], "reads customers-database"), [0]);
        assert_eq!(found(&["read"], "reads everything, already"), [0_u32; 0]);
    }

    #[test]
    fn short_and_empty_names_are_no_names() {
        assert_eq!(found(&["get", "", "  ", "???", "run"], "get run ??? "), [0_u32; 0]);
    }

    #[test]
    fn names_of_several_words_and_signs_are_names() {
        assert_eq!(found(&["send mail", "files.read", "/etc/passwd", "日本語ツール"], "to send mail"), [0]);
        assert_eq!(found(&["send mail", "files.read", "/etc/passwd"], "like files.read does"), [1]);
        assert_eq!(found(&["send mail", "files.read", "/etc/passwd"], "see /etc/passwd!"), [2]);
        assert_eq!(found(&["日本語ツール"], "「日本語ツール」を使う"), [0]);
    }
}
