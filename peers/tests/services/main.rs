//! Services on the network, met by the real binary: those that are no AI services are recognised as none, and those that
//! cannot be started here are played from what their projects publish.

// The harness watches the product in the way of Linux.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test stops at the first surprise")]

#[path = "../harness/mod.rs"]
#[expect(dead_code, unused_imports, reason = "the harness serves other tests too")]
mod harness;
#[path = "../harness/services.rs"]
mod services;

mod known;
mod ordinary;
mod stand_in;
