//! The time, read in one place.

use tracehound_graph::Moment;

/// The present moment.
pub(crate) fn now() -> Moment {
    Moment(jiff::Timestamp::now().as_microsecond())
}
