//! How long something takes: on the wall, and in work.
//!
//! Growth is told in work, so that what else the machine does at the time does not count.

use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// Time that passed, and time that was worked.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Spent {
    /// Seconds on the wall.
    pub(crate) seconds: f64,
    /// Seconds that processors of the machine worked for this process.
    pub(crate) worked: f64,
}

/// Tells how long something takes.
pub(crate) struct Clock {
    begin: Instant,
    worked: f64,
}

impl Clock {
    /// Starts it.
    pub(crate) fn start() -> Self {
        Self { begin: Instant::now(), worked: worked() }
    }

    /// What was spent since.
    pub(crate) fn spent(&self) -> Spent {
        Spent { seconds: self.begin.elapsed().as_secs_f64(), worked: worked() - self.worked }
    }
}

/// How long processors of the machine have worked for this process, in seconds.
fn worked() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
