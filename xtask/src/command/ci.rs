//! `cargo xtask ci`: what a change must pass.

use anyhow::Result;

use super::{ledger, test, train};
use crate::peers::Extent;
use crate::process::{cargo, program, run as run_program};
use crate::steps::{self, Step};
use crate::tools::CARGO_DENY;
use xtask::{corpora, repository};

use crate::{generate, output};

/// Runs every check, cheap ones first, until one fails.
pub(super) fn run() -> Result<()> {
    let mut all = vec![
        Step::new("fmt", || run_program(&mut cargo(["fmt", "--all", "--check"]))),
        Step::new("clippy", clippy),
        Step::new("docs", docs),
        Step::new("deny", deny),
        Step::new("generated", || generate::check(&repository::root())),
    ];
    all.extend(test::steps(&test::Options { peers: true }));
    match corpora::beside_repository() {
        Some(corpora) => {
            let again = corpora.clone();
            all.push(Step::new("trained", move || train::train(&again, true)));
            all.push(Step::new("ledger", move || ledger::ledger(&corpora, ledger::Mode::Check)));
        }
        None => output::line("no corpora beside the repository: detection quality is not measured"),
    }
    steps::run(all)
}

fn clippy() -> Result<()> {
    let targets = ["clippy", "--workspace", "--all-targets", "--locked", "--features", Extent::All.feature()];
    run_program(cargo(targets).args(["--", "-D", "warnings"]))
}

fn docs() -> Result<()> {
    run_program(cargo(["doc", "--workspace", "--no-deps", "--locked"]).env("RUSTDOCFLAGS", "-D warnings"))
}

/// Advisories are left out: they change without a change of the tree, and need a database from the network.
fn deny() -> Result<()> {
    run_program(program(CARGO_DENY.program()?).args(["--locked", "check", "bans", "licenses", "sources"]))
}
