//! The ledger: how good the rules are, measured on labelled corpora, rule by rule.
//!
//! Every figure is out of fold. Records are put into five fixed folds by the repository or server that they come from;
//! where a text model was trained on a record, the record is judged by a model trained on the other four folds. Records
//! that the shipped model never saw are judged by the shipped model itself. Rules written by hand are the same for all
//! folds; the figures by fold let a reader see whether they hold on records that their authors did not read.
//!
//! Files come in as bytes, so this room stays without I/O.

mod corpus;
mod disguise;
mod figures;
mod folds;
mod judges;
mod markdown;
mod measure;
mod tally;
mod words;

#[cfg(test)]
mod tests;

pub use corpus::{Corpora, CorpusError, CorpusText, FILES};
pub use disguise::Disguise;
pub use figures::{Figure, builtin_figures};
pub use folds::FOLDS;
pub use judges::{examples, fold_texts, train_tool_model};
pub use markdown::markdown;
pub use measure::{Measured, Progress, measure};
pub use tally::{ByRule, Ledger, Line, Listed, Score, Section};
pub use words::word_list;
