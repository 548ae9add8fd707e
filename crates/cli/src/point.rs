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
    if let Some(end) = end_of_day(text) {
        return Ok(Point::At(end));
    }
    bail!("{missing}; a point is a scan id, a date such as 2026-11-01, a time such as 2026-11-01T09:00:00Z, or `now`")
}

/// The last moment of a date, in UTC. A date is nothing but year, month and day: a time that lacks its offset is not
/// taken for the whole day.
pub(crate) fn end_of_day(text: &str) -> Option<Moment> {
    let is_date = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let date: jiff::civil::Date = text.parse().ok().filter(|_| is_date)?;
    let end = date.tomorrow().ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
    Some(Moment(end.as_microsecond() - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_a_whole_day_and_nothing_else_is() {
        assert_eq!(end_of_day("2026-11-02"), Moment::parse("2026-11-02T23:59:59.999999Z"));
        for text in ["2026-11-02T09:02:00", "20261102", "2026-13-01", "9999-12-31", "yesterday", ""] {
            assert_eq!(end_of_day(text), None, "{text}");
        }
    }
}
