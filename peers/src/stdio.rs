//! An MCP server on standard input and output: one message a line.

use std::io::{self, BufRead as _, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use crate::options::Options;
use crate::peer::{Body, Reply, Request};
use crate::scenario::{Play, Scenario};
use crate::stream;

/// How a server that was interrupted by its own scenario ends.
const ENDED: u8 = 3;

/// Answers until the input ends or the scenario does.
pub(crate) fn serve(scenario: &Scenario, options: &Options) -> io::Result<ExitCode> {
    if let Play::Start(start) = scenario.play {
        start(options)?;
    }
    let mut output = io::stdout();
    for line in io::stdin().lock().lines() {
        let request = Request::parse(line?.as_bytes());
        let reply = scenario.answer(options, &request);
        let ends = reply.ends;
        send(reply, options, &mut output)?;
        if ends {
            return Ok(ExitCode::from(ENDED));
        }
    }
    if scenario.outlives_input {
        thread::sleep(crate::STAY);
    }
    Ok(ExitCode::SUCCESS)
}

fn send(reply: Reply, options: &Options, output: &mut impl Write) -> io::Result<()> {
    if matches!(reply.body, Body::Nothing | Body::Never) {
        return Ok(());
    }
    thread::sleep(reply.after + Duration::from_millis(options.delay_ms));
    match reply.body {
        Body::Nothing | Body::Never => Ok(()),
        Body::Message(message) => stream::send(stream::text(format!("{message}\n")), output, reply.pace),
        Body::Bytes(bytes) => stream::send(bytes, output, reply.pace),
    }
}
