//! `cargo xtask bench`: the benchmarks, which print each figure beside its bound.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::console;
use crate::process::{Failed, cargo, run as run_program};
use crate::steps::{self, Step};

/// The benchmark of the console's graphs, which needs Node and Chromium; all others are in `benches`.
const CONSOLE: &str = "console";

/// What to measure.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// The benchmarks to run [default: all]
    names: Vec<String>,
}

/// Runs the benchmarks; the exit code of the one that failed is this command's.
pub(super) fn run(options: &Options) -> Result<ExitCode> {
    let (of_console, others): (Vec<_>, Vec<_>) = options.names.iter().partition(|name| *name == CONSOLE);
    let is_all = options.names.is_empty();
    let mut all = Vec::new();
    if is_all || !others.is_empty() {
        let mut command = cargo(["run", "--release", "--locked", "--package", "tracehound-benches", "--"]);
        command.args(others);
        all.push(Step::new("bench", move || run_program(&mut command)));
    }
    if is_all || !of_console.is_empty() {
        all.push(Step::new(CONSOLE, console::bench));
    }
    match steps::run(all) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error) => exit_code(&error).ok_or(error),
    }
}

/// The code of the program whose failure this error is.
fn exit_code(error: &anyhow::Error) -> Option<ExitCode> {
    let code = error.downcast_ref::<Failed>()?.code?;
    u8::try_from(code).ok().map(ExitCode::from)
}
