//! Detection: what many events say together. Rules are data, and a rule fires when events match it.
//!
//! Pure: there is no store and no clock here. Time is the time of the events, so a rule says the same about the past as
//! it said when the past happened. What fires is written down, shown and acted on elsewhere.
//!
//! Events of alerts and incidents are never looked at: a rule that matched everything would feed itself.

mod backtest;
mod builtin;
mod detector;
mod escalation;
mod fired;
mod incident;
pub mod limits;
mod memory;
mod rule;
mod rule_set;

pub use backtest::{Backtest, Backtesting, backtest};
pub use builtin::{BrokenBuiltin, builtin_rules, builtin_sources};
pub use detector::{Detector, Observed};
pub use escalation::{Escalation, Raise};
pub use fired::{Fired, Source};
pub use incident::{Change, Extension, Incidents, OpenIncident, Opening, correlate};
pub use rule::{
    Condition, Count, Field, FirstSeen, Names, Per, Phrases, Problem, Rate, Response, Rule, RuleTest, ScoreStep,
    Sequence, Severity, Shape, Summary, TestEvent, read_rule,
};

#[cfg(test)]
mod tests;
