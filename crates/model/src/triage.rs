//! What people say about findings and nodes: triage states and marks. Who said it and when is the store's business.

use crate::name_table::named;

/// What people think of a finding.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TriageState {
    /// Nobody has decided anything.
    #[default]
    New,
    /// Somebody is looking at it.
    Triaging,
    /// It is so, and something has to be done.
    Confirmed,
    /// It is so, and it may stay.
    AcceptedRisk,
    /// It is not so.
    FalsePositive,
}

impl TriageState {
    /// All states, from first sight to last word.
    pub const ALL: &'static [Self] =
        &[Self::New, Self::Triaging, Self::Confirmed, Self::AcceptedRisk, Self::FalsePositive];

    /// The lower-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Triaging => "triaging",
            Self::Confirmed => "confirmed",
            Self::AcceptedRisk => "accepted-risk",
            Self::FalsePositive => "false-positive",
        }
    }

    /// The one with exactly this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|entry| entry.name() == name)
    }

    /// Whether a finding in this state is left out of lists and fails nothing, unless somebody asks for it.
    #[must_use]
    pub const fn is_suppressing(self) -> bool {
        matches!(self, Self::AcceptedRisk | Self::FalsePositive)
    }
}

named!(TriageState, "a triage state");

/// What people say about a node: where an attacker is, or wants to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mark {
    /// An attacker holds it.
    Owned,
    /// Losing it would hurt most.
    CrownJewel,
}

impl Mark {
    /// All marks.
    pub const ALL: &'static [Self] = &[Self::Owned, Self::CrownJewel];

    /// The lower-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Owned => "owned",
            Self::CrownJewel => "crown-jewel",
        }
    }

    /// The one with exactly this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|entry| entry.name() == name)
    }
}

named!(Mark, "a mark");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_as_what_they_name() {
        for state in TriageState::ALL {
            assert_eq!(TriageState::from_name(state.name()), Some(*state));
            let text = serde_json::to_string(state).unwrap();
            assert_eq!(serde_json::from_str::<TriageState>(&text).unwrap(), *state);
        }
        for mark in Mark::ALL {
            assert_eq!(Mark::from_name(mark.name()), Some(*mark));
        }
        assert_eq!(TriageState::from_name("accepted_risk"), None);
        assert!(serde_json::from_str::<Mark>("\"Owned\"").is_err());
    }

    #[test]
    fn only_a_last_word_that_lets_it_stay_suppresses() {
        let suppressing: Vec<&str> =
            TriageState::ALL.iter().filter(|state| state.is_suppressing()).map(|state| state.name()).collect();
        assert_eq!(suppressing, ["accepted-risk", "false-positive"]);
        assert_eq!(TriageState::default(), TriageState::New);
    }
}
