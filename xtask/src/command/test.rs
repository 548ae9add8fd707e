//! `cargo xtask test`: every test of the workspace, the tidy rules and the generated files among them.

use std::process::Command;

use anyhow::Result;
use clap::Args;

use crate::console;
use crate::peers::{self, Extent};
use crate::process::{answer, cargo, run as run_program};
use crate::steps::{self, Step};

/// What to test besides the ordinary.
#[derive(Debug, Clone, Args)]
pub(super) struct Options {
    /// Also run tests against large third-party services
    #[arg(long)]
    pub(super) peers: bool,
}

impl Options {
    /// Which services of others are needed.
    fn extent(&self) -> Extent {
        if self.peers { Extent::All } else { Extent::Small }
    }
}

/// Runs the tests.
pub(super) fn run(options: &Options) -> Result<()> {
    steps::run(steps(options))
}

/// The steps, for a chore that has more of them.
pub(super) fn steps(options: &Options) -> Vec<Step<'static>> {
    let extent = options.extent();
    vec![
        Step::new("console", console::check),
        Step::new("tests", move || tests(extent)),
        Step::new("doctests", doctests),
        Step::new("browser", console::browse),
    ]
}

fn tests(extent: Extent) -> Result<()> {
    let mut command = runner();
    command.args(["--workspace", "--locked", "--features", extent.feature()]);
    peers::provide(&mut command, extent);
    run_program(&mut command)
}

/// What runs tests.
pub(super) fn runner() -> Command {
    let runner: &[&str] = if has_nextest() { &["nextest", "run"] } else { &["test"] };
    let mut command = cargo(runner);
    // One failure must not hide another.
    command.arg("--no-fail-fast");
    command
}

/// Nextest does not run the examples in the documentation.
fn doctests() -> Result<()> {
    run_program(&mut cargo(["test", "--doc", "--workspace", "--locked"]))
}

fn has_nextest() -> bool {
    answer(&mut cargo(["nextest", "--version"])).is_some()
}
