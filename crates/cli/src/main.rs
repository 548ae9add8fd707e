//! The one binary: arguments in, words and exit codes out. What it does lives in the rooms below.

mod args;
mod bundle_files;
mod clock;
mod command;
mod demo;
mod gateway_client;
mod outcome;
mod output;
mod progress;
mod rule_files;
mod settings;
mod size;
mod whole_file;

use std::process::{ExitCode, Termination as _};

use clap::{CommandFactory as _, Parser as _};
use tracehound_collect::process::{SUPERVISE, supervise};

use args::{Arguments, Command, Format, Rules};
use outcome::Outcome;
use output::Output;
use settings::Settings;

fn main() -> ExitCode {
    // A started command is kept by this very program, under a name that nobody types.
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == SUPERVISE) {
        return supervise(arguments);
    }
    run().report()
}

fn run() -> Outcome {
    let arguments = Arguments::parse();
    let mut output = Output::new();
    let settings = match Settings::load(&arguments.global) {
        Ok(settings) => settings,
        Err(error) => return output.failed(&error),
    };
    let has_pages = matches!(arguments.command, Command::Rules(Rules::Eval(_)));
    if settings.format == Format::Markdown && !has_pages {
        let message = "the format `markdown` is for `tracehound rules eval` only";
        Arguments::command().error(clap::error::ErrorKind::InvalidValue, message).exit();
    }
    match command::run(arguments.command, &settings, &mut output) {
        Ok(outcome) => outcome,
        Err(error) if output::is_closed_pipe(&error) => Outcome::Clean,
        Err(error) => output.failed(&error),
    }
}
