//! `cargo xtask peers`: the tests that meet other programs, alone: servers that misbehave, and those that others wrote.

use anyhow::Result;
use clap::Args;

use super::test;
use crate::peers::{self, Extent};
use crate::process::{cargo, run as run_program};

/// Which of them.
#[derive(Debug, Clone, Args)]
pub(super) struct Options {
    /// Run only tests with this in their names
    filter: Option<String>,
    /// Also meet large services, which are installed if they are missing
    #[arg(long)]
    large: bool,
}

/// Builds the product, installs what is missing and runs the tests.
pub(super) fn run(options: &Options) -> Result<()> {
    // Built as the tests of the whole workspace build it, so that neither waits for the other's leftovers.
    run_program(&mut cargo(["build", "--workspace", "--bins", "--locked"]))?;
    let extent = if options.large { Extent::All } else { Extent::Small };
    let mut command = test::runner();
    command.args(["--package", "tracehound-peers", "--locked", "--features", extent.feature()]).args(&options.filter);
    peers::provide(&mut command, extent);
    run_program(&mut command)
}
