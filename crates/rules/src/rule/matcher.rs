//! Reading matchers.

use super::types::{Charset, MatchMode, Matcher, Operator, Signal, Window};
use crate::limits;
use crate::reading::fields::{Fields, List, Reader};
use crate::reading::pattern::Pattern;
use crate::reading::problem::Complaint;
use crate::reading::tree::Node;

/// Reads the matcher of one rule.
pub(super) fn read(reader: &mut Reader, node: &Node) -> Option<Matcher> {
    Matchers { reader, count: 0 }.matcher(node, 1)
}

/// The types of matchers.
#[derive(Debug, Clone, Copy)]
enum Type {
    Keyword,
    Prefix,
    Regex,
    Entropy,
    Compound,
    Score,
    Model,
}

impl Type {
    /// What it is, for messages, and its fields.
    const fn shape(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Keyword => {
                ("a keyword matcher", &["type", "keywords", "case_insensitive", "whole_words", "match_mode"])
            }
            Self::Prefix => ("a prefix matcher", &["type", "prefixes", "case_insensitive"]),
            Self::Regex => ("a regex matcher", &["type", "pattern", "case_insensitive"]),
            Self::Entropy => ("an entropy matcher", &["type", "charset", "threshold", "min_length"]),
            Self::Compound => ("a compound matcher", &["type", "operator", "matchers"]),
            Self::Score => ("a score matcher", &["type", "threshold", "window", "signals"]),
            Self::Model => ("a model matcher", &["type", "model"]),
        }
    }
}

const TYPES: &[(&str, Type)] = &[
    ("keyword", Type::Keyword),
    ("prefix", Type::Prefix),
    ("regex", Type::Regex),
    ("entropy", Type::Entropy),
    ("compound", Type::Compound),
    ("score", Type::Score),
    ("model", Type::Model),
];

/// Reads matchers within matchers and counts what they demand together.
struct Matchers<'r> {
    reader: &'r mut Reader,
    count: usize,
}

