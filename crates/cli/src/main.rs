//! The one binary: arguments in, words and exit codes out. What it does lives in the rooms below.

mod args;
mod clock;
mod command;
mod demo;
mod outcome;
mod output;
mod point;
mod progress;
mod settings;
mod size;
mod whole_file;

use clap::Parser as _;

use args::Arguments;
use outcome::Outcome;
use output::Output;
use settings::Settings;

fn main() -> Outcome {
    let arguments = Arguments::parse();
    let mut output = Output::new();
    let settings = match Settings::load(&arguments.global) {
        Ok(settings) => settings,
        Err(error) => return output.failed(&error),
    };
    match command::run(arguments.command, &settings, &mut output) {
        Ok(outcome) => outcome,
        Err(error) if output::is_closed_pipe(&error) => Outcome::Clean,
        Err(error) => output.failed(&error),
    }
}
