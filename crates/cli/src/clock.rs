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

/// An id for a scan made at a time. Scans of the same second are in the order of their ids, so what follows the second is
/// the part of it that has passed, and then chance.
pub(crate) fn scan_id(stamp: &Timestamp) -> String {
    let passed = Timestamp::now().subsec_microsecond();
    let chance = RandomState::new().hash_one(0) >> 20;
    format!("scan-{}-{passed:05x}{chance:011x}", stamp.strftime("%Y%m%dT%H%M%SZ"))
}
