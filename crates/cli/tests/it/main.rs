//! The binary as its users meet it: arguments, words, exit codes, files.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test stops at the first surprise")]

mod ask;
mod bad_input;
mod bundle;
mod chokepoints;
mod commands;
mod differences;
mod estate_server;
mod exploring;
mod findings;
mod fingerprints;
mod gateway;
mod harness;
mod incidents;
mod kill;
mod live;
mod marks;
mod mcp;
mod network;
mod paths;
mod policies;
mod reach;
mod receipts;
mod rules;
mod scan;
#[cfg(unix)]
mod secrets;
mod trouble;
#[cfg(unix)]
mod viewers;
mod what_if;