impl Matchers<'_> {
    /// Goes down at most as far as the limit allows, whatever the file does.
    fn matcher(&mut self, node: &Node, depth: usize) -> Option<Matcher> {
        if depth > limits::MATCHER_DEPTH {
            let message = format!("matchers are nested deeper than {} levels", limits::MATCHER_DEPTH);
            self.reader.complain(node.at, Complaint::new(message));
            return None;
        }
        self.count += 1;
        if self.count > limits::MATCHERS {
            // One complaint is enough: every further matcher would bring the same one.
            if self.count == limits::MATCHERS + 1 {
                let message = format!("the rule has more than {} matchers", limits::MATCHERS);
                self.reader.complain(node.at, Complaint::new(message));
            }
            return None;
        }
        let fields = self.reader.mapping(node, "a matcher")?;
        let of_type = self.reader.required(&fields, "type")?;
        let of_type = self.reader.word(of_type, "type", TYPES)?;
        let (what, known) = of_type.shape();
        let fields = self.reader.mapping(node, what)?;
        self.reader.only(&fields, known);
        match of_type {
            Type::Keyword => self.keyword(&fields),
            Type::Prefix => self.prefix(&fields),
            Type::Regex => self.regex(&fields),
            Type::Entropy => self.entropy(&fields),
            Type::Compound => self.compound(&fields, depth),
            Type::Score => self.score(&fields, depth),
            Type::Model => self.model(&fields),
        }
    }

    fn keyword(&mut self, fields: &Fields<'_>) -> Option<Matcher> {
        let case_insensitive = self.reader.flag(fields, "case_insensitive", false);
        let whole_words = self.reader.flag(fields, "whole_words", false);
        let mode = self.choice(fields, "match_mode", &[("any", MatchMode::Any), ("all", MatchMode::All)]);
        let keywords = self.terms(fields, List { field: "keywords", most: limits::KEYWORDS });
        Some(Matcher::Keyword {
            keywords: keywords?,
            case_insensitive: case_insensitive?,
            whole_words: whole_words?,
            mode: mode?,
        })
    }

    fn prefix(&mut self, fields: &Fields<'_>) -> Option<Matcher> {
        let case_insensitive = self.reader.flag(fields, "case_insensitive", false);
        let prefixes = self.terms(fields, List { field: "prefixes", most: limits::PREFIXES });
        Some(Matcher::Prefix { prefixes: prefixes?, case_insensitive: case_insensitive? })
    }

    fn regex(&mut self, fields: &Fields<'_>) -> Option<Matcher> {
        let case_insensitive = self.reader.flag(fields, "case_insensitive", false);
        let node = self.reader.required(fields, "pattern")?;
        let text = self.reader.any_text(node, "pattern", limits::PATTERN_BYTES)?;
        let is_case_insensitive = case_insensitive.unwrap_or_default();
        self.reader.pattern(node, &Pattern { field: "pattern", text, is_case_insensitive })?;
        Some(Matcher::Regex { pattern: text.to_owned(), case_insensitive: case_insensitive? })
    }

    fn entropy(&mut self, fields: &Fields<'_>) -> Option<Matcher> {
        let reader = &mut *self.reader;
        let charset = reader.required(fields, "charset");
        let charset = charset
            .and_then(|node| reader.word(node, "charset", &[("base64", Charset::Base64), ("hex", Charset::Hex)]));
        let threshold = reader.required(fields, "threshold");
        let threshold = threshold
            .and_then(|node| reader.number(node, "threshold", "from 0 to 8 bits", |bits| (0.0..=8.0).contains(&bits)));
        let min_length = reader.required(fields, "min_length");
        let min_length = min_length.and_then(|node| reader.integer(node, "min_length", 1..=limits::RUN_LENGTH));
        let min_length = min_length.and_then(|length| usize::try_from(length).ok());
        Some(Matcher::Entropy { charset: charset?, threshold: threshold?, min_length: min_length? })
    }

    fn compound(&mut self, fields: &Fields<'_>, depth: usize) -> Option<Matcher> {
        let operator = self.choice(fields, "operator", &[("and", Operator::And), ("or", Operator::Or)]);
        let node = self.reader.required(fields, "matchers")?;
        let parts = self.reader.list(node, List { field: "matchers", most: limits::COMPOUND_PARTS })?;
        let parts: Vec<Option<Matcher>> = parts.iter().map(|part| self.matcher(part, depth + 1)).collect();
        Some(Matcher::Compound { operator: operator?, matchers: parts.into_iter().collect::<Option<_>>()? })
    }

    fn score(&mut self, fields: &Fields<'_>, depth: usize) -> Option<Matcher> {
        let window = self.choice(fields, "window", &[("text", Window::Text), ("sentence", Window::Sentence)]);
        let threshold = self.reader.required(fields, "threshold");
        let threshold = threshold.and_then(|node| self.reader.number(node, "threshold", "above 0", |sum| sum > 0.0));
        let node = self.reader.required(fields, "signals")?;
        let signals = self.reader.list(node, List { field: "signals", most: limits::SIGNALS })?;
        let signals: Vec<Option<Signal>> = signals.iter().map(|signal| self.signal(signal, depth)).collect();
        let signals = signals.into_iter().collect::<Option<Vec<_>>>()?;
        let threshold = threshold?;
        let most: f64 = signals.iter().map(|signal| signal.weight.max(0.0)).sum();
        if most < threshold {
            let message = format!("the threshold {threshold} is out of reach: all weights above 0 add up to {most}");
            self.reader.complain(fields.place_of("threshold"), Complaint::new(message));
            return None;
        }
        Some(Matcher::Score { threshold, window: window?, signals })
    }

    fn signal(&mut self, node: &Node, depth: usize) -> Option<Signal> {
        let fields = self.reader.mapping(node, "a signal")?;
        self.reader.only(&fields, &["name", "weight", "matcher"]);
        let weight = self.reader.required(&fields, "weight");
        let weight = weight.and_then(|node| {
            self.reader.number(node, "weight", "from -1000 to 1000 and not 0", |weight| {
                weight != 0.0 && (-1000.0..=1000.0).contains(&weight)
            })
        });
        let name = fields.get("name").map(|node| self.reader.text(node, "name", limits::WORD_BYTES));
        let matcher = self.reader.required(&fields, "matcher");
        let matcher = matcher.and_then(|node| self.matcher(node, depth + 1))?;
        let name = name.map_or_else(|| Some(name_of(&matcher)), |name| name.map(str::to_owned));
        Some(Signal { name: name?, weight: weight?, matcher })
    }

    fn model(&mut self, fields: &Fields<'_>) -> Option<Matcher> {
        let node = self.reader.required(fields, "model")?;
        let model = self.reader.text(node, "model", limits::WORD_BYTES)?;
        Some(Matcher::Model { model: model.to_owned() })
    }

    /// Keywords or prefixes, none of them blank.
    fn terms(&mut self, fields: &Fields<'_>, list: List) -> Option<Vec<String>> {
        let node = self.reader.required(fields, list.field)?;
        let items = self.reader.list(node, list)?;
        self.reader.texts(items, list.field, limits::TERM_BYTES)
    }

    /// A field that is one of a few words, and the default when it is missing.
    fn choice<T: Copy + Default>(&mut self, fields: &Fields<'_>, key: &str, words: &[(&'static str, T)]) -> Option<T> {
        fields.get(key).map_or_else(|| Some(T::default()), |node| self.reader.word(node, key, words))
    }
}

/// A name for a signal that has none: the first thing that it looks for.
fn name_of(matcher: &Matcher) -> String {
    let name = match matcher {
        Matcher::Keyword { keywords: terms, .. } | Matcher::Prefix { prefixes: terms, .. } => terms.first(),
        Matcher::Regex { pattern, .. } => Some(pattern),
        Matcher::Model { model } => Some(model),
        Matcher::Entropy { .. } => return "entropy".to_owned(),
        Matcher::Compound { matchers, .. } => return matchers.first().map(name_of).unwrap_or_default(),
        Matcher::Score { signals, .. } => return signals.first().map(|first| first.name.clone()).unwrap_or_default(),
    };
    let short = name.and_then(|name| name.get(..name.floor_char_boundary(limits::WORD_BYTES)));
    short.unwrap_or_default().to_owned()
}
