//! A trained model at work: scores of passages, and why.

use std::ops::Range;

use regex_automata::{Input, PatternSet};
use rustc_hash::FxHashMap;

use super::features::{Feature, each_feature};
use super::grammar::{BREAK, Grammar};
use super::tokens::{Symbols, Token, bare, tokenise};
use crate::engine::{Judge, Judgement};
use crate::normalise::Normalised;

/// What one signal counts beside the other features of a passage, which share a length of one.
pub(super) const SIGNAL_VALUE: f64 = 0.3;
/// Passages with fewer features than this don't weigh more for it.
const FEWEST_FEATURES: f64 = 10.0;
/// How many phrases an explanation names.
const MOST_PHRASES: usize = 5;

/// A trained text model.
#[derive(Debug, Clone)]
pub struct TextModel {
    pub(super) grammar: Grammar,
    pub(super) words: Vec<String>,
    pub(super) symbols: Symbols,
    pub(super) numbers: FxHashMap<Feature, u32>,
    pub(super) weights: Vec<f64>,
    pub(super) signal_weights: Vec<f64>,
    pub(super) bias: f64,
    /// Short hashes of the ids of the records that it was trained on, sorted.
    pub(super) seen: Vec<u32>,
}

/// One or two sentences.
pub(super) struct Passage<'p> {
    pub(super) tokens: &'p [Token],
    pub(super) range: Range<usize>,
}

/// Calls `found` with every passage of a text: each sentence, and each sentence with the one after it.
pub(super) fn each_passage(text: &Normalised, name: &str, symbols: &Symbols, mut found: impl FnMut(&Passage<'_>)) {
    let own_name = bare(name);
    let mut tokens = Vec::new();
    let mut previous: Option<Range<usize>> = None;
    for range in text.sentences() {
        let sentence = text.text().get(range.clone()).unwrap_or_default();
        let border = tokens.len();
        tokens.push(Token { symbol: BREAK, start: range.start, end: range.start });
        tokenise(sentence, range.start, &own_name, symbols, &mut tokens);
        if tokens.len() == border + 1 {
            tokens.truncate(border);
            continue;
        }
        if let Some(before) = previous.take() {
            found(&Passage { tokens: &tokens, range: before.start..range.end });
        }
        tokens.drain(..=border);
        found(&Passage { tokens: &tokens, range: range.clone() });
        previous = Some(range.clone());
    }
}

/// The weight that each of `count` features of a passage has.
pub(super) fn share(count: usize) -> f64 {
    1.0 / (count as f64).max(FEWEST_FEATURES).sqrt()
}

impl TextModel {
    /// Whether it was trained on the record with this id.
    #[must_use]
    pub fn has_seen(&self, id: &str) -> bool {
        self.seen.binary_search(&short_hash(id)).is_ok()
    }

    /// The judgement of a text that describes the thing called `name`.
    #[must_use]
    pub fn judge_named(&self, text: &Normalised, name: &str) -> Option<Judgement> {
        let (score, span) = self.highest(text, name)?;
        (score > 0.0).then(|| Judgement { phrases: self.phrases(text, name, &span), span, score })
    }

    /// The highest score of all passages, and where.
    #[must_use]
    pub fn highest(&self, text: &Normalised, name: &str) -> Option<(f64, Range<usize>)> {
        let mut best: Option<(f64, Range<usize>)> = None;
        let mut found = Vec::new();
        let mut signals = Signals::new(&self.grammar);
        each_passage(text, name, &self.symbols, |passage| {
            let score = self.score(text.text(), passage, &mut found, &mut signals);
            if best.as_ref().is_none_or(|(highest, _)| score > *highest) {
                best = Some((score, passage.range.clone()));
            }
        });
        best
    }

    fn score(&self, text: &str, passage: &Passage<'_>, found: &mut Vec<u32>, signals: &mut Signals<'_>) -> f64 {
        found.clear();
        each_feature(passage.tokens, &self.symbols, |feature, _, _| found.extend(self.numbers.get(&feature)));
        found.sort_unstable();
        found.dedup();
        let sum: f64 = found.iter().filter_map(|number| self.weights.get(*number as usize)).sum();
        let extra: f64 = signals.find(text, &passage.range).filter_map(|at| self.signal_weights.get(at)).sum();
        sum * share(found.len()) + extra * SIGNAL_VALUE + self.bias
    }

    /// The phrases of the passage at `span` that speak most for it.
    fn phrases(&self, text: &Normalised, name: &str, span: &Range<usize>) -> Vec<(String, f64)> {
        let mut phrases = Vec::new();
        each_passage(text, name, &self.symbols, |passage| {
            if passage.range == *span {
                phrases = self.weighed_phrases(text.text(), passage);
            }
        });
        phrases
    }

    fn weighed_phrases(&self, text: &str, passage: &Passage<'_>) -> Vec<(String, f64)> {
        let mut places: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
        each_feature(passage.tokens, &self.symbols, |feature, first, last| {
            if let Some(number) = self.numbers.get(&feature) {
                places.entry(*number).or_insert((first, last));
            }
        });
        let share = share(places.len());
        // Features at the same place speak for one phrase.
        let mut by_place: std::collections::BTreeMap<(usize, usize), f64> = std::collections::BTreeMap::new();
        let mut numbers: Vec<_> = places.into_iter().collect();
        numbers.sort_unstable();
        for (number, place) in numbers {
            *by_place.entry(place).or_default() += self.weights.get(number as usize).copied().unwrap_or(0.0) * share;
        }
        let mut ranked: Vec<_> = by_place.into_iter().filter(|(_, weight)| *weight > 0.0).collect();
        ranked.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
        let mut chosen: Vec<((usize, usize), f64)> = Vec::new();
        for (place, weight) in ranked {
            let overlaps = |other: &(usize, usize)| other.0 <= place.1 && place.0 <= other.1;
            if chosen.len() < MOST_PHRASES && !chosen.iter().any(|(other, _)| overlaps(other)) {
                chosen.push((place, weight));
            }
        }
        let phrase = |(first, last): (usize, usize)| {
            let range = passage.tokens.get(first)?.start..passage.tokens.get(last)?.end;
            text.get(range).map(str::to_owned)
        };
        chosen.into_iter().filter_map(|(place, weight)| Some((phrase(place)?, weight))).collect()
    }
}

impl Judge for TextModel {
    fn judge(&self, text: &Normalised, name: &str) -> Option<Judgement> {
        self.judge_named(text, name)
    }
}

/// The signals of passages, with the buffers that finding them takes.
#[derive(Debug)]
pub(super) struct Signals<'g> {
    grammar: &'g Grammar,
    found: PatternSet,
    plain: String,
}

