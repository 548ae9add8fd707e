//! The detection rule format: what a rule is, and reading it from YAML.
//!
//! Reading is strict and complete: every field is checked, and everything that is wrong is reported at once with its
//! place. What a rule does to a text is not decided here.

mod change;
mod fields;
mod matcher;
mod pattern;
mod problem;
mod read;
mod standards;
mod suggest;
mod target;
#[cfg(test)]
mod tests;
mod tree;
mod types;

pub use change::version_problem;
pub use problem::Problem;
pub(crate) use read::read_proven_rule;
pub use read::read_rule;
pub(crate) use suggest::nearest;
pub use types::{
    Charset, Emit, MatchMode, Matcher, Operator, Rule, RuleSeverity, RuleTest, Scope, Signal, Target, Window,
};
