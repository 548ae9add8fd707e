//! `cargo xtask generate`: files that are made from tables in the code.

use anyhow::Result;
use clap::Args;

use crate::steps::{self, Step};
use xtask::repository;

use crate::generate;

/// Whether to write or to compare.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Change nothing; fail if a file is not what would be written
    #[arg(long)]
    check: bool,
}

/// Writes or compares every generated file.
pub(super) fn run(options: &Options) -> Result<()> {
    let root = repository::root();
    let step = if options.check {
        Step::new("check", move || generate::check(&root))
    } else {
        Step::new("generate", move || generate::write(&root))
    };
    steps::run(vec![step])
}
