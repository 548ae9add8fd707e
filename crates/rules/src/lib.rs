//! What is suspicious, and by what a service is recognised: the rule formats, the text normaliser, the matchers and the
//! built-in rules.
//!
//! Pure: rules, texts and answers come in as values, matches go out. Who collected them and what becomes of a match is
//! not known here.

pub mod any_rule;
pub mod bundle;
pub mod engine;
pub mod fingerprint;
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
mod reading;

pub use builtin::{BrokenBuiltin, builtin_fingerprint_sources, builtin_fingerprints, builtin_rules, builtin_sources};
pub use builtin_models::{
    BrokenModel, TOOL_MODEL, builtin_grammar, builtin_judges, builtin_tool_model, builtin_vocabulary, vocabulary,
};
pub use reading::suggest;
