//! A scan as the fold needs it: when it was, who made it and what it covered.

use serde::{Deserialize, Serialize};
use tracehound_model::{Collector, EdgeKind};

use super::ids::NodeFact;

/// What is recorded of a scan besides its document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScanRecord {
    /// The scan's own id.
    pub scan_id: String,
    /// Who observed.
    pub collector: Collector,
    /// The version of who observed.
    pub collector_version: String,
    /// The machine that it speaks for; empty when it names none.
    pub origin: String,
    /// When it was made, as the fold counts it.
    pub time: Moment,
    /// When it was made, as the document says.
    pub timestamp: String,
    /// When it was ingested.
    pub ingested: Moment,
    /// Nodes in the document.
    pub nodes: u64,
    /// Edges in the document.
    pub edges: u64,
    /// Warnings that ingest gave.
    pub warnings: u64,
    /// Hex SHA-256 of the document.
    pub sha256: String,
    /// Size of the document.
    pub bytes: u64,
}

#[cfg(test)]
impl ScanRecord {
    /// A record for tests in which only the id matters.
    pub(crate) fn sample(scan_id: &str) -> Self {
        Self {
            scan_id: scan_id.to_owned(),
            collector: Collector::Scan,
            collector_version: String::new(),
            origin: String::new(),
            time: Moment(0),
            timestamp: String::new(),
            ingested: Moment(0),
            nodes: 0,
            edges: 0,
            warnings: 0,
            sha256: String::new(),
            bytes: 0,
        }
    }
}

/// A point in time, in microseconds since 1970, shown as RFC 3339.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(pub i64);

impl Moment {
    /// Reads RFC 3339.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse::<jiff::Timestamp>().ok().map(|time| Self(time.as_microsecond()))
    }

    /// The last moment of a date, in UTC. A date is nothing but year, month and day: a time that lacks its offset is not
    /// taken for the whole day.
    #[must_use]
    pub fn end_of_day(text: &str) -> Option<Self> {
        let is_date = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let date: jiff::civil::Date = text.parse().ok().filter(|_| is_date)?;
        let end = date.tomorrow().ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
        Some(Self(end.as_microsecond() - 1))
    }
}

impl std::fmt::Display for Moment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // What lies beyond the years that RFC 3339 can write is shown as the last of them.
        let beyond = if self.0 < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
        write!(f, "{}", jiff::Timestamp::from_microsecond(self.0).unwrap_or(beyond))
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not an RFC 3339 time"))
    }
}

impl Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Whose facts a covered thing is complete for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum CoveredFor {
    /// The collector that goes with the kind of the covered thing.
    ItsKind,
    /// The collector that goes with edges of this kind at the covered thing: they were listed.
    Listed(EdgeKind),
    /// This one.
    Collector(Collector),
}

/// A scan within the facts.
#[derive(Debug, Clone)]
pub(crate) struct Scan {
    /// Its number in the store, in order of arrival.
    pub(crate) seq: i64,
    pub(crate) record: ScanRecord,
    /// Things that it read to the end.
    pub(crate) nodes: Vec<(NodeFact, CoveredFor)>,
    /// Network places that it read to the end.
    pub(crate) ports: Vec<String>,
    /// Whether the document itself says what it covers. Otherwise only what is below the covered things can be told
    /// to be gone: that their children are listed shows that they themselves are there.
    pub(crate) says_covered: bool,
}

impl Scan {
    /// The place of a scan in the order in which the fold takes them.
    pub(crate) fn order(&self) -> (Moment, &str) {
        (self.record.time, &self.record.scan_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_a_whole_day_and_nothing_else_is() {
        assert_eq!(Moment::end_of_day("2026-11-02"), Moment::parse("2026-11-02T23:59:59.999999Z"));
        for text in ["2026-11-02T09:02:00", "20261102", "2026-13-01", "9999-12-31", "yesterday", ""] {
            assert_eq!(Moment::end_of_day(text), None, "{text}");
        }
    }
}
