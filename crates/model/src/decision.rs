//! The words of a decision about one tool call: how far its cause is trusted, how bad it can get, what was decided.

use crate::name_table::named;

/// How far the text that caused a call is trusted. Ordered: what is less trusted is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TrustLevel {
    /// Written by our own people or programs, with a signature that was checked.
    TrustedInternalSigned,
    /// Written by our own people or programs.
    TrustedInternalUnsigned,
    /// Written by a customer who is known.
    SemiTrustedCustomer,
    /// Written by anybody.
    UntrustedExternal,
    /// Thought to be an attack.
    MaliciousSuspected,
    /// Nobody knows.
    Unknown,
}

impl TrustLevel {
    /// All levels, from the most to the least trusted.
    pub const ALL: &'static [Self] = &[
        Self::TrustedInternalSigned,
        Self::TrustedInternalUnsigned,
        Self::SemiTrustedCustomer,
        Self::UntrustedExternal,
        Self::MaliciousSuspected,
        Self::Unknown,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TrustedInternalSigned => "trusted_internal_signed",
            Self::TrustedInternalUnsigned => "trusted_internal_unsigned",
            Self::SemiTrustedCustomer => "semi_trusted_customer",
            Self::UntrustedExternal => "untrusted_external",
            Self::MaliciousSuspected => "malicious_suspected",
            Self::Unknown => "unknown",
        }
    }

    /// The one with exactly this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|entry| entry.name() == name)
    }

    /// The less trusted of two: a chain is trusted as far as its weakest part.
    #[must_use]
    pub fn weakest(self, other: Self) -> Self {
        self.max(other)
    }
}

named!(TrustLevel, "a trust level");

/// What was decided about a call. Ordered by how much it restrains, but for a denial, which always wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// It may happen.
    Allow,
    /// It may happen without the values of some fields.
    Redact,
    /// It may happen when a person agrees to exactly this call.
    RequireApproval,
    /// It may not happen, and the agent is stopped.
    Quarantine,
    /// It may not happen.
    Deny,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: &'static [Self] = &[Self::Allow, Self::Redact, Self::RequireApproval, Self::Quarantine, Self::Deny];

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Redact => "redact",
            Self::RequireApproval => "require_approval",
            Self::Quarantine => "quarantine",
            Self::Deny => "deny",
        }
    }

    /// The one with exactly this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|entry| entry.name() == name)
    }
}

named!(Verdict, "a verdict");

/// How bad a call can get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RiskLevel {
    /// Hardly.
    Low,
    /// Somewhat.
    Medium,
    /// Badly.
    High,
    /// As bad as it gets.
    Critical,
}

impl RiskLevel {
    /// All levels, from harmless to worst.
    pub const ALL: &'static [Self] = &[Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The name on the wire.
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

    /// The score of an action that is registered with this level.
    #[must_use]
    pub const fn score(self) -> u8 {
        match self {
            Self::Low => 10,
            Self::Medium => 40,
            Self::High => 75,
            Self::Critical => 95,
        }
    }

    /// The level that a score belongs to.
    #[must_use]
    pub const fn of_score(score: u8) -> Self {
        match score {
            95.. => Self::Critical,
            75.. => Self::High,
            40.. => Self::Medium,
            _ => Self::Low,
        }
    }
}

named!(RiskLevel, "a risk level");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back_to_its_entry() {
        assert!(TrustLevel::ALL.iter().all(|it| TrustLevel::from_name(it.name()) == Some(*it)));
        assert!(Verdict::ALL.iter().all(|it| Verdict::from_name(it.name()) == Some(*it)));
        assert!(RiskLevel::ALL.iter().all(|it| RiskLevel::from_name(it.name()) == Some(*it)));
    }

    #[test]
    fn a_chain_is_trusted_as_far_as_its_weakest_part() {
        use TrustLevel::{MaliciousSuspected, TrustedInternalSigned, Unknown};
        assert_eq!(TrustedInternalSigned.weakest(MaliciousSuspected), MaliciousSuspected);
        assert_eq!(Unknown.weakest(MaliciousSuspected), Unknown);
    }

    #[test]
    fn scores_lead_back_to_their_levels() {
        assert!(RiskLevel::ALL.iter().all(|it| RiskLevel::of_score(it.score()) == *it));
        assert_eq!(RiskLevel::of_score(100), RiskLevel::Critical);
    }
}