impl<'g> Signals<'g> {
    pub(super) fn new(grammar: &'g Grammar) -> Self {
        Self { grammar, found: PatternSet::new(grammar.patterns.pattern_len()), plain: String::new() }
    }

    /// Which signals occur in a range of a folded text, as numbers.
    pub(super) fn find(&mut self, text: &str, range: &Range<usize>) -> impl Iterator<Item = usize> + '_ {
        self.plain.clear();
        without_formatting(text.get(range.clone()).unwrap_or_default(), &mut self.plain);
        self.found.clear();
        self.grammar.patterns.which_overlapping_matches(&Input::new(&self.plain), &mut self.found);
        self.found.iter().map(|pattern| pattern.as_usize())
    }
}

/// The text without quotes, backticks and asterisks; apostrophes within words stay.
fn without_formatting(text: &str, plain: &mut String) {
    let mut letters = text.chars().peekable();
    let mut previous = ' ';
    while let Some(letter) = letters.next() {
        let is_kept = match letter {
            '`' | '*' | '"' | '“' | '”' | '«' | '»' => false,
            '\'' | '’' | '‘' => {
                previous.is_alphanumeric() && letters.peek().is_some_and(|next| next.is_alphanumeric())
            }
            _ => true,
        };
        if is_kept {
            plain.push(letter);
        }
        previous = letter;
    }
}

/// Enough of a hash to tell the records of a corpus apart.
pub(super) fn short_hash(id: &str) -> u32 {
    use sha2::{Digest, Sha256};
    Sha256::digest(id.as_bytes()).iter().take(4).fold(0, |hash, byte| (hash << 8) | u32::from(*byte))
}
