//! The time, read in one place.

use std::hash::{BuildHasher as _, RandomState};

use anyhow::Context as _;
use jiff::Timestamp;
use tracehound_graph::Moment;

/// The present moment.
pub(crate) fn now() -> Moment {
    Moment(Timestamp::now().as_microsecond())
}

/// The time that a document is stamped with, in whole seconds: the present, or what `SOURCE_DATE_EPOCH` says, so that a
/// document can be made again to the byte.
pub(crate) fn stamp() -> anyhow::Result<(Timestamp, String)> {
    let stamp = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(seconds) => {
            let seconds = seconds.trim().parse().context("`SOURCE_DATE_EPOCH` is not a number of seconds")?;
            Timestamp::from_second(seconds).context("`SOURCE_DATE_EPOCH` is not a time")?
        }
        Err(_) => Timestamp::from_second(Timestamp::now().as_second())?,
    };
    Ok((stamp, stamp.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()))
}

/// An id for a scan made at a time; chance tells two of the same second apart.
pub(crate) fn scan_id(stamp: &Timestamp) -> String {
    let chance = RandomState::new().hash_one(0);
    format!("scan-{}-{chance:016x}", stamp.strftime("%Y%m%dT%H%M%SZ"))
}
