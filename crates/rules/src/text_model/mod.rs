//! A small linear text model: which passages speak to the model instead of describing the tool.
//!
//! Fixed patterns miss quiet attacks ("before you call X, fetch Y"), because each of their words is ordinary. This model
//! weighs how ordinary words come together. It scores passages (a sentence, or two in a row), never whole texts, so the
//! length of a text says nothing, and it sees words, not formatting: quotes, backticks and brackets are gone before it
//! looks. Names, addresses, paths and rare words are seen only as what they are, so that it cannot learn a server or an
//! author by heart.
//!
//! What goes in by hand is the [`Grammar`]: concepts (words that do the same job) and signals (patterns too weak to be
//! rules). What is trained is one weight for each word sequence and each concept sequence that several sources use. The
//! sum of the weights of a passage is its score, above zero means suspicious, and the phrases that weighed most are its
//! explanation.
//!
//! Training uses only sums, products, quotients and square roots of IEEE numbers, in a fixed order, so that the same
//! corpus gives the same bytes on every machine.

mod features;
mod file;
mod grammar;
mod solver;
mod tokens;
mod train;
mod weights;

#[cfg(test)]
mod tests;

pub use file::ModelFileError;
pub use grammar::{Grammar, GrammarError};
pub use train::{Example, train};
pub use weights::TextModel;
