//! Findings: one record per thing that is wrong, with a name that stays the same from scan to scan.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::name_table::named;
use crate::{NodeId, NodeKind, hash};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Low,
    /// Should be changed.
    Medium,
    /// Should be changed soon.
    High,
    /// Should be changed today.
    Critical,
}

impl Severity {
    /// All severities, mildest first.
    pub const ALL: &'static [Self] = &[Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The lower-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// The one with exactly this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|entry| entry.name() == name)
    }
}

named!(Severity, "a severity");

/// The name of a finding: 16 hex digits that depend only on what is wrong and between whom.
///
/// Held as the digits themselves: lists of hundred thousands of findings have no text of their own for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint([u8; 16]);

impl Fingerprint {
    /// Over the kind (an edge kind's name or a rule's id) and both ends; a finding about one node names it twice.
    #[must_use]
    pub fn new(kind: &str, source: &NodeId, target: &NodeId) -> Self {
        Self::of_ids(kind, source.as_str(), target.as_str())
    }

    /// The same for ids that are at hand as texts.
    #[must_use]
    pub fn of_ids(kind: &str, source: &str, target: &str) -> Self {
        FingerprintsFrom::new(kind, source).to(target)
    }

    /// The digits as a number, which orders fingerprints as their digits do.
    #[must_use]
    pub fn number(&self) -> u64 {
        u64::from_str_radix(self.as_str(), 16).unwrap_or(0)
    }

    /// Reads one as it is shown: exactly 16 lower-case hex digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let digits: [u8; 16] = text.as_bytes().try_into().ok()?;
        digits.into_iter().all(is_digit).then_some(Self(digits))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // INVARIANT: nothing but ASCII digits gets in.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// The fingerprints of one kind from one end: what they have in common is hashed once.
#[derive(Debug, Clone)]
pub struct FingerprintsFrom(Sha256);

impl FingerprintsFrom {
    /// Over the kind and the source.
    #[must_use]
    pub fn new(kind: &str, source: &str) -> Self {
        let mut hash = Sha256::new_with_prefix(kind);
        for part in ["|", source, "|"] {
            hash.update(part);
        }
        Self(hash)
    }

    /// The one with this target.
    #[must_use]
    pub fn to(&self, target: &str) -> Fingerprint {
        let digest = self.0.clone().chain_update(target).finalize();
        let (bytes, _) = digest.split_first_chunk::<8>().map_or((&[0; 8], &[][..]), |both| both);
        let mut digits = [0; 16];
        for (place, byte) in digits.chunks_exact_mut(2).zip(bytes) {
            place.copy_from_slice(&hash::digits(*byte));
        }
        Fingerprint(digits)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("a fingerprint is 16 lower-case hex digits"))
    }
}

/// A node as a finding speaks of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Which node.
    pub id: NodeId,
    /// What it is.
    pub kind: NodeKind,
    /// What people call it.
    pub name: String,
}

/// Where in a file the cause stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The file's path.
    pub file: String,
    /// The line, counted from one.
    pub line: u32,
    /// The column, counted from one.
    pub column: u32,
}

/// An entry of a public catalogue, such as `MCP03` or `AML.T0051`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Standard {
    /// Its published id.
    pub id: String,
    /// Its published name.
    pub name: String,
}

/// Which way an edge is walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From its source to its target.
    Along,
    /// From its target to its source.
    Against,
}

/// One hop of the path that a finding rests on, as it is walked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The edge kind's name; `same-secret` between two copies of a secret, `reads` where a tool can read a secret.
    pub kind: String,
    /// Which way the edge is walked; a hop that is no edge has no way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// From where.
    pub from: Subject,
    /// To where.
    pub to: Subject,
    /// How hard the hop is, from 0 (free) to 1.
    pub weight: f64,
    /// The hop as a sentence.
    pub words: String,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Its name from scan to scan.
    pub fingerprint: Fingerprint,
    /// The edge kind's name or the rule's id.
    pub kind: String,
    /// What sort of trouble it is, in two or three words.
    pub category: String,
    /// How bad it is.
    pub severity: Severity,
    /// How sure we are, from 0 to 1.
    pub confidence: f64,
    /// One line, in plain words.
    pub title: String,
    /// What it means for whom.
    pub description: String,
    /// The party that it is about.
    pub source: Subject,
    /// The other party; the same as `source` when there is none.
    pub target: Subject,
    /// The fact that it rests on, in words.
    pub evidence: String,
    /// What to do about it.
    pub remediation: String,
    /// Where the cause stands, when it stands in a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The catalogue entries that it falls under.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub standards: Vec<Standard>,
    /// The path that it rests on, as it is walked; empty where one fact is enough.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Step>,
    /// How hard the whole path is: the sum of its steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_weight: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_as_published() {
        for (kind, source, target, expected) in [
            ("CAN_REACH", "agent-1", "res-1", "b3fc575461af09e0"),
            ("SHADOWS", "tool-1", "tool-2", "599408ca180a6f34"),
            ("POISONED_DESCRIPTION", "t1", "t1", "a11f25bc09b930b2"),
        ] {
            let fingerprint = Fingerprint::new(kind, &NodeId::from_wire(source), &NodeId::from_wire(target));
            assert_eq!(fingerprint.as_str(), expected);
            assert_eq!(Fingerprint::parse(expected), Some(fingerprint));
        }
        for other in ["", "b3fc575461af09e", "b3fc575461af09e00", "B3FC575461AF09E0", "b3fc575461af09eg"] {
            assert_eq!(Fingerprint::parse(other), None, "{other}");
            assert!(serde_json::from_value::<Fingerprint>(other.into()).is_err(), "{other}");
        }
    }

    #[test]
    fn severities_are_ordered() {
        assert!(Severity::Critical > Severity::High && Severity::Medium > Severity::Low);
        assert_eq!(Severity::from_name("high"), Some(Severity::High));
    }
}
