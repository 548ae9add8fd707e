//! How much it matters who reads something.

/// How sensitive a resource is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sensitivity {
    /// Nobody said.
    #[default]
    Unknown,
    /// Hardly.
    Low,
    /// Somewhat.
    Medium,
    /// Very.
    High,
    /// As much as anything can be.
    Critical,
}

impl Sensitivity {
    /// Reads the property `sensitivity`.
    #[must_use]
    pub fn of(text: Option<&str>) -> Self {
        match text.map(str::to_ascii_lowercase).as_deref() {
            Some("critical") => Self::Critical,
            Some("high") => Self::High,
            Some("medium") => Self::Medium,
            Some("low") => Self::Low,
            _ => Self::Unknown,
        }
    }

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// From 0 to 100.
    #[must_use]
    pub const fn score(self) -> u8 {
        match self {
            Self::Unknown => 0,
            Self::Low => 25,
            Self::Medium => 50,
            Self::High => 75,
            Self::Critical => 100,
        }
    }

    /// Whether data of this sort must not leave.
    #[must_use]
    pub const fn is_guarded(self) -> bool {
        matches!(self, Self::High | Self::Critical)
    }
}
