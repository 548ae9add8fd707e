//! The binary as its users meet it: arguments, words, exit codes, files.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test stops at the first surprise")]

mod ask;
mod bad_input;
mod bundle;
mod chokepoints;
mod commands;
mod differences;
mod findings;
mod fingerprints;
mod harness;
mod kill;
mod live;
mod marks;
mod network;
mod paths;
mod reach;
mod receipts;
mod rules;
mod scan;
mod trouble;
mod what_if;
