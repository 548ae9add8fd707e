//! Servers, agents and services that others wrote, met by the real binary: what it writes into the graph is what they answer.

// What is left behind is looked for in the way of Linux.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test stops at the first surprise")]

#[path = "../harness/mod.rs"]
mod harness;
#[path = "../harness/services.rs"]
mod services;

mod agents;
mod configured;
mod described;
mod found;
mod http;
mod installed;
mod jupyter;
#[cfg(feature = "large")]
mod langserve;
#[cfg(feature = "large")]
mod litellm;
#[cfg(feature = "large")]
mod mlflow;
mod ordinary;
mod service;
mod stdio;
