//! Servers and agents that others wrote, met by the real binary.

// What is left behind is looked for in the way of Linux.
#![cfg(target_os = "linux")]

#[path = "../harness/mod.rs"]
mod harness;
