//! Exit codes, and nothing else that knows them.

use std::process::{ExitCode, Termination};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It did what was asked.
    Clean,
    /// It failed or refused.
    Failed,
    /// There was nothing to scan.
    NothingToScan,
    /// There are findings as bad as the user named.
    Findings,
}

impl Termination for Outcome {
    fn report(self) -> ExitCode {
        ExitCode::from(match self {
            Self::Clean => 0,
            Self::Failed => 1, // 2 is the argument parser's own
            Self::NothingToScan => 3,
            Self::Findings => 10,
        })
    }
}
