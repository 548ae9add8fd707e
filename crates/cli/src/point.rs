//! Points in the life of an estate, as people name them.

use anyhow::bail;
use tracehound_graph::{Estate, Moment, Point};

/// Reads a point: `now`, a scan id, an RFC 3339 time, or a date (to its end, in UTC).
pub(crate) fn parse(estate: &Estate, text: &str) -> anyhow::Result<Point> {
    if text == "now" {
        return Ok(Point::Now);
    }
    let missing = match estate.scan(text) {
        Ok(_) => return Ok(Point::Scan(text.to_owned())),
        Err(missing) => missing,
    };
    if let Some(moment) = Moment::parse(text) {
        return Ok(Point::At(moment));
    }
    if let Ok(date) = text.parse::<jiff::civil::Date>() {
        let end = date.tomorrow()?.to_zoned(jiff::tz::TimeZone::UTC)?.timestamp();
        return Ok(Point::At(Moment(end.as_microsecond() - 1)));
    }
    bail!("{missing}; a point is a scan id, a date, an RFC 3339 time or `now`")
}
