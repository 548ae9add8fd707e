//! Chores of the repository, one command each. `cargo xtask help` lists them.
//!
//! Arguments are parsed here and acted on in `command`; what continuous integration runs is `cargo xtask ci`.

mod cache;
mod command;
mod console;
mod generate;
mod output;
mod peers;
mod process;
mod steps;
#[cfg(test)]
mod tidy;
mod tools;
mod written_file;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    match command::Arguments::parse().run() {
        Ok(code) => code,
        Err(error) => {
            output::error(&error);
            ExitCode::FAILURE
        }
    }
}
