//! What a rule would have said about the past.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::detector::Detector;
use super::limits;
use super::rule::Rule;
use crate::event::Event;

/// What a rule would have said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Backtest {
    /// How many events were shown to it.
    pub scanned: u64,
    /// How many times it would have alerted.
    pub matches: u64,
    /// How many decisions it would have named.
    pub matched_decisions: u64,
    /// The first of those decisions, at most [`limits::BACKTEST_IDS`].
    pub matched_decision_ids: Vec<String>,
    /// How many times it would have alerted on each day on which it did.
    pub per_day: BTreeMap<String, u64>,
}

/// A back-test that is going on.
#[derive(Debug)]
pub struct Backtesting {
    detector: Detector,
    so_far: Backtest,
    /// The decisions that are listed, to list none twice. Later ones are taken to differ, as they do except for a rule with
    /// an incident whose storms touch.
    listed: FxHashSet<String>,
}

impl Backtesting {
    /// Starts with nothing remembered. A rule that is off is tested as if it were on.
    #[must_use]
    pub fn new(rule: &Rule) -> Self {
        let rule = Arc::new(Rule { enabled: true, ..rule.clone() });
        Self { detector: Detector::new([rule]), so_far: Backtest::default(), listed: FxHashSet::default() }
    }

    /// Shows an event to the rule. They come oldest first, as they did when they happened.
    pub fn take(&mut self, event: &Event) {
        self.so_far.scanned += 1;
        for fired in self.detector.observe(event).fired {
            if !fired.continues {
                self.so_far.matches += 1;
                let day = fired.at.to_string().chars().take_while(|it| *it != 'T').collect();
                *self.so_far.per_day.entry(day).or_default() += 1;
            }
            for id in fired.sources.into_iter().filter_map(|source| source.decision_id) {
                self.list(id);
            }
        }
    }

    /// What came out.
    #[must_use]
    pub fn finish(self) -> Backtest {
        self.so_far
    }

    fn list(&mut self, id: String) {
        if self.listed.contains(&id) {
            return;
        }
        self.so_far.matched_decisions += 1;
        if self.so_far.matched_decision_ids.len() < limits::BACKTEST_IDS {
            self.listed.insert(id.clone());
            self.so_far.matched_decision_ids.push(id);
        }
    }
}

/// Shows events, oldest first, to a rule and tells what it would have said. Takes time in proportion to the events; memory
/// is bounded like the detector's.
pub fn backtest<E: Borrow<Event>>(rule: &Rule, events: impl IntoIterator<Item = E>) -> Backtest {
    let mut testing = Backtesting::new(rule);
    for event in events {
        testing.take(event.borrow());
    }
    testing.finish()
}
