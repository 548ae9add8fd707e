//! Words and how likely each is.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Words with log-probabilities, for joining words that were broken by line breaks.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    words: HashMap<Box<str>, f32, BuildHasherDefault<WordHasher>>,
    longest: usize,
}

/// What an unknown word of no length would score; each further letter makes it less likely.
const UNKNOWN: f32 = -12.0;
const UNKNOWN_PER_LETTER: f32 = -1.2;

impl Vocabulary {
    /// A vocabulary that knows no word.
    pub fn empty() -> Self {
        Self::default()
    }

    /// A vocabulary from how often each word was seen. Words are lower-cased; counts of equal words add up.
    pub fn from_counts<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> Self {
        let mut totals: HashMap<Box<str>, u64> = HashMap::new();
        let mut total = 0_u64;
        for (word, count) in counts.filter(|&(_, count)| count > 0) {
            let sum = totals.entry(word.to_lowercase().into_boxed_str()).or_default();
            *sum = sum.saturating_add(count);
            total = total.saturating_add(count);
        }
        let all = (total as f64).ln();
        let longest = totals.keys().map(|word| word.len()).max().unwrap_or_default();
        let share = |(word, count)| (word, ((count as f64).ln() - all) as f32);
        Self { words: totals.into_iter().map(share).collect(), longest }
    }

    /// Whether no word is known.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How long the longest word is, in bytes.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// Whether this lower-case word is known.
    pub fn knows(&self, word: &str) -> bool {
        self.words.contains_key(word)
    }

    /// The natural logarithm of how likely this lower-case word is; unknown words are unlikely, long ones more so.
    pub fn log_probability(&self, word: &str) -> f32 {
        self.known(word).unwrap_or_else(|| Self::unknown(word))
    }

    /// The same, of a known word.
    pub(super) fn known(&self, word: &str) -> Option<f32> {
        self.words.get(word).copied()
    }

    /// The same, of an unknown word.
    pub(super) fn unknown(word: &str) -> f32 {
        UNKNOWN + UNKNOWN_PER_LETTER * word.chars().count() as f32
    }
}

/// FNV-1a. Words are short, and the table holds only ours: a text cannot make it collide.
#[derive(Debug, Clone)]
struct WordHasher(u64);

impl Default for WordHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
