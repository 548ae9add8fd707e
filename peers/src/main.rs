//! `bad-peer`: MCP servers, A2A agents and services that misbehave, one scenario a word, for tests that start the product.
//!
//! Every scenario deviates from one honest server in one way, so that a test knows what it met. Nothing here is linked
//! by the product, and what it serves over HTTP it serves on loopback only.

mod http;
mod options;
mod peer;
mod scenario;
mod scenarios;
mod stdio;
mod stream;
mod tls;

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use clap::Parser as _;

use options::{Arguments, Mode};
use scenario::Channel;

/// How long a process that was told to stay does so: longer than any test, but not for ever if one fails.
const STAY: Duration = Duration::from_secs(300);

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments.mode) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(mode: Mode) -> io::Result<ExitCode> {
    match mode {
        Mode::Stdio(options) => stdio::serve(scenario::find(&options.scenario, Channel::Stdio)?, &options),
        Mode::Http(options) => http::serve(scenario::find(&options.scenario, Channel::Http)?, options),
        Mode::A2a(options) => http::serve(scenario::find(&options.scenario, Channel::A2a)?, options),
        Mode::Service(options) => http::serve(scenario::find(&options.scenario, Channel::Service)?, options),
        Mode::Stay(stay) => {
            if stay.new_session {
                scenarios::leave_the_session();
            }
            thread::sleep(STAY);
            Ok(ExitCode::SUCCESS)
        }
    }
}
