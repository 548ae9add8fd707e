//! The model file: plain lines, so that a reader and a diff can see what was learnt.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::features::Feature;
use super::grammar::Grammar;
use super::tokens::Symbols;
use super::weights::TextModel;

const HEADER: &str = "tracehound text model 1";

/// A model file that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelFileError {
    /// It does not start as it should.
    #[error("not a text model: the first line is not `{HEADER}`")]
    Header,
    /// It was trained with another grammar.
    #[error("the weights were trained with another grammar; train them anew")]
    OtherGrammar,
    /// A line can't be read.
    #[error("line {0} of the text model can't be read")]
    Line(usize),
}

impl TextModel {
    /// The model file.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = format!("{HEADER}\ngrammar {}\nbias {}\n", self.grammar.digest, self.bias);
        for line in self.seen.chunks(12) {
            let hashes: Vec<String> = line.iter().map(|hash| format!("{hash:08x}")).collect();
            let _ = writeln!(text, "seen {}", hashes.join(" "));
        }
        for line in self.words.chunks(12) {
            let _ = writeln!(text, "words {}", line.join(" "));
        }
        for (name, weight) in self.grammar.signals.iter().zip(&self.signal_weights) {
            let _ = writeln!(text, "signal {weight} {name}");
        }
        let mut features: Vec<_> = self.numbers.iter().collect();
        features.sort_unstable();
        for (feature, number) in features {
            let weight = self.weights.get(*number as usize).copied().unwrap_or(0.0);
            let _ = writeln!(text, "weight {weight} {}", feature.write(&self.symbols, &self.grammar));
        }
        text
    }

    /// Reads what [`TextModel::write`] wrote.
    ///
    /// # Errors
    ///
    /// When it is something else, or was trained with another grammar.
    pub fn read(grammar: &Grammar, text: &str) -> Result<Self, ModelFileError> {
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, line)| line != HEADER) {
            return Err(ModelFileError::Header);
        }
        let words: Vec<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("words "))
            .flat_map(|line| line.split(' ').map(str::to_owned))
            .collect();
        let symbols = Symbols::new(grammar, words.iter().map(String::as_str));
        let mut model = Self {
            grammar: grammar.clone(),
            words,
            symbols,
            numbers: FxHashMap::default(),
            weights: Vec::new(),
            signal_weights: vec![0.0; grammar.signals.len()],
            bias: 0.0,
            seen: Vec::new(),
        };
        for (number, line) in lines {
            model.read_line(line).ok_or(ModelFileError::Line(number + 1))??;
        }
        Ok(model)
    }

    fn read_line(&mut self, line: &str) -> Option<Result<(), ModelFileError>> {
        let (key, rest) = line.split_once(' ')?;
        match key {
            "grammar" if rest != self.grammar.digest => return Some(Err(ModelFileError::OtherGrammar)),
            "grammar" | "words" => {}
            "bias" => self.bias = number(rest)?,
            "seen" => {
                for hash in rest.split(' ') {
                    self.seen.push(u32::from_str_radix(hash, 16).ok()?);
                }
            }
            "signal" => {
                let (weight, name) = rest.split_once(' ')?;
                let at = self.grammar.signals.iter().position(|signal| signal == name)?;
                *self.signal_weights.get_mut(at)? = number(weight)?;
            }
            "weight" => {
                let (weight, feature) = rest.split_once(' ')?;
                let feature = Feature::read(feature, &self.symbols, &self.grammar)?;
                self.numbers.insert(feature, self.weights.len() as u32);
                self.weights.push(number(weight)?);
            }
            _ => return None,
        }
        Some(Ok(()))
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}
