//! Training: from labelled texts to weights.
//!
//! A poisoned text is mostly harmless: only some passage of it is not, and nobody marked which. So training guesses
//! that passage (first by the grammar's leads and signals, then by the model itself) and learns from it alone, while
//! every passage of a harmless text counts as harmless.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::features::{Feature, each_feature};
use super::grammar::Grammar;
use super::solver::{Rows, separate};
use super::tokens::{Shape, Symbols, each_word};
use super::weights::{SIGNAL_VALUE, Signals, TextModel, each_passage, share, short_hash};
use crate::normalise::Normalised;

/// A word is told from a name when this many sources use it.
const SOURCES_OF_A_WORD: usize = 4;
/// A feature is weighed when this many sources use it, and as many texts.
const SOURCES_OF_A_FEATURE: usize = 3;
/// How often the suspicious passages are guessed anew.
const ROUNDS: usize = 3;
/// Decimal places of a weight in the model file.
const PLACES: f64 = 10_000.0;

/// A labelled text.
#[derive(Debug, Clone, Copy)]
pub struct Example<'e> {
    /// The record's id.
    pub id: &'e str,
    /// Who it comes from: texts of one source can't vouch for each other.
    pub source: &'e str,
    /// The name of the thing that it describes; empty if it has none.
    pub name: &'e str,
    /// The folded text.
    pub text: &'e Normalised,
    /// Whether some passage of it is an attack.
    pub is_suspicious: bool,
}

