//! A rule of either sort, told apart by its fields.

use crate::fingerprint::{self, Fingerprint};
use crate::reading::fields::{Reader, read_with};
use crate::rule::{self, Problem, Rule};

/// A rule of either sort.
#[derive(Debug, Clone, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "how large values are depends on what else is built; few rules are held so"
)]
pub enum AnyRule {
    /// Says what is suspicious in a text.
    Detection(Rule),
    /// Says by which answers a service is recognised.
    Fingerprint(Fingerprint),
}

/// Reads one rule of either sort: a file that has `service_kind` or `probes` is meant to be a fingerprint.
///
/// # Errors
///
/// With everything that is wrong with the text, in its order.
pub fn read_any_rule(text: &str) -> Result<AnyRule, Vec<Problem>> {
    read_with(Reader::default(), text, |reader, root| {
        if fingerprint::is_fingerprint(root) {
            reader.fingerprint(root).map(AnyRule::Fingerprint)
        } else {
            reader.rule(root).map(AnyRule::Detection)
        }
    })
}

impl AnyRule {
    /// Its name for machines.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Detection(rule) => &rule.id,
            Self::Fingerprint(rule) => &rule.id,
        }
    }

    /// Its name for people.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Detection(rule) => &rule.name,
            Self::Fingerprint(rule) => &rule.name,
        }
    }

    /// What it is for.
    #[must_use]
    pub fn description(&self) -> &str {
        match self {
            Self::Detection(rule) => &rule.description,
            Self::Fingerprint(rule) => &rule.description,
        }
    }

    /// Its version.
    #[must_use]
    pub const fn version(&self) -> u32 {
        match self {
            Self::Detection(rule) => rule.version,
            Self::Fingerprint(rule) => rule.version,
        }
    }

    /// Whether it takes part.
    #[must_use]
    pub const fn is_enabled(&self) -> bool {
        match self {
            Self::Detection(rule) => rule.enabled,
            Self::Fingerprint(rule) => rule.enabled,
        }
    }

    /// The detection rule, if it is one.
    #[must_use]
    pub const fn detection(&self) -> Option<&Rule> {
        match self {
            Self::Detection(rule) => Some(rule),
            Self::Fingerprint(_) => None,
        }
    }

    /// The fingerprint, if it is one.
    #[must_use]
    pub const fn fingerprint(&self) -> Option<&Fingerprint> {
        match self {
            Self::Detection(_) => None,
            Self::Fingerprint(rule) => Some(rule),
        }
    }

    /// Of its own examples, whether each must match.
    #[must_use]
    pub fn tests(&self) -> Vec<bool> {
        match self {
            Self::Detection(rule) => rule.tests.iter().map(|test| test.should_match).collect(),
            Self::Fingerprint(rule) => rule.tests.iter().map(|test| test.should_match).collect(),
        }
    }

    /// What is wrong with it as the one that takes the place of another: a version that hides a change, or another sort.
    #[must_use]
    pub fn override_problem(&self, old: &Self) -> Option<String> {
        match (old, self) {
            (Self::Detection(old), Self::Detection(new)) => rule::version_problem(old, new),
            (Self::Fingerprint(old), Self::Fingerprint(new)) => fingerprint::version_problem(old, new),
            (Self::Detection(old), Self::Fingerprint(_)) => {
                Some(format!("`{}` is a detection rule, whose place a fingerprint can't take", old.id))
            }
            (Self::Fingerprint(old), Self::Detection(_)) => {
                Some(format!("`{}` is a fingerprint, whose place a detection rule can't take", old.id))
            }
        }
    }
}
