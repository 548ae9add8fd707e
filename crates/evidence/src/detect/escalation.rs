//! Agents that are denied again and again are riskier than they were taken for.

use serde::{Deserialize, Serialize};

use super::memory::Latest;
use crate::identity::RiskTier;

/// When an agent's risk tier is raised: after more than so many denials in so many minutes, by one step for each further
/// denial. It never falls by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Escalation {
    /// So many denials are not too many.
    pub denies: u16,
    /// Within so many minutes.
    pub minutes: u16,
}

impl Default for Escalation {
    fn default() -> Self {
        Self { denies: 5, minutes: 60 }
    }
}

impl Escalation {
    /// The most denials that can be asked for, as so many are remembered for each agent.
    pub const MOST_DENIES: u16 = 1_000;
    /// The most minutes that can be asked for: a day.
    pub const MOST_MINUTES: u16 = 1_440;

    /// Whether both numbers are at least 1 and not above their limits.
    #[must_use]
    pub fn is_sound(self) -> bool {
        (1..=Self::MOST_DENIES).contains(&self.denies) && (1..=Self::MOST_MINUTES).contains(&self.minutes)
    }

    /// The tier of an agent after a denial, when it had so many within the time; nothing if it stays as it is.
    #[must_use]
    pub fn raised(self, tier: RiskTier, denials: u64) -> Option<RiskTier> {
        tier.raised().filter(|_| denials > u64::from(self.denies))
    }

    pub(super) fn window_seconds(self) -> u32 {
        u32::from(self.minutes.min(Self::MOST_MINUTES)) * 60
    }

    /// Takes a denial. Whether it is one too many. Constant time: only the latest are kept, one more than are allowed.
    pub(super) fn take(self, denials: &mut Latest<()>, at: i64) -> bool {
        let too_many = usize::from(self.denies.min(Self::MOST_DENIES)) + 1;
        denials.take(at, (), too_many) && denials.are_within(too_many, super::memory::micros(self.window_seconds()))
    }
}

/// An agent was denied once too often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raise {
    /// Whose it is.
    pub tenant_id: String,
    /// The agent whose risk tier goes up by one, if it can.
    pub agent_id: String,
    /// The rule that says so.
    pub escalation: Escalation,
}
