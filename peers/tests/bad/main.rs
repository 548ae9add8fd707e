//! Servers and agents that misbehave, met by the real binary: each is bounded in time and memory, named in the report, and
//! leaves nothing running.

// What is left behind is looked for in the way of Linux.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test stops at the first surprise")]

#[path = "../harness/mod.rs"]
mod harness;

mod agents;
mod http;
mod itself;
mod many;
mod met;
mod network;
mod rug_pull;
mod secrets;
mod stdio;
