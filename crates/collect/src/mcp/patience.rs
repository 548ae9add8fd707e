//! How long anything is waited for, to a moment or until the user has had enough; and how much is asked in that time.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

/// A deadline that a user can bring forward.
#[derive(Debug, Clone)]
pub(super) struct Patience {
    pub(super) deadline: Instant,
    pub(super) cancel: CancellationToken,
    /// How long it was in all, for words.
    pub(super) allowed: Duration,
    pub(super) depth: Depth,
}

/// How much a server is asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Depth {
    /// Who it is, and all its lists.
    #[default]
    Lists,
    /// Who it is.
    Introduction,
}

/// Why nothing more is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Late {
    #[error("no answer within {} s", .0.as_secs_f32())]
    TimedOut(Duration),
    #[error("the scan was interrupted")]
    Interrupted,
}

impl Patience {
    pub(super) fn new(allowed: Duration, cancel: CancellationToken, depth: Depth) -> Self {
        Self { deadline: Instant::now() + allowed, cancel, allowed, depth }
    }

    pub(super) async fn wait<F: Future>(&self, work: F) -> Result<F::Output, Late> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Late::Interrupted),
            done = timeout_at(self.deadline, work) => done.map_err(|_| Late::TimedOut(self.allowed)),
        }
    }
}
