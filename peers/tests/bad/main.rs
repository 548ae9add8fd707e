//! Servers and agents that misbehave, met by the real binary: each is bounded in time and memory, named in the report, and
//! leaves nothing running.

// What is left behind is looked for in the way of Linux.
#![cfg(target_os = "linux")]

#[path = "../harness/mod.rs"]
mod harness;

mod itself;
