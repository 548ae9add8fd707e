//! The collectors, from what is on a disk or answers on loopback to the document.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod a2a;
mod corpus;
mod dialects;
mod emitted;
mod hostile;
mod lockdown;
mod network;
mod peer;
mod secrets;
mod support;
mod systems;