/// Trains a model. Time grows with the number of passages times their features, a small number of times.
#[must_use]
pub fn train(grammar: &Grammar, examples: &[Example<'_>]) -> TextModel {
    let words = common_words(examples);
    let symbols = Symbols::new(grammar, words.iter().map(String::as_str));
    let passages = gather(grammar, &symbols, examples);
    let numbers = common_features(&passages, examples);
    let signal_column = numbers.len() as u32;
    let bias_column = signal_column + grammar.signals.len() as u32;
    let mut rows = Rows::default();
    for passage in &passages {
        let mut columns: Vec<u32> =
            passage.features.iter().filter_map(|feature| numbers.get(feature).copied()).collect();
        columns.sort_unstable();
        let share = share(columns.len());
        let signals = passage.signals.iter().map(|signal| (signal_column + signal, SIGNAL_VALUE));
        let columns = columns.into_iter().map(|column| (column, share));
        rows.push(columns.chain(signals).chain([(bias_column, 1.0)]));
    }
    let weights = learn(&rows, &passages, examples, bias_column as usize + 1);
    let rounded = |weight: &f64| (weight * PLACES).round() / PLACES;
    let (features, rest) = weights.split_at_checked(signal_column as usize).unwrap_or((&weights, &[]));
    let (signals, bias) = rest.split_at_checked(grammar.signals.len()).unwrap_or((rest, &[]));
    let mut seen: Vec<u32> = examples.iter().map(|example| short_hash(example.id)).collect();
    seen.sort_unstable();
    seen.dedup();
    TextModel {
        grammar: grammar.clone(),
        words,
        symbols,
        numbers,
        weights: features.iter().map(rounded).collect(),
        signal_weights: signals.iter().map(rounded).collect(),
        bias: bias.first().map_or(0.0, rounded),
        seen,
    }
}

/// A passage of an example, as features.
struct Gathered {
    example: usize,
    features: Vec<Feature>,
    signals: Vec<u32>,
    /// How much it deserves a first look.
    lead: f64,
}

fn gather(grammar: &Grammar, symbols: &Symbols, examples: &[Example<'_>]) -> Vec<Gathered> {
    let mut passages = Vec::new();
    let mut found = Signals::new(grammar);
    for (example, record) in examples.iter().enumerate() {
        each_passage(record.text, record.name, symbols, |passage| {
            let mut features = Vec::new();
            each_feature(passage.tokens, symbols, |feature, _, _| features.push(feature));
            features.sort_unstable();
            features.dedup();
            let signals: Vec<u32> =
                found.find(record.text.text(), &passage.range).map(|signal| signal as u32).collect();
            let leads = |symbol| symbols.concepts(symbol).iter().any(|concept| grammar.leads.contains(concept));
            let lead_words = passage.tokens.iter().filter(|token| leads(token.symbol)).count();
            let lead = (2 * signals.len() + lead_words) as f64 / (passage.tokens.len() as f64 + 5.0).sqrt();
            passages.push(Gathered { example, features, signals, lead });
        });
    }
    passages
}

/// Guesses the suspicious passages and learns from them, in turns.
fn learn(rows: &Rows, passages: &[Gathered], examples: &[Example<'_>], width: usize) -> Vec<f64> {
    let is_suspicious = |at: &Gathered| examples.get(at.example).is_some_and(|example| example.is_suspicious);
    let labels: Vec<bool> = passages.iter().map(is_suspicious).collect();
    let mut scores: Vec<f64> = passages.iter().map(|passage| passage.lead).collect();
    let mut weights = Vec::new();
    for _ in 0..ROUNDS {
        let mut best: FxHashMap<usize, f64> = FxHashMap::default();
        for (passage, score) in passages.iter().zip(&scores) {
            let highest = best.entry(passage.example).or_insert(f64::NEG_INFINITY);
            *highest = highest.max(*score);
        }
        let is_best = |at: usize| {
            let (Some(passage), Some(score)) = (passages.get(at), scores.get(at)) else { return false };
            best.get(&passage.example).is_some_and(|highest| score >= highest)
        };
        let chosen: Vec<usize> =
            (0..rows.len()).filter(|at| !labels.get(*at).copied().unwrap_or(false) || is_best(*at)).collect();
        weights = separate(rows, &labels, &chosen, width);
        scores = (0..rows.len()).map(|at| rows.product(at, &weights)).collect();
    }
    weights
}

/// Words that enough sources use, sorted.
fn common_words(examples: &[Example<'_>]) -> Vec<String> {
    let mut sources: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for example in examples {
        for range in example.text.sentences() {
            let sentence = example.text.text().get(range.clone()).unwrap_or_default();
            each_word(sentence, |shape, start, end| {
                if shape == Shape::Word
                    && let Some(word) = sentence.get(start..end)
                {
                    let of_word = sources.entry(word).or_default();
                    if of_word.len() < SOURCES_OF_A_WORD {
                        of_word.insert(example.source);
                    }
                }
            });
        }
    }
    let common = sources.into_iter().filter(|(_, of_word)| of_word.len() >= SOURCES_OF_A_WORD);
    common.map(|(word, _)| word.to_owned()).collect()
}

/// Features that enough sources and texts use, numbered in their order.
fn common_features(passages: &[Gathered], examples: &[Example<'_>]) -> FxHashMap<Feature, u32> {
    let mut names: FxHashMap<&str, u32> = FxHashMap::default();
    let mut last_example: FxHashMap<Feature, (usize, usize, FxHashSet<u32>)> = FxHashMap::default();
    for passage in passages {
        let source = examples.get(passage.example).map_or("", |example| example.source);
        let next = names.len() as u32;
        let source = *names.entry(source).or_insert(next);
        for feature in &passage.features {
            let (texts, last, sources) =
                last_example.entry(*feature).or_insert_with(|| (0, usize::MAX, FxHashSet::default()));
            if *last != passage.example {
                (*texts, *last) = (*texts + 1, passage.example);
            }
            if sources.len() < SOURCES_OF_A_FEATURE {
                sources.insert(source);
            }
        }
    }
    let is_common = |(_, (texts, _, sources)): &(&Feature, &(usize, usize, FxHashSet<u32>))| {
        *texts >= SOURCES_OF_A_FEATURE && sources.len() >= SOURCES_OF_A_FEATURE
    };
    let mut common: Vec<Feature> = last_example.iter().filter(is_common).map(|(feature, _)| *feature).collect();
    common.sort_unstable();
    common.into_iter().zip(0..).collect()
}
