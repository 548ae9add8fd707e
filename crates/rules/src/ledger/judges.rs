//! Which model judges which record: never one that was trained on it.

use std::collections::BTreeMap;

use super::FOLDS;
use super::corpus::{Corpora, Tool};
use super::measure::{Measured, Progress};
use crate::builtin_models::TOOL_MODEL;
use crate::engine::{CompileError, Engine, Judges};
use crate::normalise::{Normalised, Normaliser, Vocabulary};
use crate::text_model::{Example, Grammar, TextModel, train};

/// Folds the tool descriptions of a corpus.
#[must_use]
pub fn fold_texts(corpora: &Corpora, words: &Vocabulary) -> Vec<Normalised> {
    let mut normaliser = Normaliser::new(words);
    corpora.tools.iter().map(|tool| normaliser.normalise(&tool.text)).collect()
}

/// The tool descriptions that a model is trained on: the benign ones, and those that hold an instruction.
#[must_use]
pub fn examples<'c>(corpora: &'c Corpora, texts: &'c [Normalised]) -> Vec<Example<'c>> {
    chosen(corpora, texts, |_| true)
}

/// Trains the model of tool descriptions on all of a corpus.
#[must_use]
pub fn train_tool_model(corpora: &Corpora, grammar: &Grammar, words: &Vocabulary) -> TextModel {
    let texts = fold_texts(corpora, words);
    train(grammar, &examples(corpora, &texts))
}

fn chosen<'c>(corpora: &'c Corpora, texts: &'c [Normalised], keep: impl Fn(&Tool) -> bool) -> Vec<Example<'c>> {
    let teaches = |tool: &&Tool| tool.attack.as_ref().is_none_or(|attack| attack.detectability == "instruction");
    let pairs = corpora.tools.iter().zip(texts);
    pairs
        .filter(|(tool, _)| teaches(tool) && keep(tool))
        .map(|(tool, text)| Example {
            id: &tool.id,
            source: &tool.source,
            name: &tool.name,
            text,
            is_suspicious: tool.attack.is_some(),
        })
        .collect()
}

/// One engine for what the shipped model never saw, one for each fold of what it was trained on.
pub(super) struct Engines {
    shipped: Engine,
    folds: Vec<Engine>,
    model: TextModel,
}

impl Engines {
    pub(super) fn new(
        subject: &Measured<'_>,
        corpora: &Corpora,
        texts: &[Normalised],
        progress: &mut Progress<'_>,
    ) -> Result<Self, CompileError> {
        let Measured { rules, model, grammar, .. } = *subject;
        let engine = |model: TextModel| {
            let judges: Judges = BTreeMap::from([(TOOL_MODEL.to_owned(), Box::new(model) as _)]);
            Engine::compile(rules.to_vec(), judges)
        };
        let mut folds = Vec::new();
        if corpora.tools.iter().any(|tool| model.has_seen(&tool.id)) {
            for fold in 0..FOLDS {
                progress(&format!("training without fold {fold}"));
                let others = chosen(corpora, texts, |tool| tool.fold != fold && model.has_seen(&tool.id));
                folds.push(engine(train(grammar, &others))?);
            }
        }
        Ok(Self { shipped: engine(model.clone())?, folds, model: model.clone() })
    }

    /// The engine that may judge a record.
    pub(super) fn of(&self, id: &str, fold: usize) -> &Engine {
        let out_of_fold = self.folds.get(fold).filter(|_| self.model.has_seen(id));
        out_of_fold.unwrap_or(&self.shipped)
    }

    /// The engine with the shipped model.
    pub(super) fn shipped(&self) -> &Engine {
        &self.shipped
    }
}
