//! The commands: their arguments, and which function does each.

mod bench;
mod ci;
mod estate;
mod fuzz;
mod generate;
mod ledger;
mod peers;
mod test;
mod train;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Chores of the repository: checks, generated files, sample estates, benchmarks.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run what continuous integration runs: fmt, clippy, docs, deny, generated files, tests
    #[command(after_help = "Stops at the first step that fails.\n\nExample:\n  cargo xtask ci")]
    Ci,
    /// Run all tests of the workspace, with nextest if it is installed
    #[command(after_help = "Example:\n  cargo xtask test --peers")]
    Test(test::Options),
    /// Run the tests that meet other programs: servers that misbehave, and those that others wrote
    #[command(after_help = "Installs what is missing into the cache.\n\nExample:\n  cargo xtask peers")]
    Peers(peers::Options),
    /// Measure, and fail if a figure misses its bound
    #[command(after_help = "Without a name every benchmark runs.\n\nExample:\n  cargo xtask bench ingest")]
    Bench(bench::Options),
    /// Write the generated files, or check that they are up to date
    #[command(after_help = "Example:\n  cargo xtask generate --check")]
    Generate(generate::Options),
    /// Write a generated estate: scan documents of any size, the same for the same arguments
    #[command(
        after_help = "Example:\n  cargo xtask estate --nodes 100000 --edges 500000 --seed 7 --output /tmp/estate"
    )]
    Estate(estate::Options),
    /// Train the text model and the word list of the rules from labelled corpora
    #[command(after_help = "The same corpora give the same bytes.\n\nExample:\n  cargo xtask train --check ../corpora")]
    Train(train::Options),
    /// Measure the built-in rules on labelled corpora and write the ledger, unless a figure dropped
    #[command(after_help = "Example:\n  cargo xtask ledger --check ../corpora")]
    Ledger(ledger::Options),
    /// Feed random documents to one fuzz target, or to each in turn
    #[command(after_help = "Needs a nightly toolchain.\n\nExample:\n  cargo xtask fuzz --seconds 300")]
    Fuzz(fuzz::Options),
}

impl Arguments {
    /// Does what was asked for.
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self.command {
            Command::Ci => ci::run()?,
            Command::Test(options) => test::run(&options)?,
            Command::Peers(options) => peers::run(&options)?,
            Command::Bench(options) => return bench::run(&options),
            Command::Generate(options) => generate::run(&options)?,
            Command::Estate(options) => estate::run(&options)?,
            Command::Train(options) => train::run(&options)?,
            Command::Ledger(options) => ledger::run(&options)?,
            Command::Fuzz(options) => fuzz::run(&options)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_command_has_help_and_an_example() {
        for command in Arguments::command().get_subcommands() {
            assert!(command.get_about().is_some(), "{}", command.get_name());
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(after.contains(&format!("cargo xtask {}", command.get_name())), "{}", command.get_name());
        }
    }

    /// An example that does not parse is worse than none.
    #[test]
    fn the_examples_parse() {
        for command in Arguments::command().get_subcommands() {
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let example = after.lines().last().unwrap_or_default().trim().strip_prefix("cargo ").unwrap_or_default();
            Arguments::try_parse_from(example.split(' ')).unwrap();
        }
    }
}
