//! What is known about single characters, remembered because texts repeat few of them.

use std::iter::once;

use unicode_normalization::{IsNormalized, is_nfkc_quick};

use super::characters::{continues, invisible, is_in_word};
use super::look_alikes::latin;

/// Enough for every alphabet, and for most of what a text in Chinese uses.
const SLOTS: usize = 2048;

/// Facts about the characters beyond ASCII that were seen last.
#[derive(Debug)]
pub(super) struct Alphabet {
    seen: Vec<Facts>,
}

/// What folding asks about a character.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    c: char,
    /// Whether it folds to `folded` wherever no mark follows it.
    pub(super) is_simple: bool,
    /// Whether it joins the character before it.
    pub(super) continues: bool,
    pub(super) folded: Letter,
}

/// A folded character.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letter {
    pub(super) c: char,
    /// The ASCII letter that it looks like.
    pub(super) latin: Option<u8>,
    pub(super) is_in_word: bool,
    pub(super) is_letter: bool,
}

impl Letter {
    /// A folded character, with what its original looked like.
    pub(super) fn new(c: char, original: char) -> Self {
        let latin = if c.is_ascii() { None } else { latin(original) };
        Self { c, latin, is_in_word: is_in_word(c), is_letter: c.is_alphabetic() }
    }
}

impl Facts {
    fn about(c: char) -> Self {
        let mut folded = fold_case(c);
        let lower = folded.next().unwrap_or(c);
        let continues = continues(c);
        let stands_alone = folded.next().is_none() && is_nfkc_quick(once(c)) == IsNormalized::Yes;
        let is_simple = stands_alone && !continues && !c.is_whitespace() && invisible(c).is_none();
        Self { c, is_simple, continues, folded: Letter::new(lower, c) }
    }
}

impl Default for Alphabet {
    fn default() -> Self {
        Self { seen: vec![Facts::about('\0'); SLOTS] }
    }
}

impl Alphabet {
    /// The facts about a character.
    pub(super) fn facts(&mut self, c: char) -> Facts {
        match self.seen.get_mut(c as usize % SLOTS) {
            Some(facts) if facts.c == c => *facts,
            Some(facts) => {
                *facts = Facts::about(c);
                *facts
            }
            None => Facts::about(c),
        }
    }
}

/// Case folding: lower case, with the few letters whose lower case is not enough.
pub(super) fn fold_case(c: char) -> impl Iterator<Item = char> {
    let (special, lower) = match c {
        'ß' | 'ẞ' => ("ss", None),
        'ς' => ("σ", None),
        'İ' => ("i", None),
        _ => ("", Some(c.to_lowercase())),
    };
    special.chars().chain(lower.into_iter().flatten())
}
