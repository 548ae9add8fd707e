//! `cargo xtask test`: every test of the workspace, the tidy rules and the generated files among them.

use anyhow::Result;
use clap::Args;

use crate::output;
use crate::process::{answer, cargo, run as run_program};
use crate::steps::{self, Step};

/// What to test besides the ordinary.
#[derive(Debug, Clone, Args)]
pub(super) struct Options {
    /// Also run tests against large third-party services
    #[arg(long)]
    pub(super) peers: bool,
}

/// Tells the tests that third-party services may be used.
const PEERS: &str = "TRACEHOUND_PEERS";

/// Runs the tests.
pub(super) fn run(options: &Options) -> Result<()> {
    steps::run(steps(options))
}

/// The steps, for a chore that has more of them.
pub(super) fn steps(options: &Options) -> Vec<Step<'static>> {
    let peers = options.peers;
    vec![Step::new("tests", move || tests(peers)), Step::new("doctests", doctests)]
}

fn tests(peers: bool) -> Result<()> {
    let runner: &[&str] = if has_nextest() { &["nextest", "run"] } else { &["test"] };
    let mut command = cargo(runner.iter().chain(&["--workspace", "--locked"]));
    if peers {
        output::line("no peer is needed by the present tests");
        command.env(PEERS, "1");
    }
    run_program(&mut command)
}

/// Nextest does not run the examples in the documentation.
fn doctests() -> Result<()> {
    run_program(&mut cargo(["test", "--doc", "--workspace", "--locked"]))
}

fn has_nextest() -> bool {
    answer(&mut cargo(["nextest", "--version"])).is_some()
}
