//! The command line.

use clap::{Args, Parser, Subcommand};

use crate::scenario;

/// Plays servers and agents that misbehave.
#[derive(Debug, Parser)]
#[command(name = "bad-peer", after_help = scenario::list())]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) mode: Mode,
}

/// What to play.
#[derive(Debug, Subcommand)]
pub(crate) enum Mode {
    /// An MCP server on standard input and output
    Stdio(Options),
    /// An MCP server over HTTP; prints its port first, then a line for each request
    Http(Options),
    /// An A2A agent; prints its port first, then a line for each request
    A2a(Options),
    /// A service on the network; prints its port first, then a line for each request
    Service(Options),
    /// A process that does nothing; scenarios start it to see whether it is left behind
    #[command(hide = true)]
    Stay(Stay),
}

/// How to play it.
#[derive(Debug, Clone, Args)]
pub(crate) struct Options {
    /// One of the words listed by `bad-peer --help`
    pub(crate) scenario: String,
    /// The revision of MCP that the server speaks; from 2026-07-28 on without a handshake
    #[arg(long, default_value = "2025-11-25")]
    pub(crate) revision: String,
    /// Misbehave only when asked for this method
    #[arg(long, value_name = "METHOD")]
    pub(crate) at: Option<String>,
    /// Wait this long before each answer
    #[arg(long, default_value_t = 0)]
    pub(crate) delay_ms: u64,
    /// The description of the tool
    #[arg(long, default_value = "Adds two numbers and returns the sum")]
    pub(crate) text: String,
    /// The name that the server gives itself
    #[arg(long, default_value = "bad-peer")]
    pub(crate) name: String,
    /// How many tools, where there are many
    #[arg(long, default_value_t = 100_000)]
    pub(crate) tools: usize,
    /// How many of them on a page; all on one unless given
    #[arg(long, value_name = "COUNT")]
    pub(crate) page: Option<usize>,
    /// Answer over HTTP with streams of events instead of single messages
    #[arg(long)]
    pub(crate) events: bool,
    /// A word by which a test finds this process, and those that it starts, among others
    #[arg(long, default_value = "unmarked")]
    pub(crate) mark: String,
}

/// How to stay.
#[derive(Debug, Args)]
pub(crate) struct Stay {
    /// Leave the session and the process group of whoever started it
    #[arg(long)]
    pub(crate) new_session: bool,
    /// A word by which a test finds this process
    #[arg(long)]
    mark: String,
}
