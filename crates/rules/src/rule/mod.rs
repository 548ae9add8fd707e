//! The detection rule format: what a rule is, and reading it from YAML.
//!
//! Reading is strict and complete: every field is checked, and everything that is wrong is reported at once with its
//! place. What a rule does to a text is not decided here.

mod change;
mod matcher;
mod read;
mod standards;
mod target;
#[cfg(test)]
mod tests;
mod types;

pub use crate::reading::problem::Problem;
pub(crate) use change::version_message;
pub use change::version_problem;
pub(crate) use read::read_proven_rule;
pub use read::read_rule;
pub use types::{
    Charset, Emit, MatchMode, Matcher, Operator, Rule, RuleSeverity, RuleTest, Scope, Signal, Target, Window,
};
