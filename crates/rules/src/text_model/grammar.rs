//! The hand-written part of a text model: concepts and signals.

use std::collections::BTreeMap;
use std::sync::Arc;

use regex_automata::meta;
use serde::Deserialize;
use tracehound_model::hash;

/// What stands for something that is not a word. The order is part of the model file's meaning.
pub(super) const SPECIAL: [&str; 7] = ["<url>", "<path>", "<mail>", "<num>", "<name>", "<self>", "<break>"];

/// A web address.
pub(super) const URL: u32 = 1;
/// A path of a file.
pub(super) const PATH: u32 = 2;
/// A mail address.
pub(super) const MAIL: u32 = 3;
/// A number.
pub(super) const NUMBER: u32 = 4;
/// An identifier, or a word that too few sources use to tell it from a name.
pub(super) const NAME: u32 = 5;
/// The tool whose description this is.
pub(super) const SELF: u32 = 6;
/// The border between the two sentences of a passage.
pub(super) const BREAK: u32 = 7;

/// The hand-written part of a text model.
#[derive(Debug, Clone)]
pub struct Grammar {
    /// Names of the concepts; the first concept's number is one above the last special's.
    pub(super) concepts: Vec<String>,
    /// Concepts that make a passage worth a first look, as numbers.
    pub(super) leads: Vec<u32>,
    /// The concepts of each word, as numbers.
    pub(super) by_word: BTreeMap<String, Vec<u32>>,
    /// Names of the signals, in the order of the patterns.
    pub(super) signals: Vec<String>,
    pub(super) patterns: Arc<meta::Regex>,
    /// Over the text that it was read from: weights fit only the grammar that they were trained with.
    pub(super) digest: String,
}

/// A grammar that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum GrammarError {
    /// It is not YAML of the right shape.
    #[error("the grammar is not readable: {0}")]
    Shape(String),
    /// A signal's pattern is wrong.
    #[error("a signal's pattern does not compile")]
    Pattern(#[source] Box<meta::BuildError>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GrammarFile {
    concepts: BTreeMap<String, String>,
    leads: Vec<String>,
    signals: BTreeMap<String, String>,
}

impl Grammar {
    /// Reads a grammar: YAML with `concepts` (name to words), `leads` (concepts that deserve a first look) and `signals` (name to pattern, matched against folded
    /// passages).
    ///
    /// # Errors
    ///
    /// When it has another shape or a pattern does not compile.
    pub fn read(text: &str) -> Result<Self, GrammarError> {
        let file: GrammarFile = serde_saphyr::from_str(text).map_err(|error| GrammarError::Shape(error.to_string()))?;
        let mut by_word = BTreeMap::<String, Vec<u32>>::new();
        for (number, words) in (SPECIAL.len() as u32 + 1..).zip(file.concepts.values()) {
            for word in words.split_whitespace() {
                let numbers = by_word.entry(word.to_owned()).or_default();
                if numbers.last() != Some(&number) {
                    numbers.push(number);
                }
            }
        }
        // Word boundaries between ASCII letters are enough in folded text, and the fast automata have no others.
        let patterns: Vec<String> = file.signals.values().map(|pattern| pattern.replace(r"\b", r"(?-u:\b)")).collect();
        let patterns = meta::Regex::new_many(&patterns).map_err(|error| GrammarError::Pattern(Box::new(error)))?;
        let mut grammar = Self {
            concepts: file.concepts.into_keys().collect(),
            leads: Vec::new(),
            by_word,
            signals: file.signals.into_keys().collect(),
            patterns: Arc::new(patterns),
            digest: hash::content(text),
        };
        for name in &file.leads {
            let number = grammar.concept_number(name);
            grammar.leads.push(number.ok_or_else(|| GrammarError::Shape(format!("`{name}` is no concept")))?);
        }
        Ok(grammar)
    }

    /// The name of a concept or special, by number.
    pub(super) fn concept_name(&self, number: u32) -> &str {
        let number = number as usize;
        match SPECIAL.get(number.wrapping_sub(1)) {
            Some(special) => special,
            None => self.concepts.get(number.wrapping_sub(SPECIAL.len() + 1)).map_or("?", String::as_str),
        }
    }

    /// The number of a concept or special, by name.
    pub(super) fn concept_number(&self, name: &str) -> Option<u32> {
        let special = SPECIAL.iter().position(|special| *special == name).map(|at| at + 1);
        let concept = || self.concepts.iter().position(|concept| concept == name).map(|at| at + SPECIAL.len() + 1);
        special.or_else(concept).and_then(|number| u32::try_from(number).ok())
    }
}
