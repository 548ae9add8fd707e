//! Counts, and what follows from them.

use serde::Serialize;

/// Hits among those that should be hit, and among those that should not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Found, and should be.
    pub found: usize,
    /// Should be found.
    pub of: usize,
    /// Found, and should not be.
    pub false_alarms: usize,
    /// Should not be found.
    pub among: usize,
}

impl Score {
    /// Counts a record that should be found.
    pub(super) fn wanted(&mut self, is_found: bool) {
        self.of += 1;
        self.found += usize::from(is_found);
    }

    /// Counts a record that should not be found.
    pub(super) fn unwanted(&mut self, is_found: bool) {
        self.among += 1;
        self.false_alarms += usize::from(is_found);
    }

    /// Counts a record of either kind.
    pub(super) fn count(&mut self, is_wanted: bool, is_found: bool) {
        if is_wanted { self.wanted(is_found) } else { self.unwanted(is_found) }
    }

    /// The share that was found.
    #[must_use]
    pub fn recall(self) -> Option<f64> {
        ratio(self.found, self.of)
    }

    /// The share of harmless records that were flagged.
    #[must_use]
    pub fn false_alarm_rate(self) -> Option<f64> {
        ratio(self.false_alarms, self.among)
    }

    /// The share of alarms that were right.
    #[must_use]
    pub fn precision(self) -> Option<f64> {
        ratio(self.found, self.found + self.false_alarms)
    }

    /// The harmonic mean of precision and recall.
    #[must_use]
    pub fn f1(self) -> Option<f64> {
        ratio(2 * self.found, self.found + self.false_alarms + self.of)
    }
}

fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// One line of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// What was measured.
    pub name: String,
    /// How it came out.
    #[serde(flatten)]
    pub score: Score,
}

/// A rule's own figures within a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ByRule {
    /// The rule's id.
    pub rule: String,
    /// Wanted records that it hit.
    pub found: usize,
    /// Wanted records that no other rule hit.
    pub alone: usize,
    /// Unwanted records that it hit.
    pub false_alarms: usize,
}

/// A record that came out wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// The section.
    pub section: String,
    /// The record's id.
    pub id: String,
    /// Its family or kind.
    pub family: String,
    /// The rules that flagged it; empty for a miss.
    pub rules: Vec<String>,
    /// How its text starts.
    pub text: String,
}

/// One task of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// What is measured.
    pub name: String,
    /// The overall figure first, then its parts.
    pub lines: Vec<Line>,
    /// Rule by rule.
    pub rules: Vec<ByRule>,
}

/// Everything that was measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ledger {
    /// Task by task.
    pub sections: Vec<Section>,
    /// What should have been found and was not.
    #[serde(skip)]
    pub misses: Vec<Listed>,
    /// What should not have been found and was.
    #[serde(skip)]
    pub false_alarms: Vec<Listed>,
}
