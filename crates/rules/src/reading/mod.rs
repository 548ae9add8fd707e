//! Reading YAML strictly: a tree in which everything knows its place, typed access to it, patterns, and problems.
//!
//! What the fields of a rule are is not known here; detection rules and fingerprints are both read with it.

pub(crate) mod fields;
pub(crate) mod pattern;
pub(crate) mod problem;
pub mod suggest;
pub(crate) mod texts;
pub(crate) mod tree;
