//! `cargo xtask bench`: the benchmarks, which print each figure beside its bound.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::process::{Failed, cargo, run as run_program};
use crate::steps::{self, Step};

/// What to measure.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// The benchmarks to run [default: all]
    names: Vec<String>,
}

/// Runs the benchmarks; their exit code is this command's.
pub(super) fn run(options: &Options) -> Result<ExitCode> {
    let mut command = cargo(["run", "--release", "--locked", "--package", "tracehound-benches", "--"]);
    command.args(&options.names);
    match steps::run(vec![Step::new("bench", move || run_program(&mut command))]) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error) => exit_code(&error).ok_or(error),
    }
}

/// The code of the program whose failure this error is.
fn exit_code(error: &anyhow::Error) -> Option<ExitCode> {
    let code = error.downcast_ref::<Failed>()?.code?;
    u8::try_from(code).ok().map(ExitCode::from)
}
