//! Points in time as the store keeps them: microseconds, always shown in UTC.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A point in time, to the microsecond.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Moment(i64);

/// Where the time comes from. Tests bring their own.
pub type Clock = Arc<dyn Fn() -> Moment + Send + Sync>;

impl Moment {
    /// The point that lies so many microseconds after 1970 began.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since 1970 began.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// What the machine's clock says.
    #[must_use]
    pub fn now() -> Self {
        Self(Timestamp::now().as_microsecond())
    }

    /// Reads RFC 3339, with any offset.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse::<Timestamp>().ok().map(|time| Self(time.as_microsecond()))
    }

    /// The point so many seconds later, or earlier if they are negative.
    #[must_use]
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(1_000_000)))
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Every number of microseconds that is out of range comes from a damaged store; the nearest end is shown.
        let nearest = if self.0 < 0 { Timestamp::MIN } else { Timestamp::MAX };
        let time = Timestamp::from_microsecond(self.0).unwrap_or(nearest);
        write!(f, "{time:.6}")
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl utoipa::PartialSchema for Moment {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .format(Some(utoipa::openapi::SchemaFormat::KnownFormat(utoipa::openapi::KnownFormat::DateTime)))
            .into()
    }
}

impl utoipa::ToSchema for Moment {}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(format_args!("`{text}` is not an RFC 3339 time")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_in_utc_to_the_microsecond() {
        let moment = Moment::parse("2026-06-17T14:00:01+02:00").unwrap();
        assert_eq!(moment.to_string(), "2026-06-17T12:00:01.000000Z");
        assert_eq!(Moment::parse(&moment.to_string()), Some(moment));
        assert_eq!(Moment::parse("yesterday"), None);
    }

    #[test]
    fn a_damaged_time_is_still_shown() {
        assert!(Moment::from_micros(i64::MAX).to_string().starts_with("9999"));
        assert!(Moment::from_micros(i64::MIN).to_string().starts_with("-009999"));
    }
}
