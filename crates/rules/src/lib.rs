//! What is suspicious: the rule format, the text normaliser, the matchers and the built-in rules.
//!
//! Pure: rules and texts come in as values, matches go out. Who collected the text and what becomes of a match is
//! not known here.

pub mod bundle;
pub mod engine;
pub mod ledger;
pub mod library;
pub mod normalise;
pub mod rule;
pub mod rule_tests;
pub mod text_model;
pub mod tool_text;

mod builtin;
mod builtin_models;
pub mod limits;

pub use builtin::{BrokenBuiltin, builtin_rules, builtin_sources};
pub use builtin_models::{
    BrokenModel, TOOL_MODEL, builtin_grammar, builtin_judges, builtin_tool_model, builtin_vocabulary, vocabulary,
};
