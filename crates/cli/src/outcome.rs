//! Exit codes, and nothing else that knows them.

use std::process::{ExitCode, Termination};

use crate::bundle_files::Refused;

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
    /// Something was denied, or is not from whom it has to be.
    NotVerified,
}

impl Outcome {
    /// How a command ends that stops with an error.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        if error.chain().any(|cause| cause.is::<Refused>()) { Self::NotVerified } else { Self::Failed }
    }
}

impl Termination for Outcome {
    fn report(self) -> ExitCode {
        ExitCode::from(match self {
            Self::Clean => 0,
            Self::Failed => 1, // 2 is the argument parser's own
            Self::NothingToScan => 3,
            Self::Findings => 10,
            Self::NotVerified => 11,
        })
    }
}
