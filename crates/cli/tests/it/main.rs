//! The binary as its users meet it: arguments, words, exit codes, files.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test stops at the first surprise")]

mod ask;
mod bad_input;
mod bundle;
mod commands;
mod differences;
mod fingerprints;
mod harness;
mod kill;
mod live;
mod network;
mod rules;
mod scan;
mod trouble;
