//! What became of findings between two points: new, still there, gone, or back again.
//!
//! Pure: whoever asks decides which points are compared and how far to look back.
//!
//! Growth: linear in both sets but for their order, and in the paths of what stays; what is written down at one point only is
//! asked for at the other, see [`crate::holding`]. The past is asked once, and only for what came up since.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use tracehound_model::{Fingerprint, Severity};

use super::{Found, List};

/// What became of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// It is there, and was never there before.
    New,
    /// It is there again: not at the other point, but at an earlier one.
    Reopened,
    /// It was there at the other point and still is.
    Persisting,
    /// It was there at the other point and is gone.
    Fixed,
}

impl Fate {
    /// All fates, what asks for attention first.
    pub const ALL: &'static [Self] = &[Self::New, Self::Reopened, Self::Persisting, Self::Fixed];

    /// The lower-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Reopened => "reopened",
            Self::Persisting => "persisting",
            Self::Fixed => "fixed",
        }
    }

    /// The one with exactly this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|fate| fate.name() == name)
    }
}

/// How a finding that stays differs from what it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Altered {
    /// How bad it was, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity_was: Option<Severity>,
    /// Whether it rests on another path.
    pub other_path: bool,
}

impl Altered {
    /// How the finding with this fingerprint differs between two lists; none if it does not, or is not in both.
    #[must_use]
    pub fn between(now: &List<'_>, then: &List<'_>, fingerprint: &Fingerprint) -> Option<Self> {
        let (found, before) = (now.get(fingerprint)?, then.get(fingerprint)?);
        let severity_was = Some(before.severity).filter(|severity| *severity != found.severity);
        let other_path = !now.rests_as(found, then, before);
        (severity_was.is_some() || other_path).then_some(Self { severity_was, other_path })
    }
}

impl std::fmt::Display for Altered {
    /// `was medium`, `another path`, or both.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.severity_was, self.other_path) {
            (Some(severity), true) => write!(f, "was {}, another path", severity.name()),
            (Some(severity), false) => write!(f, "was {}", severity.name()),
            (None, _) => f.write_str("another path"),
        }
    }
}

/// What became of every finding that is there at one of two points.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lifecycle {
    fates: BTreeMap<Fingerprint, Fate>,
    altered: BTreeMap<Fingerprint, Altered>,
}

impl Lifecycle {
    /// Compares the findings at a point with those at an earlier one. `earlier` is asked which of the given findings were
    /// there at some point before that; it is not asked when nothing came up.
    pub fn between(
        now: &BTreeSet<Fingerprint>,
        then: &BTreeSet<Fingerprint>,
        earlier: &mut dyn FnMut(&BTreeSet<Fingerprint>) -> BTreeSet<Fingerprint>,
    ) -> Self {
        let came_up: BTreeSet<Fingerprint> = now.difference(then).copied().collect();
        let were_there = if came_up.is_empty() { BTreeSet::new() } else { earlier(&came_up) };
        let mut fates: BTreeMap<Fingerprint, Fate> = BTreeMap::new();
        for fingerprint in came_up {
            let is_back = were_there.contains(&fingerprint);
            fates.insert(fingerprint, if is_back { Fate::Reopened } else { Fate::New });
        }
        fates.extend(now.intersection(then).map(|fingerprint| (*fingerprint, Fate::Persisting)));
        fates.extend(then.difference(now).map(|fingerprint| (*fingerprint, Fate::Fixed)));
        Self { fates, altered: BTreeMap::new() }
    }

    /// What became of a finding; none if it is there at neither point.
    #[must_use]
    pub fn of(&self, fingerprint: &Fingerprint) -> Option<Fate> {
        self.fates.get(fingerprint).copied()
    }

    /// How a finding that persists differs from what it was.
    #[must_use]
    pub fn altered(&self, fingerprint: &Fingerprint) -> Option<Altered> {
        self.altered.get(fingerprint).copied()
    }

    /// How many findings persist and differ from what they were.
    #[must_use]
    pub fn altered_count(&self) -> usize {
        self.altered.len()
    }

    /// The findings with this fate, in order.
    pub fn with(&self, fate: Fate) -> impl Iterator<Item = Fingerprint> + '_ {
        self.fates.iter().filter(move |(_, other)| **other == fate).map(|(fingerprint, _)| *fingerprint)
    }

    /// How many there are of each fate; fates that nothing has are left out.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<Fate, usize> {
        let mut counts = BTreeMap::new();
        for fate in self.fates.values() {
            *counts.entry(*fate).or_default() += 1;
        }
        counts
    }
}

/// What became of the findings of two lists. What is fixed can be put into words by the earlier list.
pub fn compare(
    now: &List<'_>,
    then: &List<'_>,
    earlier: &mut dyn FnMut(&BTreeSet<Fingerprint>) -> BTreeSet<Fingerprint>,
) -> Lifecycle {
    let (mut here, mut there) = (now.fingerprints(), then.fingerprints());
    // Where not everything is written down, something easier pushes others out, and what goes lets others in.
    let (came, went) = (not_written(now, then), not_written(then, now));
    there.extend(then.holding(now, &came).map(|found| found.fingerprint));
    here.extend(now.holding(then, &went).map(|found| found.fingerprint));
    let mut lifecycle = Lifecycle::between(&here, &there, earlier);
    let stay = lifecycle.with(Fate::Persisting);
    let altered = stay.filter_map(|fingerprint| Some((fingerprint, Altered::between(now, then, &fingerprint)?)));
    lifecycle.altered = altered.collect();
    lifecycle
}

/// The findings of one list that are not written down in another.
fn not_written<'l, 'a>(list: &'l List<'a>, other: &List<'_>) -> Vec<&'l Found<'a>> {
    list.iter().filter(|found| other.get(&found.fingerprint).is_none()).collect()
}

/// Which of these findings are there in one of several lists, for who looks back one point after the other: what is found
/// need not be looked for again.
pub fn seen_in<'l, 'a: 'l>(
    wanted: &BTreeSet<Fingerprint>,
    lists: impl IntoIterator<Item = &'l List<'a>>,
) -> BTreeSet<Fingerprint> {
    let mut seen = BTreeSet::new();
    for list in lists {
        seen.extend(wanted.iter().filter(|fingerprint| list.get(fingerprint).is_some()));
        if seen.len() == wanted.len() {
            break;
        }
    }
    seen
}

#[cfg(test)]
mod tests;
